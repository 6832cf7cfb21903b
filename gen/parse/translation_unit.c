/* translation_unit.c - see translation_unit.h. */
#include "parse/translation_unit.h"
#include "parse/clang_pch.h"
#include "base/template.h"
#include "command/torch_version.h"
#include "command/wrapper_kind.h"
#include <string.h>

/* libclang has no <omp.h> and cannot use gcc's: where no other is found it reads one that exists in
 * memory only, in this directory. */
#define OMP_DIR "/usr/include/aotigen-omp"

bool translation_unit_offset(const translation_unit *t, CXSourceLocation at, size_t *offset) {
  CXFile file = NULL;
  unsigned value = 0;
  clang_getFileLocation(at, &file, NULL, NULL, &value);
  *offset = value;
  return file && clang_File_isEqual(file, t->file);
}

bool translation_unit_span(const translation_unit *t, CXCursor c, span *s) {
  CXSourceRange range = clang_getCursorExtent(c);
  return translation_unit_offset(t, clang_getRangeStart(range), &s->begin) &&
         translation_unit_offset(t, clang_getRangeEnd(range), &s->end) && s->begin <= s->end;
}

unsigned translation_unit_presumed_line(const translation_unit *t, size_t offset) {
  CXSourceLocation at = clang_getLocationForOffset(t->unit, t->file, (unsigned)offset);
  unsigned line = 0;
  clang_getPresumedLocation(at, NULL, &line, NULL);
  return line;
}

const char *translation_unit_string(arena *a, CXString s) {
  const char *text = clang_getCString(s);
  char *copy = arena_strdup(a, text ? text : "");
  clang_disposeString(s);
  return copy;
}

/* The flags of the command that matter to a parser, and our own. */
static void make_arguments(strings *args, const command *c, arena *a) {
  static const char *const ours[] = {
      "-x", "c++", "-w", "-Wno-error", "-fno-caret-diagnostics", "-ferror-limit=0"};
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) *arena_push(a, args) = ours[i];
  for (size_t i = 0; i < c->compile.n; i++) {
    const char *flag = c->compile.at[i];
    bool code_generation = strchr("WOgfp", flag[1]) && strcmp(flag, "-fopenmp") != 0;
    if (!code_generation && strcmp(flag, "-c") != 0) *arena_push(a, args) = flag;
  }
  if (c->windows) *arena_push(a, args) = "-fdeclspec";
  if (c->clang_headers) {
    *arena_push(a, args) = "-isystem";
    *arena_push(a, args) = c->clang_headers;
  }
  *arena_push(a, args) = "-idirafter";
  *arena_push(a, args) = OMP_DIR;
}

/* The path by which an #include of `name` in the wrapper finds it beside the wrapper. */
static const char *path_beside(const char *wrapper, const char *name, arena *a) {
  const char *slash = strrchr(wrapper, '/');
  return arena_printf(a, "%.*s%s", slash ? (int)(slash + 1 - wrapper) : 0, wrapper, name);
}

/* The files that exist in memory only: the wrapper, the headers of its package, torch's cache files
 * that are gone, <omp.h>. */
static struct CXUnsavedFile *make_files(const translation_unit *t, const command *c, arena *a,
                                        unsigned *n) {
  arena_list(struct CXUnsavedFile) files = {0};
  *arena_push(a, &files) = (struct CXUnsavedFile){t->path, t->text, t->n};
  for (size_t i = 0; i < c->includes_missing.n; i++) {
    const char *text = arena_printf(a, "#include \"%s\"\n", c->includes_replacement.at[i]);
    *arena_push(a, &files) = (struct CXUnsavedFile){c->includes_missing.at[i], text, strlen(text)};
  }
  for (size_t i = 0; i < c->headers_beside.n; i++) {
    const char *text = c->headers_beside_text.at[i];
    *arena_push(a, &files) = (struct CXUnsavedFile){
        path_beside(t->path, c->headers_beside.at[i], a), text, strlen(text)};
  }
  const char *omp = template_fill("omp", NULL, 0, a);
  *arena_push(a, &files) = (struct CXUnsavedFile){OMP_DIR "/omp.h", omp, strlen(omp)};
  *n = (unsigned)files.n;
  return files.at;
}

/* The header that declares the model's class, where torch was to link it statically: that of the
 * class "AOTInductorModelX" is "X.h". NULL for others. */
static const char *name_class_header(const translation_unit *t, arena *a) {
  const char *name = wrapper_model_class(t->text, t->n, a),
             *suffix = name ? name + strlen(WRAPPER_MODEL_CLASS) : "";
  return *suffix ? arena_printf(a, "%s.h", suffix) : NULL;
}

/* Notes that torch's headers have a class of the model's name. */
static bool advise_class_name(const translation_unit *t, arena *a, diags *d) {
  static const char *const taken[] = {"Base", "Kernels", "KernelsBase", "Container"};
  const char *name = wrapper_model_class(t->text, t->n, a);
  for (size_t i = 0; name && i < sizeof taken / sizeof *taken; i++) {
    if (strcmp(name + strlen(WRAPPER_MODEL_CLASS), taken[i]) != 0) continue;
    diag_note(d, t->path,
              "the model's name '%s' makes its class '%s', which torch itself has, so that no "
              "compiler can build the result; lower the model again with another "
              "aot_inductor.model_name_for_generated_files",
              taken[i], name);
    return true;
  }
  return false;
}

/* Notes that the header of the model's class is what `missing` says was not found. False for any
 * other. torch names it after an option that it does not require. */
static bool advise_class_header(const translation_unit *t, const char *missing, arena *a,
                                diags *d) {
  const char *header = missing ? name_class_header(t, a) : NULL;
  if (!header || !strstr(missing, arena_printf(a, "'%s'", header))) return false;
  if (!strcmp(header, "None.h"))
    diag_note(d, t->path,
              "torch wrote a header of another name: it was told "
              "aot_inductor.dynamic_linkage=False without a name, and no compiler can build the "
              "result; lower the model again with aot_inductor.model_name_for_generated_files");
  else
    diag_note(d, t->path,
              "it declares the model's class: torch puts it beside the wrapper where "
              "aot_inductor.dynamic_linkage is False; if it did not, lower the model again with "
              "another TORCHINDUCTOR_CACHE_DIR, since a wrapper of that name was kept from before");
  return true;
}

/* Notes that the error is of a dtype that torch emits, and declares in no version's headers. */
static bool advise_dtype(const translation_unit *t, const char *error, diags *d) {
  static const struct {
    const char *error, *dtype;
  } lacking[] = {{"no type named 'Float8_e8m0fnu' in namespace 'at'", "float8_e8m0fnu"},
                 {"'aoti_torch_dtype_bcomplex32'", "bcomplex32"}};
  for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++) {
    if (!strstr(error, lacking[i].error)) continue;
    diag_note(
        d, t->path,
        "it is torch's own fault: torch, up to 2.15, emits the dtype %s under a name that its "
        "headers lack, and no compiler can build the result; leave it out of the model",
        lacking[i].dtype);
    return true;
  }
  return false;
}

/* Notes that torch emitted a line of Python: up to 2.11 it does where it is told to wait for the
 * device. */
static bool advise_python(const translation_unit *t, const char *error, diags *d) {
  if (!strstr(error, "unexpected namespace name 'torch'") || !t->text ||
      !strstr(t->text, "    torch.cuda.synchronize()\n"))
    return false;
  diag_note(d, t->path,
            "it is torch's own fault: told triton.debug_sync_graph or triton.debug_sync_kernel, it "
            "emits a line of Python, and no compiler can build the result; lower the model again "
            "without them");
  return true;
}

/* Notes what to do about the first error. */
static void add_advice(const translation_unit *t, const command *c, const char *error, arena *a,
                       diags *d) {
  const char *missing = strstr(error, "file not found") ? error : NULL;
  if (advise_dtype(t, error, d) || advise_python(t, error, d)) return;
  if (advise_class_name(t, a, d) || advise_class_header(t, missing, a, d)) return;
  if (torch_version_mismatch(c, a)) return; /* a warning says so already */
  if (missing && !c->torch)
    diag_note(d, t->path,
              "torch's headers were not found: name the directory of a torch with --torch=DIR");
  else if (c->torch)
    diag_note(d, t->path,
              "the headers in use are those of torch %s in '%s': if the wrapper was emitted by "
              "another version, name that one's directory with --torch=DIR",
              c->torch_version ? c->torch_version : "of an unknown version", c->torch);
}

/* ---- errors of libclang that leave the text's meaning as it is */

static enum CXChildVisitResult find_lost_part(CXCursor c, CXCursor parent, CXClientData data) {
  (void)parent;
  enum CXCursorKind kind = clang_getCursorKind(c);
  bool *kept = data;
  if (kind == CXCursor_DeclRefExpr || kind == CXCursor_OverloadedDeclRef ||
      kind == CXCursor_UnexposedExpr || clang_isInvalidDeclaration(c))
    *kept = false;
  return *kept ? CXChildVisit_Recurse : CXChildVisit_Break;
}

/* True for an error of libclang, in a local declaration that it keeps whole all the same: its
 * variables have their types, and no initializer can be lost. `alignas(64)` of a type that wants
 * more is one: g++ takes it, and torch writes it for a descriptor of CUDA 13. */
static bool keeps_declaration(const translation_unit *t, CXDiagnostic g) {
  CXSourceLocation at = clang_getDiagnosticLocation(g);
  size_t offset;
  if (clang_getDiagnosticSeverity(g) != CXDiagnostic_Error ||
      !translation_unit_offset(t, at, &offset))
    return false;
  CXCursor c = clang_getCursor(t->unit, at);
  bool whole = clang_getCursorKind(c) == CXCursor_DeclStmt;
  if (whole) clang_visitChildren(c, find_lost_part, &whole);
  return whole;
}

/* An error at its place in the text. */
typedef struct parse_error {
  const char *text, *path;
  unsigned line, column;
} parse_error;

static parse_error read_error(const translation_unit *t, CXDiagnostic g, arena *a) {
  parse_error e = {.text = translation_unit_string(a, clang_getDiagnosticSpelling(g))};
  CXFile file;
  clang_getFileLocation(clang_getDiagnosticLocation(g), &file, &e.line, &e.column, NULL);
  CXString name = clang_getFileName(file);
  e.path = arena_strdup(a, clang_getCString(name) ? clang_getCString(name) : t->path);
  clang_disposeString(name);
  return e;
}

static void report_kept(const parse_error *e, unsigned n, diags *d) {
  if (n)
    diag_warning_at(d, e->path, e->line, e->column,
                    "libclang finds an error in this declaration%s and keeps it: %s; your compiler "
                    "decides whether it is valid",
                    n > 1 ? " and others like it" : "", e->text);
}

/* True where libclang found no error but in declarations that it keeps. Reports the first one
 * otherwise. */
static bool report_errors(const translation_unit *t, const command *c, arena *a, diags *d) {
  unsigned kept = 0, errors = 0;
  parse_error first = {0}, first_kept = {0};
  for (unsigned i = 0, n = clang_getNumDiagnostics(t->unit); i < n && !errors; i++) {
    CXDiagnostic g = clang_getDiagnostic(t->unit, i);
    if (clang_getDiagnosticSeverity(g) >= CXDiagnostic_Error) {
      if (!keeps_declaration(t, g) && errors++ == 0)
        first = read_error(t, g, a);
      else if (!errors && kept++ == 0)
        first_kept = read_error(t, g, a);
    }
    clang_disposeDiagnostic(g);
  }
  if (!errors) {
    report_kept(&first_kept, kept, d);
    return true;
  }
  diag_error_at(d, STATUS_INPUT, first.path, first.line, first.column, "does not parse: %s",
                first.text);
  if (strncmp(first.text, "expected ", 9) != 0 && !strstr(first.text, "nesting"))
    add_advice(t, c, first.text, a, d);
  return false;
}

static enum CXErrorCode parse_with(translation_unit *t, const strings *args, const char *pch,
                                   struct CXUnsavedFile *files, unsigned n, arena *a) {
  strings all = {0};
  for (size_t i = 0; i < args->n; i++) *arena_push(a, &all) = args->at[i];
  if (pch) {
    *arena_push(a, &all) = "-include-pch";
    *arena_push(a, &all) = pch;
  }
  return clang_parseTranslationUnit2(t->index, t->path, all.at, (int)all.n, files, n,
                                     CXTranslationUnit_None, &t->unit);
}

/* True where an error lies outside the wrapper, as with a precompiled header that is stale or
 * broken. */
static bool has_foreign_error(const translation_unit *t) {
  bool failed = false;
  CXFile wrapper = t->unit ? clang_getFile(t->unit, t->path) : NULL;
  for (unsigned i = 0, n = t->unit ? clang_getNumDiagnostics(t->unit) : 0; i < n; i++) {
    CXDiagnostic g = clang_getDiagnostic(t->unit, i);
    CXFile file = NULL;
    clang_getFileLocation(clang_getDiagnosticLocation(g), &file, NULL, NULL, NULL);
    failed = failed || (clang_getDiagnosticSeverity(g) >= CXDiagnostic_Error &&
                        !(file && wrapper && clang_File_isEqual(file, wrapper)));
    clang_disposeDiagnostic(g);
  }
  return failed || !t->unit;
}

static const char *safe_path(const char *path, arena *a) {
  return *path == '-' ? arena_printf(a, "./%s", path)
                      : path; /* libclang must not take it for a flag */
}

/* Parses with the precompiled header, and once more without it where that fails for any reason. */
static enum CXErrorCode parse_text(translation_unit *t, const translation_unit_input *in,
                                   arena *a) {
  strings args = {0};
  unsigned n;
  make_arguments(&args, in->command, a);
  struct CXUnsavedFile *files = make_files(t, in->command, a, &n);
  enum CXErrorCode error = parse_with(t, &args, in->pch, files, n, a);
  if (!in->pch || (error == CXError_Success && !has_foreign_error(t))) return error;
  t->pch_failed = true;
  if (t->unit) clang_disposeTranslationUnit(t->unit);
  t->unit = NULL;
  return parse_with(t, &args, NULL, files, n, a);
}

bool translation_unit_parse(translation_unit *t, const translation_unit_input *in, arena *a,
                            diags *d) {
  *t = (translation_unit){.path = safe_path(in->path, a), .text = in->text, .n = in->n};
  /* The headers' declarations stay unread where nothing uses them. */
  t->index = clang_createIndex(1, 0);
  enum CXErrorCode error = parse_text(t, in, a);
  if (error == CXError_Success) {
    t->file = clang_getFile(t->unit, t->path);
    return report_errors(t, in->command, a, d);
  }
  if (error == CXError_Crashed)
    diag_error(d, STATUS_INPUT, in->path, "the parser gave up on this input");
  else
    diag_error(d, STATUS_INPUT, in->path, "libclang could not read this input (error %d)",
               (int)error);
  return false;
}

const char *translation_unit_find_pch(const translation_unit_input *in, arena *a) {
  strings args = {0};
  make_arguments(&args, in->command, a);
  return clang_pch_find(in, &args, a);
}

const char *translation_unit_precompile(process *p, const translation_unit_input *in, arena *a) {
  strings args = {0};
  make_arguments(&args, in->command, a);
  return clang_pch_start(p, in, &args, a);
}

void translation_unit_free(translation_unit *t) {
  if (t->unit) clang_disposeTranslationUnit(t->unit);
  if (t->index) clang_disposeIndex(t->index);
  *t = (translation_unit){0};
}

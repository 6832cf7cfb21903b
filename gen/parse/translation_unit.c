/* tu.c - see tu.h. */
#include "parse/translation_unit.h"
#include "base/file.h"
#include "parse/clang_pch.h"
#include "base/template.h"
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* libclang brings no <omp.h>, and gcc's is not for it: one that exists in memory alone serves where
 * no other is found. */
#define OMP_DIR "/usr/include/aotigen-omp"

bool tu_offset(const tu *t, CXSourceLocation at, size_t *offset) {
  CXFile file = NULL;
  unsigned value = 0;
  clang_getFileLocation(at, &file, NULL, NULL, &value);
  *offset = value;
  return file && clang_File_isEqual(file, t->file);
}

/* The flags of the command that a parser needs, and our own. */
static void arguments(strings *args, const command *c, arena *a) {
  static const char *const ours[] = {"-x", "c++", "-w", "-Wno-error", "-fno-caret-diagnostics"};
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) *arena_push(a, args) = ours[i];
  for (size_t i = 0; i < c->compile.n; i++) {
    const char *flag = c->compile.at[i];
    bool code_generation = strchr("WOgfp", flag[1]) && strcmp(flag, "-fopenmp") != 0;
    if (!code_generation && strcmp(flag, "-c") != 0) *arena_push(a, args) = flag;
  }
  if (c->clang_headers) { /* a libclang that travels has none beside it */
    *arena_push(a, args) = "-isystem";
    *arena_push(a, args) = c->clang_headers;
  }
  *arena_push(a, args) = "-idirafter";
  *arena_push(a, args) = OMP_DIR;
}

/* Cache files that have vanished are given back as files that exist in memory alone. */
static struct CXUnsavedFile *substitutes(const tu *t, const command *c, arena *a, unsigned *n) {
  struct CXUnsavedFile *files = arena_alloc(a, (c->includes_missing.n + 2) * sizeof *files);
  files[0] = (struct CXUnsavedFile){t->path, t->text, t->n};
  for (size_t i = 0; i < c->includes_missing.n; i++) {
    const char *text = arena_printf(a, "#include \"%s\"\n", c->includes_replacement.at[i]);
    files[i + 1] = (struct CXUnsavedFile){c->includes_missing.at[i], text, strlen(text)};
  }
  const char *omp = template_fill("omp", NULL, 0, a);
  files[c->includes_missing.n + 1] = (struct CXUnsavedFile){OMP_DIR "/omp.h", omp, strlen(omp)};
  *n = (unsigned)c->includes_missing.n + 2;
  return files;
}

/* What to do about an error, in words. */
static void advise(const tu *t, const command *c, bool missing, arena *a, diags *d) {
  if (command_mismatch(c, a)) return; /* warned of already, in better words */
  if (missing && !c->torch)
    diag_note(d, t->path, 0, 0,
              "torch's headers were not found: name the directory of a torch with --torch=DIR");
  else if (c->torch)
    diag_note(d, t->path, 0, 0,
              "the headers in use are those of torch %s in '%s': if the wrapper was emitted by "
              "another version, name that one's directory with --torch=DIR",
              c->torch_version ? c->torch_version : "of an unknown version", c->torch);
}

static bool report(const tu *t, const command *c, arena *a, diags *d) {
  unsigned n = clang_getNumDiagnostics(t->unit), errors = 0;
  bool missing = false, syntax = false;
  for (unsigned i = 0; i < n; i++) {
    CXDiagnostic g = clang_getDiagnostic(t->unit, i);
    if (clang_getDiagnosticSeverity(g) >= CXDiagnostic_Error && errors++ == 0) {
      CXString text = clang_getDiagnosticSpelling(g), name;
      CXFile file;
      unsigned line, column;
      clang_getFileLocation(clang_getDiagnosticLocation(g), &file, &line, &column, NULL);
      name = clang_getFileName(file);
      const char *path = clang_getCString(name) ? clang_getCString(name) : t->path;
      missing = missing || strstr(clang_getCString(text), "file not found");
      syntax = strncmp(clang_getCString(text), "expected ", 9) == 0 ||
               strstr(clang_getCString(text), "nesting");
      diag_error(d, STATUS_INPUT, arena_strdup(a, path), line, column, "does not parse: %s",
                 clang_getCString(text));
      clang_disposeString(text);
      clang_disposeString(name);
    }
    clang_disposeDiagnostic(g);
  }
  if (errors && !syntax) advise(t, c, missing, a, d);
  return errors == 0;
}

static enum CXErrorCode parse(tu *t, const strings *args, const char *pch,
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

/* A precompiled header that is stale or broken shows as an error without a place in the wrapper. */
static bool pch_failed(const tu *t) {
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

/* A stranger's few lines can grow without end in a parser: macros, templates. Where it runs out of
 * memory libclang ends the process, and stack.c says so. */
static bool limit_memory(size_t n, struct rlimit *before) {
  strbuf t = {0};
  unsigned long data = 0; /* pages that we have already: a sanitizer's are many */
  bool told = file_slurp("/proc/self/statm", 4096, &t) &&
              sscanf(t.at, "%*u %*u %*u %*u %*u %lu", &data) == 1;
  strbuf_free(&t);
  if (!told) return false;
  const rlim_t most = (rlim_t)data * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)768 << 20) +
                      32 * (rlim_t)n; /* several times what torch's headers take */
  if (getrlimit(RLIMIT_DATA, before) != 0 ||
      (before->rlim_cur != RLIM_INFINITY && before->rlim_cur <= most))
    return false;
  return setrlimit(RLIMIT_DATA, &(struct rlimit){most, before->rlim_max}) == 0;
}

bool tu_parse(tu *t, const char *path, const char *text, size_t n, const command *c,
              const options *o, arena *a, diags *d) {
  *t = (tu){.path = *path == '-' ? arena_printf(a, "./%s", path) : path,
            .text = text,
            .n = n}; /* never taken for a flag */
  strings args = {0};
  arguments(&args, c, a);
  unsigned nfiles;
  struct CXUnsavedFile *files = substitutes(t, c, a, &nfiles);
  t->index = clang_createIndex(0, 0);
  const char *pch = pch_find(t, &args, c, o, a);
  struct rlimit before;
  bool limited = o->closed && limit_memory(n, &before);
  enum CXErrorCode error = parse(t, &args, pch, files, nfiles, a);
  if (pch && (error != CXError_Success ||
              pch_failed(t))) { /* once more without, whatever the reason was */
    unlink(pch);
    if (t->unit) clang_disposeTranslationUnit(t->unit);
    t->unit = NULL;
    error = parse(t, &args, NULL, files, nfiles, a);
  }
  if (limited) setrlimit(RLIMIT_DATA, &before);
  if (error != CXError_Success) {
    diag_error(d, STATUS_INPUT, path, 0, 0,
               error == CXError_Crashed ? "the parser gave up on this input"
                                        : "libclang could not read this input (error %d)",
               (int)error);
    return false;
  }
  t->file = clang_getFile(t->unit, t->path);
  return report(t, c, a, d);
}

const char *tu_precompile(process *p, const char *path, const char *text, size_t n,
                          const command *c, const options *o, arena *a) {
  const tu t = {.path = path, .text = text, .n = n};
  strings args = {0};
  arguments(&args, c, a);
  return pch_make(p, &t, &args, c, o, a);
}

void tu_free(tu *t) {
  if (t->unit) clang_disposeTranslationUnit(t->unit);
  if (t->index) clang_disposeIndex(t->index);
  *t = (tu){0};
}

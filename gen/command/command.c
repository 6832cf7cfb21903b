/* command.c - see command.h. Finds the recorded commands and assembles the flags that are used.
 * Which flag is harmless is decided by flags.c; where headers and libraries are, by locate.c. */
#include "command/command_parts.h"
#include "command/torch_version.h"
#include "base/file.h"
#include "command/flags.h"
#include "command/locate.h"
#include "command/shell_words.h"
#include <string.h>

/* Limits that no wrapper of torch's reaches: warnings of one kind, cache files that are gone, kB of
 * a command, where torch records about 10, in a package and in a wrapper of one's own. */
enum { WARNINGS = 8, CACHE_FILES = 16, PACKAGED_KB = 256, COMMAND_KB = 10 << 10 };

typedef struct reader {
  command *c;
  const options *o;
  const char *file, *at;
  size_t n;
  arena *a;
  diags *d;
  includes list;
  arena_list(flag) include_dirs; /* as recorded */
  strings library_dirs, rpaths, torch_dirs;
  place place;
  unsigned warned;
} reader;

/* One recorded command: the line that follows its heading. */
typedef struct comment {
  const char *at;
  size_t n;
  unsigned line; /* 0: there is none */
} comment;

/* ---- the comments */

static bool is_heading(const char *line, size_t n, const char *heading) {
  size_t k = strlen(heading);
  if (n < k || memcmp(line, heading, k) != 0) return false;
  while (k < n && (line[k] == ' ' || line[k] == '\r')) k++;
  return k == n;
}

/* The command in this line: what follows "// ". */
static comment read_body(const char *line, size_t n, unsigned number) {
  while (n > 0 && (line[n - 1] == '\r' || line[n - 1] == ' ')) n--;
  if (n < 3 || memcmp(line, "// ", 3) != 0) return (comment){line, 0, number};
  return (comment){line + 3, n - 3, number};
}

/* The last command under each heading: [0] compiles, [1] links. */
static void find_comments(const reader *r, comment found[2]) {
  static const char *const headings[2] = {"// Compile cmd", "// Link cmd"};
  int pending = -1;
  unsigned number = 1;
  for (size_t i = 0; i < r->n; number++) {
    const char *line = r->at + i, *newline = memchr(line, '\n', r->n - i);
    size_t n = newline ? (size_t)(newline - line) : r->n - i;
    if (pending >= 0) found[pending] = read_body(line, n, number);
    pending = is_heading(line, n, headings[0]) ? 0 : is_heading(line, n, headings[1]) ? 1 : -1;
    i += n + 1;
  }
  if (pending >= 0) found[pending] = (comment){"", 0, number};
}

/* ---- the flags */

static bool refuse_word(const reader *r, const comment *m, const shell_word *word,
                        const char *why) {
  diag_error_at(r->d, STATUS_INPUT, r->file, m->line, word->column,
                "'%.300s' in the recorded command %s: it is not taken over, and nothing is run",
                word->at, why);
  return false;
}

static void drop_flag(reader *r, const comment *m, const shell_word *word, const flag *f) {
  *arena_push(r->a, &r->c->dropped) = f->text;
  if (f->action == FLAG_UNKNOWN && r->warned++ < WARNINGS)
    diag_warning_at(r->d, r->file, m->line, word->column,
                    "unknown flag '%.300s' in the recorded command: it is left out", f->text);
}

static void take_flag(reader *r, const comment *m, const shell_word *word, const flag *f,
                      enum flag_phase phase) {
  switch (f->action) {
    case FLAG_KEEP:
      *arena_push(r->a, phase == FLAG_COMPILE ? &r->c->compile : &r->c->link) = f->text;
      if (!strcmp(f->text, "-DUSE_CUDA")) r->c->cuda = true;
      break;
    case FLAG_INCLUDE:
      *arena_push(r->a, &r->include_dirs) = *f;
      if (locate_torch_of(f->text, r->a)) *arena_push(r->a, &r->torch_dirs) = f->text;
      break;
    case FLAG_LIBRARY: *arena_push(r->a, &r->library_dirs) = f->text; break;
    case FLAG_RPATH: *arena_push(r->a, &r->rpaths) = f->text; break;
    case FLAG_DROP:
    case FLAG_UNKNOWN: drop_flag(r, m, word, f); break;
    default: break;
  }
}

static bool read_comment(reader *r, const comment *m, enum flag_phase phase) {
  shell_words w = {0};
  const shell_text text = {m->at, m->n, r->file, m->line, 4};
  bool clang = false;
  const unsigned most = r->c->untrusted ? PACKAGED_KB : COMMAND_KB;
  if (m->n >> 10 >= most) {
    diag_error_at(
        r->d, STATUS_INPUT, r->file, m->line, 1,
        "the recorded command is longer than %u kB, of which torch records about 10: it is "
        "not taken over",
        most);
    return false;
  }
  if (!shell_words_split(&w, &text, r->a, r->d)) return false;
  if (w.n == 0) {
    diag_error_at(r->d, STATUS_INPUT, r->file, m->line, 1,
                  "the heading above is followed by no command: the file is cut off or was edited");
    return false;
  }
  if (!flags_is_compiler(w.at[0].at, &clang))
    return refuse_word(r, m, &w.at[0], "is not g++ or clang++");
  if (phase == FLAG_COMPILE) r->c->clang = clang;
  for (size_t i = 1; i < w.n;) {
    flag f = flags_read(w.at[i].at, i + 1 < w.n ? w.at[i + 1].at : NULL, phase, r->a);
    if (f.action == FLAG_REFUSE) return refuse_word(r, m, &w.at[i], f.text);
    take_flag(r, m, &w.at[i], &f, phase);
    i += f.words;
  }
  return true;
}

/* ---- directories */

static void push_dir(reader *r, strings *list, const char *kind, const char *dir) {
  *arena_push(r->a, list) = arena_printf(r->a, "%s%s", kind, dir);
}

/* True where a directory, its links resolved, is named as the headers of Python or CUDA are, and
 * holds them. */
static bool holds_headers(const reader *r, const char *dir) {
  static const struct {
    const char *name, *header;
  } kinds[] = {{"python3", "Python.h"},
               {"include", "cuda.h"},
               {"include", "cuda_runtime_api.h"},
               {"include", "crt/host_defines.h"}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (text_begins(file_name(dir), kinds[i].name) &&
        file_is_file(arena_printf(r->a, "%s/%s", dir, kinds[i].header)))
      return true;
  return false;
}

/* True where a directory that an untrusted command records may be used: it is of the torch in use,
 * or holds `headers` of Python or CUDA and belongs to the system or the user. */
static bool is_usable_untrusted(const reader *r, const char *dir, bool headers) {
  const char *whole = own_dir_resolve(dir, r->a),
             *own = arena_printf(r->a, "%s/%s", r->place.torch, headers ? "include" : "lib");
  if (*dir == '/' && own_dir_is_within(dir, own)) return true;
  return headers && whole && !locate_torch_of(dir, r->a) && holds_headers(r, whole);
}

/* True where a recorded directory exists and does not belong to another torch than the one in use.
 */
static bool is_usable(const reader *r, const char *dir, bool headers) {
  if (r->c->untrusted) return file_is_dir(dir) && is_usable_untrusted(r, dir, headers);
  const char *torch = r->place.torch ? locate_torch_of(dir, r->a) : NULL;
  return dir[0] == '/' && file_is_dir(dir) && (!torch || !strcmp(torch, r->place.torch));
}

/* True where one of the include directories in use has this header. */
static bool has_header(const reader *r, const char *header) {
  for (size_t i = 0; i < r->c->compile.n; i++) {
    const char *f = r->c->compile.at[i], *dir = strchr(f, '/');
    bool names_dir = !strncmp(f, "-I/", 3) || !strncmp(f, "-isystem/", 9);
    if (names_dir && file_is_file(arena_printf(r->a, "%s/%s", dir, header))) return true;
  }
  return false;
}

static void add_include(reader *r, const char *dir) {
  const char *f = arena_printf(r->a, "-I%s", dir);
  if (!strings_has(&r->c->compile, f)) *arena_push(r->a, &r->c->compile) = f;
}

static bool report_no_cuda(const reader *r, const char *header, const char *what) {
  diag_error(
      r->d, STATUS_INPUT, r->file,
      "needs CUDA's headers, and '%s' was not found in the recorded directories, $CUDA_HOME, "
      "/usr/local/cuda or beside torch: install the CUDA toolkit's headers, which need "
      "no GPU (%s), or set CUDA_HOME",
      header, what);
  return false;
}

static bool resolve_cuda(reader *r) {
  const char *dir = has_header(r, "cuda.h") ? NULL : locate_cuda(&r->place, r->o, r->a);
  if (dir) add_include(r, dir);
  if (!has_header(r, "cuda.h"))
    return report_no_cuda(r, "cuda.h", "pip: nvidia-cuda-runtime and nvidia-cuda-crt");
  dir = has_header(r, "crt/host_defines.h") ? NULL : locate_cuda_crt(&r->place, r->a);
  if (dir) add_include(r, dir);
  return has_header(r, "crt/host_defines.h") ||
         report_no_cuda(r, "crt/host_defines.h",
                        "pip: nvidia-cuda-crt, for CUDA 12 nvidia-cuda-nvcc-cu12");
}

static bool resolve_includes(reader *r) {
  for (size_t i = 0; i < r->include_dirs.n; i++) {
    const flag *f = &r->include_dirs.at[i];
    push_dir(r, is_usable(r, f->text, true) ? &r->c->compile : &r->c->dropped, f->system, f->text);
  }
  add_include(r, arena_printf(r->a, "%s/include", r->place.torch));
  add_include(r, arena_printf(r->a, "%s/include/torch/csrc/api/include", r->place.torch));
  if (includes_python(&r->list) && !has_header(r, "Python.h")) {
    const char *dir = locate_python(&r->place, r->o, r->a);
    if (dir)
      add_include(r, dir);
    else
      diag_warning(r->d, r->file,
                   "needs Python's headers, and 'Python.h' was not found for '%s': install them "
                   "(python3-dev)",
                   r->place.torch);
  }
  return !r->c->cuda || resolve_cuda(r);
}

static void resolve_libraries(reader *r) {
  strings dirs = {0}, recorded = r->c->link;
  r->c->link = (strings){0};
  const char *lib = arena_printf(r->a, "%s/lib", r->place.torch);
  *arena_push(r->a, &dirs) = lib;
  for (size_t i = 0; i < r->library_dirs.n; i++) {
    const char *dir = r->library_dirs.at[i];
    if (!is_usable(r, dir, false))
      push_dir(r, &r->c->dropped, "-L", dir);
    else if (strcmp(dir, lib) != 0)
      *arena_push(r->a, &dirs) = dir;
  }
  if (r->c->cuda) locate_cuda_libraries(&dirs, &r->place, r->o, r->a);
  for (size_t i = 0; i < dirs.n; i++) push_dir(r, &r->c->link, "-L", dirs.at[i]);
  /* A package's model finds torch as it did before, or does not, as in the package's own '.so'. */
  if (!r->c->untrusted) push_dir(r, &r->c->link, "-Wl,-rpath,", lib);
  for (size_t i = 0; i < r->rpaths.n; i++)
    push_dir(r, is_usable(r, r->rpaths.at[i], false) ? &r->c->link : &r->c->dropped, "-Wl,-rpath,",
             r->rpaths.at[i]);
  for (size_t i = 0; i < recorded.n; i++) *arena_push(r->a, &r->c->link) = recorded.at[i];
}

/* Replaces cache files that the text includes by torch's own header of the same content: those that
 * are gone, and all that an untrusted text names. */
static void resolve_missing(reader *r) {
  const char *const prefixes[] = {
      arena_printf(r->a, "%s/_inductor/codegen/cpp_prefix.h", r->place.torch),
      arena_printf(r->a, "%s/include/torch/csrc/inductor/cpp_prefix.h", r->place.torch)};
  const char *prefix = file_is_file(prefixes[0])   ? prefixes[0]
                       : file_is_file(prefixes[1]) ? prefixes[1]
                                                   : NULL;
  for (size_t i = 0; prefix && i < r->list.n; i++) {
    const char *path = r->list.at[i];
    if (!flags_is_cache_file(path, ".h") || (!r->c->untrusted && file_is_file(path)) ||
        r->c->includes_missing.n >= CACHE_FILES || strings_has(&r->c->includes_missing, path))
      continue;
    *arena_push(r->a, &r->c->includes_missing) = path;
    *arena_push(r->a, &r->c->includes_replacement) = prefix;
  }
}

/* ---- reading */

static bool includes_cuda(const reader *r) {
  static const char *const headers[] = {"torch/csrc/inductor/cpp_wrapper/cuda.h",
                                        "torch/csrc/inductor/aoti_include/cuda.h",
                                        "torch/csrc/inductor/aoti_runtime/utils_cuda.h"};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
    if (includes_has(&r->list, headers[i])) return true;
  return false;
}

/* True for cl, clang-cl and MinGW's g++. It looks at the first word alone: another system's shell
 * quotes the rest. */
static bool names_windows(const comment *m) {
  static const char *const known[] = {"cl", "cl.exe", "clang-cl", "clang-cl.exe", "icx-cl.exe"};
  const char *end = m->line ? memchr(m->at, ' ', m->n) : NULL, *name = m->at;
  for (const char *c = m->at; c < end; c++)
    if (*c == '/' || *c == '\\') name = c + 1;
  for (size_t i = 0; end && i < sizeof known / sizeof *known; i++)
    if (strlen(known[i]) == (size_t)(end - name) && !memcmp(known[i], name, (size_t)(end - name)))
      return true;
  return end && memmem(name, (size_t)(end - name), "-mingw32-", strlen("-mingw32-"));
}

bool command_read(command *c, const command_input *in, arena *a, diags *d) {
  *c = (command){.untrusted = in->untrusted};
  reader r = {.c = c, .o = in->options, .file = in->file, .at = in->at, .n = in->n, .a = a, .d = d};
  comment found[2] = {{0}, {0}};
  if (!includes_read(&r.list, in->at, in->n, a)) {
    diag_error(d, STATUS_INPUT, in->file,
               "includes more than %d different files, where AOTInductor includes about 20: it is "
               "not read",
               INCLUDES_MAX);
    return false;
  }
  find_comments(&r, found);
  c->windows = names_windows(&found[0]);
  if (c->windows) found[0].line = found[1].line = 0;
  c->recorded = found[0].line != 0;
  if (c->recorded && !read_comment(&r, &found[0], FLAG_COMPILE)) return false;
  if (found[1].line && !read_comment(&r, &found[1], FLAG_LINK)) return false;
  c->cuda = c->cuda || includes_cuda(&r);
  torch_version_guess(c, in->at, in->n, &r.list);
  const locate_request request = {in->torch, &r.torch_dirs, in->untrusted};
  if (!locate_torch(&r.place, &request, in->options, a, d)) return false;
  c->torch = r.place.torch;
  c->torch_version = r.place.version;
  if (c->untrusted && r.place.chosen) torch_links_find(&c->torch_links, c->torch, c->cuda, a);
  if (!c->recorded) default_flags_compile(c, in->at, in->n, a);
  if (!found[1].line) default_flags_link(c, &r.list, a);
  if (!resolve_includes(&r)) return false;
  resolve_libraries(&r);
  resolve_missing(&r);
  c->clang_headers = locate_clang_headers(a);
  return true;
}

/* The words behind the compiler's: of the compile command, or the link command. */
static strings split_recorded(const command_input *in, int which, arena *a) {
  strings list = {0};
  shell_words w = {0};
  comment found[2] = {{0}, {0}};
  diags *unsaid = diags_new(a);
  find_comments(&(reader){.at = in->at, .n = in->n}, found);
  const comment *m = &found[which];
  const shell_text text = {m->at, m->n, in->file, m->line, 4};
  if (!m->line || m->n >> 10 >= PACKAGED_KB || !shell_words_split(&w, &text, a, unsaid))
    return list;
  for (size_t i = 1; i < w.n; i++) *arena_push(a, &list) = w.at[i].at;
  return list;
}

strings command_recorded_words(const command_input *in, arena *a) {
  return split_recorded(in, 0, a);
}

command_linked command_read_linked(const char *text, size_t n, arena *a) {
  const command_input in = {.file = "", .at = text, .n = n};
  const strings words = split_recorded(&in, 1, a);
  command_linked l = {0};
  for (size_t i = 0; i < words.n; i++) {
    if (!strcmp(words.at[i], "-o") && i + 1 < words.n)
      l.result = file_name(words.at[++i]);
    else if (file_ends_with(words.at[i], ".o") && words.at[i][0] != '-')
      *arena_push(a, &l.objects) = file_name(words.at[i]);
  }
  return l;
}

strings command_linked_kernels(const command_linked *l, arena *a) {
  static const char end[] = ".kernel.o";
  strings list = {0};
  for (size_t i = 0; i < l->objects.n; i++) {
    const char *name = l->objects.at[i];
    if (file_ends_with(name, end))
      *arena_push(a, &list) = arena_printf(a, "%.*s.cpp", (int)(strlen(name) - 2), name);
  }
  return list;
}

strings command_include_dirs(const command *c, arena *a) {
  static const char *const names[] = {"-I/", "-isystem/", "-iquote/", "-idirafter/"};
  strings dirs = {0};
  for (size_t i = 0; i < c->compile.n; i++)
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      if (text_begins(c->compile.at[i], names[k]))
        *arena_push(a, &dirs) = c->compile.at[i] + strlen(names[k]) - 1;
  for (size_t i = 0; i < c->includes_replacement.n; i++)
    *arena_push(a, &dirs) = file_dir(a, c->includes_replacement.at[i]);
  for (size_t i = 0; i < c->torch_links.n; i++) *arena_push(a, &dirs) = c->torch_links.at[i];
  return dirs;
}

/* ---- --dump=command */

static void dump_list(const char *title, const strings *list, FILE *to) {
  for (size_t i = 0; i < list->n; i++) fprintf(to, "%s %s\n", title, list->at[i]);
}

void command_dump(const command *c, FILE *to) {
  fprintf(to, "recorded %s\ncompiler %s\n", c->recorded ? "yes" : "no",
          c->clang ? "clang++" : "g++");
  fprintf(to, "torch %s %s\n", c->torch ? c->torch : "-",
          c->torch_version ? c->torch_version : "-");
  if (c->least) fprintf(to, "emitted-by 2.%u 2.%u\n", c->least, c->most);
  fprintf(to, "cuda %s\n", c->cuda ? "yes" : "no");
  dump_list("compile", &c->compile, to);
  dump_list("link", &c->link, to);
  dump_list("dropped", &c->dropped, to);
  for (size_t i = 0; i < c->includes_missing.n; i++)
    fprintf(to, "include %s -> %s\n", c->includes_missing.at[i], c->includes_replacement.at[i]);
}

/* kernel_build.c - see kernel_build.h. */
#include "taken/kernel_build.h"
#include "base/file.h"
#include "system/cleanup.h"
#include "toolchain/assemble.h"
#include "toolchain/confined_compiler.h"
#include "toolchain/include_audit.h"
#include <string.h>

enum { TEXT_MOST = 64 << 20, MISSING_MOST = 1000 };

typedef struct trial {
  kernel_build *b;
  const kernel_text *k;
  assembly w;
  strings roots; /* include directories that no other one is above of, and that have headers */
  arena *a;
  diags *d;
} trial;

/* ---- headers */

/* Where `path` goes on below the directory, or NULL. */
static const char *below(const char *path, const char *dir) {
  const size_t n = strlen(dir);
  return !strncmp(path, dir, n) && path[n] == '/' && n ? path + n + 1 : NULL;
}

static bool is_system(const trial *t, const char *dir) {
  for (size_t i = 0; i < t->w.system.n; i++)
    if (!strcmp(t->w.system.at[i], dir)) return true;
  return false;
}

static bool has_file(const strings *files, const char *dir) {
  for (size_t i = 0; i < files->n; i++)
    if (below(files->at[i], dir)) return true;
  return false;
}

/* The directories of the command, and not those above which another one of them lies. */
static void find_roots(trial *t, const strings *files) {
  const strings dirs = command_include_dirs(&t->k->command, t->a);
  for (size_t i = 0; i < dirs.n; i++) {
    bool left_out = is_system(t, dirs.at[i]) || strings_has(&t->roots, dirs.at[i]) ||
                    !has_file(files, dirs.at[i]);
    for (size_t k = 0; k < dirs.n; k++) left_out |= below(dirs.at[i], dirs.at[k]) != NULL;
    if (!left_out) *arena_push(t->a, &t->roots) = dirs.at[i];
  }
}

/* "include1/torch/csrc" of such a directory or file; NULL where it is the system's. */
static const char *find_place(const trial *t, const char *path) {
  for (size_t i = 0; i < t->roots.n; i++) {
    const char *rest = below(path, t->roots.at[i]);
    const char *to = i ? arena_printf(t->a, "include%zu", i + 1) : "include";
    if (!strcmp(path, t->roots.at[i])) return to;
    if (rest) return arena_printf(t->a, "%s/%s", to, rest);
  }
  return NULL;
}

/* Without "x/../", which a header's own #include of what lies beside it makes. */
static const char *simplify(const char *path, arena *a) {
  char *made = arena_strdup(a, path);
  for (char *up; (up = strstr(made, "/../")) != NULL && up > made;) {
    char *from = up;
    while (from > made && from[-1] != '/') from--;
    memmove(from, up + 4, strlen(up + 4) + 1);
  }
  return made;
}

static bool find_headers(trial *t) {
  strings files = {0};
  const char *list = arena_printf(t->a, "%s.d", t->w.units.at[0].object);
  if (!include_audit_read_list(&files, list, t->a)) return false;
  find_roots(t, &files);
  for (size_t i = 0; i < files.n; i++) {
    const char *path = simplify(files.at[i], t->a), *to = find_place(t, path);
    if (to) *arena_push(t->a, &t->b->headers) = (kernel_header){files.at[i], to};
  }
  return true;
}

static bool has_header(const trial *t, const char *dir) {
  for (size_t i = 0; i < t->b->headers.n; i++)
    if (below(t->b->headers.at[i].to, dir)) return true;
  return false;
}

/* Which changes nothing of what is compiled. */
static bool is_warning(const char *flag) {
  return !strcmp(flag, "-pedantic") || (text_begins(flag, "-W") && !strchr(flag, ','));
}

/* The flags with the copies' directories. */
static void move_flags(trial *t) {
  static const char *const names[] = {"-I", "-isystem", "-iquote", "-idirafter"};
  const strings *flags = &t->k->command.compile;
  for (size_t i = 0; i < flags->n; i++) {
    const char *flag = flags->at[i], *moved = flag;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      const size_t n = strlen(names[k]);
      if (strncmp(flag, names[k], n) != 0) continue;
      const char *place = find_place(t, flag + n);
      moved = place && has_header(t, place) ? arena_printf(t->a, "%s%s", names[k], place) : NULL;
      break;
    }
    if (moved && !is_warning(moved))
      *arena_push(t->a, &t->b->flags) = compiler_flag(&t->w.compiler, moved);
  }
}

/* ---- functions */

const char kernel_build_check[] = "aoti_torch_check";

strings kernel_build_torch_functions(const kernel_build *b, arena *a) {
  strings list = {0};
  for (size_t i = 0; i < b->missing.n; i++)
    if (strcmp(b->missing.at[i], kernel_build_check) != 0) *arena_push(a, &list) = b->missing.at[i];
  return list;
}

const char *kernel_build_openmp(const kernel_build *b) {
  return strings_has(&b->flags, "-fopenmp") ? "-fopenmp" : "";
}

/* The names in "undefined reference to `NAME'" of a linker's messages, each once. */
static void read_missing(trial *t, const char *log) {
  static const char words[] = "undefined reference to ";
  const char *at = log;
  while ((at = strstr(at, words)) != NULL && t->b->missing.n < MISSING_MOST) {
    at += sizeof words - 1;
    const size_t skipped = strspn(at, "`'\"\xe2\x80\x98"), n = strcspn(at + skipped, "'\"\n\xe2");
    const char *name = arena_strndup(t->a, at + skipped, n);
    if (*name && !strings_has(&t->b->missing, name)) *arena_push(t->a, &t->b->missing) = name;
  }
}

/* Links it with the compiler's own libraries alone. */
static bool try_link(trial *t) {
  job j = {.what = t->k->member,
           .log = arena_printf(t->a, "%s/link.log", t->w.dir),
           .dir = arena_printf(t->a, "%s/link", t->w.dir)};
  const char *const words[] = {"-shared",
                               "-fno-lto",
                               "-Wl,--no-undefined",
                               "-o",
                               arena_printf(t->a, "%s/kernel.so", j.dir),
                               t->w.units.at[0].object,
                               "-lm",
                               kernel_build_openmp(t->b)};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (*words[i]) *arena_push(t->a, &j.argv) = words[i];
  if (!job_start(&j, &t->w.compiler, t->a, t->d)) return false;
  if (process_wait(&j.process)) return true;
  strbuf log = {0};
  if (file_read(j.log, TEXT_MOST, &log)) read_missing(t, log.at);
  strbuf_free(&log);
  if (t->b->missing.n) return true;
  diag_error(t->d, STATUS_INPUT, t->k->member, "its kernel was compiled, and cannot be linked");
  return false;
}

/* ---- the whole */

/* A name in a text that becomes another one. */
static const char *replace_all(const char *text, const char *name, const char *by, arena *a) {
  strbuf t = {0};
  for (const char *at; (at = strstr(text, name)) != NULL; text = at + strlen(name)) {
    strbuf_add(&t, text, (size_t)(at - text));
    strbuf_puts(&t, by);
  }
  strbuf_puts(&t, text);
  return strbuf_take(&t, a);
}

/* With the copies of headers that are included by their whole path. */
static const char *move_includes(const trial *t, const char *text) {
  const strings *by = &t->k->command.includes_replacement;
  for (size_t i = 0; i < by->n; i++) {
    const char *place = find_place(t, by->at[i]);
    if (place) text = replace_all(text, by->at[i], place, t->a);
  }
  return text;
}

/* The text that was compiled has torch's own headers in the place of files that are gone. */
static bool read_source(trial *t) {
  strbuf text = {0};
  const bool ok = file_read(t->w.units.at[0].copy, TEXT_MOST, &text) && text.n;
  const char *line = ok ? strchr(text.at, '\n') : NULL; /* behind the #line of the copy */
  if (line) {
    t->b->source = move_includes(t, arena_strdup(t->a, line + 1));
    t->b->n = strlen(t->b->source);
  }
  strbuf_free(&text);
  return line != NULL;
}

static bool compile(trial *t) {
  assembly *w = &t->w;
  unit *u = assembly_take(w, t->k->member, t->k->source, t->k->n, &t->k->command);
  if (!u) return false;
  u->in_memory = true;
  return assembly_ready(w) && assembly_start(w, 0) && assembly_wait(w);
}

bool kernel_build_try(kernel_build *b, const kernel_text *k, const options *o, arena *a, diags *d) {
  const char *private = cleanup_private_dir(d);
  trial t = {.b = b, .k = k, .a = a, .d = d};
  *b = (kernel_build){0};
  if (!private) return false;
  t.w = (assembly){.o = o, .a = a, .d = d, .dir = arena_printf(a, "%s/kernel", private)};
  bool ok = cleanup_make_dir(t.w.dir, d) && compile(&t);
  if (ok && !(find_headers(&t) && read_source(&t))) {
    diag_error(d, STATUS_INPUT, k->member, "what its kernel includes cannot be read");
    ok = false;
  }
  if (ok) {
    b->compiler = t.w.compiler.clang ? "clang++" : "g++";
    move_flags(&t);
    ok = try_link(&t);
  }
  confined_compiler_end(&t.w.compiler);
  return ok;
}

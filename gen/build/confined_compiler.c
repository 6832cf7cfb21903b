/* confined_compiler.c - see confined_compiler.h. Asks the compiler which programs and directories
 * are its own, before a stranger's text reaches it. */
#define _GNU_SOURCE
#include "build/confined_compiler.h"
#include "base/file.h"
#include "system/confine_policy.h"
#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

enum { ANSWER_SECONDS = 20, ANSWER_MAX = 64 << 10 };

static const char who[] = "the compiler does"; /* for confine_policy_failed() */

typedef struct rules {
  confine *confine;
  const options *o;
  arena *a;
  const char *refused; /* the first path for which the kernel took no rule */
} rules;

static void allow(rules *r, const char *path, unsigned access) {
  if (!strcmp(path, "/") || confine_allow(r->confine, path, access)) return;
  if (!r->refused) r->refused = arena_printf(r->a, "'%s': %s", path, strerror(errno));
}

/* The next path of "a:b:c", up to the end of the line; NULL after the last. `list` may be NULL. */
static const char *next_path(const char **list, arena *a) {
  const char *path = *list;
  if (!path || !*path || *path == '\n') return NULL;
  size_t n = strcspn(path, ":\n");
  *list = path + n + (path[n] == ':');
  return arena_strndup(a, path, n);
}

/* The absolute paths of "a:b:c". */
static void allow_list(rules *r, const char *list, unsigned access) {
  for (const char *path; (path = next_path(&list, r->a));)
    if (*path == '/') allow(r, path, access);
}

/* ---- programs */

/* The dynamic linker that the kernel starts a program with, or NULL. */
static const char *find_interpreter(const char *program, arena *a) {
  int fd = open(program, O_RDONLY | O_CLOEXEC);
  Elf *elf = fd >= 0 && elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
  size_t n = 0, size = 0;
  const char *found = NULL, *image = elf ? elf_rawfile(elf, &size) : NULL;
  Elf64_Phdr *h = image && !elf_getphdrnum(elf, &n) ? elf64_getphdr(elf) : NULL;
  for (size_t i = 0; h && i < n; i++)
    if (h[i].p_type == PT_INTERP && h[i].p_offset < size && h[i].p_filesz <= size - h[i].p_offset)
      found =
          arena_strndup(a, image + h[i].p_offset, strnlen(image + h[i].p_offset, h[i].p_filesz));
  if (elf) elf_end(elf);
  if (fd >= 0) close(fd);
  return found;
}

static void allow_program(rules *r, const char *path) {
  const char *interpreter = find_interpreter(path, r->a);
  allow(r, path, CONFINE_EXECUTE);
  if (interpreter) allow(r, interpreter, CONFINE_EXECUTE);
}

/* All of that name on PATH: the first may be a program that starts the next, as ccache does. */
static void allow_named(rules *r, const char *name) {
  if (strchr(name, '/')) {
    allow_program(r, name);
    return;
  }
  const char *list = r->o->path;
  for (const char *dir; (dir = next_path(&list, r->a));) {
    const char *at = arena_printf(r->a, "%s/%s", dir, name);
    if (*dir == '/' && access(at, X_OK) == 0) allow_program(r, at);
  }
}

/* True where the compiler, or the first of its name on PATH, is a file of another kind than ELF. */
static bool is_script(const compiler *x, const options *o, arena *a) {
  const char *list = strchr(x->name, '/') ? "" : o->path, *at = x->name;
  for (const char *dir; (dir = next_path(&list, a));) {
    at = arena_printf(a, "%s/%s", dir, x->name);
    if (access(at, X_OK) == 0) break;
  }
  char magic[SELFMAG] = "";
  int fd = open(at, O_RDONLY | O_CLOEXEC);
  bool script = fd >= 0 && read(fd, magic, sizeof magic) == sizeof magic &&
                memcmp(magic, ELFMAG, SELFMAG) != 0;
  if (fd >= 0) close(fd);
  return script;
}

/* ---- the compiler's own */

/* What it answers to one flag, without the end of the line; "" where it does not say. */
static const char *ask(const compiler *x, const char *flag, arena *a) {
  char *argv[] = {(char *)x->name, (char *)flag, NULL};
  process p;
  strbuf t = {0};
  const char *answer = process_capture(&p, argv, ANSWER_SECONDS, ANSWER_MAX, &t) && t.at
                           ? arena_strdup(a, t.at)
                           : "";
  strbuf_free(&t);
  return answer;
}

static void allow_own_programs(rules *r, const compiler *x) {
  static const char *const parts[] = {"cc1plus", "collect2", "as",    "ld",
                                      "ld.bfd",  "ld.gold",  "ld.lld"};
  allow_named(r, x->name);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    const char *answer = ask(x, arena_printf(r->a, "-print-prog-name=%s", parts[i]), r->a);
    if (*answer) allow_named(r, arena_strndup(r->a, answer, strcspn(answer, "\n")));
  }
}

/* "install: DIR", "programs: =A:B", "libraries: =A:B". */
static void allow_own_directories(rules *r, const compiler *x) {
  const char *answer = ask(x, "-print-search-dirs", r->a);
  for (const char *line = answer; line && *line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *list = strchr(line, '/');
    if (list && list < line + strcspn(line, "\n")) allow_list(r, list, CONFINE_READ);
  }
}

/* Where programs find their libraries, and their messages. */
static void allow_system(rules *r) {
  static const char *const paths[] = {
      "/lib",           "/lib64",           "/usr/lib",         "/usr/lib64",
      "/usr/local/lib", "/etc/ld.so.cache", "/usr/share/locale"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) allow(r, paths[i], CONFINE_READ);
  allow_list(r, r->o->libraries, CONFINE_READ);
}

/* ---- all */

/* Does it compile and link an empty source: its parts may lie where nothing told. */
static bool works(const compiler *x, const char *dir, arena *a) {
  char *object = arena_printf(a, "%s/try.o", dir), *so = arena_printf(a, "%s/try.so", dir);
  char *const compile[] = {(char *)x->name, "-xc++", "-c", "/dev/null", "-o", object, NULL},
              *const link[] = {(char *)x->name, "-shared", "-o", so, object, NULL};
  const process_setting how = {
      .tmpdir = dir, .closed = true, .confine = &x->confine, .seconds = ANSWER_SECONDS};
  const char *log = arena_printf(a, "%s/try.log", dir);
  process p;
  return process_start(&p, compile, log, &how) && process_wait(&p) &&
         process_start(&p, link, log, &how) && process_wait(&p);
}

/* Containers of one machine may share a user, whose processes /proc does not show. */
static bool works_with_more(compiler *x, const char *dir, arena *a) {
  bool limited = x->confine.limits.processes && geteuid() != 0;
  x->confine.limits.processes = 0;
  return limited && works(x, dir, a);
}

bool confined_compiler_begin(compiler *x, const confined_files *files, const options *o, arena *a,
                             diags *d) {
  if (o->confining == CONFINING_OFF || !confine_kernel_version()) return true;
  if (is_script(x, o, a))
    return confine_policy_failed(
        o, who,
        arena_printf(a, "'%s' is a script, and which programs it starts is not known", x->name), d);
  const confine_limits limits = {
      .cpu_seconds = o->limits.cpu_seconds,
      .memory_bytes = (uint64_t)o->limits.memory_mib << 20,
      .file_bytes = (uint64_t)o->limits.file_mib << 20,
      .processes = o->limits.processes ? o->limits.processes + confine_own_processes() : 0};
  x->seconds = o->limits.clock_seconds;
  if (!confine_begin(&x->confine, &limits, false, a, d)) return false;
  rules r = {.confine = &x->confine, .o = o, .a = a};
  allow_own_programs(&r, x);
  allow_own_directories(&r, x);
  allow_system(&r);
  for (size_t i = 0; i < files->read->n; i++) allow(&r, files->read->at[i], CONFINE_READ);
  allow(&r, files->write, CONFINE_WRITE);
  x->confined = !r.refused && (works(x, files->write, a) || works_with_more(x, files->write, a));
  if (x->confined) return true;
  confine_end(&x->confine);
  return confine_policy_failed(
      o, who,
      r.refused ? arena_printf(a, "Landlock takes no rule for %s", r.refused)
                : arena_printf(a, "'%s' then cannot compile an empty source", x->name),
      d);
}

void confined_compiler_end(compiler *x) {
  if (x->confined) confine_end(&x->confine);
  x->confined = false;
}

void confined_compiler_grow(compiler *x, uint64_t bytes) {
  confine_limits *l = &x->confine.limits;
  if (l->file_bytes) l->file_bytes += bytes;
  if (l->memory_bytes) l->memory_bytes += 3 * bytes;
}

/* confined_compiler.c - see confined_compiler.h. Asks the compiler which programs and directories
 * are its own, before a stranger's text reaches it. */
#define _GNU_SOURCE
#include "toolchain/confined_compiler.h"
#include "base/file.h"
#include "system/confine_policy.h"
#include "system/memory_limit.h"
#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ANSWER_SECONDS = 20, ANSWER_MAX = 64 << 10 };
/* Address space: what a compiler may need for a large wrapper, and the least total. */
enum { COMPILER_MIB = 4096, TOTAL_MIB = 4096 };

static const char who[] = "the compiler does"; /* for confine_policy_failed() */

typedef struct rules {
  confine *confine;
  const options *o;
  arena *a;
  const char *refused; /* the first path that the kernel refused a rule for */
} rules;

static void allow(rules *r, const char *path, unsigned access) {
  if (confine_allow(r->confine, path, access)) return;
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

/* True if a directory, with its links resolved, holds more than libraries and programs. An entry of
 * a search path such as "//", "/." or "/etc" is a mistake, and a package could exploit it. */
static bool is_too_wide(const char *whole, const char *home) {
  static const char *const trees[] = {"/etc", "/proc", "/sys", "/dev", "/boot", "/run", "/var/lib"},
                           *const alone[] = {"/",    "/home",    "/root", "/usr",   "/var",
                                             "/tmp", "/var/tmp", "/mnt",  "/media", "/srv"};
  for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
    if (!strcmp(whole, alone[i])) return true;
  for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
    size_t n = strlen(trees[i]);
    if (!strncmp(whole, trees[i], n) && (whole[n] == '/' || !whole[n])) return true;
  }
  size_t n = strlen(whole);
  return home && !strncmp(home, whole, n) && (home[n] == '/' || !home[n]);
}

/* Allows the absolute directories of "a:b:c", a search path. */
static void allow_list(rules *r, const char *list) {
  struct stat s;
  for (const char *path; (path = next_path(&list, r->a));) {
    char *whole = *path == '/' ? realpath(path, NULL) : NULL;
    if (whole && stat(whole, &s) == 0 && S_ISDIR(s.st_mode) && !is_too_wide(whole, r->o->env.home))
      allow(r, whole, CONFINE_READ);
    free(whole);
  }
}

/* ---- programs */

/* The dynamic linker that the kernel starts a program with, or NULL. */
static const char *find_interpreter(const char *program, arena *a) {
  int fd = open(program, O_RDONLY | O_CLOEXEC);
  Elf *elf = fd >= 0 && elf_version(EV_CURRENT) != EV_NONE ? elf_begin(fd, ELF_C_READ_MMAP, NULL)
                                                           : NULL;
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

/* Allows all files of that name in the absolute directories of "a:b:c". */
static void allow_named(rules *r, const char *name, const char *list) {
  for (const char *dir; (dir = next_path(&list, r->a));) {
    const char *at = arena_printf(r->a, "%s/%s", dir, name);
    if (*dir == '/' && access(at, X_OK) == 0) allow_program(r, at);
  }
}

/* True if the compiler, or the first file of its name on PATH, is not an ELF file. */
static bool is_script(const compiler *x, const options *o, arena *a) {
  const char *list = strchr(x->name, '/') ? "" : o->env.path, *at = x->name;
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

/* Its answer to one flag, without the end of the line; "" if it gives none. */
static const char *ask(const compiler *x, const char *flag, arena *a) {
  char *argv[] = {(char *)x->name, (char *)flag, NULL};
  const process_setting how = {.closed = true, .seconds = ANSWER_SECONDS};
  process p;
  strbuf t = {0};
  const char *answer = process_ask(&p, argv, &how, ANSWER_MAX, &t) && t.at ? arena_strdup(a, t.at)
                                                                           : "";
  strbuf_free(&t);
  return answer;
}

/* Allows the programs that the driver starts, wherever it may find them: in `list`, then on
 * PATH. */
static void allow_parts(rules *r, const char *list) {
  static const char *const parts[] = {"cc1plus", "collect2", "as",    "ld",
                                      "ld.bfd",  "ld.gold",  "ld.lld"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    allow_named(r, parts[i], list);
    allow_named(r, parts[i], r->o->env.path);
  }
}

/* Allows all files of the compiler's name on PATH: the first may be a program that starts the next,
 * as ccache does. */
static void allow_driver(rules *r, const compiler *x) {
  if (strchr(x->name, '/'))
    allow_program(r, x->name);
  else
    allow_named(r, x->name, r->o->env.path);
}

/* Allows "install: DIR", "programs: =A:B", "libraries: =A:B". The linker loads its plugins from the
 * directories of the programs. */
static void allow_own(rules *r, const compiler *x) {
  static const char programs[] = "programs:";
  const char *answer = ask(x, "-print-search-dirs", r->a), *parts = NULL;
  for (const char *line = answer; line && *line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *list = strchr(line, '/');
    if (!list || list >= line + strcspn(line, "\n")) continue;
    allow_list(r, list);
    if (!strncmp(line, programs, sizeof programs - 1)) parts = list;
  }
  allow_driver(r, x);
  allow_parts(r, parts);
}

/* Allows the directories in which programs find their libraries. A rule holds for everything below
 * a directory, and the compiler's own list has these, too: the manual's PACKAGES names them. */
static void allow_system(rules *r) {
  static const char *const paths[] = {"/lib",       "/lib64",         "/usr/lib",
                                      "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) allow(r, paths[i], CONFINE_READ);
  allow_list(r, r->o->env.libraries);
}

/* ---- limits */

/* The memory, in MiB, of the machine, or of the group of processes that this one belongs to. */
static uint64_t find_memory(void) {
  uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE),
           most = memory_limit_find(), mib = (most < bytes ? most : bytes) >> 20;
  return mib > TOTAL_MIB ? mib : TOTAL_MIB;
}

/* As many jobs run at once as there are processors, and as the memory suffices for. They share
 * the memory. */
static confine_limits divide_limits(compiler *x, const process_limits *l) {
  cpu_set_t usable;
  int count = sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 1;
  uint64_t mib = l->memory_mib == LIMITS_OF_MACHINE ? find_memory() : l->memory_mib;
  x->at_once = count > 1 ? (unsigned)count : 1;
  if (mib && mib / COMPILER_MIB < x->at_once) x->at_once = (unsigned)(mib / COMPILER_MIB);
  if (!x->at_once) x->at_once = 1;
  x->seconds = l->clock_seconds;
  return (confine_limits){.cpu_seconds = l->cpu_seconds,
                          .memory_bytes = (mib << 20) / x->at_once,
                          .file_bytes = (uint64_t)l->file_mib << 20,
                          .processes = l->processes ? l->processes + confine_own_processes() : 0};
}

/* ---- all */

/* True if it compiles and links an empty source: some of its parts may be where nothing said. `log`
 * holds its messages. */
static bool works(const compiler *x, const char *dir, const char *log, arena *a) {
  char *so = arena_printf(a, "%s/try.so", dir);
  char *const argv[] = {(char *)x->name, "-shared", "-o", so, "-xc++", "/dev/null", NULL};
  const process_setting how = {
      .tmpdir = dir, .closed = true, .confine = &x->confine, .seconds = ANSWER_SECONDS};
  process p;
  return process_start(&p, argv, log, &how) && process_wait(&p);
}

/* Containers of one machine may share a user, whose processes /proc does not show. */
static bool works_with_more(compiler *x, const char *dir, const char *log, const options *o,
                            arena *a) {
  bool limited = o->limits.processes == limits_default.processes && geteuid() != 0;
  if (limited) x->confine.limits.processes = 0;
  return limited && works(x, dir, log, a);
}

/* "--limits=memory=1" if it would work without this limit; NULL if no single limit is the cause. */
static const char *find_tight_limit(compiler *x, const char *dir, const options *o, arena *a) {
  confine_limits *l = &x->confine.limits;
  const struct {
    const char *name;
    uint64_t *value;
    unsigned given;
  } all[] = {{"memory", &l->memory_bytes, o->limits.memory_mib},
             {"file", &l->file_bytes, o->limits.file_mib},
             {"processes", &l->processes, o->limits.processes},
             {"cpu", &l->cpu_seconds, o->limits.cpu_seconds}};
  const char *found = NULL, *log = arena_printf(a, "%s/try-limit.log", dir);
  for (size_t i = 0; i < sizeof all / sizeof *all && !found; i++) {
    uint64_t value = *all[i].value;
    *all[i].value = 0;
    if (value && works(x, dir, log, a))
      found = arena_printf(a, "--limits=%s=%u", all[i].name, all[i].given);
    *all[i].value = value;
  }
  return found;
}

/* The first line of the log, and the variables of the environment that may be the cause. */
static const char *what_it_says(const char *log, const options *o, arena *a) {
  strbuf t = {0};
  const char *says = file_read(log, ANSWER_MAX, &t) && t.n
                         ? arena_printf(a, ": %.*s", (int)strcspn(t.at, "\n"), t.at)
                         : "";
  strbuf_free(&t);
  return o->env.parts_from
             ? arena_printf(a, "%s (the environment sets %s)", says, o->env.parts_from)
             : says;
}

static bool refuse_compiler(compiler *x, const rules *r, const char *dir, const char *log,
                            diags *d) {
  const char *limit = r->refused ? NULL : find_tight_limit(x, dir, r->o, r->a);
  confine_policy_refuse(
      r->refused ? arena_printf(r->a,
                                "the compiler '%s' cannot be confined: Landlock takes no rule "
                                "for %s",
                                x->name, r->refused)
      : limit    ? arena_printf(r->a, "the compiler '%s' cannot compile an empty source within %s",
                                x->name, limit)
              : arena_printf(r->a, "the compiler '%s', confined, cannot compile an empty source%s",
                             x->name, what_it_says(log, r->o, r->a)),
      d);
  confine_end(&x->confine);
  return false;
}

bool confined_compiler_begin(compiler *x, const confined_files *files, const options *o, arena *a,
                             diags *d) {
  bool kernel = confine_kernel_version() > 0;
  if (o->confining == CONFINING_OFF) return true;
  if (is_script(x, o, a))
    return !kernel || confine_policy_failed(o, who,
                                            arena_printf(a,
                                                         "'%s' is a script, and which programs "
                                                         "it starts is not known",
                                                         x->name),
                                            d);
  const confine_limits limits = divide_limits(x, &o->limits);
  const char *log = arena_printf(a, "%s/try.log", files->write);
  if (!confine_begin(&x->confine, &limits, false, a, d)) return false;
  rules r = {.confine = &x->confine, .o = o, .a = a};
  allow_own(&r, x);
  allow_system(&r);
  for (size_t i = 0; i < files->read->n; i++)
    if (strcmp(files->read->at[i], "/") != 0) allow(&r, files->read->at[i], CONFINE_READ);
  allow(&r, files->write, CONFINE_WRITE);
  x->confined = !r.refused &&
                (works(x, files->write, log, a) || works_with_more(x, files->write, log, o, a));
  return x->confined || refuse_compiler(x, &r, files->write, log, d);
}

void confined_compiler_end(compiler *x) {
  if (x->confined) confine_end(&x->confine);
  x->confined = false;
}

bool confined_compiler_allow(compiler *x, const char *file) {
  return !x->confined || confine_allow(&x->confine, file, CONFINE_READ);
}

void confined_compiler_grow(compiler *x, uint64_t bytes) {
  confine_limits *l = &x->confine.limits;
  if (l->file_bytes) l->file_bytes += bytes;
  if (l->memory_bytes) l->memory_bytes += 3 * bytes;
}

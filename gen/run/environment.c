/* environment.c - see environment.h. Knows the variables of the driver's core dumps, and what
 * preload/ wants. */
#include "run/environment.h"
#include "base/file.h"
#include "shared/variables.h"
#include "system/cleanup.h"
#include "shared/limits.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct variables {
  arena *a;
  arena_list(char *) list;
} variables;

static char **find(const variables *v, const char *name) {
  size_t n = strlen(name);
  for (size_t i = 0; i < v->list.n; i++)
    if (!strncmp(v->list.at[i], name, n) && v->list.at[i][n] == '=') return &v->list.at[i];
  return NULL;
}

static const char *get(const variables *v, const char *name) {
  char **at = find(v, name);
  return at && (*at)[strlen(name) + 1] ? *at + strlen(name) + 1 : NULL;
}

static void set(variables *v, const char *name, const char *value) {
  char **at = find(v, name), *text = arena_printf(v->a, "%s=%s", name, value);
  if (at)
    *at = text;
  else
    *arena_push(v->a, &v->list) = text;
}

char *const *environment_apart(char *const *given, char *const *settings, arena *a) {
  size_t n = 0, added = 0;
  while (given[n]) n++;
  while (settings[added]) added++;
  char **all = arena_alloc(a, (n + added + 1) * sizeof *all);
  for (n = 0; *given; given++)
    if (!text_begins(*given, "AOTIGEN_")) all[n++] = *given;
  memcpy(all + n, settings, (added + 1) * sizeof *all);
  return all;
}

const char *environment_notes_directory(const char *dir, arena *a) {
  return arena_printf(a, "%s/opened", dir);
}

const char *environment_cores_directory(const char *dir, arena *a) {
  return arena_printf(a, "%s/cores", dir);
}

/* ---- the library that opens debug packages */

static const char *find_library(arena *a) {
  static const char *const places[] = {"libaotigen-open.so", "../lib/aotigen/libaotigen-open.so"};
  const char *home = file_program_dir(a);
  for (size_t i = 0; home && i < sizeof places / sizeof *places; i++) {
    const char *path = arena_printf(a, "%s/%s", home, places[i]);
    if (file_is_file(path)) return path;
  }
  return NULL;
}

/* LD_PRELOAD separates names by blanks and colons. A path with one of these is reached by a
 * link. */
static const char *find_preloadable(const char *dir, arena *a, diags *d) {
  const char *path = find_library(a), *link = arena_printf(a, "%s/libaotigen-open.so", dir);
  if (!path) {
    diag_error(d, STATUS_INPUT, NULL,
               "'libaotigen-open.so', which opens debug packages, was found neither beside the "
               "program nor in its '../lib/aotigen': aotigen is not installed completely");
    return NULL;
  }
  if (!strpbrk(path, " :")) return path;
  if (!strpbrk(link, " :") && symlink(path, link) == 0) return link;
  diag_error(d, STATUS_INPUT, path,
             "cannot be preloaded, for its path has a blank or a colon, as that of $TMPDIR has: "
             "name another directory with $TMPDIR");
  return NULL;
}

/* The preloaded library splits the list at line breaks. No path has one: option_environment.c
 * accepts none in a variable, and names below the directory are chosen here. */
static const char *make_table(const char *notes, const debug_package *packages, size_t n, arena *a,
                              diags *d) {
  const char *table = notes;
  for (size_t i = 0; i < n; i++) {
    const struct stat *s = &packages[i].original;
    table = arena_printf(a, "%s\n%llu %llu %llu %lld %ld %s", table, (unsigned long long)s->st_dev,
                         (unsigned long long)s->st_ino, (unsigned long long)s->st_size,
                         (long long)s->st_mtim.tv_sec, s->st_mtim.tv_nsec, packages[i].path);
  }
  if (strlen(table) < AG_RUN_TABLE) return table;
  diag_error(d, STATUS_INPUT, NULL,
             "the paths of the debug packages are too long together: name fewer with --model, or "
             "a cache with a shorter path with $XDG_CACHE_HOME");
  return NULL;
}

/* The library finds each package by a link, however long and odd its path is. */
static bool link_packages(const char *notes, const debug_package *packages, size_t n, arena *a,
                          diags *d) {
  for (size_t i = 0; i < n; i++) {
    const char *link = arena_printf(a, "%s/p%zu", notes, i);
    char *real = realpath(packages[i].original_path, NULL);
    bool ok = real && symlink(real, link) == 0;
    if (!ok)
      diag_error(d, STATUS_INPUT, packages[i].original_path,
                 "cannot be reached by the link '%s': %s", link, strerror(errno));
    free(real);
    if (!ok) return false;
  }
  return true;
}

static bool add_library(variables *v, const char *dir, const debug_package *packages, size_t n,
                        bool watches, diags *d) {
  const char *notes = environment_notes_directory(dir, v->a),
             *library = find_preloadable(dir, v->a, d), *before = get(v, "LD_PRELOAD");
  const char *table = library ? make_table(notes, packages, n, v->a, d) : NULL;
  if (!table || !cleanup_make_dir(notes, d)) return false;
  /* Without the links a '.so' that the program loads itself is left alone: a watched one has
   * torch's beside it, and is loaded from its package. */
  if (!watches && !link_packages(notes, packages, n, v->a, d)) return false;
  set(v, "LD_PRELOAD", before ? arena_printf(v->a, "%s:%s", library, before) : library);
  set(v, "AOTIGEN_OPEN", table);
  return true;
}

/* ---- the driver's core dumps */

static bool is_on(const char *flag) { return flag && !strcmp(flag, "1"); }

/* The driver's patterns have no way to write a percent sign. */
static bool names_cores(variables *v, const char *cores, diags *d) {
  if (strchr(cores, '%')) {
    diag_error(d, STATUS_INPUT, cores,
               "cannot be where the driver writes core dumps, for its path has a percent sign, as "
               "that of $TMPDIR has: name another directory with $TMPDIR, or a file with "
               "$CUDA_COREDUMP_FILE");
    return false;
  }
  if (!cleanup_make_dir(cores, d)) return false;
  set(v, variable_name(VARIABLE_CUDA_COREDUMP_FILE), arena_printf(v->a, "%s/gpu.%%p", cores));
  return true;
}

/* Only the value 1 is known to ask the driver for a dump. */
static bool refuses_cores(const variables *v, const char *wanted) {
  return find(v, wanted) && !is_on(get(v, wanted));
}

/* Large parts are omitted, and the program continues after the dump as it would without one. */
static void add_core_dumps(environment *e, variables *v, const options *o, const char *dir,
                           diags *d) {
  const char *wanted = variable_name(VARIABLE_CUDA_ENABLE_COREDUMP_ON_EXCEPTION);
  const char *const fixed[][2] = {
      {wanted, "1"},
      {"CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION", "0"},
      {"CUDA_COREDUMP_GENERATION_FLAGS",
       "skip_nonrelocated_elf_images,skip_global_memory,skip_shared_memory,skip_local_memory,"
       "skip_constbank_memory,skip_abort"}};
  const char *cores = environment_cores_directory(dir, v->a);
  e->refuses_gpu_cores = refuses_cores(v, wanted);
  if (o->run.core_dump && e->refuses_gpu_cores)
    diag_error(d, STATUS_USAGE, NULL,
               "option '--core-dump' and the variable '%s' exclude each other: leave out one",
               *find(v, wanted));
  if (e->refuses_gpu_cores || (!o->run.core_dump && !find(v, wanted))) return;
  bool of_user = find(v, variable_name(VARIABLE_CUDA_COREDUMP_FILE));
  if (!of_user && !names_cores(v, cores, d)) return;
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (!find(v, fixed[i][0])) set(v, fixed[i][0], fixed[i][1]);
  e->has_gpu_cores = true;
  e->finds_gpu_cores = !of_user;
}

/* A percent sign has a meaning in AOTIGEN_LOG. */
static const char *double_percents(const char *path, arena *a) {
  strbuf t = {0};
  for (; *path; path++) {
    strbuf_add(&t, path, 1);
    if (*path == '%') strbuf_puts(&t, "%");
  }
  return strbuf_take(&t, a);
}

/* The name in the directory of now: the program may load its model in another one. */
static const char *fix_name(const char *name, arena *a) {
  char *here = *name == '/' ? NULL : getcwd(NULL, 0);
  if (!here) return name;
  name = arena_printf(a, "%s/%s", double_percents(here, a), name);
  free(here);
  return name;
}

/* Where the printer writes: the option, the user's variable, or beside the log. */
static void set_printer_to(environment *e, variables *v, const options *o, const char *dir) {
  const char *name = variable_name(VARIABLE_AOTIGEN_PRINTER_TO), *given = get(v, name);
  const bool prints = o->levels.printer >= 2;
  e->printer_to = o->run.printer_to ? o->run.printer_to : given;
  if (o->run.printer_to)
    given = o->run.printer_to;
  else if (!given && prints && !e->own_log)
    given = arena_printf(v->a, "%s.printed", e->log);
  else if (!given && prints && o->run.keep)
    given = double_percents(e->printed = arena_printf(v->a, "%s/printed.txt", dir), v->a);
  if (given) set(v, name, fix_name(given, v->a));
}

static const char *find_narrowed(const variables *v) {
  static const enum variable all[] = {VARIABLE_AOTIGEN_KERNELS, VARIABLE_AOTIGEN_LAUNCHES,
                                      VARIABLE_AOTIGEN_RUNS, VARIABLE_AOTIGEN_EVERY};
  strings set_ones = {0};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (get(v, variable_name(all[i]))) *arena_push(v->a, &set_ones) = variable_name(all[i]);
  return set_ones.n ? strings_join(v->a, &set_ones, ", ") : NULL;
}

bool environment_make(environment *e, char *const *given, const options *o, const char *dir,
                      const debug_package *packages, arena *a, diags *d) {
  variables v = {.a = a};
  for (char *const *p = given; *p; p++) *arena_push(a, &v.list) = *p;
  *e = (environment){.log = get(&v, variable_name(VARIABLE_AOTIGEN_LOG))};
  e->narrowed = find_narrowed(&v);
  if (!e->log) {
    e->own_log = true;
    e->log = arena_printf(a, "%s/events.jsonl", dir);
    set(&v, variable_name(VARIABLE_AOTIGEN_LOG), double_percents(e->log, a));
  } else {
    e->log = fix_name(e->log, a);
    set(&v, variable_name(VARIABLE_AOTIGEN_LOG), e->log);
  }
  set_printer_to(e, &v, o, dir);
  set(&v, variable_name(VARIABLE_AOTIGEN_RUN_BY), arena_printf(a, "%ld", (long)getpid()));
  if (o->run.nmodels && !add_library(&v, dir, packages, o->run.nmodels, o->run.watch, d))
    return false;
  add_core_dumps(e, &v, o, dir, d);
  if (diags_status(d) != STATUS_OK) return false;
  *arena_push(a, &v.list) = NULL;
  e->at = v.list.at;
  return true;
}

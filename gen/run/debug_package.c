/* debug_package.c - see debug_package.h. */
#include "run/debug_package.h"
#include "base/shown.h"
#include "base/file.h"
#include "shared/version.h"
#include "toolchain/companions.h"
#include "command/locate.h"
#include "package/archive.h"
#include "package/repackage.h"
#include "package/so_hash.h"
#include "package/uncompiled.h"
#include "package/unpacked.h"
#include "package/watched.h"
#include "run/kept_packages.h"
#include "system/atomic_output.h"
#include "system/cache.h"
#include "system/cleanup.h"
#include "toolchain/watch_library.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* A file that the debug package depends on. */
typedef struct source {
  const char *path;   /* or NULL: there is none */
  struct stat before; /* its state when it was read for the key */
} source;

/* One debug package, while it is looked for or made. */
typedef struct making {
  const options *o;
  arena *a;
  diags *d;
  const char *model; /* the package */
  const char *root;  /* what messages call it */
  const char *below; /* as unpacked.h has it */
  const char *real;  /* the absolute path of `root`, without links */
  const char *name;  /* the name of its only model that is rewritten, or NULL for all */
  const char *path;  /* the result */
  source sources[3]; /* the package, --exported, --provenance */
} making;

/* ---- the key */

/* The file is not mapped, since another process may truncate it meanwhile. False with errno. */
static bool sum_content(FILE *from, uint64_t *sum) {
  static so_hash h;
  static char text[SO_HASH_BLOCK];
  so_hash_begin(&h);
  for (size_t n; (n = fread(text, 1, sizeof text, from)) > 0;) so_hash_add(&h, text, n);
  *sum = so_hash_end(&h);
  return !ferror(from);
}

/* The checksum of a file's content. False with errno. */
static bool sum_file(const char *path, uint64_t *sum, struct stat *s) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  FILE *from = fd >= 0 ? fdopen(fd, "r") : NULL;
  bool ok = from && fstat(fd, s) == 0;
  if (ok && (!S_ISREG(s->st_mode) || s->st_size == 0)) {
    errno = EINVAL;
    ok = false;
  }
  ok = ok && sum_content(from, sum);
  int error = errno;
  if (from)
    fclose(from);
  else if (fd >= 0)
    close(fd);
  errno = error;
  return ok;
}

static uint64_t add_sum(uint64_t key, source *s, const char *path, arena *a) {
  uint64_t sum = 0;
  if (!path || !sum_file(path, &sum, &s->before)) return cache_key(key, "none");
  s->path = path;
  return cache_key(key, arena_printf(a, "%016" PRIx64, sum));
}

/* The key with the torch that replaces the recorded one. */
static uint64_t add_torch(uint64_t key, const options *o, arena *a) {
  const locate_request nothing_recorded = {.recorded = &(strings){0}};
  place p;
  if (!o->torch || !locate_torch(&p, &nothing_recorded, o, a, diags_new(a))) return key;
  return cache_key(cache_key(key, p.torch), p.version ? p.version : "\n");
}

/* The key with those options that change the debug package. */
static uint64_t add_options(uint64_t key, making *m) {
  const options *o = m->o;
  const char *const texts[] = {o->torch,         o->env.path,       o->env.cxx,       o->env.home,
                               o->env.cuda_home, o->env.parts_from, o->env.libraries, m->name};
  key = cache_key(key, arena_printf(m->a, "%d", (int)o->confining));
  for (const level *l = level_table; l < level_table + LEVEL_ROWS; l++)
    key = cache_key(key, level_spell(&o->levels, l, m->a));
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    key = cache_key(key, texts[i] ? texts[i] : "\n");
  key = add_sum(key, &m->sources[1], o->files.exported, m->a);
  key = add_sum(key, &m->sources[2], o->files.provenance, m->a);
  return add_torch(key, o, m->a);
}

/* Adds stamps of the library and of this program: a rebuilt one differs, even with the same
 * version. */
static uint64_t add_program(uint64_t key, const char *runtime, arena *a) {
  const char *const files[] = {runtime, "/proc/self/exe"};
  key = cache_key(key, AOTIGEN_VERSION);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct stat s = {0};
    if (!files[i] || stat(files[i], &s) != 0) continue;
    key = cache_key(key, arena_printf(a, "%lld %lld %ld", (long long)s.st_size,
                                      (long long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec));
  }
  return key;
}

/* ---- making it */

/* True if the file is as it was when it was read for the key. */
static bool is_unchanged(const source *from) {
  const struct stat *before = &from->before;
  struct stat s;
  return stat(from->path, &s) == 0 && s.st_dev == before->st_dev && s.st_ino == before->st_ino &&
         s.st_size == before->st_size && s.st_mtim.tv_sec == before->st_mtim.tv_sec &&
         s.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}

static bool check_sources(const making *m) {
  for (size_t i = 0; i < sizeof m->sources / sizeof *m->sources; i++) {
    const source *from = &m->sources[i];
    if (!from->path || is_unchanged(from)) continue;
    unlink(m->path);
    diag_error(m->d, STATUS_INPUT, from->path,
               "changed while the %s package was made: run it again when it is written whole",
               m->o->run.watch ? "watch" : "debug");
    return false;
  }
  return true;
}

static void warn_not_kept(const making *m, const char *path, const char *why) {
  diag_warning(m->d, path,
               "could not be kept in the cache: %s; the next run makes it again, unless "
               "$XDG_CACHE_HOME names a place that can keep it",
               why);
}

/* Called if --cached has no other place for the package. */
static void refuse_not_kept(const making *m, const char *path, const char *why) {
  diag_error(m->d, STATUS_INPUT, path,
             "cannot be kept in the cache: %s; name the result with --output=FILE, or another "
             "cache with $XDG_CACHE_HOME",
             why);
}

/* Moves the package at m->path to the cache, where this process holds it before it is there. NULL,
 * or the reason for a failure. */
static const char *move_to_cache(making *m, const char *kept_as) {
  const char *why = NULL;
  for (int tries = 2; tries; tries--) { /* another process may drop the checksum, the first time */
    if (!cache_add_sum(m->o, m->path, kept_as, m->a)) return strerror(errno);
    why = kept_packages_hold(kept_as, m->a);
    if (!why) break;
  }
  if (why) return why;
  if (!cache_keep(m->o, m->path, kept_as, m->a)) return strerror(errno);
  m->path = kept_as;
  kept_packages_drop_oldest(m->o, m->a);
  return NULL;
}

/* Keeps the package. If that fails, moves it to `private`, if that is not NULL. */
static bool keep(making *m, const char *kept_as, const char *private) {
  const char *why = move_to_cache(m, kept_as);
  if (!why) return true;
  if (!private) {
    unlink(m->path);
    refuse_not_kept(m, kept_as, why);
    return false;
  }
  warn_not_kept(m, kept_as, why);
  if (!atomic_output_move(m->path, private, m->d)) return false;
  m->path = private;
  return true;
}

/* The reason why the cache has no room for a package like this one and what is added to it; else
 * NULL. */
static const char *find_lack(const making *m) {
  enum { ADDED = 16 << 20 };
  struct statvfs s;
  uint64_t wanted = (uint64_t)m->sources[0].before.st_size + ADDED, free;
  if (statvfs(m->o->env.cache, &s) != 0) return NULL;
  free = (uint64_t)s.f_bavail * s.f_frsize;
  if (free >= wanted) return NULL;
  return arena_printf(m->a, "it may take %s, and %s are free there",
                      byte_count_format(wanted, m->a), byte_count_format(free, m->a));
}

/* The reason why nothing can be written to the cache; else NULL. */
static const char *prepare_cache(const making *m) {
  if (!file_make_dirs(m->o->env.cache, 0700))
    return arena_printf(m->a, "'%s': %s", m->o->env.cache, strerror(errno));
  if (!find_lack(m)) return NULL;
  kept_packages_drop_oldest(m->o, m->a);
  return find_lack(m);
}

static const char *find_real(const making *m) {
  char *real = realpath(m->root, NULL);
  const char *path = real ? arena_strdup(m->a, real) : m->root;
  free(real);
  return path;
}

/* What its models say where they are loaded outside of a run: a program may have kept a copy. */
static const char *describe_origin(const making *m) {
  char day[32] = "";
  const time_t now = time(NULL);
  struct tm local;
  if (localtime_r(&now, &local)) strftime(day, sizeof day, "%Y-%m-%d %H:%M", &local);
  return arena_printf(m->a, "'%s' on %s", shown_text(m->real, m->a), day);
}

/* Makes the package in the cache, if that can be written, with a name of its own until it is
 * complete; else in the private directory, whose files are removed with this process. */
static bool make_package(making *m, const char *kept_as, const char *private) {
  const char *why = kept_as ? prepare_cache(m) : NULL;
  options r = *m->o;
  if (why && !private) {
    refuse_not_kept(m, kept_as, why);
    return false;
  }
  if (why) warn_not_kept(m, kept_as, why);
  if (why) kept_as = NULL;
  m->path = kept_as ? arena_printf(m->a, "%s.%ld", kept_as, (long)getpid()) : private;
  r.verb = VERB_REWRITE;
  r.input = m->model;
  r.input_as = m->root;
  r.input_below = m->below;
  if (!r.output.cached) r.kept_of = describe_origin(m);
  r.model = m->name;
  r.output.path = m->path;
  r.output.shown = kept_as;
  if (r.env.packages_only) r.env.cache = NULL;
  if (r.run.watch)
    watched_make(&r, true, m->a, m->d);
  else
    repackage_rewrite(&r, m->a, m->d);
  if (diags_status(m->d) != STATUS_OK || !check_sources(m)) return false;
  return !kept_as || keep(m, kept_as, private);
}

/* Uses a package that was made before and is unchanged. False if there is none. */
static bool find_kept(making *m, const char *kept_as) {
  if (!kept_as || !cache_has_with_sum(kept_as, m->a) || kept_packages_hold(kept_as, m->a) ||
      !file_is_file(kept_as))
    return false;
  m->path = kept_as;
  utimensat(AT_FDCWD, kept_as, NULL, 0);
  return true;
}

/* False with an error. */
static bool is_package(const making *m) {
  const char *path = m->model;
  archive z;
  if (!archive_detect(path) && access(path, R_OK) == 0) {
    if (uncompiled_refuse_file(path, m->d)) return false;
    if (m->o->output.cached)
      diag_error(m->d, STATUS_INPUT, path, "is not a package: --cached wants a '.pt2'");
    else
      diag_error(m->d, STATUS_INPUT, path,
                 "is not a package: --model of 'run' wants the '.pt2' that the program opens");
    return false;
  }
  bool opened = archive_open(&z, path, m->o, m->a, m->d);
  archive_close(&z);
  return opened;
}

/* The key of all that the debug package depends on. False with an error. */
static bool make_key(making *m, uint64_t *key) {
  const char *runtime, *include;
  source *package = &m->sources[0];
  uint64_t sum;
  if (!is_package(m)) return false;
  if (!sum_file(m->model, &sum, &package->before)) {
    diag_error(m->d, STATUS_INPUT, m->model, "cannot be read: %s", strerror(errno));
    return false;
  }
  package->path = m->model;
  if (m->o->run.watch)
    runtime = watch_library_find(m->a);
  else if (!companions_find_runtime(&runtime, &include, m->model, m->a, m->d))
    return false;
  *key = cache_key(CACHE_KEY, arena_printf(m->a, "%s package %016" PRIx64 " %lld",
                                           m->o->run.watch ? "watch" : "debug", sum,
                                           (long long)package->before.st_size));
  m->real = find_real(m);
  *key = cache_key(*key, m->root); /* its reports name the package */
  /* Outside of a run, that of a run says of what it was made. */
  *key = cache_key(*key, m->o->output.cached ? "\n" : m->real);
  *key = cache_key(*key, m->below ? m->below : "\n");
  *key = add_program(add_options(*key, m), runtime, m->a);
  return true;
}

/* name: of the only model that is made, or NULL. */
static making making_of(const unpacked *u, const char *name, const options *o, arena *a, diags *d) {
  return (making){.o = o,
                  .a = a,
                  .d = d,
                  .model = u->package,
                  .root = u->root,
                  .below = u->below,
                  .name = name};
}

bool debug_package_make(debug_package *p, size_t i, const options *o, arena *a, diags *d) {
  const char *model = o->run.models[i];
  unpacked u = {.package = model, .root = model};
  if (o->run.watch && unpacked_detect(model)) {
    diag_error(d, STATUS_INPUT, model,
               "is no package: --watch wants the '.pt2' that the program opens");
    return false;
  }
  if (o->replay.unwatched)
    u.package = o->replay.unwatched;
  else if (unpacked_detect(model) && !unpacked_pack(&u, model, a, d))
    return false;
  making m = making_of(&u, o->replay.only, o, a, d);
  uint64_t key;
  if (!make_key(&m, &key)) return false;
  const char *kept_as = cache_path(o, key, kept_packages_suffix, a);
  if (find_kept(&m, kept_as)) {
    if (o->verbosity >= 0) fprintf(stderr, "aotigen: '%s': made before, and unchanged\n", m.path);
  } else {
    const char *dir = cleanup_private_dir(d);
    if (!dir ||
        !make_package(&m, kept_as, arena_printf(a, "%s/%zu%s", dir, i, kept_packages_suffix)))
      return false;
  }
  *p = (debug_package){.model = model,
                       .path = m.path,
                       .kept = m.path == kept_as,
                       .original_path = m.model,
                       .root = m.root,
                       .below = m.below,
                       .wrapper = u.wrapper,
                       .original = m.sources[0].before};
  return true;
}

const char *debug_package_keep(const options *o, arena *a, diags *d) {
  unpacked u = {.package = o->input, .root = o->input};
  uint64_t key;
  if (!o->env.cache) {
    diag_error(d, STATUS_INPUT, o->input,
               "has no cache for its debug package, for neither $XDG_CACHE_HOME nor $HOME names a "
               "directory of yours: name the result with --output=FILE");
    return NULL;
  }
  if (unpacked_detect(o->input) && !unpacked_pack(&u, o->input, a, d)) return NULL;
  making m = making_of(&u, o->model, o, a, d);
  if (!make_key(&m, &key)) return NULL;
  const char *kept_as = cache_path(o, key, kept_packages_suffix, a);
  return find_kept(&m, kept_as) || make_package(&m, kept_as, NULL) ? m.path : NULL;
}

void debug_package_print(const options *o, arena *a, diags *d) {
  const char *path = debug_package_keep(o, a, d);
  if (path) printf("%s\n", path);
}

/* build_cache.c - see build_cache.h. Knows the file that describes what is kept:
 *   "recipe LENGTH", the recipe; a line "sum CHECKSUM SUFFIX" for each product; a line
 *   "SIZE SECONDS NANOSECONDS PATH" for each file that the compiler read.
 */
#include "toolchain/build_cache.h"
#include "base/file.h"
#include "command/cpu_features.h"
#include "toolchain/include_audit.h"
#include "system/atomic_output.h"
#include "system/cache.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STAMPS_MAX = 16 << 20, PRODUCT_MAX = 64 << 20 };

static const char stamps_suffix[] = ".stamps", sum_word[] = "sum ";

/* ---- the recipe */

/* The instruction sets that -march=native and the like stand for: a cache may be used by several
 * machines. */
static const char *native_features(const strings *flags, arena *a) {
  const char *here = NULL;
  for (size_t i = 0; i < flags->n && !here; i++)
    if (file_ends_with(flags->at[i], "=native")) here = cpu_features_here(a);
  return here ? here : "";
}

static const char *recipe_of(const char *kind, const compiler *x, const strings *flags,
                             const char *source, arena *a) {
  strbuf t = {0};
  strbuf_printf(&t, "%s\n%s\n%s\n", kind, x->name, x->version);
  for (size_t i = 0; i < flags->n; i++) strbuf_printf(&t, "%s\n", flags->at[i]);
  strbuf_printf(&t, "%s\n", native_features(flags, a));
  strbuf_puts(&t, source);
  const char *recipe = arena_strdup(a, t.at);
  strbuf_free(&t);
  return recipe;
}

/* The text behind the recipe; NULL if that is another recipe. */
static const char *behind_recipe(const char *text, size_t n, const char *recipe) {
  char *end;
  size_t length = strlen(recipe);
  if (strncmp(text, "recipe ", 7) != 0 || strtoull(text + 7, &end, 10) != length || *end != '\n')
    return NULL;
  end++;
  if ((size_t)(text + n - end) < length || memcmp(end, recipe, length) != 0) return NULL;
  return end + length;
}

/* ---- stamps */

static bool add_stamp(strbuf *t, const char *path) {
  struct stat s;
  if (stat(path, &s) != 0) return false;
  strbuf_printf(t, "%lld %lld %ld %s\n", (long long)s.st_size, (long long)s.st_mtim.tv_sec,
                s.st_mtim.tv_nsec, path);
  return true;
}

static const char *path_in(const char *line, size_t n, arena *a) {
  const char *path = line, *end = line + n;
  for (int i = 0; i < 3 && path; i++) {
    path = memchr(path, ' ', (size_t)(end - path));
    if (path) path++;
  }
  return path ? arena_strndup(a, path, (size_t)(end - path)) : NULL;
}

/* True if the files have not changed since these lines were written. */
static bool files_unchanged(const char *stamps, arena *a) {
  strbuf now = {0};
  bool ok = true;
  size_t files = 0;
  for (const char *line = stamps; ok && *line;) {
    size_t n = strcspn(line, "\n");
    if (strncmp(line, sum_word, sizeof sum_word - 1) != 0) {
      const char *path = path_in(line, n, a);
      now.n = 0;
      ok = path && add_stamp(&now, path) && line[n] == '\n' && now.n == n + 1 &&
           !memcmp(now.at, line, n);
      files++;
    }
    line += n + (line[n] == '\n');
  }
  strbuf_free(&now);
  return ok && files > 0;
}

/* Adds stamps of the files that the compiler read, except for our own source. */
static bool add_stamps(strbuf *t, const char *depend_file, const char *own, arena *a) {
  strings files = {0};
  bool ok = include_audit_read_list(&files, depend_file, a) && files.n > 0;
  for (size_t i = 0; ok && i < files.n; i++)
    ok = !strcmp(files.at[i], own) || add_stamp(t, files.at[i]);
  return ok;
}

/* ---- checksums */

static const char *sum_line(uint64_t sum, const char *suffix, arena *a) {
  return arena_printf(a, "%s%016" PRIx64 " %s\n", sum_word, sum, suffix);
}

static bool add_sum(strbuf *t, const product *p, arena *a) {
  uint64_t sum;
  bool ok = cache_sum_made(p->made, &sum);
  if (ok) strbuf_puts(t, sum_line(sum, p->suffix, a));
  return ok;
}

/* ---- what is kept */

void build_cache_open(build_cache *c, const char *kind, const compiler *x, const strings *flags,
                      const char *source, const options *o, arena *a) {
  *c = (build_cache){.o = o, .a = a};
  if (!o->env.cache) return;
  c->recipe = recipe_of(kind, x, flags, source, a);
  c->key = cache_key(CACHE_KEY, c->recipe);
  strbuf t = {0};
  if (cache_read(cache_path(o, c->key, stamps_suffix, a), STAMPS_MAX, &t)) {
    const char *stamps = behind_recipe(t.at, t.n, c->recipe);
    if (stamps && files_unchanged(stamps, a)) c->stamps = arena_strdup(a, stamps);
  }
  strbuf_free(&t);
}

/* Files may change and keep their names, so a product is also named after the stamps. */
static const char *named_after(const build_cache *c, const char *stamps, const char *suffix) {
  return cache_path(c->o, cache_key(c->key, stamps), suffix, c->a);
}

const char *build_cache_path(const build_cache *c, const char *suffix) {
  const char *path = c->stamps ? named_after(c, c->stamps, suffix) : NULL;
  uint64_t sum;
  bool ok = path && cache_sum_file(path, &sum) && strstr(c->stamps, sum_line(sum, suffix, c->a));
  return ok ? path : NULL;
}

bool build_cache_read(const build_cache *c, const char *suffix, strbuf *out) {
  const char *path = build_cache_path(c, suffix);
  if (!path || !cache_read(path, PRODUCT_MAX, out)) return false;
  bool ok = strstr(c->stamps, sum_line(cache_sum(out->at, out->n), suffix, c->a)) != NULL;
  if (!ok) strbuf_free(out);
  return ok;
}

/* Drops products of files that have changed since. */
static void drop_older(const build_cache *c, const product *list, size_t n, const char *stamps) {
  strbuf t = {0};
  if (file_read(cache_path(c->o, c->key, stamps_suffix, c->a), STAMPS_MAX, &t)) {
    const char *old = behind_recipe(t.at, t.n, c->recipe);
    for (size_t i = 0; old && i < n && strcmp(old, stamps) != 0; i++)
      unlink(named_after(c, old, list[i].suffix));
  }
  strbuf_free(&t);
}

static bool move_all(const build_cache *c, const product *list, size_t n, const char *dir) {
  const char *made = arena_printf(c->a, "%s/stamps", dir);
  strbuf t = {0};
  strbuf_printf(&t, "recipe %zu\n%s%s", strlen(c->recipe), c->recipe, c->stamps);
  bool ok = atomic_output_write(made, t.at, t.n, diags_new(c->a));
  for (size_t i = 0; ok && i < n; i++)
    ok = cache_keep(c->o, list[i].made, named_after(c, c->stamps, list[i].suffix), c->a);
  strbuf_free(&t);
  return ok && cache_keep(c->o, made, cache_path(c->o, c->key, stamps_suffix, c->a), c->a);
}

void build_cache_keep(build_cache *c, const product *list, size_t n, const char *depend_file,
                      const char *own, const char *dir) {
  strbuf t = {0};
  bool ok = c->recipe != NULL;
  for (size_t i = 0; ok && i < n; i++) ok = add_sum(&t, &list[i], c->a);
  ok = ok && add_stamps(&t, depend_file, own, c->a);
  c->stamps = NULL;
  int lock = ok ? cache_lock(c->o) : -1;
  if (lock >= 0) {
    drop_older(c, list, n, t.at);
    c->stamps = arena_strdup(c->a, t.at);
    if (!move_all(c, list, n, dir)) c->stamps = NULL;
    close(lock);
  }
  strbuf_free(&t);
}

void build_cache_forget(build_cache *c) {
  if (c->recipe) unlink(cache_path(c->o, c->key, stamps_suffix, c->a));
  c->stamps = NULL;
}

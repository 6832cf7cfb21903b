/* find_library.c - see find_library.h. Knows the form of glibc's cache of libraries, which may
 * follow one in an older form. */
#include "here/find_library.h"
#include "base/file.h"
#include "toolchain/elf_file.h"
#include <glob.h>
#include <string.h>

enum { CACHE_MAX = 32 << 20, DIRS_MAX = 500 };

static void add_dir(library_places *p, const char *dir, arena *a) {
  if (p->dirs.n < DIRS_MAX && !strings_has(&p->dirs, dir) && file_is_dir(dir))
    *arena_push(a, &p->dirs) = dir;
}

static void add_matches(library_places *p, const char *pattern, arena *a) {
  glob_t g = {0};
  if (glob(pattern, 0, NULL, &g) == 0)
    for (size_t i = 0; i < g.gl_pathc; i++) add_dir(p, arena_strdup(a, g.gl_pathv[i]), a);
  globfree(&g);
}

void find_library_add(library_places *p, const char *list, arena *a) {
  for (const char *s = list; s && *s; s += strspn(s, ":;")) {
    size_t n = strcspn(s, ":;");
    if (*s == '/') add_dir(p, arena_strndup(a, s, n), a);
    s += n;
  }
}

void find_library_begin(library_places *p, const char *torch, const options *o, arena *a) {
  static const char *const last[] = {"/lib/x86_64-linux-gnu",
                                     "/usr/lib/x86_64-linux-gnu",
                                     "/lib64",
                                     "/usr/lib64",
                                     "/lib",
                                     "/usr/lib"};
  *p = (library_places){.cache = NULL};
  strbuf t = {0};
  if (file_read("/etc/ld.so.cache", CACHE_MAX, &t)) {
    p->cache = memcpy(arena_alloc(a, t.n + 1), t.at, t.n);
    p->cache_n = t.n;
    strbuf_free(&t);
  }
  if (torch) {
    const char *site = file_dir(a, torch);
    add_dir(p, arena_printf(a, "%s/lib", torch), a);
    if (!strpbrk(site, "*?[\\")) {
      add_matches(p, arena_printf(a, "%s/nvidia/*/lib", site), a);
      /* This exists only in an environment of conda's, which has conda-meta next to lib. */
      add_matches(p, arena_printf(a, "%s/../../../conda-meta/../lib", site), a);
    }
  }
  find_library_add(p, o->env.libraries, a);
  if (!p->cache)
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) add_dir(p, last[i], a);
}

/* A '.so' may name a device, which opening it would start. */
static bool is_library(const char *path) {
  elf_file f = {.fd = -1};
  bool ok = file_is_file(path) && elf_symbols_open_parts(&f, path, 0);
  elf_symbols_close(&f);
  return ok;
}

static uint32_t word_at(const char *at) {
  uint32_t n;
  memcpy(&n, at, sizeof n);
  return n;
}

/* The header has 48 bytes: magic, number of entries. An entry has 24: flags, and where its name and
 * its path stand behind the begin of the header. A NUL ends the text. */
static const char *find_cached(const library_places *p, const char *name, arena *a) {
  static const char magic[] = "glibc-ld.so.cache1.1";
  const size_t head = 48, entry = 24, k = sizeof magic - 1;
  const char *cache = p->cache ? memmem(p->cache, p->cache_n, magic, k) : NULL;
  const size_t size = cache ? p->cache_n - (size_t)(cache - p->cache) : 0;
  uint32_t n = size >= head ? word_at(cache + k) : 0;
  for (uint32_t i = 0; i < n && head + (i + 1) * entry <= size; i++) {
    const char *at = cache + head + i * entry;
    const uint32_t key = word_at(at + 4), path = word_at(at + 8);
    if (key < size && path < size && !strcmp(cache + key, name) && is_library(cache + path))
      return arena_strdup(a, cache + path);
  }
  return NULL;
}

const char *find_library(const library_places *p, const char *name, arena *a) {
  if (strchr(name, '/')) return NULL;
  for (size_t i = 0; i < p->dirs.n; i++) {
    const char *path = arena_printf(a, "%s/%s", p->dirs.at[i], name);
    if (is_library(path)) return path;
  }
  return find_cached(p, name, a);
}

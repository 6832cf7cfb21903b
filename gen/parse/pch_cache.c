/* cache.c - see cache.h. */
#include "parse/pch_cache.h"
#include "parse/lex.h"
#include "system/atomic_output.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

uint64_t cache_key(uint64_t key, const char *s) {
  for (; *s; s++) key = (key ^ (unsigned char)*s) * 1099511628211u;
  return (key ^ 0xff) * 1099511628211u;
}

const char *cache_path(const options *o, uint64_t key, const char *suffix, arena *a) {
  return o->cache ? arena_printf(a, "%s/%016llx%s", o->cache, (unsigned long long)key, suffix)
                  : NULL;
}

static bool make_directory(const char *path, arena *a) {
  char *p = arena_strdup(a, path);
  for (char *slash = p + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = '\0';
    mkdir(p, 0700);
    *slash = '/';
  }
  struct stat s;
  mkdir(p, 0700);
  return stat(p, &s) == 0 && S_ISDIR(s.st_mode) && access(p, W_OK) == 0;
}

bool cache_keep(const options *o, const char *made, const char *path, arena *a) {
  diags *unsaid = diags_new(a);
  return make_directory(o->cache, a) && output_move(made, path, unsaid);
}

strbuf cache_headers(const char *text, size_t n) {
  static const char *const roots[] = {"torch/", "c10/", "ATen/", NULL}, *const ends[] = {
                                                                            "namespace", "extern",
                                                                            "class",     "#define",
                                                                            "#undef",    NULL};
  strbuf t = {0};
  for (size_t at = 0; at < n;) {
    const char *line = text + at, *nl = memchr(line, '\n', n - at);
    size_t length = nl ? (size_t)(nl - line) : n - at;
    for (const char *const *e = ends; *e; e++)
      if (**e == '#' ? length >= strlen(*e) && !memcmp(line, *e, strlen(*e))
                     : lex_is_word(text, at, n, *e))
        return t;
    if (length > 10 && memcmp(line, "#include <", 10) == 0)
      for (const char *const *r = roots; *r; r++)
        if (strncmp(line + 10, *r, strlen(*r)) == 0) {
          strbuf_add(&t, line, length);
          strbuf_puts(&t, "\n");
        }
    at += length + 1;
  }
  return t;
}

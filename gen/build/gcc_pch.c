/* gcc_pch.c - see gcc_pch.h. Knows what g++ and clang++ call a precompiled header: they look beside
 * X.h for X.h.gch. */
#include "build/gcc_pch.h"
#include "parse/pch_cache.h"
#include "build/include_audit.h"
#include "base/file.h"
#include "system/atomic_output.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STAMPS_MAX = 4 << 20 };

/* ---- stamps: "SIZE SECONDS NANOSECONDS PATH" a line */

static bool add_stamp(strbuf *t, const char *path) {
  struct stat s;
  if (stat(path, &s) != 0) return false;
  strbuf_printf(t, "%lld %lld %ld %s\n", (long long)s.st_size, (long long)s.st_mtim.tv_sec,
                s.st_mtim.tv_nsec, path);
  return true;
}

/* Are the files what they were when these lines were written. */
static bool still_so(const char *stamps, arena *a) {
  strbuf now = {0};
  bool ok = *stamps != '\0';
  for (const char *line = stamps; ok && *line;) {
    size_t n = strcspn(line, "\n");
    const char *path = line;
    for (int i = 0; i < 3 && path; i++)
      path = memchr(path, ' ', n - (size_t)(path - line)) ? strchr(path, ' ') + 1 : NULL;
    ok = path && add_stamp(&now, arena_strndup(a, path, n - (size_t)(path - line)));
    line += n + (line[n] == '\n');
  }
  ok = ok && now.at && !strcmp(now.at, stamps);
  strbuf_free(&now);
  return ok;
}

/* What the compiler read to make it, but for our own list. */
static strbuf stamps_of(const headers *h) {
  strings files = {0};
  strbuf t = {0};
  bool ok = include_audit_read_list(&files, arena_printf(h->a, "%s.d", h->list), h->a);
  for (size_t i = 0; ok && i < files.n; i++)
    ok = !strcmp(files.at[i], h->list) || add_stamp(&t, files.at[i]);
  if (!ok) strbuf_free(&t);
  return t;
}

/* ---- */

/* Files change and keep their names: the precompiled one is named after the stamps too. */
static const char *named_after(const headers *h, const char *stamps, const char *suffix) {
  return pch_cache_path(h->o, pch_cache_key(h->key, stamps), suffix, h->a);
}

static uint64_t key_of(const compiler *x, const char *list, const strings *flags) {
  uint64_t key =
      pch_cache_key(pch_cache_key(pch_cache_key(PCH_CACHE_KEY, x->name), list), x->version);
  for (size_t i = 0; i < flags->n; i++) key = pch_cache_key(key, flags->at[i]);
  return key;
}

static bool is_made(const headers *h, const char *list) {
  return file_is_file(list) && file_is_file(arena_printf(h->a, "%s.gch", list));
}

static bool find(headers *h) {
  strbuf stamps = {0};
  if (is_made(h, h->list)) {
    h->use = h->list;
    return true;
  }
  if (!file_read(pch_cache_path(h->o, h->key, ".stamps", h->a), STAMPS_MAX, &stamps)) return false;
  const char *use = named_after(h, stamps.at, ".h");
  bool ok = is_made(h, use) && still_so(stamps.at, h->a);
  if (ok) h->use = use;
  strbuf_free(&stamps);
  return ok;
}

static void start(headers *h, const compiler *x, const strbuf *text, const strings *flags) {
  diags *unsaid = diags_new(h->a); /* without them it takes longer, and that is all */
  h->job = (job){.what = h->list, .log = arena_printf(h->a, "%s/headers.log", h->dir)};
  const char *const rest[] = {"-x",   "c++-header",
                              "-MD",  arena_printf(h->a, "-MF%s.d", h->list),
                              "-o",   arena_printf(h->a, "%s.gch", h->list),
                              h->list};
  for (size_t i = 0; i < flags->n; i++) *arena_push(h->a, &h->job.argv) = flags->at[i];
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) *arena_push(h->a, &h->job.argv) = rest[i];
  if (atomic_output_write(h->list, text->at, text->n, unsaid)) job_start(&h->job, x, h->a, unsaid);
}

void headers_begin(headers *h, const compiler *x, const char *text, size_t n, const strings *flags,
                   const char *dir, const options *o, arena *a) {
  *h = (headers){.o = o, .a = a, .dir = dir};
  strbuf list = o->cache ? pch_cache_headers(text, n) : (strbuf){0};
  if (list.n) {
    h->key = key_of(x, list.at, flags);
    h->list = arena_printf(a, "%s/%016llx.h", dir, (unsigned long long)h->key);
    if (!find(h)) start(h, x, &list, flags);
  }
  strbuf_free(&list);
}

void headers_wait(headers *h) {
  if (h->job.process.pid && process_wait(&h->job.process)) h->use = h->list;
}

/* The one that was made of files that have changed since. */
static void drop_older(const headers *h, const char *stamps) {
  strbuf old = {0};
  if (file_read(pch_cache_path(h->o, h->key, ".stamps", h->a), STAMPS_MAX, &old) &&
      strcmp(old.at, stamps) != 0) {
    unlink(named_after(h, old.at, ".h.gch"));
    unlink(named_after(h, old.at, ".h"));
  }
  strbuf_free(&old);
}

void headers_keep(headers *h) {
  if (!h->use || h->use != h->list) return;
  diags *unsaid = diags_new(h->a);
  strbuf stamps = stamps_of(h);
  const char *made = arena_printf(h->a, "%s/stamps", h->dir);
  drop_older(h, stamps.at ? stamps.at : "");
  if (stamps.n && atomic_output_write(made, stamps.at, stamps.n, unsaid) &&
      pch_cache_keep(h->o, arena_printf(h->a, "%s.gch", h->list),
                     named_after(h, stamps.at, ".h.gch"), h->a) &&
      pch_cache_keep(h->o, h->list, named_after(h, stamps.at, ".h"), h->a))
    pch_cache_keep(h->o, made, pch_cache_path(h->o, h->key, ".stamps", h->a), h->a);
  strbuf_free(&stamps);
}

void headers_drop(headers *h) {
  if (h->use) unlink(arena_printf(h->a, "%s.gch", h->use));
  if (h->use && h->use != h->list) unlink(pch_cache_path(h->o, h->key, ".stamps", h->a));
  h->use = NULL;
}

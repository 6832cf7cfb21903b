/* gcc_pch.c - see gcc_pch.h. Knows what g++ and clang++ call a precompiled header: they look beside
 * X.h for X.h.gch. */
#include "toolchain/gcc_pch.h"
#include "toolchain/confined_compiler.h"
#include "system/atomic_output.h"
#include <unistd.h>

/* The compiler may read these two of the cache alone: other packages have theirs there. */
static const char *find_headers(const headers *h, compiler *x) {
  const char *list = build_cache_path(&h->cache, ".h"),
             *made = list ? build_cache_path(&h->cache, ".h.gch") : NULL;
  return made && confined_compiler_allow(x, list) && confined_compiler_allow(x, made) ? list : NULL;
}

/* Not beside the list: the compiler would take it before it is whole. */
static const char *being_made(const headers *h) {
  return arena_printf(h->a, "%s/made.gch", h->own_dir);
}

static const char *depend_file(const headers *h) {
  return arena_printf(h->a, "%s/headers.d", h->own_dir);
}

static bool note_begun(headers_begun *b, uint64_t key) {
  for (size_t i = 0; i < b->n; i++)
    if (b->keys[i] == key) return false;
  if (b->n == sizeof b->keys / sizeof *b->keys) return false;
  b->keys[b->n++] = key;
  return true;
}

static void start_headers(headers *h, const headers_request *request, const strbuf *text) {
  diags *unsaid = diags_new(h->a); /* without them it takes longer, and that is all */
  h->job = (job){
      .what = h->list, .log = arena_printf(h->a, "%s/headers.log", h->dir), .dir = h->own_dir};
  const char *const rest[] = {
      "-x", "c++-header",  "-MD",  arena_printf(h->a, "-MF%s", depend_file(h)),
      "-o", being_made(h), h->list};
  for (size_t i = 0; i < request->flags->n; i++)
    *arena_push(h->a, &h->job.argv) = request->flags->at[i];
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) *arena_push(h->a, &h->job.argv) = rest[i];
  if (!atomic_output_write(h->list, text->at, text->n, unsaid)) return;
  h->include = h->list;
  if (note_begun(request->begun, h->cache.key)) job_start(&h->job, request->compiler, h->a, unsaid);
}

void headers_begin(headers *h, const headers_request *request, arena *a) {
  *h = (headers){
      .a = a, .dir = request->dir, .own_dir = arena_printf(a, "%s/headers", request->dir)};
  if (!request->o->env.cache || !request->list->n) return;
  build_cache_open(&h->cache, "headers", request->compiler, request->flags, request->list->at,
                   request->o, a);
  h->list = arena_printf(a, "%s/headers.h", request->dir);
  h->include = find_headers(h, request->compiler);
  h->precompiled = h->include != NULL;
  if (!h->precompiled) start_headers(h, request, request->list);
}

void headers_wait(headers *h) {
  if (!h->job.process.pid || !process_wait(&h->job.process)) return;
  h->made = rename(being_made(h), arena_printf(h->a, "%s.gch", h->list)) == 0;
  h->precompiled = h->made;
}

void headers_keep(headers *h) {
  const product list[] = {{arena_printf(h->a, "%s.gch", h->list), ".h.gch"}, {h->list, ".h"}};
  headers_wait(h);
  if (h->made) build_cache_keep(&h->cache, list, 2, depend_file(h), h->list, h->dir);
}

void headers_drop(headers *h) {
  process_kill(&h->job.process);
  if (h->precompiled) {
    unlink(arena_printf(h->a, "%s.gch", h->include));
    build_cache_forget(&h->cache);
  }
  h->made = h->precompiled = false;
  h->include = NULL;
}

/* guard_memory.c - see emit.h. Counts the pages of runtime/state/guard_pages.c and
 * runtime/cuda/mapped.c. */
#include "emit/emit.h"
#include "base/shown.h"
#include "model/expected.h"
#include "shared/limits.h"
#include <string.h>

enum { CPU_PAGE_KB = 4, GPU_PAGE_KB = 2048 };

static bool is_on_gpu(const model *m) { return m->device && strcmp(m->device, "cpu") != 0; }

static const char *format_kb(unsigned long long kb, arena *a) {
  return kb < 10240 ? arena_printf(a, "%llu KiB", kb)
                    : arena_printf(a, "%.0f MiB", (double)kb / 1024);
}

/* The names of "buf3+buf7". */
static strings split_names(const char *list, arena *a) {
  strings names = {0};
  for (size_t n; *list; list += n + (list[n] == '+')) {
    n = strcspn(list, "+");
    *arena_push(a, &names) = arena_strndup(a, list, n);
  }
  return names;
}

static const char *describe_zones(const model *m, arena *a) {
  unsigned each = 2 * (is_on_gpu(m) ? AG_DEVICE_ZONE : AG_CPU_ZONE) / 1024;
  return arena_printf(a, "at most %u buffer%s at a time, with %s more each (%s)", m->buffers_alive,
                      m->buffers_alive == 1 ? "" : "s", format_kb(each, a),
                      format_kb((unsigned long long)each * m->buffers_alive, a));
}

static const char *describe_pages(const model *m, const levels *l, arena *a) {
  unsigned page = is_on_gpu(m) ? GPU_PAGE_KB : CPU_PAGE_KB;
  strings names = split_names(l->guard_buffers, a);
  unsigned n = names.n ? (unsigned)names.n : m->buffers_alive;
  return arena_printf(a, "at most %u buffer%s at a time in whole pages of %s (%s more)", n,
                      n == 1 ? "" : "s", format_kb(page, a),
                      format_kb((unsigned long long)page * n, a));
}

static uint64_t count_weights(const model *m) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < m->weights.n; i++)
    if (m->weights.at[i].use.only_read && m->weights.at[i].bytes > 0)
      bytes += (uint64_t)m->weights.at[i].bytes;
  return bytes;
}

/* Counts the tensors that operators make. They are in torch's memory, and so are buffers that
 * take it over. */
static unsigned count_results(const model *m) {
  unsigned n = 0;
  for (size_t i = 0; i < m->sites.n; i++) {
    const site *s = &m->sites.at[i];
    for (size_t k = 0; k < s->args.n; k++) n += expected_is_made(m->storage, s, &s->args.at[k]);
  }
  return n;
}

static const char *describe_results(const model *m, arena *a) {
  unsigned n = count_results(m);
  return n ? arena_printf(a, "%u result%s of operators %s in torch's memory, unguarded", n,
                          n == 1 ? "" : "s", n == 1 ? "stays" : "stay")
           : NULL;
}

const char *guard_memory_describe(const model *m, const levels *l, arena *a) {
  const unsigned layouts = AOTIGEN_GUARD_CANARY | AOTIGEN_GUARD_PAGE | AOTIGEN_GUARD_PAGE_BEFORE |
                           AOTIGEN_GUARD_POISON;
  strings parts = {0};
  if (l->guard & AOTIGEN_GUARD_CANARY) *arena_push(a, &parts) = describe_zones(m, a);
  if (l->guard & (AOTIGEN_GUARD_PAGE | AOTIGEN_GUARD_PAGE_BEFORE))
    *arena_push(a, &parts) = describe_pages(m, l, a);
  if (l->guard & AOTIGEN_GUARD_POISON)
    *arena_push(a, &parts) = arena_printf(
        a, "what a run releases, up to %d MiB of it, until its end", AG_RETIRED_MOST >> 20);
  if (l->guard & AOTIGEN_GUARD_INPUTS) *arena_push(a, &parts) = "a copy of the inputs";
  if (l->guard & AOTIGEN_GUARD_WEIGHTS)
    *arena_push(a, &parts) =
        arena_printf(a, "a copy of the weights (%s)", byte_count_format(count_weights(m), a));
  const char *results = l->guard & layouts && !*l->guard_buffers ? describe_results(m, a) : NULL;
  if (results) *arena_push(a, &parts) = results;
  return parts.n ? strings_join(a, &parts, "; ") : NULL;
}

static bool has_memory_named(const model *m, const char *name) {
  for (size_t i = 0; i < m->buffers.n; i++)
    if (!strcmp(m->buffers.at[i].name, name)) return true;
  for (size_t i = 0; i < m->inputs.n; i++)
    if (!strcmp(m->inputs.at[i].name, name)) return true;
  for (size_t i = 0; i < m->weights.n; i++)
    if (!strcmp(m->weights.at[i].name, name)) return true;
  return false;
}

const char *guard_memory_find_unknown(const model *m, const levels *l, arena *a) {
  strings names = split_names(l->guard_buffers, a), unknown = {0};
  for (size_t i = 0; i < names.n; i++)
    if (!has_memory_named(m, names.at[i]))
      *arena_push(a, &unknown) = arena_printf(a, "'%s'", names.at[i]);
  return unknown.n ? strings_join(a, &unknown, ", ") : NULL;
}

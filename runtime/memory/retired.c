/* retired.c - see retired.h. */
#define _GNU_SOURCE
#include "memory/retired.h"

#include "checks/finding.h"
#include "memory/allocate.h"
#include "state/released_buffers.h"
#include "tensor/pattern.h"
#include "shared/limits.h"

/* False for the CPU's pages, which trap; for memory that a tool knows, which must be released so
 * that the tool sees a late access; and for one-byte types, which have no room for a code. */
static bool is_wanted(const ag_buffer *b) {
  const unsigned pages = AOTIGEN_GUARD_PAGE | AOTIGEN_GUARD_PAGE_BEFORE;
  return b->memory.poisoned && !b->memory.named && b->t.dtype->item_size > 1 &&
         (b->t.device_type || !(b->memory.guard & pages));
}

/* ---- fills ---------------------------------------------------------------------------------- */

static bool fill_later(aotigen_run_state *s, const ag_buffer *b, uint32_t word) {
  enum { MOST = sizeof s->memory.retired.fills / sizeof *s->memory.retired.fills };
  if (s->mode != AG_MODE_ASYNC || s->memory.retired.nfills == MOST || !b->t.device_type ||
      b->t.device_index != s->device_index)
    return false;
  ag_fill f = ag_buffer_fill_of(b, word);
  if (f.words) s->memory.retired.fills[s->memory.retired.nfills++] = f;
  return true;
}

static void say_unfilled(const aotigen_run *run, const char *why) {
  if (atomic_exchange(&run->state->model->said.warned.unfilled, true)) return;
  ag_warn(
      "run %llu of %s: released memory could not be filled, and a read of it goes unseen: %.200s",
      (unsigned long long)run->number, run->model->source, why);
}

void ag_retired_fill(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  for (uint32_t i = 0; i < s->memory.retired.nfills; i++) {
    const ag_fill *f = &s->memory.retired.fills[i];
    const char *why = s->model->device.backend->fill(s->device_index, ag_run_stream(run), f->to,
                                                     f->word, f->words);
    if (why) say_unfilled(run, why);
  }
  s->memory.retired.nfills = 0;
}

static bool overlaps(const ag_fill *f, uintptr_t begin, uintptr_t end) {
  return begin < (uintptr_t)f->to + f->words * 4 && end > (uintptr_t)f->to;
}

void ag_retired_fill_before(aotigen_run *run, const ag_view *read) {
  const aotigen_run_state *s = run->state;
  if (read->state != AG_VIEW_OK) return;
  for (uint32_t i = 0; i < s->memory.retired.nfills; i++)
    if (overlaps(&s->memory.retired.fills[i], read->begin, read->end)) {
      ag_retired_fill(run);
      return;
    }
}

/* Forgets the buffer's fills: its memory goes back to torch. */
static void forget_fills(aotigen_run_state *s, const ag_buffer *b) {
  uintptr_t begin = (uintptr_t)b->memory.begin, end = begin + ag_buffer_length(b);
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->memory.retired.nfills; i++)
    if (!overlaps(&s->memory.retired.fills[i], begin, end))
      s->memory.retired.fills[n++] = s->memory.retired.fills[i];
  s->memory.retired.nfills = n;
}

/* ---- what is kept --------------------------------------------------------------------------- */

void ag_retired_poison(aotigen_run *run, ag_buffer *b) {
  ag_evaluation *e = &run->state->evaluation;
  if (!is_wanted(b) || run->state->progress.ending) return; /* no more launches can read it */
  if (!e->released) e->released = ag_released_buffers_create();
  if (!e->released) return;
  uint32_t word = ag_pattern_released_word(b->t.dtype, ag_released_buffers_add(e->released, b));
  const char *why = fill_later(run->state, b, word) ? NULL : ag_buffer_fill(b, run, word);
  b->release.poisoned = !why;
  if (why) say_unfilled(run, why);
}

static void give_oldest(aotigen_run_state *s) {
  ag_buffer *b = s->memory.retired.first;
  s->memory.retired.first = b->next;
  s->memory.retired.bytes -= ag_buffer_length(b);
  forget_fills(s, b);
  ag_buffer_free(b);
}

void ag_retired_take(aotigen_run_state *s, ag_buffer *b) {
  if (!b->release.poisoned || b->memory.in_block) { /* a block is kept by itself */
    ag_buffer_free(b);
    return;
  }
  b->next = NULL;
  if (s->memory.retired.first)
    s->memory.retired.last->next = b;
  else
    s->memory.retired.first = b;
  s->memory.retired.last = b;
  s->memory.retired.bytes += ag_buffer_length(b);
  while (s->memory.retired.bytes > AG_RETIRED_MOST - s->memory.poison.bytes) give_oldest(s);
}

void ag_retired_end(aotigen_run_state *s) {
  s->memory.retired.nfills = 0;
  while (s->memory.retired.first) give_oldest(s);
}

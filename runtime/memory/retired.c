/* retired.c - see retired.h. */
#define _GNU_SOURCE
#include "memory/retired.h"

#include "memory/allocate.h"
#include "state/released_buffers.h"
#include "tensor/pattern.h"

static const size_t most_kept = 256 << 20; /* bytes */

/* Pages of the CPU trap; memory that a tool knows must be released for it to see a late access; a
 * byte has no room for a code. */
static bool is_wanted(const ag_buffer *b) {
  const unsigned pages = AOTIGEN_GUARD_PAGE | AOTIGEN_GUARD_PAGE_BEFORE;
  return b->poisoned && !b->named && b->t.dtype->item_size > 1 &&
         (b->t.device_type || !(b->guard & pages));
}

void ag_retired_poison(aotigen_run *run, ag_buffer *b) {
  ag_evaluation *e = &run->state->evaluation;
  if (!is_wanted(b) || run->state->progress.ending) return; /* no launch is left to read it */
  if (!e->released) e->released = ag_released_buffers_create();
  if (!e->released) return;
  unsigned code = ag_released_buffers_add(e->released, b);
  b->retired = ag_buffer_fill(b, run, ag_pattern_released_word(b->t.dtype, code));
}

static void give_oldest(aotigen_run_state *s) {
  ag_buffer *b = s->retired.first;
  s->retired.first = b->next;
  s->retired.bytes -= b->bytes;
  ag_buffer_free(b);
}

void ag_retired_take(aotigen_run_state *s, ag_buffer *b) {
  if (!b->retired) {
    ag_buffer_free(b);
    return;
  }
  b->next = NULL;
  if (s->retired.first)
    s->retired.last->next = b;
  else
    s->retired.first = b;
  s->retired.last = b;
  s->retired.bytes += b->bytes;
  while (s->retired.bytes > most_kept) give_oldest(s);
}

void ag_retired_end(aotigen_run_state *s) {
  while (s->retired.first) give_oldest(s);
}

/* pattern_read.h - a NaN whose bits are a pattern that --guard puts where no launch should read:
 * memory that was released in the run, and what lies beside a buffer. Inside the library only. */
#ifndef AOTIGEN_PATTERN_READ_H
#define AOTIGEN_PATTERN_READ_H

#include "state/evaluation.h"
#include "state/released_buffers.h"

enum { AG_RELEASED_SHOWN = 3 };

typedef struct ag_pattern_read {
  /* Whose memory it was, the one that was released last first; of two bytes it may be any of
   * several. `n` may be more than there are in `of`. */
  ag_released_buffer of[AG_RELEASED_SHOWN];
  size_t n;
  bool beside;     /* it lies beside a buffer */
  bool by_numbers; /* the CPU made the NaN: of numbers, for it has the bits of no other */
} ag_pattern_read;

/* Where the output's first NaN was read from. */
ag_pattern_read ag_pattern_read_find(ag_evaluation *e, const ag_arg *output);
static inline bool ag_pattern_read_any(const ag_pattern_read *read) {
  return read->n || read->beside;
}

/* Does the first NaN hold the pattern of memory that nothing wrote: memory/unwritten.c reports
 * that.
 */
bool ag_pattern_is_unwritten(ag_evaluation *e, const ag_arg *a, enum ag_when when,
                             const ag_stats *found);

/* Of an argument whose values are known: notes that an input or a weight holds it, as a cache that
 * an earlier run left. */
void ag_pattern_note_given(ag_evaluation *e, const ag_arg *a);

/* What the head of the report says of it. */
const char *ag_pattern_read_name(const ag_pattern_read *read);
/* Lines of the report: the buffers, and when they were written and released. born: a NaN without
 * another cause, which an operator may have read there though it has other bits: a GPU's arithmetic
 * keeps none, the CPU's those of an operand. */
void ag_pattern_read_add(ag_text *t, const ag_evaluation *e, const ag_pattern_read *read,
                         bool born);
void ag_pattern_read_log(ag_evaluation *e, const ag_arg *output, const ag_pattern_read *read);

#endif

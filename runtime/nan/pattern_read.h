/* pattern_read.h - a NaN whose bits are a pattern that --guard puts where no launch should read:
 * memory that was released in the run, and the red zones of a buffer. Inside the library only. */
#ifndef AOTIGEN_PATTERN_READ_H
#define AOTIGEN_PATTERN_READ_H

#include "state/evaluation.h"
#include "state/released_buffers.h"

enum { AG_RELEASED_SHOWN = 3 };

typedef struct ag_pattern_read {
  /* The buffers whose memory it was, the last released first. Two bytes may match several. `n` may
   * exceed the length of `of`. */
  ag_released_buffer of[AG_RELEASED_SHOWN];
  size_t n;
  bool beside;     /* it is a red zone of a buffer */
  bool by_numbers; /* the CPU made the NaN from numbers: its bits are those of no operand */
} ag_pattern_read;

/* Finds where the output's first NaN was read from. */
ag_pattern_read ag_pattern_read_find(ag_evaluation *e, const ag_arg *output);
static inline bool ag_pattern_read_any(const ag_pattern_read *read) {
  return read->n || read->beside;
}

/* True if the first NaN holds the pattern of uninitialised memory, which memory/unwritten.c
 * reports. */
bool ag_pattern_is_unwritten(ag_evaluation *e, const ag_arg *a, enum ag_when when,
                             const ag_stats *found);

/* Notes that an input or a weight holds the pattern, such as a cache that an earlier run filled.
 * The argument's values are known. */
void ag_pattern_note_given(ag_evaluation *e, const ag_arg *a);

/* The words for it in the head of the report. */
const char *ag_pattern_read_name(const ag_pattern_read *read);
/* Lines of the report: the buffers, and when they were written and released. born: a NaN without
 * another cause. An operator may have read it there though its bits differ: a GPU's arithmetic does
 * not propagate them, a CPU's propagates those of an operand. */
void ag_pattern_read_add(ag_text *t, const ag_evaluation *e, const ag_pattern_read *read,
                         bool born);
void ag_pattern_read_log(ag_evaluation *e, const ag_arg *output, const ag_pattern_read *read);

#endif

/* released_read.h - a NaN whose bits are those of memory that was released in the run, with
 * --guard=poison: the launch read it there. Inside the library only. */
#ifndef AOTIGEN_RELEASED_READ_H
#define AOTIGEN_RELEASED_READ_H

#include "state/evaluation.h"
#include "state/released_buffers.h"

enum { AG_RELEASED_SHOWN = 3 };

/* Whose memory the output's first NaN was read from; one of two bytes may be of several buffers. */
typedef struct ag_released_read {
  ag_released_buffer of[AG_RELEASED_SHOWN]; /* the one that was released last first */
  size_t n;                                 /* how many there are, perhaps more than are in `of` */
} ag_released_read;

/* n is 0 where the output holds no such NaN. */
ag_released_read ag_released_read_find(ag_evaluation *e, const ag_arg *output);

/* Lines of the report: the buffers, and when they were written and released. */
void ag_released_read_add(ag_text *t, const ag_evaluation *e, const ag_released_read *r);
void ag_released_read_log(ag_evaluation *e, const ag_arg *output, const ag_released_read *r);

#endif

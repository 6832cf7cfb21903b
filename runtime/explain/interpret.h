/* interpret.h - computes nodes of a kernel's graph at one point of its loops, from the tensors as
 * they are now. Inside the library only.
 *
 * An interpreter is used by one thread while nothing writes to the tensors. What it cannot decide
 * it gives up with the reason, in words, in `why`. It does a bounded amount of work.
 */
#ifndef AOTIGEN_INTERPRET_H
#define AOTIGEN_INTERPRET_H

#include "explain/operators.h"
#include "tensor/tensor.h"

/* What a parameter of the kernel was given. */
typedef struct ag_operand {
  const ag_view *view; /* of a tensor; NULL of a number, and where it is not known */
  bool is_number;
  ag_number number;
} ag_operand;

struct ag_interpreter;
/* What a load has, ag_memory_load(): it solves, and interprets in turn. */
typedef bool ag_interpret_load(struct ag_interpreter *m, int32_t node, ag_number *value);

typedef struct ag_interpreter {
  const ag_graph *g;
  const ag_operand *operands; /* by parameter */
  ag_interpret_load *load;
  int64_t *steps;     /* by loop: the value of its variable */
  bool *bound;        /* by loop: it has one */
  int64_t lane;       /* of all loops over lanes; -1: none */
  ag_number *carried; /* by carried variable */
  bool *running;      /* by carried variable: its loop is executed, so that it has a value */
  ag_number *memo;    /* by node */
  uint32_t *memo_epoch;
  uint32_t epoch, last_epoch;
  int depth, solving;
  uint64_t work, deadline; /* deadline: of the monotonic clock, in nanoseconds */
  char why[160];
} ag_interpreter;

/* False where memory ran out; nothing is to be ended then. */
bool ag_interpreter_begin(ag_interpreter *m, const ag_graph *g, const ag_operand *operands,
                          ag_interpret_load *load);
void ag_interpreter_end(ag_interpreter *m);

/* False where the value is not decided. */
bool ag_interpret(ag_interpreter *m, int32_t node, ag_number *value);
/* The same of an integer. */
bool ag_interpret_whole(ag_interpreter *m, int32_t node, int64_t *value);

/* Loops and lanes get other values: what was computed does not hold any more. */
void ag_interpreter_bind(ag_interpreter *m, int32_t loop, int64_t value);
void ag_interpreter_bind_lane(ag_interpreter *m, int64_t lane);

/* The lanes of the vectors of a loop, or of what a loop below `node` leaves; 0 where that is not
 * known. */
int64_t ag_interpreter_loop_width(const ag_interpreter *m, int32_t loop);
int64_t ag_interpreter_width(const ag_interpreter *m, int32_t node);

typedef bool ag_number_test(ag_number x);

/* The first iteration behind which a loop's variable passes a test. */
typedef struct ag_first {
  bool found;
  int64_t step; /* of its loop */
} ag_first;

/* Executes the loop of an AG_NODE_AFTER until then. stay: loops and variables stay as they were
 * when that iteration began; else, and where none is found, they are as before. */
bool ag_interpret_until(ag_interpreter *m, int32_t after, ag_number_test *is_bad, bool stay,
                        ag_first *first);

bool ag_interpreter_give_up(ag_interpreter *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

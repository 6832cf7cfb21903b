/* interpret.h - computes nodes of a kernel's graph at one point of its loops, from the tensors as
 * they are now. Inside the library only.
 *
 * An interpreter is used by one thread while nothing writes to the tensors. What it cannot decide
 * it gives up with the reason, in words, in `why`. It does a bounded amount of work.
 */
#ifndef AOTIGEN_INTERPRET_H
#define AOTIGEN_INTERPRET_H

#include "explain/bindings.h"
#include "explain/depends.h"
#include "explain/elements.h"
#include "explain/operators.h"
#include "tensor/tensor.h"

/* What a parameter of the kernel was given. */
typedef struct ag_operand {
  const char *name;    /* in reports; NULL where it has none */
  const ag_view *view; /* of a tensor; NULL of a number, and where it is not known */
  const ag_arg *away;  /* the argument, of a tensor in a device's memory */
  bool is_number;
  bool is_gone; /* its memory may have been freed: no element is read */
  ag_number number;
} ag_operand;

/* The first reason why something is not decided, "" where there is none. What was only tried leaves
 * none: it is kept before, and put back. */
typedef struct ag_reason {
  char text[160];
} ag_reason;

struct ag_interpreter;
/* What a load has, or of another node what the kernel stored: ag_memory_load(), which solves, and
 * interprets in turn. */
typedef bool ag_interpret_load(struct ag_interpreter *m, int32_t node, ag_number *value);

typedef struct ag_interpreter {
  const ag_graph *g;
  const ag_operand *operands; /* by parameter */
  ag_interpret_load *load;
  ag_elements *elements; /* of operands that are away; NULL: they cannot be read */
  int64_t *steps;        /* by loop: the value of its variable */
  bool *bound;           /* by loop: it has one */
  uint32_t *stamps;      /* by loop: of what was bound, or unbound, last */
  int64_t lane;          /* of all loops over lanes; -1: none */
  ag_number *carried;    /* by carried variable */
  bool *running;         /* by carried variable: its loop is executed, so that it has a value */
  ag_number *memo;       /* by node */
  uint64_t *memo_key;    /* of what it depended on */
  bool *is_stored;       /* by node: its value was taken from where the kernel stored it */
  uint32_t epoch, last_epoch;
  ag_depends depends;
  bool reordered; /* a sum was computed in another order than the kernel's */
  int depth, solving;
  uint64_t work;
  int64_t deadline; /* of ag_time_us() */
  ag_reason why;
} ag_interpreter;

/* False where memory ran out; nothing is to be ended then. */
bool ag_interpreter_begin(ag_interpreter *m, const ag_graph *g, const ag_operand *operands,
                          ag_interpret_load *load);
void ag_interpreter_end(ag_interpreter *m);

/* False where the value is not decided. */
bool ag_interpret(ag_interpreter *m, int32_t node, ag_number *value);
/* The same of an integer. */
bool ag_interpret_whole(ag_interpreter *m, int32_t node, int64_t *value);
/* Tries it: a value that is not decided leaves no reason. */
bool ag_interpret_quietly(ag_interpreter *m, int32_t node, ag_number *value);
/* The node has that value until a loop or lane on which it depends gets another. */
void ag_interpreter_assume(ag_interpreter *m, int32_t node, ag_number value);

/* The iterations of a loop: low, low + step, ... below high. */
typedef struct ag_span {
  int64_t low, high, step; /* step: at least 1 */
} ag_span;

/* False where they are not known, with the reason in m->why. */
bool ag_interpreter_find_span(ag_interpreter *m, int32_t loop, ag_span *s);

typedef bool ag_number_test(ag_number x);

/* Is there time left; else gives up. */
bool ag_interpreter_may_go_on(ag_interpreter *m);

/* The first iteration behind which a loop's variable passes a test. */
typedef struct ag_first {
  bool found;
  int64_t step; /* of its loop */
} ag_first;

/* Executes the loop of an NODE_AFTER, or of an NODE_CARRIED up to its iteration, until then.
 * stay: loops and variables stay as they were when that iteration began; else, and where none is
 * found, they are as before. */
bool ag_interpret_until(ag_interpreter *m, int32_t node, ag_number_test *is_bad, bool stay,
                        ag_first *first);

/* How a reduction over a block went. */
typedef struct ag_reduced {
  ag_number value;  /* with all, or up to the element that made it bad */
  ag_number before; /* without that element */
  bool found;       /* it went bad */
  bool first;       /* at the first element */
  int64_t place;    /* there: the place in the block, of several tiles in the last */
} ag_reduced;

/* Executes it until its result passes the test. stay: the loops stay at the element that did it. */
bool ag_interpret_reduction(ag_interpreter *m, const ag_reduction *reduction,
                            ag_number_test *is_bad, bool stay, ag_reduced *to);

#endif

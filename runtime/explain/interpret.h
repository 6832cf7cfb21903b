/* interpret.h - computes nodes of a kernel's graph at one point of its loops, from the tensors as
 * they are now. Inside the library only.
 *
 * An interpreter is used by one thread while nothing writes to the tensors. It gives up on what it
 * cannot decide, and `why` has the reason in words. It does a bounded amount of work. */
#ifndef AOTIGEN_INTERPRET_H
#define AOTIGEN_INTERPRET_H

#include "explain/bindings.h"
#include "explain/depends.h"
#include "explain/elements.h"
#include "explain/operators.h"
#include "tensor/tensor.h"

/* The argument for a parameter of the kernel. */
typedef struct ag_operand {
  const char *name;    /* in reports; NULL if it has none */
  const ag_view *view; /* the tensor; NULL for a number, or if it is not known */
  const ag_arg *away;  /* the argument, for a tensor in a device's memory */
  bool is_number;
  bool is_gone; /* its memory may have been freed: no element is read */
  ag_number number;
} ag_operand;

/* The first reason why something is not decided, "" if there is none. A tentative evaluation leaves
 * none: it saves and restores the reason. */
typedef struct ag_reason {
  char text[160];
  bool overwritten; /* the launch overwrote what is read, and there is no copy of it */
} ag_reason;

struct ag_interpreter;
/* The value of a load; for another node, the value that the kernel stored. This is
 * ag_memory_load(), which solves and interprets in turn. */
typedef bool ag_interpret_load(struct ag_interpreter *m, int32_t node, ag_number *value);

/* Where the loops stand. */
typedef struct ag_interpreter_loops {
  int64_t *steps;   /* by loop: the value of its variable */
  bool *bound;      /* by loop: its variable has a value */
  uint32_t *stamps; /* by loop: changes when it is bound or unbound */
  int64_t lane;     /* the current lane of all loops over lanes; -1 if none is bound */
} ag_interpreter_loops;

/* By carried variable. */
typedef struct ag_interpreter_carried {
  ag_number *values;
  bool *running; /* its loop is being executed, so it has a value */
} ag_interpreter_carried;

/* By node: what was computed, to be used while nothing that it depends on has changed. */
typedef struct ag_interpreter_memo {
  ag_number *values;
  uint64_t *keys;  /* the key of what `values` depended on */
  bool *is_stored; /* its value was read from where the kernel stored it */
  uint32_t epoch, last_epoch;
} ag_interpreter_memo;

typedef struct ag_interpreter {
  const ag_graph *g;
  const ag_operand *operands; /* by parameter */
  ag_interpret_load *load;
  ag_elements *elements;      /* for operands that are away; NULL: they cannot be read */
  const struct ag_kept *kept; /* copies of what the launch overwrote; `nkept` of them */
  unsigned nkept;
  ag_interpreter_loops loops;
  ag_interpreter_carried carried;
  ag_interpreter_memo memo;
  ag_depends depends;
  bool reordered; /* a sum was computed in another order than the kernel's */
  bool
      overwritten; /* something was read that the launch overwrote, and of which there is no copy */
  int depth, solving;
  uint64_t work, work_most; /* as work.h counts */
  ag_reason why;
} ag_interpreter;

/* False if memory ran out; nothing is to be ended then. */
bool ag_interpreter_begin(ag_interpreter *m, const ag_graph *g, const ag_operand *operands,
                          ag_interpret_load *load);
void ag_interpreter_end(ag_interpreter *m);

/* False if the value is not decided. */
bool ag_interpret(ag_interpreter *m, int32_t node, ag_number *value);
/* The same for an integer. */
bool ag_interpret_whole(ag_interpreter *m, int32_t node, int64_t *value);
/* The same, but a value that is not decided leaves no reason. */
bool ag_interpret_quietly(ag_interpreter *m, int32_t node, ag_number *value);
/* Sets the node's value until a loop or lane that it depends on changes. */
void ag_interpreter_assume(ag_interpreter *m, int32_t node, ag_number value);

/* The iterations of a loop: low, low + step, ... below high. */
typedef struct ag_span {
  int64_t low, high, step; /* step: at least 1 */
} ag_span;

/* False if they are not known; m->why has the reason. */
bool ag_interpreter_find_span(ag_interpreter *m, int32_t loop, ag_span *s);

typedef bool ag_number_test(ag_number x);

/* Counts one value. True if more may be computed; otherwise gives up. */
bool ag_interpreter_may_go_on(ag_interpreter *m);

/* The first iteration after which a loop's variable passes a test. */
typedef struct ag_first {
  bool found;
  int64_t step; /* the iteration of its loop */
} ag_first;

/* Executes the loop of a NODE_AFTER, or that of a NODE_CARRIED up to its iteration, until the test
 * passes. stay: loops and variables keep their values from the start of that iteration. Otherwise,
 * or if no iteration is found, they are restored. */
bool ag_interpret_until(ag_interpreter *m, int32_t node, ag_number_test *is_bad, bool stay,
                        ag_first *first);

/* The result of a reduction over a block. */
typedef struct ag_reduced {
  ag_number value;  /* over all elements, or up to the one that made it bad */
  ag_number before; /* without that element */
  bool found;       /* it went bad */
  bool first;       /* the first element made it bad */
  int64_t place; /* the place of that element in the block; with several tiles, in the last one */
} ag_reduced;

/* Executes the reduction until its result passes the test. stay: the loops stay at that element. */
bool ag_interpret_reduction(ag_interpreter *m, const ag_reduction *reduction,
                            ag_number_test *is_bad, bool stay, ag_reduced *to);

#endif

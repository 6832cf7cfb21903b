/* bindings.h - the iteration of each loop, and the lane, that an interpreter is in. Inside the
 * library only. */
#ifndef AOTIGEN_BINDINGS_H
#define AOTIGEN_BINDINGS_H

#include <stdbool.h>
#include <stdint.h>

struct ag_interpreter;

/* Binds or unbinds loops and lanes. Invalidates what was computed with their old values. */
void ag_interpreter_bind(struct ag_interpreter *m, int32_t loop, int64_t value);
void ag_interpreter_bind_lane(struct ag_interpreter *m, int64_t lane);
void ag_interpreter_unbind(struct ag_interpreter *m, int32_t loop);
void ag_interpreter_unbind_all(struct ag_interpreter *m);

/* The value of a loop's variable, which is bound or follows from those that are. */
bool ag_interpreter_find_step(struct ag_interpreter *m, int32_t loop, int64_t *value);

/* Replaces the binding of elements by that of their place in a block and of the block, for all
 * loops over elements of the blocks of `tile` or `over`; -1: none. */
void ag_interpreter_split(struct ag_interpreter *m, int32_t tile, int32_t over);

/* The loops that are bound and running, to be restored. */
typedef struct ag_bindings {
  int64_t *steps;
  bool *bound, *running;
  uint32_t *stamps;
  int64_t lane;
  uint32_t epoch;
} ag_bindings;

/* False if memory ran out; then it must not be dropped. */
bool ag_bindings_save(struct ag_interpreter *m, ag_bindings *s);
void ag_bindings_restore(struct ag_interpreter *m, const ag_bindings *s);
void ag_bindings_drop(ag_bindings *s);

/* Stores the reason if it is the first one why something is not decided. Returns false. */
bool ag_interpreter_give_up(struct ag_interpreter *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

/* bindings.h - in which iteration of each loop, and on which lane, an interpreter is. Inside the
 * library only.
 */
#ifndef AOTIGEN_BINDINGS_H
#define AOTIGEN_BINDINGS_H

#include <stdbool.h>
#include <stdint.h>

struct ag_interpreter;

/* Loops and lanes get other values: what was computed of them does not hold any more. */
void ag_interpreter_bind(struct ag_interpreter *m, int32_t loop, int64_t value);
void ag_interpreter_bind_lane(struct ag_interpreter *m, int64_t lane);
void ag_interpreter_unbind(struct ag_interpreter *m, int32_t loop);
void ag_interpreter_unbind_all(struct ag_interpreter *m);

/* The value of a loop's variable: bound, or what follows from those that are. */
bool ag_interpreter_find_step(struct ag_interpreter *m, int32_t loop, int64_t *value);

/* Elements that are bound are then told by their place in a block, and by the block: of all loops
 * over elements of the blocks of `tile`, and of those over the blocks of `over`; -1: none. */
void ag_interpreter_split(struct ag_interpreter *m, int32_t tile, int32_t over);

/* What is bound and running, to be put back. */
typedef struct ag_bindings {
  int64_t *steps;
  bool *bound, *running;
  uint32_t *stamps;
  int64_t lane;
  uint32_t epoch;
} ag_bindings;

/* False where memory ran out; then it is not to be dropped. */
bool ag_bindings_save(struct ag_interpreter *m, ag_bindings *s);
void ag_bindings_restore(struct ag_interpreter *m, const ag_bindings *s);
void ag_bindings_drop(ag_bindings *s);

/* Notes the first reason why something is not decided. False. */
bool ag_interpreter_give_up(struct ag_interpreter *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif

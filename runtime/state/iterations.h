/* iterations.h - the current iteration of each loop of a run. Inside the library only.
 *
 * A loop's iterations are counted by the site that each of them executes first, whether the filter
 * selects it or not. An iteration of an outer loop restarts the loops within it. */
#ifndef AOTIGEN_ITERATIONS_H
#define AOTIGEN_ITERATIONS_H

#include "state/launch.h"

enum { AG_LOOPS = 64 /* the most loops of a model whose iterations are counted */ };

typedef struct ag_iterations {
  uint32_t of[AG_LOOPS]; /* by number of the loop, less 1; 0: none has begun */
} ag_iterations;

static inline bool ag_loop_is_counted(const aotigen_scope *s) {
  return s->loop && s->loop <= AG_LOOPS;
}

/* The site, which heads its loop, is about to be executed. */
void ag_iterations_count(ag_iterations *it, const aotigen_model *m, const aotigen_site *site);

/* Sets `iteration` of a launch of the site, for the innermost loops around it. */
void ag_iterations_note(const ag_iterations *it, const aotigen_site *site, ag_launch *l);

#endif

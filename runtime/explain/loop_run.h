/* loop_run.h - the variables of one loop of a kernel's graph, while it is executed. Inside the
 * library only.
 */
#ifndef AOTIGEN_LOOP_RUN_H
#define AOTIGEN_LOOP_RUN_H

#include "explain/depends.h"
#include "explain/operators.h"

enum { LOOP_CARRIED = 64 };

typedef struct ag_loop_run {
  int32_t list[LOOP_CARRIED]; /* their numbers */
  ag_number next[LOOP_CARRIED], outer[LOOP_CARRIED], last[LOOP_CARRIED];
  int n;
} ag_loop_run;

/* Lists the variables that `wanted` is computed from, by nodes below `after`. In C++, a number does
 * not depend on vectors. False if there are more than LOOP_CARRIED. */
bool ag_loop_run_list(ag_loop_run *run, const ag_graph *g, const ag_depends *d, int32_t after,
                      int32_t wanted);

#endif

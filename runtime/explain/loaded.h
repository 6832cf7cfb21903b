/* loaded.h - stores through an index that the kernel loads, as those of index_put and scatter:
 * finds the iteration of one. Inside the library only. */
#ifndef AOTIGEN_LOADED_H
#define AOTIGEN_LOADED_H

#include "explain/solve.h"

enum { AG_LOADED_MOST = 4 };

/* What an index depends on that the kernel loads: the loads, and the loops that decide these. */
typedef struct ag_loaded {
  int32_t loads[AG_LOADED_MOST], loops[AG_LOADED_MOST];
  bool decides[AG_LOADED_MOST]; /* by loop: it decides which element is loaded, not only whether */
  int nloads, nloops;
} ag_loaded;

/* False if the index of an access has no such loads, or depends on more. */
bool ag_loaded_list(const ag_graph *g, int32_t index, ag_loaded *l);

/* For a store or an atomic operation whose index is loaded: binds the loops to the last iteration
 * in which it touches element `index`, and stores, or adds, a value that passes the test.
 * AG_SOLVED_NOT: it surely does not touch it. It goes through all iterations of the loops that
 * decide the index. */
enum ag_solved ag_loaded_solve(ag_interpreter *m, const ag_graph_access *x, int64_t index,
                               ag_number_test *is_bad);

#endif

/* loaded.h - stores through an index that the kernel loads, as those of index_put and scatter:
 * finds the iteration of one, also of one that adds to the element. Inside the library only. */
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

/* How an access adds to the element that it touches. */
typedef struct ag_added {
  int32_t term;            /* the node that is added */
  bool is_sum;             /* the term does not pass the test, but the sum does */
  ag_number before, after; /* the sum, without and with it */
} ag_added;

/* The node that an atomic operation adds, or a store to what it loaded from the same element; -1 if
 * the access does something else. */
int32_t ag_loaded_find_term(const ag_graph *g, const ag_graph_access *x);

/* For an access with such a term, whose index is loaded: adds up its terms in the order of the
 * iterations, from what the element held before, until the sum passes the test. AG_SOLVED: the
 * loops are bound to that iteration. If it is not known what the element held, a term that passes
 * is searched for, as by ag_loaded_solve(). */
enum ag_solved ag_loaded_add_up(ag_interpreter *m, const ag_graph_access *x, int64_t index,
                                ag_number_test *is_bad, ag_added *a);

#endif

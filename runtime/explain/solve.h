/* solve.h - finds the iteration in which a kernel stores to an element. Inside the library only. */
#ifndef AOTIGEN_SOLVE_H
#define AOTIGEN_SOLVE_H

#include "explain/interpret.h"

enum ag_solved { AG_SOLVED, AG_SOLVED_NOT, AG_SOLVED_UNDECIDED };

/* Binds the interpreter's loops to where the access touches element `index`. AG_SOLVED_NOT: it
 * surely does not touch it. */
enum ag_solved ag_solve(ag_interpreter *m, const ag_graph_access *x, int64_t index);

/* The same for an access that several iterations may make: binds to the least. False if none is
 * known. */
bool ag_solve_any(ag_interpreter *m, const ag_graph_access *access, int64_t index);

/* The same as ag_solve(), but loops that are bound stay so. */
enum ag_solved ag_solve_within(ag_interpreter *m, const ag_graph_access *x, int64_t index);

/* The iterations of a loop of any kind in which the access may be made; for one over lanes, the
 * lanes. False if they are not known. */
bool ag_solve_find_span(ag_interpreter *m, const ag_graph_access *x, int32_t loop, ag_span *all);

#endif

/* solve.h - finds the iteration in which a kernel stores to an element. Inside the library only. */
#ifndef AOTIGEN_SOLVE_H
#define AOTIGEN_SOLVE_H

#include "explain/interpret.h"

enum ag_solved { AG_SOLVED, AG_SOLVED_NOT, AG_SOLVED_UNDECIDED };

/* Binds the loops of the interpreter to where the access touches element `index`. AG_SOLVED_NOT: it
 * surely touches it nowhere. */
enum ag_solved ag_solve(ag_interpreter *m, const ag_graph_access *x, int64_t index);

/* The same of an access that several iterations may make: to the least of them. False where none is
 * known. */
bool ag_solve_any(ag_interpreter *m, const ag_graph_access *access, int64_t index);

#endif

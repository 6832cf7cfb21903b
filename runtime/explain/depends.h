/* depends.h - what each node of a kernel's graph depends on. In a Triton kernel, a value is
 * computed once as long as these do not change. Inside the library only. */
#ifndef AOTIGEN_DEPENDS_H
#define AOTIGEN_DEPENDS_H

#include "explain/reduction.h"

/* It depends on more than loops, or on a loop that has no bit. */
#define AG_DEPENDS_ALL (UINT64_C(1) << 63)

typedef struct ag_depends {
  uint64_t *loops; /* by node: bit i for loop i, or AG_DEPENDS_ALL */
  uint64_t *open;  /* by node: bit i % 64 if it depends on carried variable i of a loop around it */
  uint64_t *carried;        /* by carried variable: as `loops` */
  ag_reduction *reductions; /* by node; `n` is 0 if the node is not a reduction */
  bool *lost;               /* by node: it depends on memory that the kernel itself overwrote */
  int32_t *stored;          /* by node: the access that stored its value, or -1 */
  bool *of_lanes; /* by carried variable of C++: it is a vector, with one value per lane */
} ag_depends;

/* False if memory ran out; nothing is to be freed then. In C++, `loops` is AG_DEPENDS_ALL. */
bool ag_depends_begin(ag_depends *d, const ag_graph *g);
void ag_depends_end(ag_depends *d);

#endif

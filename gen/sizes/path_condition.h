/* path_condition.h - at which sizes the wrapper comes to a call: the conditions of the branches
 * around it.
 */
#ifndef GEN_SIZES_PATH_CONDITION_H
#define GEN_SIZES_PATH_CONDITION_H

#include "sizes/blocks.h"
#include "sizes/sizes.h"

enum { PATH_CONDITION_MAX = 16 };

typedef struct path_condition {
  struct path_condition_part {
    const poly *x, *y;
    char op[3];
    bool holds; /* or else the opposite does */
  } at[PATH_CONDITION_MAX];
  int n;
  size_t unfollowed; /* where a condition stands that is not followed, 0 for none */
} path_condition;

/* Of a call at an offset. A bool that is read from a tensor may be either. */
void path_condition_read(path_condition *t, sizes *z, size_t at);

/* Does each part hold at s->values. */
bool path_condition_holds(const path_condition *t, const symbols *s);

#endif

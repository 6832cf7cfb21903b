/* path_condition.h - the sizes at which the wrapper reaches a call: the conditions of the branches
 * around it.
 */
#ifndef GEN_SIZES_PATH_CONDITION_H
#define GEN_SIZES_PATH_CONDITION_H

#include "sizes/sizes.h"

enum { PATH_CONDITION_MAX = 16 };

typedef struct path_condition {
  struct path_condition_part {
    const poly *x, *y;
    char op[3];
    bool holds; /* true where the condition must hold, false where it must not */
  } at[PATH_CONDITION_MAX];
  int n;
  size_t unfollowed; /* the offset of a condition that is not followed, 0 for none */
} path_condition;

/* Reads the path condition of the call at an offset. A bool that is read from a tensor may have
 * either value. */
void path_condition_read(path_condition *t, sizes *z, size_t at);

/* True if each part holds in the example. */
bool path_condition_holds(const path_condition *t, const symbols *s, const symbol_values *example);

#endif

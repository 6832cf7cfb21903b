/* taken.h - at which sizes the wrapper comes to a call: the conditions of the branches around it.
 */
#ifndef GEN_SIZES_TAKEN_H
#define GEN_SIZES_TAKEN_H

#include "sizes/blocks.h"
#include "sizes/sizes.h"

enum { TAKEN_MAX = 16 };

typedef struct taken {
  struct taken_part {
    const poly *x, *y;
    char op[3];
    bool holds; /* or else the opposite does */
  } at[TAKEN_MAX];
  int n;
  size_t unfollowed; /* where a condition stands that is not followed, 0 for none */
} taken;

/* Of a call at an offset. A bool that is read from a tensor may be either. */
void taken_read(taken *t, sizes *z, size_t at);

/* Does each part hold at s->values. */
bool taken_holds(const taken *t, const symbols *s);

#endif

/* explained.h - what an explanation found, beside its text. Inside the library only. */
#ifndef AOTIGEN_EXPLAINED_H
#define AOTIGEN_EXPLAINED_H

#include <stdbool.h>
#include <stdint.h>

struct ag_arg;

typedef struct ag_explained {
  int32_t operation; /* where the badness begins, by its place in the text of the kernel's graph; -1
                        if it is not known, or is none of the kernel's */
  bool is_known;     /* the operation was shown, also that of a call */
  bool takes_infinity;           /* it was computed from an Inf: */
  bool makes_infinity;           /* each Inf among its operands is of the launch itself */
  const struct ag_arg *infinity; /* or one of them, or the Inf that is explained, was loaded from
                                    this argument; NULL: that is not known */
  uint64_t work;                 /* as work.h counts */
} ag_explained;

#define AG_NOT_EXPLAINED ((ag_explained){.operation = -1})

#endif

/* assumptions.h - the bounds of a size that only a run tells, as far as the wrapper throws where
 * they do not hold. */
#ifndef GEN_SIZES_ASSUMPTIONS_H
#define GEN_SIZES_ASSUMPTIONS_H

#include "sizes/sizes_reader.h"

/* Narrows a symbol by the checks of the variable that stand between the two offsets: if (!(u0 <=
 * 134217728L)) { throw ... }. The bounds hold wherever the variable is used behind them. */
void assumptions_read(const sizes *z, int number, int var, size_t from, size_t at);

#endif

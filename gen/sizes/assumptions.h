/* assumptions.h - what a wrapper throws on of a size that only a run tells. */
#ifndef GEN_SIZES_ASSUMPTIONS_H
#define GEN_SIZES_ASSUMPTIONS_H

#include "sizes/sizes_reader.h"

/* Narrows a symbol by what the text between the two offsets makes sure of the variable, wherever it
 * is used behind that: if (!(u0 <= 134217728L)) { throw ... } */
void assumptions_read(const sizes *z, int number, int var, size_t from, size_t at);

#endif

/* promises.h - what a wrapper throws on of a size that only a run tells. */
#ifndef GEN_CHECK_PROMISES_H
#define GEN_CHECK_PROMISES_H

#include "check/poly.h"
#include "parse/facts.h"

/* Narrows a symbol by what the text between the two offsets makes sure of `name`:
 * if (!(u0 <= 134217728L)) { throw ... } */
void promises_read(const facts *f, symbols *s, int number, const char *name, size_t from,
                   size_t at);

#endif

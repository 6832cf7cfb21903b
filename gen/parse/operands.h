/* atoms.h - what an expression is made of: the tensors that it hands over, however they are
 * wrapped.
 *
 * Part of the scan. Looks through casts, conversions, wrappers, arrays, addresses and the variables
 * in between; never through what asks a tensor something (sizes, strides), for that hands no tensor
 * over.
 */
#ifndef GEN_ATOMS_H
#define GEN_ATOMS_H

#include "parse/facts.h"
#include "parse/translation_unit.h"

typedef struct atoms {
  facts *f;
  const tu *t;
  arena *a;
} atoms;

typedef struct atom_list {
  atom *at;
  size_t n, cap;
} atom_list;

/* Appends the atoms of expression `e`. */
void atoms_collect(const atoms *s, CXCursor e, atom_list *to);

/* The variable that `declaration` declares, or -1 where it is none of the wrapper's own. */
int atoms_variable(const atoms *s, CXCursor declaration);

/* The first variable of the wrapper's own that expression `e` mentions, or -1. */
int atoms_first_variable(const atoms *s, CXCursor e);

/* What a type holds; `canonical` gets its spelling without reference and outer const. */
enum holds atoms_holds(CXType type, arena *a, const char **canonical);

/* Copies a string of libclang's, and disposes of it. */
const char *atoms_spelled(arena *a, CXString s);

/* The span of a cursor in the wrapper's text; false where it is elsewhere. */
bool atoms_span(const tu *t, CXCursor c, span *s);

/* May this text be evaluated a second time: no assignment, and no call but of std:: and c10::
 * functions and casts. */
bool atoms_pure(const char *text, span s);

#endif

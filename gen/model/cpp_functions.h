/* definitions.h - which functions a C++ text defines, and where: C++ kernels stand in the wrapper
 * or in a file beside it. */
#ifndef GEN_DEFINITIONS_H
#define GEN_DEFINITIONS_H

#include "parse/facts.h"

typedef struct definition {
  const char *name;
  span lines; /* from the start of the line that names it to past its closing brace */
  span body;  /* from { to } */
} definition;

typedef struct definitions {
  const char *text;
  struct {
    definition *at;
    size_t n, cap;
  } list; /* by name */
} definitions;

/* Reads the n bytes at `text` once; NULL defines nothing. `text` must live as long as `d`. */
void definitions_read(definitions *d, const char *text, size_t n, arena *a);

/* The function of that name, of several the first; NULL where there is none. */
const definition *definitions_named(const definitions *d, const char *name);

#endif

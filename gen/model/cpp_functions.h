/* cpp_functions.h - the functions that a C++ text defines, and where. C++ kernels are in the
 * wrapper or in a neighbouring file. */
#ifndef GEN_CPP_FUNCTIONS_H
#define GEN_CPP_FUNCTIONS_H

#include "parse/facts.h"

typedef struct cpp_function {
  const char *name;
  span lines;    /* from the start of the line that names it to past its closing brace */
  size_t offset; /* the offset of its name */
  span body;     /* from { to } */
} cpp_function;

typedef struct cpp_functions {
  const char *text;
  arena_list(cpp_function) list; /* sorted by name */
} cpp_functions;

/* Reads the n bytes at `text` once. A NULL text defines nothing. `text` must live as long as
 * `d`. */
void cpp_functions_read(cpp_functions *d, const char *text, size_t n, arena *a);

/* The first function of that name, or NULL. */
const cpp_function *cpp_functions_find(const cpp_functions *d, const char *name);

#endif

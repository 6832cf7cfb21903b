/* cpp_functions.h - which functions a C++ text defines, and where: C++ kernels stand in the wrapper
 * or in a file beside it. */
#ifndef GEN_CPP_FUNCTIONS_H
#define GEN_CPP_FUNCTIONS_H

#include "parse/facts.h"

typedef struct cpp_function {
  const char *name;
  span lines;    /* from the start of the line that names it to past its closing brace */
  size_t offset; /* of its name */
  span body;     /* from { to } */
} cpp_function;

typedef struct cpp_functions {
  const char *text;
  struct {
    cpp_function *at;
    size_t n, cap;
  } list; /* sorted by name */
} cpp_functions;

/* Reads the n bytes at `text` once; NULL defines nothing. `text` must live as long as `d`. */
void cpp_functions_read(cpp_functions *d, const char *text, size_t n, arena *a);

/* The function of that name, of several the first; NULL where there is none. */
const cpp_function *cpp_functions_find(const cpp_functions *d, const char *name);

#endif

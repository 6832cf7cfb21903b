/* elements.h - the elements that a user requests, as text: "3:buf0[2, 3]; *gelu*:buf1[0]". Any
 * thread may call. */
#ifndef AOTIGEN_SHARED_ELEMENTS_H
#define AOTIGEN_SHARED_ELEMENTS_H

#include "shared/glob.h"
#include <stdint.h>

enum { AG_ELEMENT_DIMS = 64 };

#define AG_ELEMENTS_WANTED                                                                         \
  "launches and elements such as 3:buf0[2,3] or *gelu*:buf1[0], separated by ;"

/* One element. Its parts are slices of the text, without the blanks around them. */
typedef struct ag_element {
  ag_slice text;    /* "3:buf0[2, 3]" */
  ag_slice kernels; /* "3" or "*gelu*" */
  uint64_t launch;  /* 0: those that the filter `kernels` selects */
  ag_slice name;    /* the tensor's */
  int64_t index[AG_ELEMENT_DIMS];
  int rank;
} ag_element;

enum ag_element_found { AG_ELEMENT_END, AG_ELEMENT_READ, AG_ELEMENT_WRONG };

/* Reads the next element of *list, and advances *list. At the end *list stays. */
enum ag_element_found ag_element_next(const char **list, ag_element *e);

#endif

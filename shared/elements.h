/* elements.h - elements that a user asks for, as text: "3:buf0[2, 3]; *gelu*:buf1[0]". Any thread
 * may call. */
#ifndef AOTIGEN_SHARED_ELEMENTS_H
#define AOTIGEN_SHARED_ELEMENTS_H

#include "shared/glob.h"
#include <stdint.h>

enum { AG_ELEMENT_DIMS = 64 };

#define AG_ELEMENTS_WANTED                                                                         \
  "launches and elements such as 3:buf0[2,3] or *gelu*:buf1[0], separated by ;"

/* One of them. Its parts lie in the text, without the blanks around them. */
typedef struct ag_element {
  ag_slice text;    /* "3:buf0[2, 3]" */
  ag_slice kernels; /* "3" or "*gelu*" */
  uint64_t launch;  /* 0: those that `kernels`, a filter, selects */
  ag_slice name;    /* of the tensor */
  int64_t index[AG_ELEMENT_DIMS];
  int rank;
} ag_element;

enum ag_element_found { AG_ELEMENT_END, AG_ELEMENT_READ, AG_ELEMENT_WRONG };

/* The next element of *list, which moves past it. At the end *list stays. */
enum ag_element_found ag_element_next(const char **list, ag_element *e);

#endif

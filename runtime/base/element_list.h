/* element_list.h - the elements of a text of shared/elements.h, as a list of its own memory. Any
 * thread may call.
 */
#ifndef AOTIGEN_ELEMENT_LIST_H
#define AOTIGEN_ELEMENT_LIST_H

#include "shared/elements.h"

typedef struct ag_element_request {
  char *text;      /* "3:buf0[2, 3]" */
  uint64_t launch; /* 0: those that the filter `kernels` selects */
  char *kernels;
  char *name; /* the tensor's */
  int64_t index[AG_ELEMENT_DIMS];
  int rank;
} ag_element_request;

typedef struct ag_element_list {
  ag_element_request *at;
  int n;
} ag_element_list;

/* False if the text does not have this form, or memory ran out; nothing is to be freed then. An
 * empty text gives an empty list. */
bool ag_element_list_read(ag_element_list *l, const char *text);
void ag_element_list_free(ag_element_list *l);

#endif

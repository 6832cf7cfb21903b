/* assert_search.h - finds where an assert of a kernel fails. Inside the library only. */
#ifndef AOTIGEN_ASSERT_SEARCH_H
#define AOTIGEN_ASSERT_SEARCH_H

#include "explain/interpret.h"

enum ag_searched {
  AG_FAILS,        /* the interpreter's loops are bound to where it fails */
  AG_FAILS_AT,     /* an element makes it fail, if the kernel reads it: which iteration is open */
  AG_FAILS_NOWHERE /* or that is not decided, m->why says why */
};

typedef struct ag_failure {
  int32_t holds; /* the condition, of one lane */
  int32_t load;  /* AG_FAILS_AT: the node that loads the element, */
  int64_t flat;  /* which of its tensor's elements that is, */
  int64_t value; /* and what it holds */
} ag_failure;

/* Where the elements of one tensor of integers decide, these are looked through, and the first that
 * fails is found; else the iterations, in their order. */
enum ag_searched ag_assert_search(ag_interpreter *m, const ag_graph_assert *a, ag_failure *f);

/* Calls `visit` with each load, and variable of a loop, that the node is computed from. deep: also
 * with those that decide which element a load reads. */
typedef void ag_visit_leaf(void *data, int32_t node);
bool ag_assert_each_leaf(ag_interpreter *m, int32_t node, bool deep, ag_visit_leaf *visit,
                         void *data);

#endif

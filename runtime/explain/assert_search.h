/* assert_search.h - finds where an assert of a kernel fails. Inside the library only. */
#ifndef AOTIGEN_ASSERT_SEARCH_H
#define AOTIGEN_ASSERT_SEARCH_H

#include "explain/interpret.h"

enum ag_searched {
  AG_FAILS,        /* the interpreter's loops are bound to where it fails */
  AG_FAILS_AT,     /* an element makes it fail if the kernel reads it; the iteration is not known */
  AG_FAILS_NOWHERE /* it does not fail, or that is not decided and m->why says why */
};

typedef struct ag_failure {
  int32_t holds; /* the condition, in one lane */
  int32_t load;  /* AG_FAILS_AT: the node that loads the element */
  int64_t flat;  /* the index of the element in its tensor */
  int64_t value; /* the value of the element */
} ag_failure;

/* Finds where the assert fails. If the elements of one tensor of integers decide it, searches them
 * for the first that fails; otherwise searches the iterations, in their order. */
enum ag_searched ag_assert_search(ag_interpreter *m, const ag_graph_assert *a, ag_failure *f);

/* Calls `visit` with each load and each loop variable that the node is computed from. deep: also
 * with those that select the element a load reads. */
typedef void ag_visit_leaf(void *data, int32_t node);
bool ag_assert_each_leaf(ag_interpreter *m, int32_t node, bool deep, ag_visit_leaf *visit,
                         void *data);

#endif

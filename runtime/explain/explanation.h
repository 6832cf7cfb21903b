/* explanation.h - a launch's kernel as a graph, with the launch's arguments: the start of each
 * explanation. Inside the library only. */
#ifndef AOTIGEN_EXPLANATION_H
#define AOTIGEN_EXPLANATION_H

#include "explain/interpret.h"
#include "explain/loaded.h"
#include "state/launch_record.h"

typedef struct explanation {
  const ag_record *r;
  const aotigen_graph *from;
  const ag_arg *out; /* the argument whose element is explained, or NULL */
  ag_graph g;
  ag_operand *operands;
  const ag_element_source *source; /* reads what is in a device's memory; NULL: it is not read */
  ag_elements elements;
} explanation;

/* from: reads what is in a device's memory; NULL: it is not read. False if the site launches no
 * kernel whose graph is known, or memory ran out; nothing is to be ended then. A launch that is not
 * yet evaluated may still write to the operands. */
bool ag_explanation_begin(explanation *answer, const ag_record *record,
                          const ag_element_source *from);
void ag_explanation_end(explanation *answer);

/* Begins an interpreter of the graph with these arguments, and with the copies of what the launch
 * overwrote. False if memory ran out; nothing is to be ended then. */
bool ag_explanation_interpret(explanation *answer, ag_interpreter *m);

/* The argument for a parameter of the kernel, or NULL. */
const ag_arg *ag_explanation_arg(const explanation *answer, int32_t param);
/* Its name in reports, or NULL. data: the explanation. */
const char *ag_explanation_name(void *data, int32_t param);

/* True if the tensor is in the host's memory or `from` can read it. */
bool ag_explanation_can_read(const ag_arg *a, const ag_element_source *from);

/* Reads element `flat` of answer->out as the launch left it. False if it cannot be read. */
bool ag_explanation_read(const explanation *answer, int64_t flat, ag_number *found);

/* How a kernel stored an element. */
typedef struct ag_stored {
  const ag_graph_access *access;
  int32_t value; /* the node that it stored, or added */
  ag_added sum;  /* if sum.is_sum: what it added that to, and the sum */
} ag_stored;

/* Finds the last store of the kernel to element `flat` of answer->out, and binds the interpreter's
 * loops to it. Through an index that the kernel loads: the last one of a value that passes the
 * test, or the first one that adds a value with which the sum passes it; such stores are not found
 * if is_bad is NULL. False if it is not known; m->why says why. */
bool ag_explanation_find_store(const explanation *answer, ag_interpreter *m, int64_t flat,
                               ag_number_test *is_bad, ag_stored *to);

#endif

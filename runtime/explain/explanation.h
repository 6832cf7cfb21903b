/* explanation.h - a launch's kernel as a graph, with what the launch was given: what each
 * explanation begins with. Inside the library only. */
#ifndef AOTIGEN_EXPLANATION_H
#define AOTIGEN_EXPLANATION_H

#include "explain/interpret.h"
#include "state/launch_record.h"

typedef struct explanation {
  const ag_record *r;
  const aotigen_graph *from;
  const ag_arg *out; /* whose element is explained, or NULL */
  ag_graph g;
  ag_operand *operands;
  const ag_element_source *source; /* of what is in a device's memory; NULL: it is not read */
  ag_elements elements;
} explanation;

/* from: of what lies in a device's memory; NULL: it is not read. False where the site launches no
 * kernel whose graph is known, or memory ran out; nothing is to be ended then. Each launch that is
 * not yet evaluated may still write to what the operands show. */
bool ag_explanation_begin(explanation *answer, const ag_record *record,
                          const ag_element_source *from);
void ag_explanation_end(explanation *answer);

/* The argument that a parameter of the kernel is given, or NULL. */
const ag_arg *ag_explanation_arg(const explanation *answer, int32_t param);
/* Its name in reports, or NULL. data: the explanation. */
const char *ag_explanation_name(void *data, int32_t param);

/* Is the tensor in the host's memory, or can `from` read it. */
bool ag_explanation_can_read(const ag_arg *a, const ag_element_source *from);

/* Element `flat` of answer->out, as the launch left it. False where that cannot be read. */
bool ag_explanation_read(const explanation *answer, int64_t flat, ag_number *found);

/* The last store of the kernel to element `flat` of answer->out: the interpreter's loops are bound
 * to it. NULL where it is not known, m->why says why. */
const ag_graph_access *ag_explanation_find_store(const explanation *answer, ag_interpreter *m,
                                                 int64_t flat);

#endif

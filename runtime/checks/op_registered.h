/* op_registered.h - the ops that sites call by the proxy executor, as they are registered in the
 * process. Inside the library only. */
#ifndef AOTIGEN_OP_REGISTERED_H
#define AOTIGEN_OP_REGISTERED_H

#include "state/launch.h"
#include "state/model_state.h"

/* The facts from the schema of the site's op; NULL if it is not known. Any thread. */
const ag_op_facts *ag_op_registered_find(const ag_model_state *m, uint32_t site);

/* True if the schema says that the op only reads this argument of the site. */
static inline bool ag_op_only_reads(const ag_op_facts *f, size_t arg) {
  return f && arg < 64 && f->only_read >> arg & 1;
}

/* True unless the site's table or the op's schema says that the launch does not write to this
 * argument. */
bool ag_op_may_write(const ag_arg *a);

/* What wrapper.json says that the op is passed besides the tensors, "by = 3.0, size = []": a line
 * of a report, and the field "values" of an event. Nothing if there is none, or `op` is NULL. */
void ag_op_report_values(ag_text *t, const aotigen_op *op);
void ag_op_log_values(ag_text *event, const aotigen_op *op);

#endif

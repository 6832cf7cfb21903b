/* op_registered.h - the ops that sites call by the proxy executor, as they are registered in the
 * process. Inside the library only. */
#ifndef AOTIGEN_OP_REGISTERED_H
#define AOTIGEN_OP_REGISTERED_H

#include "state/launch.h"
#include "state/model_state.h"

/* What the schema of the site's op says; NULL where it is not known. Any thread. */
const ag_op_facts *ag_op_registered_find(const ag_model_state *m, uint32_t site);

/* Does the schema say that the op only reads this argument of the site. */
static inline bool ag_op_only_reads(const ag_op_facts *f, size_t arg) {
  return f && arg < 64 && f->only_read >> arg & 1;
}

/* May the launch write to this argument, for all that the table of its site and the schema say. */
bool ag_op_may_write(const ag_arg *a);

#endif

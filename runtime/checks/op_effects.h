/* op_effects.h - checks an op's effects against its registered schema: it does not write to an
 * argument that the schema calls read-only, and a result shares memory with an argument only where
 * the schema says so. Inside the library only.
 *
 * With --guard=ops, the bytes that a call changed are reported after it, and results that share
 * memory. */
#ifndef AOTIGEN_OP_EFFECTS_H
#define AOTIGEN_OP_EFFECTS_H

#include "state/evaluation.h"
#include "state/model_state.h"

/* True if the call must leave argument `arg` as it is: its op's schema says so, and no argument
 * that the op may write to lies in the same memory. */
bool ag_op_must_keep(const ag_model_state *m, const ag_record *record, size_t arg);

/* Counts the differences between the two copies. */
void ag_op_contents_count(ag_contents *contents, const ag_arg *a);

/* Without --guard=ops: the NaN and Inf of argument `arg` after the call differ from those before
 * it. Reports that if the call must leave the argument as it was. */
void ag_op_effects_check_counts(ag_evaluation *e, size_t arg);

#endif

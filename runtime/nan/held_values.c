/* held_values.c - see held_values.h. */
#define _GNU_SOURCE
#include "nan/held_values.h"

#include "checks/bad_values.h"
#include "checks/op_registered.h"
#include "nan/known_bytes.h"
#include "nan/origins.h"
#include "nan/reach.h"

/* A parameter of the model has no reason to be bad; an input, or a buffer, may be bad where it does
 * not count. */
static bool may_be_meant(const ag_evaluation *e, const ag_arg *a) {
  const aotigen_model *m = e->launch.model;
  if (a->values.source == AG_FROM_INPUT) return true;
  return a->values.source == AG_FROM_WEIGHT && a->values.index < m->nweights &&
         m->weights[a->values.index].is_buffer;
}

bool ag_held_values_may_be_left_out(const ag_record *record, size_t i, unsigned kinds) {
  bool any = false, told = false;
  for (size_t k = 0; k < record->nargs; k++)
    told = told || (record->args[k].param->text && record->args[k].param->text->stored);
  if (!told) return false;
  for (size_t k = 0; k < record->nargs; k++) {
    if (!ag_arg_may_be_written(&record->args[k])) continue;
    enum ag_reach reach = ag_reach_find_bad(record, i, kinds, k);
    if (reach == AG_REACHES_NOT) continue;
    if (reach == AG_REACHES || !ag_arg_is_asserted(&record->args[k])) return false;
    any = true;
  }
  return any && ag_launch_site(&record->launch)->flags & AOTIGEN_KERNEL;
}

/* True if the argument may be uninitialised memory that the operator need not read, as baddbmm()
 * does not read its input if beta is 0. Its outputs show what it reads. */
static bool may_be_placeholder(const ag_evaluation *e, const ag_arg *a) {
  return a->values.source == AG_FROM_NOWHERE && !ag_op_may_write(a) && !e->launch.unscanned &&
         !(ag_launch_site(&e->launch)->flags & AOTIGEN_KERNEL) && ag_outputs_may_show(e->record);
}

/* The launch may read them through another argument in the same memory as well. */
bool ag_held_values_may_be_unused(const ag_evaluation *e, const ag_arg *a, unsigned kinds) {
  const ag_record *r = e->record;
  if (may_be_placeholder(e, a)) return true;
  if (a->values.source != AG_FROM_INPUT && a->values.source != AG_FROM_WEIGHT) return false;
  bool meant = may_be_meant(e, a);
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *b = &r->args[i];
    if (b != a && (b->param->role == AOTIGEN_OUT || !ag_view_shares(&b->view, &a->view))) continue;
    if (!ag_reach_is_overwritten(r, i) && !(meant && ag_held_values_may_be_left_out(r, i, kinds)))
      return false;
  }
  return true;
}

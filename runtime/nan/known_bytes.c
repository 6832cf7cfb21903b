/* known_bytes.c - see known_bytes.h. */
#define _GNU_SOURCE
#include "nan/known_bytes.h"

#include <string.h>

enum ag_reading ag_arg_reading(const ag_arg *a) {
  unsigned flags = a->param->flags;
  bool declared = a->param->role == AOTIGEN_IN || a->param->role == AOTIGEN_INOUT;
  if (a->view.state != AG_VIEW_OK || flags & AOTIGEN_LATE) {
    /* it may hold floating-point elements that cannot be scanned: then no other argument's birth is
     * certain */
    bool floats = a->view.state == AG_VIEW_OPAQUE ||
                  ((a->view.state == AG_VIEW_REFUSED || a->view.state == AG_VIEW_PENDING) &&
                   !(flags & AOTIGEN_FRESH) && ag_dtype_is_floating(a->view.t.dtype)) ||
                  (a->param->kind == AOTIGEN_POINTER &&
                   ag_dtype_is_floating(ag_dtype_of_name(a->param->dtype)));
    return floats && declared ? AG_READ_HIDDEN : AG_READ_NOTHING;
  }
  if (!a->view.floating || flags & AOTIGEN_FRESH || a->param->role == AOTIGEN_OUT)
    return AG_READ_NOTHING;
  if (flags & AOTIGEN_UNASSERTED)
    return a->param->role == AOTIGEN_UNKNOWN ? AG_READ_NOTHING : AG_READ_HIDDEN;
  return AG_READ_SCANNED;
}

bool ag_arg_is_asserted(const ag_arg *a) {
  return a->view.state == AG_VIEW_OK && a->view.floating && !(a->param->flags & AOTIGEN_UNASSERTED);
}

/* A tensor that the call makes does not exist before it. */
static bool may_show(const ag_arg *a) {
  bool comes = ag_arg_is_late(a) ||
               (a->param->role == AOTIGEN_OUT && a->view.state <= AG_VIEW_UNDEFINED);
  if (!ag_arg_may_be_written(a)) return false;
  return comes ? !(a->param->flags & AOTIGEN_UNASSERTED) : ag_arg_is_asserted(a);
}

bool ag_outputs_may_show(const ag_record *record) {
  for (size_t i = 0; i < record->nargs; i++)
    if (may_show(&record->args[i])) return true;
  return false;
}

void ag_known_bytes_refuse(ag_byte_tables *tables, const ag_launch *l, const ag_arg *a,
                           uint16_t param) {
  const ag_view *v = &a->view;
  if ((v->state != AG_VIEW_REFUSED && v->state != AG_VIEW_PENDING) || !v->t.data ||
      !ag_arg_may_be_written(a))
    return;
  ag_ranges_mark_uncertain(&tables->weights, v, 0, 0, 0);
  ag_ranges_mark_uncertain(&tables->inputs, v, 0, 0, 0);
  if (ag_view_fits_storage(v))
    ag_ranges_write(&tables->written, v, l->number, l->site, param, &ag_unscanned);
  else
    ag_ranges_mark_uncertain(&tables->written, v, 0, 0,
                             0); /* a part of the bytes belongs to another tensor */
}

static void set_undeclared_source(ag_arg *a) {
  if (a->param->kind != AOTIGEN_INPUT && a->param->kind != AOTIGEN_WEIGHT) return;
  a->values.source = a->param->kind == AOTIGEN_INPUT ? AG_FROM_INPUT : AG_FROM_WEIGHT;
  a->values.index = UINT32_MAX;
}

/* The name under which the elements were written, or NULL. */
static const char *find_written_name(const ag_launch *l, const ag_range *range) {
  const aotigen_site *site = range && range->site < l->model->nsites ? &l->model->sites[range->site]
                                                                     : NULL;
  return site && range->param < site->nparams ? site->params[range->param].name : NULL;
}

/* Sets `was`. Another thread may report the argument at the same time. */
static void set_written_name(const ag_launch *l, ag_arg *a, const ag_range *last) {
  const char *name = find_written_name(l, last);
  if (name && strcmp(name, a->param->name)) __atomic_store_n(&a->was, name, __ATOMIC_RELAXED);
}

ag_ranges *ag_known_bytes_find(ag_byte_tables *tables, const ag_launch *l, ag_arg *a,
                               ag_known *known) {
  ag_ranges *const given[] = {&tables->inputs, &tables->weights};
  static const int sources[] = {AG_FROM_INPUT, AG_FROM_WEIGHT};
  ag_known mine;
  ag_ranges_query(&tables->written, &a->view, known);
  a->values.source = known->any ? AG_FROM_LAUNCH : AG_FROM_NOWHERE;
  if (known->exact) set_written_name(l, a, known->exact);
  if (known->covered) return &tables->written;
  for (int i = 0; i < 2; i++) {
    /* An input's memory may belong to another buffer by now, written by an unscanned launch. */
    if (i == 0 && l->unscanned && !a->param->python_name) continue;
    ag_ranges_query(given[i], &a->view, &mine);
    if (!mine.covered) continue;
    /* a launch wrote a part of the weight: neither table is certain */
    if (known->any) return NULL;
    *known = mine;
    a->values.source = sources[i];
    a->values.index = mine.last->site;
    return given[i];
  }
  if (!known->any) set_undeclared_source(a);
  return NULL;
}

/* True if the range lies in the storage of the view. An input's storage may have been freed, and
 * its memory may be part of another by now. */
static bool is_in_storage(const ag_view *view, const ag_range *range) {
  uintptr_t begin = (uintptr_t)view->t.data - (uintptr_t)view->first_byte;
  return view->storage_bytes >= 0 && range->begin >= begin &&
         range->end <= begin + (uintptr_t)view->storage_bytes;
}

static bool holds_slice(const ag_range *range, const ag_view *view) {
  return range->begin <= view->begin && range->end >= view->end && range->dtype == view->t.dtype &&
         range->param && range->device_type == view->t.device_type &&
         range->device_index == view->t.device_index && is_in_storage(view, range);
}

ag_range *ag_known_bytes_whole(ag_ranges *table, const ag_arg *a, ag_view *whole) {
  ag_range *x = NULL;
  for (size_t i = 0; i < table->count && !x; i++)
    if (holds_slice(&table->list[i], &a->view)) x = &table->list[i];
  if (!x || !ag_backend_of_device_type(x->device_type)) return NULL;
  whole->state = AG_VIEW_OK;
  whole->t = (ag_tensor){.data = (const void *)x->begin,
                         .dtype = x->dtype,
                         .ndim = 1,
                         .device_type = x->device_type,
                         .device_index = x->device_index};
  whole->t.sizes[0] = (int64_t)((x->end - x->begin) / x->dtype->item_size);
  whole->t.strides[0] = 1;
  ag_view_measure(whole);
  return x;
}

void ag_known_bytes_add_unattributed(ag_byte_tables *tables, const ag_launch *l, const ag_arg *a,
                                     ag_known *known) {
  if (known->any || a->values.source != AG_FROM_NOWHERE) return;
  ag_ranges_write(&tables->written, &a->view, 0, UINT32_MAX, 0, &a->values.found);
  ag_ranges_query(&tables->written, &a->view, known);
  if (known->exact) known->exact->seen = l->number;
}

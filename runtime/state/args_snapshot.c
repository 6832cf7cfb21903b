/* args_snapshot.c - see args_snapshot.h. */
#define _GNU_SOURCE
#include "state/args_snapshot.h"

#include <string.h>

/* NEAR, BESIDE: the most bytes between a tensor and an address. */
enum { NEAR = 16 << 20, BESIDE = 4096, NAME_MOST = 120 };

/* ---- the run's thread ----------------------------------------------------------------------- */

void ag_args_snapshot_clear(ag_args_snapshot *a) {
  atomic_store_explicit(&a->n, 0, memory_order_release);
}

static void copy_tensor(ag_arg_snapshot *to, const ag_view *view) {
  int32_t n = view->t.ndim < AG_SNAPSHOT_DIMS ? view->t.ndim : AG_SNAPSHOT_DIMS;
  to->dtype = view->t.dtype;
  to->data = (uintptr_t)view->t.data;
  to->begin = view->begin;
  to->end = view->end;
  to->numel = view->t.numel;
  to->ndim = view->t.ndim;
  to->contiguous = view->contiguous;
  for (int32_t i = 0; i < n; i++) {
    to->sizes[i] = view->t.sizes[i];
    to->strides[i] = view->t.strides[i];
  }
}

static void copy_arg(ag_arg_snapshot *to, const ag_arg *from) {
  uint8_t is = from->value.kind;
  to->param = from->param;
  to->dtype = NULL;
  to->only_read = from->declared_read || from->param->role == AOTIGEN_IN;
  to->is_integer = is == AOTIGEN_V_INT || is == AOTIGEN_V_UINT || is == AOTIGEN_V_BOOL;
  if (to->is_integer) to->numel = from->value.v.i;
  if (ag_view_is_described(&from->view)) copy_tensor(to, &from->view);
}

void ag_args_snapshot_take(ag_args_snapshot *a, const ag_record *record) {
  size_t n = record->nargs < AG_SNAPSHOT_ARGS ? record->nargs : AG_SNAPSHOT_ARGS;
  for (size_t i = 0; i < n; i++) copy_arg(&a->list[i], &record->args[i]);
  a->more = (unsigned)(record->nargs - n);
  atomic_store_explicit(&a->n, (unsigned)n, memory_order_release);
}

/* ---- a signal handler ----------------------------------------------------------------------- */

static void add_list(ag_raw_text *t, const int64_t *list, int32_t n) {
  ag_raw_add(t, "[");
  for (int32_t i = 0; i < n && i < AG_SNAPSHOT_DIMS; i++) {
    if (i) ag_raw_add(t, ", ");
    ag_raw_add_number(t, list[i]);
  }
  ag_raw_add(t, n > AG_SNAPSHOT_DIMS ? ", ...]" : "]");
}

void ag_arg_snapshot_describe(const ag_arg_snapshot *a, ag_raw_text *t) {
  ag_raw_add_some(t, a->param->name, NAME_MOST);
  if (a->param->python_name) {
    ag_raw_add(t, " (");
    ag_raw_add_some(t, a->param->python_name, NAME_MOST);
    ag_raw_add(t, ")");
  }
  if (a->is_integer) {
    ag_raw_add(t, " = ");
    ag_raw_add_number(t, a->numel);
  }
  if (!a->dtype) return;
  ag_raw_add(t, ": ");
  ag_raw_add(t, a->dtype->name);
  ag_raw_add(t, " ");
  add_list(t, a->sizes, a->ndim);
  if (a->contiguous || a->ndim > AG_SNAPSHOT_DIMS) return;
  ag_raw_add(t, " with strides ");
  add_list(t, a->strides, a->ndim);
}

/* The distance of the address from the tensor; 0 within it. */
static uintptr_t distance(const ag_arg_snapshot *a, uintptr_t address) {
  if (address < a->begin) return a->begin - address;
  return address < a->end ? 0 : address - a->end + 1;
}

static const ag_arg_snapshot *find_nearest_of(const ag_args_snapshot *a, uintptr_t address,
                                              bool written) {
  unsigned n = atomic_load_explicit(&a->n, memory_order_acquire);
  const ag_arg_snapshot *best = NULL;
  for (unsigned i = 0; i < n && i < AG_SNAPSHOT_ARGS; i++) {
    const ag_arg_snapshot *x = &a->list[i];
    if (!x->dtype || x->end <= x->begin || distance(x, address) > NEAR) continue;
    if (written && x->only_read) continue;
    if (!best || distance(x, address) < distance(best, address)) best = x;
  }
  return best;
}

/* The tensor nearest to the address. A store that is far from a tensor that the launch only reads
 * was meant for one that it writes. */
static const ag_arg_snapshot *find_nearest(const ag_args_snapshot *a, uintptr_t address,
                                           bool writes) {
  const ag_arg_snapshot *any = find_nearest_of(a, address, false);
  const ag_arg_snapshot *written = writes ? find_nearest_of(a, address, true) : NULL;
  if (!written) return any;
  bool as_near = distance(written, address) == distance(any, address);
  return as_near || distance(any, address) > BESIDE ? written : any;
}

/* Finds the index of an element by its offset in memory, in elements from the first. False if no
 * element, or more than one, may have that offset. */
static bool find_index(const ag_arg_snapshot *a, int64_t offset, int64_t *index, int64_t *flat) {
  bool done[AG_SNAPSHOT_DIMS] = {false};
  if (a->ndim > AG_SNAPSHOT_DIMS) return false;
  memset(index, 0, AG_SNAPSHOT_DIMS * sizeof *index);
  for (int32_t k = 0; k < a->ndim; k++) {
    int32_t widest = -1;
    for (int32_t i = 0; i < a->ndim; i++)
      if (!done[i] && (widest < 0 || a->strides[i] > a->strides[widest])) widest = i;
    done[widest] = true;
    if (a->sizes[widest] == 1) continue;
    if (a->strides[widest] <= 0) return false;
    index[widest] = offset / a->strides[widest];
    if (index[widest] >= a->sizes[widest]) return false;
    offset -= index[widest] * a->strides[widest];
  }
  *flat = 0;
  for (int32_t i = 0; i < a->ndim; i++) *flat = *flat * a->sizes[i] + index[i];
  return offset == 0;
}

/* Adds the element at the address; outside of the tensor the one that would be there. */
static void add_element(const ag_arg_snapshot *a, uintptr_t address, ag_raw_text *t) {
  int64_t size = a->dtype->item_size, bytes = (int64_t)(address - a->data), index[AG_SNAPSHOT_DIMS],
          flat;
  int64_t offset = bytes >= 0 ? bytes / size : -((size - 1 - bytes) / size);
  bool inside = address >= a->begin && address < a->end;
  if (inside && !find_index(a, offset, index, &flat)) return;
  if (!inside && !a->contiguous) return;
  ag_raw_add(t, ", element ");
  ag_raw_add_number(t, inside ? flat : offset);
  ag_raw_add(t, " of ");
  ag_raw_add_number(t, a->numel);
  if (!inside || a->ndim < 2) return;
  ag_raw_add(t, ", at ");
  add_list(t, index, a->ndim);
}

static bool is_within(const ag_arg_snapshot *snapshot, uintptr_t address) {
  return address >= snapshot->begin && address < snapshot->end;
}

bool ag_args_snapshot_explain(const ag_args_snapshot *a, uintptr_t address, bool writes,
                              ag_raw_text *t) {
  const ag_arg_snapshot *x = find_nearest(a, address, writes);
  if (!x) return false;
  bool inside = is_within(x, address);
  ag_raw_add(t, ", ");
  if (!inside) {
    ag_raw_add_number(t, (int64_t)(address < x->begin ? x->begin - address : address - x->end));
    ag_raw_add(t, address < x->begin ? " bytes before the start of " : " bytes behind the end of ");
  } else {
    ag_raw_add(t, "within ");
  }
  ag_arg_snapshot_describe(x, t);
  add_element(x, address, t);
  return true;
}

bool ag_args_snapshot_has(const ag_args_snapshot *a, uintptr_t address) {
  const ag_arg_snapshot *x = find_nearest(a, address, false);
  return x && is_within(x, address);
}

bool ag_args_snapshot_explain_null(const ag_args_snapshot *a, ag_raw_text *t) {
  unsigned n = atomic_load_explicit(&a->n, memory_order_acquire);
  for (unsigned i = 0; i < n && i < AG_SNAPSHOT_ARGS; i++) {
    if (!a->list[i].dtype || a->list[i].data) continue;
    ag_raw_add(t, ", which is that of ");
    ag_arg_snapshot_describe(&a->list[i], t);
    return true;
  }
  return false;
}

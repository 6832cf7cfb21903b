/* reach.c - see reach.h. */
#define _GNU_SOURCE
#include "nan/reach.h"

#include <float.h>

#include "checks/bad_values.h"
#include "checks/extent.h"
#include "tensor/layout.h"

enum { ARGS_MAX = 64 }; /* the bits of reached_by */

static bool is_stored(const ag_record *record, size_t i) {
  return record->args[i].param->text && record->args[i].param->text->stored;
}

/* The arguments that decide what is stored through argument number k; of a `kind`, if not 0, only
 * those whose values of that kind surely make it bad. */
static uint64_t find_bits(const ag_record *record, size_t k, unsigned kind) {
  const aotigen_text *text = record->args[k].param->text;
  return kind ? text->reached_by & ~text->selected_by[ag_kind_index(kind)] : text->reached_by;
}

/* Sets `reached_by` to the arguments that reach what the kernel stored to the memory of argument
 * number `out`, a bit each. The kernel may store through several parameters, such as the parts that
 * torch.cat() joins. False if the text tells of no store. */
static bool find_stored(const ag_record *record, size_t out, unsigned kind, uint64_t *reached_by) {
  bool any = false;
  *reached_by = 0;
  for (size_t i = 0; i < record->nargs && i < ARGS_MAX; i++) {
    if (!is_stored(record, i)) continue;
    if (i != out &&
        (is_stored(record, out) || !ag_view_shares(&record->args[i].view, &record->args[out].view)))
      continue;
    *reached_by |= find_bits(record, i, kind);
    any = true;
  }
  return any;
}

/* Adds what reaches an argument that the kernel also stores to, through another parameter, before
 * it loads it. */
static uint64_t follow_stores(const ag_record *record, unsigned kind, uint64_t reached_by) {
  uint64_t before, more;
  do {
    before = reached_by;
    for (size_t i = 0; i < record->nargs && i < ARGS_MAX; i++)
      for (size_t k = 0; k < record->nargs && k < ARGS_MAX && before >> i & 1; k++) {
        more = is_stored(record, k) ? find_bits(record, k, kind) : 0;
        if (more & ~reached_by &&
            (k == i || ag_view_shares(&record->args[k].view, &record->args[i].view)))
          reached_by |= more;
      }
  } while (reached_by != before);
  return reached_by;
}

/* Tells whether what an argument held decides what it holds now. A kernel that changes it in place
 * computes from that. A kernel that stores to parts of it, and an operator, may leave an element or
 * replace it. */
static enum ag_reach find_kept(const ag_record *record, size_t i, unsigned kind) {
  bool kernel = ag_launch_site(&record->launch)->flags & AOTIGEN_KERNEL;
  for (size_t k = 0; kernel && k < record->nargs && !is_stored(record, i); k++)
    if (is_stored(record, k) && ag_view_shares(&record->args[k].view, &record->args[i].view))
      return find_kept(record, k, kind);
  if (kernel && !is_stored(record, i)) return AG_REACHES;
  return kernel && i < ARGS_MAX && find_bits(record, i, kind) >> i & 1 ? AG_REACHES : AG_MAY_REACH;
}

bool ag_reach_is_overwritten(const ag_record *record, size_t in) {
  return is_stored(record, in) && ag_arg_is_written(&record->args[in]) &&
         ag_launch_site(&record->launch)->flags & AOTIGEN_KERNEL &&
         find_kept(record, in, 0) == AG_MAY_REACH;
}

bool ag_reach_is_same(const ag_record *record, size_t in, size_t out) {
  const ag_arg *a = &record->args[in], *b = &record->args[out];
  if (in == out) return true;
  return !(ag_launch_site(&record->launch)->flags & AOTIGEN_KERNEL) && ag_arg_is_written(a) &&
         ag_arg_is_written(b) && !ag_arg_is_late(a) && !ag_arg_is_late(b) &&
         a->view.state == AG_VIEW_OK && ag_view_is_same(&a->view, &b->view);
}

static enum ag_reach find_reach(const ag_record *record, size_t in, unsigned kind, size_t out) {
  uint64_t reached_by;
  if (ag_reach_is_same(record, in, out)) return find_kept(record, in, kind);
  if (!find_stored(record, out, kind, &reached_by))
    return ag_launch_site(&record->launch)->flags & AOTIGEN_KERNEL ? AG_MAY_REACH : AG_REACHES;
  reached_by = follow_stores(record, kind, reached_by);
  if (in >= ARGS_MAX || reached_by >> in & 1)
    return ag_reach_is_overwritten(record, in) ? AG_MAY_REACH : AG_REACHES;
  /* The kernel may have loaded the same memory through another of its parameters. */
  for (size_t i = 0; i < record->nargs && i < ARGS_MAX; i++)
    if (reached_by >> i & 1 && ag_view_shares(&record->args[in].view, &record->args[i].view))
      return AG_REACHES;
  return ag_view_shares(&record->args[in].view, &record->args[out].view)
             ? find_kept(record, out, kind)
             : AG_REACHES_NOT;
}

enum ag_reach ag_reach_find(const ag_record *r, size_t in, size_t out) {
  return find_reach(r, in, 0, out);
}

/* True if the launch surely reads each element of the argument. A kernel may load only a slice of
 * it, or the rows that another argument selects. */
static bool is_read_whole(const ag_record *record, size_t in) {
  const ag_arg *a = &record->args[in];
  const aotigen_text *text = a->param->text;
  if (!(ag_launch_site(&record->launch)->flags & AOTIGEN_KERNEL)) return true;
  if (!text || !text->loads_all || a->view.state != AG_VIEW_OK) return false;
  uintptr_t bytes = a->view.end - a->view.begin;
  int64_t elements = (int64_t)(bytes / (uintptr_t)a->view.t.dtype->item_size);
  return ag_extent_compute(text->loads_all, record) >= elements;
}

bool ag_reach_is_read(const ag_record *record, size_t in) {
  if (!ag_arg_is_written(&record->args[in])) return is_read_whole(record, in);
  return ag_launch_site(&record->launch)->flags & AOTIGEN_KERNEL &&
         find_kept(record, in, 0) == AG_REACHES;
}

enum ag_reach ag_reach_find_bad(const ag_record *r, size_t in, unsigned kinds, size_t out) {
  enum ag_reach reach = find_reach(r, in, 0, out);
  if (reach != AG_REACHES) return reach;
  if (!ag_reach_is_same(r, in, out) && !is_read_whole(r, in)) return AG_MAY_REACH;
  for (unsigned kind = AG_NAN; kind <= AG_NEG_INF; kind <<= 1)
    if (kinds & kind && find_reach(r, in, kind, out) == AG_REACHES) return AG_REACHES;
  return AG_MAY_REACH;
}

bool ag_reach_is_moved(const ag_record *record, size_t out) {
  bool any = false;
  for (size_t i = 0; i < record->nargs && i < ARGS_MAX; i++) {
    const ag_arg *a = &record->args[i];
    if (a->values.reads && !a->values.found.scanned &&
        find_reach(record, i, 0, out) != AG_REACHES_NOT)
      return false;
    if (!is_stored(record, i) || (i != out && !ag_view_shares(&a->view, &record->args[out].view)))
      continue;
    if (!a->param->text->moves || a->param->text->constants) return false;
    any = true;
  }
  return any && is_stored(record, out);
}

bool ag_reach_is_filled(const ag_record *record, size_t in) {
  for (size_t i = 0; i < record->nargs; i++)
    if (i != in && is_stored(record, i) &&
        ag_view_shares(&record->args[i].view, &record->args[in].view))
      return true;
  return false;
}

bool ag_reach_is_shared(const ag_record *record, size_t from, size_t out) {
  for (size_t i = 0; i < record->nargs; i++)
    if (record->args[i].param->kind != AOTIGEN_SCALAR &&
        ag_reach_find(record, i, from) != AG_REACHES_NOT &&
        ag_reach_find(record, i, out) != AG_REACHES_NOT)
      return true;
  return false;
}

int64_t ag_reach_match(const ag_tensor *output, int64_t flat, const ag_tensor *a) {
  int64_t index = 0, weight = 1;
  if (a->ndim > output->ndim) return -1;
  for (int32_t i = 0; i < output->ndim; i++) {
    int64_t size = output->sizes[output->ndim - 1 - i], at = flat % size;
    flat /= size;
    if (i >= a->ndim) continue;
    int64_t mine = a->sizes[a->ndim - 1 - i];
    if (mine != size && mine != 1) return -1;
    index += (mine == 1 ? 0 : at) * weight;
    weight *= mine;
  }
  return index;
}

/* ---- what the elements show ----------------------------------------------------------------- */

static unsigned kind_of(double x) {
  if (x != x) return AG_NAN;
  return x > DBL_MAX ? AG_POS_INF : x < -DBL_MAX ? AG_NEG_INF : 0;
}

static unsigned kinds_of(const ag_dtype *d, const unsigned char element[16]) {
  unsigned kinds = kind_of(ag_dtype_decode(d, element));
  if (d->cls == AG_COMPLEX) kinds |= kind_of(ag_dtype_decode(d, element + d->item_size / 2));
  return kinds;
}

/* The row of `a`, along its last dimension, that belongs to element `flat` of `output`. `a` has the
 * same rows, or `output` has one element for each. -1 if there is none. */
static int64_t match_row(const ag_tensor *output, int64_t flat, const ag_tensor *a) {
  bool reduced = a->ndim == output->ndim + 1;
  if (!a->ndim || (!reduced && a->ndim != output->ndim)) return -1;
  for (int32_t i = 0; i + 1 < a->ndim; i++)
    if (a->sizes[i] != output->sizes[i]) return -1;
  return reduced ? flat : flat / output->sizes[output->ndim - 1];
}

uintptr_t ag_reach_address(const ag_tensor *t, int64_t flat) {
  if (flat < 0) return 0;
  int64_t offset = ag_layout_offset(t->ndim, t->sizes, t->strides, flat);
  return (uintptr_t)t->data + (uintptr_t)(offset * t->dtype->item_size);
}

bool ag_reach_is_seen(ag_evaluation *e, size_t in, unsigned read, size_t out, unsigned wrote) {
  const ag_arg *a = &e->record->args[in], *b = &e->record->args[out];
  int64_t first = ag_kinds_first(&b->values.after, wrote);
  unsigned char element[16];
  if (first < 0 || a->view.state != AG_VIEW_OK || !a->view.t.numel) return false;
  if (ag_arg_is_written(a) ||
      a->values.asserted_after) { /* only the address of the first value that it held is known */
    uintptr_t at = a->values.found.first_address[ag_origin_slot(read)];
    return a->view.begin <= at && at < a->view.end && at == ag_reach_address(&b->view.t, first);
  }
  int64_t index = ag_reach_match(&b->view.t, first, &a->view.t);
  return index >= 0 &&
         e->results->element_matching(e, a, index, &b->values.after, first, element) &&
         kinds_of(a->view.t.dtype, element) & read;
}

bool ag_reach_stood_there(ag_evaluation *e, size_t in, unsigned kinds, size_t out) {
  const ag_arg *a = &e->record->args[in], *b = &e->record->args[out];
  int64_t first = ag_kinds_first(&b->values.after, kinds);
  if (!ag_arg_may_be_written(a)) return ag_reach_is_seen(e, in, kinds, out, kinds);
  if (first < 0 || a->view.state != AG_VIEW_OK || !a->view.t.numel) return false;
  int64_t index = ag_reach_match(&b->view.t, first, &a->view.t);
  return index >= 0 && a->values.found.first_address[ag_origin_slot(kinds)] ==
                           ag_reach_address(&a->view.t, index);
}

static bool have_one_shape(const ag_tensor *a, const ag_tensor *b) {
  bool same = a->ndim == b->ndim;
  for (int32_t i = 0; i < a->ndim && same; i++) same = a->sizes[i] == b->sizes[i];
  return same;
}

bool ag_reach_is_apart(ag_evaluation *e, size_t in, unsigned read, size_t out, unsigned wrote) {
  const ag_arg *a = &e->record->args[in], *b = &e->record->args[out];
  uintptr_t at = a->values.found.first_address[ag_origin_slot(read)],
            data = (uintptr_t)a->view.t.data;
  int64_t first = ag_kinds_first(&b->values.after, wrote);
  if (!at || at < data || first < 0 || a->view.state != AG_VIEW_OK || !a->view.t.ndim ||
      !have_one_shape(&a->view.t, &b->view.t) || !a->view.contiguous)
    return false;
  int64_t index = (int64_t)((at - data) / (uintptr_t)a->view.t.dtype->item_size),
          row = a->view.t.sizes[a->view.t.ndim - 1];
  return index < a->view.t.numel && index / row != first / row &&
         !ag_reach_is_seen(e, in, read, out, wrote);
}

bool ag_reach_is_in_row(ag_evaluation *e, size_t in, unsigned read, size_t out, unsigned wrote) {
  const ag_arg *a = &e->record->args[in], *b = &e->record->args[out];
  int64_t first = ag_kinds_first(&b->values.after, wrote);
  ag_stats h;
  if (first < 0 || a->view.state != AG_VIEW_OK || !a->view.t.numel) return false;
  if (ag_arg_is_written(a) || a->values.asserted_after) return false;
  int64_t row = match_row(&b->view.t, first, &a->view.t);
  if (row < 0 || !e->results->probe(e, a, &h)) return false;
  int64_t bad = ag_kinds_first(&h, read);
  return bad >= 0 && bad / a->view.t.sizes[a->view.t.ndim - 1] == row;
}

/* True where no launch wrote these elements before, and this one need not fill them. The other
 * parts of the buffer may have been written. */
static bool is_unwritten(const ag_record *record, const ag_arg *a) {
  if (a->param->flags & AOTIGEN_UNWRITTEN) return true;
  return a->param->role == AOTIGEN_UNKNOWN && a->values.source == AG_FROM_NOWHERE &&
         !ag_param_is_given(a->param) && !record->launch.unscanned;
}

bool ag_reach_has_unwritten(const ag_record *record, size_t out) {
  for (size_t i = 0; i < record->nargs; i++)
    if (ag_reach_is_unwritten(record, i, out)) return true;
  return false;
}

bool ag_reach_is_unwritten(const ag_record *record, size_t in, size_t out) {
  const ag_arg *a = &record->args[in];
  bool described = ag_view_is_described(&a->view);
  return is_unwritten(record, a) && described && a->view.floating && a->view.t.numel &&
         ag_reach_find(record, in, out) != AG_REACHES_NOT;
}

/* scan_results.c - reads values of tensors now, or as an async run recorded them. */
#define _GNU_SOURCE
#include "launch/scan_results.h"

#include <stdio.h>
#include <string.h>

#include "launch/scan_plan.h"
#include "state/released_buffers.h"
#include "state/in_flight.h"
#include "tensor/pattern.h"

/* ---- immediate ------------------------------------------------------------------------------ */

static void *stream_of(const ag_evaluation *e) { return e->record->launch.stream; }

static bool scan_now(ag_evaluation *e, const ag_arg *a, const ag_view *view, enum ag_when when,
                     ag_stats *out) {
  (void)a;
  (void)when;
  ag_in_flight_beat();
  return !ag_view_stats(view, AG_WANT_BAD, stream_of(e), out);
}

static bool probe_now(ag_evaluation *e, const ag_arg *a, ag_stats *out) {
  ag_in_flight_beat();
  return !ag_view_stats(&a->view, AG_WANT_SUMMARY, stream_of(e), out);
}

static bool rescan_now(ag_evaluation *e, const ag_arg *a, ag_stats *out, bool *late) {
  *late = false;
  return scan_now(e, a, &a->view, AG_AFTER, out);
}

static bool read_now(ag_evaluation *e, const ag_arg *a, enum ag_when when, int64_t index,
                     unsigned char element[16]) {
  (void)when;
  return !ag_view_read(&a->view, index, 1, stream_of(e), element);
}

/* Which of the three firsts `index` is; -1 if it is none of them. */
static int kind_of(const ag_stats *h, int64_t index) {
  return h->first_nan == index       ? 0
         : h->first_pos_inf == index ? 1
         : h->first_neg_inf == index ? 2
                                     : -1;
}

static int64_t first_of(const ag_stats *h, int kind) {
  return kind == 0 ? h->first_nan : kind == 1 ? h->first_pos_inf : h->first_neg_inf;
}

/* True if `output` is the first with this kind among those scanned so far. */
static bool is_first_so_far(const ag_evaluation *e, const ag_stats *output, int kind) {
  const ag_record *r = e->record;
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *a = &r->args[i];
    if ((a->values.asserted_after || a->values.untouched) && first_of(&a->values.after, kind) >= 0)
      return &a->values.after == output;
  }
  return true;
}

/* If the model can run without waiting, reads only what such a run records, so that both report the
 * same. */
static bool read_matching_now(ag_evaluation *e, const ag_arg *a, int64_t index,
                              const ag_stats *output, int64_t first, unsigned char element[16]) {
  const ag_backend *b = e->model->device.backend;
  int kind = kind_of(output, first);
  if (b && b->async && a->view.t.device_type == b->device_type &&
      (kind < 0 || !is_first_so_far(e, output, kind)))
    return false;
  return read_now(e, a, AG_AFTER, index, element);
}

/* Reads only memory of a device with a backend: torch would copy the whole tensor. */
static const char *read_bytes(const ag_arg *a, int64_t at, size_t size, void *stream, void *to) {
  const ag_backend *b = ag_backend_of_device_type(a->view.t.device_type);
  ag_tensor bytes = {.data = (const char *)a->view.t.data + at,
                     .dtype = ag_dtype_of_name("uint8"),
                     .numel = (int64_t)size,
                     .ndim = 1,
                     .device_type = a->view.t.device_type,
                     .device_index = a->view.t.device_index,
                     .sizes = {(int64_t)size},
                     .strides = {1}};
  if (!b) return "aotigen cannot read memory of its device";
  return b->read(&bytes, 0, (int64_t)size, stream, to);
}

static const char *read_bytes_now(ag_evaluation *e, const ag_arg *a, int64_t at, size_t size,
                                  void *to, bool *late) {
  *late = false;
  return read_bytes(a, at, size, stream_of(e), to);
}

static bool scan_zone_now(ag_evaluation *e, enum ag_when when, unsigned zone, ag_stats *out,
                          unsigned char element[4]) {
  const ag_tensor *t = &e->record->zones[when][zone].t;
  const ag_backend *b = ag_backend_of_device_type(t->device_type);
  if (!b || b->stats(t, AG_WANT_BAD, stream_of(e), out)) return false;
  return out->first_nan < 0 || !b->read(t, out->first_nan, 1, stream_of(e), element);
}

static const char *open_now(ag_evaluation *e, const ag_arg *a, enum ag_when when,
                            ag_reader *reader) {
  (void)when;
  return ag_reader_open(reader, &a->view, stream_of(e));
}

const ag_scan_results ag_immediate_results = {.scan = scan_now,
                                              .probe = probe_now,
                                              .rescan = rescan_now,
                                              .element = read_now,
                                              .element_matching = read_matching_now,
                                              .bytes = read_bytes_now,
                                              .zone = scan_zone_now,
                                              .open = open_now};

/* ---- recorded ------------------------------------------------------------------------------- */

/* The target and its result; NULL if there is no result. */
static const ag_scan_target *recall_target(const ag_evaluation *e, const ag_arg *a,
                                           const ag_view *view, enum ag_when when, bool probe,
                                           ag_scan_result *seen) {
  const ag_async_run *d = e->source;
  const ag_scan_batch *w = &e->record->batch[when];
  const ag_scan_target *x = ag_scan_plan_find(e->record, a, view, when, probe);
  return x && d->async->batch->result(w, (uint32_t)(x - w->targets), seen) ? x : NULL;
}

static bool recall_scan(ag_evaluation *e, const ag_arg *a, const ag_view *view, enum ag_when when,
                        ag_stats *out) {
  ag_scan_result seen;
  if (!recall_target(e, a, view, when, false, &seen)) return false;
  *out = seen.stats;
  return true;
}

static bool recall_probe(ag_evaluation *e, const ag_arg *a, ag_stats *out) {
  ag_scan_result seen;
  if (!recall_target(e, a, &a->view, AG_AFTER, true, &seen)) return false;
  *out = seen.stats;
  return true;
}

/* The recorded value from after the launch is preferred: by now the weight may be replaced or
 * freed. */
static bool recall_rescan(ag_evaluation *e, const ag_arg *a, ag_stats *out, bool *late) {
  const ag_async_run *d = e->source;
  *late = false;
  if (recall_probe(e, a, out)) return true;
  void *stream = d->async->device->side_stream(d->place.device_index);
  *late = true;
  return stream && !ag_view_stats(&a->view, AG_WANT_BAD, stream, out);
}

static bool copy_element(const unsigned char *from, const ag_arg *a, unsigned char element[16]) {
  if (from) memcpy(element, from, a->view.t.dtype->item_size);
  return from != NULL;
}

static bool recall_element(ag_evaluation *e, const ag_arg *a, enum ag_when when, int64_t index,
                           unsigned char element[16]) {
  ag_scan_result seen;
  const ag_scan_target *x = recall_target(e, a, &a->view, when, false, &seen);
  int kind = x ? kind_of(&seen.stats, index) : -1;
  return kind >= 0 && copy_element(seen.first[kind], a, element);
}

static bool recall_matching(ag_evaluation *e, const ag_arg *a, int64_t index,
                            const ag_stats *output, int64_t first, unsigned char element[16]) {
  const ag_async_run *d = e->source;
  const ag_scan_batch *w = &e->record->batch[AG_AFTER];
  const ag_scan_target *x = ag_scan_plan_find(e->record, a, &a->view, AG_AFTER, true);
  ag_scan_result seen;
  if (!x) return false;
  /* Its elements are recorded even if it was too large for a summary. */
  d->async->batch->result(w, (uint32_t)(x - w->targets), &seen);
  if (x->known)
    return index < x->head && seen.edges &&
           copy_element(seen.edges + (size_t)index * a->view.t.dtype->item_size, a, element);
  /* The device reads elements only at the first output that has the kind. */
  int kind = kind_of(output, first);
  return kind >= 0 && is_first_so_far(e, output, kind) &&
         copy_element(seen.first[kind], a, element);
}

/* The launch of this run that wrote to the argument after the evaluated one; 0 if none is known. */
static uint64_t find_overwriting(const ag_async_run *d, const ag_record *of, const ag_arg *a) {
  unsigned n = atomic_load_explicit(&d->queue.published, memory_order_acquire);
  for (unsigned i = atomic_load(&d->queue.evaluated); i != n; i++) {
    const ag_record *r = ag_async_run_at(d, i);
    bool later = r->launch.number > of->launch.number &&
                 atomic_load_explicit(&r->stage, memory_order_acquire) == AG_LAUNCHED;
    for (size_t k = 0; k < r->nargs && later; k++)
      if (ag_arg_is_written(&r->args[k]) && ag_view_overlaps(&r->args[k].view, &a->view))
        return r->launch.number;
  }
  return 0;
}

/* A weight stays until the model gets another one. For other tensors, only the launches of this run
 * are known. */
static const char *recall_bytes(ag_evaluation *e, const ag_arg *a, int64_t at, size_t size,
                                void *to, bool *late) {
  static _Thread_local char why[128];
  const ag_async_run *d = e->source;
  const int64_t item = a->view.t.dtype->item_size;
  bool same = atomic_load(&e->model->generation) == e->weights_generation;
  const char *lost = d->async->device->sticky_error(d->place.device_index);
  *late = !(a->param->kind == AOTIGEN_WEIGHT && same);
  if (lost) return lost;
  uint64_t launch = d->is_captured ? 0 : find_overwriting(d, e->record, a);
  if (launch) {
    snprintf(why, sizeof why, "launch %llu wrote to '%s' since", (unsigned long long)launch,
             a->param->name);
    return why;
  }
  void *stream = d->async->device->side_stream(d->place.device_index);
  const char *failed = stream ? read_bytes(a, at, size, stream, to)
                              : "the device has no stream to spare";
  if (!failed && !(at % item) && size >= (size_t)item &&
      ag_released_buffers_find(e->released, a->view.t.dtype, to, NULL, 0))
    failed = "its memory was released since";
  return failed;
}

/* What an earlier launch left there, if its elements hold the pattern. */
static bool recall_residue(const ag_evaluation *e, const ag_zone *z, ag_stats *out,
                           unsigned char element[4]) {
  const uint32_t word = ag_pattern_word(z->buffer.dtype, AG_PATTERN_UNWRITTEN);
  memcpy(element, &word, sizeof word);
  *out = ag_nothing_bad;
  for (size_t i = e->residues.count; i > 0; i--) {
    const ag_residue *x = &e->residues.list[i - 1];
    if (x->row != z->buffer.row || x->allocated != z->buffer.allocated ||
        x->launch != z->span.until)
      continue;
    *out = x->found;
    return !x->failed;
  }
  return false;
}

static bool recall_zone(ag_evaluation *e, enum ag_when when, unsigned zone, ag_stats *out,
                        unsigned char element[4]) {
  const ag_zone *z = &e->record->zones[when][zone];
  if (z->known) return recall_residue(e, z, out, element);
  const ag_async_run *d = e->source;
  const ag_scan_batch *w = &e->record->batch[when];
  const ag_scan_target *x = ag_scan_plan_find_zone(e->record, when, zone);
  ag_scan_result seen;
  if (!x || !d->async->batch->result(w, (uint32_t)(x - w->targets), &seen)) return false;
  *out = seen.stats;
  if (out->first_nan >= 0) memcpy(element, seen.first[0], x->tensor->dtype->item_size);
  return true;
}

/* ---- a reader of what was recorded ---------------------------------------------------------- */

static const char *recorded_stats(const ag_tensor *t, unsigned want, void *of, ag_stats *out) {
  (void)t;
  (void)want;
  *out = ((const ag_reader *)of)->seen.stats;
  return NULL;
}

static const char *recorded_elements(const ag_tensor *t, int64_t first, int64_t count, void *of,
                                     void *to) {
  const ag_reader *r = of;
  const ag_scan_target *s = r->target;
  size_t item = t->dtype->item_size;
  int64_t at = -1;
  if (!count) return NULL;
  if (first + count <= s->head)
    at = first;
  else if (first >= t->numel - s->tail)
    at = first - (t->numel - s->tail) + s->head;
  if (at < 0 || !r->seen.edges) return "they were not recorded";
  memcpy(to, r->seen.edges + (size_t)at * item, (size_t)count * item);
  return NULL;
}

static const ag_backend recorded = {
    .name = "recorded", .stats = recorded_stats, .read = recorded_elements};

static const char *recall_open(ag_evaluation *e, const ag_arg *a, enum ag_when when,
                               ag_reader *reader) {
  const ag_async_run *d = e->source;
  const ag_scan_target *asked = ag_scan_plan_find(e->record, a, &a->view, when, false);
  reader->target = recall_target(e, a, &a->view, when, false, &reader->seen);
  if (!reader->target && asked && asked->why) return asked->why;
  if (!reader->target && a->view.t.numel)
    return d->lost ? "the device was lost first" : "it could not be scanned";
  reader->backend = &recorded;
  reader->tensor = &a->view.t;
  reader->stream = reader;
  reader->owned = NULL;
  return NULL;
}

const ag_scan_results ag_recorded_results = {.scan = recall_scan,
                                             .probe = recall_probe,
                                             .rescan = recall_rescan,
                                             .element = recall_element,
                                             .element_matching = recall_matching,
                                             .bytes = recall_bytes,
                                             .zone = recall_zone,
                                             .open = recall_open};

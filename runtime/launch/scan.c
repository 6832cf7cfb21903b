/* look.c - the three ways to know what is in an argument. Knows records and readers, no faults. */
#define _GNU_SOURCE
#include "launch/scan.h"

#include <string.h>

#include "launch/launch_record.h"

enum {
  HOST_PROBE = 1024
}; /* elements of a host's tensor that are kept for when an output turns out to be bad */

/* ---- planning ------------------------------------------------------------------------------- */

/* Of an argument there may be asked its own elements, and those of the weight that it is a slice
 * of. */
static uint32_t tag_of(const aotigen_run *run, const ag_arg *a, const ag_view *view) {
  return (uint32_t)(a - run->state->args) * 2 + (view != &a->view);
}

static ag_scan_target *find(const ag_scan_batch *w, uint32_t tag, bool probe) {
  for (uint32_t i = 0; i < w->count; i++)
    if (w->targets[i].tag == tag && w->targets[i].probe == probe) return &w->targets[i];
  return NULL;
}

static ag_scan_target *add(ag_record *r, enum ag_when when, uint32_t tag) {
  ag_scan_batch *w = &r->batch[when];
  if (w->count == r->room[when]) {
    size_t room = r->room[when] ? 2 * r->room[when] : 8;
    ag_scan_target *more = ag_record_memory(r, room * sizeof *more);
    if (!more) return NULL;
    if (w->count) memcpy(more, w->targets, w->count * sizeof *more);
    w->targets = more;
    r->room[when] = room;
  }
  ag_scan_target *s = &w->targets[w->count++];
  *s = (ag_scan_target){.tag = tag};
  return s;
}

/* A whole weight is described in the run's scratch: the record keeps its own. */
static const ag_tensor *keep(ag_record *r, const ag_arg *a, const ag_view *view) {
  if (view == &a->view) return &view->t;
  ag_tensor *t = ag_record_memory(r, sizeof *t);
  if (t) *t = view->t;
  return t;
}

/* Elements `first` and on, and `last` and on, one behind the other; NULL where they cannot be had.
 */
static const unsigned char *keep_elements(ag_record *r, ag_reader *reader, int64_t first,
                                          int16_t nfirst, int64_t last, int16_t nlast) {
  size_t item = reader->tensor->dtype->item_size;
  unsigned char *kept = ag_record_memory(r, (size_t)(nfirst + nlast) * item);
  if (!kept || ag_reader_read(reader, first, nfirst, kept)) return NULL;
  return ag_reader_read(reader, last, nlast, kept + (size_t)nfirst * item) ? NULL : kept;
}

/* With the bad elements, and those that are wanted beside: by the time of the verdicts the tensor
 * may be gone. */
static const char *keep_seen(ag_record *r, ag_reader *reader, const ag_scan_target *s,
                             ag_scan_result *seen) {
  const int64_t *const firsts[] = {&seen->stats.first_nan, &seen->stats.first_pos_inf,
                                   &seen->stats.first_neg_inf};
  const char *why = ag_reader_stats(reader, s->want | AG_WANT_BAD, &seen->stats);
  for (int k = 0; k < 3 && !why; k++)
    if (*firsts[k] >= 0) seen->first[k] = keep_elements(r, reader, *firsts[k], 1, 0, 0);
  if (!why && s->head + s->tail)
    seen->edges = keep_elements(r, reader, 0, s->head, reader->tensor->numel - s->tail, s->tail);
  return why;
}

/* What is not on the device is looked at now. */
static void look_now(ag_record *r, ag_scan_target *s, const ag_view *view, void *stream) {
  ag_scan_result *seen = ag_record_memory(r, sizeof *seen);
  ag_reader reader;
  const char *why = seen ? ag_reader_open(&reader, view, stream) : "no memory";
  bool open = !why;
  if (open) {
    memset(seen, 0, sizeof *seen);
    why = keep_seen(r, &reader, s, seen);
  }
  s->unavailable = why != NULL;
  if (why)
    s->why = ag_record_words(r, why);
  else
    s->known = seen;
  if (open) ag_reader_close(&reader);
}

static bool is_on_device(const aotigen_run *run, const ag_view *view) {
  const ag_backend *b = run->state->model->backend;
  return view->t.device_type == b->device_type &&
         (view->t.device_index < 0 || view->t.device_index == run->state->async_run->device_index);
}

static void plan(aotigen_run *run, const ag_arg *a, const ag_view *view, enum ag_when when,
                 unsigned want, int16_t head, int16_t tail) {
  ag_record *r = run->state->record;
  uint32_t tag = tag_of(run, a, view);
  ag_scan_target *s = find(&r->batch[when], tag, false);
  bool more = !s || (unsigned)s->want != (s->want | want) || head + tail > s->head + s->tail;
  if (!s) {
    const ag_tensor *kept = keep(r, a, view); /* a target that is there has a tensor */
    if (kept && (s = add(r, when, tag))) s->tensor = kept;
  }
  if (!s || !more) return;
  s->want |= (uint8_t)want;
  if (head + tail > s->head + s->tail) {
    s->head = head;
    s->tail = tail;
  }
  if (!is_on_device(run, view)) look_now(r, s, view, ag_run_stream(run));
}

static int16_t whole_if_small(const ag_tensor *t) {
  return t->numel <= HOST_PROBE ? (int16_t)t->numel : 0;
}

void ag_plan_contents(aotigen_run *run, const ag_arg *a, enum ag_when when, int16_t head,
                      int16_t tail) {
  plan(run, a, &a->view, when, AG_WANT_SUMMARY, head, tail);
}

void ag_plan_probes(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  ag_record *r = s->record;
  uint32_t asked = r->batch[AG_AFTER].count;
  for (size_t i = 0; i < s->nargs && asked; i++) {
    const ag_arg *a = &s->args[i];
    if (!a->reads || a->asserted_after || !ag_view_floats(&a->view) || !a->view.t.numel) continue;
    bool elsewhere = !is_on_device(run, &a->view);
    if (elsewhere && !whole_if_small(&a->view.t)) continue;
    ag_scan_target *x = add(r, AG_AFTER, tag_of(run, a, &a->view));
    if (!x) return;
    x->probe = true;
    x->tensor = &a->view.t;
    x->want = AG_WANT_BAD | AG_WANT_SUMMARY;
    if (!elsewhere) continue;
    x->head = whole_if_small(&a->view.t);
    look_now(r, x, &a->view, ag_run_stream(run));
  }
}

/* ---- recalling ------------------------------------------------------------------------------ */

static const ag_scan_target *recall(const aotigen_run *run, uint32_t tag, enum ag_when when,
                                    bool probe, ag_scan_result *seen) {
  const aotigen_run_state *s = run->state;
  const ag_scan_batch *w = &s->record->batch[when];
  const ag_scan_target *x = find(w, tag, probe);
  return x && s->async_run->async->batch->result(w, (uint32_t)(x - w->targets), seen) ? x : NULL;
}

bool ag_look(aotigen_run *run, const ag_arg *a, const ag_view *view, enum ag_when when,
             ag_stats *out) {
  ag_scan_result seen;
  switch (run->state->mode) {
    case AG_PLANNING:
      plan(run, a, view, when, AG_WANT_BAD, 0, 0);
      *out = ag_nothing_bad;
      out->finite = view->t.numel;
      return true;
    case AG_JUDGING:
      if (!recall(run, tag_of(run, a, view), when, false, &seen)) return false;
      *out = seen.stats;
      return true;
    default: return !ag_view_stats(view, AG_WANT_BAD, ag_run_stream(run), out);
  }
}

bool ag_look_back(aotigen_run *run, const ag_arg *a, ag_stats *out) {
  ag_scan_result seen;
  if (run->state->mode != AG_JUDGING)
    return !ag_view_stats(&a->view, AG_WANT_SUMMARY, ag_run_stream(run), out);
  if (!recall(run, tag_of(run, a, &a->view), AG_AFTER, true, &seen)) return false;
  *out = seen.stats;
  return true;
}

bool ag_look_again(aotigen_run *run, const ag_arg *a, ag_stats *out, bool *late) {
  const aotigen_run_state *s = run->state;
  *late = false;
  /* As the launch left it, where that was kept: by now it may have been swapped for another, or
   * freed. */
  if (s->mode == AG_JUDGING && ag_look_back(run, a, out)) return true;
  void *stream = s->mode == AG_JUDGING
                     ? s->async_run->async->device->side_stream(s->async_run->device_index)
                     : ag_run_stream(run);
  if (s->mode == AG_JUDGING && !stream) return false;
  *late = s->mode == AG_JUDGING;
  return !ag_view_stats(&a->view, AG_WANT_BAD, stream, out);
}

/* Which of the three firsts is `index`. */
static int kind_of(const ag_stats *h, int64_t index) {
  return h->first_nan == index       ? 0
         : h->first_pos_inf == index ? 1
         : h->first_neg_inf == index ? 2
                                     : -1;
}

static bool copy_element(const unsigned char *from, const ag_arg *a, unsigned char element[16]) {
  if (from) memcpy(element, from, a->view.t.dtype->item_size);
  return from != NULL;
}

bool ag_element(aotigen_run *run, const ag_arg *a, enum ag_when when, int64_t index,
                unsigned char element[16]) {
  ag_scan_result seen;
  const ag_scan_target *x;
  if (run->state->mode != AG_JUDGING)
    return !ag_view_read(&a->view, index, 1, ag_run_stream(run), element);
  x = recall(run, tag_of(run, a, &a->view), when, false, &seen);
  int kind = x ? kind_of(&seen.stats, index) : -1;
  return kind >= 0 && copy_element(seen.first[kind], a, element);
}

bool ag_element_beside(aotigen_run *run, const ag_arg *a, int64_t index, const ag_stats *output,
                       int64_t first, unsigned char element[16]) {
  ag_scan_result seen;
  if (run->state->mode != AG_JUDGING)
    return !ag_view_read(&a->view, index, 1, ag_run_stream(run), element);
  const ag_scan_batch *w = &run->state->record->batch[AG_AFTER];
  const ag_scan_target *x = find(w, tag_of(run, a, &a->view), true);
  if (!x) return false;
  /* Its elements are there also where it was too large to be summed up. */
  run->state->async_run->async->batch->result(w, (uint32_t)(x - w->targets), &seen);
  if (x->known)
    return index < x->head && seen.edges &&
           copy_element(seen.edges + (size_t)index * a->view.t.dtype->item_size, a, element);
  int kind = kind_of(output, first);
  return kind >= 0 && copy_element(seen.first[kind], a, element);
}

/* ---- a reader of what was kept -------------------------------------------------------------- */

static const char *kept_stats(const ag_tensor *t, unsigned want, void *of, ag_stats *out) {
  (void)t;
  (void)want;
  *out = ((const ag_reader *)of)->seen.stats;
  return NULL;
}

static const char *kept_elements(const ag_tensor *t, int64_t first, int64_t count, void *of,
                                 void *to) {
  const ag_reader *r = of;
  const ag_scan_target *s = r->target;
  size_t item = t->dtype->item_size;
  if (!count) return NULL;
  int64_t at = first + count <= s->head      ? first
               : first >= t->numel - s->tail ? first - (t->numel - s->tail) + s->head
                                             : -1;
  if (at < 0 || !r->seen.edges) return "they were not kept";
  memcpy(to, r->seen.edges + (size_t)at * item, (size_t)count * item);
  return NULL;
}

static const ag_backend kept = {.name = "kept", .stats = kept_stats, .read = kept_elements};

const char *ag_contents_open(ag_reader *r, aotigen_run *run, const ag_arg *a, enum ag_when when) {
  if (run->state->mode != AG_JUDGING) return ag_reader_open(r, &a->view, ag_run_stream(run));
  r->target = recall(run, tag_of(run, a, &a->view), when, false, &r->seen);
  const ag_scan_target *asked =
      find(&run->state->record->batch[when], tag_of(run, a, &a->view), false);
  if (!r->target && asked && asked->why) return asked->why;
  if (!r->target && a->view.t.numel)
    return run->state->async_run->lost ? "the device died first" : "it could not be looked at";
  r->backend = &kept;
  r->tensor = &a->view.t;
  r->stream = r;
  r->owned = NULL;
  return NULL;
}

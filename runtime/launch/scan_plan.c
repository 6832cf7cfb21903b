/* scan_plan.c - plans scans for the NaN assert and the printer, as targets of a record's
 * batches. */
#define _GNU_SOURCE
#include "launch/scan_plan.h"

#include <string.h>

#include "checks/bad_values.h"
#include "launch/hooks.h"
#include "nan/known_bytes.h"
#include "nan/reach.h"
#include "tensor/reader.h"

enum { HOST_PROBE = 1024 }; /* elements copied from a host tensor for a probe */

/* ---- targets -------------------------------------------------------------------------------- */

/* Tells an argument's targets apart. There may be two: before the launch, its own elements and the
 * weight of which it is a slice; after it, its elements and a probe of what it read. */
static uint32_t tag_of(const ag_record *record, const ag_arg *a, const ag_view *view) {
  return (uint32_t)(a - record->args) * 2 + (view != &a->view);
}

static ag_scan_target *find_target(const ag_scan_batch *batch, uint32_t tag, bool probe) {
  for (uint32_t i = 0; i < batch->count; i++)
    if (batch->targets[i].tag == tag && batch->targets[i].probe == probe) return &batch->targets[i];
  return NULL;
}

ag_scan_target *ag_scan_plan_find(const ag_record *record, const ag_arg *a, const ag_view *view,
                                  enum ag_when when, bool probe) {
  return find_target(&record->batch[when], tag_of(record, a, view), probe);
}

/* Tags of zones begin here: those of arguments are smaller. */
#define ZONE_TAG (1u << 31)
enum { NO_PROBES = 8 }; /* as in ag_scan_target.probe_kinds */

ag_scan_target *ag_scan_plan_find_zone(const ag_record *record, enum ag_when when, unsigned zone) {
  return find_target(&record->batch[when], ZONE_TAG + zone, false);
}

static ag_scan_target *add_target(ag_record *record, enum ag_when when, uint32_t tag) {
  ag_scan_batch *w = &record->batch[when];
  ag_scan_target *s = &w->targets[w->count++];
  *s = (ag_scan_target){.tag = tag};
  return s;
}

/* The record stores a copy, since a whole weight is described in scratch memory. */
static const ag_tensor *keep_tensor(ag_record *record, const ag_arg *a, const ag_view *view) {
  if (view == &a->view) return &view->t;
  ag_tensor *t = ag_record_alloc(record, sizeof *t);
  if (t) *t = view->t;
  return t;
}

/* ---- tensors of the host: they are scanned now ---------------------------------------------- */

/* Copies elements from `first` on and from `last` on, one after the other; NULL if they cannot be
 * read. */
static const unsigned char *copy_elements(ag_record *record, ag_reader *reader, int64_t first,
                                          int16_t nfirst, int64_t last, int16_t nlast) {
  size_t item = reader->tensor->dtype->item_size;
  unsigned char *kept = ag_record_alloc(record, (size_t)(nfirst + nlast) * item);
  if (!kept || ag_reader_read(reader, first, nfirst, kept)) return NULL;
  return ag_reader_read(reader, last, nlast, kept + (size_t)nfirst * item) ? NULL : kept;
}

/* Also copies the bad elements and the edges, since the tensor may not exist when the launch is
 * evaluated. */
static const char *scan_host(ag_record *record, ag_reader *reader, const ag_scan_target *s,
                             ag_scan_result *seen) {
  const int64_t *const firsts[] = {&seen->stats.first_nan, &seen->stats.first_pos_inf,
                                   &seen->stats.first_neg_inf};
  const char *why = ag_reader_stats(reader, s->want | AG_WANT_BAD, &seen->stats);
  for (int k = 0; k < 3 && !why; k++)
    if (*firsts[k] >= 0) seen->first[k] = copy_elements(record, reader, *firsts[k], 1, 0, 0);
  if (!why && s->head + s->tail)
    seen->edges =
        copy_elements(record, reader, 0, s->head, reader->tensor->numel - s->tail, s->tail);
  return why;
}

static void scan_now(ag_record *record, ag_scan_target *s, const ag_view *view, void *stream) {
  ag_scan_result *seen = ag_record_alloc(record, sizeof *seen);
  ag_reader reader;
  const char *why = seen ? ag_reader_open(&reader, view, stream) : "no memory";
  bool open = !why;
  if (open) {
    memset(seen, 0, sizeof *seen);
    why = scan_host(record, &reader, s, seen);
  }
  s->unavailable = why != NULL;
  if (why)
    s->why = ag_record_copy_text(record, why);
  else
    s->known = seen;
  if (open) ag_reader_close(&reader);
}

static bool is_on_device(const aotigen_run *run, const ag_view *view) {
  const ag_backend *b = run->state->model->device.backend;
  return view->t.device_type == b->device_type &&
         (view->t.device_index < 0 ||
          view->t.device_index == run->state->async_run->place.device_index);
}

/* ---- wants ---------------------------------------------------------------------------------- */

/* The target; NULL if memory ran out. */
static ag_scan_target *want_target(aotigen_run *run, const ag_arg *a, const ag_view *view,
                                   enum ag_when when, unsigned what, int16_t head, int16_t tail) {
  ag_record *r = run->state->record;
  uint32_t tag = tag_of(r, a, view);
  ag_scan_target *s = find_target(&r->batch[when], tag, false);
  bool more = !s || (unsigned)s->want != (s->want | what) || head + tail > s->head + s->tail;
  if (!s) {
    const ag_tensor *kept = keep_tensor(r, a, view);
    if (!kept) return NULL;
    s = add_target(r, when, tag);
    s->tensor = kept;
  }
  if (!more) return s;
  s->want |= (uint8_t)what;
  if (head + tail > s->head + s->tail) {
    s->head = head;
    s->tail = tail;
  }
  if (!is_on_device(run, view)) scan_now(r, s, view, r->launch.stream);
  return s;
}

static ag_scan_target *want_bad(aotigen_run *run, const ag_arg *a, const ag_view *view,
                                enum ag_when when) {
  return want_target(run, a, view, when, AG_WANT_BAD, 0, 0);
}

/* Requests what the printer and the checks of values will read of an argument. */
static void want_all(aotigen_run *run, const ag_arg *a, enum ag_when when) {
  const ag_wanted_hooks *hooks = run->state->model->hooks;
  if (a->view.state != AG_VIEW_OK || !a->view.t.numel) return;
  for (size_t i = 0; hooks->wants[i]; i++) {
    ag_edges edges = {0, 0};
    unsigned what = hooks->wants[i](a, when, &edges);
    if (what) want_target(run, a, &a->view, when, what, edges.head, edges.tail);
  }
}

/* ---- the NaN assert, before the launch ------------------------------------------------------ */

/* Requests scans of the slice and of the whole input or weight. The evaluation needs the slice only
 * if the whole is bad. */
static bool cover_whole(aotigen_run *run, ag_arg *a, ag_ranges *table) {
  ag_view *whole = &run->state->texts.view;
  ag_range *x = ag_known_bytes_whole(table, a, whole);
  if (!x) return false;
  want_bad(run, a, whole, AG_BEFORE);
  want_bad(run, a, &a->view, AG_BEFORE);
  x->found = ag_found_clean;
  x->seen = run->launch;
  x->assumed = true;
  return true;
}

static bool is_covered(aotigen_run *run, ag_arg *a, ag_ranges *table, const ag_known *known) {
  if (known->assumed) return false;
  if (known->found.scanned && a->values.source == AG_FROM_WEIGHT)
    return a->values.lazy = !ag_arg_may_be_written(a);
  if (known->found.scanned && known->seen > run->unseen) return true;
  return table && table != &run->state->covered.written && !known->exact &&
         cover_whole(run, a, table);
}

/* True if the argument is scanned although it is covered: it will be compared with its value after
 * the launch, or the launch overwrites a part of it, whose old value cannot be read afterwards. */
static bool is_scanned_still(const ag_arg *a, const ag_known *known) {
  bool compared = a->param->role == AOTIGEN_UNKNOWN || a->param->flags & AOTIGEN_MAYBE_WRITTEN;
  return compared || ((!known->exact || known->exact->patched) && ag_arg_is_written(a));
}

static void plan_input(aotigen_run *run, ag_arg *a) {
  ag_byte_tables *covered = &run->state->covered;
  const ag_launch *l = &run->state->record->launch;
  ag_known known;
  ag_ranges *table = ag_known_bytes_find(covered, l, a, &known);
  if (a->param->role == AOTIGEN_UNKNOWN && a->values.source == AG_FROM_NOWHERE) return;
  a->values.reads = true;
  a->values.found.scanned = 1;
  if (!a->view.t.numel) return;
  if ((a->values.source == AG_FROM_LAUNCH || a->values.source == AG_FROM_NOWHERE) &&
      ag_reach_is_filled(run->state->record, (size_t)(a - run->state->record->args)))
    return;
  if (is_covered(run, a, table, &known) && !is_scanned_still(a, &known)) return;
  want_bad(run, a, &a->view, AG_BEFORE);
  ag_known_bytes_add_unattributed(covered, l, a, &known);
  if (!known.exact || !table) return;
  known.exact->found = ag_found_clean;
  known.exact->seen = run->launch;
}

static void plan_before(aotigen_run *run) {
  ag_record *r = run->state->record;
  for (size_t i = 0; i < r->nargs; i++) {
    ag_arg *a = &r->args[i];
    enum ag_reading reading = ag_arg_reading(a);
    if (a->view.state == AG_VIEW_OK && a->param->flags & AOTIGEN_FRESH && !ag_arg_is_late(a))
      ag_ranges_forget(&run->state->covered.written, &a->view);
    a->values.reads = reading == AG_READ_HIDDEN;
    if (reading == AG_READ_SCANNED) plan_input(run, a);
  }
}

/* ---- the NaN assert, after the launch ------------------------------------------------------- */

/* True if the evaluation will compare the argument with what it held before. */
static bool may_be_untouched(const ag_arg *a) {
  return (a->param->role == AOTIGEN_UNKNOWN || a->param->flags & AOTIGEN_MAYBE_WRITTEN) &&
         a->values.found.scanned;
}

/* Only bad values of the asserted kinds cause probes to be scanned. */
static void want_asserted(aotigen_run *run, const ag_arg *a) {
  ag_scan_target *s = want_bad(run, a, &a->view, AG_AFTER);
  if (s) s->probe_kinds = (uint8_t)ag_kinds_wanted(run->model);
}

static void plan_output(aotigen_run *run, uint16_t param) {
  ag_byte_tables *covered = &run->state->covered;
  ag_arg *a = &run->state->record->args[param];
  ag_findings found = ag_unscanned;
  /* A wait that completes nothing of this run's leaves what is known as it was. */
  if (ag_site_waits(&run->model->sites[run->site]) && !a->writing.launch) return;
  a->values.asserted_after = ag_arg_is_asserted(a);
  if (a->values.asserted_after) want_asserted(run, a);
  if (a->values.asserted_after && may_be_untouched(a)) {
    /* if the launch wrote it after all, the evaluation gets a range of its own for a part */
    ag_ranges_assume(&covered->written, &a->view);
    ag_ranges_assume(&covered->inputs, &a->view);
    ag_ranges_assume(&covered->weights, &a->view);
    a->values.asserted_after = false;
    return;
  }
  ag_ranges_mark_uncertain(&covered->weights, &a->view, 0, 0, 0);
  if (a->values.asserted_after) found = ag_found_clean;
  ag_ranges_write(&covered->written, &a->view, run->launch, run->site, param, &found);
}

static int16_t probe_elements(const ag_tensor *t) {
  return t->numel <= HOST_PROBE ? (int16_t)t->numel : 0;
}

/* Plans a probe of what the launch read, which is scanned only if an output is bad. */
static void plan_probe(aotigen_run *run, const ag_arg *a) {
  ag_record *r = run->state->record;
  bool on_host = !is_on_device(run, &a->view);
  if (a->view.state != AG_VIEW_OK || !a->view.floating || !a->view.t.numel) return;
  if (!a->values.reads || a->values.asserted_after) return;
  if (on_host && !probe_elements(&a->view.t)) return;
  ag_scan_target *x = add_target(r, AG_AFTER, tag_of(r, a, &a->view));
  x->probe = true;
  x->tensor = &a->view.t;
  x->want = AG_WANT_BAD | AG_WANT_SUMMARY;
  if (!on_host) return;
  x->head = probe_elements(&a->view.t);
  scan_now(r, x, &a->view, r->launch.stream);
}

static void plan_after(aotigen_run *run) {
  ag_record *r = run->state->record;
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *a = &r->args[i];
    if (a->view.state == AG_VIEW_REFUSED || a->view.state == AG_VIEW_PENDING)
      ag_known_bytes_refuse(&run->state->covered, &r->launch, a, (uint16_t)i);
    else if (a->view.state == AG_VIEW_OK && ag_arg_may_be_written(a))
      plan_output(run, (uint16_t)i);
  }
  bool any = r->batch[AG_AFTER].count;
  for (size_t i = 0; i < r->nargs && any; i++) plan_probe(run, &r->args[i]);
}

/* ---- red zones ------------------------------------------------------------------------------ */

/* Scans memory of the host now, and stores the result. */
static void scan_host_zone(ag_record *record, ag_scan_target *s) {
  ag_scan_result *seen = ag_record_alloc(record, sizeof *seen);
  unsigned char *element = ag_record_alloc(record, sizeof(uint32_t));
  const ag_backend *b = ag_backend_of_device_type(s->tensor->device_type);
  s->unavailable = !seen || !element || !b || b->stats(s->tensor, s->want, NULL, &seen->stats);
  if (s->unavailable) return;
  if (seen->stats.first_nan >= 0) b->read(s->tensor, seen->stats.first_nan, 1, NULL, element);
  seen->first[0] = element;
  seen->edges = NULL;
  s->known = seen;
}

bool ag_scan_plan_zones(aotigen_run *run, enum ag_when when) {
  ag_record *r = run->state->record;
  ag_scan_batch *w = &r->batch[when];
  size_t room = w->count + r->nzones[when] + 2 * r->nargs; /* for later targets */
  ag_scan_target *more = ag_record_alloc(r, room * sizeof *more);
  if (!more) return false;
  memcpy(more, w->targets, w->count * sizeof *more);
  w->targets = more;
  for (unsigned i = 0; i < r->nzones[when]; i++) {
    if (r->zones[when][i].known) continue;
    ag_scan_target *s = add_target(r, when, ZONE_TAG + i);
    s->tensor = &r->zones[when][i].t;
    s->want = AG_WANT_BAD;
    s->probe_kinds = NO_PROBES;
    if (r->zones[when][i].buffer.device_type != run->state->model->device.backend->device_type)
      scan_host_zone(r, s);
  }
  return true;
}

/* ---- all ------------------------------------------------------------------------------------ */

static void plan_rest(aotigen_run *run, enum ag_when when) {
  const ag_record *r = run->state->record;
  if (!ag_hooks_want_values(run->state->model)) return;
  for (size_t i = 0; i < r->nargs; i++) want_all(run, &r->args[i], when);
}

static bool is_asked(const aotigen_run *run) {
  const ag_record *r = run->state->record;
  return r && r->scanned && r->page;
}

static const char *plan_launch_before(aotigen_run *run) {
  if (!is_asked(run)) return NULL;
  if (run->model->nan_asserts) plan_before(run);
  plan_rest(run, AG_BEFORE);
  return NULL;
}

static const char *plan_launch_after(aotigen_run *run) {
  if (!is_asked(run)) return NULL;
  if (run->model->nan_asserts) plan_after(run);
  plan_rest(run, AG_AFTER);
  return NULL;
}

AG_LAUNCH_HOOKS(scan_plan) = {
    .wanted = ag_wants_scans, .before = plan_launch_before, .after = plan_launch_after};

void ag_scan_plan_inputs(aotigen_run *run) { plan_rest(run, AG_BEFORE); }

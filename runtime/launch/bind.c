/* bind.c - see bind.h. */
#define _GNU_SOURCE
#include "launch/bind.h"

#include "base/settings.h"
#include "checks/finding.h"
#include "checks/op_registered.h"
#include "launch/async_start.h"
#include "launch/device_error.h"
#include "state/in_flight.h"

/* ---- the arguments of a launch -------------------------------------------------------------- */

/* The launch's device, before its arguments are bound; -1 if it is not known. */
static int32_t find_device(const aotigen_run *run, const aotigen_value *values, size_t n) {
  const ag_model_state *m = run->state->model;
  ag_view view;
  int32_t device = m->device.index;
  for (size_t i = 0; i < n && m->device.async && device < 0; i++) {
    ag_view_of_value(&view, &values[i], &run->model->sites[run->site].params[i]);
    device = ag_model_state_device(m, &view);
  }
  return device;
}

static void mark_declared_read(const aotigen_run *run, ag_record *record) {
  const ag_op_facts *op = ag_op_registered_find(run->state->model, record->launch.site);
  for (size_t i = 0; op && i < record->nargs; i++) {
    ag_arg *a = &record->args[i];
    a->declared_read = a->param->role != AOTIGEN_OUT && !ag_arg_is_late(a) &&
                       ag_op_only_reads(op, i);
  }
}

bool ag_bind_args(aotigen_run *run, const ag_launch *l, const aotigen_value *values, size_t n) {
  aotigen_run_state *s = run->state;
  if (s->mode == AG_MODE_OPEN) ag_run_choose_mode(run, find_device(run, values, n));
  if (!s->model->launch_work) n = 0; /* only its site is recorded */
  if (!ag_run_begin_record(run, l, n)) return false;
  ag_record_bind(s->record, run->model->sites[l->site].params, values, n);
  mark_declared_read(run, s->record);
  ag_in_flight_bound(s->in_flight, s->record);
  if (s->record->page) ag_async_run_publish(run);
  return true;
}

void ag_bind_keep_views(ag_record *record, ag_arg *a, const ag_view *before) {
  ag_view *views = record->page ? ag_record_alloc(record, 2 * sizeof *views) : NULL;
  if (!views) return;
  ag_view_copy(&views[0], before);
  ag_view_copy(&views[1], &a->view);
  a->earlier = &views[0];
  a->later = &views[1];
  for (uint32_t i = 0; i < record->batch[AG_BEFORE].count; i++)
    if (record->batch[AG_BEFORE].targets[i].tensor == &a->view.t)
      record->batch[AG_BEFORE].targets[i].tensor = &views[0].t;
}

/* Binds a tensor after the call, which few calls change. scratch: a view in memory that is used at
 * each launch, as the record's is not. */
static void bind_later(ag_record *record, ag_arg *a, ag_view *scratch) {
  ag_view_of_value(scratch, &a->value, a->param);
  if (ag_view_is_same(&a->view, scratch)) {
    ag_view_copy(&a->view, scratch);
    return;
  }
  ag_view before;
  ag_view_copy(&before, &a->view);
  ag_view_copy(&a->view, scratch);
  ag_bind_keep_views(record, a, &before);
}

/* Skips handles that a dispatcher took, which no longer exist, and kernels, which resize
 * nothing. */
void ag_bind_again(aotigen_run *run, const aotigen_value *late, size_t n) {
  ag_record *r = run->state->record;
  uint8_t form = run->model->sites[run->site].form;
  bool resizes = form == AOTIGEN_EXTERN || form == AOTIGEN_PROXY;
  bool compared = form == AOTIGEN_PROXY && run->model->guard & AOTIGEN_GUARD_OPS;
  size_t next = 0;
  if (!n && !resizes && form != AOTIGEN_DISPATCHER) return;
  for (size_t i = 0; i < r->nargs; i++) {
    ag_arg *a = &r->args[i];
    if (ag_arg_is_late(a)) {
      if (next < n) ag_arg_bind(a, a->param, &late[next]);
      next++;
    } else if (form == AOTIGEN_DISPATCHER) {
      a->view.handle = NULL;
    } else if (a->view.state == AG_VIEW_REFUSED) {
      continue; /* this launch does not read it, whatever the call made of it */
    } else if (resizes && a->value.kind == AOTIGEN_V_HANDLE &&
               (compared || a->param->role != AOTIGEN_IN ||
                a->param->flags & AOTIGEN_MAYBE_WRITTEN)) {
      bind_later(r, a, &run->state->texts.view);
    }
  }
}

/* ---- launches that are skipped -------------------------------------------------------------- */

/* Warns once per model. */
static void say_captured(aotigen_run *run) {
  const char *why = run->state->model->device.async
                        ? "run the model once before each capture, so that "
                          "nothing need be allocated meanwhile"
                        : "what waits for the device cannot be captured";
  if (atomic_exchange(&run->state->model->said.warned.captured, true)) return;
  ag_warn("run %llu of %s is being captured into a graph: %s (%s)", (unsigned long long)run->number,
          run->model->source, ag_not_scanned, why);
}

/* A kernel begins no capture, as an operator in Python may. So where a kernel was launched on a
 * stream that was not captured, the driver need not be asked at the next launch. */
static bool is_known_uncaptured(const aotigen_run *run, const ag_launch *l) {
  const ag_run_progress *p = &run->state->progress;
  return p->uncaptured.launch && p->uncaptured.launch + 1 == l->number &&
         p->uncaptured.stream == l->stream;
}

static void note_uncaptured(aotigen_run *run, const ag_launch *l, bool capturing) {
  const bool lasts = !capturing && ag_launch_site(l)->form == AOTIGEN_TRITON;
  run->state->progress.uncaptured.launch = lasts ? l->number : 0;
  run->state->progress.uncaptured.stream = l->stream;
}

/* True if the stream's capture state differs from the run's. */
static bool differs_from_capture(aotigen_run *run, const ag_launch *l) {
  aotigen_run_state *s = run->state;
  bool capturing = !is_known_uncaptured(run, l) && ag_model_state_is_capturing(s->model, l->stream);
  note_uncaptured(run, l, capturing);
  if (capturing && s->mode == AG_MODE_OPEN)
    ag_run_choose_mode(run, s->model->device.index >= 0 ? s->model->device.index : 0);
  bool captured = s->mode == AG_MODE_ASYNC && s->async_run->is_captured;
  if (capturing && !captured) say_captured(run);
  return capturing != captured;
}

bool ag_bind_leaves_out(aotigen_run *run, const ag_launch *l, const aotigen_value *values,
                        size_t n) {
  bool completes = run->state->pending.count && ag_site_waits(ag_launch_site(l));
  if (!completes && !ag_number_list_has(&ag_settings_get()->launches, l->number)) return true;
  run->state->progress.selected++;
  bool lost = ag_device_error_any() && ag_device_error_reported(find_device(run, values, n));
  return !lost && differs_from_capture(run, l); /* a lost device is not queried */
}

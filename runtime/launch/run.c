/* run.c - the markers: where a run begins and ends, and the order of what is done at a launch. */
#define _GNU_SOURCE
#include "launch/run.h"

#include <string.h>

#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "checks/guard.h"
#include "checks/kept.h"
#include "checks/op_registered.h"
#include "checks/op_results.h"
#include "checks/races.h"
#include "checks/selection.h"
#include "launch/async_start.h"
#include "launch/backpressure.h"
#include "launch/core_dump.h"
#include "launch/device_error.h"
#include "launch/evaluate.h"
#include "launch/explain_crash.h"
#include "launch/graph_replay.h"
#include "launch/index_copies.h"
#include "launch/launch_failed.h"
#include "launch/nvtx_ranges.h"
#include "launch/nvtx_read_only.h"
#include "launch/op_contents.h"
#include "launch/requested.h"
#include "launch/retained.h"
#include "launch/scan_plan.h"
#include "launch/watchdog.h"
#include "launch/zones.h"
#include "memory/retired.h"
#include "memory/usage.h"
#include "output/printer.h"
#include "state/crash_signals.h"
#include "state/entries.h"
#include "state/under_way.h"

/* No site is wanted: of a wrapper whose tables must not be read, or where memory ran out. */
static const uint8_t nothing[AOTIGEN_MAX_SITES];

/* ---- the run -------------------------------------------------------------------------------- */

/* Is the new run only a part of this one (run_impl calls the ArrayRef interface's function). */
static bool is_part_of(const aotigen_run *outer, const aotigen_model *model, int folding) {
  return outer && outer->state && outer->model == model && !folding && outer->number &&
         !outer->state->progress.active;
}

static void begin_part(aotigen_run *run, aotigen_run *outer) {
  run->outer = outer;
  run->state = outer->state;
  run->number = outer->number;
  run->launch = outer->launch;
  run->unseen = outer->unseen;
  run->wanted = outer->wanted;
  ag_run_set_current(run);
}

void aotigen_run_begin(aotigen_run *run, aotigen_model *model, const char *function, int folding,
                       void *stream) {
  aotigen_run *current = ag_run_current();
  (void)function;
  memset(run, 0, sizeof *run);
  run->model = model;
  run->wanted = nothing;
  run->stream = stream;
  if (is_part_of(current, model, folding)) {
    begin_part(run, current);
    return;
  }
  run->number = folding ? 0 : ag_run_next_number();
  /* A wrapper without a constructor was never loaded by us. */
  if (model->abi != AOTIGEN_ABI) ag_model_state_refuse(model);
  ag_model_state *m = ag_model_state_of(model);
  ag_entries_come_to_run();
  run->state = m ? ag_run_state_take(m) : NULL;
  if (!run->state) return;
  run->state->previous = current;
  if (m->anything) ag_explain_crash_install();
  if (m->anything) ag_crash_signals_install();
  run->state->under_way = m->anything ? ag_under_way_begin(model, run) : NULL;
  if (run->state->under_way && ag_settings_get()->watchdog_us) ag_watchdog_begin();
  run->state->race = model->check_inputs & 2 && m->writes_given ? ag_races_begin(run) : NULL;
  ag_nvtx_ranges_begin_run(run);
  ag_run_set_current(run);
  bool selected = ag_number_list_has(&ag_settings_get()->runs, run->number);
  run->wanted = selected ? m->wanted : m->none;
  ag_selection_check_kernels(m);
  if (!folding) ag_selection_count_run(m, selected);
}

void aotigen_run_end(aotigen_run *run, int unwinding) {
  if (run->outer) {
    run->outer->launch = run->launch;
    run->outer->unseen = run->unseen;
    ag_under_way_set_run(run->outer->state ? run->outer->state->under_way : NULL, run->outer);
    ag_run_set_current(run->outer);
    return;
  }
  aotigen_run_state *s = run->state;
  if (!s) return;
  ag_nvtx_read_only_end(run);
  ag_zones_end(run, unwinding);
  ag_usage_end(run, unwinding);
  ag_run_set_current(s->previous);
  if (s->progress.active && !unwinding && run->model->check_inputs & 2 &&
      run->model->sites[run->site].form == AOTIGEN_DISPATCHER)
    ag_launch_failed(run, "the run returned from within the call: a Python exception is pending");
  ag_retained_end(s);
  ag_index_copies_end(s);
  if (s->progress.active && s->record) ag_op_contents_drop(s->record);
  ag_under_way_end(s->under_way);
  ag_races_end(s->race);
  ag_nvtx_ranges_end_run(run);
  if (!unwinding) ag_selection_check_launches(run);
  if (!unwinding && s->model->explain.n) ag_requested_end(run);
  if (s->way != AG_WAY_ASYNC) {
    s->evaluation.launch = ag_run_launch(run);
    ag_evaluate_end(&s->evaluation);
    ag_run_state_give(s);
  } else if (s->async_run->is_captured) {
    if (ag_graph_replay_add(run, unwinding)) ag_evaluator_add_graph(s->async_run);
  } else {
    /* The exception that is on its way may end the process: what is known must be out by then. */
    ag_backpressure_end_run(s->async_run, unwinding);
  }
  run->state = NULL;
}

/* The run's device is known to be lost: the message to throw, or NULL. From here on the device is
 * asked nothing. */
static const char *find_device_fault(aotigen_run *run) {
  const aotigen_run_state *s = run->state;
  int32_t device;
  bool lost;
  if (!s->model->async) return NULL;
  if (s->way == AG_WAY_ASYNC) {
    device = s->async_run->place.device_index;
    lost = s->async_run->async->device->sticky_error(device) != NULL;
  } else {
    device = ag_run_known_device(run);
    lost = ag_device_error_reported(device);
  }
  return lost ? ag_device_error_fault(run, device) : NULL;
}

const char *aotigen_before_outputs(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (!s) return NULL;
  s->progress.ending = true;
  if (s->way == AG_WAY_ASYNC) {
    if (s->async_run->is_captured) return NULL;
    ag_async_run_thrown(s); /* a launch whose end never came is not waited for */
    if (ag_settings_get()->on_fault == AG_FAULT_THROW) ag_backpressure_await_all(s->async_run);
    const char *fault = find_device_fault(run);
    if (fault || ag_settings_get()->on_fault != AG_FAULT_THROW) return fault;
  }
  ag_text *pending = &s->evaluation.pending;
  if (!pending->length) return NULL;
  ag_text_clear(&s->texts.message);
  ag_text_add_bytes(&s->texts.message, pending->data, pending->length);
  ag_text_clear(pending);
  return ag_text_string(&s->texts.message);
}

/* ---- the arguments of a launch -------------------------------------------------------------- */

/* The device that the launch is on, before its arguments are bound; -1 where nothing tells. */
static int32_t find_device(const aotigen_run *run, const aotigen_value *values, size_t n) {
  const ag_model_state *m = run->state->model;
  ag_view view;
  int32_t device = m->device_index;
  for (size_t i = 0; i < n && m->async && device < 0; i++) {
    ag_view_of_value(&view, &values[i], &run->model->sites[run->site].params[i]);
    device = ag_model_state_device(m, &view);
  }
  return device;
}

static void mark_declared_read(const aotigen_run *run, ag_record *r) {
  const ag_op_facts *op = ag_op_registered_find(run->state->model, r->launch.site);
  for (size_t i = 0; op && i < r->nargs; i++) {
    ag_arg *a = &r->args[i];
    a->declared_read = a->param->role != AOTIGEN_OUT && !ag_arg_is_late(a) &&
                       ag_op_only_reads(op, i);
  }
}

static bool bind_args(aotigen_run *run, const ag_launch *l, const aotigen_value *values, size_t n) {
  aotigen_run_state *s = run->state;
  if (s->way == AG_WAY_OPEN) ag_run_choose_way(run, find_device(run, values, n));
  if (!s->model->launch_work) n = 0; /* its site alone is recorded */
  if (!ag_run_begin_record(run, l, n)) return false;
  ag_record_bind(s->record, run->model->sites[l->site].params, values, n);
  mark_declared_read(run, s->record);
  ag_under_way_bound(s->under_way, s->record);
  if (s->record->page) ag_async_run_publish(run);
  return true;
}

/* A tensor after the call. A record that is evaluated later keeps both views where they differ. */
static void bind_later(ag_record *r, ag_arg *a) {
  const ag_view before = a->view;
  ag_view_of_value(&a->view, &a->value, a->param);
  if (!r->page || ag_view_is_same(&before, &a->view)) return;
  ag_view *views = ag_record_alloc(r, 2 * sizeof *views);
  if (!views) return;
  views[0] = before;
  views[1] = a->view;
  a->earlier = &views[0];
  a->later = &views[1];
  for (uint32_t i = 0; i < r->batch[AG_BEFORE].count; i++)
    if (r->batch[AG_BEFORE].targets[i].tensor == &a->view.t)
      r->batch[AG_BEFORE].targets[i].tensor = &views[0].t;
}

/* What came into being at the call, and what a call may have given another size or other memory.
 * The handles that a dispatcher took are gone by now; a kernel resizes nothing. */
static void bind_again(aotigen_run *run, const aotigen_value *late, size_t n) {
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
      continue; /* it is not read in this launch, whatever the call made of it */
    } else if (resizes && a->value.is == AOTIGEN_V_HANDLE &&
               (compared || a->param->role != AOTIGEN_IN ||
                a->param->flags & AOTIGEN_MAYBE_WRITTEN)) {
      bind_later(r, a);
    }
  }
}

/* ---- what is left out ----------------------------------------------------------------------- */

/* Once a model. */
static void say_captured(aotigen_run *run) {
  const char *why = run->state->model->async ? "run the model once before each capture, so that "
                                               "nothing need be allocated meanwhile"
                                             : "what waits for the device cannot be captured";
  if (atomic_exchange(&run->state->model->warned.captured, true)) return;
  ag_warn("run %llu of %s is being captured into a graph: %s (%s)", (unsigned long long)run->number,
          run->model->source, ag_not_scanned, why);
}

/* Is the launch's stream being captured though the run was not async from the start of the capture,
 * or the reverse. */
static bool differs_from_capture(aotigen_run *run, void *stream) {
  aotigen_run_state *s = run->state;
  bool capturing = ag_model_state_is_capturing(s->model, stream);
  if (capturing && s->way == AG_WAY_OPEN)
    ag_run_choose_way(run, s->model->device_index >= 0 ? s->model->device_index : 0);
  bool captured = s->way == AG_WAY_ASYNC && s->async_run->is_captured;
  if (capturing && !captured) say_captured(run);
  return capturing != captured;
}

/* AOTIGEN_LAUNCHES leaves the launch out, or it cannot be scanned: it is counted all the same. */
static bool is_left_out(aotigen_run *run, const ag_launch *l, const aotigen_value *values,
                        size_t n) {
  if (!ag_number_list_has(&ag_settings_get()->launches, l->number)) return true;
  run->state->progress.selected = true;
  bool lost = ag_device_error_any() && ag_device_error_reported(find_device(run, values, n));
  return !lost && differs_from_capture(run, l->stream); /* a lost device is asked nothing */
}

/* ---- a launch ------------------------------------------------------------------------------- */

ag_save_way ag_run_save_way(const aotigen_run *run) {
  const aotigen_run_state *s = run->state;
  ag_save_way way = {.stream = ag_run_stream(run)};
  if (s->way != AG_WAY_ASYNC) return way;
  way.async = s->async_run->async;
  way.device_type = s->model->backend->device_type;
  way.device_index = s->async_run->place.device_index;
  if (s->async_run->is_captured)
    way.refusal = "the run goes into a graph, of which nothing is saved";
  return way;
}

static void evaluate_now(ag_evaluation *e, ag_record *r, enum ag_when when) {
  if (when == AG_AFTER) {
    ag_evaluate_after(e);
    return;
  }
  ag_evaluate_begin(e, r);
  ag_evaluate_before(e);
}

static void save_launch(aotigen_run *run, enum ag_when when) {
  ag_save_way way = ag_run_save_way(run);
  ag_saver_launch(&way, &run->state->record->launch, run->state->record, when);
}

static void print_name(aotigen_run *run, enum ag_when when) {
  ag_launch l = ag_run_launch(run); /* there may be no record */
  ag_printer_name(&l, when, &run->state->texts.report);
}

/* Has the tensors of the launch scanned: evaluated at once, or recorded and asked of the device. */
static const char *scan_launch(aotigen_run *run, enum ag_when when) {
  aotigen_run_state *s = run->state;
  ag_record *r = s->record;
  bool scanned = r && r->scanned;
  if (scanned && when == AG_AFTER) ag_zones_plan_after(run);
  if (scanned && when == AG_BEFORE) ag_zones_plan_before(run);
  if (scanned && r->page) ag_scan_plan_launch(run, when);
  if (scanned && !r->page) evaluate_now(&s->evaluation, r, when);
  if (scanned && run->model->printer == 1) save_launch(run, when);
  if (run->model->printer == 3) print_name(run, when);
  bool lost = scanned && r->page && ag_async_run_ask(run, when);
  if (when == AG_BEFORE) ag_retired_fill(run);
  if (when == AG_AFTER) ag_zones_free_released(s);
  if (lost) return ag_device_error_fault(run, s->async_run->place.device_index);
  return NULL;
}

bool ag_run_knows_site(const aotigen_run *run) { return run->launch && run->unseen != run->launch; }

void ag_run_log_device_error(const aotigen_run *run, const char *error) {
  ag_launch l = ag_run_launch(run);
  ag_text event;
  if (ag_run_knows_site(run))
    ag_event_launch(&event, "device", &l, NULL);
  else
    ag_event_run(&event, "device", run->model, run->number);
  ag_event_add_string(&event, "check", "device error");
  ag_event_add_string(&event, "found", error);
  ag_event_end(&event);
}

/* Waits, and takes the device's error if there is one: the launch that just ran is the first that
 * can have caused it. */
static const char *sync_after(aotigen_run *run) {
  const ag_backend *backend = run->state->model->backend;
  if (backend) ag_under_way_wait(run->state->under_way);
  const char *error = backend ? backend->sync(ag_run_device(run), ag_run_stream(run)) : NULL;
  if (backend) ag_under_way_after(run->state->under_way);
  ag_text *t = &run->state->texts.report;
  ag_launch l = ag_run_launch(run);
  if (!error) return NULL;
  ag_text_clear(t);
  ag_report_head(t, &l, "device error");
  ag_report_site(t, &l);
  ag_text_add_line(t, "error", "%s", error);
  ag_core_dump_add_doubt(t);
  if (run->state->record) ag_index_copies_explain(t, run->state->record);
  ag_run_log_device_error(run, error);
  run->state->progress.error_reported = true;
  ag_device_error_note(ag_run_device(run), ag_text_string(t));
  return ag_report_fault(&run->state->texts.message, t);
}

const char *aotigen_before(aotigen_run *run, uint32_t site, const aotigen_value *values, size_t n) {
  aotigen_run_state *s = run->state;
  const char *fault = NULL;
  if (!s || site >= run->model->nsites) return NULL;
  s->progress.active = false;
  if (run->model->sites[site].heads)
    ag_iterations_count(&s->progress.iterations, run->model, &run->model->sites[site]);
  if (run->wanted[site] == AG_ONLY_COUNTED) {
    run->unseen = run->launch;
    ag_retired_fill(run);
    return NULL;
  }
  run->site = site;
  run->error = 0;
  run->room = run->more = 0;
  ag_under_way_before(s->under_way, run, site);
  if (n > run->model->sites[site].nparams) n = run->model->sites[site].nparams;
  ag_launch l = ag_run_launch(run);
  bool bound = !is_left_out(run, &l, values, n);
  if (bound && (s->model->launch_work || s->model->async)) bound = bind_args(run, &l, values, n);
  if (!bound) {
    run->unseen = run->launch;
    ag_retired_fill(run);
    ag_under_way_launch(s->under_way);
    return NULL;
  }
  s->progress.active = true;
  if (!s->record || !s->record->scanned) run->unseen = run->launch;
  fault = find_device_fault(run);
  if (!fault && run->model->check_inputs & 2) fault = ag_guard_before(run);
  if (!fault) fault = ag_races_check(run);
  if (!fault) fault = scan_launch(run, AG_BEFORE);
  if (fault) {
    s->progress.active = false;
    return fault;
  }
  if (run->model->check_inputs & 2) run->room = AOTIGEN_ROOM;
  ag_retained_begin(run);
  ag_index_copies_make(run);
  ag_op_contents_before(run);
  ag_usage_before(run);
  ag_nvtx_read_only_begin(run);
  ag_nvtx_ranges_begin_launch(run);
  ag_under_way_launch(s->under_way);
  return NULL;
}

/* In an async run the elements are read when the launch is over. */
static void explain_requested(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  ag_requested_note(run);
  if (!s->record || s->record->page) return;
  ag_evaluate_begin(&s->evaluation, s->record);
  ag_requested_report(&s->evaluation);
}

const char *aotigen_after(aotigen_run *run, uint32_t site, const aotigen_value *late, size_t n) {
  aotigen_run_state *s = run->state;
  const aotigen_model *model = run->model;
  const char *fault = NULL;
  if (s) ag_under_way_after(s->under_way);
  if (s) ag_nvtx_ranges_end_launch(run);
  if (s) ag_nvtx_read_only_end(run);
  if (!s || !s->progress.active || run->site != site) return NULL;
  s->progress.active = false;
  run->room = 0;
  if (s->retained.n && !run->error) ag_retained_end(s);
  if (!s->model->async && (model->sync || ag_settings_get()->blocking)) fault = sync_after(run);
  if (fault) return fault;
  bool guarded = model->check_inputs & 2 && s->record;
  if (guarded && !run->error && model->sites[site].form == AOTIGEN_PROXY)
    fault = ag_kept_check(run);
  if (fault) return fault;
  if (s->model->launch_work) bind_again(run, late, n);
  ag_usage_after(run);
  ag_op_contents_after(run);
  if (run->more)
    fault = ag_op_results_report(run);
  else if (model->check_inputs & 2)
    fault = run->error ? ag_launch_failed(run, NULL) : ag_guard_after(run);
  if (!fault) fault = scan_launch(run, AG_AFTER);
  if (s->model->explain.n && !run->error) explain_requested(run);
  if (s->record && s->record->page && ag_async_run_launched(run) && !fault)
    fault = ag_device_error_fault(run, s->async_run->place.device_index);
  return fault;
}

/* run.c - the markers: where a run begins and ends, and the order of what is done at a launch.
 * Decides nothing itself. */
#define _GNU_SOURCE
#include "launch/run.h"

#include <string.h>

#include "launch/evaluator_thread.h"
#include "launch/scan.h"
#include "checks/finding.h"
#include "launch/device_error.h"
#include "base/sink.h"

static _Thread_local aotigen_run *current;
static atomic_ullong runs;

/* For a wrapper whose tables we must not read, or where memory ran out: no site is wanted. The
 * generator makes no more. */
static const uint8_t nothing[AOTIGEN_MAX_SITES];

aotigen_run *ag_current_run(void) { return current; }

/* The run that this one is only a part of (run_impl hands on to the ArrayRef interface's function).
 */
static bool is_part_of(const aotigen_run *outer, const aotigen_model *model, int folding) {
  return outer && outer->state && outer->model == model && !folding && outer->number &&
         !outer->state->active;
}

void aotigen_run_begin(aotigen_run *run, aotigen_model *model, const char *function, int folding,
                       void *stream) {
  (void)function;
  memset(run, 0, sizeof *run);
  run->model = model;
  run->wanted = nothing;
  run->stream = stream;
  if (is_part_of(current, model, folding)) {
    run->outer = current;
    run->state = current->state;
    run->number = current->number;
    run->launch = current->launch;
    run->unseen = current->unseen;
    run->wanted = current->wanted;
    current = run;
    return;
  }
  run->number = folding ? 0 : ag_next_run();
  if (model->abi != AOTIGEN_ABI)
    ag_refuse_abi(model); /* a wrapper without a constructor was never loaded by us */
  ag_model_state *m = ag_model_state_of(model);
  run->state = m ? ag_state_take(m) : NULL;
  if (!run->state) return;
  run->state->previous = current;
  current = run;
  run->wanted = ag_in_list(&ag_get_settings()->runs, run->number) ? m->wanted : m->none;
}

void aotigen_run_end(aotigen_run *run, int unwinding) {
  if (run->outer) {
    run->outer->launch = run->launch;
    run->outer->unseen = run->unseen;
    current = run->outer;
    return;
  }
  aotigen_run_state *s = run->state;
  if (!s) return;
  current = s->previous;
  if (s->mode != AG_PLANNING) {
    ag_nan_run_end(run);
    ag_state_give(s);
  } else if (s->async_run->captured) {
    ag_record_captured(run, unwinding);
  } else {
    /* The exception that is on its way may end the process: what is known must be out by then. */
    ag_evaluator_close(s->async_run, unwinding);
  }
  run->state = NULL;
}

int32_t ag_view_device(const ag_model_state *m, const ag_view *v) {
  return v->state == AG_VIEW_OK && v->t.device_type == m->backend->device_type &&
                 v->t.device_index >= 0
             ? v->t.device_index
             : -1;
}

/* The device that the launch is on, before its arguments are bound; -1 where nothing tells. */
static int32_t device_of(const aotigen_run *run, const aotigen_value *values, size_t n) {
  const ag_model_state *m = run->state->model;
  ag_view view;
  int32_t device = m->device_index;
  for (size_t i = 0; i < n && m->defers && device < 0; i++) {
    ag_view_of(&view, &values[i], &ag_site(run)->params[i]);
    device = ag_view_device(m, &view);
  }
  return device;
}

static void bind(ag_arg *a, const aotigen_param *param, const aotigen_value *value) {
  a->param = param;
  a->value = *value;
  a->earlier = a->later = NULL;
  ag_arg_reset(a);
  ag_view_of(&a->view, value, param);
  a->value.sizes = a->value.strides = NULL;
}

void ag_arg_reset(ag_arg *a) {
  a->was = NULL;
  a->reads = a->asserted_after = a->lazy = a->counted = false;
  a->source = AG_FROM_NOWHERE;
  a->found = ag_unscanned;
}

static bool bind_all(aotigen_run *run, const aotigen_value *values, size_t n) {
  aotigen_run_state *s = run->state;
  const aotigen_site *site = ag_site(run);
  s->nargs = 0;
  if (!s->settled) ag_defer(run, device_of(run, values, n));
  bool recorded = s->mode == AG_PLANNING &&
                  ag_record_begin(run, run->site, s->model->launch_work ? n : 0);
  s->looks = recorded || (s->mode == AG_NOW && !s->left_out);
  if (!recorded) {
    s->record = NULL;
    if (n && !ag_grow((void **)&s->own_args, &s->room, n - 1, sizeof *s->own_args)) return false;
    s->args = s->own_args;
  }
  if (!s->model->launch_work) n = 0; /* on record by its site alone */
  for (size_t i = 0; i < n; i++) bind(&s->args[i], &site->params[i], &values[i]);
  s->nargs = n;
  if (recorded) ag_record_publish(run);
  return true;
}

/* A tensor after the call. On record both are kept where they differ, for the judge sees the launch
 * from its beginning. */
static void bind_later(aotigen_run_state *s, ag_arg *a) {
  ag_record *r = s->mode == AG_PLANNING ? s->record : NULL;
  ag_view *views = r ? ag_record_memory(r, 2 * sizeof *views) : NULL;
  if (views) views[0] = a->view;
  ag_view_of(&a->view, &a->value, a->param);
  if (!views || ag_same_view(&views[0], &a->view)) return;
  views[1] = a->view;
  a->earlier = &views[0];
  a->later = &views[1];
  for (uint32_t i = 0; i < r->batch[AG_BEFORE].count; i++)
    if (r->batch[AG_BEFORE].targets[i].tensor == &a->view.t)
      r->batch[AG_BEFORE].targets[i].tensor = &views[0].t;
}

/* What came into being at the call, and what a call may have given another size. The handles that a
 * dispatcher took are gone by now; a kernel resizes nothing. */
static void bind_again(aotigen_run *run, const aotigen_value *late, size_t n) {
  aotigen_run_state *s = run->state;
  uint8_t form = ag_site(run)->form;
  size_t next = 0;
  for (size_t i = 0; i < s->nargs; i++) {
    ag_arg *a = &s->args[i];
    if (ag_arg_late(a)) {
      if (next < n) bind(a, a->param, &late[next]);
      next++;
    } else if (form == AOTIGEN_DISPATCHER) {
      a->view.handle = NULL;
    } else if ((form == AOTIGEN_EXTERN || form == AOTIGEN_PROXY) && a->param->role != AOTIGEN_IN &&
               a->value.is == AOTIGEN_V_HANDLE) {
      bind_later(s, a);
    }
  }
}

/* The device that the run is on, -1 where nothing tells. */
static int32_t known_device(const aotigen_run *run) {
  const aotigen_run_state *s = run->state;
  const ag_model_state *m = s->model;
  int32_t device = m->device_index;
  if (device >= 0) return device;
  if (s->mode == AG_PLANNING) return s->async_run->device_index;
  for (size_t i = 0; i < s->nargs && m->backend && device < 0; i++)
    device = ag_view_device(m, &s->args[i].view);
  return device < 0 ? s->inputs_device : device;
}

int32_t ag_run_device(const aotigen_run *run) {
  int32_t device = known_device(run);
  return device < 0 ? 0 : device;
}

void *ag_run_stream(const aotigen_run *run) {
  const ag_backend *backend = run->state->model->backend;
  if (run->stream || !backend) return run->stream;
  return backend->current_stream(run->state->model->device_index);
}

uint64_t ag_next_run(void) { return atomic_fetch_add(&runs, 1) + 1; }

/* Said once a model: what of a graph is not looked at, and what would have to be otherwise. */
static void say_captured(aotigen_run *run) {
  const char *why =
      run->state->model->defers
          ? "run the model once before each capture, so that nothing need be allocated meanwhile"
          : "what waits for the device cannot be captured";
  if (atomic_exchange(&run->state->model->said_captured, true)) return;
  ag_warn("run %llu of %s is being captured into a graph: its launches are not looked at (%s)",
          (unsigned long long)run->number, run->model->source, why);
}

/* Is the launch one on a stream that is being captured, in a run that was not on record from the
 * start of that, or the reverse. */
static bool differs_from_capture(aotigen_run *run) {
  const ag_backend *backend = run->state->model->backend;
  aotigen_run_state *s = run->state;
  bool capturing = backend && backend->capturing(ag_run_stream(run));
  if (capturing && !s->settled)
    ag_defer(run, s->model->device_index >= 0 ? s->model->device_index : 0);
  bool captured = s->mode == AG_PLANNING && s->async_run->captured;
  if (capturing && !captured) say_captured(run);
  return capturing != captured;
}

/* A launch that AOTIGEN_LAUNCHES leaves out, or that cannot be looked at: counted all the same. */
static bool is_left_out(aotigen_run *run, const aotigen_value *values, size_t n) {
  if (!ag_in_list(&ag_get_settings()->launches, run->launch)) return true;
  bool dead = ag_device_error_any() && ag_device_error_reported(device_of(run, values, n));
  return !dead && differs_from_capture(run); /* a dead device is asked nothing */
}

/* The device that the run is on is known to be dead: from here on nothing is asked of it. */
static const char *fault_of_death(aotigen_run *run) {
  const aotigen_run_state *s = run->state;
  if (!s->model->defers) return NULL;
  int32_t device = known_device(run);
  bool dead = s->mode == AG_PLANNING ? s->async_run->async->device->sticky_error(device) != NULL
                                     : ag_device_error_any() && ag_device_error_reported(device);
  return dead ? ag_device_error_fault(run, device) : NULL;
}

/* What is done with the arguments: looked at, or on record planned, and the device asked. */
static const char *observe(aotigen_run *run, enum ag_when when) {
  aotigen_run_state *s = run->state;
  const aotigen_model *model = run->model;
  if (!s->looks) {
    if (model->printer == 3) ag_print_launch(run, when == AG_AFTER);
    return NULL;
  }
  if (model->nan_asserts && when == AG_BEFORE) ag_nan_before(run);
  if (model->nan_asserts && when == AG_AFTER) ag_nan_after(run);
  if (s->mode == AG_PLANNING && model->nan_asserts && when == AG_AFTER) ag_plan_probes(run);
  if (model->printer == 1) ag_save_launch(run, when == AG_AFTER);
  if (model->printer >= 2) ag_print_launch(run, when == AG_AFTER);
  if (s->mode == AG_PLANNING && ag_record_ask(run, when))
    return ag_device_error_fault(run, s->async_run->device_index);
  return NULL;
}

/* Else run->site is an earlier launch's. */
static bool knows_site(const aotigen_run *run) { return run->launch && run->unseen != run->launch; }

static void log_death(const aotigen_run *run, const char *error) {
  ag_text event;
  if (knows_site(run))
    ag_event_launch(&event, "device", run, NULL);
  else
    ag_event_run(&event, "device", run);
  ag_event_string(&event, "check", "device error");
  ag_event_string(&event, "found", error);
  ag_event_end(&event);
}

/* Takes the device's error, if there is one: the launch that just ran is the first that can have
 * made it. */
static const char *sync_after(aotigen_run *run) {
  const ag_backend *backend = run->state->model->backend;
  const char *error = backend ? backend->sync(ag_run_device(run), ag_run_stream(run)) : NULL;
  ag_text *t = &run->state->scratch;
  if (!error) return NULL;
  ag_text_clear(t);
  ag_report_head(t, run, "device error");
  ag_report_site(t, run);
  ag_add_line(t, "error", "%s", error);
  log_death(run, error);
  run->state->death_told = true;
  ag_device_error_note(ag_run_device(run), ag_text_string(t));
  return ag_report_fault(run, t);
}

const char *aotigen_before(aotigen_run *run, uint32_t site, const aotigen_value *values, size_t n) {
  aotigen_run_state *s = run->state;
  const char *fault = NULL;
  if (!s || site >= run->model->nsites) return NULL;
  run->site = site;
  s->active = false;
  if (n > ag_site(run)->nparams) n = ag_site(run)->nparams;
  if (is_left_out(run, values, n)) {
    run->unseen = run->launch;
    return NULL;
  }
  s->nargs = 0;
  if ((s->model->launch_work || s->model->defers) && !bind_all(run, values, n)) {
    run->unseen = run->launch;
    return NULL;
  }
  s->active = true;
  if (!s->looks) run->unseen = run->launch;
  fault = fault_of_death(run);
  if (!fault && run->model->check_inputs & 2) fault = ag_guard_before(run);
  if (!fault) fault = observe(run, AG_BEFORE);
  if (fault) s->active = false;
  return fault;
}

const char *aotigen_after(aotigen_run *run, uint32_t site, const aotigen_value *late, size_t n) {
  aotigen_run_state *s = run->state;
  const aotigen_model *model = run->model;
  const char *fault = NULL;
  if (!s || !s->active || run->site != site) return NULL;
  s->active = false;
  if (model->sync || ag_get_settings()->blocking) fault = sync_after(run);
  if (fault) return fault;
  if (s->model->launch_work) bind_again(run, late, n);
  if (model->check_inputs & 2) fault = ag_guard_after(run);
  if (!fault) fault = observe(run, AG_AFTER);
  if (s->mode == AG_PLANNING && s->looks && ag_record_launched(run) && !fault)
    fault = ag_device_error_fault(run, s->async_run->device_index);
  return fault;
}

/* The error's launch is known only where each launch was waited for: otherwise it may be of any
 * before this one. */
static void report_death(ag_text *t, const aotigen_run *run) {
  bool waited = ag_get_settings()->blocking || (run->model->sync && !run->unseen);
  if (!knows_site(run)) {
    ag_addf(t, "aotigen: device error in run %llu, seen ", (unsigned long long)run->number);
    ag_addf(t, run->launch ? "at launch %llu\n" : "before its first launch\n",
            (unsigned long long)run->launch);
    return;
  }
  if (waited && run->state->active)
    ag_report_head(t, run, "device error");
  else
    ag_addf(t, "aotigen: device error in run %llu, seen at launch %llu: %s\n",
            (unsigned long long)run->number, (unsigned long long)run->launch, ag_site(run)->kernel);
  ag_report_site(t, run);
}

/* What the run's device died of, NULL where it lives. Torch may be the only one that has met the
 * error so far. Of a run of which nothing tells where it is nothing is said while there are
 * several: the others' death is not its own. */
static const char *cause_of_death(const aotigen_run *run, int32_t *device) {
  const ag_backend *backend = run->state->model->backend;
  const ag_async *async = backend ? backend->async : NULL;
  *device = known_device(run);
  if (*device < 0 && async) *device = async->device->only_index();
  if (*device < 0 || !async) return NULL;
  const char *sticky_error = async->device->sticky_error(*device);
  return sticky_error ? sticky_error : async->device->query_stream(*device, ag_run_stream(run));
}

/* What begins so is a report of ours on its way: the library's, or that of a run within this one.
 */
static bool is_ours(const char *what) {
  return strncmp(what, "aotigen: ", strlen("aotigen: ")) == 0;
}

const char *aotigen_run_failed(aotigen_run *run, const char *what) {
  aotigen_run_state *s = run->state;
  const char *error, *message;
  int32_t device;
  ag_text *t;
  if (!s || s->death_told || is_ours(what) || !(error = cause_of_death(run, &device))) return NULL;
  s->death_told = true;
  if (s->mode == AG_PLANNING || (s->model->defers && ag_device_error_reported(device))) {
    message = ag_device_error_fault(run, device);
    if (message) ag_add_line(&s->message, "torch said", "%s", what);
    return message ? ag_text_string(&s->message) : NULL;
  }
  t = &s->scratch;
  ag_text_clear(t);
  report_death(t, run);
  ag_add_line(t, "error", "%s", error);
  log_death(run, error);
  ag_device_error_note(device, ag_text_string(t));
  message = ag_report_fault(run, t);
  if (!message) return NULL;
  ag_add_line(&s->message, "torch said", "%s", what);
  return ag_text_string(&s->message);
}

const char *aotigen_before_outputs(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  ag_text *pending = s ? &s->pending : NULL;
  if (!s) return NULL;
  if (s->mode == AG_PLANNING && s->async_run->captured) return NULL;
  if (s->mode == AG_PLANNING) {
    ag_record_thrown(s); /* a launch whose end never came is not waited for */
    if (ag_get_settings()->on_fault == AG_FAULT_THROW) ag_evaluator_wait(s->async_run);
    const char *fault = fault_of_death(run);
    if (fault) return fault;
    if (ag_get_settings()->on_fault == AG_FAULT_THROW) pending = &s->async_run->judge->pending;
  }
  if (!pending->length) return NULL;
  ag_text_clear(&s->message);
  ag_add_bytes(&s->message, pending->data, pending->length);
  ag_text_clear(pending);
  return ag_text_string(&s->message);
}

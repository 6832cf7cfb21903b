/* run.c - the markers: where a run begins and ends, and the order of what is done at a launch. Decides nothing itself. */
#define _GNU_SOURCE
#include "run.h"

#include <string.h>

#include "message.h"
#include "reader.h"
#include "sink.h"

static _Thread_local aotigen_run *current;
static atomic_ullong runs;

/* For a wrapper whose tables we must not read, or where memory ran out: no site is wanted. The generator makes no more. */
static const uint8_t nothing[AOTIGEN_MAX_SITES];

aotigen_run *ag_current_run(void) { return current; }

/* The run that this one is only a part of (run_impl hands on to the ArrayRef interface's function). */
static bool is_part_of(const aotigen_run *outer, const aotigen_model *model, int folding) {
  return outer && outer->state && outer->model == model && !folding && outer->number && !outer->state->active;
}

void aotigen_run_begin(aotigen_run *run, aotigen_model *model, const char *function, int folding, void *stream) {
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
  run->number = folding ? 0 : atomic_fetch_add(&runs, 1) + 1;
  if (model->abi != AOTIGEN_ABI) ag_refuse_abi(model); /* a wrapper without a constructor was never loaded by us */
  ag_model_state *m = ag_model_state_of(model);
  run->state = m ? ag_state_take(m) : NULL;
  if (!run->state) return;
  run->state->previous = current;
  current = run;
  run->wanted = ag_in_list(&ag_get_settings()->runs, run->number) ? m->wanted : m->none;
}

void aotigen_run_end(aotigen_run *run, int unwinding) {
  (void)unwinding; /* what was seen is told however the run ends */
  if (run->outer) {
    run->outer->launch = run->launch;
    run->outer->unseen = run->unseen;
    current = run->outer;
    return;
  }
  if (!run->state) return;
  ag_nan_run_end(run);
  current = run->state->previous;
  ag_state_give(run->state);
  run->state = NULL;
}

static void bind(ag_arg *a, const aotigen_param *param, const aotigen_value *value) {
  a->param = param;
  a->value = *value;
  a->was = NULL;
  a->reads = a->asserted_after = a->lazy = a->counted = false;
  a->source = AG_FROM_NOWHERE;
  a->found = (ag_findings){0, 0, 0, {AG_NO_ORIGIN, AG_NO_ORIGIN}};
  ag_view_of(&a->view, value, param);
  a->value.sizes = a->value.strides = NULL;
}

static bool bind_all(aotigen_run *run, const aotigen_value *values, size_t n) {
  aotigen_run_state *s = run->state;
  const aotigen_site *site = ag_site(run);
  if (n > site->nparams) n = site->nparams;
  s->nargs = 0;
  if (n && !ag_grow((void **)&s->args, &s->room, n - 1, sizeof *s->args)) return false;
  for (size_t i = 0; i < n; i++) bind(&s->args[i], &site->params[i], &values[i]);
  s->nargs = n;
  return true;
}

/* What came into being at the call, and what a call may have given another size. The handles that a dispatcher took are
 * gone by now; a kernel resizes nothing. */
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
    } else if ((form == AOTIGEN_EXTERN || form == AOTIGEN_PROXY) && a->param->role != AOTIGEN_IN && a->value.is == AOTIGEN_V_HANDLE) {
      ag_view_of(&a->view, &a->value, a->param);
    }
  }
}

int32_t ag_run_device(const aotigen_run *run) {
  const aotigen_run_state *s = run->state;
  if (s->model->device_index >= 0) return s->model->device_index;
  for (size_t i = 0; i < s->nargs; i++) {
    const ag_view *v = &s->args[i].view;
    if (v->state == AG_VIEW_OK && s->model->backend && v->t.device_type == s->model->backend->device_type && v->t.device_index >= 0) return v->t.device_index;
  }
  return 0;
}

void *ag_run_stream(const aotigen_run *run) {
  const ag_backend *backend = run->state->model->backend;
  if (run->stream || !backend) return run->stream;
  return backend->current_stream(run->state->model->device_index);
}

/* A launch that AOTIGEN_LAUNCHES leaves out, or one on a stream that is being captured: counted, not looked at. */
static bool leave_out(aotigen_run *run) {
  const ag_backend *backend = run->state->model->backend;
  if (!ag_in_list(&ag_get_settings()->launches, run->launch)) return true;
  return backend && backend->capturing(ag_run_stream(run));
}

const char *aotigen_before(aotigen_run *run, uint32_t site, const aotigen_value *values, size_t n) {
  aotigen_run_state *s = run->state;
  const aotigen_model *model = run->model;
  const char *fault = NULL;
  if (!s || site >= model->nsites) return NULL;
  run->site = site;
  s->active = false;
  if (leave_out(run)) {
    run->unseen = run->launch;
    return NULL;
  }
  s->active = true;
  s->nargs = 0;
  if (s->model->launch_work && !bind_all(run, values, n)) {
    s->active = false;
    run->unseen = run->launch;
    return NULL;
  }
  if (model->check_inputs & 2) fault = ag_guard_before(run);
  if (fault) {
    s->active = false;
    return fault;
  }
  if (model->nan_asserts) ag_nan_before(run);
  if (model->printer == 1) ag_save_launch(run, false);
  if (model->printer >= 2) ag_print_launch(run, false);
  return NULL;
}

const char *aotigen_after(aotigen_run *run, uint32_t site, const aotigen_value *late, size_t n) {
  aotigen_run_state *s = run->state;
  const aotigen_model *model = run->model;
  const char *fault = NULL;
  if (!s || !s->active || run->site != site) return NULL;
  s->active = false;
  if (model->sync || ag_get_settings()->blocking) fault = ag_sync_after(run);
  if (fault) return fault;
  if (s->model->launch_work) bind_again(run, late, n);
  if (model->check_inputs & 2) fault = ag_guard_after(run);
  if (fault) return fault;
  if (model->nan_asserts) ag_nan_after(run);
  if (model->printer == 1) ag_save_launch(run, true);
  if (model->printer >= 2) ag_print_launch(run, true);
  return NULL;
}

/* Takes the device's error, if there is one: the launch that just ran is the first that can have made it. */
const char *ag_sync_after(aotigen_run *run) {
  const ag_backend *backend = run->state->model->backend;
  const char *error = backend ? backend->sync(ag_run_device(run), ag_run_stream(run)) : NULL;
  ag_text *t = &run->state->scratch, event;
  if (!error) return NULL;
  ag_text_clear(t);
  ag_report_head(t, run, "device error");
  ag_report_site(t, run);
  ag_add_line(t, "error", "%s", error);
  ag_event_launch(&event, "device", run, NULL);
  ag_event_string(&event, "check", "device error");
  ag_event_string(&event, "found", error);
  ag_event_end(&event);
  return ag_report_fault(run, t);
}

const char *aotigen_before_outputs(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (!s || !s->pending.length) return NULL;
  ag_text_clear(&s->message);
  ag_add_bytes(&s->message, s->pending.data, s->pending.length);
  ag_text_clear(&s->pending);
  return ag_text_string(&s->message);
}

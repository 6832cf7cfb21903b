/* run.c - the markers at the start and end of a run and around a launch. The table launch/hooks.def
 * has what each feature does there. */
#define _GNU_SOURCE
#include "launch/run.h"

#include <string.h>

#include "base/settings.h"
#include "launch/async_run.h"
#include "launch/backpressure.h"
#include "launch/bind.h"
#include "launch/device_error.h"
#include "launch/evaluate.h"
#include "launch/graph_replay.h"
#include "launch/hooks.h"
#include "state/entries.h"
#include "state/in_flight.h"

/* Selects no site: for a wrapper whose tables must not be read, or if memory ran out. */
static const uint8_t nothing[AOTIGEN_MAX_SITES];

/* ---- the run -------------------------------------------------------------------------------- */

/* True if the new run is only a part of this one (run_impl calls the ArrayRef interface's
 * function). */
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

static void end_part(aotigen_run *run) {
  run->outer->launch = run->launch;
  run->outer->unseen = run->unseen;
  ag_in_flight_set_run(run->outer->state ? run->outer->state->in_flight : NULL, run->outer);
  ag_run_set_current(run->outer);
}

/* The 1st, N+1st, ... of the runs that AOTIGEN_RUNS selects: whether there is one is no matter of
 * chance then. Constant folding is none of them. */
static bool is_left_out(const aotigen_run *run, ag_model_state *m) {
  const uint64_t every = ag_settings_get()->every;
  return every > 1 && run->number && atomic_fetch_add(&m->selection.sampled, 1) % every;
}

/* Whoever captures a run wants its replays checked, and would hear nothing of them. */
static void say_captured(const aotigen_run *run, const ag_model_state *m) {
  if (!m->device.async || atomic_load(&m->said.warned.captured) ||
      !ag_model_state_is_capturing(m, ag_run_stream(run)))
    return;
  ag_async_run_say_captured(run, ag_run_device(run), ag_not_scanned,
                            "AOTIGEN_EVERY leaves this run out");
}

static void choose(aotigen_run *run, ag_model_state *m) {
  const bool selected = ag_number_list_has(&ag_settings_get()->runs, run->number);
  run->state->progress.unchecked = selected && is_left_out(run, m);
  run->wanted = selected && !run->state->progress.unchecked ? m->wanted : m->none;
  if (run->state->progress.unchecked) say_captured(run, m);
}

void aotigen_run_begin(aotigen_run *run, aotigen_model *model, int folding, void *stream) {
  aotigen_run *current = ag_run_current();
  memset(run, 0, sizeof *run);
  run->model = model;
  run->wanted = nothing;
  run->stream = stream;
  if (is_part_of(current, model, folding)) {
    begin_part(run, current);
    return;
  }
  run->number = folding ? 0 : ag_run_next_number();
  /* A wrapper without a constructor was never registered at load. */
  if (model->abi != AOTIGEN_ABI) ag_model_state_refuse(model);
  ag_model_state *m = ag_model_state_of(model);
  ag_entries_come_to_run();
  const ag_wanted_hooks *hooks = m ? ag_hooks_of(m) : NULL;
  run->state = hooks ? ag_run_state_take(m) : NULL;
  if (!run->state) return;
  run->state->previous = current;
  choose(run, m);
  ag_hooks_call(run->state->progress.unchecked ? hooks->begin_unchecked : hooks->begin_run, run);
  ag_run_set_current(run);
}

static void end_unchecked(aotigen_run *run, int unwinding) {
  const ag_wanted_hooks *hooks = run->state->model->hooks;
  ag_run_set_current(run->state->previous);
  for (size_t i = 0; hooks->end_unchecked[i]; i++) hooks->end_unchecked[i](run, unwinding);
  ag_run_state_give(run->state);
  run->state = NULL;
}

/* Gives the run's state back, or to the evaluator of its records. */
static void give_state(aotigen_run *run, bool unwinding) {
  aotigen_run_state *s = run->state;
  if (s->mode != AG_MODE_ASYNC) {
    s->evaluation.launch = ag_run_launch(run);
    ag_evaluate_end(&s->evaluation);
    ag_run_state_give(s);
  } else if (s->async_run->is_captured) {
    if (ag_graph_replay_add(run, unwinding)) ag_evaluator_add_graph(s->async_run);
  } else {
    /* The exception that is propagating may end the process: results must be written by then. */
    ag_backpressure_end_run(s->async_run, unwinding);
  }
  run->state = NULL;
}

void aotigen_run_end(aotigen_run *run, int unwinding) {
  if (run->outer) {
    end_part(run);
    return;
  }
  if (!run->state) return;
  if (run->state->progress.unchecked) {
    end_unchecked(run, unwinding);
    return;
  }
  const ag_wanted_hooks *hooks = run->state->model->hooks;
  ag_run_set_current(run->state->previous);
  for (size_t i = 0; hooks->end_run[i]; i++) hooks->end_run[i](run, unwinding);
  give_state(run, unwinding);
}

const char *aotigen_before_outputs(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (!s) return NULL;
  s->progress.ending = true;
  if (s->mode == AG_MODE_ASYNC) {
    if (s->async_run->is_captured) return NULL;
    ag_async_run_thrown(s); /* a launch without an end is not awaited */
    if (ag_settings_get()->on_fault == AG_FAULT_THROW) ag_backpressure_await_all(s->async_run);
    const char *fault = ag_device_error_of_run(run);
    if (fault || ag_settings_get()->on_fault != AG_FAULT_THROW) return fault;
  }
  ag_text *pending = &s->evaluation.pending;
  if (!pending->length) return NULL;
  ag_text_clear(&s->texts.message);
  ag_text_add_bytes(&s->texts.message, pending->data, pending->length);
  ag_text_clear(pending);
  return ag_text_string(&s->texts.message);
}

/* ---- a launch ------------------------------------------------------------------------------- */

bool ag_run_knows_site(const aotigen_run *run) { return run->launch && run->unseen != run->launch; }

static const char *leave_out(aotigen_run *run) {
  run->unseen = run->launch;
  ag_hooks_call(run->state->model->hooks->left_out, run);
  return NULL;
}

/* False if the launch is skipped. Binds its record, if a level needs one. */
static bool bind(aotigen_run *run, const aotigen_value *values, size_t n) {
  const ag_model_state *m = run->state->model;
  const uint16_t nparams = run->model->sites[run->site].nparams;
  ag_launch l = ag_run_launch(run);
  if (n > nparams) n = nparams;
  if (ag_bind_leaves_out(run, &l, values, n)) return false;
  return (!m->launch_work && !m->device.async) || ag_bind_args(run, &l, values, n);
}

const char *aotigen_before(aotigen_run *run, uint32_t site, const aotigen_value *values, size_t n) {
  aotigen_run_state *s = run->state;
  if (!s || site >= run->model->nsites) return NULL;
  const ag_wanted_hooks *hooks = s->model->hooks;
  s->progress.active = false;
  if (run->model->sites[site].heads)
    ag_iterations_count(&s->progress.iterations, run->model, &run->model->sites[site]);
  if (run->wanted[site] == AG_ONLY_COUNTED) return leave_out(run);
  run->site = site;
  run->error = 0;
  run->room = run->more = 0;
  ag_in_flight_before(s->in_flight, run, site);
  if (!bind(run, values, n)) {
    leave_out(run);
    ag_in_flight_launch(s->in_flight);
    return NULL;
  }
  s->progress.active = true;
  if (!s->record || !s->record->scanned) run->unseen = run->launch;
  const char *fault = ag_hooks_ask(hooks->before, run);
  if (fault)
    s->progress.active = false;
  else
    ag_hooks_call(hooks->launching, run);
  return fault;
}

const char *aotigen_after(aotigen_run *run, uint32_t site, const aotigen_value *late, size_t n) {
  aotigen_run_state *s = run->state;
  if (s) ag_in_flight_after(s->in_flight);
  if (!s || !s->progress.active || run->site != site) return NULL;
  const ag_wanted_hooks *hooks = s->model->hooks;
  s->progress.active = false;
  run->room = 0;
  const char *fault = ag_hooks_ask(hooks->returned, run);
  if (fault) return fault;
  if (s->model->launch_work) ag_bind_again(run, late, n);
  fault = ag_hooks_ask(hooks->after, run);
  for (size_t i = 0; hooks->over[i]; i++) fault = hooks->over[i](run, fault);
  return fault;
}

/* async_start.c - see async_start.h. */
#define _GNU_SOURCE
#include "launch/async_start.h"

#include "launch/backpressure.h"
#include "launch/hooks.h"
#include "launch/scan_results.h"

/* ---- inputs and weights --------------------------------------------------------------------- */

/* True if no published record needs the tables in its evaluation. */
static bool has_only_inputs(const ag_async_run *d) {
  unsigned published = atomic_load(&d->queue.published);
  return !published || (published == 1 && d->queue.records[0]->launch.site == AG_NO_SITE);
}

/* Before the first launch: gives the evaluation what the run knows of inputs and weights. The
 * evaluation knows more about weights than the plan, which takes them for clean. All earlier
 * records of this state are evaluated by then. */
static void hand_over(aotigen_run_state *s) {
  ag_byte_tables *known = &s->evaluation.known;
  if (s->mode == AG_MODE_ASYNC && !has_only_inputs(s->async_run)) {
    ag_async_run_thrown(s); /* a launch without an end is not awaited */
    ag_backpressure_await_all(s->async_run);
  }
  if (s->weights.renewed)
    ag_ranges_copy(&known->weights, &s->covered.weights);
  else if (s->mode == AG_MODE_ASYNC)
    ag_ranges_copy(&s->covered.weights, &known->weights);
  ag_ranges_copy(&known->inputs, &s->covered.inputs);
  s->evaluation.weights_generation = s->weights.generation;
  s->weights.renewed = false;
  s->weights.handed_over = true;
}

/* ---- the mode of a run ---------------------------------------------------------------------- */

/* Allocates nothing in a capture: takes over the records of an earlier run of the model, which may
 * have to be evaluated first. */
static ag_async_run *take_over(aotigen_run_state *s) {
  bool more = true;
  ag_wait w = {0};
  while (!s->async_run) {
    aotigen_run_state *other = ag_run_state_take_async(s->model);
    if (!other && !more) return NULL;
    if (!other) more = ag_backpressure_help_own(s->model, &w);
    if (!other) continue;
    s->async_run = other->async_run;
    s->async_run->state = s;
    other->async_run = NULL;
    ag_run_state_give(other);
  }
  return s->async_run;
}

/* Guesses the device of a run whose first launch does not tell it: that of the model's inputs and
 * weights, or the first device. */
static int32_t guess_device(const aotigen_run_state *s) {
  const ag_ranges *tables[] = {&s->covered.inputs, &s->covered.weights};
  for (int t = 0; t < 2; t++)
    for (size_t i = 0; i < tables[t]->count; i++) {
      const ag_range *x = &tables[t]->list[i];
      if (x->device_type == s->model->device.backend->device_type && x->device_index >= 0)
        return x->device_index;
    }
  return 0;
}

/* Waits for slots of this thread's own runs, which may be free soon. */
static bool take_slot(ag_async_run *d, const aotigen_run *run, int32_t device_index,
                      bool captured) {
  ag_wait w = {0};
  d->place.slot = NULL;
  do {
    if (d->async->slot->take(device_index, captured, ag_hooks_want_values(run->state->model),
                             &d->place.slot))
      return false;
  } while (!d->place.slot && ag_backpressure_help_own(NULL, &w));
  if (d->place.slot) return true;
  if (captured)
    ag_async_run_say_captured(run, device_index, ag_not_scanned,
                              "all asynchronous slots for graphs and runs are in use");
  else
    ag_async_run_say_sync(run);
  return false;
}

/* True if the run is async from now on. */
static bool start_async(aotigen_run *run, int32_t device_index) {
  aotigen_run_state *s = run->state;
  const ag_backend *backend = s->model->device.backend;
  if (backend->async->device->sticky_error(device_index) || ag_evaluator_is_stopping())
    return false;
  void *stream = ag_run_stream(run);
  bool captured = ag_model_state_is_capturing(s->model, stream);
  ag_async_run *d = captured ? take_over(s) : ag_async_run_of(s);
  if (!d) return false;
  if (!captured && !ag_backpressure_await_runs()) return false;
  if (!take_slot(d, run, device_index, captured)) return false;
  ag_async_run_reset(d, run->number, device_index, stream);
  d->is_captured = captured; /* after the slot is set: it is queried for replays */
  const char *why = captured ? d->async->replay->begin(d->place.slot, stream) : NULL;
  if (why) { /* the slot is lost, since the part of the graph that exists writes to it */
    ag_async_run_say_captured(run, device_index, ag_not_scanned, why);
    return false;
  }
  s->device_index = device_index;
  s->mode = AG_MODE_ASYNC;
  if (!captured) ag_evaluator_add_run(d);
  return true;
}

void ag_run_choose_mode(aotigen_run *run, int32_t device_index) {
  aotigen_run_state *s = run->state;
  if (s->mode != AG_MODE_OPEN) return;
  s->mode = AG_MODE_AT_ONCE;
  if (!s->model->device.async) return;
  if (start_async(run, device_index >= 0 ? device_index : guess_device(s))) return;
  ag_wait w = {0};
  while (ag_backpressure_help_own(s->model, &w)) /* first reports what earlier runs found */
    continue;
  if (!ag_backpressure_gave_up()) return;
  s->mode = AG_MODE_UNSCANNED;
  ag_async_run_say_ahead(run);
}

/* ---- records -------------------------------------------------------------------------------- */

static bool begin_async_record(aotigen_run *run, const ag_launch *l, size_t nargs) {
  ag_async_run *d = run->state->async_run;
  if (ag_async_run_record(run, l, nargs)) return true;
  if (d->is_captured) return false;
  if (ag_backpressure_await_room(d)) return ag_async_run_record(run, l, nargs) != NULL;
  ag_async_run_say_ahead(run);
  return false;
}

bool ag_run_begin_record(aotigen_run *run, const ag_launch *l, size_t nargs) {
  aotigen_run_state *s = run->state;
  if (l->site != AG_NO_SITE && !s->weights.handed_over) hand_over(s);
  if (s->mode == AG_MODE_ASYNC && begin_async_record(run, l, nargs)) return true;
  if (!ag_run_state_use_own(s, nargs)) return false;
  s->own.record.launch = *l;
  s->own.record.scanned = s->mode == AG_MODE_AT_ONCE;
  s->evaluation.results = &ag_immediate_results;
  return true;
}

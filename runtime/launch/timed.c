/* timed.c - AOTIGEN_TIME: how long each launch takes. On a device a pair of its timer is around the
 * launch, on the launch's own stream; the host's own launches are timed by its clock. */
#define _GNU_SOURCE
#include <time.h>

#include "base/settings.h"
#include "launch/async_run.h"
#include "output/time_table.h"
#include "state/launch_hooks.h"
#include "state/launch_times.h"
#include "state/timing.h"

static int64_t clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool is_wanted(const ag_model_state *m) {
  return m->anything && ag_settings_get()->time;
}

/* True if the host has done the launch when the call returns. */
static bool is_hosts(const aotigen_run *run) {
  return !run->state->model->device.backend ||
         run->model->sites[run->site].form == AOTIGEN_CPU;
}

static bool is_captured(const aotigen_run *run, void *stream) {
  const aotigen_run_state *s = run->state;
  if (s->mode == AG_MODE_ASYNC) return s->async_run->is_captured;
  return ag_model_state_is_capturing(s->model, stream);
}

/* ---- a launch ------------------------------------------------------------------------------- */

static void begin_on_device(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  void *stream = ag_run_launch_stream(run);
  if (!s->model->device.backend->timer)
    ag_launch_times_add_untimed(s->model, AG_UNTIMED_DEVICE);
  else if (is_captured(run, stream))
    ag_launch_times_add_untimed(s->model, AG_UNTIMED_CAPTURED);
  else
    s->timing.pair = ag_timing_begin(run, stream);
}

/* What an exception left is over. */
static void drop(aotigen_run_state *s) {
  if (s->timing.pair) ag_timing_drop(s->timing.pair);
  s->timing.pair = NULL;
  s->timing.began_ns = 0;
}

static void launching(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  drop(s);
  if (s->record) {
    s->record->timing = NULL;
    s->record->took_ns = 0;
  }
  if (is_hosts(run))
    s->timing.began_ns = clock_ns();
  else
    begin_on_device(run);
}

static const char *returned(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  const int64_t now = s->timing.began_ns ? clock_ns() : 0;
  if (run->error) {
    drop(s);
  } else if (s->timing.pair) {
    ag_timing_end(s->timing.pair, s->record);
  } else if (now) {
    const int64_t ns = now - s->timing.began_ns;
    ag_launch_times_add(s->model, run->site, run->launch, ns);
    if (s->record) s->record->took_ns = ns ? ns : 1;
  }
  s->timing.pair = NULL;
  s->timing.began_ns = 0;
  return NULL;
}

static const char *failed(aotigen_run *run, const char *what) {
  (void)what;
  drop(run->state);
  return NULL;
}

/* ---- a run ---------------------------------------------------------------------------------- */

static void begin_run(aotigen_run *run) {
  ag_launch_times_begin_run(run->state->model);
  ag_timing_collect(NULL, 0);
}

static void end_run(aotigen_run *run, bool unwinding) {
  (void)unwinding;
  drop(run->state);
}

static void evaluate_after(ag_evaluation *e) { ag_timing_of_record(e->record); }
static void evaluate_end(ag_evaluation *e) { ag_timing_collect(e->model, e->launch.run); }

/* When the process exits, or the model is unloaded. */
__attribute__((destructor)) static void end_models(void) { ag_time_table_write(); }

AG_LAUNCH_HOOKS(timed) = {.wanted = is_wanted,
                          .begin_run = begin_run,
                          .launching = launching,
                          .returned = returned,
                          .failed = failed,
                          .end_run = end_run,
                          .evaluate_after = evaluate_after,
                          .evaluate_end = evaluate_end};

/* save_launch.c - level 1 of the printer, at a launch. */
#include "launch/async_run.h"
#include "launch/run.h"
#include "state/launch_hooks.h"

ag_save_mode ag_run_save_mode(const aotigen_run *run) {
  const aotigen_run_state *s = run->state;
  ag_save_mode mode = {.stream = ag_run_stream(run),
                       .handed_on = &run->state->handed_on,
                       .weights = &s->covered.weights};
  if (s->mode != AG_MODE_ASYNC) return mode;
  mode.async = s->async_run->async;
  mode.device_type = s->model->device.backend->device_type;
  mode.device_index = s->async_run->place.device_index;
  if (s->async_run->is_captured)
    mode.refusal = "the run goes into a graph, of which nothing is saved";
  return mode;
}

static const char *save(const aotigen_run *run, enum ag_when when) {
  const ag_record *r = run->state->record;
  ag_save_mode mode = ag_run_save_mode(run);
  mode.stream = r->launch.stream;
  if (r->scanned) ag_saver_launch(&mode, &r->launch, r, when);
  return NULL;
}

static const char *save_before(aotigen_run *run) { return save(run, AG_BEFORE); }
static const char *save_after(aotigen_run *run) { return save(run, AG_AFTER); }
static bool is_wanted(const ag_model_state *m) { return m->model->printer == 1; }

AG_LAUNCH_HOOKS(saver) = {.wanted = is_wanted, .before = save_before, .after = save_after};

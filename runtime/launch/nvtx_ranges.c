/* nvtx_ranges.c - AOTIGEN_NVTX=1: a range of NVTX around each run, and around each launch with its
 * kernel, source nodes and line of the model. */
#include "base/nvtx.h"
#include "base/settings.h"
#include "state/launch_hooks.h"

static bool is_wanted(const ag_model_state *m) {
  (void)m;
  return ag_settings_get()->nvtx;
}

static void begin_run(aotigen_run *run) {
  ag_text *t = &run->state->texts.report;
  ag_text_clear(t);
  ag_text_addf(t, "run %llu of %s", (unsigned long long)run->number, run->model->source);
  ag_nvtx_push(ag_text_string(t));
  run->state->nvtx.ranges = 1;
}

/* Also ends the range of a launch that an exception left. */
static void end_run(aotigen_run *run, bool unwinding) {
  (void)unwinding;
  for (; run->state->nvtx.ranges; run->state->nvtx.ranges--) ag_nvtx_pop();
}

/* "launch 3: triton_poi_fused_gelu_0 (gelu) model.py:14 in encoder.layers.3" */
static void describe(ag_text *t, const aotigen_run *run) {
  const aotigen_site *s = &run->model->sites[run->site];
  const aotigen_line *line = s->nlines ? &s->lines[0] : NULL;
  ag_text_clear(t);
  ag_text_addf(t, "launch %llu: %s", (unsigned long long)run->launch, ag_site_name(s));
  if (*s->nodes) ag_text_addf(t, " (%s)", s->nodes);
  if (s->stream) ag_text_addf(t, " on %s", s->stream);
  if (line) ag_text_addf(t, " %s:%d", line->file, line->line);
  if (line && line->module && *line->module) ag_text_addf(t, " in %s", line->module);
}

static void begin_launch(aotigen_run *run) {
  if (run->state->nvtx.ranges != 1) return;
  describe(&run->state->texts.report, run);
  ag_nvtx_push(ag_text_string(&run->state->texts.report));
  run->state->nvtx.ranges++;
}

static const char *end_launch(aotigen_run *run) {
  if (run->state->nvtx.ranges < 2) return NULL;
  ag_nvtx_pop();
  run->state->nvtx.ranges--;
  return NULL;
}

AG_LAUNCH_HOOKS(nvtx_ranges) = {.wanted = is_wanted,
                                .begin_run = begin_run,
                                .end_run = end_run,
                                .launching = begin_launch,
                                .returned = end_launch};

/* nvtx_ranges.c - see nvtx_ranges.h. */
#include "launch/nvtx_ranges.h"

#include "base/nvtx.h"
#include "base/settings.h"

void ag_nvtx_ranges_begin_run(aotigen_run *run) {
  ag_text *t = &run->state->texts.report;
  run->state->ranges = 0;
  if (!ag_settings_get()->nvtx) return;
  ag_text_clear(t);
  ag_text_addf(t, "run %llu of %s", (unsigned long long)run->number, run->model->source);
  ag_nvtx_push(ag_text_string(t));
  run->state->ranges = 1;
}

void ag_nvtx_ranges_end_run(aotigen_run *run) {
  for (; run->state->ranges; run->state->ranges--) ag_nvtx_pop();
}

/* "launch 3: triton_poi_fused_gelu_0 (gelu) model.py:14 in encoder.layers.3" */
static void describe(ag_text *t, const aotigen_run *run) {
  const aotigen_site *s = &run->model->sites[run->site];
  const aotigen_line *line = s->nlines ? &s->lines[0] : NULL;
  ag_text_clear(t);
  ag_text_addf(t, "launch %llu: %s", (unsigned long long)run->launch, s->kernel);
  if (*s->nodes) ag_text_addf(t, " (%s)", s->nodes);
  if (line) ag_text_addf(t, " %s:%d", line->file, line->line);
  if (line && line->module && *line->module) ag_text_addf(t, " in %s", line->module);
}

void ag_nvtx_ranges_begin_launch(aotigen_run *run) {
  if (run->state->ranges != 1) return;
  describe(&run->state->texts.report, run);
  ag_nvtx_push(ag_text_string(&run->state->texts.report));
  run->state->ranges++;
}

void ag_nvtx_ranges_end_launch(aotigen_run *run) {
  if (run->state->ranges < 2) return;
  ag_nvtx_pop();
  run->state->ranges--;
}

/* run_inputs.c - the marker that checks, prints and saves the model's inputs. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "base/settings.h"
#include "checks/inputs.h"
#include "launch/async_start.h"
#include "launch/evaluate.h"
#include "launch/marks.h"
#include "launch/run.h"
#include "launch/scan_plan.h"
#include "output/save_file.h"

/* Describes an input as an argument that launch 0 reads, since the printer shows arguments. */
static void bind_input(const aotigen_input *in, const void *handle, aotigen_param *param,
                       ag_arg *a) {
  const aotigen_value value = {.kind = AOTIGEN_V_HANDLE, .v.handle = handle};
  *param = (aotigen_param){.name = in->name,
                           .python_name = in->python_name,
                           .dtype = in->dtype,
                           .role = AOTIGEN_IN,
                           .kind = AOTIGEN_INPUT};
  ag_arg_bind(a, param, &value);
}

/* Refuses a tensor with less memory than elements, which the check of the inputs may only have
 * reported. */
static void refuse_short(ag_view *view) {
  if (view->state == AG_VIEW_OK && !ag_view_fits_storage(view)) view->state = AG_VIEW_REFUSED;
}

static void bind_inputs(aotigen_run *run, const void *const *handles, aotigen_param *params) {
  ag_record *r = run->state->record;
  if (!params) r->nargs = 0;
  for (uint32_t i = 0; i < r->nargs; i++) {
    bind_input(&run->model->inputs[i], handles[i], &params[i], &r->args[i]);
    refuse_short(&r->args[i].view);
  }
}

static void print_async(aotigen_run *run, const void *const *handles) {
  ag_record *r = run->state->record;
  bind_inputs(run, handles, ag_record_alloc(r, (r->nargs + 1) * sizeof(aotigen_param)));
  ag_async_run_publish(run);
  ag_scan_plan_inputs(run);
  ag_async_run_ask(run, AG_BEFORE); /* the first launch will report the error of a lost device */
  ag_marks_launched(run);
}

static void print_now(aotigen_run *run, const void *const *handles) {
  ag_evaluation *e = &run->state->evaluation;
  aotigen_param *params = calloc(run->model->ninputs + 1, sizeof *params);
  bind_inputs(run, handles, params);
  ag_evaluate_begin(e, run->state->record);
  ag_evaluate_inputs(e);
  free(params);
  run->state->record = NULL; /* the parameters of its arguments no longer exist */
}

/* Level 2. */
static void print_inputs(aotigen_run *run, const void *const *handles) {
  aotigen_run_state *s = run->state;
  ag_launch l = ag_run_launch(run);
  l.site = AG_NO_SITE;
  l.stream = ag_run_stream(run);
  if (!ag_run_begin_record(run, &l, run->model->ninputs)) return;
  if (s->record->page)
    print_async(run, handles);
  else if (s->record->scanned)
    print_now(run, handles);
}

/* Level 1. */
static void save_inputs(aotigen_run *run, const void *const *handles) {
  ag_save_mode mode = ag_run_save_mode(run);
  ag_launch l = ag_run_launch(run);
  ag_view *view = &run->state->texts.view;
  for (uint32_t i = 0; i < run->model->ninputs; i++) {
    ag_view_of_handle(view, handles[i]);
    refuse_short(view);
    if (view->state == AG_VIEW_REFUSED)
      ag_save_refuse(run->model->inputs[i].name, "its storage is smaller than its elements");
    if (view->state == AG_VIEW_OK) ag_saver_input(&mode, &l, &run->model->inputs[i], view);
  }
}

void aotigen_check_inputs(aotigen_run *run, const void *const *handles) {
  aotigen_run_state *s = run->state;
  const aotigen_model *m = run->model;
  if (!s || s->progress.unchecked) return;
  bool shown = run->wanted != s->model->none &&
               ag_number_list_has(&ag_settings_get()->launches, 0) && ag_model_prints_values(m);
  if (s->mode == AG_MODE_OPEN) s->device_index = ag_inputs_device(run, handles);
  if (shown) ag_run_choose_mode(run, s->device_index);
  shown = shown && s->mode != AG_MODE_UNSCANNED;
  ag_inputs_check(run, handles);
  if (shown && m->printer == 1) save_inputs(run, handles);
  if (shown && m->printer == 2) print_inputs(run, handles);
}

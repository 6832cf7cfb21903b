/* saver.c - level 1 of the printer: selects the tensors to save. */
#define _GNU_SOURCE
#include "output/saver.h"

#include "base/settings.h"
#include "output/async_saver.h"
#include "output/saved_weights.h"

static bool is_async(const ag_save_mode *mode, const ag_view *view) {
  return mode->async && view->t.device_type == mode->device_type &&
         view->t.device_index == mode->device_index;
}

/* True if the async saver will write the file. */
static bool save_async(const ag_save_mode *mode, const ag_saving *saving, const ag_view *view,
                       ag_saved_file *saved) {
  bool in_memory = view->contiguous ||
                   (view->dense && ag_settings_get()->save_format == AG_SAVE_PT);
  return is_async(mode, view) && !ag_async_save(saving, view, in_memory, mode->async,
                                                mode->device_index, mode->stream, saved);
}

static void save_tensor(const ag_save_mode *mode, const ag_saving *saving, const ag_view *view,
                        ag_saved_file *saved) {
  ag_reader r;
  if (mode->refusal) {
    ag_save_refuse(saving->arg, mode->refusal);
    return;
  }
  if (save_async(mode, saving, view, saved)) return;
  const char *why = ag_reader_open(&r, view, mode->stream);
  if (why) {
    ag_saved_file_set(saved, NULL, -1);
    ag_save_refuse(saving->arg, why);
    return;
  }
  ag_save_file(saving, view, &r, saved);
  ag_reader_close(&r);
}

/* Saves a tensor whose bytes the file has, which may be NULL; releases it. */
static bool save_again(const ag_save_mode *mode, const ag_saving *saving, const ag_view *view,
                       ag_saved_file *file) {
  const bool done = file && (is_async(mode, view) ? !ag_async_save_again(saving, view, file)
                                                  : ag_save_again(saving, view, file));
  ag_saved_file_release(file);
  return done;
}

static void save_weight(const ag_save_mode *mode, const ag_saving *saving, const ag_view *view) {
  ag_model_state *m = saving->model->state;
  if (save_again(mode, saving, view, ag_saved_weights_find(m, saving->run, view))) return;
  ag_saved_file *file = ag_saved_file_create();
  save_tensor(mode, saving, view, file);
  if (file) ag_saved_weights_keep(m, view, file);
  ag_saved_file_release(file);
}

static void save_read(const ag_save_mode *mode, const ag_saving *saving, const ag_launch *l,
                      const ag_arg *a) {
  if (mode->refusal)
    save_tensor(mode, saving, &a->view, NULL);
  else if (ag_saved_weights_take(l->model->state, a, mode->weights))
    save_weight(mode, saving, &a->view);
  else if (!save_again(mode, saving, &a->view, ag_handed_on_find(*mode->handed_on, l, a)))
    save_tensor(mode, saving, &a->view, NULL);
}

static void save_written(const ag_save_mode *mode, const ag_saving *saving, const ag_launch *l,
                         const ag_view *view) {
  ag_saved_file *file = ag_handed_on_takes(l) ? ag_saved_file_create() : NULL;
  save_tensor(mode, saving, view, file);
  if (file) ag_handed_on_add(*mode->handed_on, view, file);
  ag_saved_file_release(file);
}

/* What a launch wrote may be a weight by another name. */
static void note_written(const ag_launch *l, const ag_record *record) {
  for (size_t i = 0; i < record->nargs; i++)
    if (ag_view_is_described(&record->args[i].view) && ag_arg_may_be_written(&record->args[i]))
      ag_saved_weights_write(l->model->state, &record->args[i].view);
}

void ag_saver_launch(const ag_save_mode *mode, const ag_launch *l, const ag_record *record,
                     enum ag_when when) {
  if (when == AG_AFTER) {
    note_written(l, record);
    ag_handed_on_begin(mode->handed_on, l);
  }
  for (size_t i = 0; i < record->nargs; i++) {
    const ag_arg *a = &record->args[i];
    const ag_saving x = {l->model,
                         l->run,
                         l->number,
                         when == AG_AFTER ? "after" : "before",
                         ag_launch_site(l)->kernel,
                         a->param->name};
    bool kept = !ag_arg_is_written(a) && !(a->param->flags & AOTIGEN_MAYBE_WRITTEN);
    if (a->view.state == AG_VIEW_REFUSED) ag_save_refuse(a->param->name, "it failed its guard");
    if (a->view.state != AG_VIEW_OK || (when == AG_AFTER ? kept : !ag_arg_is_set_before(a)))
      continue;
    if (when == AG_AFTER)
      save_written(mode, &x, l, &a->view);
    else
      save_read(mode, &x, l, a);
  }
}

void ag_saver_input(const ag_save_mode *mode, const ag_launch *l, const aotigen_input *input,
                    const ag_view *view) {
  const ag_saving x = {l->model, l->run, 0, "input", NULL, input->name};
  save_tensor(mode, &x, view, NULL);
}

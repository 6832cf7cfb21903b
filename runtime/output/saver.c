/* saver.c - level 1 of the printer: selects the tensors to save. */
#define _GNU_SOURCE
#include "output/saver.h"

#include "base/settings.h"
#include "output/async_saver.h"

/* True if the async saver will write the file. */
static bool save_async(const ag_save_mode *mode, const ag_saving *saving, const ag_view *view) {
  bool in_memory = view->contiguous ||
                   (view->dense && ag_settings_get()->save_format == AG_SAVE_PT);
  if (!mode->async || view->t.device_type != mode->device_type ||
      view->t.device_index != mode->device_index)
    return false;
  return !ag_async_save(saving, view, in_memory, mode->async, mode->device_index, mode->stream);
}

static void save_tensor(const ag_save_mode *mode, const ag_saving *saving, const ag_view *view) {
  ag_reader r;
  if (mode->refusal) {
    ag_save_refuse(saving->arg, mode->refusal);
    return;
  }
  if (save_async(mode, saving, view)) return;
  const char *why = ag_reader_open(&r, view, mode->stream);
  if (why) {
    ag_save_refuse(saving->arg, why);
    return;
  }
  ag_save_file(saving, view, &r);
  ag_reader_close(&r);
}

void ag_saver_launch(const ag_save_mode *mode, const ag_launch *l, const ag_record *record,
                     enum ag_when when) {
  for (size_t i = 0; i < record->nargs; i++) {
    const ag_arg *a = &record->args[i];
    const ag_saving x = {l->model,
                         l->run,
                         l->number,
                         when == AG_AFTER ? "after" : "before",
                         ag_launch_site(l)->kernel,
                         a->param->name};
    bool unread = a->param->role == AOTIGEN_OUT || a->param->flags & (AOTIGEN_FRESH | AOTIGEN_LATE);
    bool kept = !ag_arg_is_written(a) && !(a->param->flags & AOTIGEN_MAYBE_WRITTEN);
    if (a->view.state == AG_VIEW_REFUSED) ag_save_refuse(a->param->name, "it failed its guard");
    if (a->view.state != AG_VIEW_OK || (when == AG_AFTER ? kept : unread)) continue;
    save_tensor(mode, &x, &a->view);
  }
}

void ag_saver_input(const ag_save_mode *mode, const ag_launch *l, const aotigen_input *input,
                    const ag_view *view) {
  const ag_saving x = {l->model, l->run, 0, "input", NULL, input->name};
  save_tensor(mode, &x, view);
}

/* nvtx_read_only.c - see nvtx_read_only.h. */
#include "launch/nvtx_read_only.h"

#include "base/nvtx.h"
#include "base/settings.h"
#include "checks/op_registered.h"
#include "state/buffers.h"
#include "state/under_way.h"

/* The buffer that the argument is part of, where the tool was told of it. */
static ag_buffer *find_named(const aotigen_run *run, const ag_arg *a) {
  ag_buffer *b = a->view.state == AG_VIEW_OK ? ag_buffers_find(run, &a->view) : NULL;
  return b && b->named ? b : NULL;
}

static bool is_written(const aotigen_run *run, const ag_buffer *b) {
  const ag_record *r = run->state->record;
  for (size_t i = 0; i < r->nargs; i++)
    if (ag_op_may_write(run->state->model, &r->args[i], run->site, i) &&
        find_named(run, &r->args[i]) == b)
      return true;
  return false;
}

/* Once where two arguments are of one buffer. */
static void add(aotigen_run_state *s, void *memory) {
  for (unsigned i = 0; i < s->read_only.n; i++)
    if (s->read_only.at[i] == memory) return;
  if (s->read_only.n < sizeof s->read_only.at / sizeof *s->read_only.at)
    s->read_only.at[s->read_only.n++] = memory;
}

/* Has the device come to what the host does next. */
static bool await(const aotigen_run *run) {
  const ag_backend *backend = run->state->model->backend;
  void *stream = ag_run_stream(run);
  if (!backend || backend->capturing(stream)) return false;
  ag_under_way_wait(run->state->under_way);
  bool done = !backend->sync(ag_run_device(run), stream);
  ag_under_way_after(run->state->under_way);
  return done;
}

void ag_nvtx_read_only_begin(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (!ag_settings_get()->nvtx || !s->record) return;
  ag_nvtx_read_only_end(run);
  for (size_t i = 0; i < s->record->nargs; i++) {
    ag_buffer *b = find_named(run, &s->record->args[i]);
    if (b && !is_written(run, b)) add(s, b->memory);
  }
  if (s->read_only.n && !await(run)) s->read_only.n = 0;
  for (unsigned i = 0; i < s->read_only.n; i++) ag_nvtx_set_read_only(s->read_only.at[i], true);
}

void ag_nvtx_read_only_end(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (!s->read_only.n) return;
  await(run);
  while (s->read_only.n) ag_nvtx_set_read_only(s->read_only.at[--s->read_only.n], false);
}

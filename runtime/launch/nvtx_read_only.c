/* nvtx_read_only.c - AOTIGEN_NVTX=1: marks memory that a launch only reads as read-only for a tool,
 * as long as the launch takes.
 *
 * This covers buffers in memory that the tool knows (cuda/named_memory.h). The host waits for the
 * stream before and after such a launch, since a tool orders these calls as the host makes them. */
#include "base/nvtx.h"
#include "base/settings.h"
#include "checks/op_registered.h"
#include "state/buffers.h"
#include "state/launch_hooks.h"
#include "state/in_flight.h"

static bool is_wanted(const ag_model_state *m) {
  (void)m;
  return ag_settings_get()->nvtx;
}

/* True if the launch may write to the argument, whose memory is not known. */
static bool is_unclear(const ag_arg *a) {
  return (a->view.state == AG_VIEW_OPAQUE || a->view.state == AG_VIEW_BROKEN) && ag_op_may_write(a);
}

static bool is_written(const aotigen_run *run, const ag_buffer *b) {
  const ag_record *r = run->state->record;
  for (size_t i = 0; i < r->nargs; i++)
    if (is_unclear(&r->args[i]) ||
        (ag_buffers_find(run, &r->args[i].view) == b && ag_op_may_write(&r->args[i])))
      return true;
  return false;
}

/* Adds the memory once, even if two arguments are in one buffer. */
static void add(aotigen_run_state *s, void *memory) {
  for (unsigned i = 0; i < s->nvtx.read_only.n; i++)
    if (s->nvtx.read_only.at[i] == memory) return;
  if (s->nvtx.read_only.n < sizeof s->nvtx.read_only.at / sizeof *s->nvtx.read_only.at)
    s->nvtx.read_only.at[s->nvtx.read_only.n++] = memory;
}

/* False if the device has not finished its earlier work. */
static bool await_device(const aotigen_run *run) {
  const ag_backend *backend = run->state->model->device.backend;
  void *stream = ag_run_launch_stream(run);
  return backend && !backend->capturing(stream) && !backend->sync(ag_run_device(run), stream);
}

static void begin(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (!s->record) return;
  for (size_t i = 0; i < s->record->nargs; i++) {
    ag_buffer *b = ag_buffers_find(run, &s->record->args[i].view);
    if (b && b->memory.named && !is_written(run, b)) add(s, b->memory.begin);
  }
  if (s->nvtx.read_only.n && !await_device(run)) s->nvtx.read_only.n = 0;
  for (unsigned i = 0; i < s->nvtx.read_only.n; i++)
    ag_nvtx_set_read_only(s->nvtx.read_only.at[i], true);
}

static void end(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (!s->nvtx.read_only.n) return;
  ag_in_flight_wait(s->in_flight);
  await_device(run); /* torch's next call will report an error, too */
  ag_in_flight_after(s->in_flight);
  while (s->nvtx.read_only.n)
    ag_nvtx_set_read_only(s->nvtx.read_only.at[--s->nvtx.read_only.n], false);
}

static const char *end_launch(aotigen_run *run) {
  end(run);
  return NULL;
}

/* Ends the marks of a launch that an exception left. */
static void end_run(aotigen_run *run, bool unwinding) {
  (void)unwinding;
  end(run);
}

AG_LAUNCH_HOOKS(nvtx_read_only) = {
    .wanted = is_wanted, .launching = begin, .returned = end_launch, .end_run = end_run};

/* release.c - frees memory of the library's own after the last tensor over it is gone. */
#include "launch/zones.h"
#include "memory/allocate.h"
#include "memory/usage.h"

/* Ends what the tool was told: an exception may have left a launch that only reads the memory. */
static void forget_read_only(aotigen_run_state *s, const ag_buffer *b) {
  unsigned n = 0;
  for (unsigned i = 0; i < s->nvtx.read_only.n; i++)
    if (s->nvtx.read_only.at[i] != b->memory.begin)
      s->nvtx.read_only.at[n++] = s->nvtx.read_only.at[i];
  s->nvtx.read_only.n = n;
}

void aotigen_release(void *owner) {
  ag_buffer *b = owner;
  aotigen_run *run = ag_run_current();
  if (!ag_buffers_remove(b)) return;
  const bool in_run = run && run->model == b->model && run->number == b->run;
  if (in_run) {
    b->release.done = true;
    b->release.launch = run->launch;
    if (b->memory.named && run->state) forget_read_only(run->state, b);
    ag_usage_released(run, b);
  }
  if (in_run && run->state)
    ag_zones_take_released(run, b);
  else
    ag_buffer_free(b);
}

/* arg_copies.c - see arg_copies.h. */
#define _GNU_SOURCE
#include "launch/arg_copies.h"

#include <stdlib.h>
#include <string.h>

#include "launch/async_run.h"

size_t ag_arg_copy_bytes(const ag_arg *a) {
  return (size_t)a->view.t.numel * a->view.t.dtype->item_size;
}

bool ag_arg_copy_is_small(const ag_arg *a) {
  enum { MOST = 256 << 10 };
  return a->view.t.numel <= MOST && ag_arg_copy_bytes(a) <= MOST;
}

bool ag_arg_copy_later(aotigen_run *run, const ag_arg *a, ag_arg_copy *to) {
  const aotigen_run_state *s = run->state;
  const ag_async_run *d = s->async_run;
  ag_pinned room;
  if (!s->record->page || d->is_captured ||
      a->view.t.device_type != s->model->device.backend->device_type ||
      !ag_async_run_take_pinned(run, AG_FETCHED + ag_arg_copy_bytes(a), &room))
    return false;
  memset(room.host, 0, AG_FETCHED);
  to->arrived = (const volatile uint32_t *)(const void *)room.host;
  to->bytes = (const unsigned char *)room.host + AG_FETCHED;
  return !d->async->device->fetch(d->place.device_index, s->record->launch.stream, &a->view.t,
                                  a->view.contiguous, 0, a->view.t.numel, 1, &room);
}

bool ag_arg_copy_now(const aotigen_run *run, const ag_arg *a, ag_arg_copy *to) {
  const ag_backend *b = ag_backend_of_device_type(a->view.t.device_type);
  void *own = b ? malloc(ag_arg_copy_bytes(a)) : NULL;
  if (!own) return false;
  to->own = own;
  to->bytes = own;
  if (!b->read(&a->view.t, 0, a->view.t.numel, run->state->record->launch.stream, own)) return true;
  free(own);
  to->own = NULL;
  return false;
}

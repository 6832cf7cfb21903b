/* watched_run.c - see watched_run.h. */
#include "watch/watched_run.h"

#include <stdlib.h>
#include <string.h>

#include "tensor/reader.h"
#include "watch/output_report.h"

/* ---- memory --------------------------------------------------------------------------------- */

static bool make_room(ag_kept_list *l, size_t n) {
  l->count = 0;
  if (n > l->room) {
    ag_kept_tensor *list = realloc(l->list, n * sizeof *list);
    if (!list) return false;
    l->list = list;
    l->room = n;
  }
  l->count = n;
  return true;
}

static const ag_backend *backend_of(const ag_view *view) {
  const ag_backend *b = view->state == AG_VIEW_OK ? ag_backend_of_device_type(view->t.device_type)
                                                  : NULL;
  return b && b->async ? b : NULL;
}

/* Memory for the copies, which the device can write if one of them comes from it. */
static bool place_copies(ag_watched_run *r, size_t bytes, const ag_view *on_device) {
  r->copies.used = 0;
  if (bytes <= r->copies.size && (r->is_pinned || !on_device)) return true;
  if (!r->is_pinned) free(r->copies.host);
  r->copies = (ag_pinned){0};
  r->is_pinned = on_device != NULL;
  if (on_device) /* what is pinned is never freed: twice as much, so that it seldom grows */
    return !backend_of(on_device)->async->device->pin(on_device->t.device_index, 2 * bytes,
                                                      &r->copies);
  r->copies.host = aligned_alloc(64, bytes);
  r->copies.size = r->copies.host ? bytes : 0;
  return r->copies.host != NULL;
}

static ag_pinned take_copy(ag_pinned *p, size_t bytes) {
  ag_pinned part = {p->host + p->used, p->device ? p->device + p->used : 0, bytes, 0};
  p->used += bytes;
  return part;
}

/* ---- before the run ------------------------------------------------------------------------- */

bool ag_watched_begin(ag_watched_run *r, void *const *inputs, size_t n, void *stream) {
  const ag_view *on_device = NULL;
  size_t bytes = 0;
  r->outputs.count = 0;
  r->backend = NULL;
  r->ntargets = 0;
  if (!make_room(&r->inputs, n)) return true;
  for (size_t i = 0; i < n; i++) {
    ag_kept_tensor *k = &r->inputs.list[i];
    k->how = AG_NOT_KEPT;
    k->handle = NULL;
    ag_view_of_handle(&k->view, inputs[i]);
    bytes += ag_kept_tensor_room(&k->view);
    if (ag_kept_tensor_room(&k->view) && backend_of(&k->view)) on_device = &k->view;
  }
  if (on_device && backend_of(on_device)->capturing(stream)) return false;
  bool placed = !bytes || place_copies(r, bytes, on_device);
  for (size_t i = 0; i < n; i++) {
    ag_kept_tensor *k = &r->inputs.list[i];
    size_t room = placed ? ag_kept_tensor_room(&k->view) : 0;
    ag_pinned part = take_copy(&r->copies, room);
    if (!room || !ag_kept_tensor_copy(k, stream, &part)) ag_kept_tensor_hold(k);
  }
  return true;
}

/* ---- after it ------------------------------------------------------------------------------- */

static bool add_target(ag_watched_run *r, const ag_kept_tensor *k, uint32_t number) {
  if (r->ntargets == r->targets_room) {
    size_t room = r->targets_room ? 2 * r->targets_room : 8;
    ag_scan_target *list = realloc(r->targets, room * sizeof *list);
    if (!list) return false;
    r->targets = list;
    r->targets_room = room;
  }
  r->targets[r->ntargets++] =
      (ag_scan_target){.tensor = &k->view.t, .tag = number, .want = AG_WANT_BAD, .probe_kinds = 8};
  return true;
}

/* The device's backend, if all outputs that can be bad are on one device that scans without
 * waiting; NULL if not, or if there is none. */
static const ag_backend *find_targets(ag_watched_run *r) {
  const ag_backend *b = NULL;
  r->ntargets = 0;
  for (size_t i = 0; i < r->outputs.count; i++) {
    const ag_kept_tensor *k = &r->outputs.list[i];
    if (k->how != AG_KEPT_HELD || !k->view.floating || !k->view.t.numel) continue;
    const ag_backend *own = backend_of(&k->view);
    if (!own || (b && (own != b || k->view.t.device_index != r->device_index))) return NULL;
    b = own;
    r->device_index = k->view.t.device_index;
    if (!add_target(r, k, (uint32_t)i)) return NULL;
  }
  return b;
}

static const char *start_scan(ag_watched_run *r, void *stream) {
  const ag_async *async = r->backend->async;
  if (r->backend->capturing(stream)) return "its stream is being captured into a CUDA graph";
  r->batch = (ag_scan_batch){.targets = r->targets, .count = (uint32_t)r->ntargets};
  const char *why = async->slot->take(r->device_index, false, false, &r->slot);
  if (why || !r->slot) return why ? why : "all slots are in use";
  size_t bytes = async->batch->bytes(&r->batch);
  if (bytes > r->results.size) why = async->device->pin(r->device_index, 2 * bytes, &r->results);
  r->results.used = 0;
  if (!why) why = async->batch->start(&r->batch, r->slot, stream, &r->results);
  if (why) async->slot->give(r->slot);
  return why;
}

bool ag_watched_launch(ag_watched_run *r, void *const *outputs, size_t n, void *stream) {
  if (!make_room(&r->outputs, n)) return false;
  for (size_t i = 0; i < n; i++) {
    ag_kept_tensor *k = &r->outputs.list[i];
    ag_view_of_handle(&k->view, outputs[i]);
    ag_kept_tensor_hold(k);
  }
  r->backend = find_targets(r);
  if (!r->backend) return false;
  const char *why = start_scan(r, stream);
  if (!why) return true;
  r->backend = NULL;
  for (size_t i = 0; i < n; i++) {
    ag_kept_tensor_release(&r->outputs.list[i]);
    r->outputs.list[i].why = "the device did not scan it";
  }
  return false;
}

/* ---- looked at ------------------------------------------------------------------------------ */

bool ag_watched_is_scanned(const ag_watched_run *r) {
  const ag_async *async = r->backend->async;
  return async->batch->is_done(&r->batch) || async->device->sticky_error(r->device_index);
}

/* False if there is no result. */
static bool find_stats(const ag_watched_run *r, size_t output, ag_stats *stats) {
  const ag_kept_tensor *k = &r->outputs.list[output];
  if (k->how != AG_KEPT_HELD || !k->view.floating) return false;
  if (!r->backend) return !ag_view_stats(&k->view, AG_WANT_BAD, NULL, stats);
  for (uint32_t i = 0; i < r->ntargets; i++) {
    ag_scan_result found;
    if (r->targets[i].tag != output) continue;
    if (!r->batch.done) *stats = ag_nothing_bad;
    if (!r->batch.done) return true;
    if (!r->backend->async->batch->result(&r->batch, i, &found)) return false;
    *stats = found.stats;
    return true;
  }
  return false;
}

bool ag_watched_look(ag_watched_run *r) {
  bool lost = r->backend && !r->backend->async->batch->is_done(&r->batch);
  ag_output_report report = {0};
  for (size_t i = 0; i < r->outputs.count && !lost; i++) {
    ag_stats stats;
    if (find_stats(r, i, &stats) && stats.nan + stats.pos_inf + stats.neg_inf)
      ag_output_report_add(&report, r, i, &stats);
  }
  bool found = ag_output_report_end(&report, r);
  if (r->backend && !lost) r->backend->async->slot->give(r->slot);
  return found;
}

void ag_watched_release(ag_watched_run *r) {
  for (size_t i = 0; i < r->inputs.count; i++) ag_kept_tensor_release(&r->inputs.list[i]);
  for (size_t i = 0; i < r->outputs.count; i++) ag_kept_tensor_release(&r->outputs.list[i]);
}

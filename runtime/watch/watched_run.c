/* watched_run.c - see watched_run.h. */
#include "watch/watched_run.h"

#include <stdlib.h>

#include "base/settings.h"
#include "base/thread.h"
#include "checks/finding.h"
#include "tensor/cpu_scan.h"
#include "tensor/reader.h"
#include "watch/crash_mark.h"
#include "watch/fault_report.h"
#include "watch/held_values.h"
#include "watch/output_bounds.h"

enum { NO_PROBES = 8 /* of ag_scan_target */, POLLS_OF_QUERY = 128 };

static const char captured[] = "it is captured into a CUDA graph";

/* ---- lists ---------------------------------------------------------------------------------- */

static bool read_all(ag_kept_list *l, void *const *handles, size_t n) {
  l->count = 0;
  if (n > l->room) {
    ag_kept_tensor *list = realloc(l->list, n * sizeof *list);
    if (!list) return false;
    l->list = list;
    l->room = n;
  }
  l->count = n;
  for (size_t i = 0; i < n; i++) ag_kept_tensor_read(&l->list[i], handles[i]);
  return true;
}

static void hold_rest(ag_kept_list *l) {
  for (size_t i = 0; i < l->count; i++)
    if (l->list[i].how == AG_NOT_KEPT) ag_kept_tensor_hold(&l->list[i]);
}

static bool add_target(ag_watched_batch *b, const ag_scan_target *target) {
  if (b->count == b->room) {
    size_t room = b->room ? 2 * b->room : 8;
    ag_scan_target *list = realloc(b->targets, room * sizeof *list);
    if (!list) return false;
    b->targets = list;
    b->room = room;
  }
  b->targets[b->count++] = *target;
  return true;
}

/* ---- the device ----------------------------------------------------------------------------- */

/* The backend of the tensor's device, if it scans without waiting. The run's device becomes that of
 * the first such tensor: NULL for one on another. */
static const ag_backend *find_backend(ag_watched_run *r, const ag_view *view) {
  const ag_backend *b = view->state == AG_VIEW_OK ? ag_backend_of_device_type(view->t.device_type)
                                                  : NULL;
  if (!b || !b->async || !view->t.numel) return NULL;
  if (r->backend) return r->backend == b && r->device_index == view->t.device_index ? b : NULL;
  r->backend = b;
  r->device_index = view->t.device_index;
  return b;
}

/* NULL, or why the device does not do it. */
static const char *start_batch(ag_watched_run *r, ag_watched_batch *b) {
  const ag_async *async = r->backend->async;
  const char *why = NULL;
  b->batch = (ag_scan_batch){.targets = b->targets, .count = (uint32_t)b->count};
  const bool sums = ag_output_bounds_are_set();
  if (!r->slot) why = async->slot->take(r->device_index, false, sums, &r->slot);
  if (why || !r->slot) return why ? why : "all slots are in use";
  size_t bytes = async->batch->bytes(&b->batch);
  if (bytes > b->memory.size) why = async->device->pin(r->device_index, 2 * bytes, &b->memory);
  b->memory.used = 0;
  return why ? why : async->batch->start(&b->batch, r->slot, r->stream, &b->memory);
}

static void give_slot(ag_watched_run *r) {
  if (r->slot) r->backend->async->slot->give(r->slot);
  r->slot = NULL;
}

/* ---- before the run ------------------------------------------------------------------------- */

void ag_watched_say_unseen(enum ag_count reason, const char *why) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  ag_count(reason, 1);
  if (!atomic_flag_test_and_set(&said))
    ag_warn("a run of a watched model is not looked at: %s; this is said once", why);
}

/* Chooses the inputs that are copied: the small ones, as far as the run's bytes go. */
static size_t choose_copies(ag_watched_run *r) {
  const size_t most = ag_settings_get()->copy_bytes;
  size_t bytes = 0;
  for (size_t i = 0; i < r->inputs.count; i++) {
    ag_kept_tensor *k = &r->inputs.list[i];
    const bool is_host = k->view.t.device_type == ag_backend_cpu.device_type;
    if (!ag_kept_tensor_can_copy(k, most == AG_COPY_RUN_MOST ? AG_COPY_MOST : most) ||
        (!is_host && !find_backend(r, &k->view)))
      continue;
    if (ag_kept_tensor_room(k) > most - bytes) continue;
    bytes += ag_kept_tensor_room(k);
    ag_kept_tensor_begin_copy(k);
  }
  return bytes;
}

/* The input, or behind the inputs the buffer, that a target copies. */
static ag_kept_tensor *find_copied(ag_watched_run *r, size_t tag) {
  return tag < r->inputs.count ? &r->inputs.list[tag]
                               : &r->buffers.list[tag - r->inputs.count].tensor;
}

static void copy_on_device(ag_watched_run *r) {
  ag_watched_batch *b = &r->copying;
  for (size_t i = 0; i < r->inputs.count + r->buffers.count; i++) {
    ag_kept_tensor *k = find_copied(r, i);
    ag_scan_target target = {.tensor = &k->flat, .tag = (uint32_t)i, .probe_kinds = NO_PROBES};
    if (k->how != AG_KEPT_COPIED || k->view.t.device_type == ag_backend_cpu.device_type) continue;
    target.head = (int16_t)k->flat.numel;
    if (!find_backend(r, &k->view) || !add_target(b, &target)) k->how = AG_NOT_KEPT;
  }
  if (!b->count || !start_batch(r, b)) return;
  for (size_t i = 0; i < b->count; i++) find_copied(r, b->targets[i].tag)->how = AG_NOT_KEPT;
  b->count = 0;
}

bool ag_watched_begin(ag_watched_run *r, void *const *inputs, size_t n, void *stream,
                      ag_constants *constants, bool is_first) {
  r->outputs.count = r->copying.count = r->scanning.count = 0;
  r->backend = NULL;
  r->slot = NULL;
  r->polls = 0;
  r->fault = AG_FAULT_NONE;
  ag_text_clear(&r->error);
  r->stream = stream;
  ag_kept_buffers_begin(&r->buffers, NULL, false);
  if (!read_all(&r->inputs, inputs, n)) return true;
  for (size_t i = 0; i < n && !r->backend; i++) find_backend(r, &r->inputs.list[i].view);
  if (r->backend && r->backend->capturing(stream)) {
    ag_watched_say_unseen(AG_COUNT_CAPTURE, captured);
    return false;
  }
  if (!ag_settings_get()->capsules) { /* nothing is written: nothing is kept */
    r->inputs.count = 0;
    return true;
  }
  ag_host_copies_begin(&r->copies, choose_copies(r));
  for (size_t i = 0; i < n; i++) ag_host_copies_add(&r->copies, &r->inputs.list[i]);
  ag_kept_buffers_begin(&r->buffers, constants, is_first);
  copy_on_device(r);
  hold_rest(&r->inputs);
  for (size_t i = 0; i < n; i++) ag_held_values_note(&r->inputs.list[i], r->turn);
  return true;
}

/* ---- after it ------------------------------------------------------------------------------- */

bool ag_watched_fail(ag_watched_run *r, const char *error) {
  r->fault = AG_FAULT_EXCEPTION;
  ag_fault_error_set(&r->error, error);
  return r->copying.count != 0;
}

static bool can_scan(const ag_kept_tensor *k) {
  return k->view.state == AG_VIEW_OK && k->view.t.numel;
}

/* False if an output has to be looked at by itself. */
static bool find_targets(ag_watched_run *r) {
  for (size_t i = 0; i < r->outputs.count; i++) {
    const ag_kept_tensor *k = &r->outputs.list[i];
    ag_scan_target target = {.tensor = &k->view.t, .tag = (uint32_t)i, .probe_kinds = NO_PROBES};
    target.want = can_scan(k) ? (uint8_t)ag_output_want(&k->view, i) : 0;
    if (!target.want) continue;
    if (!find_backend(r, &k->view) || !add_target(&r->scanning, &target)) return false;
  }
  return true;
}

static void forget_outputs(ag_watched_run *r) {
  for (size_t i = 0; i < r->outputs.count; i++) ag_kept_tensor_release(&r->outputs.list[i]);
  r->outputs.count = 0;
}

/* The outputs are held for the capsule alone: the stream scans them before what comes behind on it
 * can take their memory. */
bool ag_watched_launch(ag_watched_run *r, void *const *outputs, size_t n) {
  r->fault = AG_FAULT_NONE; /* the host handled a crash */
  if (!read_all(&r->outputs, outputs, n)) return false;
  if (ag_settings_get()->capsules) hold_rest(&r->outputs);
  if (!find_targets(r)) r->scanning.count = 0;
  if (!r->scanning.count) return r->copying.count != 0;
  const char *why = r->backend->capturing(r->stream) ? captured : start_batch(r, &r->scanning);
  if (!why) return true;
  ag_watched_say_unseen(why == captured ? AG_COUNT_CAPTURE : AG_COUNT_DEVICE, why);
  r->scanning.count = 0;
  forget_outputs(r);
  return r->copying.count != 0;
}

/* ---- looked at ------------------------------------------------------------------------------ */

static bool is_done(const ag_watched_run *r, const ag_watched_batch *b) {
  return !b->count || r->backend->async->batch->is_done(&b->batch);
}

/* What the device has done is read from memory: that it is lost the driver has to be asked. */
bool ag_watched_is_scanned(ag_watched_run *r) {
  if (is_done(r, &r->scanning) && is_done(r, &r->copying)) return true;
  const ag_device_ops *device = r->backend->async->device;
  return ++r->polls % POLLS_OF_QUERY ? device->sticky_error(r->device_index) != NULL
                                     : device->query(r->device_index) != NULL;
}

/* Takes the copies that have arrived. */
static void end_copies(ag_watched_run *r) {
  const ag_watched_batch *b = &r->copying;
  for (size_t i = 0; i < b->count; i++) {
    ag_kept_tensor *k = find_copied(r, b->targets[i].tag);
    ag_scan_result result = {0};
    bool arrived = is_done(r, b) && !b->targets[i].unavailable &&
                   r->backend->async->batch->result(&b->batch, (uint32_t)i, &result);
    if (arrived && result.edges) {
      ag_kept_tensor_end_copy(k, result.edges);
    } else {
      k->how = AG_NOT_KEPT;
      k->why = b->targets[i].why ? b->targets[i].why : "its copy did not arrive";
    }
  }
  ag_kept_buffers_end(&r->buffers);
}

/* True if it is so large, and this turn's pieces of it have nothing that may be reported. Sets the
 * statistics of these pieces. */
static bool is_clean_in_pieces(const ag_watched_run *r, size_t output, unsigned want,
                               ag_stats *all) {
  const ag_view *view = &r->outputs.list[output].view;
  const int64_t item = view->t.dtype->item_size, most = AG_PIECE / item;
  ag_tensor piece = {.dtype = view->t.dtype, .ndim = 1, .strides = {1}};
  if (!view->dense || view->t.device_type != ag_backend_cpu.device_type ||
      view->t.numel * item < AG_SAMPLED_FROM)
    return false;
  piece.device_type = view->t.device_type;
  piece.device_index = view->t.device_index;
  const char *data = (const char *)view->t.data + view->lowest * item;
  for (int64_t i = (int64_t)(r->turn % AG_SAMPLE) * most; i < view->t.numel;
       i += AG_SAMPLE * most) {
    ag_stats found;
    piece.numel = piece.sizes[0] = view->t.numel - i < most ? view->t.numel - i : most;
    piece.data = data + i * item;
    if (ag_backend_cpu.stats(&piece, want, NULL, &found) ||
        found.nan + found.pos_inf + found.neg_inf)
      return false;
    if (want & AG_WANT_SUMMARY) ag_stats_merge(all, &found, view->t.dtype);
  }
  return !ag_output_is_suspect(view, output, all);
}

static bool find_stats_here(const ag_watched_run *r, size_t output, ag_stats *stats) {
  const ag_view *view = &r->outputs.list[output].view;
  const unsigned want = ag_output_want(view, output);
  *stats = ag_nothing_bad;
  return want && (is_clean_in_pieces(r, output, want, stats) ||
                  !ag_view_stats(view, want, r->stream, stats));
}

/* False if there is no result. */
static bool find_stats(const ag_watched_run *r, size_t output, ag_stats *stats) {
  const ag_kept_tensor *k = &r->outputs.list[output];
  const ag_watched_batch *b = &r->scanning;
  if (!can_scan(k)) return false;
  if (!b->count) return find_stats_here(r, output, stats);
  for (size_t i = 0; i < b->count; i++) {
    ag_scan_result result;
    if (b->targets[i].tag != output) continue;
    if (!r->backend->async->batch->result(&b->batch, (uint32_t)i, &result)) return false;
    *stats = result.stats;
    return true;
  }
  return false;
}

static void count_look(const ag_watched_run *r, bool lost, uint64_t since) {
  if (lost)
    ag_count(AG_COUNT_DEVICE, 1);
  else if (r->outputs.count)
    ag_count(AG_COUNT_WATCHED, 1);
  ag_count_on(r->backend ? r->backend->device_type : ag_backend_cpu.device_type,
              r->backend ? r->device_index : -1);
  ag_count_time(since);
}

static void lose_held(ag_kept_list *l, const char *why) {
  for (size_t i = 0; i < l->count; i++) {
    ag_kept_tensor *k = &l->list[i];
    if (k->how == AG_KEPT_HELD && k->view.t.device_type != ag_backend_cpu.device_type)
      ag_kept_tensor_lose(k, why);
  }
}

/* The device of a run that is not over, or that threw, is lost. */
static void find_lost_device(ag_watched_run *r) {
  const char *error = r->backend ? r->backend->async->device->sticky_error(r->device_index) : NULL;
  if (!error) return;
  r->fault = AG_FAULT_DEVICE;
  ag_crash_mark_prepare();
  ag_crash_mark_leave("a device error", r->number, 0);
  ag_fault_error_set(&r->error, error);
  lose_held(&r->inputs, "its device was lost");
  lose_held(&r->outputs, "its device was lost");
}

/* Nothing is read from a device: the thread that crashed may hold the driver's lock. */
void ag_watched_crash(ag_watched_run *r, const char *cause) {
  enum { COPIES_US = 500 * 1000, STEP_US = 1000 };
  ag_output_report report = {0};
  for (int us = 0; us < COPIES_US && !is_done(r, &r->copying); us += STEP_US)
    ag_time_sleep_us(STEP_US);
  end_copies(r);
  r->fault = AG_FAULT_CRASH;
  ag_fault_error_set(&r->error, cause);
  lose_held(&r->inputs, "it lay on a device, from which a process that crashes reads nothing");
  ag_fault_report_add(&report, r);
  ag_output_report_end(&report, r);
}

bool ag_watched_look(ag_watched_run *r) {
  const uint64_t since = ag_count_clock();
  const bool over = is_done(r, &r->scanning) && is_done(r, &r->copying);
  ag_output_report report = {0};
  end_copies(r);
  if (!over || r->fault) find_lost_device(r);
  if (!r->fault) ag_output_bounds_check(r->outputs.count);
  for (size_t i = 0; i < r->outputs.count && !r->fault; i++) {
    ag_stats stats;
    if (!find_stats(r, i, &stats)) continue;
    if (stats.nan + stats.pos_inf + stats.neg_inf) ag_output_report_add(&report, r, i, &stats);
    ag_output_bounds_report(&report, r, i, &stats);
  }
  if (r->fault) ag_fault_report_add(&report, r);
  count_look(r, !is_done(r, &r->scanning), since);
  bool found = ag_output_report_end(&report, r);
  if (over) give_slot(r);
  return found;
}

void ag_watched_release(ag_watched_run *r) {
  for (size_t i = 0; i < r->inputs.count; i++) ag_kept_tensor_release(&r->inputs.list[i]);
  for (size_t i = 0; i < r->outputs.count; i++) ag_kept_tensor_release(&r->outputs.list[i]);
}

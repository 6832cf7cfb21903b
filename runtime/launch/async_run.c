/* async_run.c - the records of async runs, and the requests to the device for them. It evaluates
 * nothing. */
#define _GNU_SOURCE
#include "launch/async_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/thread.h"
#include "checks/finding.h"
#include "launch/hooks.h"
#include "launch/marks.h"

enum { PINNED = 64 << 10 };

static _Atomic(ag_async_run *) all;

/* ---- runs ----------------------------------------------------------------------------------- */

ag_async_run *ag_async_run_all(void) { return atomic_load(&all); }

static void add_run(ag_async_run *d) {
  d->next = atomic_load(&all);
  while (!atomic_compare_exchange_weak(&all, &d->next, d)) continue;
}

ag_async_run *ag_async_run_of(aotigen_run_state *s) {
  ag_async_run *d = s->async_run;
  if (d) return d;
  d = calloc(1, sizeof *d);
  if (!d) return NULL;
  pthread_mutex_init(&d->eval_lock, NULL);
  d->async = s->model->device.backend->async;
  d->owner = s->model;
  d->state = s;
  s->async_run = d;
  add_run(d);
  return d;
}

void ag_async_run_reset(ag_async_run *d, uint64_t number, int32_t device_index,
                        const void *stream) {
  static atomic_ullong begun;
  ag_pages_clear(&d->queue.pages);
  d->number = number;
  atomic_store(&d->place.thread, syscall(SYS_gettid));
  d->place.device_index = device_index;
  atomic_store(&d->place.home, stream);
  d->place.nsides = 0;
  atomic_store(&d->place.order, atomic_fetch_add(&begun, 1) + 1);
  atomic_store(&d->lost, false);
  d->finished = (ag_finished){0};
  d->untold.n = 0;
  d->captured.replay = d->captured.missed = 0;
  atomic_store(&d->queue.published, 0);
  atomic_store(&d->queue.evaluated, 0);
  atomic_store(&d->ended, false);
}

void ag_async_run_enter_replay(ag_async_run *d, uint32_t replay) {
  unsigned n = atomic_load(&d->queue.published);
  d->captured.replay = replay;
  for (unsigned i = 0; i < n; i++)
    for (int when = 0; when < 2; when++) d->queue.records[i]->batch[when].token = replay;
}

/* ---- streams --------------------------------------------------------------------------------- */

void ag_async_run_give_slots(ag_async_run *d) {
  for (unsigned i = 0; i < d->place.nsides && !d->lost; i++)
    d->async->slot->give(d->place.sides[i].slot);
  if (!d->lost) d->async->slot->give(d->place.slot);
  d->place.slot = NULL;
  d->place.nsides = 0;
}

ag_finished *ag_async_run_finished(ag_async_run *d, const void *stream) {
  for (unsigned i = 0; i < d->place.nsides; i++)
    if (d->place.sides[i].stream == stream) return &d->place.sides[i].finished;
  return stream == atomic_load(&d->place.home) ? &d->finished : NULL;
}

/* The slot for batches on the stream; NULL if there is none. In a capture all streams belong to one
 * graph, whose kernels may run side by side, and no slot is made. */
static void *find_slot(const aotigen_run *run, ag_async_run *d, const void *stream) {
  ag_async_place *p = &d->place;
  ag_side_stream made = {.stream = stream};
  if (stream == atomic_load(&p->home)) return p->slot;
  for (unsigned i = 0; i < p->nsides; i++)
    if (p->sides[i].stream == stream) return p->sides[i].slot;
  if (p->nsides == AG_SIDE_STREAMS || d->is_captured ||
      d->async->slot->take(p->device_index, false, ag_hooks_want_values(run->state->model),
                           &made.slot) ||
      !made.slot)
    return NULL;
  ag_marks_tell(d);
  p->sides[p->nsides++] = made;
  return made.slot;
}

/* ---- warnings ------------------------------------------------------------------------------- */

void ag_async_run_say_ahead(const aotigen_run *run) {
  if (atomic_exchange(&run->state->model->said.warned.ahead, true)) return;
  ag_warn("run %llu of %s: the device made no progress for %d s; launches that would have to wait "
          "for it are not checked",
          (unsigned long long)run->number, run->model->source,
          (int)(ag_stall_timeout_us / 1000000));
}

static void say_no_slot(const aotigen_run *run) {
  if (atomic_exchange(&run->state->model->said.warned.streams, true)) return;
  ag_warn("run %llu of %s: launches on one of its streams are not scanned: all slots are in use",
          (unsigned long long)run->number, run->model->source);
}

void ag_async_run_say_sync(const aotigen_run *run) {
  if (atomic_exchange(&run->state->model->said.warned.waits, true)) return;
  ag_warn("run %llu of %s falls back to synchronous checks: all asynchronous slots are in use",
          (unsigned long long)run->number, run->model->source);
}

const char ag_not_scanned[] = "its launches are not scanned";
static const char no_room[] = "its last launches are not scanned: there is no room for them";

/* Does not warn if the device was lost: that report says more. */
void ag_async_run_say_captured(const aotigen_run *run, int32_t device_index, const char *what,
                               const char *why) {
  ag_model_state *m = run->state->model;
  if (m->device.backend->async->device->sticky_error(device_index) ||
      atomic_exchange(&m->said.warned.captured, true))
    return;
  ag_warn("run %llu of %s is being captured into a graph: %s%s%s%s",
          (unsigned long long)run->number, run->model->source, what, why ? " (" : "",
          why ? why : "", why ? ")" : "");
}

/* ---- records -------------------------------------------------------------------------------- */

static bool is_queue_full(const ag_record_queue *q) {
  return atomic_load(&q->published) - atomic_load_explicit(&q->evaluated, memory_order_acquire) >=
         AG_RECORDS;
}

bool ag_async_run_has_room(ag_async_run *d) {
  return d->is_captured || (!is_queue_full(&d->queue) && ag_pages_have_room(&d->queue.pages));
}

ag_record *ag_async_run_record(aotigen_run *run, const ag_launch *l, size_t nargs) {
  ag_async_run *d = run->state->async_run;
  ag_async_run_thrown(run->state);
  if (is_queue_full(&d->queue)) {
    if (d->is_captured) ag_async_run_say_captured(run, d->place.device_index, no_room, NULL);
    return NULL;
  }
  ag_record *r = ag_record_create(&d->queue.pages, d->is_captured, nargs);
  if (!r) return NULL;
  r->launch = *l;
  r->slot = find_slot(run, d, l->stream);
  atomic_store(&r->place.known, false);
  r->scanned = r->slot != NULL;
  if (!r->slot) say_no_slot(run);
  run->state->record = r;
  return r;
}

void ag_async_run_publish(aotigen_run *run) {
  ag_record_queue *q = &run->state->async_run->queue;
  unsigned published = atomic_load(&q->published);
  q->records[published % AG_RECORDS] = run->state->record;
  run->state->record->page->records++;
  atomic_store_explicit(&q->published, published + 1, memory_order_release);
}

void ag_async_run_thrown(aotigen_run_state *s) {
  int launching = AG_LAUNCHING;
  if (s->record && s->record->page)
    atomic_compare_exchange_strong(&s->record->stage, &launching, AG_THROWN);
}

ag_record *ag_async_run_next(const ag_async_run *d) {
  unsigned evaluated = atomic_load(&d->queue.evaluated);
  return evaluated == atomic_load_explicit(&d->queue.published, memory_order_acquire)
             ? NULL
             : ag_async_run_at(d, evaluated);
}

/* ---- the device ----------------------------------------------------------------------------- */

static const char *find_sticky_error(const ag_async_run *d) {
  return d->async->device->sticky_error(d->place.device_index);
}

/* A piece that has so many bytes left, or NULL. */
static ag_pinned *find_pinned(const ag_page *p, size_t bytes) {
  for (size_t i = 0; i < p->npinned; i++)
    if (p->pinned[i].size - p->pinned[i].used >= bytes) return &p->pinned[i];
  return NULL;
}

/* Allocates nothing in a capture: any page may have pieces that an earlier run needed. */
static ag_pinned *take_pinned(ag_async_run *d, ag_page *p, size_t bytes) {
  ag_pinned *room = find_pinned(p, bytes);
  for (int i = 0; i < AG_PAGES && !room && d->is_captured; i++)
    room = find_pinned(&d->queue.pages.list[i], bytes);
  if (room || d->is_captured) return room;
  if (!ag_list_grow((void **)&p->pinned, &p->pinned_room, p->npinned, sizeof *p->pinned))
    return NULL;
  if (d->async->device->pin(d->place.device_index, bytes > PINNED ? bytes : PINNED,
                            &p->pinned[p->npinned]))
    return NULL;
  return &p->pinned[p->npinned++];
}

bool ag_async_run_take_pinned(aotigen_run *run, size_t bytes, ag_pinned *piece) {
  enum { ALIGNED = 64 };
  ag_pinned *room = take_pinned(run->state->async_run, run->state->record->page, bytes + ALIGNED);
  if (!room) return false;
  size_t at = (room->used + ALIGNED - 1) / ALIGNED * ALIGNED;
  *piece = (ag_pinned){.host = room->host + at, .device = room->device + at, .size = bytes};
  room->used = at + bytes;
  return true;
}

/* Marks the results of the batch as never arriving. why: from the backend, or NULL. */
static void leave_out(ag_record *record, ag_scan_batch *batch, const char *why) {
  const char *text = why ? ag_record_copy_text(record, why) : NULL;
  for (uint32_t i = 0; i < batch->count; i++) {
    ag_scan_target *s = &batch->targets[i];
    if (s->known) continue;
    s->unavailable = true;
    if (!s->why) s->why = text;
  }
  batch->done = NULL;
}

/* Adds the memory that is to be filled before the launch, if it runs on the run's stream. */
static void give_fills(const aotigen_run *run, enum ag_when when, ag_scan_batch *batch) {
  const aotigen_run_state *s = run->state;
  if (when != AG_BEFORE || s->record->launch.stream != ag_run_stream(run)) return;
  batch->fills = s->memory.retired.fills;
  batch->nfills = s->memory.retired.nfills;
}

static void take_fills(aotigen_run *run, ag_scan_batch *batch) {
  if (batch->fills) run->state->memory.retired.nfills = batch->nfills;
  batch->fills = NULL;
  batch->nfills = 0;
}

const char *ag_async_run_ask(aotigen_run *run, enum ag_when when) {
  ag_async_run *d = run->state->async_run;
  ag_record *r = run->state->record;
  ag_scan_batch *w = &r->batch[when];
  if (!w->count) return NULL;
  ag_pinned *memory = take_pinned(d, r->page, d->async->batch->bytes(w));
  give_fills(run, when, w);
  const char *why = memory ? d->async->batch->start(w, r->slot, r->launch.stream, memory)
                           : "no memory";
  take_fills(run, w);
  if (!why) ag_marks_scanned(d, r, w);
  if (!why) return NULL;
  if (d->is_captured)
    ag_async_run_say_captured(run, d->place.device_index,
                              memory ? "one of its launches is not scanned" : no_room,
                              memory ? why : NULL);
  const char *error = find_sticky_error(d);
  leave_out(r, w, error ? NULL : why);
  return error;
}

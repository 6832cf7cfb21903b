/* marks.c - see marks.h. */
#define _GNU_SOURCE
#include "launch/marks.h"

#include "base/settings.h"
#include "checks/finding.h"

static atomic_bool refused;

bool ag_marks_refused(void) { return atomic_load(&refused); }

static const char *find_sticky_error(const ag_async_run *d) {
  return d->async->device->sticky_error(d->place.device_index);
}

/* False if the mark is refused. Of a lost device it never arrives, so that the launch stays one
 * that has not ended. */
static bool write_mark(const ag_async_run *d, ag_record *record) {
  const char *why =
      d->async->slot->mark(record->slot, record->launch.stream, atomic_load(&record->mark));
  if (!why || find_sticky_error(d)) return true;
  atomic_store(&record->mark, 0);
  if (!atomic_exchange(&refused, true))
    ag_warn("the end of a launch cannot be marked (%s): where the device fails, it is not known in "
            "which launch",
            why);
  return false;
}

/* What stands behind the untold launches tells of them; if nothing does, they count as ended. */
static void end_untold(ag_async_run *d, const ag_scan_batch *batch, bool marked) {
  for (unsigned i = 0; i < d->untold.n; i++) {
    ag_record *r = d->untold.list[i];
    if (batch) atomic_store_explicit(&r->told_by, batch, memory_order_release);
    if (!batch && !marked) atomic_store(&r->mark, 0);
    atomic_store_explicit(&r->end, AG_END_LATER, memory_order_release);
  }
  d->untold.n = 0;
}

static void mark(ag_async_run *d, ag_record *record) {
  bool marked = write_mark(d, record);
  if (record->slot == d->place.slot) end_untold(d, NULL, marked);
}

void ag_marks_tell(ag_async_run *d) {
  if (!d->untold.n) return;
  ag_record *last = d->untold.list[--d->untold.n];
  mark(d, last);
  atomic_store_explicit(&last->end, AG_END_OWN, memory_order_release);
}

void ag_marks_scanned(ag_async_run *d, const ag_record *record, const ag_scan_batch *batch) {
  if (batch->done && record->slot == d->place.slot) end_untold(d, batch, true);
}

/* The number of launches in a row of which one is marked. The watchdog says of a single launch that
 * the device has not ended it; and of several streams the order of their ends is to be known. */
static unsigned marked_of(const ag_async_run *d) {
  const uint64_t n = ag_settings_get()->marks;
  if (ag_settings_get()->watchdog_us || d->is_captured || d->place.nsides) return 1;
  return n == UINT64_MAX || !n ? 1 : n > AG_UNTOLD ? AG_UNTOLD : (unsigned)n;
}

/* False if its evaluation has more to do than to learn of its end. */
static bool may_be_untold(const aotigen_run *run, const ag_record *r) {
  return !r->batch[AG_BEFORE].count && !r->batch[AG_AFTER].count && !r->nkept && !r->ncontents &&
         !r->nzones[AG_BEFORE] && !r->nzones[AG_AFTER] && !run->state->model->explain.list.n &&
         run->state->async_run->untold.n + 1 < marked_of(run->state->async_run);
}

const char *ag_marks_launched(aotigen_run *run) {
  ag_async_run *d = run->state->async_run;
  ag_record *r = run->state->record;
  bool told = r->batch[AG_AFTER].done != NULL || r->launch.site == AG_NO_SITE || !r->slot;
  if (!told) atomic_store(&r->mark, (uint32_t)r->launch.number ? (uint32_t)r->launch.number : 1);
  if (!told && may_be_untold(run, r)) {
    atomic_store(&r->end, AG_END_UNTOLD);
    d->untold.list[d->untold.n++] = r;
  } else if (!told) {
    mark(d, r);
  }
  atomic_store_explicit(&r->stage, AG_LAUNCHED, memory_order_release);
  return find_sticky_error(d);
}

bool ag_record_is_over(const ag_async_run *d, const ag_record *record) {
  const ag_batch_ops *batch = d->async->batch;
  int stage = atomic_load_explicit(&record->stage, memory_order_acquire);
  if (stage == AG_LAUNCHING) return false;
  if (stage == AG_THROWN) return batch->is_done(&record->batch[AG_BEFORE]);
  if (record->batch[AG_AFTER].done) return batch->is_done(&record->batch[AG_AFTER]);
  const ag_scan_batch *later = atomic_load_explicit(&record->told_by, memory_order_acquire);
  if (later && batch->is_done(later)) return true;
  uint32_t number = atomic_load(&record->mark);
  if (number) return (int32_t)(d->async->slot->marked(record->slot) - number) >= 0;
  return batch->is_done(&record->batch[AG_BEFORE]);
}

bool ag_record_is_told(const ag_record *record) {
  return atomic_load_explicit(&record->end, memory_order_acquire) != AG_END_UNTOLD;
}

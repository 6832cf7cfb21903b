/* ranges.c - a sorted list of disjoint byte ranges. */
#define _GNU_SOURCE
#include "state/ranges.h"

#include <stdlib.h>
#include <string.h>

void ag_ranges_copy(ag_ranges *to, const ag_ranges *from) {
  to->count = 0;
  if (to->capacity < from->count) {
    ag_range *list = realloc(to->list, from->count * sizeof *list);
    if (!list) return;
    to->list = list;
    to->capacity = from->count;
  }
  if (from->count) memcpy(to->list, from->list, from->count * sizeof *to->list);
  to->count = from->count;
}

/* True if the range ends before the device's bytes from `at` on. */
static bool stands_before(const ag_range *range, const ag_tensor *t, uintptr_t at) {
  if (range->device_type != t->device_type) return range->device_type < t->device_type;
  if (range->device_index != t->device_index) return range->device_index < t->device_index;
  return range->end <= at;
}

static bool range_overlaps(const ag_range *range, const ag_tensor *t, uintptr_t begin,
                           uintptr_t end) {
  return range->device_type == t->device_type && range->device_index == t->device_index &&
         range->begin < end && range->end > begin;
}

/* The first range that ends after `at`. */
static size_t find_range(const ag_ranges *ranges, const ag_tensor *t, uintptr_t at) {
  size_t low = 0, high = ranges->count;
  if (high && stands_before(&ranges->list[high - 1], t, at)) return high;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (stands_before(&ranges->list[middle], t, at))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool insert_range(ag_ranges *ranges, size_t at, const ag_range *range) {
  if (ranges->count == ranges->capacity) {
    size_t capacity = ranges->capacity ? ranges->capacity * 2 : 64;
    ag_range *list = realloc(ranges->list, capacity * sizeof *list);
    if (!list) return false;
    ranges->list = list;
    ranges->capacity = capacity;
  }
  memmove(ranges->list + at + 1, ranges->list + at, (ranges->count - at) * sizeof *ranges->list);
  ranges->list[at] = *range;
  ranges->count++;
  return true;
}

/* A part of something bad need not be bad. */
static void shrink_range(ag_range *range) {
  range->patched = true;
  if (range->found.bad || range->found.intended) range->found.scanned = 0;
}

/* Removes the bytes from the list; returns the index where they would be inserted. */
static size_t cut_bytes(ag_ranges *ranges, const ag_tensor *t, uintptr_t begin, uintptr_t end) {
  size_t at = find_range(ranges, t, begin), last;
  if (at < ranges->count && range_overlaps(&ranges->list[at], t, begin, end) &&
      ranges->list[at].begin < begin) {
    ag_range tail = ranges->list[at];
    ranges->list[at].end = begin;
    shrink_range(&ranges->list[at]);
    if (tail.end > end) {
      tail.begin = end;
      shrink_range(&tail);
      insert_range(ranges, at + 1, &tail);
      return at + 1;
    }
    at++;
  }
  for (last = at; last < ranges->count && range_overlaps(&ranges->list[last], t, begin, end) &&
                  ranges->list[last].end <= end;
       last++)
    continue;
  if (last < ranges->count && range_overlaps(&ranges->list[last], t, begin, end)) {
    ranges->list[last].begin = end;
    shrink_range(&ranges->list[last]);
  }
  if (last > at)
    memmove(ranges->list + at, ranges->list + last, (ranges->count - last) * sizeof *ranges->list);
  ranges->count -= last - at;
  return at;
}

static void join_findings(ag_findings *all, const ag_findings *more) {
  static const unsigned slots[] = {[AG_NAN_ORIGIN] = AG_NAN, [AG_INF_ORIGIN] = AG_INF};
  for (int i = 0; i < AG_ORIGINS; i++) {
    if (more->bad & slots[i]) /* it is not known which of two bad parts has the first */
      all->first_address[i] = all->bad & slots[i] ? 0 : more->first_address[i];
    if (all->origin[i] == AG_NO_ORIGIN)
      all->origin[i] = more->origin[i];
    else if (more->origin[i] != AG_NO_ORIGIN && more->origin[i] != all->origin[i])
      all->uncertain |= (uint8_t)slots[i];
  }
  all->scanned = all->scanned && more->scanned;
  all->bad |= more->bad;
  all->intended |= more->intended;
  all->uncertain |= more->uncertain;
  all->mixed |= more->mixed;
  all->unchecked |= more->unchecked;
}

void ag_ranges_assume(ag_ranges *ranges, const ag_view *view) {
  uintptr_t begin = view->begin, end = view->end;
  for (size_t i = find_range(ranges, &view->t, begin);
       i < ranges->count && range_overlaps(&ranges->list[i], &view->t, begin, end); i++)
    ranges->list[i].assumed = true;
}

void ag_ranges_query(ag_ranges *ranges, const ag_view *view, ag_known *known) {
  memset(known, 0, sizeof *known);
  known->found = ag_unscanned;
  if (!view->t.numel) return;
  uintptr_t begin = view->begin, end = view->end, reached = begin;
  known->found.scanned = 1;
  known->seen = UINT64_MAX;
  for (size_t i = find_range(ranges, &view->t, begin);
       i < ranges->count && range_overlaps(&ranges->list[i], &view->t, begin, end); i++) {
    ag_range *x = &ranges->list[i];
    known->any = true;
    if (x->begin <= reached) reached = x->end;
    if (x->begin == begin && x->end == end && x->dtype == view->t.dtype && view->dense)
      known->exact = x;
    if (!known->last || x->launch > known->last->launch) known->last = x;
    if (x->seen < known->seen) known->seen = x->seen;
    known->assumed = known->assumed || x->assumed;
    join_findings(&known->found, &x->found);
    if (x->dtype != view->t.dtype) known->found.scanned = 0;
  }
  known->covered = known->any && reached >= end;
  if (!known->covered || (!known->exact && (known->found.bad || known->found.intended)))
    known->found.scanned = 0;
}

void ag_ranges_forget(ag_ranges *ranges, const ag_view *view) {
  if (view->t.numel) cut_bytes(ranges, &view->t, view->begin, view->end);
}

void ag_ranges_write(ag_ranges *ranges, const ag_view *view, uint64_t launch, uint32_t site,
                     uint16_t param, const ag_findings *found) {
  if (!view->t.numel) return;
  ag_range x = {view->begin,
                view->end,
                view->t.device_type,
                view->t.device_index,
                view->t.dtype,
                launch,
                launch,
                site,
                param,
                *found,
                false,
                !view->dense};
  if (!view->dense) {
    ag_known known;
    ag_ranges_query(ranges, view, &known);
    if (known.any) join_findings(&x.found, &known.found);
  }
  insert_range(ranges, cut_bytes(ranges, &view->t, x.begin, x.end), &x);
}

bool ag_ranges_mark_uncertain(ag_ranges *ranges, const ag_view *view, uint64_t launch,
                              uint32_t site, uint16_t param) {
  bool any = false;
  if (!view->t.numel) return false;
  uintptr_t begin = view->begin, end = view->end;
  for (size_t i = find_range(ranges, &view->t, begin);
       i < ranges->count && range_overlaps(&ranges->list[i], &view->t, begin, end); i++) {
    ranges->list[i].found.scanned = 0;
    any = true;
    if (launch <= ranges->list[i].launch) continue;
    ranges->list[i].launch = launch;
    ranges->list[i].site = site;
    ranges->list[i].param = param;
  }
  return any;
}

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

/* Where does a range stand against the bytes from `at` on of a device: before, or not. */
static bool stands_before(const ag_range *x, const ag_tensor *t, uintptr_t at) {
  if (x->device_type != t->device_type) return x->device_type < t->device_type;
  if (x->device_index != t->device_index) return x->device_index < t->device_index;
  return x->end <= at;
}

static bool range_overlaps(const ag_range *x, const ag_tensor *t, uintptr_t begin, uintptr_t end) {
  return x->device_type == t->device_type && x->device_index == t->device_index && x->begin < end &&
         x->end > begin;
}

/* The first range that ends after `at`. */
static size_t find_range(const ag_ranges *r, const ag_tensor *t, uintptr_t at) {
  size_t low = 0, high = r->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (stands_before(&r->list[middle], t, at))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool insert_range(ag_ranges *r, size_t at, const ag_range *x) {
  if (r->count == r->capacity) {
    size_t capacity = r->capacity ? r->capacity * 2 : 64;
    ag_range *list = realloc(r->list, capacity * sizeof *list);
    if (!list) return false;
    r->list = list;
    r->capacity = capacity;
  }
  memmove(r->list + at + 1, r->list + at, (r->count - at) * sizeof *r->list);
  r->list[at] = *x;
  r->count++;
  return true;
}

/* A part of something bad need not be bad. */
static void shrink_range(ag_range *x) {
  x->patched = true;
  if (x->found.bad || x->found.intended) x->found.scanned = 0;
}

/* Takes the bytes out of the list; returns where they would stand. */
static size_t cut_bytes(ag_ranges *r, const ag_tensor *t, uintptr_t begin, uintptr_t end) {
  size_t at = find_range(r, t, begin), last;
  if (at < r->count && range_overlaps(&r->list[at], t, begin, end) && r->list[at].begin < begin) {
    ag_range tail = r->list[at];
    r->list[at].end = begin;
    shrink_range(&r->list[at]);
    if (tail.end > end) {
      tail.begin = end;
      shrink_range(&tail);
      insert_range(r, at + 1, &tail);
      return at + 1;
    }
    at++;
  }
  for (last = at;
       last < r->count && range_overlaps(&r->list[last], t, begin, end) && r->list[last].end <= end;
       last++)
    continue;
  if (last < r->count && range_overlaps(&r->list[last], t, begin, end)) {
    r->list[last].begin = end;
    shrink_range(&r->list[last]);
  }
  if (last > at) memmove(r->list + at, r->list + last, (r->count - last) * sizeof *r->list);
  r->count -= last - at;
  return at;
}

static void join_findings(ag_findings *all, const ag_findings *more) {
  static const unsigned slots[] = {[AG_NAN_ORIGIN] = AG_NAN, [AG_INF_ORIGIN] = AG_INF};
  for (int i = 0; i < AG_ORIGINS; i++) {
    if (more->bad & slots[i]) /* of two bad parts it is not known which has the first */
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
  all->unchecked |= more->unchecked;
}

void ag_ranges_assume(ag_ranges *r, const ag_view *v) {
  uintptr_t begin = v->begin, end = v->end;
  for (size_t i = find_range(r, &v->t, begin);
       i < r->count && range_overlaps(&r->list[i], &v->t, begin, end); i++)
    r->list[i].assumed = true;
}

void ag_ranges_query(ag_ranges *r, const ag_view *v, ag_known *known) {
  memset(known, 0, sizeof *known);
  known->found = ag_unscanned;
  if (!v->t.numel) return;
  uintptr_t begin = v->begin, end = v->end, reached = begin;
  known->found.scanned = 1;
  known->seen = UINT64_MAX;
  for (size_t i = find_range(r, &v->t, begin);
       i < r->count && range_overlaps(&r->list[i], &v->t, begin, end); i++) {
    ag_range *x = &r->list[i];
    known->any = true;
    if (x->begin <= reached) reached = x->end;
    if (x->begin == begin && x->end == end && x->dtype == v->t.dtype && v->dense) known->exact = x;
    if (!known->last || x->launch > known->last->launch) known->last = x;
    if (x->seen < known->seen) known->seen = x->seen;
    known->assumed = known->assumed || x->assumed;
    join_findings(&known->found, &x->found);
    if (x->dtype != v->t.dtype) known->found.scanned = 0;
  }
  known->covered = known->any && reached >= end;
  if (!known->covered || (!known->exact && (known->found.bad || known->found.intended)))
    known->found.scanned = 0;
}

void ag_ranges_forget(ag_ranges *r, const ag_view *v) {
  if (v->t.numel) cut_bytes(r, &v->t, v->begin, v->end);
}

void ag_ranges_write(ag_ranges *r, const ag_view *v, uint64_t launch, uint32_t site, uint16_t param,
                     const ag_findings *found) {
  if (!v->t.numel) return;
  ag_range x = {v->begin,
                v->end,
                v->t.device_type,
                v->t.device_index,
                v->t.dtype,
                launch,
                launch,
                site,
                param,
                *found,
                false,
                !v->dense};
  if (!v->dense) {
    ag_known known;
    ag_ranges_query(r, v, &known);
    if (known.any) join_findings(&x.found, &known.found);
  }
  insert_range(r, cut_bytes(r, &v->t, x.begin, x.end), &x);
}

bool ag_ranges_doubt(ag_ranges *r, const ag_view *v, uint64_t launch, uint32_t site,
                     uint16_t param) {
  bool any = false;
  if (!v->t.numel) return false;
  uintptr_t begin = v->begin, end = v->end;
  for (size_t i = find_range(r, &v->t, begin);
       i < r->count && range_overlaps(&r->list[i], &v->t, begin, end); i++) {
    r->list[i].found.scanned = 0;
    any = true;
    if (launch <= r->list[i].launch) continue;
    r->list[i].launch = launch;
    r->list[i].site = site;
    r->list[i].param = param;
  }
  return any;
}

/* red_zones.c - see red_zones.h. */
#define _GNU_SOURCE
#include "launch/red_zones.h"

#include <string.h>

#include "launch/async_start.h"
#include "launch/evaluate.h"
#include "launch/scan_plan.h"
#include "launch/scan_results.h"
#include "memory/allocate.h"
#include "memory/overwritten.h"
#include "tensor/pattern.h"

/* ---- zones ---------------------------------------------------------------------------------- */

/* Its elements are as wide as those of the buffer, and are counted from the buffer's end, or from
 * the zone's own begin. */
static void describe_zone(ag_zone *z, const ag_buffer *b, bool behind) {
  const ag_dtype *pattern = ag_pattern_dtype(b->t.dtype);
  size_t bytes = behind ? b->back : b->front;
  const char *data = behind ? (const char *)b->t.data + b->bytes : b->memory;
  *z = (ag_zone){.row = b->row,
                 .allocated = b->launch,
                 .since = b->checked,
                 .since_site = b->last_site,
                 .behind = behind,
                 .dtype = b->t.dtype,
                 .extent = (int64_t)(b->bytes / b->t.dtype->item_size),
                 .device_type = b->t.device_type,
                 .device_index = b->t.device_index,
                 .ndim = b->t.ndim};
  memcpy(z->sizes, b->t.sizes, (size_t)b->t.ndim * sizeof *z->sizes);
  z->t.data = data;
  z->t.dtype = pattern;
  z->t.numel = z->t.sizes[0] = (int64_t)(bytes / pattern->item_size);
  z->t.strides[0] = 1;
  z->t.ndim = 1;
  z->t.device_type = b->t.device_type;
  z->t.device_index = b->t.device_index;
}

static bool has_zones(const ag_buffer *b) { return b->front || b->back; }

/* Both zones of the buffer, as the launch `l` leaves them. */
static void add_zones(ag_record *r, ag_buffer *b, bool released) {
  for (int behind = 0; behind < 2; behind++)
    if (behind ? b->back : b->front) {
      describe_zone(&r->zones[r->nzones], b, behind);
      r->zones[r->nzones++].released = released;
    }
  b->checked = r->launch.number;
  b->last_site = r->launch.site;
}

static bool make_room(aotigen_run_state *s, size_t zones) {
  ag_record *r = s->record;
  r->nzones = 0;
  if (r->page) return (r->zones = ag_record_alloc(r, zones * sizeof *r->zones)) != NULL;
  while (s->own_zones < zones)
    if (!ag_list_grow((void **)&r->zones, &s->own_zones, s->own_zones, sizeof *r->zones))
      return false;
  return true;
}

/* The buffer of an argument of the launch, where it is not planned yet. */
static ag_buffer *find_buffer(const aotigen_run *run, const ag_arg *a) {
  if (a->view.state != AG_VIEW_OK && a->view.state != AG_VIEW_REFUSED) return NULL;
  ag_buffer *b = ag_buffers_find(run->model, run->number, a->view.t.data);
  return b && has_zones(b) && b->checked != run->launch ? b : NULL;
}

/* ---- a launch ------------------------------------------------------------------------------- */

void ag_red_zones_plan(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  ag_record *r = s->record;
  size_t most = 0;
  r->nzones = 0;
  if (!run->model->guard) return;
  for (size_t i = 0; i < r->nargs; i++) most += find_buffer(run, &r->args[i]) ? 2 : 0;
  for (ag_buffer *b = s->released; b; b = b->next) most += 2;
  if (!most || !make_room(s, most)) return;
  for (ag_buffer *b = s->released; b; b = b->next) add_zones(r, b, true);
  for (size_t i = 0; i < r->nargs; i++) {
    ag_buffer *b = find_buffer(run, &r->args[i]);
    if (b) add_zones(r, b, false);
  }
  if (r->page && !ag_scan_plan_zones(run)) r->nzones = 0;
}

void ag_red_zones_free_released(aotigen_run_state *s) {
  while (s->released) {
    ag_buffer *b = s->released;
    s->released = b->next;
    ag_buffer_free(b);
  }
}

/* ---- a buffer that is released, and the run's end ------------------------------------------- */

/* A record of no arguments, for zones that no later launch is there for. */
static bool begin_last_record(aotigen_run *run) {
  ag_launch l = ag_run_launch(run);
  if (!run->launch || l.site >= run->model->nsites) return false;
  return ag_run_begin_record(run, &l, 0) && run->state->record->scanned;
}

static void scan_released_now(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (begin_last_record(run)) {
    ag_red_zones_plan(run);
    ag_evaluate_begin(&s->evaluation, s->record);
    if (s->record->nzones) ag_overwritten_check(&s->evaluation);
    s->record->nzones = 0;
  }
  ag_red_zones_free_released(s);
}

static void take_released(aotigen_run *run, ag_buffer *b) {
  aotigen_run_state *s = run->state;
  if (!has_zones(b)) {
    ag_buffer_free(b);
    return;
  }
  b->next = s->released;
  s->released = b;
  if (s->way == AG_WAY_AT_ONCE && !s->progress.active) scan_released_now(run);
}

void ag_red_zones_end(aotigen_run *run, int unwinding) {
  aotigen_run_state *s = run->state;
  if (s->released && !unwinding && s->way == AG_WAY_ASYNC && begin_last_record(run)) {
    ag_async_run_publish(run);
    ag_red_zones_plan(run);
    ag_async_run_ask(run, AG_AFTER);
    ag_async_run_launched(run);
  }
  ag_red_zones_free_released(s);
}

__attribute__((constructor)) static void take_buffers(void) { ag_buffer_released = take_released; }

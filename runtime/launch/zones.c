/* zones.c - chooses which memory of guarded buffers is compared with the pattern, and when.
 *
 * Before a launch: what it reads of poisoned buffers. If the host scans, also the red zones of its
 * buffers that were not compared after the previous launch. After a launch: the red zones of its
 * buffers, which it may have written past, and of buffers that were released since the previous
 * launch. At the run's end: the remaining red zones, and poisoned outputs. */
#define _GNU_SOURCE
#include "launch/zones.h"

#include <string.h>

#include "checks/op_registered.h"
#include "launch/async_start.h"
#include "launch/evaluate.h"
#include "launch/marks.h"
#include "launch/scan_plan.h"
#include "launch/scan_results.h"
#include "memory/allocate.h"
#include "memory/overwritten.h"
#include "memory/poison_block.h"
#include "memory/retired.h"
#include "memory/unwritten.h"
#include "state/launch_hooks.h"
#include "tensor/dtype.h"
#include "tensor/pattern.h"

/* ---- zones ---------------------------------------------------------------------------------- */

static ag_zone describe_buffer(const ag_buffer *b, bool red) {
  ag_zone z = {.buffer = {.row = b->row,
                          .allocated = b->launch,
                          .dtype = b->t.dtype,
                          .extent = (int64_t)(b->memory.bytes / b->t.dtype->item_size),
                          .device_type = b->t.device_type,
                          .device_index = b->t.device_index,
                          .ndim = b->t.ndim},
               .span = {.since = b->scans.red_zones},
               .writers = b->writers,
               .arg = -1,
               .red = red};
  memcpy(z.buffer.sizes, b->t.sizes, (size_t)b->t.ndim * sizeof *z.buffer.sizes);
  z.t.dtype = ag_pattern_dtype(b->t.dtype, red ? AG_PATTERN_ZONE : AG_PATTERN_UNWRITTEN);
  z.t.device_type = b->t.device_type;
  z.t.device_index = b->t.device_index;
  return z;
}

/* Sets the zone's memory. Its elements are as wide as the buffer's, or parts of them. */
static void set_memory(ag_zone *z, const char *data, size_t bytes) {
  z->t.data = data;
  z->t.numel = z->t.sizes[0] = (int64_t)(bytes / z->t.dtype->item_size);
  z->t.strides[0] = 1;
  z->t.ndim = 1;
}

static void describe_red_zone(ag_zone *z, const ag_buffer *b, bool behind) {
  *z = describe_buffer(b, true);
  z->behind = behind;
  if (behind)
    set_memory(z, (const char *)b->t.data + b->memory.bytes, b->memory.back);
  else
    set_memory(z, b->memory.begin, b->memory.front);
}

/* Adds the launches since the zone was last compared. */
static void add_launches(const aotigen_run_state *s, ag_zone *z) {
  size_t n = s->memory.launched.count, first = n;
  while (first && n - first < AG_ZONE_LAUNCHES &&
         s->memory.launched.list[first - 1].number > z->span.since)
    first--;
  for (size_t i = first; i < n; i++, z->span.n++) {
    z->span.launches[z->span.n].number = s->memory.launched.list[i].number;
    z->span.launches[z->span.n].site = s->memory.launched.list[i].site;
  }
}

static void note_launch(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (!ag_list_grow((void **)&s->memory.launched.list, &s->memory.launched.room,
                    s->memory.launched.count, sizeof *s->memory.launched.list))
    return;
  s->memory.launched.list[s->memory.launched.count].number = run->launch;
  s->memory.launched.list[s->memory.launched.count++].site = run->site;
}

static bool has_red_zones(const ag_buffer *b) { return b->memory.front || b->memory.back; }

/* Adds both red zones of the buffer, as launch `until`, of that site, left them. */
static void add_red_zones(const aotigen_run_state *s, enum ag_when when, ag_buffer *b,
                          uint64_t until, uint32_t site) {
  ag_record *r = s->record;
  for (int behind = 0; behind < 2; behind++)
    if (behind ? b->memory.back : b->memory.front) {
      ag_zone *z = &r->zones[when][r->nzones[when]++];
      describe_red_zone(z, b, behind);
      z->span.until = until;
      z->span.site = site;
      z->released = b->release.done;
      add_launches(s, z);
    }
  b->scans.red_zones = until;
}

static void add_red_zones_after(const aotigen_run_state *s, ag_buffer *b) {
  add_red_zones(s, AG_AFTER, b, s->record->launch.number, s->record->launch.site);
}

static bool make_room(aotigen_run_state *s, enum ag_when when, size_t zones) {
  ag_record *r = s->record;
  if (r->page) {
    r->zones[when] = ag_record_alloc(r, zones * sizeof *r->zones[when]);
    return r->zones[when] != NULL;
  }
  while (s->own.zones_room[when] < zones)
    if (!ag_list_grow((void **)&r->zones[when], &s->own.zones_room[when], s->own.zones_room[when],
                      sizeof *r->zones[when]))
      return false;
  return true;
}

/* The buffer of an argument of the launch, if it is not planned yet. */
static ag_buffer *find_buffer(const aotigen_run *run, const ag_arg *a) {
  ag_buffer *b = ag_buffers_find(run, &a->view);
  return b && has_red_zones(b) && b->scans.red_zones != run->launch ? b : NULL;
}

/* ---- a launch ------------------------------------------------------------------------------- */

/* False for a padded buffer: nothing writes the gaps between its elements. */
static bool is_compared(const ag_buffer *b) {
  const size_t item = b->t.dtype->item_size;
  return b->memory.poisoned && item > 1 && (size_t)b->t.numel * item == b->memory.bytes;
}

/* Adds the model's poisoned outputs, which no launch need read. They are compared in the batch
 * whose end marks the record as ended. */
static void add_outputs(aotigen_run *run, size_t room) {
  ag_record *r = run->state->record;
  ag_buffer *b;
  while ((b = ag_buffers_take_own(run->model, run->number))) {
    if (r->nzones[AG_AFTER] < room && is_compared(b)) {
      ag_zone *z = &r->zones[AG_AFTER][r->nzones[AG_AFTER]++];
      *z = describe_buffer(b, false);
      set_memory(z, b->t.data, b->memory.bytes);
    }
    ag_buffer_free(b);
  }
}

/* The buffer that the launch wrote, or may have written, as a whole in argument i; or NULL. The
 * device compares it with the outputs of this launch, so that a later launch that reads it needs no
 * scan of its own. Not in a graph: a replay waits wherever a scan finds something. */
static ag_buffer *find_left(const aotigen_run *run, size_t i) {
  const ag_record *r = run->state->record;
  const ag_arg *a = &r->args[i];
  if (!r->page || run->state->async_run->is_captured ||
      !(run->model->guard & AOTIGEN_GUARD_POISON) || a->view.state != AG_VIEW_OK ||
      ag_arg_is_late(a) || !ag_op_may_write(a))
    return NULL;
  ag_buffer *b = ag_buffers_find(run, &a->view);
  return b && is_compared(b) && !b->scans.before_read && b->scans.elements != run->launch &&
                 ag_buffer_is_whole(b, &a->view)
             ? b
             : NULL;
}

static void add_left(const aotigen_run *run, ag_buffer *b) {
  ag_record *r = run->state->record;
  ag_zone *z = &r->zones[AG_AFTER][r->nzones[AG_AFTER]++];
  *z = describe_buffer(b, false);
  z->residue = true;
  z->span.until = b->scans.elements = run->launch;
  set_memory(z, b->t.data, b->memory.bytes);
}

static size_t count_outputs(const aotigen_model *m) {
  size_t n = 0;
  for (uint32_t i = 0; i < m->nbuffers; i++) n += m->buffers[i].handed_over != AOTIGEN_HANDED_NEVER;
  return n;
}

/* Plans the red zones of released buffers and of the launch's arguments. In the last record of a
 * run, the outputs too. */
static void plan_after(aotigen_run *run, bool last) {
  aotigen_run_state *s = run->state;
  ag_record *r = s->record;
  size_t most = last ? count_outputs(run->model) : 0;
  for (size_t i = 0; i < r->nargs; i++)
    most += (find_buffer(run, &r->args[i]) ? 2 : 0) + (find_left(run, i) != NULL);
  for (ag_buffer *b = s->memory.released; b; b = b->next) most += 2;
  if (!most || !make_room(s, AG_AFTER, most)) return;
  for (ag_buffer *b = s->memory.released; b; b = b->next) add_red_zones_after(s, b);
  for (size_t i = 0; i < r->nargs; i++) {
    ag_buffer *b = find_buffer(run, &r->args[i]);
    if (b) add_red_zones_after(s, b);
    b = find_left(run, i);
    if (b) add_left(run, b);
  }
  if (last) add_outputs(run, most);
  if (r->page && !ag_scan_plan_zones(run, AG_AFTER)) r->nzones[AG_AFTER] = 0;
}

static const char *check_after(aotigen_run *run) {
  const ag_record *r = run->state->record;
  if (!r || !r->scanned) return NULL;
  note_launch(run);
  plan_after(run, false);
  return NULL;
}

/* ---- what a launch reads -------------------------------------------------------------------- */

/* True if the launch writes a part of that memory through another argument, such as a view of it.
 * It may read what it has written. */
static bool is_filled_meanwhile(const ag_record *record, const ag_arg *a) {
  for (size_t i = 0; i < record->nargs; i++) {
    const ag_arg *o = &record->args[i];
    if (o != a && o->view.state == AG_VIEW_OK && ag_arg_may_be_written(o) &&
        ag_view_overlaps(&a->view, &o->view))
      return true;
  }
  return false;
}

/* The poisoned buffer that the launch reads in the argument. One that nothing wrote, and that the
 * call may write, is an output. One-byte types are excluded, since every pattern is a value. */
static ag_buffer *find_read(const aotigen_run *run, const ag_arg *a) {
  const aotigen_param *p = a->param;
  bool fresh = p->flags & AOTIGEN_FRESH && !(p->flags & AOTIGEN_UNWRITTEN);
  if (a->view.state != AG_VIEW_OK || !a->view.t.numel || ag_arg_is_late(a) || fresh ||
      p->role == AOTIGEN_OUT || !a->view.dense || a->view.t.dtype->item_size < 2)
    return NULL;
  ag_buffer *b = ag_buffers_find(run, &a->view);
  if (!b || !b->memory.poisoned || b->scans.before_read ||
      (p->role == AOTIGEN_UNKNOWN && !ag_buffer_is_written(b, &a->view)) ||
      is_filled_meanwhile(run->state->record, a))
    return NULL;
  return ag_dtype_is_floating(a->view.t.dtype) == ag_dtype_is_floating(b->t.dtype) ? b : NULL;
}

/* True if all of the buffer was compared after a launch, and no launch can have written to it
 * since. */
static bool is_compared_since(const aotigen_run *run, const ag_buffer *b) {
  return b->scans.elements && b->scans.elements == b->writers.written &&
         run->state->record->launch.unscanned < b->scans.elements && !run->model->nleft_alone &&
         run->state->memory.unseen_write <= b->scans.elements;
}

static void add_read(const aotigen_run *run, ag_buffer *b, size_t arg) {
  ag_record *r = run->state->record;
  const ag_view *v = &r->args[arg].view;
  ag_zone *z = &r->zones[AG_BEFORE][r->nzones[AG_BEFORE]++];
  size_t bytes = v->end - v->begin;
  *z = describe_buffer(b, false);
  z->arg = (int32_t)arg;
  set_memory(z, (const char *)v->begin, bytes);
  z->known = bytes == b->memory.bytes && is_compared_since(run, b);
  z->span.until = b->scans.elements;
  if (bytes == b->memory.bytes && !ag_unwritten_must_show(r, arg)) b->scans.before_read = true;
}

/* True if the launch may write memory that is not known: a library's operator may write to tensors
 * that it stored, and the memory of a tensor that cannot be described is not known. */
static bool may_write_unseen(const aotigen_run *run) {
  const ag_record *r = run->state->record;
  bool any = ag_site_is_dispatched(&run->model->sites[run->site]);
  for (size_t i = 0; i < r->nargs && !any; i++) {
    const ag_arg *a = &r->args[i];
    bool described = a->view.state == AG_VIEW_OK || a->view.state == AG_VIEW_UNDEFINED;
    any = !described && !ag_arg_is_late(a) && a->param->kind != AOTIGEN_SCALAR &&
          ag_arg_may_be_written(a);
  }
  return any;
}

static void note_writes(const aotigen_run *run) {
  const ag_record *r = run->state->record;
  if (may_write_unseen(run)) run->state->memory.unseen_write = run->launch;
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *a = &r->args[i];
    if (a->view.state != AG_VIEW_OK || !ag_op_may_write(a)) continue;
    ag_buffer *b = ag_buffers_find(run, &a->view);
    if (!b) continue;
    ag_buffer_note_write(b, &a->view);
    b->writers.written = run->launch;
    b->writers.writer = run->site;
    if (a->param->role != AOTIGEN_OUT) continue;
    b->writers.filled = run->launch;
    b->writers.filler = run->site;
  }
}

static void plan_reads(const aotigen_run *run) {
  const ag_record *r = run->state->record;
  for (size_t i = 0; i < r->nargs; i++) {
    ag_buffer *b = find_read(run, &r->args[i]);
    if (b) add_read(run, b, i);
  }
}

/* The buffer of an argument if it was not compared after the previous launch, which is known. A
 * finding after this launch could otherwise be of any launch since. Not if a device scans: each
 * scan costs time. */
static ag_buffer *find_not_compared(const aotigen_run *run, const ag_arg *a) {
  const aotigen_run_state *s = run->state;
  size_t n = s->memory.launched.count;
  if (s->record->page || !n || s->memory.launched.list[n - 1].number + 1 != run->launch)
    return NULL;
  ag_buffer *b = find_buffer(run, a);
  return b && b->scans.red_zones + 1 < run->launch ? b : NULL;
}

static void plan_not_compared(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  for (size_t i = 0; i < s->record->nargs; i++) {
    ag_buffer *b = find_not_compared(run, &s->record->args[i]);
    if (b)
      add_red_zones(s, AG_BEFORE, b, run->launch - 1,
                    s->memory.launched.list[s->memory.launched.count - 1].site);
  }
}

static const char *check_before(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  ag_record *r = s->record;
  size_t most = 0;
  if (!r || !r->scanned) return NULL;
  const bool poison = run->model->guard & AOTIGEN_GUARD_POISON;
  for (size_t i = 0; i < r->nargs; i++) {
    if (poison) ag_retired_fill_before(run, &r->args[i].view);
    most += poison && find_read(run, &r->args[i]);
    most += find_not_compared(run, &r->args[i]) ? 2 : 0;
  }
  if (most && make_room(s, AG_BEFORE, most)) {
    plan_not_compared(run);
    plan_reads(run);
    if (r->page && !ag_scan_plan_zones(run, AG_BEFORE)) r->nzones[AG_BEFORE] = 0;
  }
  if (poison) note_writes(run);
  return NULL;
}

static void free_released(aotigen_run_state *s) {
  while (s->memory.released) {
    ag_buffer *b = s->memory.released;
    s->memory.released = b->next;
    ag_retired_take(s, b);
  }
}

/* ---- a buffer that is released, and the run's end ------------------------------------------- */

/* Makes a record without arguments, for red zones that no later launch compares. */
static bool begin_last_record(aotigen_run *run) {
  ag_launch l = ag_run_launch(run);
  if (!run->launch || l.site >= run->model->nsites) return false;
  return ag_run_begin_record(run, &l, 0) && run->state->record->scanned;
}

/* Compares at once what the record in progress must compare. */
static void scan_now(aotigen_run *run, bool last) {
  ag_evaluation *e = &run->state->evaluation;
  plan_after(run, last);
  ag_evaluate_begin(e, run->state->record);
  ag_overwritten_check(e, AG_AFTER);
  ag_unwritten_check_outputs(e);
}

static void scan_released_now(aotigen_run *run) {
  if (begin_last_record(run)) scan_now(run, false);
  free_released(run->state);
}

void ag_zones_take_released(aotigen_run *run, ag_buffer *b) {
  aotigen_run_state *s = run->state;
  ag_retired_poison(run, b);
  if (!has_red_zones(b)) {
    ag_retired_take(s, b);
    return;
  }
  b->next = s->memory.released;
  s->memory.released = b;
  if (s->mode == AG_MODE_AT_ONCE && !s->progress.active) scan_released_now(run);
}

static void drop_outputs(const aotigen_run *run) {
  ag_buffer *b;
  while ((b = ag_buffers_take_own(run->model, run->number))) ag_buffer_free(b);
}

static void scan_rest(aotigen_run *run) {
  if (!run->state->record->page) {
    scan_now(run, true);
    return;
  }
  ag_async_run_publish(run);
  plan_after(run, true);
  ag_async_run_ask(run, AG_AFTER);
  ag_marks_launched(run);
}

static void end_run(aotigen_run *run, bool unwinding) {
  aotigen_run_state *s = run->state;
  ag_retired_fill(run);
  bool any = s->memory.released || run->model->guard & AOTIGEN_GUARD_POISON;
  if (any && !unwinding && begin_last_record(run)) scan_rest(run);
  drop_outputs(run);
  free_released(s);
  ag_retired_end(s);
  ag_poison_block_end(s);
}

AG_LAUNCH_HOOKS(zones) = {
    .wanted = ag_wants_memory, .before = check_before, .after = check_after, .end_run = end_run};

/* ---- behind the scans ----------------------------------------------------------------------- */

static const char *fill_retired(aotigen_run *run) {
  ag_retired_fill(run);
  return NULL;
}

/* Frees the released buffers, after the scans of the record were started. */
static const char *give_released(aotigen_run *run) {
  free_released(run->state);
  return NULL;
}

AG_LAUNCH_HOOKS(released) = {.wanted = ag_wants_memory,
                             .before = fill_retired,
                             .after = give_released,
                             .left_out = ag_retired_fill};

/* kept_memory.c - see kept_memory.h. */
#define _GNU_SOURCE
#include "launch/kept_memory.h"

#include <stdlib.h>
#include <string.h>

#include "launch/arg_copies.h"
#include "launch/requested.h"
#include "state/launch_hooks.h"

/* ---- which arguments ------------------------------------------------------------------------ */

static bool is_tensor(const ag_arg *a) {
  return a->view.state == AG_VIEW_OK && a->view.begin < a->view.end &&
         ag_view_is_readable(&a->view);
}

/* True if the kernel stores to the argument's memory, through this argument or another one. */
static bool is_stored_to(const ag_record *r, const ag_arg *a) {
  if (ag_arg_is_written(a)) return true;
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *other = &r->args[i];
    if (ag_arg_is_written(other) && is_tensor(other) && other->view.begin < a->view.end &&
        a->view.begin < other->view.end)
      return true;
  }
  return false;
}

/* True if the kernel may read what it overwrites. A kernel that computes an output alone does
 * not. */
static bool is_overwritten(const ag_record *r, const ag_arg *a) {
  return is_tensor(a) && a->param->role != AOTIGEN_OUT && is_stored_to(r, a);
}

/* True if the launch reads a NaN or Inf, as far as the evaluation knows by now. */
static bool reads_bad(const ag_record *r) {
  for (size_t i = 0; i < r->nargs; i++)
    if (r->args[i].values.reads && (r->args[i].values.found.bad | r->args[i].values.found.intended))
      return true;
  return false;
}

/* ---- copies --------------------------------------------------------------------------------- */

static bool make_room(ag_kept *to, size_t bytes) {
  if (to->room >= bytes) return true;
  free(to->copy.own);
  to->copy.own = malloc(bytes);
  to->room = to->copy.own ? bytes : 0;
  return to->room;
}

/* Copies the memory from the first element to the last; on a device, row-major elements. */
static bool copy_at_once(const aotigen_run *run, const ag_arg *a, ag_kept *to) {
  size_t bytes = a->view.end - a->view.begin;
  if (!make_room(to, bytes)) return false;
  to->copy.bytes = to->copy.own;
  to->copy.arrived = NULL;
  if (a->view.t.device_type == ag_backend_cpu.device_type) {
    memcpy(to->copy.own, (const void *)a->view.begin, bytes);
    return true;
  }
  const ag_backend *b = ag_backend_of_device_type(a->view.t.device_type);
  return b && a->view.contiguous &&
         !b->read(&a->view.t, 0, a->view.t.numel, run->state->record->launch.stream, to->copy.own);
}

/* In an async run. A copy that is made at once lives in the record's page. */
static bool copy_for_later(aotigen_run *run, const ag_arg *a, ag_kept *to) {
  ag_record *r = run->state->record;
  if (!a->view.contiguous) return false;
  if (ag_arg_copy_is_small(a) && ag_arg_copy_later(run, a, &to->copy)) return true;
  if (ag_model_state_is_capturing(run->state->model, r->launch.stream)) return false;
  to->room = a->view.end - a->view.begin;
  to->copy.own = ag_record_alloc(r, to->room);
  return to->copy.own && copy_at_once(run, a, to);
}

static void keep(aotigen_run *run, const ag_arg *a) {
  ag_record *r = run->state->record;
  ag_kept *to = &r->kept[r->nkept];
  to->copy.arg = (uint16_t)(a - r->args);
  to->begin = a->view.begin;
  to->end = a->view.end;
  r->nkept += r->page ? copy_for_later(run, a, to) : copy_at_once(run, a, to);
}

static bool make_list(ag_record *r) {
  if (r->kept) return true;
  const size_t bytes = AG_KEPT_ARGS * sizeof *r->kept;
  r->kept = r->page ? ag_record_alloc(r, bytes) : malloc(bytes);
  if (r->kept) memset(r->kept, 0, bytes);
  return r->kept != NULL;
}

static void keep_overwritten(aotigen_run *run) {
  ag_record *r = run->state->record;
  if (!r || !ag_launch_site(&r->launch)->graph) return;
  r->nkept = 0;
  size_t most = 0;
  for (size_t i = 0; i < r->nargs && r->nkept < AG_KEPT_ARGS; i++) {
    const ag_arg *a = &r->args[i];
    if (!is_overwritten(r, a)) continue;
    if (!most && ag_requested_selects(run->state->model, r)) most = AG_KEPT_MOST;
    if (!most && r->page) return;
    if (!most) most = reads_bad(r) ? AG_KEPT_MOST : AG_KEPT_SMALL;
    if (a->view.end - a->view.begin > most || !make_list(r)) continue;
    keep(run, a);
  }
}

/* Large copies do not outlive their run. */
static void drop_large(aotigen_run *run, bool unwinding) {
  ag_record *r = &run->state->own.record;
  (void)unwinding;
  r->nkept = 0;
  for (int i = 0; i < AG_KEPT_ARGS && r->kept; i++)
    if (r->kept[i].room > AG_KEPT_SMALL) {
      free(r->kept[i].copy.own);
      r->kept[i] = (ag_kept){.room = 0};
    }
}

static bool is_wanted(const ag_model_state *m) {
  return m->model->nan_asserts || m->explain.list.n;
}

AG_LAUNCH_HOOKS(kept_memory) = {
    .wanted = is_wanted, .launching = keep_overwritten, .end_run = drop_large};

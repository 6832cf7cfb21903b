/* op_contents.c - with --guard=ops: copies the arguments that an op only reads, before its call and
 * after it.
 *
 * Small tensors on the device of an async run are copied without waiting, the others at once.
 * checks/op_effects.h compares them. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "checks/finding.h"
#include "checks/op_effects.h"
#include "launch/arg_copies.h"
#include "state/launch_hooks.h"

static bool is_captured(const aotigen_run *run) {
  return ag_model_state_is_capturing(run->state->model, run->state->record->launch.stream);
}

/* Warns once per model. */
static void say_not_compared(const aotigen_run *run, const ag_arg *a) {
  if (atomic_exchange(&run->state->model->said.warned.contents, true)) return;
  ag_warn("--guard=ops: what '%s' of run %llu, launch %llu holds is not compared, for it cannot be "
          "copied%s",
          a->param->name, (unsigned long long)run->number, (unsigned long long)run->launch,
          is_captured(run) ? " while a graph is captured" : "");
}

static bool make_room(aotigen_run_state *s, size_t n) {
  ag_record *r = s->record;
  r->ncontents = 0;
  if (r->page) {
    r->contents = ag_record_alloc(r, n * sizeof *r->contents);
    return r->contents != NULL;
  }
  void *moved = realloc(r->contents, n * sizeof *r->contents);
  if (moved) r->contents = moved;
  return moved != NULL;
}

/* The arguments that the call must leave as they are, bit i for argument i. A schema's facts have
 * 64 bits. */
static uint64_t list_kept(const aotigen_run *run) {
  const ag_record *r = run->state->record;
  uint64_t kept = 0;
  for (size_t i = 0; i < r->nargs && i < 64; i++)
    if (ag_op_must_keep(run->state->model, r, i)) kept |= UINT64_C(1) << i;
  return kept;
}

static bool copy_before(aotigen_run *run, const ag_arg *a, ag_arg_copy *to) {
  if (ag_arg_copy_is_small(a) && ag_arg_copy_later(run, a, to)) return true;
  if (!is_captured(run) && ag_arg_copy_now(run, a, to)) return true;
  say_not_compared(run, a);
  return false;
}

static void copy_kept(aotigen_run *run) {
  ag_record *r = run->state->record;
  if (r) r->ncontents = 0;
  if (!r || !r->scanned) return;
  uint64_t kept = list_kept(run);
  if (!kept || !make_room(run->state, (size_t)__builtin_popcountll(kept))) return;
  for (size_t i = 0; i < r->nargs && i < 64; i++) {
    if (!(kept >> i & 1)) continue;
    ag_contents *x = &r->contents[r->ncontents];
    const ag_tensor *t = &r->args[i].view.t;
    *x = (ag_contents){.before.arg = (uint16_t)i,
                       .data = t->data,
                       .dtype = t->dtype,
                       .device_type = t->device_type,
                       .device_index = t->device_index,
                       .numel = t->numel,
                       .changed = -1};
    r->ncontents += copy_before(run, &r->args[i], &x->before);
  }
}

/* False if the operator changed the dtype, the number of elements, or the device, or left no
 * tensor. */
static bool is_comparable(const ag_arg *a, const ag_contents *contents) {
  const ag_tensor *t = &a->view.t;
  return a->view.state == AG_VIEW_OK && t->dtype == contents->dtype &&
         t->numel == contents->numel && t->device_type == contents->device_type &&
         t->device_index == contents->device_index;
}

static void compare_now(aotigen_run *run, ag_contents *contents, bool same) {
  const ag_arg *a = &run->state->record->args[contents->before.arg];
  if (same && ag_arg_copy_now(run, a, &contents->after)) ag_op_contents_count(contents, a);
  free(contents->before.own);
  free(contents->after.own);
  contents->before.own = contents->after.own = NULL;
}

static const char *compare_kept(aotigen_run *run) {
  ag_record *r = run->state->record;
  for (unsigned i = 0; r && i < r->ncontents; i++) {
    ag_contents *x = &r->contents[i];
    const ag_arg *a = &r->args[x->before.arg];
    bool same = is_comparable(a, x); /* else checks/op_arguments.c reports it if it matters */
    if (!same) x->changed = 0;
    x->moved = same && a->view.t.data != x->data;
    if (x->before.own)
      compare_now(run, x, same);
    else if (same && !ag_arg_copy_later(run, a, &x->after))
      say_not_compared(run, a);
  }
  return NULL;
}

/* The call was not made: frees the copies. */
static void drop(aotigen_run *run, bool unwinding) {
  ag_record *r = run->state->record;
  (void)unwinding;
  if (!run->state->progress.active || !r) return;
  for (unsigned i = 0; i < r->ncontents; i++) free(r->contents[i].before.own);
  r->ncontents = 0;
}

static bool is_wanted(const ag_model_state *m) { return m->model->guard & AOTIGEN_GUARD_OPS; }

AG_LAUNCH_HOOKS(op_contents) = {
    .wanted = is_wanted, .launching = copy_kept, .after = compare_kept, .end_run = drop};

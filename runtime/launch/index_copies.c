/* index_copies.c - see index_copies.h. */
#define _GNU_SOURCE
#include "launch/index_copies.h"

#include <stdlib.h>
#include <string.h>

#include "explain/asserts.h"
#include "launch/arg_copies.h"
#include "state/launch_hooks.h"

enum { COPIES_MOST = 4 };

static bool can_copy(const aotigen_run *run, const ag_arg *a) {
  const ag_view *v = &a->view;
  const ag_backend *b = run->state->model->device.backend;
  return b && v->state == AG_VIEW_OK && v->contiguous && !v->floating && v->t.numel > 0 &&
         ag_arg_copy_is_small(a) && v->t.device_type == b->device_type && b != &ag_backend_cpu;
}

static void make(aotigen_run *run, uint16_t arg) {
  ag_record *r = run->state->record;
  ag_index_copies *all = &r->copies;
  if (!all->at && r->page) all->at = ag_record_alloc(r, COPIES_MOST * sizeof *all->at);
  if (!all->at && !r->page) all->at = calloc(COPIES_MOST, sizeof *all->at);
  if (!all->at || all->n == COPIES_MOST) return;
  ag_arg_copy *to = &all->at[all->n];
  *to = (ag_arg_copy){.arg = arg};
  all->n += r->page ? ag_arg_copy_later(run, &r->args[arg], to)
                    : ag_arg_copy_now(run, &r->args[arg], to);
}

/* Frees the copies of a run that waits. */
static void drop(aotigen_run_state *s) {
  ag_record *r = &s->own.record;
  for (unsigned i = 0; i < r->copies.n; i++) free(r->copies.at[i].own);
  free(r->copies.at);
  r->copies = (ag_index_copies){0};
}

static void copy(aotigen_run *run) {
  const aotigen_graph *g = run->model->sites[run->site].graph;
  ag_record *r = run->state->record;
  drop(run->state);
  if (!g || !g->asserted || !r) return;
  for (size_t i = 0; i < r->nargs && i < 64; i++)
    if (g->asserted >> i & 1 && can_copy(run, &r->args[i])) make(run, (uint16_t)i);
}

static void end_run(aotigen_run *run, bool unwinding) {
  (void)unwinding;
  drop(run->state);
}

static bool has_asserted(const aotigen_site *site) { return site->graph && site->graph->asserted; }

/* Only for models on a device: a failed assert destroys the device's memory, but not the host's. */
static bool is_wanted(const ag_model_state *m) {
  return m->launch_work && m->device.backend && ag_has_site(m, has_asserted);
}

AG_LAUNCH_HOOKS(index_copies) = {.wanted = is_wanted, .launching = copy, .end_run = end_run};

/* ---- the report ----------------------------------------------------------------------------- */

/* Shows the argument as if its tensor were the copy. */
static void show_copy(ag_arg *a, const ag_arg_copy *copy) {
  a->view.t.data = (void *)(uintptr_t)copy->bytes;
  a->view.t.device_type = ag_backend_cpu.device_type;
  a->view.storage_bytes = (int64_t)ag_arg_copy_bytes(a);
  a->view.first_byte = 0;
}

void ag_index_copies_explain(ag_text *t, const ag_record *record) {
  uint64_t readable = 0;
  ag_arg *args = record->copies.n ? malloc(record->nargs * sizeof *args) : NULL;
  if (!args) return;
  memcpy(args, record->args, record->nargs * sizeof *args);
  for (unsigned i = 0; i < record->copies.n; i++) {
    const ag_arg_copy *x = &record->copies.at[i];
    if (!ag_arg_copy_is_there(x)) continue;
    show_copy(&args[x->arg], x);
    readable |= UINT64_C(1) << x->arg;
  }
  const ag_record shown = {.launch = record->launch, .nargs = record->nargs, .args = args};
  if (readable) ag_assert_explain(t, &shown, readable, NULL);
  free(args);
}

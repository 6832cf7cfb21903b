/* retained.c - see retained.h. */
#define _GNU_SOURCE
#include "launch/retained.h"

#include "explain/lookup.h"
#include "state/launch_hooks.h"
#include "tensor/shim.h"

static bool can_retain(const ag_arg *a) {
  bool is_handle = a->value.kind == AOTIGEN_V_HANDLE || a->value.kind == AOTIGEN_V_VIEW;
  return is_handle && a->view.state == AG_VIEW_OK && a->view.handle &&
         a->view.t.device_type == ag_backend_cpu.device_type;
}

static void retain(ag_retained *kept, const ag_arg *a, size_t number) {
  AtenTensorHandle own = NULL;
  if (kept->n == AG_RETAINED_MOST || !can_retain(a)) return;
  if (AOTIGEN_SHIM(new_tensor_handle)((AtenTensorHandle)(uintptr_t)a->view.handle, &own)) return;
  kept->handles[kept->n++] = own;
  kept->args |= UINT64_C(1) << number;
}

void ag_retained_begin(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  const aotigen_graph *g = run->model->sites[run->site].graph;
  const ag_record *r = s->record;
  ag_retained_end(s);
  if (!r || !(AOTIGEN_SHIM(new_tensor_handle))) return;
  uint64_t needed = g ? g->asserted : ag_lookup_find_indices(r);
  for (size_t i = 0; needed && i < r->nargs && i < 64; i++)
    if (needed >> i & 1) retain(&s->retained, &r->args[i], i);
}

void ag_retained_end(aotigen_run_state *s) {
  ag_retained *kept = &s->retained;
  for (unsigned i = 0; i < kept->n; i++)
    AOTIGEN_SHIM(delete_tensor_object)((AtenTensorHandle)(uintptr_t)kept->handles[i]);
  kept->n = 0;
  kept->args = 0;
}

/* Keeps them if the call returned an error: the report still reads them. */
static const char *end_launch(aotigen_run *run) {
  if (!run->error) ag_retained_end(run->state);
  return NULL;
}

static void end_run(aotigen_run *run, bool unwinding) {
  (void)unwinding;
  ag_retained_end(run->state);
}

AG_LAUNCH_HOOKS(retained) = {.wanted = ag_wants_launches,
                             .launching = ag_retained_begin,
                             .returned = end_launch,
                             .end_run = end_run};

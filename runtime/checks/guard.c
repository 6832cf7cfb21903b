/* guard.c - what must be true of a launch's arguments before it may run. Reads no element and waits
 * for no device.
 *
 * A compiled kernel must be given what it was compiled for. An extern call is torch's own: it
 * checks its arguments, and may be given null optionals, undefined tensors and CPU scalars; of
 * those only what would be memory gone wrong is checked.
 */
#define _GNU_SOURCE
#include "checks/guard.h"

#include <stdio.h>
#include <string.h>

#include "base/sink.h"
#include "checks/finding.h"

/* Room for the text of an address or a few numbers. */
enum { WORDS = 96 };

static void add_violation(ag_finding *f, const ag_arg *a, const char *check, const char *expected,
                          const char *found) {
  const ag_item item = {.label = "argument", .arg = a};
  ag_finding_add(f, &item, check, expected, found);
}

static void check_memory(ag_finding *f, const ag_arg *a) {
  const ag_item item = {.label = "argument", .arg = a};
  const ag_view *v = &a->view;
  char found[WORDS];
  ag_finding_check_memory(f, &item, v);
  if (!v->t.numel || !v->t.data || !(a->param->flags & AOTIGEN_ALIGN16) ||
      !((uintptr_t)v->t.data % 16))
    return;
  snprintf(found, sizeof found, "%p", v->t.data);
  add_violation(f, a, "alignment", "an address that 16 divides, as the kernel was compiled for",
                found);
}

/* The device that a kernel's tensors must be on, -1 where it is not known. */
static int32_t kernel_device(const ag_launch *l) {
  if (ag_launch_site(l)->form == AOTIGEN_CPU) return ag_device_type_of_name("cpu");
  return ag_launch_site(l)->form == AOTIGEN_TRITON ? ag_device_type_of_name(l->model->device) : -1;
}

static void check_kernel(ag_finding *f, const ag_arg *a, int32_t *index) {
  const ag_view *v = &a->view;
  ag_text found = {0}, expected = {0};
  int32_t device = kernel_device(f->launch);
  if (a->param->dtype && strcmp(a->param->dtype, v->t.dtype->name))
    add_violation(f, a, "dtype", a->param->dtype, v->t.dtype->name);
  if (device >= 0 && v->t.device_type != device) {
    ag_device_describe(&found, v->t.device_type, v->t.device_index);
    add_violation(f, a, "device", ag_device_type_name(device), ag_text_string(&found));
  } else if (v->t.device_type != ag_device_type_of_name("cpu") && v->t.device_index >= 0) {
    if (*index < 0) *index = v->t.device_index;
    if (*index != v->t.device_index) {
      ag_device_describe(&found, v->t.device_type, v->t.device_index);
      ag_device_describe(&expected, v->t.device_type, *index);
      add_violation(f, a, "device index", ag_text_string(&expected), ag_text_string(&found));
    }
  }
  ag_text_free(&found);
  ag_text_free(&expected);
}

static void check_int32(ag_finding *f, const ag_arg *a) {
  const aotigen_value *v = &a->value;
  char found[32];
  if (!(a->param->flags & AOTIGEN_INT32)) return;
  if (v->is == AOTIGEN_V_INT && (v->v.i < INT32_MIN || v->v.i > INT32_MAX))
    snprintf(found, sizeof found, "%lld", (long long)v->v.i);
  else if (v->is == AOTIGEN_V_UINT && v->v.u > INT32_MAX)
    snprintf(found, sizeof found, "%llu", (unsigned long long)v->v.u);
  else
    return;
  add_violation(f, a, "value", "what the kernel's 32 bits hold", found);
}

/* Once for each site. */
static void name_opaque(const aotigen_run *run, const ag_arg *a) {
  const aotigen_site *site = &run->model->sites[run->site];
  if (atomic_exchange(&run->state->model->said[run->site], 1)) return;
  ag_warn("argument '%s' of %s (%s:%d) has %s: it is left alone", a->param->name, site->kernel,
          run->model->source, site->line, a->view.why);
}

static void check_arg(const aotigen_run *run, ag_finding *f, const ag_arg *a, int32_t *index) {
  bool kernel = ag_launch_site(f->launch)->flags & AOTIGEN_KERNEL;
  check_int32(f, a);
  switch (a->view.state) {
    case AG_VIEW_NONE: return;
    case AG_VIEW_NULL:
    case AG_VIEW_UNDEFINED:
      if (kernel) add_violation(f, a, "handle", "a tensor", ag_finding_absence(&a->view));
      return;
    case AG_VIEW_BROKEN: add_violation(f, a, "sizes", "sizes of a tensor", a->view.why); return;
    case AG_VIEW_OPAQUE:
      /* A tensor that torch has yet to make has no dtype; older versions of torch cannot tell it
       * from a tensor of an unknown dtype. It is checked after the launch. */
      if (!(a->param->flags & AOTIGEN_FRESH) || kernel) name_opaque(run, a);
      return;
    case AG_VIEW_OK: break;
  }
  check_memory(f, a);
  if (kernel) check_kernel(f, a, index);
}

/* The report, complete but for the violations. */
static void start_report(const aotigen_run *run, const ag_launch *l) {
  ag_text *t = &run->state->texts.report;
  ag_text_clear(t);
  ag_report_head(t, l, "guard failed");
  ag_report_site(t, l);
}

static const char *check_args(aotigen_run *run, bool late) {
  aotigen_run_state *s = run->state;
  ag_launch l = ag_run_launch(run);
  ag_finding f = {.event = "guard", .model = run->model, .launch = &l};
  int32_t index = s->model->device_index;
  for (size_t i = 0; i < s->record->nargs; i++)
    if (ag_arg_is_late(&s->record->args[i]) == late)
      check_arg(run, &f, &s->record->args[i], &index);
  if (!f.violations) return NULL;
  start_report(run, &l);
  ag_finding_end(&f, &s->texts.report);
  return ag_report_fault(&s->texts.message, &s->texts.report);
}

const char *ag_guard_before(aotigen_run *run) { return check_args(run, false); }

const char *ag_guard_after(aotigen_run *run) { return check_args(run, true); }

static const char *report_grid(aotigen_run *run, const char *kernel, const uint64_t grid[3],
                               const int64_t limits[3]) {
  ag_run_texts *texts = &run->state->texts;
  ag_launch l = ag_run_launch(run);
  const ag_finding f = {.event = "guard", .model = run->model, .launch = &l};
  char expected[WORDS], found[WORDS];
  snprintf(expected, sizeof expected, "at most %lld, %lld, %lld", (long long)limits[0],
           (long long)limits[1], (long long)limits[2]);
  snprintf(found, sizeof found, "%llu, %llu, %llu", (unsigned long long)grid[0],
           (unsigned long long)grid[1], (unsigned long long)grid[2]);
  start_report(run, &l);
  ag_text_add_line(&texts->report, "grid", "of %s: expected %s, found %s", kernel, expected, found);
  ag_finding_log(&f, "guard", NULL, "grid", expected, found);
  return ag_report_fault(&texts->message, &texts->report);
}

const char *aotigen_grid(const char *kernel, uint64_t x, uint64_t y, uint64_t z) {
  aotigen_run *run = ag_run_current();
  int64_t limits[3] = {INT32_MAX, 65535, 65535};
  const uint64_t grid[3] = {x, y, z};
  if (!run || !run->state->active || !(run->model->check_inputs & 2) || !x || !y || !z) return NULL;
  const ag_backend *backend = run->state->model->backend;
  if (backend && backend->grid_limits(ag_run_device(run), limits)) return NULL;
  if (x <= (uint64_t)limits[0] && y <= (uint64_t)limits[1] && z <= (uint64_t)limits[2]) return NULL;
  return report_grid(run, kernel, grid, limits);
}

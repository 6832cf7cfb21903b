/* guard.c - what must be true of a launch's arguments before it may run. Reads no element and waits
 * for no device.
 *
 * A compiled kernel must be given what it was compiled for. An extern call is torch's own: it
 * checks its arguments, and may be given null optionals, undefined tensors and CPU scalars; of
 * those only what would be memory gone wrong is checked.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "checks/finding.h"
#include "tensor/reader.h"
#include "base/sink.h"

/* The report under way: nothing is written before the first violation. */
typedef struct report {
  aotigen_run *run;
  ag_text *text;
  int violations;
} report;

static void violation(report *r, const ag_arg *a, const char *check, const char *expected,
                      const char *found) {
  ag_text event;
  if (!r->violations++) {
    ag_text_clear(r->text);
    ag_report_head(r->text, r->run, "guard failed");
    ag_report_site(r->text, r->run);
  }
  ag_add(r->text, "  argument      ");
  ag_report_arg(r->text, a);
  ag_addf(r->text, "\n                %s: expected %s, found %s\n", check, expected, found);
  ag_event_launch(&event, "guard", r->run, a);
  ag_event_string(&event, "check", check);
  ag_event_string(&event, "expected", expected);
  ag_event_string(&event, "found", found);
  ag_event_end(&event);
}

static void check_memory(report *r, const ag_arg *a) {
  const ag_view *v = &a->view;
  char found[96], expected[96];
  if (!v->t.numel) return;
  if (!v->t.data) {
    violation(r, a, "data pointer", "memory for its elements", "null");
    return;
  }
  if (!ag_view_fits(v)) {
    int64_t size = v->t.dtype->item_size;
    snprintf(expected, sizeof expected, "at least %lld bytes (sizes, strides and offset)",
             (long long)(v->first_byte + v->highest * size));
    snprintf(found, sizeof found, "%lld bytes%s", (long long)v->storage_bytes,
             v->first_byte + v->lowest * size < 0 ? ", and elements before its start" : "");
    violation(r, a, "storage", expected, found);
  }
  if (a->param->flags & AOTIGEN_ALIGN16 && (uintptr_t)v->t.data % 16) {
    snprintf(found, sizeof found, "%p", v->t.data);
    violation(r, a, "alignment", "an address that 16 divides, as the kernel was compiled for",
              found);
  }
}

/* The device that a kernel's tensors must be on, -1 where it is not known. */
static int32_t kernel_device(const aotigen_run *run) {
  if (ag_site(run)->form == AOTIGEN_CPU) return ag_device_type("cpu");
  return ag_site(run)->form == AOTIGEN_TRITON ? ag_device_type(run->model->device) : -1;
}

static void check_kernel(report *r, const ag_arg *a, int32_t *index) {
  const ag_view *v = &a->view;
  ag_text found = {0}, expected = {0};
  int32_t device = kernel_device(r->run);
  if (a->param->dtype && strcmp(a->param->dtype, v->t.dtype->name))
    violation(r, a, "dtype", a->param->dtype, v->t.dtype->name);
  if (device >= 0 && v->t.device_type != device) {
    ag_add_device(&found, v->t.device_type, v->t.device_index);
    violation(r, a, "device", ag_device_name(device), ag_text_string(&found));
  } else if (v->t.device_type != ag_device_type("cpu") && v->t.device_index >= 0) {
    if (*index < 0) *index = v->t.device_index;
    if (*index != v->t.device_index) {
      ag_add_device(&found, v->t.device_type, v->t.device_index);
      ag_add_device(&expected, v->t.device_type, *index);
      violation(r, a, "device index", ag_text_string(&expected), ag_text_string(&found));
    }
  }
  ag_text_free(&found);
  ag_text_free(&expected);
}

static void check_int32(report *r, const ag_arg *a) {
  const aotigen_value *v = &a->value;
  char found[32];
  if (!(a->param->flags & AOTIGEN_INT32)) return;
  if (v->is == AOTIGEN_V_INT && (v->v.i < INT32_MIN || v->v.i > INT32_MAX))
    snprintf(found, sizeof found, "%lld", (long long)v->v.i);
  else if (v->is == AOTIGEN_V_UINT && v->v.u > INT32_MAX)
    snprintf(found, sizeof found, "%llu", (unsigned long long)v->v.u);
  else
    return;
  violation(r, a, "value", "what the kernel's 32 bits hold", found);
}

/* Named once for each site: what is opaque is left alone. */
static void name_opaque(const aotigen_run *run, const ag_arg *a) {
  if (atomic_exchange(&run->state->model->said[run->site], 1)) return;
  ag_warn("argument '%s' of %s (%s:%d) has %s: it is left alone", a->param->name,
          ag_site(run)->kernel, run->model->source, ag_site(run)->line, a->view.why);
}

static void check_arg(report *r, const ag_arg *a, int32_t *index) {
  bool kernel = ag_site(r->run)->flags & AOTIGEN_KERNEL;
  check_int32(r, a);
  switch (a->view.state) {
    case AG_VIEW_NONE: return;
    case AG_VIEW_NULL:
    case AG_VIEW_UNDEFINED:
      if (kernel)
        violation(r, a, "handle", "a tensor",
                  a->view.state == AG_VIEW_NULL ? "null" : "an undefined tensor");
      return;
    case AG_VIEW_BROKEN: violation(r, a, "sizes", "sizes of a tensor", a->view.why); return;
    case AG_VIEW_OPAQUE:
      /* One that torch has yet to make has no dtype that older versions tell from an unknown one:
       * it is looked at afterwards. */
      if (!(a->param->flags & AOTIGEN_FRESH) || kernel) name_opaque(r->run, a);
      return;
    case AG_VIEW_OK: break;
  }
  check_memory(r, a);
  if (kernel) check_kernel(r, a, index);
}

static const char *check(aotigen_run *run, bool late) {
  aotigen_run_state *s = run->state;
  report r = {run, &s->scratch, 0};
  int32_t index = s->model->device_index;
  for (size_t i = 0; i < s->nargs; i++)
    if (ag_arg_late(&s->args[i]) == late) check_arg(&r, &s->args[i], &index);
  return r.violations ? ag_report_fault(run, r.text) : NULL;
}

const char *ag_guard_before(aotigen_run *run) { return check(run, false); }

const char *ag_guard_after(aotigen_run *run) { return check(run, true); }

const char *aotigen_grid(const char *kernel, uint64_t x, uint64_t y, uint64_t z) {
  aotigen_run *run = ag_current_run();
  int64_t limits[3] = {INT32_MAX, 65535, 65535};
  uint64_t grid[3] = {x, y, z};
  char expected[96], found[96];
  ag_text event;
  if (!run || !run->state->active || !(run->model->check_inputs & 2) || !x || !y || !z) return NULL;
  const ag_backend *backend = run->state->model->backend;
  if (backend && backend->grid_limits(ag_run_device(run), limits)) return NULL;
  if (grid[0] <= (uint64_t)limits[0] && grid[1] <= (uint64_t)limits[1] &&
      grid[2] <= (uint64_t)limits[2])
    return NULL;
  snprintf(expected, sizeof expected, "at most %lld, %lld, %lld", (long long)limits[0],
           (long long)limits[1], (long long)limits[2]);
  snprintf(found, sizeof found, "%llu, %llu, %llu", (unsigned long long)x, (unsigned long long)y,
           (unsigned long long)z);
  ag_text *t = &run->state->scratch;
  ag_text_clear(t);
  ag_report_head(t, run, "guard failed");
  ag_report_site(t, run);
  ag_add_line(t, "grid", "of %s: expected %s, found %s", kernel, expected, found);
  ag_event_launch(&event, "guard", run, NULL);
  ag_event_string(&event, "check", "grid");
  ag_event_string(&event, "expected", expected);
  ag_event_string(&event, "found", found);
  ag_event_end(&event);
  return ag_report_fault(run, t);
}

/* guard.c - what must be true of a launch's arguments before it may run, and of its outputs before
 * anything uses them. Reads no element and waits for no device.
 *
 * A compiled kernel must be given what it was compiled for. An extern call is torch's own: it
 * checks its arguments, and may take CPU scalars and, where its declaration says so, null
 * optionals. Only what would lead to a wrong memory access is checked there. */
#define _GNU_SOURCE
#include "checks/guard.h"
#include "checks/op_registered.h"

#include <stdio.h>
#include <string.h>

#include "base/settings.h"
#include "base/sink.h"
#include "checks/bounds.h"
#include "checks/extent.h"
#include "checks/finding.h"
#include "checks/gaps.h"
#include "checks/int32.h"
#include "checks/output_shape.h"
#include "checks/shared_memory.h"
#include "explain/argument.h"
#include "state/launch_hooks.h"

/* Room for the text of an address or a few numbers. */
enum { TEXT_ROOM = 96 };

/* The device that a kernel was compiled for. */
typedef struct kernel_device {
  bool compiled; /* the launch is of a compiled kernel, not of torch's own code */
  int32_t type;  /* the device type that its tensors must have, -1 if it is not known */
  int32_t index; /* the device index of the first tensor that is not on the CPU, -1 until there is
                    one */
} kernel_device;

static void add_violation(ag_finding *f, const ag_arg *a, enum ag_check check, const char *expected,
                          const char *found) {
  const ag_item item = {.label = "argument", .arg = a};
  ag_finding_add(f, &item, check, expected, found);
}

static void check_memory(ag_finding *f, const ag_arg *a) {
  const ag_item item = {.label = "argument", .arg = a};
  const ag_view *v = &a->view;
  char found[TEXT_ROOM];
  ag_finding_check_memory(f, &item, v);
  if (!v->t.numel || !v->t.data || !(a->param->flags & AOTIGEN_ALIGN16) ||
      !((uintptr_t)v->t.data % 16))
    return;
  snprintf(found, sizeof found, "%p", v->t.data);
  add_violation(f, a, AG_CHECK_ALIGNMENT,
                "an address that 16 divides, as the kernel was compiled for", found);
}

static kernel_device read_kernel_device(const aotigen_run *run) {
  const aotigen_site *site = &run->model->sites[run->site];
  kernel_device k = {.compiled = site->flags & AOTIGEN_KERNEL,
                     .type = -1,
                     .index = run->state->model->device.index};
  if (site->form == AOTIGEN_CPU) k.type = ag_backend_cpu.device_type;
  if (site->form == AOTIGEN_TRITON) k.type = ag_device_type_of_name(run->model->device);
  return k;
}

/* Triton has no names for some types of one byte: its kernels take them as uint8. */
static bool is_taken_as_bytes(const ag_launch *l, const ag_arg *a) {
  const ag_dtype *found = ag_dtype_of_number(a->view.dtype_number);
  return ag_launch_site(l)->form == AOTIGEN_TRITON && !strcmp(a->param->dtype, "uint8") && found &&
         found->item_size == 1 && !ag_dtype_spelling(found)->triton;
}

/* The dtype that a kernel was compiled for, NULL where it is not known. */
static const char *kernel_dtype(const ag_launch *l, const ag_arg *a) {
  return a->param->dtype && !is_taken_as_bytes(l, a) ? a->param->dtype : NULL;
}

static void add_device_violation(ag_finding *f, const ag_arg *a, enum ag_check check,
                                 const char *expected) {
  ag_text found = {0};
  ag_device_describe(&found, a->view.t.device_type, a->view.t.device_index);
  add_violation(f, a, check, expected, ag_text_string(&found));
  ag_text_free(&found);
}

static void check_device_index(ag_finding *f, const ag_arg *a, kernel_device *k) {
  const ag_tensor *t = &a->view.t;
  ag_text expected = {0};
  if (t->device_type == ag_backend_cpu.device_type || t->device_index < 0) return;
  if (k->index < 0) k->index = t->device_index;
  if (k->index == t->device_index) return;
  ag_device_describe(&expected, t->device_type, k->index);
  add_device_violation(f, a, AG_CHECK_DEVICE_INDEX, ag_text_string(&expected));
  ag_text_free(&expected);
}

static void check_kernel(const aotigen_run *run, ag_finding *f, const ag_arg *a, kernel_device *k) {
  const ag_tensor *t = &a->view.t;
  const char *dtype = a->param->dtype;
  if (dtype && strcmp(dtype, t->dtype->name) && !is_taken_as_bytes(f->launch, a))
    add_violation(f, a, AG_CHECK_DTYPE, dtype, t->dtype->name);
  if (k->type >= 0 && t->device_type != k->type)
    add_device_violation(f, a, AG_CHECK_DEVICE, ag_device_type_name(k->type));
  else
    check_device_index(f, a, k);
  ag_bounds_check(f, run->state->record, a);
  ag_gaps_check_argument(f, run->state->record, a);
}

/* Once for each site. */
static void name_opaque(const aotigen_run *run, const ag_arg *a) {
  const aotigen_site *site = &run->model->sites[run->site];
  bool packed = a->param->kind == AOTIGEN_WEIGHT && a->view.opaque == AG_OPAQUE_LAYOUT;
  if (packed) return; /* as Inductor freezes weights: no check is meant to read it */
  atomic_uchar *said = &run->state->model->said.arguments[run->site];
  if (atomic_fetch_or(said, AG_SAID_OPAQUE) & AG_SAID_OPAQUE) return;
  ag_warn("argument '%s' of %s (%s:%d) has %s: it is left alone", a->param->name,
          ag_site_name(site), run->model->source, site->line, a->view.why);
}

/* A tensor that cannot be read. One that torch has yet to make has no dtype; older versions of
 * torch cannot tell it from a tensor of an unknown dtype. It is checked after the launch. */
static void check_opaque(const aotigen_run *run, ag_finding *f, const ag_item *item,
                         const kernel_device *k) {
  const ag_arg *a = item->arg;
  if (k->compiled && ag_finding_check_opaque(f, item, &a->view, kernel_dtype(f->launch, a), true))
    return;
  if (k->compiled || !(a->param->flags & AOTIGEN_FRESH)) name_opaque(run, a);
}

/* True if the argument must be a tensor, and not this kind of absence. */
static bool is_needed(const ag_arg *a, const kernel_device *k) {
  unsigned flag = a->view.state == AG_VIEW_NULL ? AOTIGEN_NOT_NULL : AOTIGEN_DEFINED;
  return k->compiled || a->param->flags & flag;
}

static void add_absence(ag_finding *f, const ag_item *item) {
  ag_finding_add(f, item, AG_CHECK_HANDLE, "a tensor", ag_finding_absence(&item->arg->view));
}

static void check_arg(const aotigen_run *run, ag_finding *f, const ag_arg *a, kernel_device *k) {
  const ag_item item = {.label = "argument", .arg = a};
  ag_int32_check(run, f, a);
  switch (a->view.state) {
    case AG_VIEW_NONE: return;
    case AG_VIEW_NULL:
    case AG_VIEW_UNDEFINED:
      if (is_needed(a, k)) add_absence(f, &item);
      return;
    case AG_VIEW_BROKEN:
      add_violation(f, a, AG_CHECK_SIZES, "sizes of a tensor", a->view.why);
      return;
    case AG_VIEW_OPAQUE: check_opaque(run, f, &item, k); return;
    case AG_VIEW_PENDING:
    case AG_VIEW_REFUSED:
    case AG_VIEW_OK: break;
  }
  check_memory(f, a);
  if (k->compiled) check_kernel(run, f, a, k);
}

/* ---- outputs -------------------------------------------------------------------------------- */

static void check_least(ag_finding *f, const ag_item *item, int64_t least) {
  const ag_view *v = &item->arg->view;
  char expected[TEXT_ROOM], found[TEXT_ROOM];
  int64_t bytes;
  if (v->storage_bytes < 0 || __builtin_mul_overflow(least, v->t.dtype->item_size, &bytes) ||
      __builtin_add_overflow(bytes, v->first_byte, &bytes) || bytes <= v->storage_bytes)
    return;
  snprintf(expected, sizeof expected, "at least %lld bytes, for %lld elements", (long long)bytes,
           (long long)least);
  snprintf(found, sizeof found, "%lld bytes", (long long)v->storage_bytes);
  ag_finding_add(f, item, AG_CHECK_STORAGE, expected, found);
}

/* The elements that an output must have. */
static int64_t find_least(const aotigen_run *run, const aotigen_expected *e) {
  int64_t more = e->least_of ? ag_extent_compute(e->least_of, run->state->record) : 0;
  return more > e->least ? more : e->least;
}

/* The dtype and the device that the wrapper's next use of an output takes. */
static void check_type(ag_finding *f, const ag_item *item, const aotigen_expected *e) {
  const ag_tensor *t = &item->arg->view.t;
  int32_t device = e->device ? ag_device_type_of_name(e->device) : -1;
  ag_text found = {0};
  if (e->dtype && strcmp(e->dtype, t->dtype->name))
    ag_finding_add(f, item, AG_CHECK_DTYPE, e->dtype, t->dtype->name);
  if (device >= 0 && t->device_type != device) {
    ag_device_describe(&found, t->device_type, t->device_index);
    ag_finding_add(f, item, AG_CHECK_DEVICE, e->device, ag_text_string(&found));
    ag_text_free(&found);
  }
}

static void add_user(const aotigen_run *run, ag_finding *f, int32_t user) {
  const aotigen_site *site = user >= 0 ? &run->model->sites[user] : NULL;
  if (site)
    ag_text_addf(&f->lines, "                used by %s (%s:%d)\n", ag_site_name(site),
                 run->model->source, site->line);
  else
    ag_text_add(&f->lines, "                used as an output of the model\n");
}

/* An output that cannot be read, where the wrapper goes on to give it to a kernel, or takes a view
 * of it. */
static void check_opaque_output(const aotigen_run *run, ag_finding *f, const ag_item *item) {
  const aotigen_expected *e = item->arg->param->expected;
  bool strided = e->dtype || e->device || e->ndim >= 0 || e->least || e->least_of;
  if (!ag_finding_check_opaque(f, item, &item->arg->view, e->dtype, strided) &&
      ag_arg_is_late(item->arg))
    name_opaque(run, item->arg);
}

/* Checks a tensor that a kernel takes. The results of an extern call are computed, not lazy views,
 * and each query costs time. */
static void check_lazy_bit(const aotigen_run *run, ag_finding *f, const ag_item *item) {
  bool computed = run->model->sites[run->site].form == AOTIGEN_EXTERN;
  const char *bit = computed ? NULL : ag_view_find_lazy_bit(&item->arg->view);
  char found[TEXT_ROOM];
  if (!bit) return;
  snprintf(found, sizeof found, "the %s bit, which a compiled kernel ignores", bit);
  ag_finding_add(f, item, AG_CHECK_MEMORY, "the tensor's values", found);
}

/* Checks what the wrapper assumes of a tensor that the call has made. */
static void check_output(const aotigen_run *run, ag_finding *f, const ag_arg *a) {
  const aotigen_expected *e = a->param->expected;
  const ag_item item = {.label = "output", .arg = a};
  int before = f->violations;
  if (a->view.state == AG_VIEW_NULL || a->view.state == AG_VIEW_UNDEFINED) {
    add_absence(f, &item);
  } else if (a->view.state == AG_VIEW_OK) {
    ag_finding_check_memory(f, &item, &a->view);
    if (e->device) check_lazy_bit(run, f, &item);
    check_type(f, &item, e);
    ag_output_shape_check(run, f, &item);
    if (f->violations == before) check_least(f, &item, find_least(run, e));
    if (f->violations == before) ag_gaps_check_output(run, f, &item);
    ag_shared_memory_check(run, f, &item, NULL);
  } else if (a->view.state == AG_VIEW_BROKEN) {
    ag_finding_add(f, &item, AG_CHECK_SIZES, "sizes of a tensor", a->view.why);
  } else if (a->view.state == AG_VIEW_OPAQUE) {
    check_opaque_output(run, f, &item);
  }
  if (f->violations > before) add_user(run, f, e->user);
}

/* An argument may be wrong because the operator that made it was. Returns those concerns that the
 * wrapper states for no output of the site. */
static unsigned find_untold(const aotigen_site *site, unsigned of) {
  for (int i = 0; i < site->nparams; i++) {
    const aotigen_expected *e = site->params[i].expected;
    if (e && e->ndim >= 0) of &= ~(unsigned)AG_CONCERNS_SHAPE;
    if (e && e->dtype) of &= ~(unsigned)AG_CONCERNS_DTYPE;
  }
  return of;
}

static const char *describe_untold(unsigned untold) {
  static const char *const texts[] = {"", ", whose shape the wrapper does not tell",
                                      ", whose dtype the wrapper does not tell",
                                      ", whose dtype and shape the wrapper does not tell"};
  return texts[untold];
}

/* Names the call that made an argument, and the launch that last wrote to its memory, which differs
 * if a buffer reuses another's. of: the concerns that matter. If nothing states them, a wrong
 * argument is a fault of the call that made it. */
static void add_maker(ag_text *t, const aotigen_model *model, const aotigen_param *p, unsigned of) {
  bool overwritten = p->role == AOTIGEN_OUT; /* what it holds does not matter */
  if (!p->maker || p->maker > model->nsites) return;
  ag_text_add(t, "                ");
  if (!overwritten && p->writer && p->writer <= model->nsites) {
    ag_argument_add_place(t, "last written by", model, p->writer);
    ag_argument_add_place(t, ", in memory made by", model, p->maker);
  } else {
    ag_argument_add_place(t, overwritten || p->writer ? "memory made by" : "made by", model,
                          p->maker);
  }
  ag_text_add(t, describe_untold(find_untold(&model->sites[p->maker - 1], of)));
  if (!overwritten && p->writer == AOTIGEN_UNKNOWN_WRITER)
    ag_text_add(t, ", perhaps written since");
  ag_text_add(t, "\n");
}

/* True if the tensor has as many elements as a kernel needs of one that the site makes. */
static bool is_of_needed_size(const aotigen_site *maker, const ag_view *view) {
  for (int i = 0; i < maker->nparams; i++) {
    const aotigen_expected *e = maker->params[i].expected;
    if (e && e->least && view->state == AG_VIEW_OK && e->least == view->t.numel) return true;
  }
  return false;
}

/* Lists unchecked inputs of an operator: one that computes right returns a wrong tensor if its
 * input was wrong. of: the concerns that its outputs violate. */
static void add_unchecked_inputs(ag_text *t, const aotigen_model *model, const ag_record *record,
                                 unsigned of) {
  const char *last = ""; /* the same tensor may be given twice */
  for (size_t i = 0; i < record->nargs; i++) {
    const aotigen_param *p = record->args[i].param;
    bool read = p->role != AOTIGEN_OUT && !ag_param_is_made(p) && p->maker &&
                p->maker <= model->nsites;
    const aotigen_site *maker = read ? &model->sites[p->maker - 1] : NULL;
    unsigned untold = maker ? find_untold(maker, of) : 0;
    if (untold & AG_CONCERNS_SHAPE && is_of_needed_size(maker, &record->args[i].view))
      untold &= AG_CONCERNS_DTYPE;
    if (!untold || strcmp(last, p->name) == 0) continue;
    last = p->name;
    ag_text_add_line(t, "look also at", "%s (%s:%d), which made '%s'%s", ag_site_name(maker),
                     model->source, maker->line, p->name, describe_untold(untold));
  }
}

void ag_guard_add_arguments(ag_text *t, const aotigen_model *model, const ag_record *record) {
  for (size_t i = 0; i < record->nargs; i++) {
    const ag_arg *a = &record->args[i];
    bool absent = a->view.state == AG_VIEW_NONE ||
                  (a->view.state != AG_VIEW_OK && a->param->flags & AOTIGEN_FRESH);
    const char *label = a->param->role == AOTIGEN_IN    ? "input"
                        : a->param->role == AOTIGEN_OUT ? "output"
                                                        : "argument";
    if (absent || ag_param_is_made(a->param)) continue; /* what the launch is to make */
    ag_text_addf(t, "  %-13s ", label);
    ag_report_arg(t, a);
    ag_text_add(t, "\n");
    bool described = ag_view_is_described(&a->view);
    add_maker(t, model, a->param, AG_CONCERNS_DTYPE | (described ? AG_CONCERNS_SHAPE : 0));
  }
  ag_op_report_values(t, ag_launch_site(&record->launch)->op);
}

/* The report, complete but for the violations. */
static void start_report(const aotigen_run *run, const ag_launch *l) {
  ag_text *t = &run->state->texts.report;
  ag_text_clear(t);
  ag_report_head(t, l, cause_what(CAUSE_GUARD));
  ag_report_site(t, l);
}

/* The argument failed its check: nothing reads it in this launch. */
static void refuse_arg(ag_arg *a, ag_text *unread) {
  if (a->view.state != AG_VIEW_OK) return;
  a->view.state = AG_VIEW_REFUSED;
  ag_text_addf(unread, "%s%s", unread->length ? ", " : "", a->param->name);
}

static const char *check_args(aotigen_run *run, bool after) {
  aotigen_run_state *s = run->state;
  ag_launch l = s->record->launch;
  ag_finding f = {.event = EVENT_GUARD, .model = run->model, .launch = &l};
  kernel_device k = read_kernel_device(run);
  ag_text unread = {0};
  for (size_t i = 0; i < s->record->nargs; i++) {
    ag_arg *a = &s->record->args[i];
    int violations = f.violations;
    const unsigned concerned = f.concerns;
    f.concerns = 0;
    if (after && ag_param_is_made(a->param)) {
      check_output(run, &f, a);
    } else if (ag_arg_is_late(a) == after) {
      check_arg(run, &f, a, &k);
      if (f.violations > violations) add_maker(&f.lines, run->model, a->param, f.concerns);
    }
    f.concerns |= concerned;
    if (f.violations > violations) refuse_arg(a, &unread);
  }
  if (!after) ag_bounds_check_terms(&f, s->record);
  if (!f.violations) return NULL;
  if (after) ag_guard_add_arguments(&f.lines, run->model, s->record);
  if (after) add_unchecked_inputs(&f.lines, run->model, s->record, f.concerns);
  start_report(run, &l);
  ag_finding_end(&f, &s->texts.report);
  /* The run goes on all the same. */
  if (ag_settings_get()->on_fault == AG_FAULT_REPORT && unread.length)
    ag_text_add_line(&s->texts.report, "not read",
                     "%s: neither scanned, printed nor saved in this launch",
                     ag_text_string(&unread));
  ag_text_free(&unread);
  return ag_report_fault(run->model, &s->texts.message, &s->texts.report);
}

static const char *check_before(aotigen_run *run) { return check_args(run, false); }

/* The operator's results are counted: checks/op_results.c. */
static void give_room(aotigen_run *run) { run->room = AOTIGEN_ROOM; }

/* A compiled kernel makes no tensor. */
static const char *check_after(aotigen_run *run) {
  if (run->error || run->more) return NULL;
  bool kernel = run->model->sites[run->site].flags & AOTIGEN_KERNEL;
  const char *fault = kernel ? NULL : check_args(run, true);
  if (!kernel && !fault) ag_shared_memory_note(run);
  return fault;
}

AG_LAUNCH_HOOKS(guard) = {
    .wanted = ag_wants_guard, .before = check_before, .launching = give_room, .after = check_after};

static const char *report_grid(aotigen_run *run, const char *kernel, const uint64_t grid[3],
                               const int64_t limits[3]) {
  ag_run_texts *texts = &run->state->texts;
  ag_launch l = ag_run_launch(run);
  const ag_finding f = {.event = EVENT_GUARD, .model = run->model, .launch = &l};
  char expected[TEXT_ROOM], found[TEXT_ROOM];
  snprintf(expected, sizeof expected, "at most %lld, %lld, %lld", (long long)limits[0],
           (long long)limits[1], (long long)limits[2]);
  snprintf(found, sizeof found, "%llu, %llu, %llu", (unsigned long long)grid[0],
           (unsigned long long)grid[1], (unsigned long long)grid[2]);
  start_report(run, &l);
  ag_text_add_line(&texts->report, "grid", "of %s: expected %s, found %s", ag_short_name(kernel),
                   expected, found);
  ag_finding_log(&f, EVENT_GUARD, NULL, AG_CHECK_GRID, expected, found);
  return ag_report_fault(run->model, &texts->message, &texts->report);
}

const char *aotigen_grid(const char *kernel, uint64_t x, uint64_t y, uint64_t z) {
  aotigen_run *run = ag_run_current();
  int64_t limits[3] = {INT32_MAX, 65535, 65535};
  const uint64_t grid[3] = {x, y, z};
  if (!run || !run->state->progress.active || !(run->model->check_inputs & 2) || !x || !y || !z)
    return NULL;
  const ag_backend *backend = run->state->model->device.backend;
  if (backend && backend->grid_limits(ag_run_device(run), limits)) return NULL;
  if (x <= (uint64_t)limits[0] && y <= (uint64_t)limits[1] && z <= (uint64_t)limits[2]) return NULL;
  return report_grid(run, kernel, grid, limits);
}

/* op_arguments.c - checks that an operator leaves its arguments as the wrapper goes on to use them.
 *
 * The wrapper knows nothing of a resize_(), set_() or `.data =` within an operator: without this
 * check the next launch would be blamed. The check runs after the call, while the record's views
 * are those from before it. It reports an argument that got other sizes, strides, another dtype or
 * less memory than the wrapper relies on, and sets its view to AG_VIEW_REFUSED. It reads no element
 * and asks no device. */
#include <string.h>

#include "checks/finding.h"
#include "checks/shared_memory.h"
#include "state/launch_hooks.h"

static const char before_call[] = ", as before the call";

static void add_lists(ag_finding *f, const ag_item *item, enum ag_check check,
                      const int64_t *before, int32_t nbefore, const int64_t *now, int32_t nnow) {
  ag_text expected = {0}, found = {0};
  ag_text_add_list(&expected, before, nbefore, "[", ", ", "]");
  ag_text_add(&expected, before_call);
  ag_text_add_list(&found, now, nnow, "[", ", ", "]");
  ag_finding_add(f, item, check, ag_text_string(&expected), ag_text_string(&found));
  ag_text_free(&expected);
  ag_text_free(&found);
}

static void add_words(ag_finding *f, const ag_item *item, enum ag_check check, ag_text *expected,
                      const char *found) {
  ag_text_add(expected, before_call);
  ag_finding_add(f, item, check, ag_text_string(expected), found);
  ag_text_free(expected);
}

static void check_type(ag_finding *f, const ag_item *item, const ag_tensor *before) {
  const ag_tensor *now = &item->arg->view.t;
  ag_text expected = {0}, found = {0};
  if (before->dtype != now->dtype) {
    ag_text_add(&expected, before->dtype->name);
    add_words(f, item, AG_CHECK_DTYPE, &expected, now->dtype->name);
  }
  if (before->device_type != now->device_type || before->device_index != now->device_index) {
    ag_device_describe(&expected, before->device_type, before->device_index);
    ag_device_describe(&found, now->device_type, now->device_index);
    add_words(f, item, AG_CHECK_DEVICE, &expected, ag_text_string(&found));
    ag_text_free(&found);
  }
}

/* The stride of a dimension of one element does not matter. */
static bool have_same_strides(const ag_tensor *before, const ag_tensor *now) {
  bool same = true;
  if (!now->numel) return true;
  for (int32_t i = 0; i < now->ndim && same; i++)
    same = now->sizes[i] == 1 || before->strides[i] == now->strides[i];
  return same;
}

static void check_shape(ag_finding *f, const ag_item *item, const ag_tensor *before) {
  const ag_tensor *now = &item->arg->view.t;
  unsigned flags = item->arg->param->flags;
  bool same = before->ndim == now->ndim &&
              !memcmp(before->sizes, now->sizes, (size_t)now->ndim * sizeof *now->sizes);
  if (!same)
    add_lists(f, item, AG_CHECK_SHAPE, before->sizes, before->ndim, now->sizes, now->ndim);
  else if (flags & AOTIGEN_KEEPS_STRIDES && !have_same_strides(before, now))
    add_lists(f, item, AG_CHECK_STRIDES, before->strides, before->ndim, now->strides, now->ndim);
}

/* Checks that the tensor still has memory for the elements that it had. */
static void check_memory(ag_finding *f, const ag_item *item, const ag_view *before) {
  const ag_view *now = &item->arg->view;
  int64_t bytes = before->highest * before->t.dtype->item_size;
  ag_text expected = {0}, found = {0};
  if (!before->t.numel || now->storage_bytes < 0 || bytes <= now->storage_bytes - now->first_byte)
    return;
  ag_text_addf(&expected, "at least %lld bytes from its first element", (long long)bytes);
  ag_text_addf(&found, "%lld bytes", (long long)(now->storage_bytes - now->first_byte));
  add_words(f, item, AG_CHECK_STORAGE, &expected, ag_text_string(&found));
  ag_text_free(&found);
}

static void check_changed(const aotigen_run *run, ag_finding *f, const ag_item *item,
                          const ag_view *before) {
  const ag_view *now = &item->arg->view;
  unsigned flags = item->arg->param->flags;
  int violations = f->violations;
  if (now->state == AG_VIEW_NULL || now->state == AG_VIEW_UNDEFINED) {
    ag_finding_add(f, item, AG_CHECK_HANDLE, "a tensor", ag_finding_absence(now));
  } else if (now->state == AG_VIEW_BROKEN) {
    ag_finding_add(f, item, AG_CHECK_SIZES, "sizes of a tensor", now->why);
  } else if (now->state == AG_VIEW_OPAQUE) {
    ag_finding_check_opaque(f, item, now, before->t.dtype->name, true);
  } else if (now->state == AG_VIEW_OK) {
    if (flags & AOTIGEN_KEEPS_SHAPE) check_type(f, item, &before->t);
    if (flags & AOTIGEN_KEEPS_SHAPE) check_shape(f, item, &before->t);
    if (f->violations == violations) check_memory(f, item, before);
    if (f->violations == violations) ag_shared_memory_check(run, f, item, before);
  }
}

/* Keeps the argument's view from before the call, since scans that were requested refer to it. */
static void check_arg(const aotigen_run *run, ag_finding *f, ag_arg *a) {
  ag_arg after;
  const ag_item item = {.label = "argument", .arg = &after};
  int violations = f->violations;
  ag_view now;
  if (!(a->param->flags & AOTIGEN_KEEPS_MEMORY) || a->value.kind != AOTIGEN_V_HANDLE ||
      a->view.state != AG_VIEW_OK || ag_arg_is_late(a))
    return;
  ag_view_of_value(&now, &a->value, a->param);
  if (ag_view_is_same(&a->view, &now) && now.storage_bytes == a->view.storage_bytes) return;
  after = *a;
  after.view = now;
  f->last = NULL; /* the address of `after` is that of the previous argument */
  check_changed(run, f, &item, &a->view);
  if (f->violations != violations) a->view.state = AG_VIEW_REFUSED;
}

static bool is_checked(const aotigen_site *site) { return site->form == AOTIGEN_PROXY; }

static const char *check(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  ag_record *r = s->record;
  if (!r || run->error || !is_checked(&run->model->sites[run->site])) return NULL;
  ag_launch l = r->launch;
  ag_finding f = {.event = EVENT_GUARD, .model = run->model, .launch = &l};
  ag_text *t = &s->texts.report;
  for (size_t i = 0; i < r->nargs; i++) check_arg(run, &f, &r->args[i]);
  if (!f.violations) return NULL;
  ag_text_clear(t);
  ag_report_head(t, &l, cause_what(CAUSE_GUARD));
  ag_report_site(t, &l);
  ag_finding_end(&f, t);
  return ag_report_fault(run->model, &s->texts.message, t);
}

static bool is_wanted(const ag_model_state *m) {
  return ag_wants_guard(m) && ag_has_site(m, is_checked);
}

AG_LAUNCH_HOOKS(op_arguments) = {.wanted = is_wanted, .returned = check};

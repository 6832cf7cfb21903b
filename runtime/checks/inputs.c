/* inputs.c - the model's inputs against what it was built for: all violations in one report. Reads
 * no element.
 *
 * Also where a run learns which bytes are inputs, so that the NaN assert can name them.
 */
#define _GNU_SOURCE
#include "checks/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "checks/finding.h"

typedef struct input_check {
  const aotigen_run *run;
  ag_finding finding;
  const ag_view *view; /* the input that is checked */
  int32_t index;     /* the index of the device that the inputs are on, -1 while it is not known */
  int32_t dimension; /* the dimension that is checked */
} input_check;

/* Sizes that other inputs set. */
typedef struct bound {
  const char *symbol;
  int64_t size;
  const aotigen_input *input;
  int32_t dim;
} bound;

static const char *name_input(const aotigen_input *in) {
  return in->python_name ? in->python_name : in->name;
}

static ag_item item_of(const input_check *c, const aotigen_input *in) {
  return (ag_item){.label = "input",
                   .name = in->name,
                   .python_name = in->python_name,
                   .view = c->view,
                   .dimension = c->dimension};
}

static void add_violation(input_check *c, const aotigen_input *in, enum ag_check check,
                          const char *expected, const char *found) {
  const ag_item item = item_of(c, in);
  ag_finding_add(&c->finding, &item, check, expected, found);
}

static void log_warning(const input_check *c, const aotigen_input *in, enum ag_check check,
                        const char *expected, const char *found) {
  const ag_item item = item_of(c, in);
  ag_finding_log(&c->finding, EVENT_WARNING, &item, check, expected, found);
}

/* True once for each of the sizes 0 and 1: a server may have batches of one all day. */
static bool says_small(const input_check *c, const aotigen_input *in, int64_t size) {
  const unsigned bit = 1u << (size == 1);
  atomic_uchar *said = &c->run->state->model->said.small_inputs[in - c->run->model->inputs];
  return !(atomic_fetch_or(said, (unsigned char)bit) & bit);
}

static void check_size(input_check *c, const aotigen_input *in, int32_t i, int64_t size) {
  const aotigen_dim *d = &in->dims[i];
  char expected[64], found[32];
  snprintf(found, sizeof found, "%lld", (long long)size);
  bool low = d->min != AOTIGEN_ANY && size < d->min, high = d->max != AOTIGEN_ANY && size > d->max;
  if (!low && !high) return;
  /* torch's range for a size that is not specialised: sizes 0 and 1 often work */
  if (low && d->min == 2 && d->max != 2) {
    if (!says_small(c, in, size)) return;
    ag_warn("run %llu: input '%s' has size %lld in dimension %d, but the model was compiled for "
            "sizes from 2 on: its results may be right all the same",
            (unsigned long long)c->run->number, name_input(in), (long long)size, i);
    log_warning(c, in, AG_CHECK_SIZE_OF_DIMENSION, "at least 2", found);
    return;
  }
  if (d->min == d->max)
    snprintf(expected, sizeof expected, "%lld", (long long)d->min);
  else
    snprintf(expected, sizeof expected, "at %s %lld%s%s", low ? "least" : "most",
             (long long)(low ? d->min : d->max), d->symbol ? ", by the range of " : "",
             d->symbol ? d->symbol : "");
  add_violation(c, in, AG_CHECK_SIZE_OF_DIMENSION, expected, found);
}

static void check_symbol(input_check *c, const aotigen_input *in, int32_t i, int64_t size,
                         bound *bounds, size_t *n) {
  const char *symbol = in->dims[i].symbol;
  if (!symbol) return;
  for (size_t k = 0; k < *n; k++) {
    const bound *b = &bounds[k];
    char expected[160], found[32];
    if (strcmp(b->symbol, symbol)) continue;
    if (b->size == size) return;
    snprintf(expected, sizeof expected, "%lld, the same (%s) as dimension %d of %s",
             (long long)b->size, symbol, b->dim, name_input(b->input));
    snprintf(found, sizeof found, "%lld", (long long)size);
    add_violation(c, in, AG_CHECK_SIZE_OF_DIMENSION, expected, found);
    return;
  }
  bounds[(*n)++] = (bound){symbol, size, in, i};
}

/* Any stride is right for a dimension of size 1, and for a tensor without elements. */
static void check_stride(input_check *c, const aotigen_input *in, int32_t i, const ag_tensor *t) {
  int64_t stride = in->dims[i].stride;
  char expected[32], found[32];
  if (stride == AOTIGEN_ANY || stride == t->strides[i] || t->sizes[i] == 1 || !t->numel) return;
  snprintf(expected, sizeof expected, "%lld", (long long)stride);
  snprintf(found, sizeof found, "%lld", (long long)t->strides[i]);
  if (!(in->flags & AOTIGEN_ANY_STRIDES)) {
    add_violation(c, in, AG_CHECK_STRIDE_OF_DIMENSION, expected, found);
    return;
  }
  ag_warn("run %llu: input '%s' has stride %s in dimension %d, and the model was compiled for %s: "
          "only operators that take any strides read it",
          (unsigned long long)c->run->number, name_input(in), found, i, expected);
  log_warning(c, in, AG_CHECK_STRIDE_OF_DIMENSION, expected, found);
}

static void check_dims(input_check *c, const aotigen_input *in, const ag_view *view, bound *bounds,
                       size_t *n) {
  char expected[32], found[32];
  if (!in->dims || in->ndim < 0) return;
  if (view->t.ndim != in->ndim) {
    snprintf(expected, sizeof expected, "%d dimensions", in->ndim);
    snprintf(found, sizeof found, "%d", view->t.ndim);
    add_violation(c, in, AG_CHECK_RANK, expected, found);
    return;
  }
  for (int32_t i = 0; i < in->ndim; i++) {
    c->dimension = i;
    check_size(c, in, i, view->t.sizes[i]);
    check_symbol(c, in, i, view->t.sizes[i], bounds, n);
    check_stride(c, in, i, &view->t);
  }
}

static void check_device(input_check *c, const aotigen_input *in, const ag_view *view) {
  char expected[64];
  ag_text found = {0};
  int32_t type = ag_device_type_of_name(in->device);
  ag_device_describe(&found, view->t.device_type, view->t.device_index);
  if (in->device && type != view->t.device_type) {
    add_violation(c, in, AG_CHECK_DEVICE, in->device, ag_text_string(&found));
  } else if (in->device && type != ag_device_type_of_name("cpu") && view->t.device_index >= 0) {
    if (c->index < 0) c->index = view->t.device_index;
    snprintf(expected, sizeof expected, "%s:%d, %s", in->device, c->index,
             c->run->state->model->device.index >= 0 ? "where the model was loaded"
                                                     : "as the inputs before it");
    if (c->index != view->t.device_index)
      add_violation(c, in, AG_CHECK_DEVICE_INDEX, expected, ag_text_string(&found));
  }
  ag_text_free(&found);
}

static bool is_cloned(const aotigen_input *in, const ag_view *view) {
  return in->flags & AOTIGEN_ALIGN16 && (uintptr_t)view->t.data % 16;
}

/* True if a kernel uses the input. Torch's operators handle such a bit. */
static bool is_used_by_kernel(const aotigen_model *m, const aotigen_input *in) {
  for (uint32_t i = 0; i < m->nsites; i++) {
    if (!(m->sites[i].flags & AOTIGEN_KERNEL)) continue;
    for (uint32_t k = 0; k < m->sites[i].nparams; k++) {
      const aotigen_param *p = &m->sites[i].params[k];
      if (p->kind == AOTIGEN_INPUT && !strcmp(p->name, in->name)) return true;
    }
  }
  return false;
}

static void check_lazy(input_check *c, const aotigen_input *in, const ag_view *view) {
  const char *bit = !is_cloned(in, view) ? ag_view_find_lazy_bit(view) : NULL;
  char found[64];
  if (!bit || !is_used_by_kernel(c->run->model, in)) return;
  ag_warn(
      "run %llu: input '%s' has the %s bit set, which the model's kernels ignore: its results may "
      "be right all the same",
      (unsigned long long)c->run->number, name_input(in), bit);
  snprintf(found, sizeof found, "the %s bit", bit);
  log_warning(c, in, AG_CHECK_MEMORY, "the tensor's values", found);
}

static void check_alignment(input_check *c, const aotigen_input *in, const ag_view *view) {
  char found[32];
  if (!view->t.numel || !is_cloned(in, view)) return;
  snprintf(found, sizeof found, "%p", view->t.data);
  ag_warn("run %llu: input '%s' is at %s, which 16 does not divide: the wrapper clones it",
          (unsigned long long)c->run->number, name_input(in), found);
  log_warning(c, in, AG_CHECK_ALIGNMENT, "an address that 16 divides", found);
}

static void check_input(input_check *c, const aotigen_input *in, const ag_view *view, bound *bounds,
                        size_t *n) {
  const ag_item item = item_of(c, in);
  if (view->state == AG_VIEW_OPAQUE) {
    bool strided = in->dims && in->ndim > 0 && in->dims[0].stride != AOTIGEN_ANY &&
                   !(in->flags & AOTIGEN_ANY_STRIDES);
    ag_finding_check_opaque(&c->finding, &item, view, in->dtype, strided);
    return;
  }
  if (view->state != AG_VIEW_OK) {
    add_violation(c, in, AG_CHECK_HANDLE, "a tensor", ag_finding_absence(view));
    return;
  }
  if (in->dtype && strcmp(in->dtype, view->t.dtype->name))
    add_violation(c, in, AG_CHECK_DTYPE, in->dtype, view->t.dtype->name);
  check_device(c, in, view);
  check_dims(c, in, view, bounds, n);
  ag_finding_check_memory(&c->finding, &item, view);
  check_lazy(c, in, view);
  check_alignment(c, in, view);
}

/* Stores the fault until the inputs have an owner and it can be thrown. */
static void end_check(input_check *c, ag_text *fault) {
  ag_finding *f = &c->finding;
  if (!f->violations) return;
  ag_text_addf(fault, "aotigen: %d input%s not what the model was built for, in run %llu of %s\n",
               f->items, f->items == 1 ? " is" : "s are", (unsigned long long)c->run->number,
               c->run->model->source);
  ag_finding_end(f, fault);
  ag_report_tell(c->run->state->model, fault);
  if (ag_settings_get()->on_fault == AG_FAULT_REPORT) ag_text_clear(fault);
}

static size_t count_dims(const aotigen_model *m) {
  size_t n = 0;
  for (uint32_t i = 0; i < m->ninputs; i++)
    n += m->inputs[i].ndim > 0 ? (size_t)m->inputs[i].ndim : 0;
  return n;
}

int32_t ag_inputs_device(const aotigen_run *run, const void *const *handles) {
  const ag_model_state *m = run->state->model;
  ag_view *v = &run->state->texts.view;
  int32_t device = m->device.index;
  for (uint32_t i = 0; i < run->model->ninputs && m->device.backend && device < 0; i++) {
    ag_view_of_handle(v, handles[i]);
    device = ag_model_state_device(m, v);
  }
  return device;
}

void ag_inputs_check(aotigen_run *run, const void *const *handles) {
  aotigen_run_state *s = run->state;
  const aotigen_model *m = run->model;
  input_check c = {
      .run = run,
      .finding = {.event = EVENT_INPUT, .model = m, .run = run->number, .in_run = true},
      .view = &s->texts.view,
      .index = s->model->device.index};
  size_t nbounds = 0;
  bound *bounds = m->check_inputs & 1 ? calloc(count_dims(m) + 1, sizeof *bounds) : NULL;
  for (uint32_t i = 0; i < m->ninputs; i++) {
    ag_view *v = &s->texts.view;
    ag_view_of_handle(v, handles[i]);
    if (bounds) check_input(&c, &m->inputs[i], v, bounds, &nbounds);
    if (v->state == AG_VIEW_OK && ag_view_is_readable(v) && m->nan_asserts)
      ag_ranges_write(&s->covered.inputs, v, 0, i, v->dense, &ag_unscanned);
  }
  end_check(&c, &s->texts.inputs_fault);
  free(bounds);
}

const char *aotigen_inputs_owned(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (!s || !s->texts.inputs_fault.length) return NULL;
  ag_text *message = &s->texts.message;
  ag_report_summarize(message, ag_text_string(&s->texts.inputs_fault));
  ag_text_clear(&s->texts.inputs_fault);
  return ag_text_string(message);
}

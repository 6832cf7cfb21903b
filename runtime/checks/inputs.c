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
#include "checks/input_sizes.h"
#include "shared/postfix.h"

/* Sizes that other inputs set. */
typedef struct bound {
  const char *symbol;
  int64_t size;
  const aotigen_input *input;
  int32_t dim;
} bound;

/* The sizes of an input, for promises that name several inputs. */
typedef struct seen_input {
  const int64_t *sizes;
  int32_t ndim;   /* 0 while they are not known */
  uint64_t wrong; /* bit i: the size of dimension i is reported */
} seen_input;

typedef struct input_check {
  const aotigen_run *run;
  ag_finding finding;
  const void *const *handles;
  const ag_view *view; /* the input that is checked */
  seen_input *seen;    /* one for each input */
  bound *bounds;
  size_t nbounds;
  int64_t *sizes;    /* what is left of the room for sizes */
  int32_t index;     /* the index of the device that the inputs are on, -1 while it is not known */
  int32_t dimension; /* the dimension that is checked */
} input_check;

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

/* The same, of a size. */
static void add_wrong_size(input_check *c, const aotigen_input *in, const char *expected,
                           int64_t size) {
  char found[32];
  snprintf(found, sizeof found, "%lld", (long long)size);
  if (c->dimension < 64) c->seen[in - c->run->model->inputs].wrong |= UINT64_C(1) << c->dimension;
  add_violation(c, in, AG_CHECK_SIZE_OF_DIMENSION, expected, found);
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

/* The sizes that the export allows where the compiler has narrowed the range, or NULL. */
static const char *find_narrowed(const input_check *c, const aotigen_input *in, int32_t i) {
  const aotigen_model *m = c->run->model;
  for (uint32_t k = 0; k < m->npromises; k++) {
    const aotigen_promise *p = &m->promises[k];
    if (p->kind == AOTIGEN_PROMISE_NARROWED && p->input == in - m->inputs && p->dim == (uint32_t)i)
      return p->text;
  }
  return NULL;
}

static void report_size(input_check *c, const aotigen_input *in, int32_t i, int64_t size,
                        bool low) {
  const aotigen_dim *d = &in->dims[i];
  const char *allowed = low && d->min != d->max ? NULL : find_narrowed(c, in, i);
  char expected[320];
  int n;
  if (d->min == d->max)
    n = snprintf(expected, sizeof expected, "%lld", (long long)d->min);
  else
    n = snprintf(expected, sizeof expected, "at %s %lld%s%.40s", low ? "least" : "most",
                 (long long)(low ? d->min : d->max), d->symbol ? ", by the range of " : "",
                 d->symbol ? d->symbol : "");
  if (allowed)
    snprintf(expected + n, sizeof expected - (size_t)n,
             " (the export allows %.100s, the compiler narrowed the range: a model without checks "
             "may compute wrong numbers there)",
             allowed);
  add_wrong_size(c, in, expected, size);
}

static void check_size(input_check *c, const aotigen_input *in, int32_t i, int64_t size) {
  const aotigen_dim *d = &in->dims[i];
  char found[32];
  bool low = d->min != AOTIGEN_ANY && size < d->min, high = d->max != AOTIGEN_ANY && size > d->max;
  if (!low && !high) return;
  /* torch's range for a size that is not specialised: sizes 0 and 1 often work */
  if (low && d->min == 2 && d->max != 2) {
    if (!says_small(c, in, size)) return;
    ag_warn("run %llu: input '%s' has size %lld in dimension %d, but the model was compiled for "
            "sizes from 2 on: its results may be right all the same",
            (unsigned long long)c->run->number, name_input(in), (long long)size, i);
    snprintf(found, sizeof found, "%lld", (long long)size);
    log_warning(c, in, AG_CHECK_SIZE_OF_DIMENSION, "at least 2", found);
    return;
  }
  report_size(c, in, i, size, low);
}

static void check_symbol(input_check *c, const aotigen_input *in, int32_t i, int64_t size) {
  const char *symbol = in->dims[i].symbol;
  if (!symbol) return;
  for (size_t k = 0; k < c->nbounds; k++) {
    const bound *b = &c->bounds[k];
    char expected[160];
    if (strcmp(b->symbol, symbol)) continue;
    if (b->size == size) return;
    snprintf(expected, sizeof expected, "%lld, the same (%s) as dimension %d of %s",
             (long long)b->size, symbol, b->dim, name_input(b->input));
    add_wrong_size(c, in, expected, size);
    return;
  }
  c->bounds[c->nbounds++] = (bound){symbol, size, in, i};
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

static void keep_sizes(input_check *c, const aotigen_input *in, const ag_view *view) {
  seen_input *seen = &c->seen[in - c->run->model->inputs];
  memcpy(c->sizes, view->t.sizes, (size_t)in->ndim * sizeof *c->sizes);
  seen->sizes = c->sizes;
  seen->ndim = in->ndim;
  c->sizes += in->ndim;
}

static void check_dims(input_check *c, const aotigen_input *in, const ag_view *view) {
  char expected[32], found[32];
  if (!in->dims || in->ndim < 0) return;
  if (view->t.ndim != in->ndim) {
    snprintf(expected, sizeof expected, "%d dimensions", in->ndim);
    snprintf(found, sizeof found, "%d", view->t.ndim);
    add_violation(c, in, AG_CHECK_RANK, expected, found);
    return;
  }
  keep_sizes(c, in, view);
  for (int32_t i = 0; i < in->ndim; i++) {
    c->dimension = i;
    check_size(c, in, i, view->t.sizes[i]);
    check_symbol(c, in, i, view->t.sizes[i]);
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

static void check_input(input_check *c, const aotigen_input *in, const ag_view *view) {
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
  check_dims(c, in, view);
  ag_finding_check_memory(&c->finding, &item, view);
  check_lazy(c, in, view);
  check_alignment(c, in, view);
}

/* ---- what the exported program promises ----------------------------------------------------- */

static bool find_size(const void *of, int64_t input, int64_t dim, int64_t *value) {
  const input_check *c = of;
  if (input >= c->run->model->ninputs || dim >= c->seen[input].ndim) return false;
  *value = c->seen[input].sizes[dim];
  return true;
}

static bool no_argument(const void *of, int64_t argument, int64_t *value) {
  (void)of, (void)argument, (void)value;
  return false;
}

/* True if a size that the text names is reported, or if a name of `code` is no size. */
static bool is_reported(const input_check *c, const char *code) {
  for (const char *p = strchr(code, '#'); p; p = strchr(p + 1, '#')) {
    char *dot;
    const unsigned long input = strtoul(p + 1, &dot, 10), dim = strtoul(dot + 1, NULL, 10);
    if (input >= c->run->model->ninputs || (dim < 64 && c->seen[input].wrong >> dim & 1))
      return true;
  }
  return false;
}

/* ", with y.size(0) = 7" for each size that the condition names besides the first. */
static void add_other_sizes(ag_text *t, const input_check *c, const aotigen_promise *p) {
  const aotigen_model *m = c->run->model;
  const char *separator = ", with ";
  for (const char *at = strchr(p->code, '#'); at; at = strchr(at + 1, '#')) {
    char *dot;
    const unsigned long input = strtoul(at + 1, &dot, 10), dim = strtoul(dot + 1, NULL, 10);
    if (input >= m->ninputs || (int32_t)dim >= c->seen[input].ndim) return;
    if (input == p->input && dim == p->dim) continue;
    ag_text_addf(t, "%s%s.size(%lu) = %lld", separator, name_input(&m->inputs[input]), dim,
                 (long long)c->seen[input].sizes[dim]);
    separator = ", ";
  }
}

/* Warns of each such condition once. */
static void warn_excluded(const input_check *c, const aotigen_promise *p, const char *found) {
  const aotigen_model *m = c->run->model;
  const aotigen_input *in = &m->inputs[p->input];
  atomic_uchar *said = &c->run->state->model->said.promises[p - m->promises];
  if (atomic_exchange(said, 1)) return;
  ag_warn(
      "run %llu: input '%s' has size %s in dimension %u, and the model was exported for %s: its "
      "results may be right all the same",
      (unsigned long long)c->run->number, name_input(in), found, p->dim, p->text);
  log_warning(c, in, AG_CHECK_SIZE_OF_DIMENSION, p->text, found);
}

static void check_promise(input_check *c, const aotigen_promise *p) {
  const ag_postfix_values values = {no_argument, find_size, c};
  const char *code = p->code;
  int64_t holds, size;
  if (!*code || is_reported(c, code) || !ag_postfix_take(&code, &values, &holds) || holds) return;
  if (!find_size(c, p->input, p->dim, &size)) return;
  ag_text expected = {0}, found = {0};
  ag_text_addf(&expected, "%s, by the exported program's guard", p->text);
  ag_text_addf(&found, "%lld", (long long)size);
  add_other_sizes(&found, c, p);
  c->dimension = (int32_t)p->dim;
  ag_view_of_handle(&c->run->state->texts.view, c->handles[p->input]);
  if (p->kind == AOTIGEN_PROMISE_EXCLUDES)
    warn_excluded(c, p, ag_text_string(&found));
  else
    add_violation(c, &c->run->model->inputs[p->input], AG_CHECK_SIZE_OF_DIMENSION,
                  ag_text_string(&expected), ag_text_string(&found));
  ag_text_free(&expected);
  ag_text_free(&found);
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

/* Room for what is kept of the inputs; NULL where they are not checked. */
static void *begin_check(input_check *c, const aotigen_model *m) {
  const size_t dims = count_dims(m) + 1, inputs = m->ninputs + 1;
  char *room = m->check_inputs & 1 ? calloc(1, dims * sizeof *c->bounds + dims * sizeof *c->sizes +
                                                   inputs * sizeof *c->seen)
                                   : NULL;
  if (!room) return NULL;
  c->bounds = (bound *)(void *)room;
  c->seen = (seen_input *)(void *)(c->bounds + dims);
  c->sizes = (int64_t *)(void *)(c->seen + inputs);
  return room;
}

void ag_inputs_check(aotigen_run *run, const void *const *handles) {
  aotigen_run_state *s = run->state;
  const aotigen_model *m = run->model;
  input_check c = {
      .run = run,
      .finding = {.event = EVENT_INPUT, .model = m, .run = run->number, .in_run = true},
      .handles = handles,
      .view = &s->texts.view,
      .index = s->model->device.index};
  void *room = begin_check(&c, m);
  for (uint32_t i = 0; i < m->ninputs; i++) {
    ag_view *v = &s->texts.view;
    ag_view_of_handle(v, handles[i]);
    ag_input_sizes_add(s, v);
    if (room) check_input(&c, &m->inputs[i], v);
    if (v->state == AG_VIEW_OK && ag_view_is_readable(v) && ag_wants_given(m))
      ag_ranges_write(&s->covered.inputs, v, 0, i, v->dense, &ag_unscanned);
  }
  for (uint32_t i = 0; room && i < m->npromises; i++) check_promise(&c, &m->promises[i]);
  end_check(&c, &s->texts.inputs_fault);
  free(room);
}

const char *aotigen_inputs_owned(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (!s || !s->texts.inputs_fault.length) return NULL;
  ag_text *message = &s->texts.message;
  ag_report_summarize(message, ag_text_string(&s->texts.inputs_fault));
  ag_text_clear(&s->texts.inputs_fault);
  return ag_text_string(message);
}

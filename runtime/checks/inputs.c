/* inputs.c - the model's inputs against what it was built for: all violations in one report. Reads
 * no element.
 *
 * Also where a run learns which bytes are inputs, for the NaN assert to name them.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/finding.h"
#include "launch/launch_record.h"
#include "base/sink.h"

typedef struct report {
  aotigen_run *run;
  ag_text lines;
  int violations, inputs;
  const aotigen_input *last;
  int32_t index; /* of the device that the inputs are on, -1 while it is not known */
} report;

/* Sizes that other inputs set. */
typedef struct bound {
  const char *symbol;
  int64_t size;
  const aotigen_input *input;
  int32_t dim;
} bound;

static void event(report *r, const char *name, const aotigen_input *in, const char *check,
                  const char *expected, const char *found) {
  ag_text t;
  if (!ag_sink_logging()) return;
  ag_event_run(&t, name, r->run);
  ag_event_string(&t, "device", r->run->model->device);
  ag_event_string(&t, "arg", in->name);
  ag_event_string(&t, "python_name", in->python_name);
  ag_event_string(&t, "check", check);
  ag_event_string(&t, "expected", expected);
  ag_event_string(&t, "found", found);
  ag_event_end(&t);
}

static void violation(report *r, const aotigen_input *in, const char *check, const char *expected,
                      const char *found) {
  if (r->last != in) {
    ag_add(&r->lines, "  input         ");
    ag_report_two_names(&r->lines, in->python_name, in->name);
    if (r->run->state->view.state == AG_VIEW_OK) {
      ag_add(&r->lines, ": ");
      ag_add_view(&r->lines, &r->run->state->view);
    }
    ag_add(&r->lines, "\n");
    r->last = in;
    r->inputs++;
  }
  r->violations++;
  ag_addf(&r->lines, "                %s: expected %s, found %s\n", check, expected, found);
  event(r, "input", in, check, expected, found);
}

static void check_size(report *r, const aotigen_input *in, int32_t i, int64_t size) {
  const aotigen_dim *d = &in->dims[i];
  char check[32], expected[64], found[32];
  snprintf(check, sizeof check, "size of dimension %d", i);
  snprintf(found, sizeof found, "%lld", (long long)size);
  bool low = d->min != AOTIGEN_ANY && size < d->min, high = d->max != AOTIGEN_ANY && size > d->max;
  if (!low && !high) return;
  if (low && d->min == 2 &&
      d->max != 2) { /* torch's range for whatever is not specialised: sizes 0 and 1 often work */
    ag_warn("run %llu: input '%s' has size %lld in dimension %d, below the least that the wrapper "
            "names (2)",
            (unsigned long long)r->run->number, in->python_name ? in->python_name : in->name,
            (long long)size, i);
    event(r, "warning", in, check, "at least 2", found);
    return;
  }
  if (d->min == d->max)
    snprintf(expected, sizeof expected, "%lld", (long long)d->min);
  else
    snprintf(expected, sizeof expected, "at %s %lld%s%s", low ? "least" : "most",
             (long long)(low ? d->min : d->max), d->symbol ? ", by the range of " : "",
             d->symbol ? d->symbol : "");
  violation(r, in, check, expected, found);
}

static void check_symbol(report *r, const aotigen_input *in, int32_t i, int64_t size, bound *bounds,
                         size_t *n) {
  const char *symbol = in->dims[i].symbol;
  if (!symbol) return;
  for (size_t k = 0; k < *n; k++) {
    const bound *b = &bounds[k];
    char check[32], expected[160], found[32];
    if (strcmp(b->symbol, symbol)) continue;
    if (b->size == size) return;
    snprintf(check, sizeof check, "size of dimension %d", i);
    snprintf(expected, sizeof expected, "%lld, the same (%s) as dimension %d of %s",
             (long long)b->size, symbol, b->dim,
             b->input->python_name ? b->input->python_name : b->input->name);
    snprintf(found, sizeof found, "%lld", (long long)size);
    violation(r, in, check, expected, found);
    return;
  }
  bounds[(*n)++] = (bound){symbol, size, in, i};
}

static void check_dims(report *r, const aotigen_input *in, const ag_view *v, bound *bounds,
                       size_t *n) {
  char check[32], expected[32], found[32];
  if (!in->dims || in->ndim < 0) return;
  if (v->t.ndim != in->ndim) {
    snprintf(expected, sizeof expected, "%d dimensions", in->ndim);
    snprintf(found, sizeof found, "%d", v->t.ndim);
    violation(r, in, "rank", expected, found);
    return;
  }
  for (int32_t i = 0; i < in->ndim; i++) {
    check_size(r, in, i, v->t.sizes[i]);
    check_symbol(r, in, i, v->t.sizes[i], bounds, n);
    if (in->dims[i].stride == AOTIGEN_ANY || in->dims[i].stride == v->t.strides[i]) continue;
    snprintf(check, sizeof check, "stride of dimension %d", i);
    snprintf(expected, sizeof expected, "%lld", (long long)in->dims[i].stride);
    snprintf(found, sizeof found, "%lld", (long long)v->t.strides[i]);
    violation(r, in, check, expected, found);
  }
}

static void check_device(report *r, const aotigen_input *in, const ag_view *v) {
  char expected[64];
  ag_text found = {0};
  int32_t type = ag_device_type(in->device);
  ag_add_device(&found, v->t.device_type, v->t.device_index);
  if (in->device && type != v->t.device_type) {
    violation(r, in, "device", in->device, ag_text_string(&found));
  } else if (in->device && type != ag_device_type("cpu") && v->t.device_index >= 0) {
    if (r->index < 0) r->index = v->t.device_index;
    snprintf(expected, sizeof expected, "%s:%d, %s", in->device, r->index,
             r->run->state->model->device_index >= 0 ? "where the model was loaded"
                                                     : "as the inputs before it");
    if (r->index != v->t.device_index)
      violation(r, in, "device index", expected, ag_text_string(&found));
  }
  ag_text_free(&found);
}

static void check_memory(report *r, const aotigen_input *in, const ag_view *v) {
  char expected[64], found[64];
  if (!v->t.numel) return;
  if (!v->t.data) violation(r, in, "data pointer", "memory for its elements", "null");
  if (!ag_view_fits(v)) {
    snprintf(expected, sizeof expected, "at least %lld bytes",
             (long long)(v->first_byte + v->highest * v->t.dtype->item_size));
    snprintf(found, sizeof found, "%lld bytes", (long long)v->storage_bytes);
    violation(r, in, "storage", expected, found);
  }
  if (!(in->flags & AOTIGEN_ALIGN16) || !v->t.data || !((uintptr_t)v->t.data % 16)) return;
  snprintf(found, sizeof found, "%p", v->t.data);
  ag_warn("run %llu: input '%s' is at %s, which 16 does not divide: the wrapper clones it",
          (unsigned long long)r->run->number, in->python_name ? in->python_name : in->name, found);
  event(r, "warning", in, "alignment", "an address that 16 divides", found);
}

static void check_input(report *r, const aotigen_input *in, const ag_view *v, bound *bounds,
                        size_t *n) {
  if (v->state == AG_VIEW_OPAQUE) return;
  if (v->state != AG_VIEW_OK) {
    violation(r, in, "handle", "a tensor",
              v->state == AG_VIEW_NULL        ? "null"
              : v->state == AG_VIEW_UNDEFINED ? "an undefined tensor"
                                              : v->why);
    return;
  }
  if (in->dtype && strcmp(in->dtype, v->t.dtype->name))
    violation(r, in, "dtype", in->dtype, v->t.dtype->name);
  check_device(r, in, v);
  check_dims(r, in, v, bounds, n);
  check_memory(r, in, v);
}

/* The whole report, kept until the inputs have an owner and the fault can be thrown. */
static void finish(report *r) {
  aotigen_run_state *s = r->run->state;
  ag_text *t = &s->inputs_fault;
  if (!r->violations) return;
  ag_addf(t, "aotigen: %d input%s not what the model was built for, in run %llu of %s\n", r->inputs,
          r->inputs == 1 ? " is" : "s are", (unsigned long long)r->run->number,
          r->run->model->source);
  ag_add_bytes(t, r->lines.data, r->lines.length);
  ag_report_write(t);
  if (ag_get_settings()->on_fault == AG_FAULT_REPORT) ag_text_clear(t);
}

static size_t count_dims(const aotigen_model *m) {
  size_t n = 0;
  for (uint32_t i = 0; i < m->ninputs; i++)
    n += m->inputs[i].ndim > 0 ? (size_t)m->inputs[i].ndim : 0;
  return n;
}

/* The printer takes arguments of a launch: an input is one that launch 0 reads. */
static void show_input(aotigen_run *run, uint32_t i, aotigen_param *param, ag_arg *a) {
  const aotigen_input *in = &run->model->inputs[i];
  *param = (aotigen_param){.name = in->name,
                           .python_name = in->python_name,
                           .dtype = in->dtype,
                           .role = AOTIGEN_IN,
                           .kind = AOTIGEN_INPUT};
  a->param = param;
  a->value = (aotigen_value){.is = AOTIGEN_V_HANDLE};
  a->earlier = a->later = NULL;
  a->view = run->state->view;
  ag_arg_reset(a);
}

static int32_t device_of(const aotigen_run *run, const void *const *handles) {
  const ag_model_state *m = run->state->model;
  ag_view *v = &run->state->view;
  int32_t device = m->device_index;
  for (uint32_t i = 0; i < run->model->ninputs && m->backend && device < 0; i++) {
    ag_view_of_handle(v, handles[i]);
    device = ag_view_device(m, v);
  }
  return device;
}

/* Level 2: the inputs' values, at once or on record. */
static void print_inputs(aotigen_run *run, const void *const *handles) {
  aotigen_run_state *s = run->state;
  uint32_t n = run->model->ninputs;
  bool recorded = s->mode == AG_PLANNING && ag_record_begin(run, AG_NO_SITE, n);
  aotigen_param *params = recorded ? ag_record_memory(s->record, (n + 1) * sizeof *params)
                                   : calloc(n + 1, sizeof *params);
  if (!recorded &&
      (s->mode == AG_PLANNING || !ag_grow((void **)&s->own_args, &s->room, n, sizeof *s->own_args)))
    n = 0;
  if (!recorded) s->args = s->own_args;
  s->nargs = params ? n : 0;
  for (uint32_t i = 0; i < s->nargs; i++) {
    ag_view_of_handle(&s->view, handles[i]);
    show_input(run, i, &params[i], &s->args[i]);
  }
  if (recorded) {
    s->record->nargs = s->nargs; /* those that there was memory to describe */
    ag_record_publish(run);
  }
  for (uint32_t i = 0; i < s->nargs; i++)
    if (s->args[i].view.state == AG_VIEW_OK)
      ag_print_input(run, &run->model->inputs[i], &s->args[i]);
  if (recorded) {
    ag_record_ask(run, AG_BEFORE); /* of a device that is dead the first launch will tell */
    ag_record_launched(run);
  } else {
    free(params);
  }
}

void aotigen_check_inputs(aotigen_run *run, const void *const *handles) {
  aotigen_run_state *s = run->state;
  const aotigen_model *m = run->model;
  if (!s) return;
  report r = {.run = run, .index = s->model->device_index};
  size_t nbounds = 0;
  bool checked = m->check_inputs & 1,
       shown = run->wanted != s->model->none && ag_in_list(&ag_get_settings()->launches, 0);
  bound *bounds = checked ? calloc(count_dims(m) + 1, sizeof *bounds) : NULL;
  s->inputs_device = device_of(run, handles);
  if (shown && (m->printer == 1 || m->printer == 2)) ag_defer(run, s->inputs_device);
  shown = shown && !s->left_out;
  for (uint32_t i = 0; i < m->ninputs; i++) {
    ag_view_of_handle(&s->view, handles[i]);
    if (bounds) check_input(&r, &m->inputs[i], &s->view, bounds, &nbounds);
    if (s->view.state != AG_VIEW_OK) continue;
    if (m->nan_asserts) ag_ranges_write(&s->inputs, &s->view, 0, i, s->view.dense, &ag_unscanned);
    if (m->printer == 1 && shown) ag_save_input(run, &m->inputs[i], &s->view);
  }
  if (m->printer == 2 && shown) print_inputs(run, handles);
  finish(&r);
  free(bounds);
  ag_text_free(&r.lines);
}

const char *aotigen_inputs_owned(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (!s || !s->inputs_fault.length) return NULL;
  ag_text_clear(&s->message);
  ag_add_bytes(&s->message, s->inputs_fault.data, s->inputs_fault.length);
  ag_text_clear(&s->inputs_fault);
  return ag_text_string(&s->message);
}

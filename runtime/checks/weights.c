/* weights.c - the weights against the table of the wrapper, once for each set of them. Reads no
 * element.
 *
 * Also where a run learns which bytes are weights. That is kept from run to run, and made again
 * where a weight's data moved or aotigen_weights_changed() was called.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/finding.h"
#include "tensor/shim.h"
#include "base/sink.h"

typedef struct report {
  aotigen_run *run;
  ag_text *text;
  int violations;
} report;

static void violation(report *r, const aotigen_weight *w, const char *check, const char *expected,
                      const char *found) {
  ag_text event;
  if (!r->violations++) {
    ag_text_clear(r->text);
    ag_addf(r->text,
            "aotigen: the weights are not what the model was built for, in run %llu of %s\n",
            (unsigned long long)r->run->number, r->run->model->source);
  }
  ag_add(r->text, "  weight        ");
  ag_report_two_names(r->text, w->fqn, w->name);
  ag_addf(r->text, "\n                %s: expected %s, found %s\n", check, expected, found);
  ag_event_run(&event, "weight", r->run);
  ag_event_string(&event, "arg", w->name);
  ag_event_string(&event, "python_name", w->fqn);
  ag_event_string(&event, "check", check);
  ag_event_string(&event, "expected", expected);
  ag_event_string(&event, "found", found);
  ag_event_end(&event);
}

static void check_shape(report *r, const aotigen_weight *w, const ag_view *v) {
  ag_text expected = {0}, found = {0};
  size_t bytes = w->ndim > 0 ? (size_t)w->ndim * sizeof(int64_t) : 0;
  if (w->ndim != v->t.ndim || (bytes && w->shape && memcmp(w->shape, v->t.sizes, bytes))) {
    if (w->shape) ag_add_list(&expected, w->shape, w->ndim, "[", ", ", "]");
    ag_add_list(&found, v->t.sizes, v->t.ndim, "[", ", ", "]");
    violation(r, w, "shape", ag_text_string(&expected), ag_text_string(&found));
  } else if (bytes && w->stride && v->t.numel && memcmp(w->stride, v->t.strides, bytes)) {
    for (int32_t i = 0; i < w->ndim; i++) { /* of a dimension of size 1 any stride is right */
      if (w->stride[i] == v->t.strides[i] || v->t.sizes[i] == 1) continue;
      ag_add_list(&expected, w->stride, w->ndim, "[", ", ", "]");
      ag_add_list(&found, v->t.strides, v->t.ndim, "[", ", ", "]");
      violation(r, w, "strides", ag_text_string(&expected), ag_text_string(&found));
      break;
    }
  }
  ag_text_free(&expected);
  ag_text_free(&found);
}

static void check_weight(report *r, const aotigen_weight *w, const ag_view *v) {
  char expected[64], found[64];
  if (v->state == AG_VIEW_NONE || v->state == AG_VIEW_OPAQUE) return;
  if (v->state != AG_VIEW_OK) {
    violation(r, w, "handle", "a tensor",
              v->state == AG_VIEW_NULL        ? "none: it is missing"
              : v->state == AG_VIEW_UNDEFINED ? "an undefined tensor"
                                              : v->why);
    return;
  }
  if (w->dtype && strcmp(w->dtype, v->t.dtype->name))
    violation(r, w, "dtype", w->dtype, v->t.dtype->name);
  if (w->device && ag_device_type(w->device) != v->t.device_type)
    violation(r, w, "device", w->device, ag_device_name(v->t.device_type));
  check_shape(r, w, v);
  if (!v->t.numel) return;
  if (!v->t.data) violation(r, w, "data pointer", "memory for its elements", "null");
  if (!ag_view_fits(v)) {
    snprintf(expected, sizeof expected, "at least %lld bytes",
             (long long)(v->first_byte + v->highest * v->t.dtype->item_size));
    snprintf(found, sizeof found, "%lld bytes: it is short", (long long)v->storage_bytes);
    violation(r, w, "storage", expected, found);
  }
  if ((uintptr_t)v->t.data % v->t.dtype->item_size && v->t.dtype->item_size <= 8) {
    snprintf(expected, sizeof expected, "an address that %d divides", v->t.dtype->item_size);
    snprintf(found, sizeof found, "%p", v->t.data);
    violation(r, w, "alignment", expected, found);
  }
}

/* Are these the weights that were seen in the last run with this state. */
static bool same_weights(aotigen_run_state *s, const aotigen_value *values, size_t n) {
  bool same = s->weights_checked && s->weights_generation == atomic_load(&s->model->generation);
  for (size_t i = 0; i < n; i++) {
    void *data = NULL;
    if (values[i].is == AOTIGEN_V_HANDLE && values[i].v.handle &&
        AOTIGEN_SHIM(get_data_ptr)((AtenTensorHandle)(uintptr_t)values[i].v.handle, &data))
      data = NULL;
    if (s->weight_data[i] != data) same = false;
    s->weight_data[i] = data;
  }
  return same;
}

const char *aotigen_check_weights(aotigen_run *run, const aotigen_value *values, size_t n) {
  aotigen_run_state *s = run->state;
  const aotigen_model *m = run->model;
  bool filtered = s && run->wanted == s->model->none;
  if (!s || (!m->check_inputs && (!m->nan_asserts || filtered))) return NULL;
  if (n > m->nweights) n = m->nweights;
  if (!s->weight_data) s->weight_data = calloc(m->nweights + 1, sizeof *s->weight_data);
  if (!s->weight_data) return NULL;
  unsigned long long generation = atomic_load(&s->model->generation);
  /* To ask each weight where it is now costs more than all else that is left of such a run; the
   * next one that is wanted does. */
  if (filtered && s->weights_checked && s->weights_generation == generation) return NULL;
  if (same_weights(s, values, n)) return NULL;
  report r = {run, &s->scratch, 0};
  ag_ranges_clear(&s->weights);
  for (size_t i = 0; i < n; i++) {
    const aotigen_weight *w = &m->weights[i];
    ag_view_of(&s->view, &values[i], NULL);
    if (w->from_folded && !run->number) continue;
    if (m->check_inputs) check_weight(&r, w, &s->view);
    if (s->view.state == AG_VIEW_OK)
      ag_ranges_write(&s->weights, &s->view, 0, (uint32_t)i, s->view.dense, &ag_unscanned);
  }
  s->tables_settled = false;
  s->weights_news = true;
  s->weights_checked = !r.violations;
  s->weights_generation = generation;
  return r.violations ? ag_report_fault(run, r.text) : NULL;
}

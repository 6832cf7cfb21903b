/* weights.c - the weights against the table of the wrapper, once for each set of them. Reads no
 * element.
 *
 * Also where a run learns which bytes are weights. The run state keeps that from run to run; it is
 * made anew where a weight's data moved or aotigen_weights_changed() was called.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/finding.h"
#include "checks/shared_memory.h"
#include "state/run_state.h"
#include "tensor/shim.h"

static void add_violation(ag_finding *f, const aotigen_weight *w, enum ag_check check,
                          const char *expected, const char *found) {
  const ag_item item = {.label = "weight", .name = w->name, .python_name = w->fqn};
  ag_finding_add(f, &item, check, expected, found);
}

static void check_shape(ag_finding *f, const aotigen_weight *weight, const ag_view *view) {
  ag_text expected = {0}, found = {0};
  size_t bytes = weight->ndim > 0 ? (size_t)weight->ndim * sizeof(int64_t) : 0;
  if (weight->ndim != view->t.ndim ||
      (bytes && weight->shape && memcmp(weight->shape, view->t.sizes, bytes))) {
    if (weight->shape) ag_text_add_list(&expected, weight->shape, weight->ndim, "[", ", ", "]");
    ag_text_add_list(&found, view->t.sizes, view->t.ndim, "[", ", ", "]");
    add_violation(f, weight, AG_CHECK_SHAPE, ag_text_string(&expected), ag_text_string(&found));
  } else if (bytes && weight->stride && view->t.numel &&
             memcmp(weight->stride, view->t.strides, bytes)) {
    for (int32_t i = 0; i < weight->ndim; i++) { /* any stride is right for a dimension of size 1 */
      if (weight->stride[i] == view->t.strides[i] || view->t.sizes[i] == 1) continue;
      ag_text_add_list(&expected, weight->stride, weight->ndim, "[", ", ", "]");
      ag_text_add_list(&found, view->t.strides, view->t.ndim, "[", ", ", "]");
      add_violation(f, weight, AG_CHECK_STRIDES, ag_text_string(&expected), ag_text_string(&found));
      break;
    }
  }
  ag_text_free(&expected);
  ag_text_free(&found);
}

static void check_weight(ag_finding *f, const aotigen_weight *w, const ag_view *view) {
  char expected[64], found[64];
  const ag_item item = {.label = "weight", .name = w->name, .python_name = w->fqn};
  if (view->state == AG_VIEW_NONE) return;
  if (view->state == AG_VIEW_OPAQUE) { /* oneDNN has weights in a layout of its own */
    ag_finding_check_opaque(f, &item, view, w->dtype, false);
    return;
  }
  if (view->state != AG_VIEW_OK) {
    add_violation(f, w, AG_CHECK_HANDLE, "a tensor",
                  view->state == AG_VIEW_NULL ? "none: it is missing" : ag_finding_absence(view));
    return;
  }
  if (w->dtype && strcmp(w->dtype, view->t.dtype->name))
    add_violation(f, w, AG_CHECK_DTYPE, w->dtype, view->t.dtype->name);
  if (w->device && ag_device_type_of_name(w->device) != view->t.device_type)
    add_violation(f, w, AG_CHECK_DEVICE, w->device, ag_device_type_name(view->t.device_type));
  check_shape(f, w, view);
  ag_finding_check_memory(f, &item, view);
  if (!view->t.numel) return;
  if ((uintptr_t)view->t.data % view->t.dtype->item_size && view->t.dtype->item_size <= 8) {
    snprintf(expected, sizeof expected, "an address that %d divides", view->t.dtype->item_size);
    snprintf(found, sizeof found, "%p", view->t.data);
    add_violation(f, w, AG_CHECK_ALIGNMENT, expected, found);
  }
}

/* True if these are the weights of the last run with this state. */
static bool are_same(aotigen_run_state *s, const aotigen_value *values, size_t n) {
  ag_weights_seen *seen = &s->weights;
  bool same = seen->checked && seen->generation == atomic_load(&s->model->generation);
  for (size_t i = 0; i < n; i++) {
    void *data = NULL;
    if (values[i].kind == AOTIGEN_V_HANDLE && values[i].v.handle &&
        AOTIGEN_SHIM(get_data_ptr)((AtenTensorHandle)(uintptr_t)values[i].v.handle, &data))
      data = NULL;
    if (seen->data[i] != data) same = false;
    seen->data[i] = data;
  }
  return same;
}

static void check_all(aotigen_run *run, const aotigen_value *values, size_t n, ag_finding *f) {
  aotigen_run_state *s = run->state;
  ag_view *view = &s->texts.view;
  ag_ranges_clear(&s->covered.weights);
  for (size_t i = 0; i < n; i++) {
    const aotigen_weight *w = &run->model->weights[i];
    ag_view_of_value(view, &values[i], NULL);
    if (w->from_folded && !run->number) continue;
    if (run->model->check_inputs) check_weight(f, w, view);
    if (view->state == AG_VIEW_OK && ag_view_is_readable(view))
      ag_ranges_write(&s->covered.weights, view, 0, (uint32_t)i, view->dense, &ag_unscanned);
  }
}

const char *aotigen_check_weights(aotigen_run *run, const aotigen_value *values, size_t n) {
  aotigen_run_state *s = run->state;
  const aotigen_model *m = run->model;
  bool filtered = s && run->wanted == s->model->none;
  if (!s || s->progress.unchecked) return NULL;
  if (!m->check_inputs && (!ag_wants_given(m) || filtered)) return NULL;
  ag_weights_seen *seen = &s->weights;
  if (n > m->nweights) n = m->nweights;
  if (!seen->data) seen->data = calloc(m->nweights + 1, sizeof *seen->data);
  if (!seen->data) return NULL;
  unsigned long long generation = atomic_load(&s->model->generation);
  /* To ask each weight where it is costs more than the rest of such a run; the next run that is
   * wanted asks. */
  if (filtered && seen->checked && seen->generation == generation) return NULL;
  if (are_same(s, values, n)) return NULL;
  ag_finding f = {.event = EVENT_WEIGHT, .model = m, .run = run->number, .in_run = true};
  check_all(run, values, n, &f);
  if (m->check_inputs && run->number) ag_shared_memory_check_weights(run, values, n);
  seen->handed_over = false;
  seen->renewed = true;
  seen->checked = !f.violations;
  seen->generation = generation;
  if (!f.violations) return NULL;
  ag_text *t = &s->texts.report;
  ag_text_clear(t);
  ag_text_addf(t, "aotigen: the weights are not what the model was built for, in run %llu of %s\n",
               (unsigned long long)run->number, m->source);
  ag_finding_end(&f, t);
  return ag_report_fault(m, &s->texts.message, t);
}

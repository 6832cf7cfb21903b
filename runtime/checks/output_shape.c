/* output_shape.c - see output_shape.h. */
#include "checks/output_shape.h"

#include "checks/input_sizes.h"

static void add_number(ag_text *t, int64_t n) {
  if (n == AOTIGEN_ANY)
    ag_text_add(t, "any");
  else
    ag_text_addf(t, "%lld", (long long)n);
}

/* What the sizes of an output must be, AOTIGEN_ANY where nothing tells: by the wrapper or by the
 * exported program, of whose symbols the run's inputs decide. */
static void find_sizes(const aotigen_run *run, const aotigen_expected *e, int64_t *sizes) {
  const char *text = e->sizes_of;
  for (int32_t i = 0; i < e->ndim; i++) {
    int64_t size;
    sizes[i] = e->dims[i].min;
    if (text && ag_input_sizes_take(run->state, &text, &size)) sizes[i] = size;
  }
}

/* "[32, any]": the sizes or the strides that are expected. */
static void add_dims(ag_text *t, const aotigen_expected *e, const int64_t *sizes) {
  ag_text_add(t, "[");
  for (int32_t i = 0; i < e->ndim; i++) {
    if (i) ag_text_add(t, ", ");
    add_number(t, sizes ? sizes[i] : e->dims[i].stride);
  }
  ag_text_add(t, "]");
}

static bool has_shape(const aotigen_expected *e, const int64_t *sizes, const ag_tensor *t) {
  bool same = t->ndim == e->ndim;
  for (int32_t i = 0; i < e->ndim && same; i++)
    same = sizes[i] == AOTIGEN_ANY || sizes[i] == t->sizes[i];
  return same;
}

/* A dimension of one element has no stride that matters. */
static bool has_strides(const aotigen_expected *e, const ag_tensor *t) {
  bool same = true;
  for (int32_t i = 0; i < e->ndim && same && t->numel; i++)
    same = e->dims[i].stride == AOTIGEN_ANY || t->sizes[i] == 1 ||
           e->dims[i].stride == t->strides[i];
  return same;
}

/* True if the inputs do not agree on a size that the output does not have. */
static bool is_undecided(const aotigen_run *run, const aotigen_expected *e, const int64_t *sizes,
                         const ag_tensor *t) {
  bool given = false;
  for (int32_t i = 0; i < e->ndim && t->ndim == e->ndim; i++) {
    bool other = sizes[i] != AOTIGEN_ANY && sizes[i] != t->sizes[i];
    if (other && e->dims[i].min != AOTIGEN_ANY) return false;
    given = given || other;
  }
  return given && !ag_input_sizes_agree(run->state, run->model);
}

void ag_output_shape_check(const aotigen_run *run, ag_finding *f, const ag_item *item) {
  const aotigen_expected *e = item->arg->param->expected;
  const ag_tensor *t = &item->arg->view.t;
  int64_t sizes[AG_MAX_DIMS];
  if (e->ndim < 0 || e->ndim > AG_MAX_DIMS) return;
  find_sizes(run, e, sizes);
  bool strides = has_shape(e, sizes, t);
  ag_text expected = {0}, found = {0};
  if ((strides && has_strides(e, t)) || (!strides && is_undecided(run, e, sizes, t))) return;
  add_dims(&expected, e, strides ? NULL : sizes);
  ag_text_add_list(&found, strides ? t->strides : t->sizes, t->ndim, "[", ", ", "]");
  if (strides)
    ag_finding_add(f, item, AG_CHECK_STRIDES, ag_text_string(&expected), ag_text_string(&found));
  else
    ag_finding_add(f, item, AG_CHECK_SHAPE, ag_text_string(&expected), ag_text_string(&found));
  ag_text_free(&expected);
  ag_text_free(&found);
}

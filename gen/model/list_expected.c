/* list_expected.c - see list_expected.h. */
#include "model/list_expected.h"
#include "base/shown.h"

static void add_bound(cJSON *to, const char *key, int64_t value) {
  if (value == AOTIGEN_ANY)
    cJSON_AddNullToObject(to, key);
  else
    cJSON_AddNumberToObject(to, key, (double)value);
}

void list_add_dim(cJSON *to, const aotigen_dim *d) {
  cJSON *x = cJSON_CreateObject();
  add_bound(x, "min", d->min);
  add_bound(x, "max", d->max);
  add_bound(x, "stride", d->stride);
  shown_add_json(x, "symbol", d->symbol);
  cJSON_AddItemToArray(to, x);
}

void list_add_expected(cJSON *to, const expected *e) {
  cJSON *x = cJSON_AddObjectToObject(to, "expected");
  shown_add_json(x, "dtype", e->dtype);
  shown_add_json(x, "device", e->device);
  cJSON *dims = e->ndim < 0 ? cJSON_AddNullToObject(x, "dims") : cJSON_AddArrayToObject(x, "dims");
  for (int i = 0; i < e->ndim; i++) list_add_dim(dims, &e->dims[i]);
}

const char *list_format_size(const aotigen_dim *d, arena *a) {
  if (d->min != AOTIGEN_ANY && d->min == d->max) return arena_printf(a, "%lld", (long long)d->min);
  return d->symbol ? d->symbol : "?";
}

/* " strides [4, 1]"; "" where none is said. */
static const char *format_strides(const expected *e, arena *a) {
  const char *out = "";
  bool any = false;
  for (int i = 0; i < e->ndim; i++) {
    int64_t stride = e->dims[i].stride;
    const char *one = stride == AOTIGEN_ANY ? "?" : arena_printf(a, "%lld", (long long)stride);
    out = arena_printf(a, "%s%s%s", out, i ? ", " : "", one);
    any = any || stride != AOTIGEN_ANY;
  }
  return any ? arena_printf(a, " strides [%s]", out) : "";
}

const char *list_format_expected(const expected *e, arena *a) {
  const char *sizes = e->ndim < 0 ? "?" : "";
  for (int i = 0; i < e->ndim; i++)
    sizes = arena_printf(a, "%s%s%s", sizes, i ? ", " : "", list_format_size(&e->dims[i], a));
  return arena_printf(a, "%s [%s]%s%s%s", e->dtype ? e->dtype : "?", sizes, format_strides(e, a),
                      e->device ? " on " : "", e->device ? e->device : "");
}

void list_add_promises(cJSON *to, const model *m) {
#define WORD(name, word) word,
  static const char *const kinds[] = {AOTIGEN_PROMISE_KINDS(WORD)};
#undef WORD
  cJSON *list = m->promises.n ? cJSON_AddArrayToObject(to, "promises") : NULL;
  for (size_t i = 0; i < m->promises.n; i++) {
    const model_promise *p = &m->promises.at[i];
    cJSON *x = cJSON_CreateObject();
    shown_add_json(x, "kind", kinds[p->kind]);
    shown_add_json(x, "input", m->inputs.at[p->input].name);
    cJSON_AddNumberToObject(x, "dim", p->dim);
    shown_add_json(x, "text", p->text);
    cJSON_AddItemToArray(list, x);
  }
}

const char *list_format_promise(const model *m, const model_promise *p, arena *a) {
  if (p->kind != AOTIGEN_PROMISE_NARROWED) return p->text;
  return arena_printf(a, "dimension %u of %s may have %s by the export, not by the compiler",
                      p->dim, m->inputs.at[p->input].name, p->text);
}

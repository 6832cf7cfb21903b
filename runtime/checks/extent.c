/* extent.c - see extent.h. */
#include "checks/extent.h"

#include "shared/postfix.h"

static bool find_argument(const void *of, int64_t arg, int64_t *value) {
  const ag_record *r = of;
  if (arg >= (int64_t)r->nargs) return false;
  const aotigen_value *v = &r->args[arg].value;
  *value = v->v.i;
  return v->kind == AOTIGEN_V_INT || (v->kind == AOTIGEN_V_UINT && v->v.u <= INT64_MAX);
}

static bool find_size(const void *of, int64_t arg, int64_t dim, int64_t *value) {
  const ag_record *r = of;
  if (arg >= (int64_t)r->nargs) return false;
  const ag_view *v = &r->args[arg].view;
  bool described = ag_view_is_described(v);
  if (!described || dim >= v->t.ndim) return false;
  *value = v->t.sizes[dim];
  return true;
}

static ag_postfix_values values_of(const ag_record *record) {
  return (ag_postfix_values){find_argument, find_size, record};
}

bool ag_extent_take(const char **text, const ag_record *record, int64_t *result) {
  const ag_postfix_values values = values_of(record);
  return ag_postfix_take(text, &values, result);
}

int64_t ag_extent_compute(const char *text, const ag_record *record) {
  const ag_postfix_values values = values_of(record);
  return ag_postfix_compute(text, &values);
}

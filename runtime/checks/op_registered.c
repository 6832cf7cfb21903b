/* op_registered.c - see op_registered.h: compares the schema of an op with what wrapper.json says
 * of its call, as the constructor of OSSProxyExecutor does (torch 2.6 to 2.15). That finds
 * arguments by their names, leaves empty what the call does not pass, and throws where a type
 * differs. */
#define _GNU_SOURCE
#include "checks/op_registered.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "base/sink.h"
#include "checks/finding.h"

/* ---- which values fit which types ----------------------------------------------------------- */

/* A type of a schema, and the kinds of values that may be passed for it. */
static const struct {
  const char *type, *kinds;
} fits[] = {
    {"Tensor", " as_tensor "},
    {"Tensor[]", " as_tensors "},
    {"Tensor?[]", " as_optional_tensors as_tensors "},
    {"int", " as_int as_sym_int as_scalar_type as_layout as_memory_format "},
    {"SymInt", " as_int as_sym_int "},
    {"float", " as_float as_sym_float "},
    {"bool", " as_bool as_sym_bool "},
    {"str", " as_string "},
    {"int[]", " as_ints as_sym_ints "},
    {"SymInt[]", " as_ints as_sym_ints "},
    {"float[]", " as_floats "},
    {"bool[]", " as_bools "},
    {"str[]", " as_strings "},
};

/* True also if the type is not in the table. */
static bool kind_fits(const char *type, const char *kind) {
  char inner[AG_SCHEMA_TYPE], word[64];
  size_t n = strlen(type);
  bool optional = n && type[n - 1] == '?';
  if (optional && (!strcmp(kind, "as_none") || !strcmp(kind, "as_optional_tensor"))) return true;
  snprintf(inner, sizeof inner, "%.*s", (int)(optional ? n - 1 : n), type);
  if ((size_t)snprintf(word, sizeof word, " %s ", kind) >= sizeof word) return true;
  for (size_t i = 0; i < sizeof fits / sizeof *fits; i++)
    if (!strcmp(fits[i].type, inner)) return strstr(fits[i].kinds, word) != NULL;
  return true;
}

/* "float" for "as_float", "Tensor[]" for "as_tensors", "None" for "as_none". */
static const char *name_kind(const char *kind) {
  char word[64];
  if (!strcmp(kind, "as_none")) return "None";
  snprintf(word, sizeof word, " %s ", kind);
  for (size_t i = 0; i < sizeof fits / sizeof *fits; i++)
    if (strstr(fits[i].kinds, word)) return fits[i].type;
  return kind;
}

/* ---- the comparison ------------------------------------------------------------------------- */

enum { DIFFERENCES_MOST = 50 }; /* at most, for one op */

static const aotigen_op_value *find_passed(const aotigen_op *op, const ag_schema_value *value) {
  for (uint32_t i = 0; i < op->ninputs; i++)
    if (ag_schema_is_named(value, op->values[i].name)) return &op->values[i];
  return NULL;
}

static bool has_argument(const char *schema, const char *name) {
  ag_schema_at at = {0};
  ag_schema_value x;
  while (ag_schema_next_argument(&at, schema, &x))
    if (ag_schema_is_named(&x, name)) return true;
  return false;
}

static void compare_argument(ag_finding *f, const aotigen_op *op, const ag_schema_value *value) {
  const aotigen_op_value *passed = find_passed(op, value);
  char name[128], expected[160];
  snprintf(name, sizeof name, "%.*s", (int)value->name_bytes, value->name);
  const ag_item item = {.label = "argument", .name = name};
  if (f->violations) f->last = NULL; /* `name` is at the address of the previous one */
  if (!passed) {
    if (!value->has_default)
      ag_finding_add(f, &item, AG_CHECK_VALUE,
                     "one, which the registered schema has no default for", "none in the package");
  } else if (!kind_fits(value->type, passed->kind)) {
    snprintf(expected, sizeof expected, "%s, which the package passes", name_kind(passed->kind));
    ag_finding_add(f, &item, AG_CHECK_TYPE, expected, value->type);
  }
}

static void compare_results(ag_finding *f, const aotigen_op *op, const char *schema) {
  const aotigen_op_value *results = op->values + op->ninputs;
  ag_schema_at at = {0};
  ag_schema_value x;
  char expected[96], found[32];
  uint32_t n = 0;
  for (; ag_schema_next_result(&at, schema, &x); n++) {
    if (n >= op->noutputs || f->violations >= DIFFERENCES_MOST ||
        kind_fits(x.type, results[n].kind))
      continue;
    snprintf(expected, sizeof expected, "%s, which the package takes", name_kind(results[n].kind));
    ag_finding_add(f, NULL, AG_CHECK_RESULT, expected, x.type);
  }
  if (n == op->noutputs) return;
  snprintf(expected, sizeof expected, "%u, which the package takes", op->noutputs);
  snprintf(found, sizeof found, "%u", n);
  ag_finding_add(f, NULL, AG_CHECK_RESULTS, expected, found);
}

static void compare(ag_finding *f, const aotigen_op *op, const char *schema) {
  ag_schema_at at = {0};
  ag_schema_value x;
  for (uint32_t i = 0; i < op->ninputs; i++) {
    const ag_item item = {.label = "argument", .name = op->values[i].name};
    if (!has_argument(schema, op->values[i].name))
      ag_finding_add(f, &item, AG_CHECK_NAME, "an argument of this name, which the package passes",
                     "none in the registered schema");
  }
  while (f->violations < DIFFERENCES_MOST && ag_schema_next_argument(&at, schema, &x))
    compare_argument(f, op, &x);
  compare_results(f, op, schema);
}

/* ---- what is kept --------------------------------------------------------------------------- */

/* The arguments of the site follow the order of the values that wrapper.json lists. */
static uint64_t find_only_read(const aotigen_op *op, const char *schema) {
  uint64_t found = 0;
  int32_t arg = 0;
  for (uint32_t i = 0; i < op->ninputs; arg += op->values[i++].tensors) {
    ag_schema_at at = {0};
    ag_schema_value x;
    while (ag_schema_next_argument(&at, schema, &x)) {
      if (!ag_schema_is_named(&x, op->values[i].name) || x.written) continue;
      for (int32_t k = arg; k < arg + op->values[i].tensors && k < 64; k++)
        found |= UINT64_C(1) << k;
    }
  }
  return found;
}

static bool makes_new_memory(const char *schema) {
  ag_schema_at at = {0};
  ag_schema_value x;
  while (ag_schema_next_result(&at, schema, &x))
    if (x.shared) return false;
  return true;
}

/* The line "schema: ..." from torch's description, if it is this op's; the caller frees it. */
static char *copy_schema(const char *described, const aotigen_op *op) {
  static const char label[] = "\nschema: ";
  size_t n = strlen(op->name);
  const char *at = strstr(described, label);
  if (!at) return NULL;
  at += sizeof label - 1;
  if (strncmp(at, op->name, n) != 0 || (at[n] != '(' && at[n] != '.')) return NULL;
  char *schema = strndup(at, strcspn(at, "\n"));
  if (schema && ag_schema_is_complete(schema)) return schema;
  free(schema);
  return NULL;
}

const ag_op_facts *ag_op_registered_find(const ag_model_state *m, uint32_t site) {
  if (!m->ops.facts || site >= m->model->nsites) return NULL;
  return __atomic_load_n(&m->ops.facts[site], __ATOMIC_ACQUIRE);
}

/* True if the difference was reported for another site that calls the op. */
static bool is_reported(const ag_model_state *m, uint32_t site) {
  const aotigen_op *op = m->model->sites[site].op;
  for (uint32_t i = 0; i < m->model->nsites; i++) {
    const ag_op_facts *known = ag_op_registered_find(m, i);
    if (known && known->differs && !strcmp(m->model->sites[i].op->name, op->name) &&
        !strcmp(m->model->sites[i].op->overload, op->overload))
      return true;
  }
  return false;
}

static void report(ag_model_state *m, ag_finding *f, uint32_t site, const char *schema) {
  const aotigen_site *s = &m->model->sites[site];
  ag_text t = {0};
  ag_text_addf(&t, "aotigen: %s was compiled for another schema of %s than is registered\n",
               m->model->source, ag_site_name(s));
  ag_finding_end(f, &t);
  ag_text_add_line(&t, "registered", "%s", schema);
  ag_text_add_line(&t, "called", "%s:%d, in %s", m->model->source, s->line, s->function);
  ag_text_add_line(&t, "cure",
                   "load the library of the op that the model was compiled with, or "
                   "compile the model again");
  ag_report_fault(m->model, &m->ops.fault, &t);
  ag_text_free(&t);
}

/* Sets the facts of the site, which take ownership of the schema. The caller holds the model's
 * lock. */
static void keep_facts(ag_model_state *m, uint32_t site, char *schema) {
  const aotigen_op *op = m->model->sites[site].op;
  ag_finding f = {.event = EVENT_LOAD, .model = m->model, .op = m->model->sites[site].kernel};
  ag_op_facts *x = calloc(1, sizeof *x);
  if (!x) {
    free(schema);
    return;
  }
  if (m->model->check_inputs && !is_reported(m, site)) compare(&f, op, schema);
  if (f.violations) report(m, &f, site, schema);
  *x = (ag_op_facts){.schema = schema,
                     .only_read = find_only_read(op, schema),
                     .makes_new_memory = makes_new_memory(schema),
                     .differs = f.violations > 0};
  __atomic_store_n(&m->ops.facts[site], x, __ATOMIC_RELEASE);
}

void aotigen_op_registered(aotigen_model *model, uint32_t site, const char *described) {
  ag_model_state *m = ag_model_state_of(model);
  const aotigen_op *op = site < model->nsites ? model->sites[site].op : NULL;
  if (!m || !m->ops.facts || !op || !m->launch_work) return;
  char *schema = copy_schema(described, op);
  if (!schema) return;
  pthread_mutex_lock(&m->lock);
  if (ag_op_registered_find(m, site))
    free(schema);
  else
    keep_facts(m, site, schema);
  pthread_mutex_unlock(&m->lock);
}

bool ag_op_may_write(const ag_arg *a) { return ag_arg_may_be_written(a) && !a->declared_read; }

/* ---- what is passed ------------------------------------------------------------------------- */

static void add_values(ag_text *t, const aotigen_op *op) {
  for (uint32_t i = 0; op && i < op->ninputs; i++) {
    const aotigen_op_value *v = &op->values[i];
    if (v->text) ag_text_addf(t, "%s%s = %s", t->length ? ", " : "", v->name, v->text);
  }
}

void ag_op_report_values(ag_text *t, const aotigen_op *op) {
  ag_text values = {0};
  add_values(&values, op);
  if (values.length) ag_text_add_line(t, "values", "%s", ag_text_string(&values));
  ag_text_free(&values);
}

void ag_op_log_values(ag_text *event, const aotigen_op *op) {
  ag_text values = {0};
  add_values(&values, op);
  if (values.length) ag_event_add_string(event, "values", ag_text_string(&values));
  ag_text_free(&values);
}

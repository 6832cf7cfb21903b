/* constructor.c - see parts.h. */
#include "model/parts.h"
#include "parse/lex.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* ---- assignments ---------------------------------------------------------------------------- */

typedef struct assignment {
  const char *object;
  long index;
  const char *field; /* NULL for `object = value` */
  const char *value;
} assignment;

/* `object_[index].field = value;` or `object_ = value;` at `at` */
static bool read_assignment(assignment *x, const char *text, size_t at, size_t end, arena *a) {
  size_t p = at;
  while (p < end && lex_is_identifier(text[p])) p++;
  *x = (assignment){.object = arena_strndup(a, text + at, p - at), .index = -1};
  if (p < end && text[p] == '[') {
    x->index = strtol(text + p + 1, NULL, 10);
    p = lex_match(text, p, end);
    if (p + 1 >= end || text[p + 1] != '.') return false;
    size_t name = p + 2;
    for (p = name; p < end && lex_is_identifier(text[p]);) p++;
    x->field = arena_strndup(a, text + name, p - name);
  }
  p = lex_skip_space(text, p, end);
  if (p >= end || text[p] != '=') return false;
  size_t begin = lex_skip_space(text, p + 1, end), close = lex_find(text, begin, end, ';');
  if (close >= end) return false;
  x->value = arena_strndup(a, text + begin, close - begin);
  return true;
}

typedef void visit_assignment(const assignment *x, void *data);

/* Every assignment of a constructor's body, in order. */
static void visit_assignments(const char *text, span body, visit_assignment *visit, void *data,
                              arena *a) {
  size_t at = lex_skip_space(text, body.begin + 1, body.end);
  while (at < body.end) {
    assignment x;
    if (read_assignment(&x, text, at, body.end, a)) visit(&x, data);
    at = lex_find(text, at, body.end, ';');
    at = lex_skip_space(text, at < body.end ? at + 1 : body.end, body.end);
  }
}

/* True for `object_[index].field = ...`. A NULL field matches any. */
static bool assigns_field(const assignment *x, const char *object, const char *field) {
  return strcmp(x->object, object) == 0 && x->field && (!field || strcmp(x->field, field) == 0);
}

/* "float32" of "cached_torch_dtype_float32", "static_cast<int32_t>(cached_torch_dtype_float32)",
 * "aoti_torch_dtype_float32()" */
static const char *read_word_after(const char *value, const char *word, arena *a) {
  const char *at = strstr(value, word);
  if (!at) return NULL;
  at += strlen(word);
  const size_t n = lex_measure_word(at, SIZE_MAX);
  return n ? arena_strndup(a, at, n) : NULL;
}

static const char *read_braced(const char *value, arena *a) {
  const char *open = strchr(value, '{'), *close = strrchr(value, '}');
  return open && close > open ? arena_strndup(a, open + 1, (size_t)(close - open) - 1) : "";
}

static int count_items(const char *list) {
  int n = 0;
  for (const char *p = list; *p;) {
    size_t item = strspn(p, " ");
    if (!p[item]) break;
    n++;
    p += strcspn(p, ",");
    if (*p) p++;
  }
  return n;
}

/* Limits on what a text can ask for; no model reaches them. */
enum { WEIGHTS_MAX = 200000, INPUTS_MAX = 16384, SPEC_MAX = 4 << 20, PATH_NAME_MAX = 1000 };

/* One field of a weight; `literal` is its value where that is a string. */
static void read_weight(model *m, const assignment *x, const char *literal, arena *a) {
  while (x->index >= (long)m->weights.n)
    *arena_push(a, &m->weights) = (weight){.name = "", .fqn = "", .shape = "", .stride = ""};
  weight *w = &m->weights.at[x->index];
  const char *value = x->value;
  if (strcmp(x->field, "name") == 0) w->name = literal ? literal : "";
  if (strcmp(x->field, "original_fqn") == 0) w->fqn = literal ? literal : "";
  if (strcmp(x->field, "dtype") == 0) w->dtype = read_word_after(value, "torch_dtype_", a);
  if (strcmp(x->field, "device_type") == 0)
    w->device = read_word_after(value, "torch_device_type_", a);
  if (strcmp(x->field, "data_size") == 0) w->bytes = strtoll(value, NULL, 10);
  if (strcmp(x->field, "from_folded") == 0) w->from_folded = strcmp(value, "true") == 0;
  if (strcmp(x->field, "type") == 0)
    w->is_buffer = strstr(value, "Buffer") || strstr(value, "TensorConstant") ||
                   strstr(value, "FoldedConstant");
  if (strcmp(x->field, "shape") == 0)
    w->shape = read_braced(value, a), w->ndim = count_items(w->shape);
  if (strcmp(x->field, "stride") == 0) w->stride = read_braced(value, a);
}

/* ---- the tree of the inputs' Python names --------------------------------------------------- */

typedef struct naming {
  model *m;
  arena *a;
  size_t next;
} naming;

static void name_leaves(naming *n, const cJSON *node, const char *path, int depth);

/* "x['key']", or "x[3]". A keyword argument has its own name. NULL where it is too long. */
static const char *name_child(naming *n, const char *path, const char *key, int i, int depth) {
  if (!path || strlen(path) + (key ? strlen(key) : 0) > PATH_NAME_MAX) return NULL;
  if (!key) return arena_printf(n->a, "%s[%d]", path, i);
  return depth == 1 ? arena_strdup(n->a, key) : arena_printf(n->a, "%s['%s']", path, key);
}

static void name_children(naming *n, const cJSON *node, const char *path, int depth) {
  const cJSON *context = cJSON_GetObjectItem(node, "context"), *child;
  const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(node, "type"));
  cJSON *keys = type && strstr(type, "dict") && cJSON_IsString(context)
                    ? cJSON_Parse(context->valuestring)
                    : NULL;
  const cJSON *key = keys ? keys->child : NULL;
  int i = 0;
  cJSON_ArrayForEach(child, cJSON_GetObjectItem(node, "children_spec")) {
    name_leaves(n, child, name_child(n, path, cJSON_GetStringValue(key), i++, depth), depth + 1);
    if (key) key = key->next;
  }
  cJSON_Delete(keys);
}

static void name_leaves(naming *n, const cJSON *node, const char *path, int depth) {
  if (depth > 64) return;
  const cJSON *type = cJSON_GetObjectItem(node, "type");
  const cJSON *children = cJSON_GetObjectItem(node, "children_spec");
  if (cJSON_IsNull(type) && cJSON_GetArraySize(children) == 0) {
    if (n->next < n->m->inputs.n) n->m->inputs.at[n->next].python_name = path;
    n->next++;
    return;
  }
  name_children(n, node, path, depth);
}

/* in_spec: [1, tuple(args tuple, kwargs dict)] */
static void read_spec(model *m, const char *spec, arena *a) {
  if (strlen(spec) > SPEC_MAX) return;
  cJSON *json = cJSON_Parse(spec);
  const cJSON *root = cJSON_GetArrayItem(json, 1),
              *halves = cJSON_GetObjectItem(root, "children_spec");
  naming n = {.m = m, .a = a};
  name_leaves(&n, cJSON_GetArrayItem(halves, 0), "args", 1);
  name_leaves(&n, cJSON_GetArrayItem(halves, 1), "kwargs", 1);
  /* There are constants among the arguments, so the leaves do not correspond to the inputs. */
  if (n.next != m->inputs.n)
    for (size_t i = 0; i < m->inputs.n; i++) m->inputs.at[i].python_name = NULL;
  cJSON_Delete(json);
}

/* ---- the whole ------------------------------------------------------------------------------ */

typedef struct constructor_reader {
  model *m;
  const char *spec;
  arena *a;
} constructor_reader;

static void read_member(const assignment *x, void *data) {
  constructor_reader *r = data;
  size_t past;
  const char *literal = lex_read_literal(x->value, 0, strlen(x->value), &past, r->a);
  if (assigns_field(x, "constants_info_", NULL) && x->index >= 0 && x->index < WEIGHTS_MAX)
    read_weight(r->m, x, literal, r->a);
  if (assigns_field(x, "inputs_info_", "name") && literal && r->m->inputs.n < INPUTS_MAX)
    *arena_push(r->a, &r->m->inputs) = (model_input){.name = literal, .ndim = -1};
  if (assigns_field(x, "outputs_info_", "name") && literal)
    *arena_push(r->a, &r->m->outputs) = (model_output){.name = literal};
  if (strcmp(x->object, "in_spec_") == 0) r->spec = literal;
}

void constructor_read(model *m, const fact_function *f, arena *a) {
  constructor_reader r = {.m = m, .a = a};
  visit_assignments(m->facts->text, f->body, read_member, &r, a);
  if (r.spec) read_spec(m, r.spec, a);
}

/* constructor.c - see constructor.h. */
#include "model/constructor.h"
#include "parse/lex.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

const char *literal_read(const char *source, size_t at, size_t end, size_t *past, arena *a) {
  if (at >= end ||
      (source[at] != '"' && !(source[at] == 'R' && at + 1 < end && source[at + 1] == '"')))
    return NULL;
  *past = lex_skip_token(source, at, end);
  if (source[at] == 'R') {
    size_t open = at + 2;
    while (open < *past && source[open] != '(') open++;
    size_t delimiter = open - at - 2, tail = delimiter + 2;
    return *past > open + 1 + tail ? arena_strndup(a, source + open + 1, *past - tail - open - 1)
                                   : "";
  }
  char *out = arena_alloc(a, *past - at + 1), *to = out;
  for (size_t p = at + 1; p + 1 < *past; p++) {
    if (source[p] == '\\' && p + 2 < *past) {
      p++;
      *to++ = source[p] == 'n' ? '\n' : source[p] == 't' ? '\t' : source[p];
    } else {
      *to++ = source[p];
    }
  }
  return out;
}

/* ---- assignments ---------------------------------------------------------------------------- */

typedef struct assignment {
  const char *object;
  long index;
  const char *field;
  span value;
} assignment;

/* `object_[index].field = value;` or `object_ = value;` at `at` */
static bool read_assignment(assignment *x, const facts *f, size_t at, size_t end, arena *a) {
  size_t p = at;
  while (p < end && lex_is_identifier(f->text[p])) p++;
  *x = (assignment){.object = arena_strndup(a, f->text + at, p - at), .index = -1};
  if (p < end && f->text[p] == '[') {
    x->index = strtol(f->text + p + 1, NULL, 10);
    p = lex_match(f->text, p, end);
    if (p + 1 >= end || f->text[p + 1] != '.') return false;
    size_t name = p + 2;
    for (p = name; p < end && lex_is_identifier(f->text[p]);) p++;
    x->field = arena_strndup(a, f->text + name, p - name);
  }
  p = lex_skip_space(f->text, p, end);
  if (p >= end || f->text[p] != '=') return false;
  x->value.begin = lex_skip_space(f->text, p + 1, end);
  x->value.end = lex_find(f->text, x->value.begin, end, ';');
  return x->value.end < end;
}

/* "float32" of "cached_torch_dtype_float32", "static_cast<int32_t>(cached_torch_dtype_float32)",
 * "aoti_torch_dtype_float32()" */
static const char *after_word(const char *value, const char *word, arena *a) {
  const char *at = strstr(value, word);
  if (!at) return NULL;
  at += strlen(word);
  size_t n = 0;
  while (lex_is_identifier(at[n])) n++;
  return n ? arena_strndup(a, at, n) : NULL;
}

static const char *braced(const char *value, arena *a) {
  const char *open = strchr(value, '{'), *close = strrchr(value, '}');
  return open && close > open ? arena_strndup(a, open + 1, (size_t)(close - open) - 1) : "";
}

static int count_commas(const char *list) {
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

/* What a string literal says; "" where `value` is none. */
static const char *literal(const char *value, arena *a) {
  size_t past;
  const char *text = literal_read(value, 0, strlen(value), &past, a);
  return text ? text : "";
}

static void read_weight(model *m, const assignment *x, arena *a) {
  while (x->index >= (long)m->weights.n)
    *arena_push(a, &m->weights) = (weight){.name = "", .fqn = "", .shape = "", .stride = ""};
  weight *w = &m->weights.at[x->index];
  const char *value = facts_copy(m->facts, x->value, a);
  if (strcmp(x->field, "name") == 0) w->name = literal(value, a);
  if (strcmp(x->field, "original_fqn") == 0) w->fqn = literal(value, a);
  if (strcmp(x->field, "dtype") == 0) w->dtype = after_word(value, "torch_dtype_", a);
  if (strcmp(x->field, "device_type") == 0) w->device = after_word(value, "torch_device_type_", a);
  if (strcmp(x->field, "data_size") == 0) w->bytes = strtoll(value, NULL, 10);
  if (strcmp(x->field, "from_folded") == 0) w->from_folded = strcmp(value, "true") == 0;
  if (strcmp(x->field, "type") == 0)
    w->is_buffer = strstr(value, "Buffer") || strstr(value, "TensorConstant") ||
                   strstr(value, "FoldedConstant");
  if (strcmp(x->field, "shape") == 0) w->shape = braced(value, a), w->ndim = count_commas(w->shape);
  if (strcmp(x->field, "stride") == 0) w->stride = braced(value, a);
}

/* ---- the tree of the inputs' Python names --------------------------------------------------- */

typedef struct naming {
  model *m;
  arena *a;
  size_t next;
} naming;

static void name_leaves(naming *n, const cJSON *node, const char *path, int depth);

static const char *key_of(const cJSON *keys, int i) {
  const cJSON *key = cJSON_GetArrayItem(keys, i);
  return cJSON_IsString(key) ? key->valuestring : NULL;
}

static void name_children(naming *n, const cJSON *node, const char *path, int depth) {
  const cJSON *context = cJSON_GetObjectItem(node, "context"), *child;
  const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(node, "type"));
  cJSON *keys = type && strstr(type, "dict") && cJSON_IsString(context)
                    ? cJSON_Parse(context->valuestring)
                    : NULL;
  int i = 0;
  cJSON_ArrayForEach(child, cJSON_GetObjectItem(node, "children_spec")) {
    const char *key = key_of(keys, i);
    const char *next = key ? (depth == 1 ? key : arena_printf(n->a, "%s['%s']", path, key))
                           : arena_printf(n->a, "%s[%d]", path, i);
    name_leaves(n, child, arena_strdup(n->a, next), depth + 1);
    i++;
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
  cJSON *json = cJSON_Parse(spec);
  const cJSON *root = cJSON_GetArrayItem(json, 1),
              *halves = cJSON_GetObjectItem(root, "children_spec");
  naming n = {.m = m, .a = a};
  name_leaves(&n, cJSON_GetArrayItem(halves, 0), "args", 1);
  name_leaves(&n, cJSON_GetArrayItem(halves, 1), "kwargs", 1);
  if (n.next != m->inputs.n) /* constants among the arguments: the order is not theirs */
    for (size_t i = 0; i < m->inputs.n; i++) m->inputs.at[i].python_name = NULL;
  cJSON_Delete(json);
}

void constructor_read(model *m, const fact_function *f, arena *a) {
  const char *spec = NULL;
  size_t at = lex_skip_space(m->facts->text, f->body.begin + 1, f->body.end), past;
  while (at < f->body.end) {
    assignment x;
    if (read_assignment(&x, m->facts, at, f->body.end, a)) {
      const char *literal = literal_read(m->facts->text, x.value.begin, x.value.end, &past, a);
      bool name = x.field && strcmp(x.field, "name") == 0 && literal;
      if (strcmp(x.object, "constants_info_") == 0 && x.field && x.index >= 0 && x.index < 1000000)
        read_weight(m, &x, a);
      if (strcmp(x.object, "inputs_info_") == 0 && name)
        *arena_push(a, &m->inputs) = (model_input){.name = literal, .ndim = -1};
      if (strcmp(x.object, "outputs_info_") == 0 && name)
        *arena_push(a, &m->outputs) = (model_output){.name = literal};
      if (strcmp(x.object, "in_spec_") == 0) spec = literal;
    }
    at = lex_find(m->facts->text, at, f->body.end, ';');
    at = lex_skip_space(m->facts->text, at < f->body.end ? at + 1 : f->body.end, f->body.end);
  }
  if (spec) read_spec(m, spec, a);
}

void constructor_cubins(model *m, arena *a) {
  const facts *f = m->facts;
  for (size_t at = 0; (at = lex_find_word(f->text, at, f->n, "loadKernel")) < f->n; at++) {
    size_t open = lex_skip_space(f->text, at + 10, f->n), past;
    const char *path =
        open < f->n && f->text[open] == '('
            ? literal_read(f->text, lex_skip_space(f->text, open + 1, f->n), f->n, &past, a)
            : NULL;
    if (!path) continue;
    bool known = false;
    for (size_t i = 0; i < m->cubins.n && !known; i++) known = strcmp(m->cubins.at[i], path) == 0;
    if (!known) *arena_push(a, &m->cubins) = path;
  }
}

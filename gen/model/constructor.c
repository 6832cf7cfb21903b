/* constructor.c - see parts.h. */
#include "model/parts.h"
#include "base/string_map.h"
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
  if (strcmp(x->field, "type") == 0)
    w->is_lifted = strstr(value, "::Parameter") || strstr(value, "::Buffer");
  if (strcmp(x->field, "shape") == 0)
    w->shape = read_braced(value, a), w->ndim = count_items(w->shape);
  if (strcmp(x->field, "stride") == 0) w->stride = read_braced(value, a);
}

/* ---- the tree of the inputs' Python names --------------------------------------------------- */

typedef struct naming {
  arena *a;
  strings leaves; /* a constant among the arguments is one, too */
} naming;

static void name_leaves(naming *n, const cJSON *node, const char *path, int depth);

/* The kinds of nodes whose children have names. */
enum named { BY_NUMBER, BY_KEY, BY_FIELD };

/* "x['key']", "x.field" or "x[3]". A keyword argument has its own name. NULL where it is too
 * long. */
static const char *name_child(naming *n, const char *path, const char *key, int i, int depth,
                              enum named by) {
  if (!path || strlen(path) + (key ? strlen(key) : 0) > PATH_NAME_MAX) return NULL;
  if (!key) return arena_printf(n->a, "%s[%d]", path, i);
  if (by == BY_FIELD) return arena_printf(n->a, "%s.%s", path, key);
  return depth == 1 ? arena_strdup(n->a, key) : arena_printf(n->a, "%s['%s']", path, key);
}

/* The list of keys of a dictionary, or of the fields of a class of data, in the node's context;
 * NULL for another node. *by: which. The caller deletes *json. */
static const cJSON *read_keys(const cJSON *node, enum named *by, cJSON **json) {
  const cJSON *context = cJSON_GetObjectItem(node, "context");
  const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(node, "type"));
  *by = type && (strstr(type, "dict") || strstr(type, "Dict")) ? BY_KEY : BY_NUMBER;
  *json = cJSON_IsString(context) ? cJSON_Parse(context->valuestring) : NULL;
  if (*by == BY_KEY) /* a defaultdict's keys stand beside its default */
    return *json ? *json : cJSON_GetObjectItem(context, "dict_context");
  const cJSON *fields = cJSON_GetArrayItem(*json, 0);
  if (cJSON_GetArraySize(*json) == 2 && cJSON_IsArray(fields) &&
      cJSON_IsArray(cJSON_GetArrayItem(*json, 1)) &&
      cJSON_GetArraySize(fields) == cJSON_GetArraySize(cJSON_GetObjectItem(node, "children_spec")))
    *by = BY_FIELD;
  return *by == BY_FIELD ? fields : NULL;
}

static void name_children(naming *n, const cJSON *node, const char *path, int depth) {
  const cJSON *child;
  cJSON *json;
  enum named by;
  const cJSON *keys = read_keys(node, &by, &json), *key = keys ? keys->child : NULL;
  int i = 0;
  cJSON_ArrayForEach(child, cJSON_GetObjectItem(node, "children_spec")) {
    name_leaves(n, child, name_child(n, path, cJSON_GetStringValue(key), i++, depth, by),
                depth + 1);
    if (key) key = key->next;
  }
  cJSON_Delete(json);
}

static void name_leaves(naming *n, const cJSON *node, const char *path, int depth) {
  if (depth > 64) return;
  const cJSON *type = cJSON_GetObjectItem(node, "type");
  const cJSON *children = cJSON_GetObjectItem(node, "children_spec");
  if (cJSON_IsNull(type) && cJSON_GetArraySize(children) == 0)
    *arena_push(n->a, &n->leaves) = path;
  else
    name_children(n, node, path, depth);
}

/* 4 of "arg4_1": the placeholders of the program are counted, its parameters and buffers first,
 * then the leaves; -1 for another name. */
static long read_placeholder(const char *name) {
  char *end;
  if (strncmp(name, "arg", 3) != 0 || name[3] < '0' || name[3] > '9') return -1;
  const long n = strtol(name + 3, &end, 10);
  return strcmp(end, "_1") == 0 && n <= WEIGHTS_MAX + INPUTS_MAX ? n : -1;
}

/* How many placeholders surely stand before the inputs. */
static long count_lifted(const model *m, arena *a) {
  string_map *names = string_map_create(a);
  for (size_t i = 0; i < m->weights.n; i++)
    if (m->weights.at[i].is_lifted && *m->weights.at[i].fqn)
      string_map_put_index(names, m->weights.at[i].fqn, i);
  return (long)string_map_count(names);
}

/* The number of the placeholder that is the first leaf, where there are constants among the
 * arguments: the wrapper has no inputs for these. -1 if several numbers may be it. */
static long find_first_leaf(const model *m, size_t leaves, arena *a) {
  long least = -1, most = -1, low = count_lifted(m, a);
  for (size_t i = 0; i < m->inputs.n; i++) {
    const long n = read_placeholder(m->inputs.at[i].name);
    if (n < 0 || n <= most) return -1;
    if (!i) least = n;
    most = n;
  }
  if (most - (long)leaves + 1 > low) low = most - (long)leaves + 1;
  return low == least ? least : -1;
}

static void name_inputs(model *m, const naming *n) {
  const long first = n->leaves.n == m->inputs.n ? 0 : find_first_leaf(m, n->leaves.n, n->a);
  for (size_t i = 0; i < m->inputs.n && first >= 0; i++) {
    const bool each = n->leaves.n == m->inputs.n;
    const size_t leaf = each ? i : (size_t)(read_placeholder(m->inputs.at[i].name) - first);
    m->inputs.at[i].python_name = n->leaves.at[leaf];
  }
}

/* in_spec: [1, tuple(args tuple, kwargs dict)] */
static void read_spec(model *m, const char *spec, arena *a) {
  if (strlen(spec) > SPEC_MAX) return;
  cJSON *json = cJSON_Parse(spec);
  const cJSON *root = cJSON_GetArrayItem(json, 1),
              *halves = cJSON_GetObjectItem(root, "children_spec");
  naming n = {.a = a};
  name_leaves(&n, cJSON_GetArrayItem(halves, 0), "args", 1);
  name_leaves(&n, cJSON_GetArrayItem(halves, 1), "kwargs", 1);
  name_inputs(m, &n);
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

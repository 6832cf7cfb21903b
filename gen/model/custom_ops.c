/* custom_ops.c - see custom_ops.h. */
#include "model/custom_ops.h"
#include "model/custom_texts.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static int count_tensors(const cJSON *arg) {
  int n = 0;
  const cJSON *item, *list;
  const cJSON *optional = cJSON_GetObjectItem(arg, "as_optional_tensor");
  if (cJSON_GetObjectItem(arg, "as_tensor") || cJSON_GetObjectItem(optional, "as_tensor")) return 1;
  if ((list = cJSON_GetObjectItem(arg, "as_tensors"))) return cJSON_GetArraySize(list);
  cJSON_ArrayForEach(item, cJSON_GetObjectItem(arg, "as_optional_tensors"))
      n += cJSON_GetObjectItem(item, "as_tensor") != NULL;
  return n;
}

/* Python's json module writes NaN, Infinity and -Infinity, which cJSON does not read. They are
 * replaced by numbers and nulls of the same length. */
static const char *replace_python_numbers(const char *text, arena *a) {
  static const char *const words[] = {"-Infinity", "Infinity", "NaN", NULL};
  char *copy = arena_strdup(a, text);
  bool quoted = false;
  for (char *p = copy; *p; p++) {
    if (*p == '\\' && quoted && p[1])
      p++;
    else if (*p == '"')
      quoted = !quoted;
    for (const char *const *w = words; !quoted && *w; w++) {
      size_t n = strlen(*w);
      if (strncmp(p, *w, n) != 0) continue;
      memset(p, ' ', n);
      memcpy(p, n < 4 ? "0" : "null", n < 4 ? 1 : 4);
      break;
    }
  }
  return copy;
}

/* Limits what cJSON allocates: 64 bytes or more for each value, however short its text is. */
static bool is_modest(const char *text) {
  enum { BYTES_MAX = 16 << 20, VALUES_MAX = 1 << 20 };
  size_t values = 0, n = 0;
  for (; text[n] && n <= BYTES_MAX && values <= VALUES_MAX; n++)
    values += text[n] == ',' || text[n] == '[' || text[n] == '{';
  return n <= BYTES_MAX && values <= VALUES_MAX;
}

static void refuse_json(const companion_texts *companions, diags *d) {
  if (companions->ops_packaged)
    diag_error(d, STATUS_INPUT, companions->ops_path,
               "is not the JSON of a model's custom ops, or nests deeper or holds more than such a "
               "one does");
  else if (companions->ops_asked_for)
    diag_error(d, STATUS_INPUT, companions->ops_path,
               "is not the 'wrapper.json' of a model: give the right file with --ops=FILE");
  else
    diag_warning(d, companions->ops_path,
                 "is not the 'wrapper.json' of a model: custom ops are named by their numbers; "
                 "give the right file with --ops=FILE");
}

static custom_value *add_value(custom_values *list, const char *name, const cJSON *arg, arena *a) {
  const char *kind = cJSON_IsObject(arg) && arg->child ? arg->child->string : NULL;
  custom_value *x = arena_push(a, list);
  *x = (custom_value){.name = arena_strdup(a, name ? name : ""),
                      .kind = arena_strdup(a, kind ? kind : ""),
                      .tensors = count_tensors(arg)};
  return x;
}

/* text: that of the node, since cJSON keeps of a number neither its form nor a NaN. */
static void read_op(custom_op *op, const cJSON *node, json_span text, arena *a) {
  const char *target = cJSON_GetStringValue(cJSON_GetObjectItem(node, "target"));
  json_walk inputs = json_walk_begin(json_span_member(text, "inputs"));
  const cJSON *item;
  *op = (custom_op){.target = arena_strdup(a, target ? target : "")};
  cJSON_ArrayForEach(item, cJSON_GetObjectItem(node, "inputs")) {
    custom_value *x = add_value(&op->inputs,
                                cJSON_GetStringValue(cJSON_GetObjectItem(item, "name")),
                                cJSON_GetObjectItem(item, "arg"), a);
    op->tensors_in += x->tensors;
    if (json_walk_next(&inputs))
      x->text = custom_text_format(json_span_member(inputs.value, "arg"), a);
  }
  cJSON_ArrayForEach(item, cJSON_GetObjectItem(node, "outputs"))
      op->tensors_out += add_value(&op->outputs, NULL, item, a)->tensors;
}

void custom_ops_read(custom_ops *ops, const companion_texts *companions, arena *a, diags *d) {
  *ops = (custom_ops){0};
  if (!companions || !companions->ops) return;
  cJSON *json = is_modest(companions->ops) ? cJSON_Parse(replace_python_numbers(companions->ops, a))
                                           : NULL;
  const cJSON *node, *nodes = cJSON_GetObjectItem(json, "nodes");
  if (!cJSON_IsArray(nodes)) refuse_json(companions, d);
  json_walk texts = json_walk_begin(
      json_span_member(json_span_of(companions->ops, strlen(companions->ops)), "nodes"));
  cJSON_ArrayForEach(node, nodes) {
    const json_span text = json_walk_next(&texts) ? texts.value : (json_span){0};
    read_op(arena_push(a, ops), cJSON_GetObjectItem(node, "node"), json_span_member(text, "node"),
            a);
  }
  cJSON_Delete(json);
}

const custom_op *custom_ops_called(const custom_ops *ops, const facts *f, const fact_call *c) {
  for (size_t i = 0; i < c->operands.n; i++) {
    if (c->operands.at[i].param != 1) continue; /* the second parameter is the op's number */
    long index = strtol(f->text + c->operands.at[i].text.begin, NULL, 10);
    return index >= 0 && index < (long)ops->n ? &ops->at[index] : NULL;
  }
  return NULL;
}

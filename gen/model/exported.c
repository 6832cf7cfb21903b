/* exported.c - see exported.h. */
#include "model/exported.h"
#include "base/json_span.h"
#include "base/shown.h"
#include "model/stack_text.h"
#include <string.h>

enum { NODES_MAX = 1 << 20, GRAPHS_DEEP = 16, NODES_A_SCRATCH = 256 };

typedef struct reader {
  exported *x;
  arena *a, *scratch;       /* scratch: of the node that is read, and of those just before it */
  string_map *texts;        /* each file, line, module and op once */
  string_map *placeholders; /* FQN by a placeholder's name */
  strings fqns;
  bool too_many;
} reader;

/* The text, which may be in the scratch arena, in the other one. */
static const char *intern(reader *r, const char *text) {
  if (!text) return NULL;
  const char *known = string_map_get(r->texts, text);
  if (known) return known;
  known = arena_strdup(r->a, text);
  string_map_put(r->texts, known, known);
  return known;
}

/* ---- one node */

/* "layer_norm" of "torch.ops.aten.layer_norm.default" */
static const char *read_op(const char *target, arena *a) {
  static const char ops[] = "torch.ops.";
  if (!target || strncmp(target, ops, sizeof ops - 1) != 0) return "";
  const char *name = strchr(target + sizeof ops - 1, '.');
  return name ? arena_strndup(a, name + 1, strcspn(name + 1, ".")) : "";
}

static model_line read_line(reader *r, json_span metadata) {
  model_line line = {0};
  arena *a = r->scratch;
  const char *stack = json_span_text(json_span_member(metadata, "stack_trace"), a),
             *modules = json_span_text(json_span_member(metadata, "nn_module_stack"), a);
  if (stack && stack_text_read(&line, stack, a)) {
    line.file = intern(r, line.file);
    line.text = intern(r, line.text);
  }
  const char *module = modules ? stack_text_module(modules, a) : "";
  line.module = *module ? intern(r, module) : NULL;
  return line;
}

/* The next "name": "TEXT" in a value, however deep; *at moves past it. */
static const char *next_name(json_span value, size_t *at, arena *a) {
  static const char key[] = "\"name\"";
  const size_t k = sizeof key - 1;
  while (*at < value.n) {
    const char *found = memmem(value.at + *at, value.n - *at, key, k);
    if (!found) break;
    size_t i = (size_t)(found - value.at) + k;
    while (i < value.n && strchr(" \t\r\n:", value.at[i])) i++;
    *at = i;
    if (i == value.n || value.at[i] != '"') continue;
    const char *end = memchr(value.at + i + 1, '"', value.n - i - 1);
    if (!end) break;
    *at = (size_t)(end + 1 - value.at);
    return arena_strndup(a, value.at + i + 1, *at - i - 2);
  }
  *at = value.n;
  return NULL;
}

static void add_name(exported *x, const char *name, size_t index) {
  bool nested = x->nodes.at[index].nested;
  string_map *names = nested ? x->nested : x->outer;
  if (!string_map_put_index(names, name, index) && nested && string_map_index(names, name) != index)
    string_map_put(x->ambiguous, name, name);
}

static void read_inputs(reader *r, json_span inputs, size_t index) {
  exported *x = r->x;
  x->nodes.at[index].first_input = x->inputs.n;
  for (json_walk w = json_walk_begin(inputs); json_walk_next(&w);) {
    json_span arg = json_span_member(w.value, "arg");
    size_t at = 0;
    if (json_span_member(arg, "as_graph").at) continue;
    for (const char *name; (name = next_name(arg, &at, r->scratch));) {
      size_t from = exported_find(x, name, x->nodes.at[index].nested);
      if (from != EXPORTED_NONE && from != index) *arena_push(r->a, &x->inputs) = from;
    }
  }
  x->nodes.at[index].ninputs = x->inputs.n - x->nodes.at[index].first_input;
}

static void read_graph(reader *r, json_span graph, int depth);

/* The graphs of the branches, or of the body, of a cond or a while_loop. */
static void read_nested(reader *r, json_span inputs, int depth) {
  for (json_walk w = json_walk_begin(inputs); json_walk_next(&w);) {
    json_span nested = json_span_member(json_span_member(w.value, "arg"), "as_graph");
    if (nested.at) read_graph(r, json_span_member(nested, "graph"), depth + 1);
  }
}

static void read_node(reader *r, json_span node, int depth) {
  exported *x = r->x;
  if (r->x->nodes.n % NODES_A_SCRATCH == 0) {
    arena_free(r->scratch);
    r->scratch = arena_new();
  }
  const char *name = json_span_text(json_span_member(node, "name"), r->a), *result;
  json_span outputs = json_span_member(node, "outputs"), inputs = json_span_member(node, "inputs");
  size_t index = x->nodes.n, at = 0;
  const char *op =
      read_op(json_span_text(json_span_member(node, "target"), r->scratch), r->scratch);
  exported_node *to = arena_push(r->a, &x->nodes);
  *to = (exported_node){.op = intern(r, op), .nested = depth > 0};
  to->line = read_line(r, json_span_member(node, "metadata"));
  if (name) add_name(x, name, index);
  while ((result = next_name(outputs, &at, r->a))) {
    if (!name) name = result;
    add_name(x, result, index);
  }
  x->nodes.at[index].name = name ? name : "";
  read_inputs(r, inputs, index);
  if (depth < GRAPHS_DEEP) read_nested(r, inputs, depth);
}

static void read_graph(reader *r, json_span graph, int depth) {
  json_walk w = json_walk_begin(json_span_member(graph, "nodes"));
  while (!r->too_many && json_walk_next(&w)) {
    if (r->x->nodes.n == NODES_MAX)
      r->too_many = true;
    else if (json_span_is_object(w.value))
      read_node(r, w.value, depth);
  }
}

static void read_results(reader *r, json_span outputs) {
  size_t at = 0;
  for (const char *name; (name = next_name(outputs, &at, r->scratch));) {
    size_t index = exported_find(r->x, name, false);
    if (index != EXPORTED_NONE) *arena_push(r->a, &r->x->results) = index;
  }
}

/* ---- the weights */

static void read_signature(reader *r, json_span signature) {
  static const char *const kinds[][2] = {{"parameter", "parameter_name"},
                                         {"buffer", "buffer_name"},
                                         {"tensor_constant", "tensor_constant_name"}};
  json_walk w = json_walk_begin(json_span_member(signature, "input_specs"));
  while (json_walk_next(&w))
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
      json_span spec = json_span_member(w.value, kinds[i][0]);
      const char *fqn = json_span_text(json_span_member(spec, kinds[i][1]), r->a);
      const char *name =
          json_span_text(json_span_member(json_span_member(spec, "arg"), "name"), r->a);
      if (!fqn || !name) continue;
      string_map_put(r->placeholders, name, fqn);
      *arena_push(r->a, &r->fqns) = fqn;
    }
}

/* "16, 64", or NULL where they are not known, or a size is no number. */
static const char *format_sizes(json_span sizes, arena *a) {
  strings out = {0};
  if (!json_span_is_array(sizes)) return NULL;
  for (json_walk w = json_walk_begin(sizes); json_walk_next(&w);) {
    long long n = json_span_integer(json_span_member(w.value, "as_int"), -1);
    if (n < 0) return NULL;
    *arena_push(a, &out) = arena_printf(a, "%lld", n);
  }
  return strings_join(a, &out, ", ");
}

static void read_weights(reader *r, json_span values) {
  string_map *weights = r->x->weights;
  for (json_walk w = json_walk_begin(values); json_walk_next(&w);) {
    const char *fqn = string_map_get(r->placeholders, arena_strndup(r->scratch, w.key.at, w.key.n));
    const char *sizes = fqn ? format_sizes(json_span_member(w.value, "sizes"), r->a) : NULL;
    if (sizes) string_map_put(weights, fqn, sizes);
  }
  for (size_t i = 0; i < r->fqns.n; i++) string_map_put(weights, r->fqns.at[i], "");
}

/* ---- all of it */

bool exported_read(exported *x, const char *text, size_t n, const char *path, arena *a, diags *d) {
  *x = (exported){.outer = string_map_create(a),
                  .nested = string_map_create(a),
                  .ambiguous = string_map_create(a),
                  .weights = string_map_create(a)};
  reader r = {.x = x,
              .a = a,
              .scratch = arena_new(),
              .texts = string_map_create(a),
              .placeholders = string_map_create(a)};
  json_span module = json_span_member(json_span_of(text, n), "graph_module");
  json_span graph = json_span_member(module, "graph");
  read_graph(&r, graph, 0);
  if (r.too_many)
    diag_error(d, STATUS_INPUT, path,
               "has more than %d nodes, more than the graph of an exported program", NODES_MAX);
  else if (!x->nodes.n)
    diag_error(d, STATUS_INPUT, path,
               "is not an exported program: no 'graph_module' in it has a graph of nodes; "
               "give what torch.export.save() wrote with --exported=FILE");
  bool ok = !r.too_many && x->nodes.n;
  if (ok) read_results(&r, json_span_member(graph, "outputs"));
  if (ok) {
    read_signature(&r, json_span_member(module, "signature"));
    read_weights(&r, json_span_member(graph, "tensor_values"));
  }
  arena_free(r.scratch);
  return ok;
}

size_t exported_find(const exported *x, const char *name, bool nested) {
  if (nested) {
    if (string_map_get(x->ambiguous, name)) return EXPORTED_NONE;
    size_t index = string_map_index(x->nested, name);
    if (index != STRING_MAP_NONE) return index;
  }
  return string_map_index(x->outer, name); /* STRING_MAP_NONE is EXPORTED_NONE */
}

/* exported.c - see exported.h. */
#include "model/exported.h"
#include "base/json_span.h"
#include "base/shown.h"
#include "model/guard_text.h"
#include "model/stack_text.h"
#include "parse/lex.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 1 << 19, GRAPHS_DEEP = 16, NODES_A_SCRATCH = 256, GRAPH_NAME_MAX = 128 };

typedef struct reader {
  exported *x;
  arena *a, *scratch;       /* scratch: for the node that is read, and for those just before it */
  string_map *texts;        /* each file, line, module and op once */
  string_map *placeholders; /* FQN by a placeholder's name */
  string_map *tensors;      /* entry of x->tensors by a placeholder's name */
  string_map *made;         /* entry of x->made by its name */
  strings fqns;
  arena_list(size_t) unnamed; /* nodes of the graphs that are being read */
  bool too_many;
} reader;

/* The lasting copy of a text that may be in the scratch arena. */
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

static aotigen_line read_line(reader *r, json_span metadata) {
  aotigen_line line = {0};
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

/* The next "name": "TEXT" in a value, at any depth; *at moves past it. */
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

/* The name "" stands for the graph itself. */
static size_t find_in_graph(const exported *x, const char *graph, const char *name) {
  char key[2 * GRAPH_NAME_MAX];
  int n = snprintf(key, sizeof key, "%s/%s", graph, name);
  if (n < 0 || (size_t)n >= sizeof key || string_map_get(x->ambiguous, key)) return EXPORTED_NONE;
  return string_map_index(x->in_graph, key); /* STRING_MAP_NONE is EXPORTED_NONE */
}

static void add_nested_name(exported *x, string_map *names, const char *name, size_t index) {
  if (!string_map_put_index(names, name, index) && string_map_index(names, name) != index)
    string_map_put(x->ambiguous, name, name);
}

static void add_in_graph(reader *r, const char *graph, const char *name, size_t index) {
  if (*graph && strlen(name) < GRAPH_NAME_MAX)
    add_nested_name(r->x, r->x->in_graph, arena_printf(r->a, "%s/%s", graph, name), index);
}

static void add_name(reader *r, const char *name, size_t index) {
  exported *x = r->x;
  size_t graph = x->nodes.at[index].graph;
  if (graph == EXPORTED_NONE) {
    string_map_put_index(x->outer, name, index);
    return;
  }
  add_nested_name(x, x->nested, name, index);
  if (*name) add_in_graph(r, x->graphs.at[graph].name, name, index);
}

/* Finds the input of a node of that graph. */
static size_t find_input(const reader *r, const char *name, size_t graph) {
  const char *within = graph == EXPORTED_NONE ? NULL : r->x->graphs.at[graph].name;
  return exported_find(r->x, name, within, within);
}

/* The tensors and the numbers of one argument. */
static void read_value(reader *r, json_span arg, size_t index) {
  static const char *const tensors[] = {"as_tensor", "as_tensors", "as_optional_tensors"};
  static const char *const numbers[] = {"as_float", "as_int"};
  exported *x = r->x;
  for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
    json_span value = json_span_member(arg, tensors[i]);
    size_t at = 0;
    for (const char *name; value.at && (name = next_name(value, &at, r->scratch));) {
      size_t from = find_input(r, name, x->nodes.at[index].graph);
      if (from == EXPORTED_NONE && string_map_index(x->given_by_name, name) == STRING_MAP_NONE) {
        const char *given = arena_strdup(r->a, name); /* a map keeps its keys */
        string_map_put_index(x->given_by_name, given, x->given.n);
        *arena_push(r->a, &x->given) = given;
      }
      *arena_push(r->a, &x->values) =
          from != EXPORTED_NONE ? from : EXPORTED_GIVEN + string_map_index(x->given_by_name, name);
    }
  }
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    json_span value = json_span_member(arg, numbers[i]);
    char text[64];
    if (!value.at || value.n >= sizeof text) continue;
    memcpy(text, value.at, value.n);
    text[value.n] = '\0';
    *arena_push(r->a, &x->scalars) = strtod(text, NULL);
  }
}

static void read_values_of(reader *r, json_span inputs, size_t index) {
  exported_node *node = &r->x->nodes.at[index];
  node->first_value = r->x->values.n;
  node->first_scalar = r->x->scalars.n;
  node->arguments = UINT64_C(14695981039346656037); /* FNV-1a */
  for (size_t i = 0; i < inputs.n; i++)
    node->arguments = (node->arguments ^ (unsigned char)inputs.at[i]) * UINT64_C(1099511628211);
  for (json_walk w = json_walk_begin(inputs); json_walk_next(&w);)
    read_value(r, json_span_member(w.value, "arg"), index);
  node->nvalues = r->x->values.n - node->first_value;
  node->nscalars = r->x->scalars.n - node->first_scalar;
}

static void read_inputs(reader *r, json_span inputs, size_t index) {
  exported *x = r->x;
  read_values_of(r, inputs, index);
  x->nodes.at[index].first_input = x->inputs.n;
  for (json_walk w = json_walk_begin(inputs); json_walk_next(&w);) {
    json_span arg = json_span_member(w.value, "arg");
    size_t at = 0;
    if (json_span_member(arg, "as_graph").at) continue;
    for (const char *name; (name = next_name(arg, &at, r->scratch));) {
      size_t from = find_input(r, name, x->nodes.at[index].graph);
      if (from != EXPORTED_NONE && from != index) *arena_push(r->a, &x->inputs) = from;
    }
  }
  x->nodes.at[index].ninputs = x->inputs.n - x->nodes.at[index].first_input;
}

static void read_graph(reader *r, json_span graph, int depth, size_t row);

/* Reads the graphs of the branches of a cond, or of the body of a while_loop. */
static void read_nested(reader *r, json_span inputs, int depth, size_t owner) {
  exported *x = r->x;
  for (json_walk w = json_walk_begin(inputs); json_walk_next(&w);) {
    json_span nested = json_span_member(json_span_member(w.value, "arg"), "as_graph");
    if (!nested.at) continue;
    const char *name = json_span_text(json_span_member(nested, "name"), r->a);
    size_t row = x->graphs.n, first = x->nodes.n;
    if (!name || strlen(name) >= GRAPH_NAME_MAX) name = "";
    *arena_push(r->a, &x->graphs) =
        (exported_graph){.name = name, .owner = owner, .first = first, .end = first};
    add_in_graph(r, name, "", row);
    read_graph(r, json_span_member(nested, "graph"), depth + 1, row);
    x->graphs.at[row].end = x->nodes.n;
  }
}

static void add_made(reader *r, const char *name) {
  string_map_put_index(r->made, name, r->x->made.n);
  *arena_push(r->a, &r->x->made) = (exported_tensor){.name = name, .ndim = -1};
}

static void read_node(reader *r, json_span node, int depth, size_t graph) {
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
  *to = (exported_node){.op = intern(r, op), .graph = graph};
  to->line = read_line(r, json_span_member(node, "metadata"));
  if (name)
    add_name(r, name, index);
  else
    *arena_push(r->a, &r->unnamed) = index;
  x->nodes.at[index].first_made = x->made.n;
  while ((result = next_name(outputs, &at, r->a))) {
    if (!name) name = result;
    add_name(r, result, index);
    if (graph == EXPORTED_NONE) add_made(r, result);
  }
  x->nodes.at[index].nmade = x->made.n - x->nodes.at[index].first_made;
  x->nodes.at[index].name = name ? name : "";
  read_inputs(r, inputs, index);
  if (depth < GRAPHS_DEEP) read_nested(r, inputs, depth, index);
}

/* Torch 2.9 and 2.10 write no name of a node with several results. It is the name of the node's
 * operator, if the graph has that operator once. */
static void name_by_operators(reader *r, size_t first, size_t row) {
  const char *graph = row == EXPORTED_NONE ? NULL : r->x->graphs.at[row].name;
  string_map *seen = string_map_create(r->a), *twice = string_map_create(r->a);
  for (size_t i = first; i < r->unnamed.n; i++) {
    const exported_node *node = &r->x->nodes.at[r->unnamed.at[i]];
    if (!string_map_put(seen, node->op, node)) string_map_put(twice, node->op, node);
  }
  for (size_t i = first; i < r->unnamed.n; i++) {
    const char *op = r->x->nodes.at[r->unnamed.at[i]].op;
    if (!*op || string_map_get(twice, op) ||
        (graph ? find_in_graph(r->x, graph, op) : string_map_index(r->x->outer, op)) !=
            EXPORTED_NONE)
      continue;
    add_name(r, op, r->unnamed.at[i]);
  }
  r->unnamed.n = first;
}

static void read_graph(reader *r, json_span graph, int depth, size_t row) {
  size_t first = r->unnamed.n;
  json_walk w = json_walk_begin(json_span_member(graph, "nodes"));
  while (!r->too_many && json_walk_next(&w)) {
    if (r->x->nodes.n == NODES_MAX)
      r->too_many = true;
    else if (json_span_is_object(w.value))
      read_node(r, w.value, depth, row);
  }
  if (r->unnamed.n > first) name_by_operators(r, first, row);
}

static void read_results(reader *r, json_span outputs) {
  size_t at = 0;
  for (const char *name; (name = next_name(outputs, &at, r->scratch));) {
    size_t index = exported_find(r->x, name, false, NULL);
    if (index != EXPORTED_NONE) *arena_push(r->a, &r->x->results) = index;
  }
}

/* ---- inputs and weights */

static void read_user_input(reader *r, json_span spec) {
  json_span tensor = json_span_member(json_span_member(spec, "arg"), "as_tensor");
  if (spec.at) r->x->ninputs++;
  const char *name = tensor.at ? json_span_text(json_span_member(tensor, "name"), r->a) : NULL;
  if (spec.at) *arena_push(r->a, &r->x->user_names) = name ? name : "";
  if (!tensor.at) return;
  if (name) string_map_put_index(r->tensors, name, r->x->tensors.n);
  *arena_push(r->a, &r->x->tensors) =
      (exported_input){.ndim = -1, .place = (int64_t)r->x->ninputs - 1};
}

static void read_signature(reader *r, json_span signature) {
  static const char *const kinds[][2] = {{"parameter", "parameter_name"},
                                         {"buffer", "buffer_name"},
                                         {"tensor_constant", "tensor_constant_name"}};
  json_walk w = json_walk_begin(json_span_member(signature, "input_specs"));
  while (json_walk_next(&w)) {
    read_user_input(r, json_span_member(w.value, "user_input"));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
      json_span spec = json_span_member(w.value, kinds[i][0]);
      const char *fqn = json_span_text(json_span_member(spec, kinds[i][1]), r->a);
      const char *name =
          json_span_text(json_span_member(json_span_member(spec, "arg"), "name"), r->a);
      if (!fqn || !name) continue;
      string_map_put(r->placeholders, name, fqn);
      string_map_put(r->x->weight_names, fqn, name);
      *arena_push(r->a, &r->fqns) = fqn;
    }
  }
}

/* "16, 64", or NULL if they are not known, or a size is no number. */
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

/* "s77" of "Symbol('s77', positive=True, integer=True)", and of "s77"; NULL for another
 * expression. */
static const char *read_symbol(const char *text, arena *a) {
  static const char symbol[] = "Symbol('";
  const bool called = !strncmp(text, symbol, sizeof symbol - 1);
  const char *name = called ? text + sizeof symbol - 1 : text;
  const size_t n = lex_measure_word(name, strlen(name));
  const char *behind = name + n;
  if (!n || (*name >= '0' && *name <= '9')) return NULL;
  if (called && (*behind != '\'' || behind[1 + strcspn(behind + 1, "()")] != ')' ||
                 behind[2 + strcspn(behind + 1, ")")]))
    return NULL;
  return called || !*behind ? arena_strndup(a, name, n) : NULL;
}

typedef arena_list(int64_t) size_list;

static void read_dims(exported_input *to, json_span sizes, arena *a) {
  size_list dims = {0}, hints = {0};
  strings symbols = {0}, exprs = {0};
  if (!json_span_is_array(sizes)) return;
  for (json_walk w = json_walk_begin(sizes); dims.n < MODEL_DIMS_MAX && json_walk_next(&w);) {
    const int64_t n = json_span_integer(json_span_member(w.value, "as_int"), -1);
    json_span expr = json_span_member(w.value, "as_expr"), hint = json_span_member(expr, "hint");
    const char *text = json_span_short_text(json_span_member(expr, "expr_str"), 200, a);
    *arena_push(a, &dims) = n;
    *arena_push(a, &hints) = n >= 0 ? n : json_span_integer(json_span_member(hint, "as_int"), -1);
    *arena_push(a, &exprs) = n < 0 ? text : NULL;
    *arena_push(a, &symbols) = text ? read_symbol(text, a) : NULL;
  }
  to->ndim = (int)dims.n;
  to->dims = dims.at;
  to->hints = hints.at;
  to->exprs = exprs.at;
  to->symbols = symbols.at;
}

/* The types that PyTorch numbers in an exported program from 1 on. */
static const char *read_dtype(json_span value) {
  static const char *const names[] = {NULL,        "uint8",      "int8",    "int16",   "int32",
                                      "int64",     "float16",    "float32", "float64", "complex32",
                                      "complex64", "complex128", "bool",    "bfloat16"};
  const long long n = json_span_integer(value, 0);
  return n > 0 && n < (long long)(sizeof names / sizeof *names) ? names[n] : NULL;
}

static void read_made(exported_tensor *to, json_span tensor, arena *a) {
  exported_input sizes = {.ndim = -1}, strides = {.ndim = -1};
  read_dims(&sizes, json_span_member(tensor, "sizes"), a);
  read_dims(&strides, json_span_member(tensor, "strides"), a);
  to->dtype = read_dtype(json_span_member(tensor, "dtype"));
  to->ndim = sizes.ndim;
  to->dims = sizes.dims;
  to->exprs = sizes.exprs;
  to->strides = strides.ndim == sizes.ndim ? strides.dims : NULL;
}

static void read_values(reader *r, json_span values) {
  string_map *weights = r->x->weights;
  for (json_walk w = json_walk_begin(values); json_walk_next(&w);) {
    const char *name = arena_strndup(r->scratch, w.key.at, w.key.n);
    const char *fqn = string_map_get(r->placeholders, name);
    const size_t input = string_map_index(r->tensors, name), made = string_map_index(r->made, name);
    if (made != STRING_MAP_NONE) read_made(&r->x->made.at[made], w.value, r->a);
    if (input != STRING_MAP_NONE)
      read_dims(&r->x->tensors.at[input], json_span_member(w.value, "sizes"), r->a);
    const char *sizes = fqn ? format_sizes(json_span_member(w.value, "sizes"), r->a) : NULL;
    if (sizes) string_map_put(weights, fqn, sizes);
  }
  for (size_t i = 0; i < r->fqns.n; i++) string_map_put(weights, r->fqns.at[i], "");
}

/* ---- what it promises of the inputs */

enum { GUARDS_MAX = 10000 };

/* No text for a guard that is too long, or no text. */
static void read_guards(reader *r, json_span guards) {
  for (json_walk w = json_walk_begin(guards); r->x->guards.n < GUARDS_MAX && json_walk_next(&w);) {
    const char *text = json_span_short_text(w.value, GUARD_TEXT_MAX, r->a);
    *arena_push(r->a, &r->x->guards) = text ? text : "";
  }
}

static void read_ranges(reader *r, json_span ranges) {
  for (json_walk w = json_walk_begin(ranges); json_span_is_object(ranges) && json_walk_next(&w);) {
    exported_range *range = arena_alloc(r->a, sizeof *range);
    range->min = json_span_integer(json_span_member(w.value, "min_val"), AOTIGEN_ANY);
    range->max = json_span_integer(json_span_member(w.value, "max_val"), AOTIGEN_ANY);
    string_map_put(r->x->ranges, arena_strndup(r->a, w.key.at, w.key.n), range);
  }
}

/* ---- all of it */

bool exported_read(exported *x, const char *text, size_t n, const char *path, arena *a, diags *d) {
  *x = (exported){.outer = string_map_create(a),
                  .nested = string_map_create(a),
                  .in_graph = string_map_create(a),
                  .ambiguous = string_map_create(a),
                  .ranges = string_map_create(a),
                  .weights = string_map_create(a),
                  .weight_names = string_map_create(a),
                  .given_by_name = string_map_create(a)};
  reader r = {.x = x,
              .a = a,
              .scratch = arena_new(),
              .texts = string_map_create(a),
              .placeholders = string_map_create(a),
              .tensors = string_map_create(a),
              .made = string_map_create(a)};
  json_span module = json_span_member(json_span_of(text, n), "graph_module");
  json_span graph = json_span_member(module, "graph");
  read_graph(&r, graph, 0, EXPORTED_NONE);
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
    read_values(&r, json_span_member(graph, "tensor_values"));
    read_guards(&r, json_span_member(json_span_of(text, n), "guards_code"));
    read_ranges(&r, json_span_member(json_span_of(text, n), "range_constraints"));
  }
  arena_free(r.scratch);
  return ok;
}

size_t exported_find(const exported *x, const char *name, bool nested, const char *graph) {
  size_t index = graph ? find_in_graph(x, graph, name) : EXPORTED_NONE;
  if (index != EXPORTED_NONE) return index;
  if (nested && !(graph && exported_find_graph(x, graph))) {
    if (string_map_get(x->ambiguous, name)) return EXPORTED_NONE;
    index = string_map_index(x->nested, name);
    if (index != STRING_MAP_NONE) return index;
  }
  return string_map_index(x->outer, name);
}

size_t exported_find_given(const exported *x, const char *name) {
  size_t at = string_map_index(x->given_by_name, name);
  return at == STRING_MAP_NONE ? EXPORTED_NONE : EXPORTED_GIVEN + at;
}

const exported_graph *exported_find_graph(const exported *x, const char *name) {
  size_t row = find_in_graph(x, name, "");
  return row == EXPORTED_NONE ? NULL : &x->graphs.at[row];
}

/* graph_text.c - see tables.h. */
#include "emit/tables.h"
#include "base/shown.h"
#include <string.h>

enum { AXES = GRAPH_AXIS_YZ + 1 };

/* Numbers in the text: 1 + its place, 0 if it is not written. */
typedef struct graph_writer {
  const graph *g;
  const int64_t **constants; /* by parameter, NULL: not known */
  int sizes[AXES];           /* by axis: the parameter with the number of elements; -1 */
  int programs[AXES];        /* by axis: the loop over its programs; -1 */
  int nloops;
  unsigned *nodes, *loads, *carried;
  bool *reached;
  bool grew, odd; /* odd: a word holds a blank, or is not printable */
  strbuf out;
  arena *a;
} graph_writer;

static void reach(void *data, graph_node *node) {
  graph_writer *w = data;
  if (w->reached[node->number]) return;
  w->reached[node->number] = w->grew = true;
}

static void reach_below(graph_writer *writer, graph_node *node) {
  if (node && !writer->reached[node->number]) graph_each(writer->g, node, reach, writer);
}

/* The bounds of loops are below no node. */
static void reach_loops(graph_writer *writer) {
  for (size_t i = 0; i < writer->g->loops.n; i++) {
    reach_below(writer, writer->g->loops.at[i].low);
    reach_below(writer, writer->g->loops.at[i].high);
    reach_below(writer, writer->g->loops.at[i].step);
  }
}

static void reach_asserts(graph_writer *writer, const graph_asserts *list) {
  for (size_t i = 0; i < list->n; i++) {
    reach_below(writer, list->at[i].holds);
    reach_below(writer, list->at[i].when);
  }
}

static void reach_all(graph_writer *writer) {
  for (size_t i = 0; i < writer->g->accesses.n; i++) {
    const graph_access *x = &writer->g->accesses.at[i];
    if (x->kind == ACCESS_LOAD) continue;
    reach_below(writer, x->index);
    reach_below(writer, x->when);
    reach_below(writer, x->value);
  }
  reach_asserts(writer, &writer->g->asserts);
  reach_asserts(writer, &writer->g->divisions);
  reach_loops(writer);
}

/* ---- Triton ---------------------------------------------------------------------------------- */

/* The axis of "program_id(0)"; -1 for another node. */
static int find_program(const graph_writer *writer, const graph_node *node) {
  return writer->g->python ? graph_program_axis(node) : -1;
}

/* triton_helpers.select_one(node, place == last, ...) is the last element of a block of any size.
 */
static bool selects_last(const graph_writer *writer, const graph_node *node) {
  bool equal = node->op == AG_OP_EQUAL;
  for (size_t i = 0; i < writer->g->nodes.n && equal; i++) {
    const graph_node *y = writer->g->nodes.at[i];
    for (int k = 0; k < y->n && writer->reached[i]; k++)
      if (y->args[k] == node && (k != 1 || y->op != AG_OP_SELECT_ONE)) return false;
  }
  return equal;
}

/* True if the loop has a variable of the kernel's own, apart from that of a joined loop. */
static bool has_step(const graph_writer *writer, int loop) {
  for (size_t i = 0; i < writer->g->nodes.n; i++) {
    const graph_node *x = writer->g->nodes.at[i];
    for (int k = 0; k < x->n && writer->reached[i]; k++)
      if (x->args[k]->kind == NODE_STEP && x->args[k]->index == loop && !selects_last(writer, x))
        return true;
    bool places = x->kind == NODE_LOAD && writer->reached[i];
    const graph_node *at = places ? writer->g->accesses.at[x->index].index : NULL;
    if (at && at->kind == NODE_STEP && at->index == loop) return true;
  }
  for (size_t i = 0; i < writer->g->accesses.n; i++) {
    const graph_node *at = writer->g->accesses.at[i].index,
                     *value = writer->g->accesses.at[i].value;
    if (at->kind == NODE_STEP && at->index == loop) return true;
    if (value && value->kind == NODE_STEP && value->index == loop) return true;
  }
  return false;
}

static bool has_program(const graph_writer *writer, int axis) {
  for (size_t i = 0; i < writer->g->nodes.n; i++)
    if (writer->reached[i] && find_program(writer, writer->g->nodes.at[i]) == axis) return true;
  return false;
}

/* True if the size of the parameter's blocks does not matter: each element is computed in the same
 * way with blocks of another size. */
static bool is_free_block(const graph_writer *writer, int param) {
  bool any = false;
  for (size_t i = 0; i < writer->g->loops.n; i++) {
    const graph_loop *l = &writer->g->loops.at[i];
    const graph_node *block = l->kind == LOOP_TILE ? l->high : l->kind == LOOP_FOR ? NULL : l->step;
    if (!block || block->kind != NODE_PARAM || block->index != param) continue;
    any = true;
    if (l->kind == LOOP_TILE && has_step(writer, (int)i)) return false;
    if (l->kind == LOOP_GRID && has_program(writer, l->axis)) return false;
  }
  return any;
}

/* The wrapper does not say which blocks the autotuner chose. */
static void choose_blocks(graph_writer *writer) {
  static const int64_t one = 1;
  for (size_t i = 0; i < writer->g->nparams && writer->g->python; i++)
    if (!writer->constants[i] && writer->g->params[i].type == GRAPH_WEAK &&
        is_free_block(writer, (int)i))
      writer->constants[i] = &one;
}

/* "xnumel" for the loop x. */
static int find_size(const graph *g, const char *axis) {
  for (size_t i = 0; i < g->nparams; i++) {
    size_t n = strlen(axis);
    if (strncmp(g->params[i].name, axis, n) == 0 && strcmp(g->params[i].name + n, "numel") == 0)
      return (int)i;
  }
  return -1;
}

/* The loops over programs come after the graph's own. */
static void find_axes(graph_writer *writer) {
  bool used[AXES] = {false};
  for (int i = 0; i < AXES; i++) writer->sizes[i] = writer->programs[i] = -1;
  for (size_t i = 0; i < writer->g->loops.n; i++) {
    const graph_loop *l = &writer->g->loops.at[i];
    if (l->kind != LOOP_GRID) continue;
    used[l->axis] = true;
    writer->sizes[l->axis] = find_size(writer->g, l->name);
  }
  for (int i = 0; i < AXES; i++)
    if (used[i] || has_program(writer, i)) writer->programs[i] = writer->nloops++;
}

/* "-inf" of float("-inf"); NULL for another node. */
static const char *find_special(const graph_writer *writer, const graph_node *node) {
  bool is_special = writer->g->python && node->op == AG_OP_FLOAT &&
                    node->args[0]->kind == NODE_OP && !node->args[0]->n;
  const char *text = is_special ? node->args[0]->text : "",
             *end = *text ? text + strlen(text) - 1 : text;
  bool quoted = end > text + 1 && strchr("\"'", *text) && *end == *text;
  return quoted ? arena_strndup(writer->a, text + 1, (size_t)(end - text) - 1) : NULL;
}

/* ---- what is written ------------------------------------------------------------------------- */

static void number_all(graph_writer *writer, unsigned counts[3]) {
  for (int i = 0; i < AXES; i++) counts[0] += writer->sizes[i] >= 0; /* in front */
  for (size_t i = 0; i < writer->g->nodes.n; i++) {
    const graph_node *x = writer->g->nodes.at[i];
    if (!writer->reached[i]) continue;
    writer->nodes[i] = ++counts[0];
    if (x->kind == NODE_LOAD) writer->loads[x->index] = 1;
    if (x->kind == NODE_CARRIED || x->kind == NODE_AFTER) writer->carried[x->index] = 1;
  }
  for (size_t i = 0; i < writer->g->accesses.n; i++)
    if (writer->loads[i] || writer->g->accesses.at[i].kind != ACCESS_LOAD)
      writer->loads[i] = ++counts[1];
  for (size_t i = 0; i < writer->g->carried.n; i++)
    if (writer->carried[i]) writer->carried[i] = ++counts[2];
}

static int number_of(const graph_writer *writer, const graph_node *node) {
  return node ? (int)writer->nodes[node->number] - 1 : -1;
}

static void add_word(graph_writer *writer, const char *word) {
  if (!*word || strchr(word, ' ') || shown_text(word, writer->a) != word) writer->odd = true;
  strbuf_printf(&writer->out, " %s", word);
}

/* The number of the node with an axis's size. */
static int number_of_size(const graph_writer *writer, int axis) {
  int number = 0;
  for (int i = 0; i < axis; i++) number += writer->sizes[i] >= 0;
  return writer->sizes[axis] >= 0 ? number : -1;
}

static void write_programs(graph_writer *writer) {
  static const char *const names[] = {"program_x", "program_y", "program_z", "program_yz"};
  for (int i = 0; i < AXES; i++)
    if (writer->programs[i] >= 0)
      strbuf_printf(&writer->out, "g %s -1 -1 -1 %d -1 -1 -1\n", names[i], i);
}

static void write_loops(graph_writer *writer) {
  for (size_t i = 0; i < writer->g->loops.n; i++) {
    const graph_loop *l = &writer->g->loops.at[i];
    strbuf_printf(&writer->out, "%c", ag_graph_loop_letters[l->kind]);
    add_word(writer, l->name);
    int high = l->kind == LOOP_GRID ? number_of_size(writer, l->axis) : number_of(writer, l->high);
    int axis = l->kind == LOOP_TILE ? (l->place > 0 && l->place < 4 ? l->place - 1 : -1) : l->axis;
    strbuf_printf(&writer->out, " %d %d %d %d %d", number_of(writer, l->low), high,
                  number_of(writer, l->step), axis, l->outer);
    if (l->kind == LOOP_GRID) strbuf_printf(&writer->out, " %d -1", l->tile);
    if (l->kind == LOOP_BLOCKS) strbuf_printf(&writer->out, " %d %d", l->tile, l->over);
    strbuf_puts(&writer->out, "\n");
  }
  write_programs(writer);
}

static void write_carried(graph_writer *writer) {
  for (size_t i = 0; i < writer->g->carried.n; i++) {
    const graph_carried *c = &writer->g->carried.at[i];
    if (!writer->carried[i]) continue;
    strbuf_puts(&writer->out, "c");
    add_word(writer, c->name);
    strbuf_printf(&writer->out, " %d %d %d\n", c->loop, number_of(writer, c->first),
                  number_of(writer, c->next));
  }
}

static void write_accesses(graph_writer *writer) {
  for (size_t i = 0; i < writer->g->accesses.n; i++) {
    const graph_access *x = &writer->g->accesses.at[i];
    if (!writer->loads[i]) continue;
    strbuf_printf(&writer->out, "%c %d %d %d %d %d %d %u\n", ag_graph_access_letters[x->kind],
                  x->memory, number_of(writer, x->index), number_of(writer, x->when),
                  number_of(writer, x->value), number_of(writer, x->other), x->partly, x->order);
  }
}

/* One node stands for all constants of that value, which may have several names. */
static bool is_constant(const graph_writer *writer, const graph_node *node) {
  while (node->op == AG_OP_CAST || node->op == AG_OP_NEGATE) node = node->args[0];
  return node->kind == NODE_INTEGER || node->kind == NODE_FLOAT ||
         (node->kind == NODE_OP && !node->n) || find_special(writer, node);
}

static void add_name(graph_writer *writer, const graph_node *node) {
  if (node->name && !is_constant(writer, node)) strbuf_printf(&writer->out, " =%s", node->name);
  strbuf_puts(&writer->out, "\n");
}

/* Writes a node that has a form of its own in Triton. False for another node. */
static bool write_triton_node(graph_writer *writer, const graph_node *node) {
  char type = ag_graph_type_letters[node->type];
  int axis = find_program(writer, node);
  const char *special = find_special(writer, node);
  const int64_t *constant = node->kind == NODE_PARAM ? writer->constants[node->index] : NULL;
  if (axis >= 0)
    strbuf_printf(&writer->out, "s%c %d", type, writer->programs[axis]);
  else if (constant)
    strbuf_printf(&writer->out, "i%c %lld", type, (long long)*constant);
  else if (special)
    strbuf_printf(&writer->out, "f%c %s", ag_graph_type_letters[GRAPH_WEAK_FLOAT], special);
  else
    return false;
  add_name(writer, node);
  return true;
}

static void write_node(graph_writer *writer, const graph_node *node) {
  if (write_triton_node(writer, node)) return;
  strbuf_printf(&writer->out, "%c%c", ag_graph_node_letters[node->kind],
                ag_graph_type_letters[node->type]);
  switch (node->kind) {
    case NODE_INTEGER: strbuf_printf(&writer->out, " %lld", (long long)node->value); break;
    case NODE_FLOAT: add_word(writer, node->text); break;
    case NODE_PARAM:
    case NODE_STEP: strbuf_printf(&writer->out, " %d", node->index); break;
    case NODE_LOAD: strbuf_printf(&writer->out, " %u", writer->loads[node->index] - 1); break;
    case NODE_CARRIED:
    case NODE_AFTER: strbuf_printf(&writer->out, " %u", writer->carried[node->index] - 1); break;
    case NODE_OP: add_word(writer, node->text); break;
    case NODE_UNKNOWN: strbuf_printf(&writer->out, " %s", node->text); break;
  }
  for (int i = 0; i < node->n; i++)
    strbuf_printf(&writer->out, " %d", number_of(writer, node->args[i]));
  add_name(writer, node);
}

/* The text of an assert is the last word of its line, without its quotes. */
static void write_asserts(graph_writer *writer, const graph_asserts *list) {
  for (size_t i = 0; i < list->n; i++) {
    const graph_assert *x = &list->at[i];
    const char *begin = strpbrk(x->text, "\"'"), *end = begin ? strrchr(begin, *begin) : NULL;
    if (!begin || end < begin + 2 || strchr(x->text, '\n')) continue;
    strbuf_printf(&writer->out, "k %d %d %u %.*s\n", number_of(writer, x->holds),
                  number_of(writer, x->when), x->order, (int)(end - begin - 1), begin + 1);
  }
}

static void write_graph(graph_writer *writer, const unsigned counts[3]) {
  const graph *g = writer->g;
  strbuf_printf(&writer->out, "1 %c %zu %d %u %u %u %zu\n", g->python ? 't' : 'c', g->memories.n,
                writer->nloops, counts[2], counts[1], counts[0], g->nparams);
  for (size_t i = 0; i < g->memories.n; i++) {
    strbuf_printf(&writer->out, "m%c %d", ag_graph_type_letters[g->memories.at[i].type],
                  g->memories.at[i].param);
    add_word(writer, g->memories.at[i].name);
    strbuf_puts(&writer->out, "\n");
  }
  write_loops(writer);
  write_carried(writer);
  write_accesses(writer);
  for (int i = 0; i < AXES; i++)
    if (writer->sizes[i] >= 0)
      strbuf_printf(&writer->out, "p%c %d\n", ag_graph_type_letters[GRAPH_I64], writer->sizes[i]);
  for (size_t i = 0; i < g->nodes.n; i++)
    if (writer->reached[i]) write_node(writer, g->nodes.at[i]);
  write_asserts(writer, &g->asserts);
  write_asserts(writer, &g->divisions);
}

const char *graph_text_write(const graph *g, const int64_t **constants, const unsigned **places,
                             arena *a) {
  unsigned counts[3] = {0};
  if (g->why || g->nodes.n > GRAPH_TEXT_NODES_MAX || g->accesses.n > GRAPH_TEXT_NODES_MAX)
    return NULL;
  graph_writer w = {.g = g, .constants = constants, .nloops = (int)g->loops.n, .a = a};
  w.nodes = arena_alloc(a, (g->nodes.n + 1) * sizeof *w.nodes);
  w.loads = arena_alloc(a, (g->accesses.n + 1) * sizeof *w.loads);
  w.carried = arena_alloc(a, (g->carried.n + 1) * sizeof *w.carried);
  w.reached = arena_alloc(a, g->nodes.n + 1);
  reach_all(&w);
  choose_blocks(&w);
  find_axes(&w);
  number_all(&w, counts);
  write_graph(&w, counts);
  if (places) *places = w.nodes;
  const char *text = counts[1] && !w.odd ? arena_strndup(a, w.out.at, w.out.n) : NULL;
  strbuf_free(&w.out);
  return text;
}

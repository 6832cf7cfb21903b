/* graph_text.c - see graph_text.h. */
#include "emit/graph_text.h"
#include "base/shown.h"
#include <string.h>

enum { AXES = GRAPH_AXIS_YZ + 1 };

/* Numbers in the text: 1 + its place, 0 for what is not written. */
typedef struct graph_writer {
  const graph *g;
  const int64_t **constants; /* by parameter, NULL: not known */
  int sizes[AXES];           /* by axis: the parameter that says how many elements there are; -1 */
  int programs[AXES];        /* the loop over the axis's programs; -1 */
  int nloops;
  unsigned *nodes, *loads, *carried;
  bool *reached;
  bool grew, odd; /* odd: a word holds a space, or is not printable */
  strbuf out;
  arena *a;
} graph_writer;

static void reach(void *data, graph_node *x) {
  graph_writer *w = data;
  if (w->reached[x->number]) return;
  w->reached[x->number] = w->grew = true;
}

static void reach_below(graph_writer *w, graph_node *x) {
  if (x && !w->reached[x->number]) graph_each(w->g, x, reach, w);
}

/* The bounds of loops are below no node. */
static void reach_loops(graph_writer *w) {
  for (size_t i = 0; i < w->g->loops.n; i++) {
    reach_below(w, w->g->loops.at[i].low);
    reach_below(w, w->g->loops.at[i].high);
    reach_below(w, w->g->loops.at[i].step);
  }
}

static void reach_asserts(graph_writer *w, const graph_asserts *list) {
  for (size_t i = 0; i < list->n; i++) {
    reach_below(w, list->at[i].holds);
    reach_below(w, list->at[i].when);
  }
}

static void reach_all(graph_writer *w) {
  for (size_t i = 0; i < w->g->accesses.n; i++) {
    const graph_access *x = &w->g->accesses.at[i];
    if (x->kind == ACCESS_LOAD) continue;
    reach_below(w, x->index);
    reach_below(w, x->when);
    reach_below(w, x->value);
  }
  reach_asserts(w, &w->g->asserts);
  reach_asserts(w, &w->g->divisions);
  reach_loops(w);
}

/* ---- Triton ---------------------------------------------------------------------------------- */

/* The axis of "program_id(0)"; -1 of another node. */
static int find_program(const graph_writer *w, const graph_node *x) {
  return w->g->python ? graph_program_axis(x) : -1;
}

/* triton_helpers.select_one(x, place == last, ...) is the last element of a block of any size. */
static bool selects_last(const graph_writer *w, const graph_node *x) {
  bool equal = x->op == AG_OP_EQUAL;
  for (size_t i = 0; i < w->g->nodes.n && equal; i++) {
    const graph_node *y = w->g->nodes.at[i];
    for (int k = 0; k < y->n && w->reached[i]; k++)
      if (y->args[k] == x && (k != 1 || y->op != AG_OP_SELECT_ONE)) return false;
  }
  return equal;
}

/* Is it a variable of the kernel's own, beside the one of a joined loop. */
static bool has_step(const graph_writer *w, int loop) {
  for (size_t i = 0; i < w->g->nodes.n; i++) {
    const graph_node *x = w->g->nodes.at[i];
    for (int k = 0; k < x->n && w->reached[i]; k++)
      if (x->args[k]->kind == NODE_STEP && x->args[k]->index == loop && !selects_last(w, x))
        return true;
    bool places = x->kind == NODE_LOAD && w->reached[i];
    const graph_node *at = places ? w->g->accesses.at[x->index].index : NULL;
    if (at && at->kind == NODE_STEP && at->index == loop) return true;
  }
  for (size_t i = 0; i < w->g->accesses.n; i++) {
    const graph_node *at = w->g->accesses.at[i].index, *value = w->g->accesses.at[i].value;
    if (at->kind == NODE_STEP && at->index == loop) return true;
    if (value && value->kind == NODE_STEP && value->index == loop) return true;
  }
  return false;
}

static bool has_program(const graph_writer *w, int axis) {
  for (size_t i = 0; i < w->g->nodes.n; i++)
    if (w->reached[i] && find_program(w, w->g->nodes.at[i]) == axis) return true;
  return false;
}

/* Is the size of the parameter's blocks of no account: each element is computed alike in blocks of
 * another size. */
static bool is_free_block(const graph_writer *w, int param) {
  bool any = false;
  for (size_t i = 0; i < w->g->loops.n; i++) {
    const graph_loop *l = &w->g->loops.at[i];
    const graph_node *block = l->kind == LOOP_TILE ? l->high : l->kind == LOOP_FOR ? NULL : l->step;
    if (!block || block->kind != NODE_PARAM || block->index != param) continue;
    any = true;
    if (l->kind == LOOP_TILE && has_step(w, (int)i)) return false;
    if (l->kind == LOOP_GRID && has_program(w, l->axis)) return false;
  }
  return any;
}

/* The blocks that the autotuner chose are not in the wrapper. */
static void choose_blocks(graph_writer *w) {
  static const int64_t one = 1;
  for (size_t i = 0; i < w->g->nparams && w->g->python; i++)
    if (!w->constants[i] && w->g->params[i].type == GRAPH_WEAK && is_free_block(w, (int)i))
      w->constants[i] = &one;
}

/* "xnumel" of the loop x. */
static int find_size(const graph *g, const char *axis) {
  for (size_t i = 0; i < g->nparams; i++) {
    size_t n = strlen(axis);
    if (strncmp(g->params[i].name, axis, n) == 0 && strcmp(g->params[i].name + n, "numel") == 0)
      return (int)i;
  }
  return -1;
}

/* The loops over programs stand behind the graph's own. */
static void find_axes(graph_writer *w) {
  bool used[AXES] = {false};
  for (int i = 0; i < AXES; i++) w->sizes[i] = w->programs[i] = -1;
  for (size_t i = 0; i < w->g->loops.n; i++) {
    const graph_loop *l = &w->g->loops.at[i];
    if (l->kind != LOOP_GRID) continue;
    used[l->axis] = true;
    w->sizes[l->axis] = find_size(w->g, l->name);
  }
  for (int i = 0; i < AXES; i++)
    if (used[i] || has_program(w, i)) w->programs[i] = w->nloops++;
}

/* "-inf" of float("-inf"); NULL of another node. */
static const char *find_special(const graph_writer *w, const graph_node *x) {
  bool is = w->g->python && x->op == AG_OP_FLOAT && x->args[0]->kind == NODE_OP && !x->args[0]->n;
  const char *text = is ? x->args[0]->text : "", *end = *text ? text + strlen(text) - 1 : text;
  bool quoted = end > text + 1 && strchr("\"'", *text) && *end == *text;
  return quoted ? arena_strndup(w->a, text + 1, (size_t)(end - text) - 1) : NULL;
}

/* ---- what is written ------------------------------------------------------------------------- */

static void number_all(graph_writer *w, unsigned counts[3]) {
  for (int i = 0; i < AXES; i++) counts[0] += w->sizes[i] >= 0; /* in front */
  for (size_t i = 0; i < w->g->nodes.n; i++) {
    const graph_node *x = w->g->nodes.at[i];
    if (!w->reached[i]) continue;
    w->nodes[i] = ++counts[0];
    if (x->kind == NODE_LOAD) w->loads[x->index] = 1;
    if (x->kind == NODE_CARRIED || x->kind == NODE_AFTER) w->carried[x->index] = 1;
  }
  for (size_t i = 0; i < w->g->accesses.n; i++)
    if (w->loads[i] || w->g->accesses.at[i].kind != ACCESS_LOAD) w->loads[i] = ++counts[1];
  for (size_t i = 0; i < w->g->carried.n; i++)
    if (w->carried[i]) w->carried[i] = ++counts[2];
}

static int number_of(const graph_writer *w, const graph_node *x) {
  return x ? (int)w->nodes[x->number] - 1 : -1;
}

static void add_word(graph_writer *w, const char *word) {
  if (!*word || strchr(word, ' ') || shown_text(word, w->a) != word) w->odd = true;
  strbuf_printf(&w->out, " %s", word);
}

/* The node of an axis's size. */
static int number_of_size(const graph_writer *w, int axis) {
  int number = 0;
  for (int i = 0; i < axis; i++) number += w->sizes[i] >= 0;
  return w->sizes[axis] >= 0 ? number : -1;
}

static void write_programs(graph_writer *w) {
  static const char *const names[] = {"program_x", "program_y", "program_z", "program_yz"};
  for (int i = 0; i < AXES; i++)
    if (w->programs[i] >= 0) strbuf_printf(&w->out, "g %s -1 -1 -1 %d -1 -1 -1\n", names[i], i);
}

static void write_loops(graph_writer *w) {
  for (size_t i = 0; i < w->g->loops.n; i++) {
    const graph_loop *l = &w->g->loops.at[i];
    strbuf_printf(&w->out, "%c", ag_graph_loop_letters[l->kind]);
    add_word(w, l->name);
    int high = l->kind == LOOP_GRID ? number_of_size(w, l->axis) : number_of(w, l->high);
    int axis = l->kind == LOOP_TILE ? (l->place > 0 && l->place < 4 ? l->place - 1 : -1) : l->axis;
    strbuf_printf(&w->out, " %d %d %d %d %d", number_of(w, l->low), high, number_of(w, l->step),
                  axis, l->outer);
    if (l->kind == LOOP_GRID) strbuf_printf(&w->out, " %d -1", l->tile);
    if (l->kind == LOOP_BLOCKS) strbuf_printf(&w->out, " %d %d", l->tile, l->over);
    strbuf_puts(&w->out, "\n");
  }
  write_programs(w);
}

static void write_carried(graph_writer *w) {
  for (size_t i = 0; i < w->g->carried.n; i++) {
    const graph_carried *c = &w->g->carried.at[i];
    if (!w->carried[i]) continue;
    strbuf_puts(&w->out, "c");
    add_word(w, c->name);
    strbuf_printf(&w->out, " %d %d %d\n", c->loop, number_of(w, c->first), number_of(w, c->next));
  }
}

static void write_accesses(graph_writer *w) {
  for (size_t i = 0; i < w->g->accesses.n; i++) {
    const graph_access *x = &w->g->accesses.at[i];
    if (!w->loads[i]) continue;
    strbuf_printf(&w->out, "%c %d %d %d %d %d %d %u\n", ag_graph_access_letters[x->kind], x->memory,
                  number_of(w, x->index), number_of(w, x->when), number_of(w, x->value),
                  number_of(w, x->other), x->partly, x->order);
  }
}

/* One node stands for all constants of that value, whose names are others. */
static bool is_constant(const graph_writer *w, const graph_node *x) {
  while (x->op == AG_OP_CAST || x->op == AG_OP_NEGATE) x = x->args[0];
  return x->kind == NODE_INTEGER || x->kind == NODE_FLOAT || (x->kind == NODE_OP && !x->n) ||
         find_special(w, x);
}

static void add_name(graph_writer *w, const graph_node *x) {
  if (x->name && !is_constant(w, x)) strbuf_printf(&w->out, " =%s", x->name);
  strbuf_puts(&w->out, "\n");
}

/* What has a form of its own in Triton. False of another node. */
static bool write_triton_node(graph_writer *w, const graph_node *x) {
  char type = ag_graph_type_letters[x->type];
  int axis = find_program(w, x);
  const char *special = find_special(w, x);
  const int64_t *constant = x->kind == NODE_PARAM ? w->constants[x->index] : NULL;
  if (axis >= 0)
    strbuf_printf(&w->out, "s%c %d", type, w->programs[axis]);
  else if (constant)
    strbuf_printf(&w->out, "i%c %lld", type, (long long)*constant);
  else if (special)
    strbuf_printf(&w->out, "f%c %s", ag_graph_type_letters[GRAPH_WEAK_FLOAT], special);
  else
    return false;
  add_name(w, x);
  return true;
}

static void write_node(graph_writer *w, const graph_node *x) {
  if (write_triton_node(w, x)) return;
  strbuf_printf(&w->out, "%c%c", ag_graph_node_letters[x->kind], ag_graph_type_letters[x->type]);
  switch (x->kind) {
    case NODE_INTEGER: strbuf_printf(&w->out, " %lld", (long long)x->value); break;
    case NODE_FLOAT: add_word(w, x->text); break;
    case NODE_PARAM:
    case NODE_STEP: strbuf_printf(&w->out, " %d", x->index); break;
    case NODE_LOAD: strbuf_printf(&w->out, " %u", w->loads[x->index] - 1); break;
    case NODE_CARRIED:
    case NODE_AFTER: strbuf_printf(&w->out, " %u", w->carried[x->index] - 1); break;
    case NODE_OP: add_word(w, x->text); break;
    case NODE_UNKNOWN: strbuf_printf(&w->out, " %s", x->text); break;
  }
  for (int i = 0; i < x->n; i++) strbuf_printf(&w->out, " %d", number_of(w, x->args[i]));
  add_name(w, x);
}

/* The text of an assert is the last word of its line, without its quotes. */
static void write_asserts(graph_writer *w, const graph_asserts *list) {
  for (size_t i = 0; i < list->n; i++) {
    const graph_assert *x = &list->at[i];
    const char *begin = strpbrk(x->text, "\"'"), *end = begin ? strrchr(begin, *begin) : NULL;
    if (!begin || end < begin + 2 || strchr(x->text, '\n')) continue;
    strbuf_printf(&w->out, "k %d %d %u %.*s\n", number_of(w, x->holds), number_of(w, x->when),
                  x->order, (int)(end - begin - 1), begin + 1);
  }
}

static void write_graph(graph_writer *w, const unsigned counts[3]) {
  const graph *g = w->g;
  strbuf_printf(&w->out, "1 %c %zu %d %u %u %u %zu\n", g->python ? 't' : 'c', g->memories.n,
                w->nloops, counts[2], counts[1], counts[0], g->nparams);
  for (size_t i = 0; i < g->memories.n; i++) {
    strbuf_printf(&w->out, "m%c %d", ag_graph_type_letters[g->memories.at[i].type],
                  g->memories.at[i].param);
    add_word(w, g->memories.at[i].name);
    strbuf_puts(&w->out, "\n");
  }
  write_loops(w);
  write_carried(w);
  write_accesses(w);
  for (int i = 0; i < AXES; i++)
    if (w->sizes[i] >= 0)
      strbuf_printf(&w->out, "p%c %d\n", ag_graph_type_letters[GRAPH_I64], w->sizes[i]);
  for (size_t i = 0; i < g->nodes.n; i++)
    if (w->reached[i]) write_node(w, g->nodes.at[i]);
  write_asserts(w, &g->asserts);
  write_asserts(w, &g->divisions);
}

const char *graph_text_write(const graph *g, const int64_t **constants, arena *a) {
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
  const char *text = counts[1] && !w.odd ? arena_strndup(a, w.out.at, w.out.n) : NULL;
  strbuf_free(&w.out);
  return text;
}

/* graph_text.c - see graph_text.h. */
#include "emit/graph_text.h"
#include <string.h>

/* Numbers in the text: 1 + its place, 0 for what is not written. */
typedef struct graph_writer {
  const graph *g;
  unsigned *nodes, *loads, *carried;
  bool *reached;
  bool grew, odd; /* odd: a word holds a space */
  strbuf out;
} graph_writer;

/* By graph_type. */
static const char type_letters[] = "~nbBcHhIiLlx8yefd";

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

static void reach_all(graph_writer *w) {
  for (size_t i = 0; i < w->g->accesses.n; i++) {
    const graph_access *x = &w->g->accesses.at[i];
    if (x->is == ACCESS_LOAD) continue;
    reach_below(w, x->index);
    reach_below(w, x->when);
    reach_below(w, x->value);
  }
  reach_loops(w);
}

static void number_all(graph_writer *w, unsigned counts[3]) {
  for (size_t i = 0; i < w->g->nodes.n; i++) {
    const graph_node *x = w->g->nodes.at[i];
    if (!w->reached[i]) continue;
    w->nodes[i] = ++counts[0];
    if (x->is == NODE_LOAD) w->loads[x->index] = 1;
    if (x->is == NODE_CARRIED || x->is == NODE_AFTER) w->carried[x->index] = 1;
  }
  for (size_t i = 0; i < w->g->accesses.n; i++)
    if (w->loads[i] || w->g->accesses.at[i].is != ACCESS_LOAD) w->loads[i] = ++counts[1];
  for (size_t i = 0; i < w->g->carried.n; i++)
    if (w->carried[i]) w->carried[i] = ++counts[2];
}

static int number_of(const graph_writer *w, const graph_node *x) {
  return x ? (int)w->nodes[x->number] - 1 : -1;
}

static void add_word(graph_writer *w, const char *word) {
  if (!*word || strpbrk(word, " \n")) w->odd = true;
  strbuf_printf(&w->out, " %s", word);
}

static void write_loops(graph_writer *w) {
  static const char kinds[] = "fgbtl";
  for (size_t i = 0; i < w->g->loops.n; i++) {
    const graph_loop *l = &w->g->loops.at[i];
    strbuf_printf(&w->out, "%c", kinds[l->is]);
    add_word(w, l->name);
    strbuf_printf(&w->out, " %d %d %d %d %d\n", number_of(w, l->low), number_of(w, l->high),
                  number_of(w, l->step), l->axis, l->outer);
  }
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
  static const char kinds[] = "lsa";
  for (size_t i = 0; i < w->g->accesses.n; i++) {
    const graph_access *x = &w->g->accesses.at[i];
    if (!w->loads[i]) continue;
    strbuf_printf(&w->out, "%c %d %d %d %d %d %d %u\n", kinds[x->is], x->memory,
                  number_of(w, x->index), number_of(w, x->when), number_of(w, x->value),
                  number_of(w, x->other), x->partly, x->order);
  }
}

static void write_node(graph_writer *w, const graph_node *x) {
  static const char kinds[] = "ifpslceou";
  strbuf_printf(&w->out, "%c%c", kinds[x->is], type_letters[x->type]);
  switch (x->is) {
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
  if (x->name) strbuf_printf(&w->out, " =%s", x->name);
  strbuf_puts(&w->out, "\n");
}

static void write_graph(graph_writer *w, const unsigned counts[3]) {
  const graph *g = w->g;
  strbuf_printf(&w->out, "1 %c %zu %zu %u %u %u %zu\n", g->python ? 't' : 'c', g->memories.n,
                g->loops.n, counts[2], counts[1], counts[0], g->nparams);
  for (size_t i = 0; i < g->memories.n; i++) {
    strbuf_printf(&w->out, "m%c %d", type_letters[g->memories.at[i].type], g->memories.at[i].param);
    add_word(w, g->memories.at[i].name);
    strbuf_puts(&w->out, "\n");
  }
  write_loops(w);
  write_carried(w);
  write_accesses(w);
  for (size_t i = 0; i < g->nodes.n; i++)
    if (w->reached[i]) write_node(w, g->nodes.at[i]);
}

const char *graph_text_write(const graph *g, arena *a) {
  unsigned counts[3] = {0};
  if (g->why || g->nodes.n > GRAPH_TEXT_NODES_MAX || g->accesses.n > GRAPH_TEXT_NODES_MAX)
    return NULL;
  graph_writer w = {.g = g};
  w.nodes = arena_alloc(a, (g->nodes.n + 1) * sizeof *w.nodes);
  w.loads = arena_alloc(a, (g->accesses.n + 1) * sizeof *w.loads);
  w.carried = arena_alloc(a, (g->carried.n + 1) * sizeof *w.carried);
  w.reached = arena_alloc(a, g->nodes.n + 1);
  reach_all(&w);
  number_all(&w, counts);
  write_graph(&w, counts);
  const char *text = counts[1] && !w.odd ? arena_strndup(a, w.out.at, w.out.n) : NULL;
  strbuf_free(&w.out);
  return text;
}

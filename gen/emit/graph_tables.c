/* graph_tables.c - see tables.h. */
#include "emit/tables.h"
#include "base/string_map.h"
#include <string.h>

typedef struct graph_table {
  const char *name;       /* that of the kernel's text; "" for none */
  const unsigned *places; /* of its nodes in the text, as graph_text_write() has it */
} graph_table;

struct graph_tables {
  kernel_graphs *graphs;
  string_map *texts; /* graph_table by the kernel */
  unsigned n;
  arena *a;
};

graph_tables *graph_tables_begin(kernel_graphs *graphs, arena *a) {
  graph_tables *t = arena_alloc(a, sizeof *t);
  *t = (graph_tables){.graphs = graphs, .texts = string_map_create(a), .a = a};
  return t;
}

static const int64_t **list_constants(graph_tables *t, const graph *g, const triton *k) {
  const int64_t **list = arena_alloc(t->a, (g->nparams + 1) * sizeof *list);
  for (size_t i = 0; i < g->nparams && k; i++) {
    const triton_param *x = triton_find_param(k, g->params[i].name);
    if (x && x->constant) list[i] = &x->value;
  }
  return list;
}

/* The table with the kernel's text, which is added the first time. */
static const graph_table *add_text(graph_tables *t, strbuf *to, const site *s, const graph *g) {
  graph_table *known = string_map_get(t->texts, s->kernel);
  if (known) return known;
  known = arena_alloc(t->a, sizeof *known);
  const char *text =
      g->why ? NULL : graph_text_write(g, list_constants(t, g, s->triton), &known->places, t->a);
  known->name = "";
  if (text) {
    known->name = arena_printf(t->a, "aotigen_graph_text_%u_", t->n++);
    const slot slots[] = {{"name", known->name}, {"text", template_quote(text, t->a)}};
    TABLE_ADD(to, "table_graph_text", slots);
  }
  string_map_put(t->texts, s->kernel, known);
  return known;
}

/* "12:5 13:1 @2:5 !:1", or "nullptr": as aotigen_graph has them. */
static const char *write_lines(const graph_table *t, const site *s, arena *a) {
  strbuf out = {0};
  for (size_t i = 0; i < s->op_lines.n; i++) {
    const op_lines *x = &s->op_lines.at[i];
    if (t->places[x->number])
      strbuf_printf(&out, "%s%u:%llx", out.n ? " " : "", t->places[x->number] - 1,
                    (unsigned long long)x->lines);
  }
  for (size_t i = 0; i < s->stored_lines.n; i++)
    strbuf_printf(&out, "%s@%u:%llx", out.n ? " " : "", s->stored_lines.at[i].number,
                  (unsigned long long)s->stored_lines.at[i].lines);
  if (s->lookup_lines)
    strbuf_printf(&out, "%s!:%llx", out.n ? " " : "", (unsigned long long)s->lookup_lines);
  const char *text = out.n ? table_quote(out.at, a) : "nullptr";
  strbuf_free(&out);
  return text;
}

static const char *list_arguments(const graph *g, const site *s, arena *a) {
  const argument *const *args = kernel_graphs_arguments(g, s, a);
  strbuf list = {0};
  for (size_t i = 0; i < g->nparams; i++) {
    int number = args[i] ? (int)(args[i] - s->args.at) : -1;
    strbuf_printf(&list, "%s%d", i ? ", " : "", number);
  }
  const char *text = arena_strdup(a, list.at ? list.at : "-1");
  strbuf_free(&list);
  return text;
}

typedef struct asserted_by {
  const graph *g;
  bool own; /* an array of the kernel's own is loaded */
  uint64_t params;
} asserted_by;

static void note_load(void *data, graph_node *node) {
  asserted_by *to = data;
  if (node->kind != NODE_LOAD) return;
  int param = to->g->memories.at[to->g->accesses.at[node->index].memory].param;
  if (param < 0)
    to->own = true;
  else if (param < 64)
    to->params |= UINT64_C(1) << param;
}

static void note_conditions(asserted_by *by, const graph_asserts *list) {
  for (size_t i = 0; i < list->n; i++) {
    if (strcmp(list->at[i].text, "\"" GRAPH_QUOTIENT "\"") == 0) continue;
    graph_each(by->g, list->at[i].holds, note_load, by);
    if (list->at[i].when) graph_each(by->g, list->at[i].when, note_load, by);
  }
}

/* The arguments, as bits, that determine asserts and divisors: they are kept until an exception is
 * reported. A quotient is explained only after a signal, when all are still there. The content of
 * an array of the kernel may come from any argument. */
static uint64_t find_asserted(const graph *g, const site *s, arena *a) {
  const argument *const *args = kernel_graphs_arguments(g, s, a);
  asserted_by by = {.g = g};
  uint64_t bits = 0;
  note_conditions(&by, &g->asserts);
  note_conditions(&by, &g->divisions);
  for (size_t i = 0; i < g->nparams && i < 64; i++) {
    size_t number = args[i] ? (size_t)(args[i] - s->args.at) : 64;
    bool counts = by.params >> i & 1 || (by.own && g->params[i].pointer);
    if (number < 64 && counts) bits |= UINT64_C(1) << number;
  }
  return bits;
}

const char *graph_tables_add(graph_tables *t, strbuf *to, const site *s, const char *number,
                             arena *a) {
  const kernel_graph *k = kernel_graphs_find(t->graphs, s);
  const graph_table *table = k ? add_text(t, to, s, &k->graph) : NULL;
  if (!table || !*table->name || s->args.n > INT16_MAX) return "nullptr";
  const char *args = arena_printf(a, "aotigen_graph_args_%s_", number);
  const char *name = arena_printf(a, "aotigen_graph_%s_", number);
  const slot slots[] = {
      {"args", args},
      {"list", list_arguments(&k->graph, s, a)},
      {"name", name},
      {"text", table->name},
      {"nparams", arena_printf(a, "%zu", k->graph.nparams)},
      {"asserted", arena_printf(a, "0x%llx", (unsigned long long)find_asserted(&k->graph, s, a))},
      {"lines", write_lines(table, s, a)}};
  TABLE_ADD(to, "table_graph", slots);
  return arena_printf(a, "&%s", name);
}

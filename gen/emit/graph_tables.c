/* graph_tables.c - see tables.h. */
#include "emit/tables.h"
#include "base/string_map.h"
#include <string.h>

struct graph_tables {
  kernel_graphs *graphs;
  string_map *names; /* the name of a kernel's text, by the kernel; "" for none */
  unsigned n;
  arena *a;
};

graph_tables *graph_tables_begin(kernel_graphs *graphs, arena *a) {
  graph_tables *t = arena_alloc(a, sizeof *t);
  *t = (graph_tables){.graphs = graphs, .names = string_map_create(a), .a = a};
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

/* The name of the table with the kernel's text, which is added the first time; "" for none. */
static const char *name_text(graph_tables *t, strbuf *to, const site *s, const graph *g) {
  const char *known = string_map_get(t->names, s->kernel);
  if (known) return known;
  const char *text = g->why ? NULL : graph_text_write(g, list_constants(t, g, s->triton), t->a);
  const char *name = "";
  if (text) {
    name = arena_printf(t->a, "aotigen_graph_text_%u_", t->n++);
    const slot slots[] = {{"name", name}, {"text", template_quote(text, t->a)}};
    TABLE_ADD(to, "table_graph_text", slots);
  }
  string_map_put(t->names, s->kernel, (void *)(uintptr_t)name);
  return name;
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
  const char *text = k ? name_text(t, to, s, &k->graph) : "";
  if (!*text || s->args.n > INT16_MAX) return "nullptr";
  const char *args = arena_printf(a, "aotigen_graph_args_%s_", number);
  const char *name = arena_printf(a, "aotigen_graph_%s_", number);
  const slot slots[] = {
      {"args", args},
      {"list", list_arguments(&k->graph, s, a)},
      {"name", name},
      {"text", text},
      {"nparams", arena_printf(a, "%zu", k->graph.nparams)},
      {"asserted", arena_printf(a, "0x%llx", (unsigned long long)find_asserted(&k->graph, s, a))}};
  TABLE_ADD(to, "table_graph", slots);
  return arena_printf(a, "&%s", name);
}

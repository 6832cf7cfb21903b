/* graph_tables.c - see graph_tables.h. */
#include "emit/graph_tables.h"
#include "base/string_map.h"
#include "base/template.h"
#include "check/kernel_graphs.h"
#include "emit/graph_text.h"

struct graph_tables {
  kernel_graphs *graphs;
  const model *m;
  string_map *names; /* of a kernel's text, by the kernel; "" where it has none */
  unsigned n;
  arena *a;
};

graph_tables *graph_tables_begin(const model *m, const companion_texts *beside, arena *a) {
  graph_tables *t = arena_alloc(a, sizeof *t);
  *t = (graph_tables){.m = m, .names = string_map_create(a), .a = a};
  t->graphs = kernel_graphs_begin(m, beside, a);
  return t;
}

/* The name of the table with the kernel's text, which is added the first time; "" for none. */
static const char *name_text(graph_tables *t, strbuf *to, const site *s, const graph *g) {
  const char *known = string_map_get(t->names, s->kernel);
  if (known) return known;
  const char *text = graph_text_write(g, t->a), *name = "";
  if (text) {
    name = arena_printf(t->a, "aotigen_graph_text_%u_", t->n++);
    const slot slots[] = {{"name", name}, {"text", template_quote(text, t->a)}};
    if (to->n) strbuf_puts(to, "\n");
    template_add(to, "table_graph_text", slots, sizeof slots / sizeof *slots);
  }
  string_map_put(t->names, s->kernel, (void *)(uintptr_t)name);
  return name;
}

static const char *list_arguments(graph_tables *t, const graph *g, const site *s, arena *a) {
  const argument *const *args = kernel_graphs_arguments(t->graphs, g, s);
  strbuf list = {0};
  for (size_t i = 0; i < g->nparams; i++) {
    int number = args[i] ? (int)(args[i] - s->args.at) : -1;
    strbuf_printf(&list, "%s%d", i ? ", " : "", number);
  }
  const char *text = arena_strdup(a, list.at ? list.at : "-1");
  strbuf_free(&list);
  return text;
}

const char *graph_tables_add(graph_tables *t, strbuf *to, const site *s, const char *number,
                             arena *a) {
  const kernel_graph *k = s->form == FORM_CPU ? kernel_graphs_find(t->graphs, s) : NULL;
  const char *text = k ? name_text(t, to, s, &k->graph) : "";
  if (!*text || s->args.n > INT16_MAX) return "nullptr";
  const char *args = arena_printf(a, "aotigen_graph_args_%s_", number);
  const char *name = arena_printf(a, "aotigen_graph_%s_", number);
  const slot slots[] = {{"args", args},
                        {"list", list_arguments(t, &k->graph, s, a)},
                        {"name", name},
                        {"text", text},
                        {"nparams", arena_printf(a, "%zu", k->graph.nparams)}};
  if (to->n) strbuf_puts(to, "\n");
  template_add(to, "table_graph", slots, sizeof slots / sizeof *slots);
  return arena_printf(a, "&%s", name);
}

/* kernel_graphs.c - see kernel_graphs.h. */
#include "check/kernel_graphs.h"
#include "base/string_map.h"
#include "model/cpp_functions.h"
#include <string.h>

/* Longer than what Inductor writes. */
enum { TEXT_MAX = 2 << 20 };

struct kernel_graphs {
  const model *m;
  cpp_functions files[2]; /* kernel.cpp, the wrapper */
  string_map *known;
  arena *a;
};

kernel_graphs *kernel_graphs_begin(const model *m, const companion_texts *beside, arena *a) {
  kernel_graphs *k = arena_alloc(a, sizeof *k);
  *k = (kernel_graphs){.m = m, .known = string_map_create(a), .a = a};
  bool any = false;
  for (size_t i = 0; i < m->sites.n; i++) any = any || m->sites.at[i].form == FORM_CPU;
  if (!any) return k;
  cpp_functions_read(&k->files[0], beside->kernel, beside->kernel ? strlen(beside->kernel) : 0, a);
  cpp_functions_read(&k->files[1], m->facts->text, m->facts->n, a);
  return k;
}

static unsigned count_lines(const char *text, size_t n) {
  unsigned lines = 1;
  for (const char *p = text; (p = memchr(p, '\n', n - (size_t)(p - text))); p++) lines++;
  return lines;
}

static bool read_cpp(kernel_graphs *k, kernel_graph *to, const char *name) {
  for (int i = 0; i < 2; i++) {
    const cpp_function *x = cpp_functions_find(&k->files[i], name);
    if (!x) continue;
    kernel_tree t = {.why = "a text of more than 2 MiB"};
    size_t n = x->lines.end - x->at;
    if (n <= TEXT_MAX) kernel_tree_read_cpp(&t, k->files[i].text + x->at, n, name, k->a);
    graph_build(&to->graph, &t, name, NULL, NULL, k->a);
    to->in_companion = i == 0;
    to->line = count_lines(k->files[i].text, x->at);
    return true;
  }
  return false;
}

static const char *find_type(void *data, const char *param) {
  const triton_param *x = triton_find_param(data, param);
  return x ? x->type : NULL;
}

/* The name in async_compile.triton('NAME', ...): a user's kernel may be launched by another. */
static const char *name_definition(const triton *t, arena *a) {
  const char *quote = strchr(t->source, '\''), *end = quote ? strchr(quote + 1, '\'') : NULL;
  return end ? arena_strndup(a, quote + 1, (size_t)(end - quote) - 1) : t->name;
}

static void read_triton(kernel_graphs *k, kernel_graph *to, const triton *source) {
  kernel_tree t = {.why = "a text of more than 2 MiB"};
  size_t n = strlen(source->source);
  const char *name = name_definition(source, k->a);
  if (n <= TEXT_MAX) kernel_tree_read_triton(&t, source->source, n, name, k->a);
  graph_build(&to->graph, &t, name, find_type, (void *)(uintptr_t)source, k->a);
}

const kernel_graph *kernel_graphs_find(kernel_graphs *k, const site *s) {
  if (s->form != FORM_CPU && !s->triton) return NULL;
  kernel_graph *known = string_map_get(k->known, s->kernel);
  if (known) return known->graph.name ? known : NULL;
  known = arena_alloc(k->a, sizeof *known);
  string_map_put(k->known, s->kernel, known);
  if (s->triton)
    read_triton(k, known, s->triton);
  else if (!read_cpp(k, known, s->kernel))
    return NULL;
  return known;
}

static int find_param(const graph *g, const site *s, const argument *x) {
  if (x->param < 0) return -1;
  if (s->form == FORM_CPU) return s->call->params.n == g->nparams ? x->param : -1;
  for (size_t i = 0; i < g->nparams; i++)
    if (strcmp(g->params[i].name, s->call->params.at[x->param].name) == 0) return (int)i;
  return -1;
}

const argument *const *kernel_graphs_arguments(kernel_graphs *k, const graph *g, const site *s) {
  const argument **by_param = arena_alloc(k->a, (g->nparams + 1) * sizeof *by_param);
  for (size_t i = 0; i < s->args.n; i++) {
    int p = find_param(g, s, &s->args.at[i]);
    if (p >= 0) by_param[p] = &s->args.at[i];
  }
  return by_param;
}

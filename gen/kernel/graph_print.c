/* graph_print.c - a kernel's graph as text, for people: see graph.h. */
#include "kernel/graph.h"
#include <string.h>

enum { FORMAT_MAX = 400, FORMAT_DEPTH = 40 };

static void format(const graph *g, const graph_node *node, int depth, strbuf *to);

static void format_list(const graph *g, const graph_node *node, int depth, strbuf *to) {
  strbuf_printf(to, "%s(", node->op == AG_OP_CAST ? ag_graph_type_name(node->type) : node->text);
  for (int i = 0; i < node->n && to->n < FORMAT_MAX; i++) {
    if (i) strbuf_puts(to, ", ");
    format(g, node->args[i], depth, to);
  }
  strbuf_puts(to, ")");
}

static void format_op(const graph *g, const graph_node *node, int depth, strbuf *to) {
  bool infix = ag_op_is_infix(node->op);
  bool widens = node->op == AG_OP_CAST && graph_is_integer(node->type) &&
                graph_is_integer(node->args[0]->type) && node->type > node->args[0]->type;
  if (widens) {
    format(g, node->args[0], depth, to);
  } else if (infix) {
    strbuf_puts(to, "(");
    format(g, node->args[0], depth, to);
    strbuf_printf(to, " %s ", node->text);
    format(g, node->args[1], depth, to);
    strbuf_puts(to, ")");
  } else {
    format_list(g, node, depth, to);
  }
}

static void format_load(const graph *g, const graph_node *node, int depth, strbuf *to) {
  const graph_access *l = &g->accesses.at[node->index];
  strbuf_printf(to, "%s[", g->memories.at[l->memory].name);
  format(g, l->index, depth, to);
  strbuf_puts(to, "]");
}

static void format(const graph *g, const graph_node *node, int depth, strbuf *to) {
  if (to->n >= FORMAT_MAX || depth > FORMAT_DEPTH) {
    strbuf_puts(to, "...");
    return;
  }
  switch (node->kind) {
    case NODE_INTEGER: strbuf_printf(to, "%lld", (long long)node->value); break;
    case NODE_FLOAT: strbuf_puts(to, node->text); break;
    case NODE_PARAM: strbuf_puts(to, g->params[node->index].name); break;
    case NODE_STEP: strbuf_puts(to, g->loops.at[node->index].name); break;
    case NODE_LOAD: format_load(g, node, depth + 1, to); break;
    case NODE_CARRIED: strbuf_puts(to, g->carried.at[node->index].name); break;
    case NODE_AFTER: strbuf_printf(to, "last(%s)", g->carried.at[node->index].name); break;
    case NODE_OP: format_op(g, node, depth + 1, to); break;
    case NODE_UNKNOWN: strbuf_printf(to, "unknown: %s", node->text); break;
  }
}

const char *graph_format(const graph *g, const graph_node *node, arena *a) {
  strbuf out = {0};
  format(g, node, 0, &out);
  size_t n = out.n;
  if (n > 2 && out.at[0] == '(' && out.at[n - 1] == ')' && node->kind == NODE_OP && node->n == 2) {
    out.at[--n] = '\0';
    memmove(out.at, out.at + 1, n--);
  }
  const char *text = n > FORMAT_MAX ? arena_printf(a, "%.*s...", FORMAT_MAX, out.at)
                                    : arena_strndup(a, out.at, n);
  strbuf_free(&out);
  return text;
}

static void print_expr(const graph *g, const char *what, const graph_node *node, arena *a,
                       FILE *to) {
  if (node) fprintf(to, "%s%s", what, graph_format(g, node, a));
}

static void print_loop(const graph *g, const graph_loop *l, arena *a, FILE *to) {
  fprintf(to, "  loop %s: %s", l->name, ag_graph_loop_names[l->kind]);
  if (l->kind == LOOP_GRID) fprintf(to, " axis %d", l->axis);
  print_expr(g, " from ", l->low, a, to);
  print_expr(g, " below ", l->high, a, to);
  print_expr(g, l->kind == LOOP_FOR ? " step " : " block ", l->step, a, to);
  if (l->line) fprintf(to, ", line %u", l->line);
  fputs("\n", to);
}

static void print_access(const graph *g, const graph_access *access, arena *a, FILE *to) {
  const graph_memory *m = &g->memories.at[access->memory];
  fprintf(to, "  %s %s[%s]: %s", ag_graph_access_names[access->kind], m->name,
          graph_format(g, access->index, a), ag_graph_type_name(m->type));
  print_expr(g, " = ", access->value, a, to);
  print_expr(g, " if ", access->when, a, to);
  if (access->partly) fputs(" and more", to);
  if (access->line) fprintf(to, ", line %u", access->line);
  fputs("\n", to);
}

static void print_assert(const graph *g, const graph_assert *x, arena *a, FILE *to) {
  fputs("  assert ", to);
  print_expr(g, "", x->holds, a, to);
  print_expr(g, " if ", x->when, a, to);
  if (x->line) fprintf(to, ", line %u", x->line);
  fputs("\n", to);
}

/* Prints accesses and asserts in the order of the text. */
static void print_effects(const graph *g, arena *a, FILE *to) {
  for (size_t i = 0, k = 0; i < g->accesses.n || k < g->asserts.n;) {
    bool access = k >= g->asserts.n ||
                  (i < g->accesses.n && g->accesses.at[i].order < g->asserts.at[k].order);
    if (access)
      print_access(g, &g->accesses.at[i++], a, to);
    else
      print_assert(g, &g->asserts.at[k++], a, to);
  }
}

void graph_print(const graph *g, FILE *to) {
  arena *a = arena_new();
  fprintf(to, "kernel %s: %s, %zu nodes\n", g->name, g->python ? "Triton" : "C++", g->nodes.n);
  if (g->why) fprintf(to, "  not understood: %s\n", g->why);
  for (size_t i = 0; i < g->loops.n; i++) print_loop(g, &g->loops.at[i], a, to);
  for (size_t i = 0; i < g->carried.n; i++) {
    const graph_carried *c = &g->carried.at[i];
    fprintf(to, "  carried %s in loop %s", c->name, g->loops.at[c->loop].name);
    print_expr(g, ": first ", c->first, a, to);
    print_expr(g, ", then ", c->next, a, to);
    fputs("\n", to);
  }
  print_effects(g, a, to);
  if (g->not_understood.n)
    fprintf(to, "  %u accesses are not understood: %s\n", g->not_understood.n,
            g->not_understood.why);
  arena_free(a);
}

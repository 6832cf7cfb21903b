/* path_condition.c - see sizes.h. */
#include "sizes/sizes_reader.h"
#include "kernel/tree.h"
#include <string.h>

enum { CONDITION_DEPTH = 16 };

static bool add_comparison(path_condition *t, sizes *z, const tree_expr *e, size_t at, bool holds) {
  if (t->n == PATH_CONDITION_MAX) return false;
  struct path_condition_part *p = &t->at[t->n];
  *p = (struct path_condition_part){.x = sizes_read_tree(z, e->first, at),
                                    .y = sizes_read_tree(z, e->first->next, at),
                                    .holds = holds};
  strncpy(p->op, e->text, sizeof p->op - 1);
  t->n += p->x && p->y;
  return p->x && p->y;
}

/* False if the condition is not followed. */
static bool add_condition(path_condition *t, sizes *z, const tree_expr *e, size_t at, bool holds,
                          int depth);

/* bool c = s77 > 64L; A name without a value is what torch's item() read from a tensor. */
static bool add_name(path_condition *t, sizes *z, const tree_expr *e, size_t at, bool holds,
                     int depth) {
  int var = changes_find_variable(z->blocks, z->storage, e->text, at);
  const fact_var *v = var >= 0 ? &z->m->facts->vars.at[var] : NULL;
  if (!v || v->holds != HOLDS_SCALAR) return false;
  size_t from = v->declared;
  span value = v->init;
  if (value.end <= value.begin) return strcmp(v->type, "bool") == 0;
  if (!sizes_find_value(z, var, at, &value, &from)) return false;
  const tree_expr *init = kernel_tree_read_expression(z->m->facts->text + value.begin,
                                                      value.end - value.begin, z->s->a);
  return init && add_condition(t, z, init, from, holds, depth + 1);
}

static bool add_condition(path_condition *t, sizes *z, const tree_expr *e, size_t at, bool holds,
                          int depth) {
  if (depth > CONDITION_DEPTH) return false;
  if (e->kind == TREE_NAME) return add_name(t, z, e, at, holds, depth);
  if (e->kind == TREE_UNARY && ag_op_find(e->text, 1) == AG_OP_NOT)
    return add_condition(t, z, e->first, at, !holds, depth + 1);
  if (e->kind != TREE_BINARY) return false;
  bool both = ag_op_find_renamed(false, e->text) == (holds ? AG_OP_AND : AG_OP_OR);
  if (both)
    return add_condition(t, z, e->first, at, holds, depth + 1) &&
           add_condition(t, z, e->first->next, at, holds, depth + 1);
  return ag_op_is_comparison(ag_op_find(e->text, 2)) && add_comparison(t, z, e, at, holds);
}

static void read_arm(path_condition *t, sizes *z, span condition, bool holds) {
  const tree_expr *e = kernel_tree_read_expression(z->m->facts->text + condition.begin + 1,
                                                   condition.end - condition.begin - 2, z->s->a);
  if (!e || !add_condition(t, z, e, condition.begin, holds, 0)) t->unfollowed = condition.begin;
}

void path_condition_read(path_condition *t, sizes *z, size_t at) {
  const block *list = z->blocks->list.at;
  *t = (path_condition){0};
  for (int i = blocks_find(z->blocks, at); i >= 0 && !t->unfollowed; i = list[i].outer) {
    if (list[i].kind != BLOCK_BRANCH) continue;
    for (int k = list[i].first; k != i && k >= 0 && !t->unfollowed; k = list[k].after)
      read_arm(t, z, list[k].condition, false);
    if (list[i].condition.end && !t->unfollowed) read_arm(t, z, list[i].condition, true);
  }
}

static bool compare(const char *op, int64_t x, int64_t y) {
  bool equal = x == y;
  if (*op == '=') return equal;
  if (*op == '!') return !equal;
  return (op[1] == '=' && equal) || (*op == '<' ? x < y : x > y);
}

bool path_condition_holds(const path_condition *t, const symbols *s, const symbol_values *example) {
  for (int i = 0; i < t->n; i++) {
    int64_t x, y;
    if (!poly_evaluate(s, example, t->at[i].x, &x) || !poly_evaluate(s, example, t->at[i].y, &y))
      return false;
    if (compare(t->at[i].op, x, y) != t->at[i].holds) return false;
  }
  return true;
}

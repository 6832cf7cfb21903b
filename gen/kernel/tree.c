/* tree.c - see tree.h: what an expression of a kernel names, calls and points to. */
#include "kernel/tree.h"
#include <string.h>

const char kernel_tree_no_definition[] = "no definition of it",
           kernel_tree_long[] = "a text of more than 2 MiB";

const char *kernel_tree_name(const tree_expr *e) {
  if (e->kind != TREE_NAME && e->kind != TREE_MEMBER) return "";
  const char *colon = strrchr(e->text, ':');
  return colon ? colon + 1 : e->text;
}

tree_expr *kernel_tree_argument(const tree_expr *call, int i) {
  for (tree_expr *e = call->first ? call->first->next : NULL; e; e = e->next)
    if (e->kind != TREE_KEYWORD && i-- == 0) return e;
  return NULL;
}

tree_expr *kernel_tree_keyword(const tree_expr *call, const char *name) {
  for (tree_expr *e = call->first ? call->first->next : NULL; e; e = e->next)
    if (e->kind == TREE_KEYWORD && strcmp(e->text, name) == 0) return e->first;
  return NULL;
}

bool kernel_tree_is_decltype(const tree_expr *e) {
  return e->kind == TREE_CALL && strcmp(kernel_tree_name(e->first), "decltype") == 0;
}

bool kernel_tree_is_method(const tree_expr *call) {
  const tree_expr *e = call->first;
  if (e->kind != TREE_MEMBER || kernel_tree_is_decltype(e->first)) return false;
  for (e = e->first; e->kind == TREE_MEMBER;) e = e->first;
  return e->kind != TREE_NAME || e->variable >= 0;
}

bool kernel_tree_is_module(const tree_expr *call, const char *name) {
  const tree_expr *e = call->first;
  return e->kind == TREE_MEMBER && e->first->kind == TREE_NAME && e->first->variable < 0 &&
         strcmp(e->first->text, name) == 0;
}

/* Calls `visit` with each variable that an assignment changes: the target, or those in a list. */
static void each_target(const tree_expr *target, kernel_tree_variable *visit, void *data) {
  if (target->kind == TREE_NAME && target->variable >= 0) visit(data, target->variable);
  if (target->kind == TREE_LIST)
    for (const tree_expr *x = target->first; x; x = x->next) each_target(x, visit, data);
}

const tree_expr *kernel_tree_sum_helper(const tree_expr *e) {
  static const char *const names[] = {"cascade_sum_combine", "cascade_sum_final", NULL};
  bool call = e && e->kind == TREE_CALL && strings_index(names, kernel_tree_name(e->first)) >= 0;
  const tree_expr *last = call ? e->first->next : NULL;
  while (last && last->next) last = last->next;
  bool address = last && last->kind == TREE_UNARY && *last->text == '&';
  const tree_expr *to = address ? last->first : NULL;
  return to && to->kind == TREE_NAME && to->variable >= 0 ? to : NULL;
}

bool kernel_tree_each_assigned(const tree_block *b, kernel_tree_variable *visit, void *data) {
  bool leaves = false;
  for (const tree_statement *s = b ? b->first : NULL; s; s = s->next) {
    if (s->target) each_target(s->target, visit, data);
    if (s->kind == STATEMENT_EXPR && s->value->kind == TREE_UNARY)
      each_target(s->value->first, visit, data);
    const tree_expr *helper = kernel_tree_sum_helper(s->value);
    if (helper) visit(data, helper->variable);
    leaves = leaves || s->kind == STATEMENT_RETURN || s->kind == STATEMENT_JUMP;
    leaves = kernel_tree_each_assigned(s->body, visit, data) || leaves;
    leaves = kernel_tree_each_assigned(s->otherwise, visit, data) || leaves;
  }
  return leaves;
}

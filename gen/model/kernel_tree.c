/* kernel_tree.c - see kernel_tree.h: what an expression of a kernel names, calls and points to. */
#include "model/kernel_tree.h"
#include <string.h>

const char *kernel_tree_name(const tree_expr *e) {
  if (e->is != TREE_NAME && e->is != TREE_MEMBER) return "";
  const char *colon = strrchr(e->text, ':');
  return colon ? colon + 1 : e->text;
}

tree_expr *kernel_tree_argument(const tree_expr *call, int i) {
  for (tree_expr *e = call->first ? call->first->next : NULL; e; e = e->next)
    if (e->is != TREE_KEYWORD && i-- == 0) return e;
  return NULL;
}

tree_expr *kernel_tree_keyword(const tree_expr *call, const char *name) {
  for (tree_expr *e = call->first ? call->first->next : NULL; e; e = e->next)
    if (e->is == TREE_KEYWORD && strcmp(e->text, name) == 0) return e->first;
  return NULL;
}

bool kernel_tree_is_method(const tree_expr *call) {
  const tree_expr *e = call->first;
  if (e->is != TREE_MEMBER) return false;
  for (e = e->first; e->is == TREE_MEMBER;) e = e->first;
  return e->is != TREE_NAME || e->variable >= 0;
}

bool kernel_tree_is_module(const tree_expr *call, const char *name) {
  const tree_expr *e = call->first;
  return e->is == TREE_MEMBER && e->first->is == TREE_NAME && e->first->variable < 0 &&
         strcmp(e->first->text, name) == 0;
}

bool kernel_tree_is_one_of(const char *word, const char *const *list) {
  for (; *list; list++)
    if (strcmp(word, *list) == 0) return true;
  return false;
}

/* A cast, or a function that gives a pointer to the memory of its first argument. */
static bool passes_pointer(const tree_expr *call) {
  static const char *const names[] = {
      "reinterpret_cast",       "static_cast", "const_cast", "advance", "make_block_ptr",
      "make_tensor_descriptor", "to",          "get",        "data",    NULL};
  for (const char *const *n = names; *n; n++)
    if (strcmp(kernel_tree_name(call->first), *n) == 0) return true;
  return false;
}

int kernel_tree_base(const tree_expr *e) {
  for (; e; e = e->first) {
    if (e->is == TREE_NAME) return e->variable;
    if (e->is == TREE_CALL && !passes_pointer(e)) return -1;
    if (e->is == TREE_CALL && !kernel_tree_is_method(e)) {
      const tree_expr *named = kernel_tree_keyword(e, "base");
      const tree_expr *x = named ? named : kernel_tree_argument(e, 0);
      return x ? kernel_tree_base(x) : -1;
    }
    bool passes = e->is == TREE_CALL || e->is == TREE_INDEX || e->is == TREE_MEMBER ||
                  e->is == TREE_UNARY || (e->is == TREE_BINARY && strchr("+-", *e->text));
    if (!passes) return -1;
  }
  return -1;
}

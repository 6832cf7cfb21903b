/* assumptions.c - see sizes_reader.h. */
#include "sizes/sizes_reader.h"
#include "parse/lex.h"
#include <string.h>

/* "u0 <= 134217728L": a bound of a size that only a run tells. */
static void narrow(symbol *x, const char *name, const tree_expr *e) {
  if (!e || e->kind != TREE_BINARY || !strchr("<>", *e->text)) return;
  const tree_expr *left = e->first, *right = left->next;
  bool less = *e->text == '<', equal = e->text[1] == '=';
  if (left->kind == TREE_INTEGER) {
    const tree_expr *swap = left;
    left = right;
    right = swap;
    less = !less;
  }
  if (left->kind != TREE_NAME || right->kind != TREE_INTEGER || strcmp(left->text, name) != 0)
    return;
  int64_t limit = right->value;
  if (!equal && (limit == INT64_MIN || limit == INT64_MAX)) return;
  if (less) {
    limit -= !equal;
    if (limit < x->high) x->high = limit;
    x->declared = !x->counted;
  } else {
    limit += !equal;
    if (limit > x->low) x->low = limit;
  }
}

void assumptions_read(const sizes *z, int number, int var, size_t from, size_t at) {
  static const char begin[] = "if (!(";
  const blocks *b = z->blocks;
  const fact_var *v = &z->m->facts->vars.at[var];
  const char *text = b->f->text;
  const int declared = blocks_find(b, v->declared);
  const char *p = text + from;
  while ((p = memmem(p, (size_t)(text + at - p), begin, sizeof begin - 1))) {
    size_t open = (size_t)(p - text) + sizeof begin - 2, close = lex_match(text, open, at);
    size_t here = (size_t)(p - text);
    bool certain = blocks_is_within(b, declared, blocks_find_branching(b, here)) &&
                   changes_find_variable(b, z->storage, v->name, here) == var;
    p += sizeof begin - 1;
    size_t brace = close + 2 < at ? lex_skip_space(text, close + 2, at) : at;
    size_t throws = brace < at ? lex_skip_space(text, brace + 1, at) : at;
    if (certain && throws < at && text[brace] == '{' && lex_is_word(text, throws, at, "throw"))
      narrow(&z->s->list.at[number], v->name,
             kernel_tree_read_expression(text + open + 1, close - open - 1, z->s->a));
  }
}

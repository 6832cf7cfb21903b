/* expression.c - the expressions of C++, for parser.h. */
#include "kernel/parser.h"
#include <stdlib.h>
#include <string.h>

static tree_expr *parse_binary(kernel_parser *k, int least);

/* ---- names and numbers ---------------------------------------------------------------------- */

/* Takes the text between the brackets at the next token, and the brackets. */
static const char *take_template(kernel_parser *k) {
  const char *begin = kernel_parser_next(k)->at + 1;
  kernel_parser_skip_brackets(k);
  const char *end = k->p ? k->tokens.at[k->p - 1].at : begin;
  return end > begin ? arena_strndup(k->a, begin, (size_t)(end - begin)) : "";
}

/* True for a bracket of a template: a comparison has a blank before it. */
static bool opens_template(const kernel_parser *k) {
  const token *t = kernel_parser_next(k);
  return kernel_parser_is(t, "<") && t->at == t[-1].at + t[-1].n;
}

tree_expr *kernel_parser_qualified(kernel_parser *k) {
  tree_expr *e = kernel_parser_node(k, TREE_NAME, "");
  strbuf text = {0};
  kernel_parser_accept(k, "::");
  while (kernel_parser_next(k)->kind == TOKEN_NAME) {
    const char *word = kernel_parser_copy(k, kernel_parser_next(k));
    k->p++;
    strbuf_puts(&text, word);
    int variable = text.n == strlen(word) ? kernel_parser_find(k, word) : -1;
    if (variable < 0 && opens_template(k)) {
      const char *type = take_template(k);
      if (!e->type) e->type = type;
    }
    if (variable >= 0 || !kernel_parser_is_next(k, "::")) {
      e->variable = variable;
      break;
    }
    k->p++;
    kernel_parser_accept(k, "template");
    strbuf_puts(&text, "::");
  }
  e->text = arena_strndup(k->a, text.at ? text.at : "", text.n);
  strbuf_free(&text);
  return e;
}

static tree_expr *parse_number(kernel_parser *k) {
  tree_expr *e = kernel_parser_node(k, TREE_CONSTANT, kernel_parser_copy(k, kernel_parser_next(k)));
  char *end;
  unsigned long long value = strtoull(e->text, &end, 0);
  while (*end && strchr("uUlL", *end)) end++;
  if (!*end && value <= INT64_MAX) {
    e->kind = TREE_INTEGER;
    e->value = (int64_t)value;
  }
  k->p++;
  return e;
}

static tree_expr *parse_strings(kernel_parser *k) {
  tree_expr *e = kernel_parser_node(k, TREE_CONSTANT, kernel_parser_copy(k, kernel_parser_next(k)));
  while (kernel_parser_next(k)->kind == TOKEN_STRING) k->p++;
  return e;
}

/* ---- what stands in brackets ---------------------------------------------------------------- */

void kernel_parser_list(kernel_parser *k, tree_expr *to, const char *close) {
  while (!k->tree->why && !kernel_parser_accept(k, close)) {
    kernel_parser_add(k, to, kernel_parser_expr(k));
    if (!kernel_parser_is_next(k, close)) kernel_parser_expect(k, ",");
  }
}

/* [&](T &x, T &y) mutable -> type { ... } */
static tree_expr *parse_lambda(kernel_parser *k) {
  tree_expr *e = kernel_parser_node(k, TREE_LAMBDA, "");
  size_t scope = kernel_parser_open_scope(k);
  kernel_parser_skip_brackets(k);
  if (kernel_parser_is_next(k, "(")) {
    size_t begin = k->p;
    kernel_parser_skip_brackets(k);
    for (size_t i = begin + 1; i + 1 < k->p; i++) {
      const token *t = &k->tokens.at[i];
      if (t->kind == TOKEN_NAME && (kernel_parser_is(t + 1, ",") || kernel_parser_is(t + 1, ")")))
        kernel_parser_declare(k, kernel_parser_copy(k, t), -1);
    }
  }
  while (!kernel_parser_is_next(k, "{") && kernel_parser_next(k)->kind != TOKEN_END) {
    if (kernel_parser_is_next(k, ";")) kernel_parser_fail(k, "a lambda without a body");
    k->p += kernel_parser_next(k)->kind != TOKEN_END;
  }
  unsigned outer = k->deepest;
  k->deepest = 0;
  e->body = kernel_parser_block(k);
  e->depth = k->deepest + 1;
  if (outer > k->deepest) k->deepest = outer;
  kernel_parser_close_scope(k, scope);
  return e;
}

static tree_expr *parse_brackets(kernel_parser *k) {
  if (kernel_parser_is_next(k, "[")) return parse_lambda(k);
  bool round = kernel_parser_is_next(k, "(");
  const char *close = round ? ")" : "}";
  tree_expr *e = kernel_parser_node(k, TREE_LIST, close);
  k->p++;
  kernel_parser_list(k, e, close);
  if (k->tree->why) return e;
  bool comma = kernel_parser_is(&k->tokens.at[k->p - 2], ",");
  bool tuple = !round || !e->first || e->first->next || comma;
  return tuple ? e : e->first;
}

/* ---- operands ------------------------------------------------------------------------------- */

static tree_expr *parse_primary(kernel_parser *k) {
  const token *t = kernel_parser_next(k);
  switch (t->kind) {
    case TOKEN_NAME: return kernel_parser_qualified(k);
    case TOKEN_NUMBER: return parse_number(k);
    case TOKEN_STRING: return parse_strings(k);
    case TOKEN_OPERATOR:
      if (t->n == 1 && strchr("([{", *t->at)) return parse_brackets(k);
      if (kernel_parser_is(t, "::")) return kernel_parser_qualified(k);
      break;
    default: break;
  }
  kernel_parser_fail(k, "an expression that Inductor does not write");
  return kernel_parser_node(k, TREE_CONSTANT, "");
}

/* "<float,1>(": true for template arguments, false for a comparison. Looks a few tokens ahead. */
static bool is_template(const kernel_parser *k) {
  enum { AHEAD = 32 };
  const token *t = kernel_parser_next(k);
  if (!kernel_parser_is(t, "<")) return false;
  for (int i = 0; i < AHEAD; i++) {
    t++;
    if (kernel_parser_is(t, ">")) return kernel_parser_is(t + 1, "(");
    bool part = kernel_parser_is(t, ",") || kernel_parser_is(t, "::") || kernel_parser_is(t, "*");
    if (t->kind != TOKEN_NAME && t->kind != TOKEN_NUMBER && !part) return false;
  }
  return false;
}

static tree_expr *parse_member(kernel_parser *k, tree_expr *e) {
  k->p++;
  bool template = kernel_parser_accept(k, "template");
  const token *t = kernel_parser_next(k);
  if (t->kind != TOKEN_NAME) kernel_parser_fail(k, "a member without a name");
  e = kernel_parser_wrap(k, TREE_MEMBER, kernel_parser_copy(k, t), e);
  k->p += t->kind == TOKEN_NAME;
  if ((template && kernel_parser_is_next(k, "<")) || is_template(k)) e->type = take_template(k);
  return e;
}

/* IndexValue<float>{0, 1.5}: a constructor. */
static bool is_construction(const tree_expr *e, const token *t) {
  return e->kind == TREE_NAME && e->variable < 0 && e->type && kernel_parser_is(t, "{");
}

static tree_expr *parse_postfix(kernel_parser *k) {
  tree_expr *e = parse_primary(k);
  while (!k->tree->why) {
    const token *t = kernel_parser_next(k);
    bool braces = is_construction(e, t);
    if (braces || kernel_parser_is(t, "(")) {
      e = kernel_parser_wrap(k, TREE_CALL, "", e);
      e->line = t->line;
      e->type = e->first->type;
      k->p++;
      kernel_parser_list(k, e, braces ? "}" : ")");
    } else if (kernel_parser_is(t, "[")) {
      e = kernel_parser_wrap(k, TREE_INDEX, "", e);
      e->line = t->line;
      k->p++;
      kernel_parser_list(k, e, "]");
    } else if (kernel_parser_is(t, ".") || kernel_parser_is(t, "->") ||
               kernel_parser_is(t, "::")) { /* decltype(tmp0)::blendv */
      e = parse_member(k, e);
    } else if (kernel_parser_is(t, "++") || kernel_parser_is(t, "--")) {
      e = kernel_parser_wrap(k, TREE_UNARY, kernel_parser_copy(k, t), e);
      k->p++;
    } else {
      break;
    }
  }
  return e;
}

/* throw X, as the call of a function `throw`. */
static tree_expr *parse_throw(kernel_parser *k) {
  kernel_parser_nest(k);
  tree_expr *e = kernel_parser_node(k, TREE_NAME, "throw");
  e = kernel_parser_wrap(k, TREE_CALL, "", e);
  e->line = kernel_parser_next(k)->line;
  k->p++;
  kernel_parser_add(k, e, kernel_parser_expr(k));
  k->depth--;
  return e;
}

static tree_expr *parse_unary(kernel_parser *k) {
  static const char *const operators[] = {"-", "+", "~", "!", "*", "&", "++", "--", NULL};
  const char *operator= kernel_parser_find_word(kernel_parser_next(k), operators);
  if (!operator) return kernel_parser_is_next(k, "throw") ? parse_throw(k) : parse_postfix(k);
  kernel_parser_nest(k);
  k->p += kernel_parser_next(k)->kind != TOKEN_END;
  tree_expr *e = kernel_parser_wrap(k, TREE_UNARY, operator, parse_unary(k));
  k->depth--;
  return e;
}

/* ---- operators ------------------------------------------------------------------------------ */

typedef struct binary {
  const char *spelling;
  int binds; /* its precedence */
} binary;

static const binary binaries[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                                  {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                                  {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};

/* The operator at the next tokens, and the number of tokens it takes. */
static const binary *find_operator(const kernel_parser *k, int *tokens) {
  const token *t = kernel_parser_next(k);
  *tokens = 1;
  if (t->kind != TOKEN_OPERATOR) return NULL;
  bool shift = kernel_parser_is(t, ">") && kernel_parser_is(t + 1, ">") && t[1].at == t->at + 1;
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
    const binary *b = &binaries[i];
    if (shift ? strcmp(b->spelling, ">>") == 0 : kernel_parser_is(t, b->spelling)) {
      *tokens = shift ? 2 : 1;
      return b;
    }
  }
  return NULL;
}

static tree_expr *parse_binary(kernel_parser *k, int least) {
  int tokens;
  kernel_parser_nest(k);
  tree_expr *e = k->tree->why ? kernel_parser_node(k, TREE_CONSTANT, "") : parse_unary(k);
  for (const binary *b; !k->tree->why && (b = find_operator(k, &tokens));) {
    if (b->binds < least) break;
    k->p += (size_t)tokens;
    e = kernel_parser_wrap(k, TREE_BINARY, b->spelling, e);
    kernel_parser_add(k, e, parse_binary(k, b->binds + 1));
  }
  k->depth--;
  return e;
}

tree_expr *kernel_parser_expr(kernel_parser *k) {
  tree_expr *e = parse_binary(k, 1);
  if (!kernel_parser_accept(k, "?")) return e;
  kernel_parser_nest(k);
  tree_expr *choice = kernel_parser_wrap(k, TREE_CHOICE, "", e);
  kernel_parser_add(k, choice, kernel_parser_expr(k));
  kernel_parser_expect(k, ":");
  kernel_parser_add(k, choice, kernel_parser_expr(k));
  k->depth--;
  return choice;
}

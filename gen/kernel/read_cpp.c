/* read_cpp.c - the statements of a C++ kernel, for tree.h. */
#include "kernel/parser.h"
#include <string.h>

static void parse_statement(kernel_parser *k, tree_block *b);

/* One statement, or those in braces, as a scope of its own. */
static tree_block *parse_scope(kernel_parser *k, bool braces) {
  tree_block *b = arena_alloc(k->a, sizeof *b);
  size_t scope = kernel_parser_open_scope(k);
  if (braces) kernel_parser_expect(k, "{");
  if (++k->depth > KERNEL_TREE_NESTING) kernel_parser_fail(k, "blocks that are nested too deep");
  if (!braces) parse_statement(k, b);
  while (braces && !k->tree->why && !kernel_parser_accept(k, "}")) parse_statement(k, b);
  k->depth--;
  kernel_parser_close_scope(k, scope);
  return b;
}

tree_block *kernel_parser_block(kernel_parser *k) { return parse_scope(k, true); }

static tree_block *parse_body(kernel_parser *k) {
  return parse_scope(k, kernel_parser_is_next(k, "{"));
}

/* ---- declarations --------------------------------------------------------------------------- */

static bool is_qualifier(const token *t) {
  static const char *const words[] = {
      "const", "constexpr", "static",   "volatile",     "unsigned",     "signed", "long",
      "short", "typename",  "register", "__restrict__", "__at_align__", NULL};
  return kernel_parser_find_word(t, words) != NULL;
}

static bool is_builtin(const token *t) {
  static const char *const words[] = {"unsigned", "signed", "long", "short", NULL};
  return kernel_parser_find_word(t, words) != NULL;
}

/* Takes a type, and what stands before the name that it declares. False, with nothing taken, if no
 * declaration begins here. */
static bool accept_type(kernel_parser *k, bool *pointer, bool *constant) {
  size_t begin = k->p;
  bool typed = false;
  *pointer = *constant = false;
  if (kernel_parser_accept(k, "alignas")) kernel_parser_skip_brackets(k);
  for (; is_qualifier(kernel_parser_next(k)); k->p++) {
    typed = typed || is_builtin(kernel_parser_next(k));
    *constant = *constant || kernel_parser_is_next(k, "const");
  }
  const token *t = kernel_parser_next(k);
  bool named = t->kind == TOKEN_NAME;
  if (typed && named && t[1].kind == TOKEN_OPERATOR && strchr("=;[({,):", *t[1].at)) named = false;
  if (named && kernel_parser_qualified(k)->variable >= 0) {
    k->p = begin;
    return false;
  }
  while (kernel_parser_accept(k, "const")) *constant = true;
  while (kernel_parser_is_next(k, "*") || kernel_parser_is_next(k, "&") ||
         kernel_parser_is_next(k, "&&") || kernel_parser_is_next(k, "const") ||
         kernel_parser_is_next(k, "__restrict__")) {
    *pointer = *pointer || !kernel_parser_is_next(k, "const");
    k->p++;
  }
  t = kernel_parser_next(k);
  if ((typed || named) && t->kind == TOKEN_NAME && k->p > begin && t[1].kind == TOKEN_OPERATOR &&
      strchr("=;[({,):", *t[1].at) && !kernel_parser_is(t + 1, "::"))
    return true;
  k->p = begin;
  return false;
}

/* Arguments of a constructor, as one expression. */
static tree_expr *parse_constructor(kernel_parser *k) {
  tree_expr *e = kernel_parser_node(k, TREE_LIST, "");
  const char *close = kernel_parser_accept(k, "(") ? ")" : "}";
  if (*close == '}') kernel_parser_expect(k, "{");
  kernel_parser_list(k, e, close);
  return e;
}

/* [16 * 16] behind an array's name. `outer` is the length by the dimensions before it, or NULL. */
static tree_expr *parse_length(kernel_parser *k, tree_expr *outer) {
  kernel_parser_expect(k, "[");
  tree_expr *n = kernel_parser_is_next(k, "]") ? NULL : kernel_parser_expr(k);
  kernel_parser_expect(k, "]");
  if (!n || !outer) return n;
  tree_expr *product = kernel_parser_wrap(k, TREE_BINARY, "*", outer);
  kernel_parser_add(k, product, n);
  return product;
}

/* name = value, name[n], name(arguments), name{arguments} behind a type. The value is read before
 * the name is declared. */
static void parse_declarator(kernel_parser *k, tree_block *b, const char *type, bool pointer,
                             bool constant) {
  const token *t = kernel_parser_next(k);
  if (t->kind != TOKEN_NAME) kernel_parser_fail(k, "a declaration that Inductor does not write");
  const char *name = kernel_parser_copy(k, t);
  k->p += t->kind == TOKEN_NAME;
  tree_expr *value = NULL, *length = NULL;
  for (; kernel_parser_is_next(k, "["); pointer = true) length = parse_length(k, length);
  if (kernel_parser_is_next(k, "(") || kernel_parser_is_next(k, "{"))
    value = parse_constructor(k);
  else if (kernel_parser_accept(k, "="))
    value = kernel_parser_expr(k);
  tree_statement *s = kernel_parser_statement(k, b, STATEMENT_ASSIGN);
  tree_expr *target = kernel_parser_node(k, TREE_NAME, name);
  target->variable = kernel_parser_declare(k, name, -1);
  k->tree->variables.at[target->variable].pointer = pointer;
  k->tree->variables.at[target->variable].constant = constant;
  k->tree->variables.at[target->variable].type = type;
  s->op = "=";
  s->declares = true;
  s->aliases = pointer;
  s->low = length;
  s->target = target;
  s->value = value;
}

/* ---- statements ----------------------------------------------------------------------------- */

static bool accept_assignment(kernel_parser *k, const char **op) {
  static const char *const operators[] = {
      "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", NULL};
  *op = kernel_parser_find_word(kernel_parser_next(k), operators);
  k->p += *op != NULL;
  return *op;
}

/* An expression or an assignment, without the ';' behind it. */
static void parse_simple(kernel_parser *k, tree_block *b) {
  bool pointer, constant;
  const char *op;
  const token *first = kernel_parser_next(k);
  if (accept_type(k, &pointer, &constant)) {
    const char *type =
        arena_strndup(k->a, first->at, (size_t)(kernel_parser_next(k)->at - first->at));
    do parse_declarator(k, b, type, pointer, constant);
    while (kernel_parser_accept(k, ","));
    return;
  }
  tree_expr *e = kernel_parser_expr(k);
  if (!accept_assignment(k, &op)) {
    kernel_parser_statement(k, b, STATEMENT_EXPR)->value = e;
    return;
  }
  tree_expr *value = kernel_parser_expr(k);
  tree_statement *s = kernel_parser_statement(k, b, STATEMENT_ASSIGN);
  s->op = op;
  s->target = e;
  s->value = value;
}

/* x < high; x += step, x++ or ++x */
static void read_steps(kernel_parser *k, tree_statement *s, const tree_expr *test) {
  tree_block after = {0};
  parse_simple(k, &after);
  const tree_statement *step = after.first;
  int v = s->target->variable;
  bool below = test->kind == TREE_BINARY && strcmp(test->text, "<") == 0 &&
               test->first->variable == v && test->first->kind == TREE_NAME;
  if (!below || !step) return;
  if (step->kind == STATEMENT_ASSIGN && strcmp(step->op, "+=") == 0 &&
      step->target->variable == v) {
    s->step = step->value;
  } else if (step->kind == STATEMENT_EXPR && step->value->kind == TREE_UNARY &&
             strcmp(step->value->text, "++") == 0 && step->value->first->variable == v) {
    s->step = kernel_parser_node(k, TREE_INTEGER, "1");
    s->step->value = 1;
  }
  if (s->step) s->high = test->first->next;
}

static void parse_for(kernel_parser *k, tree_block *b) {
  size_t scope = kernel_parser_open_scope(k);
  kernel_parser_expect(k, "(");
  tree_block init = {0};
  parse_simple(k, &init);
  kernel_parser_expect(k, ";");
  tree_statement *s = kernel_parser_statement(k, b, STATEMENT_FOR);
  const tree_statement *first = init.first;
  if (!first || first->kind != STATEMENT_ASSIGN || !first->declares || first->next)
    kernel_parser_fail(k, "a loop that Inductor does not write");
  if (!k->tree->why) {
    s->target = first->target;
    s->value = kernel_parser_expr(k);
    kernel_parser_expect(k, ";");
    read_steps(k, s, s->value);
    if (s->high) s->low = first->value;
    kernel_parser_expect(k, ")");
    s->parallel = k->shared_loops || k->by_team;
    if (k->shared_loops && !--k->shared_loops) k->by_team = false; /* one thread has a step */
    s->body = parse_body(k);
  }
  kernel_parser_close_scope(k, scope);
}

static void parse_if(kernel_parser *k, tree_block *b) {
  tree_statement *s = kernel_parser_statement(k, b, STATEMENT_IF);
  kernel_parser_accept(k, "constexpr");
  kernel_parser_expect(k, "(");
  s->value = kernel_parser_expr(k);
  kernel_parser_expect(k, ")");
  s->body = parse_body(k);
  if (kernel_parser_accept(k, "else")) s->otherwise = parse_body(k);
}

static void parse_while(kernel_parser *k, tree_block *b) {
  tree_statement *s = kernel_parser_statement(k, b, STATEMENT_WHILE);
  kernel_parser_expect(k, "(");
  s->value = kernel_parser_expr(k);
  kernel_parser_expect(k, ")");
  s->body = parse_body(k);
}

static void refuse_statement(kernel_parser *k) {
  static const char *const unknown[] = {"goto",   "asm",   "__asm__", "switch",  "do",       "try",
                                        "struct", "class", "using",   "typedef", "template", NULL};
  if (kernel_parser_find_word(kernel_parser_next(k), unknown))
    kernel_parser_fail(k, "a statement that Inductor does not write");
}

static void dispatch_statement(kernel_parser *k, tree_block *b) {
  refuse_statement(k);
  if (kernel_parser_accept(k, ";")) return;
  if (kernel_parser_is_next(k, "{")) {
    kernel_parser_statement(k, b, STATEMENT_BLOCK)->body = kernel_parser_block(k);
  } else if (kernel_parser_accept(k, "for")) {
    parse_for(k, b);
  } else if (kernel_parser_accept(k, "if")) {
    parse_if(k, b);
  } else if (kernel_parser_accept(k, "while")) {
    parse_while(k, b);
  } else if (kernel_parser_accept(k, "return")) {
    tree_statement *s = kernel_parser_statement(k, b, STATEMENT_RETURN);
    if (!kernel_parser_is_next(k, ";")) s->value = kernel_parser_expr(k);
    kernel_parser_expect(k, ";");
  } else if (kernel_parser_accept(k, "break") || kernel_parser_accept(k, "continue")) {
    kernel_parser_statement(k, b, STATEMENT_JUMP);
    kernel_parser_expect(k, ";");
  } else {
    parse_simple(k, b);
    kernel_parser_expect(k, ";");
  }
}

static void parse_statement(kernel_parser *k, tree_block *b) {
  unsigned outer = k->line; /* the line of the statement around this lambda */
  bool by_team = k->by_team;
  unsigned shared_loops = k->shared_loops;
  const omp_directives *omp = &kernel_parser_next(k)->omp;
  if (omp->says & OMP_PARALLEL) k->by_team = true;
  if (omp->says & OMP_ONE) k->by_team = false;
  if (omp->says & OMP_SHARED) k->shared_loops = omp->loops;
  k->line = kernel_parser_next(k)->line;
  dispatch_statement(k, b);
  k->line = outer;
  k->by_team = by_team;
  k->shared_loops = shared_loops;
}

/* ---- the function --------------------------------------------------------------------------- */

/* (const float* in_ptr0, float* out_ptr0, const int64_t ks0) */
static void parse_params(kernel_parser *k) {
  kernel_parser_expect(k, "(");
  while (!k->tree->why && !kernel_parser_accept(k, ")")) {
    bool pointer, constant;
    const token *type = kernel_parser_next(k);
    if (!accept_type(k, &pointer, &constant)) kernel_parser_fail(k, "a parameter without a name");
    if (k->tree->why) return;
    int v = kernel_parser_declare(k, kernel_parser_copy(k, kernel_parser_next(k)),
                                  (int)k->tree->nparams++);
    k->tree->variables.at[v].pointer = pointer;
    k->tree->variables.at[v].constant = constant;
    k->tree->variables.at[v].type =
        arena_strndup(k->a, type->at, (size_t)(kernel_parser_next(k)->at - type->at));
    k->p++;
    if (!kernel_parser_is_next(k, ")")) kernel_parser_expect(k, ",");
  }
}

void kernel_tree_read_cpp(kernel_tree *t, const char *text, size_t n, const char *name, arena *a) {
  kernel_parser k = {.tree = t, .a = a, .names = string_map_create(a)};
  *t = (kernel_tree){.why = n > KERNEL_TREE_TEXT_MAX ? kernel_tree_long : NULL};
  if (t->why) return;
  kernel_parser_cut(&k, text, n);
  while (kernel_parser_next(&k)->kind != TOKEN_END &&
         !(kernel_parser_is_next(&k, name) && kernel_parser_is(kernel_parser_next(&k) + 1, "(")))
    k.p++;
  if (kernel_parser_next(&k)->kind == TOKEN_END) kernel_parser_fail(&k, kernel_tree_no_definition);
  if (t->why) return;
  k.p++;
  parse_params(&k);
  t->body = kernel_parser_block(&k);
}

const tree_expr *kernel_tree_read_expression(const char *text, size_t n, arena *a) {
  kernel_tree t = {0};
  kernel_parser k = {.tree = &t, .a = a, .names = string_map_create(a)};
  kernel_parser_cut(&k, text, n);
  const tree_expr *e = kernel_parser_expr(&k);
  return t.why || kernel_parser_next(&k)->kind != TOKEN_END ? NULL : e;
}

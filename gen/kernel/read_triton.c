/* read_triton.c - the statements of a Triton kernel's Python, for tree.h. */
#include "kernel/parser.h"
#include <string.h>

static tree_block *parse_suite(kernel_parser *k, unsigned outer);

/* The variable `name`, declared where it is new: in Python it belongs to the whole function. */
static int find_or_declare(kernel_parser *k, const char *name) {
  int v = kernel_parser_find(k, name);
  return v >= 0 ? v : kernel_parser_declare(k, name, -1);
}

/* Declares the names that are assigned to. */
static void declare_target(kernel_parser *k, tree_expr *e) {
  if (e->is == TREE_NAME && e->variable < 0) e->variable = find_or_declare(k, e->text);
  if (e->is == TREE_LIST)
    for (tree_expr *x = e->first; x; x = x->next) declare_target(k, x);
}

static bool is_line_end(const kernel_parser *k) {
  enum token_is is = kernel_parser_next(k)->is;
  return is == TOKEN_LINE || is == TOKEN_END;
}

static bool is_assignment(const token *t) {
  return t->is == TOKEN_OPERATOR && t->at[t->n - 1] == '=' && !kernel_parser_is(t, "==") &&
         !kernel_parser_is(t, "<=") && !kernel_parser_is(t, ">=") && !kernel_parser_is(t, "!=");
}

/* target = value, also a = b = value and name : type = value. */
static void parse_simple(kernel_parser *k, tree_block *b) {
  tree_expr *e = kernel_parser_tuple(k);
  if (e->is == TREE_NAME && kernel_parser_accept(k, ":")) kernel_parser_expr(k);
  if (!is_assignment(kernel_parser_next(k))) {
    kernel_parser_statement(k, b, STATEMENT_EXPR)->value = e;
    return;
  }
  while (is_assignment(kernel_parser_next(k))) {
    const char *op = kernel_parser_copy(k, kernel_parser_next(k));
    k->p++;
    tree_expr *value = kernel_parser_tuple(k);
    declare_target(k, e);
    tree_statement *s = kernel_parser_statement(k, b, STATEMENT_ASSIGN);
    s->op = op;
    s->target = e;
    s->value = value;
    e = value;
  }
}

/* for target in range(low, high, step): */
static void read_range(tree_statement *s, const tree_expr *over) {
  bool range = over->is == TREE_CALL &&
               ((over->first->is == TREE_NAME && strcmp(over->first->text, "range") == 0) ||
                (over->first->is == TREE_MEMBER && strstr(over->first->text, "range")));
  if (!range || !kernel_tree_argument(over, 1)) return;
  s->low = kernel_tree_argument(over, 0);
  s->high = kernel_tree_argument(over, 1);
  s->step = kernel_tree_argument(over, 2);
}

static void parse_for(kernel_parser *k, tree_block *b, unsigned indent) {
  tree_statement *s = kernel_parser_statement(k, b, STATEMENT_FOR);
  const token *t = kernel_parser_next(k);
  if (t->is != TOKEN_NAME) kernel_parser_fail(k, "a loop over several variables");
  s->target = kernel_parser_node(k, TREE_NAME, kernel_parser_copy(k, t));
  k->p += t->is == TOKEN_NAME;
  s->target->variable = find_or_declare(k, s->target->text);
  kernel_parser_expect(k, "in");
  s->value = kernel_parser_tuple(k);
  read_range(s, s->value);
  s->body = parse_suite(k, indent);
}

static void parse_if(kernel_parser *k, tree_block *b, unsigned indent) {
  tree_statement *s = kernel_parser_statement(k, b, STATEMENT_IF);
  s->value = kernel_parser_expr(k);
  s->body = parse_suite(k, indent);
  for (int branches = 0;; branches++) {
    const token *line = kernel_parser_next(k);
    if (line->is != TOKEN_LINE || line->indent != indent) return;
    bool chained = kernel_parser_is(line + 1, "elif");
    if (!chained && !kernel_parser_is(line + 1, "else")) return;
    k->p += 2;
    if (!chained) {
      s->otherwise = parse_suite(k, indent);
      return;
    }
    if (branches > KERNEL_TREE_NESTING) kernel_parser_fail(k, "too many branches");
    s->otherwise = arena_alloc(k->a, sizeof *s->otherwise);
    k->line = line->line;
    s = kernel_parser_statement(k, s->otherwise, STATEMENT_IF);
    s->value = kernel_parser_expr(k);
    s->body = parse_suite(k, indent);
  }
}

static void parse_return(kernel_parser *k, tree_block *b) {
  tree_statement *s = kernel_parser_statement(k, b, STATEMENT_RETURN);
  if (!is_line_end(k)) s->value = kernel_parser_tuple(k);
}

static bool parse_compound(kernel_parser *k, tree_block *b, unsigned indent) {
  if (kernel_parser_accept(k, "for")) return parse_for(k, b, indent), true;
  if (kernel_parser_accept(k, "if")) return parse_if(k, b, indent), true;
  if (!kernel_parser_accept(k, "while")) return false;
  tree_statement *s = kernel_parser_statement(k, b, STATEMENT_WHILE);
  s->value = kernel_parser_expr(k);
  s->body = parse_suite(k, indent);
  return true;
}

static void parse_line(kernel_parser *k, tree_block *b, unsigned indent) {
  static const char *const unknown[] = {"def",    "class",    "with", "try",   "lambda",
                                        "del",    "import",   "from", "async", "raise",
                                        "global", "nonlocal", NULL};
  for (const char *const *u = unknown; *u; u++)
    if (kernel_parser_is(kernel_parser_next(k), *u))
      kernel_parser_fail(k, "a statement that Inductor does not write");
  if (k->tree->why || parse_compound(k, b, indent)) return;
  if (kernel_parser_accept(k, "return"))
    parse_return(k, b);
  else if (kernel_parser_accept(k, "break") || kernel_parser_accept(k, "continue"))
    kernel_parser_statement(k, b, STATEMENT_JUMP);
  else if (kernel_parser_accept(k, "assert"))
    kernel_parser_statement(k, b, STATEMENT_EXPR)->value = kernel_parser_tuple(k);
  else if (!kernel_parser_accept(k, "pass"))
    parse_simple(k, b);
}

/* One line: what ';' separates are statements of their own. */
static void parse_statement(kernel_parser *k, tree_block *b, unsigned indent) {
  do {
    size_t begin = k->p;
    k->line = kernel_parser_next(k)->line;
    parse_line(k, b, indent);
    if (is_line_end(k) || k->p == begin) break;
    kernel_parser_expect(k, ";");
  } while (!is_line_end(k));
}

/* ": statement", or ":" and the lines that are indented further than `outer`. */
static tree_block *parse_suite(kernel_parser *k, unsigned outer) {
  tree_block *b = arena_alloc(k->a, sizeof *b);
  kernel_parser_expect(k, ":");
  if (++k->depth > KERNEL_TREE_NESTING) kernel_parser_fail(k, "blocks that are nested too deep");
  if (!is_line_end(k)) parse_statement(k, b, outer);
  unsigned indent = kernel_parser_next(k)->indent;
  while (kernel_parser_next(k)->is == TOKEN_LINE && kernel_parser_next(k)->indent > outer) {
    if (kernel_parser_next(k)->indent != indent)
      kernel_parser_fail(k, "a line that is indented as no other");
    k->p += kernel_parser_next(k)->is == TOKEN_LINE;
    if (kernel_parser_next(k)->is != TOKEN_END) parse_statement(k, b, indent);
  }
  k->depth--;
  return b;
}

/* (in_ptr0, xnumel, XBLOCK : tl.constexpr = 4) */
static void parse_params(kernel_parser *k) {
  kernel_parser_expect(k, "(");
  while (!k->tree->why && !kernel_parser_accept(k, ")")) {
    const token *t = kernel_parser_next(k);
    if (t->is != TOKEN_NAME) kernel_parser_fail(k, "a parameter without a name");
    if (k->tree->why) return;
    k->p++;
    kernel_parser_declare(k, kernel_parser_copy(k, t), (int)k->tree->nparams++);
    if (kernel_parser_accept(k, ":")) kernel_parser_expr(k);
    if (kernel_parser_accept(k, "=")) kernel_parser_expr(k);
    if (!kernel_parser_is(kernel_parser_next(k), ")")) kernel_parser_expect(k, ",");
  }
}

/* "def NAME(" at the start of a line, and the indentation of that line. */
static const char *find_definition(const char *text, size_t n, const char *name, size_t *indent) {
  size_t length = strlen(name);
  const char *end = text + n;
  for (const char *line = text; line < end;) {
    const char *p = line, *nl = memchr(line, '\n', (size_t)(end - line));
    while (p < end && *p == ' ') p++;
    *indent = (size_t)(p - line);
    if ((size_t)(end - p) > length + 5 && memcmp(p, "def ", 4) == 0 &&
        memcmp(p + 4, name, length) == 0 && p[4 + length] == '(')
      return p;
    if (!nl) break;
    line = nl + 1;
  }
  return NULL;
}

/* Past the last line that is indented further than the definition that begins at `at`. */
static const char *find_end(const char *at, const char *end, size_t indent) {
  for (const char *nl = at; (nl = memchr(nl, '\n', (size_t)(end - nl)));) {
    const char *p = ++nl;
    while (p < end && *p == ' ') p++;
    if (p < end && *p != '\n' && *p != '#' && *p != ')' && (size_t)(p - nl) <= indent) return nl;
  }
  return end;
}

void kernel_tree_read_triton(kernel_tree *t, const char *text, size_t n, const char *name,
                             arena *a) {
  static const char user[] = "user_autotune", template[] = "triton_heuristics.template";
  kernel_parser k = {.tree = t, .a = a, .names = string_map_create(a)};
  size_t indent = 0;
  *t = (kernel_tree){.python = true};
  const char *at = find_definition(text, n, name, &indent);
  if (!at) {
    t->why = "no definition of it";
    return;
  }
  t->by_user = memmem(text, n, user, sizeof user - 1);
  t->by_hand = t->by_user || memmem(text, n, template, sizeof template - 1);
  const char *end = find_end(at, text + n, indent);
  unsigned line = 1;
  for (const char *p = text; p < at; p++) line += *p == '\n';
  kernel_parser_cut(&k, at, (size_t)(end - at), line);
  kernel_parser_expect(&k, "def");
  k.p += kernel_parser_next(&k)->is == TOKEN_NAME;
  parse_params(&k);
  t->body = parse_suite(&k, (unsigned)0);
  if (!t->why && kernel_parser_next(&k)->is == TOKEN_LINE) k.p++;
  if (!t->why && kernel_parser_next(&k)->is != TOKEN_END) t->why = "text behind its end";
}

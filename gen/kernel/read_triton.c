/* read_triton.c - the statements of a Triton kernel's Python, for tree.h. */
#include "kernel/triton_reader.h"
#include <string.h>

enum { INDENT_MAX = 200 }; /* the grammar's lexer counts to 255 */

static const char not_python[] = "syntax that does not parse as Python";

static tree_block *read_block(triton_reader *reader, TSNode n);

/* ---- assignments ---------------------------------------------------------------------------- */

/* Declares the names that are assigned to. In Python they belong to the whole function. */
static void declare_target(triton_reader *reader, tree_expr *e) {
  if (e->kind == TREE_NAME && e->variable < 0) {
    int v = kernel_parser_find(&reader->k, e->text);
    e->variable = v >= 0 ? v : kernel_parser_declare(&reader->k, e->text, -1);
  }
  if (e->kind == TREE_LIST)
    for (tree_expr *x = e->first; x; x = x->next) declare_target(reader, x);
}

static void add_assignment(triton_reader *reader, tree_block *b, TSNode left, const char *op,
                           tree_expr *value) {
  tree_expr *target = triton_reader_expr(reader, left);
  declare_target(reader, target);
  tree_statement *s = kernel_parser_statement(&reader->k, b, STATEMENT_ASSIGN);
  s->op = op;
  s->target = target;
  s->value = value;
}

/* left = value; left = left = value, where the last is assigned first; left: type = value. A type
 * alone assigns nothing. */
static void read_assignment(triton_reader *reader, tree_block *b, TSNode n) {
  arena_list(TSNode) targets = {0};
  TSNode value = n;
  do {
    *arena_push(reader->k.a, &targets) = python_field(value, "left");
    value = python_field(value, "right");
  } while (!ts_node_is_null(value) && python_kind_of(value) == PYTHON_ASSIGNMENT);
  tree_expr *e = triton_reader_expr(reader, ts_node_is_null(value) ? targets.at[0] : value);
  if (ts_node_is_null(value)) return;
  for (size_t i = targets.n; i-- > 0 && !reader->k.tree->why;) {
    add_assignment(reader, b, targets.at[i], "=", e);
    if (i) e = triton_reader_expr(reader, targets.at[i]);
  }
}

/* left += value */
static void read_augmented(triton_reader *reader, tree_block *b, TSNode n) {
  TSNode left = python_field(n, "left"), operator= python_field(n, "operator"),
         right = python_field(n, "right");
  if (ts_node_is_null(left) || ts_node_is_null(operator) || ts_node_is_null(right)) {
    triton_reader_fail(reader, n, not_python);
    return;
  }
  add_assignment(reader, b, left, ts_node_type(operator), triton_reader_expr(reader, right));
}

/* ---- simple statements ---------------------------------------------------------------------- */

/* The expressions of a statement: NULL for none, itself for one, else a list. */
static tree_expr *read_expressions(triton_reader *reader, TSNode n) {
  tree_expr *e = kernel_parser_node(&reader->k, TREE_LIST, "");
  triton_reader_add_children(reader, e, n);
  bool comma = false;
  python_children c = python_begin(n);
  while (python_next(&c)) comma = comma || *ts_node_type(c.node) == ',';
  return e->first && !comma ? e->first : e->first ? e : NULL;
}

static void read_expression_statement(triton_reader *reader, tree_block *b, TSNode n) {
  python_children c = python_begin(n);
  enum python_kind kind = python_next(&c) ? python_kind_of(c.node) : PYTHON_OTHER;
  TSNode first = c.node;
  python_end(&c);
  if (kind == PYTHON_ASSIGNMENT) {
    read_assignment(reader, b, first);
  } else if (kind == PYTHON_AUGMENTED) {
    read_augmented(reader, b, first);
  } else {
    tree_expr *value = read_expressions(reader, n);
    if (value) kernel_parser_statement(&reader->k, b, STATEMENT_EXPR)->value = value;
  }
}

/* ---- compound statements -------------------------------------------------------------------- */

static tree_block *read_field_block(triton_reader *reader, TSNode n, const char *name) {
  TSNode body = python_field(n, name);
  if (!ts_node_is_null(body)) return read_block(reader, body);
  triton_reader_fail(reader, n, not_python);
  return arena_alloc(reader->k.a, sizeof(tree_block));
}

static tree_expr *read_condition(triton_reader *reader, TSNode n) {
  TSNode condition = python_field(n, "condition");
  if (!ts_node_is_null(condition)) return triton_reader_expr(reader, condition);
  triton_reader_fail(reader, n, not_python);
  return kernel_parser_node(&reader->k, TREE_CONSTANT, "None");
}

static tree_expr *make_integer(triton_reader *reader, const char *text, int64_t value) {
  tree_expr *e = kernel_parser_node(&reader->k, TREE_INTEGER, text);
  e->value = value;
  return e;
}

/* range(high), range(low, high), range(low, high, step), by any module's range or static_range. Not
 * one that counts down, nor one where low or high have keywords. */
static void read_range(triton_reader *reader, tree_statement *s, const tree_expr *over) {
  static const char *const names[] = {"range", "static_range", NULL};
  static const char *const counts[] = {"arg1", "arg2", "start", "end", "stop", NULL};
  if (over->kind != TREE_CALL || strings_index(names, kernel_tree_name(over->first)) < 0) return;
  for (const char *const *c = counts; *c; c++)
    if (kernel_tree_keyword(over, *c)) return;
  tree_expr *first = kernel_tree_argument(over, 0), *second = kernel_tree_argument(over, 1),
            *step = kernel_tree_argument(over, 2);
  if (!step) step = kernel_tree_keyword(over, "step");
  if (!first || (step && step->kind == TREE_UNARY && *step->text == '-')) return;
  s->low = second ? first : make_integer(reader, "0", 0);
  s->high = second ? second : first;
  s->step = step;
}

static void read_for(triton_reader *reader, tree_block *b, TSNode n) {
  TSNode left = python_field(n, "left"), right = python_field(n, "right");
  if (!ts_node_is_null(python_field(n, "alternative")))
    triton_reader_fail(reader, n, triton_reader_refuse(PYTHON_ELSE));
  if (ts_node_is_null(left) || ts_node_is_null(right)) triton_reader_fail(reader, n, not_python);
  if (reader->k.tree->why) return;
  tree_statement *s = kernel_parser_statement(&reader->k, b, STATEMENT_FOR);
  s->target = triton_reader_expr(reader, left);
  if (s->target->kind != TREE_NAME)
    triton_reader_fail(reader, left, "a loop over several variables");
  declare_target(reader, s->target);
  s->value = triton_reader_expr(reader, right);
  read_range(reader, s, s->value);
  s->body = read_field_block(reader, n, "body");
}

static void read_while(triton_reader *reader, tree_block *b, TSNode n) {
  if (!ts_node_is_null(python_field(n, "alternative")))
    triton_reader_fail(reader, n, triton_reader_refuse(PYTHON_ELSE));
  tree_statement *s = kernel_parser_statement(&reader->k, b, STATEMENT_WHILE);
  s->value = read_condition(reader, n);
  s->body = read_field_block(reader, n, "body");
}

static tree_statement *add_if(triton_reader *reader, tree_block *b, TSNode n) {
  reader->k.line = triton_reader_line(reader, n);
  tree_statement *s = kernel_parser_statement(&reader->k, b, STATEMENT_IF);
  s->value = read_condition(reader, n);
  s->body = read_field_block(reader, n, "consequence");
  return s;
}

/* Each elif is an `if` in the `otherwise` block. */
static void read_if(triton_reader *reader, tree_block *b, TSNode n) {
  tree_statement *s = add_if(reader, b, n);
  int branches = 0;
  python_children c = python_begin(n);
  while (!reader->k.tree->why && python_next(&c)) {
    enum python_kind kind = python_kind_of(c.node);
    if (kind == PYTHON_ELSE) s->otherwise = read_field_block(reader, c.node, "body");
    if (kind != PYTHON_ELIF) continue;
    if (++branches > KERNEL_TREE_NESTING) triton_reader_fail(reader, c.node, "too many branches");
    s->otherwise = arena_alloc(reader->k.a, sizeof *s->otherwise);
    s = add_if(reader, s->otherwise, c.node);
  }
  python_end(&c);
}

/* ---- blocks --------------------------------------------------------------------------------- */

static void read_statement(triton_reader *reader, tree_block *b, TSNode n) {
  reader->k.line = triton_reader_line(reader, n);
  enum python_kind kind = python_kind_of(n);
  tree_expr *value;
  switch (kind) {
    case PYTHON_EXPRESSION_STATEMENT: read_expression_statement(reader, b, n); return;
    case PYTHON_ASSERT:
      value = read_expressions(reader, n);
      if (value) kernel_parser_statement(&reader->k, b, STATEMENT_EXPR)->value = value;
      return;
    case PYTHON_RETURN:
      value = read_expressions(reader, n);
      kernel_parser_statement(&reader->k, b, STATEMENT_RETURN)->value = value;
      return;
    case PYTHON_BREAK:
    case PYTHON_CONTINUE: kernel_parser_statement(&reader->k, b, STATEMENT_JUMP); return;
    case PYTHON_PASS: return;
    case PYTHON_FOR: read_for(reader, b, n); return;
    case PYTHON_WHILE: read_while(reader, b, n); return;
    case PYTHON_IF: read_if(reader, b, n); return;
    default: triton_reader_fail(reader, n, triton_reader_refuse(kind)); return;
  }
}

/* Checks what the grammar accepts: empty blocks, and lines with another indentation than the
 * rest. */
static tree_block *read_block(triton_reader *reader, TSNode n) {
  tree_block *b = arena_alloc(reader->k.a, sizeof *b);
  TSPoint first = {0, 0}, end = {0, 0};
  bool any = false;
  if (++reader->k.depth > KERNEL_TREE_NESTING)
    triton_reader_fail(reader, n, "blocks that are nested too deep");
  python_children c = python_begin(n);
  while (!reader->k.tree->why && python_next(&c)) {
    if (!ts_node_is_named(c.node)) continue;
    TSPoint at = ts_node_start_point(c.node);
    if (!any) first = at;
    if (any && at.row != end.row && at.column != first.column)
      triton_reader_fail(reader, c.node, "a line that is indented as no other");
    any = true;
    end = ts_node_end_point(c.node);
    read_statement(reader, b, c.node);
  }
  python_end(&c);
  if (!any) triton_reader_fail(reader, n, not_python);
  reader->k.depth--;
  return b;
}

/* ---- the function --------------------------------------------------------------------------- */

static void read_param(triton_reader *reader, TSNode n) {
  enum python_kind kind = python_kind_of(n);
  TSNode name = n, type = python_field(n, "type");
  if (kind == PYTHON_KEYWORD_SEPARATOR || kind == PYTHON_POSITIONAL_SEPARATOR) return;
  if (kind == PYTHON_DEFAULT_PARAMETER || kind == PYTHON_TYPED_DEFAULT_PARAMETER)
    name = python_field(n, "name");
  if (kind == PYTHON_TYPED_PARAMETER) name = ts_node_named_child(n, 0);
  if (ts_node_is_null(name) || python_kind_of(name) != PYTHON_IDENTIFIER) {
    triton_reader_fail(reader, n, "a parameter without a name");
    return;
  }
  int v = kernel_parser_declare(&reader->k, triton_reader_name(reader, name),
                                (int)reader->k.tree->nparams++);
  if (!ts_node_is_null(type))
    reader->k.tree->variables.at[v].type = triton_reader_copy(reader, type);
}

static void read_function(triton_reader *reader) {
  python_children c = python_begin(reader->syntax.root);
  bool found = python_next(&c) && python_kind_of(c.node) == PYTHON_FUNCTION;
  TSNode function = c.node, params = python_field(function, "parameters");
  python_end(&c);
  if (!found || ts_node_is_null(params)) {
    triton_reader_fail(reader, reader->syntax.root, not_python);
    return;
  }
  python_children p = python_begin(params);
  while (!reader->k.tree->why && python_next(&p))
    if (ts_node_is_named(p.node)) read_param(reader, p.node);
  python_end(&p);
  if (!reader->k.tree->why) reader->k.tree->body = read_field_block(reader, function, "body");
}

/* ---- its text ------------------------------------------------------------------------------- */

static const char *skip_spaces(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\t')) p++;
  return p;
}

/* "def NAME(" at the start of a line, and the indentation of that line. */
static const char *find_definition(const char *text, size_t n, const char *name, size_t *indent,
                                   unsigned *number) {
  size_t length = strlen(name);
  const char *end = text + n;
  *number = 1;
  for (const char *line = text; line < end; (*number)++) {
    const char *p = skip_spaces(line, end), *nl = memchr(line, '\n', (size_t)(end - line));
    *indent = (size_t)(p - line);
    if (end - p > 4 && memcmp(p, "def ", 4) == 0) {
      const char *word = skip_spaces(p + 4, end);
      bool same = (size_t)(end - word) > length && memcmp(word, name, length) == 0;
      const char *behind = same ? skip_spaces(word + length, end) : end;
      if (behind < end && *behind == '(') return p;
    }
    if (!nl) break;
    line = nl + 1;
  }
  return NULL;
}

/* True if the line before `line` ends with a backslash, so that this one continues it. */
static bool goes_on(const char *begin, const char *line) {
  const char *end = line - 1;
  if (end > begin && end[-1] == '\r') end--;
  return end > begin && end[-1] == '\\';
}

/* The first line behind `at` that is indented no further than the definition. It is the end, unless
 * it is within brackets or a string. */
static const char *find_end(const char *at, const char *end, size_t indent) {
  for (const char *nl = at; (nl = memchr(nl, '\n', (size_t)(end - nl)));) {
    const char *p = skip_spaces(++nl, end);
    bool begins = p < end && *p != '\n' && *p != '\r' && *p != '#' && *p != ')';
    if (begins && (size_t)(p - nl) <= indent && !goes_on(at, nl)) return nl;
  }
  return end;
}

/* The line behind `at` that ends the string in which Inductor has the text. */
static const char *find_quotes(const char *at, const char *end) {
  for (const char *nl = at; (nl = memchr(nl, '\n', (size_t)(end - nl)));) {
    const char *p = skip_spaces(++nl, end);
    if (end - p >= 3 && memcmp(p, "'''", 3) == 0) return nl;
  }
  return end;
}

/* True if the grammar's lexer counts each line's indentation as Python does. */
static bool is_indented(const char *p, const char *end) {
  while (p && p < end) {
    const char *line = p, *first;
    while (p < end && *p == '\t') p++;
    for (first = p; p < end && *p == ' ';) p++;
    if (p < end && (*p == '\t' || *p == '\f')) return false;
    if ((p - first) + 8 * (first - line) > INDENT_MAX) return false;
    p = memchr(p, '\n', (size_t)(end - p));
    if (p) p++;
  }
  return true;
}

/* A copy with ''' as Inductor escapes it, and a further line: at the end of a text, the grammar is
 * unsure of lists of names. */
static const char *copy_text(triton_reader *reader, const char *at, const char *end, size_t *n) {
  static const char quotes[] = "\\'\\'\\'", behind[] = "\n\n0\n";
  char *text = arena_alloc(reader->k.a, (size_t)(end - at) + sizeof behind), *to = text;
  while (at < end) {
    if ((size_t)(end - at) >= sizeof quotes - 1 && memcmp(at, quotes, sizeof quotes - 1) == 0) {
      memcpy(to, "'''", 3);
      to += 3;
      at += sizeof quotes - 1;
    } else {
      *to++ = *at++;
    }
  }
  memcpy(to, behind, sizeof behind);
  *n = (size_t)(to - text) + sizeof behind - 1;
  return text;
}

/* Reads the text from `at` to `end`. False if that is not a complete piece of Python. */
static bool read_text(triton_reader *reader, const char *at, const char *end) {
  size_t n;
  reader->syntax = (python){0};
  if (memchr(at, '\0', (size_t)(end - at))) {
    reader->syntax.why = "a byte 0";
  } else if (!is_indented(at, end)) {
    reader->syntax.why = "a line that is indented too far";
  } else {
    const char *text = copy_text(reader, at, end, &n);
    python_parse(&reader->syntax, text, n);
    if (!reader->syntax.why) read_function(reader);
    python_free(&reader->syntax);
  }
  return !reader->syntax.why;
}

void kernel_tree_read_triton(kernel_tree *t, const char *text, size_t n, const char *name,
                             arena *a) {
  static const char user[] = "user_autotune", template[] = "triton_heuristics.template";
  triton_reader r = {.k = {.tree = t, .a = a, .names = string_map_create(a)}};
  size_t indent = 0;
  *t = (kernel_tree){.python = true, .why = n > KERNEL_TREE_TEXT_MAX ? kernel_tree_long : NULL};
  const char *at = t->why ? NULL : find_definition(text, n, name, &indent, &r.line);
  if (!at && !t->why) t->why = kernel_tree_no_definition;
  if (t->why) return;
  t->by_user = memmem(text, n, user, sizeof user - 1);
  t->by_hand = t->by_user || memmem(text, n, template, sizeof template - 1);
  const char *end = find_end(at, text + n, indent), *quotes = find_quotes(at, text + n);
  bool whole = read_text(&r, at, end) || (end < quotes && read_text(&r, at, quotes));
  if (!whole) kernel_parser_fail_at(&r.k, r.syntax.why, r.line + r.syntax.row);
}

/* triton_expression.c - the expressions of Triton's Python, for triton_reader.h. */
#include "kernel/triton_reader.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char not_python[] = "syntax that does not parse as Python";

unsigned triton_reader_line(const triton_reader *reader, TSNode n) {
  return reader->line + ts_node_start_point(n).row;
}

const char *triton_reader_copy(triton_reader *reader, TSNode n) {
  uint32_t begin = ts_node_start_byte(n);
  return arena_strndup(reader->k.a, reader->syntax.text + begin, ts_node_end_byte(n) - begin);
}

void triton_reader_fail(triton_reader *reader, TSNode n, const char *why) {
  kernel_parser_fail_at(&reader->k, why,
                        ts_node_is_null(n) ? reader->k.line : triton_reader_line(reader, n));
}

const char *triton_reader_name(triton_reader *reader, TSNode n) {
  static const char *const keywords[] = {
      "and",    "as",   "assert", "async",  "await",    "break", "class", "continue", "def",
      "del",    "elif", "else",   "except", "finally",  "for",   "from",  "global",   "if",
      "in",     "is",   "import", "lambda", "nonlocal", "not",   "or",    "pass",     "raise",
      "return", "try",  "while",  "with",   "yield",    "None",  "True",  "False",    NULL};
  const char *name = triton_reader_copy(reader, n);
  if (strings_index(keywords, name) >= 0) triton_reader_fail(reader, n, not_python);
  return name;
}

const char *triton_reader_refuse(enum python_kind kind) {
  switch (kind) {
    case PYTHON_LAMBDA: return "a lambda";
    case PYTHON_GENERATOR:
    case PYTHON_DICTIONARY_COMPREHENSION:
    case PYTHON_LIST_COMPREHENSION:
    case PYTHON_SET_COMPREHENSION: return "a comprehension";
    case PYTHON_NAMED_EXPRESSION: return "an assignment within an expression";
    case PYTHON_SPLAT_PATTERN:
    case PYTHON_LIST_SPLAT:
    case PYTHON_DICTIONARY_SPLAT: return "values that are unpacked (*)";
    case PYTHON_AWAIT:
    case PYTHON_YIELD: return "a coroutine";
    case PYTHON_WITH: return "a 'with' statement";
    case PYTHON_TRY: return "a 'try' statement";
    case PYTHON_RAISE: return "a 'raise' statement";
    case PYTHON_DELETE: return "a 'del' statement";
    case PYTHON_MATCH: return "a 'match' statement";
    case PYTHON_GLOBAL: return "a 'global' statement";
    case PYTHON_NONLOCAL: return "a 'nonlocal' statement";
    case PYTHON_IMPORT:
    case PYTHON_IMPORT_FROM: return "an import within the kernel";
    case PYTHON_CLASS: return "a class within the kernel";
    case PYTHON_DECORATED:
    case PYTHON_FUNCTION: return "a function within the kernel";
    case PYTHON_ELSE: return "a loop with 'else'";
    default: return "syntax that Triton does not have";
  }
}

static tree_expr *make_none(triton_reader *reader) {
  return kernel_parser_node(&reader->k, TREE_CONSTANT, "None");
}

static tree_expr *refuse_expr(triton_reader *reader, TSNode n) {
  triton_reader_fail(reader, n, triton_reader_refuse(python_kind_of(n)));
  return make_none(reader);
}

static tree_expr *read_field(triton_reader *reader, TSNode n, const char *name) {
  TSNode child = python_field(n, name);
  if (!ts_node_is_null(child)) return triton_reader_expr(reader, child);
  triton_reader_fail(reader, n, not_python);
  return make_none(reader);
}

void triton_reader_add_children(triton_reader *reader, tree_expr *e, TSNode n) {
  python_children c = python_begin(n);
  while (!reader->k.tree->why && python_next(&c))
    if (ts_node_is_named(c.node))
      kernel_parser_add(&reader->k, e, triton_reader_expr(reader, c.node));
  python_end(&c);
}

/* ---- names and constants -------------------------------------------------------------------- */

static tree_expr *read_name(triton_reader *reader, TSNode n) {
  bool constant = python_kind_of(n) != PYTHON_IDENTIFIER; /* True, False */
  const char *name = constant ? triton_reader_copy(reader, n) : triton_reader_name(reader, n);
  tree_expr *e = kernel_parser_node(&reader->k, TREE_NAME, name);
  e->variable = kernel_parser_find(&reader->k, e->text);
  return e;
}

/* 10, 1_000, 0xff, 0o17, 0b1: without its '_', and in C's spelling. */
static tree_expr *read_integer(triton_reader *reader, TSNode n) {
  const char *text = triton_reader_copy(reader, n), *from = text;
  tree_expr *e = kernel_parser_node(&reader->k, TREE_CONSTANT, text);
  char *digits = arena_strdup(reader->k.a, text), *to = digits, *end;
  for (; *from; from++)
    if (*from != '_') *to++ = *from;
  *to = '\0';
  char letter = *digits == '0' ? (char)tolower((unsigned char)digits[1]) : 0;
  int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
  errno = 0;
  unsigned long long value = strtoull(base == 10 ? digits : digits + 2, &end, base);
  if (!*end && !errno && value <= INT64_MAX) {
    e->kind = TREE_INTEGER;
    e->value = (int64_t)value;
  }
  if (base == 10 && *digits == '0' && value)
    triton_reader_fail(reader, n, "a number that begins with 0");
  return e;
}

/* 'a' 'b': the first. */
static tree_expr *read_strings(triton_reader *reader, TSNode n) {
  python_children c = python_begin(n);
  tree_expr *e = python_next(&c) ? triton_reader_expr(reader, c.node) : make_none(reader);
  python_end(&c);
  return e;
}

/* ---- operators ------------------------------------------------------------------------------ */

/* The name in the tree of a binary operator. */
static const char *translate_operator(const char *spelling) {
  static const char *const names[][2] = {
      {"and", "&&"}, {"or", "||"}, {"is", "=="}, {"<>", "!="}, {"is not", "!="}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(spelling, names[i][0]) == 0) return names[i][1];
  return spelling; /* the grammar's, which stays */
}

static tree_expr *read_binary(triton_reader *reader, TSNode n) {
  TSNode operator= python_field(n, "operator");
  if (ts_node_is_null(operator)) return refuse_expr(reader, n);
  tree_expr *e = kernel_parser_wrap(&reader->k, TREE_BINARY,
                                    translate_operator(ts_node_type(operator)),
                                    read_field(reader, n, "left"));
  kernel_parser_add(&reader->k, e, read_field(reader, n, "right"));
  return e;
}

static tree_expr *read_unary(triton_reader *reader, TSNode n) {
  TSNode operator= python_field(n, "operator");
  const char *text = ts_node_is_null(operator) ? "!" : ts_node_type(operator);
  return kernel_parser_wrap(&reader->k, TREE_UNARY, text, read_field(reader, n, "argument"));
}

/* x < y. Triton has no chains of them. */
static tree_expr *read_comparison(triton_reader *reader, TSNode n) {
  python_children c = python_begin(n);
  tree_expr *sides[2] = {NULL, NULL};
  const char *operator= "";
  int i = 0;
  while (!reader->k.tree->why && python_next(&c)) {
    if (!ts_node_is_named(c.node))
      operator= ts_node_type(c.node);
    else if (i == 2)
      triton_reader_fail(reader, n, "a chain of comparisons");
    else
      sides[i++] = triton_reader_expr(reader, c.node);
  }
  python_end(&c);
  if (i < 2) return refuse_expr(reader, n);
  bool not = strcmp(operator, "not in") == 0;
  const char *text = not ? "in" : translate_operator(operator);
  tree_expr *e = kernel_parser_wrap(&reader->k, TREE_BINARY, text, sides[0]);
  kernel_parser_add(&reader->k, e, sides[1]);
  return not ? kernel_parser_wrap(&reader->k, TREE_UNARY, "!", e) : e;
}

/* second if first else third */
static tree_expr *read_choice(triton_reader *reader, TSNode n) {
  python_children c = python_begin(n);
  tree_expr *parts[3];
  int i = 0;
  while (python_next(&c) && i < 3)
    if (ts_node_is_named(c.node)) parts[i++] = triton_reader_expr(reader, c.node);
  python_end(&c);
  if (i < 3) return refuse_expr(reader, n);
  tree_expr *e = kernel_parser_wrap(&reader->k, TREE_CHOICE, "", parts[1]);
  kernel_parser_add(&reader->k, e, parts[0]);
  kernel_parser_add(&reader->k, e, parts[2]);
  return e;
}

/* ---- what stands in brackets ---------------------------------------------------------------- */

static tree_expr *read_list(triton_reader *reader, TSNode n, const char *close) {
  tree_expr *e = kernel_parser_node(&reader->k, TREE_LIST, close);
  triton_reader_add_children(reader, e, n);
  return e;
}

/* (a, b), or the name in (a) = b. */
static tree_expr *read_target_list(triton_reader *reader, TSNode n) {
  tree_expr *e = read_list(reader, n, ")");
  return ts_node_child_count(n) == 3 && e->first ? e->first : e;
}

/* {a: b}: as a list of its keys and values. */
static tree_expr *read_dictionary(triton_reader *reader, TSNode n) {
  tree_expr *e = kernel_parser_node(&reader->k, TREE_LIST, "}");
  python_children c = python_begin(n);
  while (!reader->k.tree->why && python_next(&c)) {
    if (!ts_node_is_named(c.node)) continue;
    if (python_kind_of(c.node) == PYTHON_PAIR)
      triton_reader_add_children(reader, e, c.node);
    else
      refuse_expr(reader, c.node);
  }
  python_end(&c);
  return e;
}

static tree_expr *read_parentheses(triton_reader *reader, TSNode n) {
  python_children c = python_begin(n);
  tree_expr *e = NULL;
  while (!e && python_next(&c))
    if (ts_node_is_named(c.node)) e = triton_reader_expr(reader, c.node);
  python_end(&c);
  return e ? e : refuse_expr(reader, n);
}

/* `object.name`, or `name=value`. */
static tree_expr *read_named(triton_reader *reader, TSNode n, enum tree_kind kind,
                             const char *name_field, const char *field) {
  TSNode name = python_field(n, name_field);
  if (ts_node_is_null(name)) return refuse_expr(reader, n);
  return kernel_parser_wrap(&reader->k, kind, triton_reader_name(reader, name),
                            read_field(reader, n, field));
}

static tree_expr *read_call(triton_reader *reader, TSNode n) {
  TSNode arguments = python_field(n, "arguments");
  tree_expr *e = kernel_parser_wrap(&reader->k, TREE_CALL, "", read_field(reader, n, "function"));
  if (ts_node_is_null(arguments) || python_kind_of(arguments) == PYTHON_GENERATOR)
    return refuse_expr(reader, ts_node_is_null(arguments) ? n : arguments);
  e->line = triton_reader_line(reader, arguments);
  triton_reader_add_children(reader, e, arguments);
  return e;
}

/* a:b, :, ::2 */
static tree_expr *read_slice(triton_reader *reader, TSNode n) {
  tree_expr *e = kernel_parser_node(&reader->k, TREE_LIST, ":"), *parts[3] = {NULL, NULL, NULL};
  python_children c = python_begin(n);
  int i = 0, last = -1;
  while (python_next(&c)) {
    if (!ts_node_is_named(c.node)) {
      if (i < 2) i++;
      continue;
    }
    parts[i] = triton_reader_expr(reader, c.node);
    last = i;
  }
  python_end(&c);
  for (int k = 0; last >= 0 && k <= (last > 1 ? last : 1); k++)
    kernel_parser_add(&reader->k, e, parts[k] ? parts[k] : make_none(reader));
  return e;
}

static tree_expr *read_subscript(triton_reader *reader, TSNode n) {
  tree_expr *e = NULL;
  python_children c = python_begin(n);
  while (!reader->k.tree->why && python_next(&c)) {
    if (!ts_node_is_named(c.node)) {
      if (e && !e->line && *ts_node_type(c.node) == '[')
        e->line = triton_reader_line(reader, c.node);
    } else if (e) {
      kernel_parser_add(&reader->k, e, triton_reader_expr(reader, c.node));
    } else {
      e = kernel_parser_wrap(&reader->k, TREE_INDEX, "", triton_reader_expr(reader, c.node));
    }
  }
  python_end(&c);
  return e ? e : refuse_expr(reader, n);
}

/* ---- all ------------------------------------------------------------------------------------ */

static tree_expr *dispatch_expr(triton_reader *reader, TSNode n) {
  enum python_kind kind = python_kind_of(n);
  switch (kind) {
    case PYTHON_IDENTIFIER:
    case PYTHON_TRUE:
    case PYTHON_FALSE: return read_name(reader, n);
    case PYTHON_INTEGER: return read_integer(reader, n);
    case PYTHON_FLOAT:
    case PYTHON_STRING:
    case PYTHON_ELLIPSIS:
    case PYTHON_NONE:
      return kernel_parser_node(&reader->k, TREE_CONSTANT, triton_reader_copy(reader, n));
    case PYTHON_CONCATENATED: return read_strings(reader, n);
    case PYTHON_BINARY:
    case PYTHON_BOOLEAN: return read_binary(reader, n);
    case PYTHON_UNARY:
    case PYTHON_NOT: return read_unary(reader, n);
    case PYTHON_COMPARISON: return read_comparison(reader, n);
    case PYTHON_CONDITIONAL: return read_choice(reader, n);
    case PYTHON_PARENTHESIZED: return read_parentheses(reader, n);
    case PYTHON_EXPRESSION_LIST:
    case PYTHON_PATTERN_LIST: return read_list(reader, n, "");
    case PYTHON_TUPLE: return read_list(reader, n, ")");
    case PYTHON_TUPLE_PATTERN: return read_target_list(reader, n);
    case PYTHON_LIST:
    case PYTHON_LIST_PATTERN: return read_list(reader, n, "]");
    case PYTHON_SET: return read_list(reader, n, "}");
    case PYTHON_DICTIONARY: return read_dictionary(reader, n);
    case PYTHON_ATTRIBUTE: return read_named(reader, n, TREE_MEMBER, "attribute", "object");
    case PYTHON_CALL: return read_call(reader, n);
    case PYTHON_KEYWORD_ARGUMENT: return read_named(reader, n, TREE_KEYWORD, "name", "value");
    case PYTHON_SUBSCRIPT: return read_subscript(reader, n);
    case PYTHON_SLICE: return read_slice(reader, n);
    default: return refuse_expr(reader, n);
  }
}

tree_expr *triton_reader_expr(triton_reader *reader, TSNode n) {
  if (reader->k.tree->why) return make_none(reader);
  if (++reader->nested > KERNEL_TREE_DEPTH)
    triton_reader_fail(reader, n, "an expression that is nested too deep");
  tree_expr *e = reader->k.tree->why ? make_none(reader) : dispatch_expr(reader, n);
  reader->nested--;
  return e;
}

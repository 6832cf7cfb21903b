/* size_expression.c - see size_expression.h. */
#include "model/size_expression.h"
#include "parse/lex.h"
#include "shared/postfix.h"
#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 16, NUMBER_DIGITS_MAX = 18, NAME_MAX_LENGTH = 100 };

typedef struct expression_reader {
  const string_map *symbols;
  arena *a;
  const char *at;
  strbuf code;
  int depth, stack;
} expression_reader;

/* The functions of SymPy and of torch, and the operator of each. */
static const struct function {
  const char *name, *op;
  bool many; /* it takes two arguments and more */
} functions[] = {{"Add", "+", true},        {"Mul", "*", true},       {"Max", "M", true},
                 {"Min", "m", true},        {"FloorDiv", "/", false}, {"CleanDiv", "/", false},
                 {"PythonMod", "%", false}, {"Mod", "%", false}};

static bool read_expression(expression_reader *r);

static bool take(expression_reader *r, const char *word) {
  const size_t n = strlen(word);
  if (strncmp(r->at, word, n) != 0) return false;
  r->at += n;
  return true;
}

static bool push(expression_reader *r, const char *word, size_t n) {
  strbuf_printf(&r->code, "%s%.*s", r->code.n ? " " : "", (int)n, word);
  return ++r->stack <= AG_POSTFIX_STACK;
}

/* "-12)" behind "Integer(" */
static bool read_number(expression_reader *r) {
  const char *begin = r->at;
  r->at += *r->at == '-';
  const char *digits = r->at;
  while (isdigit((unsigned char)*r->at)) r->at++;
  const size_t n = (size_t)(r->at - digits);
  return n && n <= NUMBER_DIGITS_MAX && push(r, begin, (size_t)(r->at - begin)) && take(r, ")");
}

static bool push_symbol(expression_reader *r, const char *name, size_t n) {
  if (!n || n > NAME_MAX_LENGTH) return false;
  const char *code = string_map_get(r->symbols, arena_strndup(r->a, name, n));
  return code && push(r, code, strlen(code));
}

/* "s77', positive=True)" behind "Symbol('" */
static bool read_symbol(expression_reader *r) {
  const char *name = r->at;
  const size_t n = lex_measure_word(name, strlen(name));
  r->at += n;
  if (!take(r, "'")) return false;
  r->at += strcspn(r->at, "()'");
  return take(r, ")") && push_symbol(r, name, n);
}

/* "Integer(2), ...)" behind the function's "(" */
static bool read_call(expression_reader *r, const struct function *f) {
  int n = 0;
  do {
    if (!read_expression(r)) return false;
    if (!n++) continue;
    strbuf_printf(&r->code, " %s", f->op);
    r->stack--;
  } while (take(r, ", "));
  return n > 1 && (f->many || n == 2) && take(r, ")");
}

static const struct function *find_function(const char *name, size_t n) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strlen(functions[i].name) == n && !memcmp(functions[i].name, name, n)) return &functions[i];
  return NULL;
}

static bool read_word(expression_reader *r) {
  const char *word = r->at;
  const size_t n = lex_measure_word(word, strlen(word));
  r->at += n;
  if (*r->at != '(') return push_symbol(r, word, n); /* as older versions of torch write it */
  r->at++;
  const struct function *f = find_function(word, n);
  return f && read_call(r, f);
}

static bool read_expression(expression_reader *r) {
  if (take(r, "Integer(")) return read_number(r);
  if (take(r, "Symbol('")) return read_symbol(r);
  const bool read = ++r->depth < DEPTH_MAX && read_word(r);
  r->depth--;
  return read;
}

const char *size_expression_read(const char *text, const string_map *symbols, arena *a) {
  expression_reader r = {.symbols = symbols, .a = a, .at = text};
  const bool read = symbols && read_expression(&r) && !*r.at;
  const char *code = read ? arena_strndup(a, r.code.at, r.code.n) : NULL;
  strbuf_free(&r.code);
  return code;
}

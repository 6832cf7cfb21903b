/* parser.c - see parser.h: tokens, names and scopes. */
#include "kernel/parser.h"
#include "shared/glob.h"
#include <ctype.h>
#include <string.h>

/* ---- tokens --------------------------------------------------------------------------------- */

typedef struct cutter {
  kernel_parser *k;
  const char *at, *end;
  const char *counted; /* lines are counted up to here */
  unsigned line;
  omp_directives omp; /* of the next token */
} cutter;

/* The number of the line that `c->at` is on. */
static unsigned count_line(cutter *c) {
  for (; c->counted < c->at; c->counted++) c->line += *c->counted == '\n';
  return c->line;
}

static void add_token(cutter *c, enum token_kind kind, const char *end) {
  *arena_push(c->k->a, &c->k->tokens) =
      (token){kind, count_line(c), c->at, (unsigned)(end - c->at), c->omp};
  c->omp = (omp_directives){0};
  c->at = end;
}

static void fail_to_cut(cutter *c, const char *why) {
  kernel_parser_fail_at(c->k, why, count_line(c));
}

static void skip_line(cutter *c) {
  while (c->at < c->end && *c->at != '\n') c->at += *c->at == '\\' && c->end - c->at > 1 ? 2 : 1;
}

static bool is_at(const cutter *c, const char *text) {
  size_t n = strlen(text);
  return (size_t)(c->end - c->at) >= n && memcmp(c->at, text, n) == 0;
}

static void skip_block_comment(cutter *c) {
  const char *close = memmem(c->at + 2, (size_t)(c->end - c->at) - 2, "*/", 2);
  if (!close) fail_to_cut(c, "a comment that does not end");
  c->at = close ? close + 2 : c->end;
}

static void cut_string(cutter *c) {
  char quote = *c->at;
  const char *p = c->at + 1;
  while (p < c->end && *p != quote && *p != '\n') p += *p == '\\' && c->end - p > 1 ? 2 : 1;
  if (p >= c->end || *p != quote) fail_to_cut(c, "a string that does not end");
  add_token(c, TOKEN_STRING, p < c->end ? p + 1 : c->end);
}

static void cut_word(cutter *c) {
  bool number = isdigit((unsigned char)*c->at);
  const char *p = c->at;
  while (p < c->end && (isalnum((unsigned char)*p) || *p == '_' || (number && *p == '.') ||
                        (number && (*p == '+' || *p == '-') && (p[-1] == 'e' || p[-1] == 'E') &&
                         c->at[1] != 'x' && c->at[1] != 'X')))
    p++;
  add_token(c, number ? TOKEN_NUMBER : TOKEN_NAME, p);
}

static void cut_operator(cutter *c) {
  static const char *const operators[] = {
      "<<=", ">>=", "->", "::", "++", "--", "<<", "<=", ">=", "==", "!=",
      "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", NULL};
  for (const char *const *o = operators; *o; o++)
    if (is_at(c, *o)) {
      add_token(c, TOKEN_OPERATOR, c->at + strlen(*o));
      return;
    }
  add_token(c, TOKEN_OPERATOR, c->at + 1);
}

/* collapse(2); 1 without it. */
static unsigned read_collapse(const char *directive) {
  const char *found = strstr(directive, "collapse(");
  unsigned loops = 0;
  for (const char *p = found ? found + 9 : ""; isdigit((unsigned char)*p) && loops < 100; p++)
    loops = loops * 10 + (unsigned)(*p - '0');
  return loops ? loops : 1;
}

static void note_omp(omp_directives *omp, const char *directive) {
  if (ag_has_name(directive, "parallel")) omp->says |= OMP_PARALLEL;
  if (ag_has_name(directive, "single") || ag_has_name(directive, "master")) omp->says |= OMP_ONE;
  if (!ag_has_name(directive, "for") && !ag_has_name(directive, "simd")) return;
  omp->says |= OMP_SHARED;
  omp->loops = read_collapse(directive);
}

static void cut_directive(cutter *c) {
  const char *begin = c->at;
  if (!is_at(c, "#pragma")) fail_to_cut(c, "a directive of the preprocessor");
  skip_line(c);
  const char *directive = arena_strndup(c->k->a, begin, (size_t)(c->at - begin));
  if (ag_has_name(directive, "omp")) note_omp(&c->omp, directive);
}

void kernel_parser_cut(kernel_parser *k, const char *text, size_t n) {
  /* each token but the last has a byte of its own; pages that are not written take no memory */
  k->tokens.at = arena_alloc(k->a, (n + 1) * sizeof *k->tokens.at);
  k->tokens.cap = n + 1;
  cutter c = {.k = k, .at = text, .end = text + n, .counted = text, .line = 1};
  while (c.at < c.end && !k->tree->why) {
    if (isspace((unsigned char)*c.at))
      c.at++;
    else if (*c.at == '#')
      cut_directive(&c);
    else if (is_at(&c, "//"))
      skip_line(&c);
    else if (is_at(&c, "/*"))
      skip_block_comment(&c);
    else if (*c.at == '"' || *c.at == '\'')
      cut_string(&c);
    else if (isalnum((unsigned char)*c.at) || *c.at == '_')
      cut_word(&c);
    else if (*c.at)
      cut_operator(&c);
    else
      fail_to_cut(&c, "a byte 0");
  }
  add_token(&c, TOKEN_END, c.at);
}

void kernel_parser_fail(kernel_parser *k, const char *why) {
  kernel_parser_fail_at(k, why, k->tokens.n ? kernel_parser_next(k)->line : k->line);
}

void kernel_parser_fail_at(kernel_parser *k, const char *why, unsigned line) {
  if (!k->tree->why) {
    k->tree->why = why;
    k->tree->why_line = line;
  }
  if (k->tokens.n) k->p = k->tokens.n - 1;
}

bool kernel_parser_is(const token *t, const char *text) {
  return t->kind != TOKEN_END && t->kind != TOKEN_STRING && strlen(text) == t->n &&
         memcmp(t->at, text, t->n) == 0 && t->n;
}

const char *kernel_parser_find_word(const token *t, const char *const *list) {
  while (*list && !kernel_parser_is(t, *list)) list++;
  return *list;
}

bool kernel_parser_accept(kernel_parser *k, const char *text) {
  if (!kernel_parser_is(kernel_parser_next(k), text)) return false;
  k->p++;
  return true;
}

void kernel_parser_expect(kernel_parser *k, const char *text) {
  if (!kernel_parser_accept(k, text))
    kernel_parser_fail(k, "a syntax that Inductor does not write");
}

const char *kernel_parser_copy(kernel_parser *k, const token *t) {
  return arena_strndup(k->a, t->at, t->n);
}

void kernel_parser_skip_brackets(kernel_parser *k) {
  int depth = 0;
  bool angle = kernel_parser_is(kernel_parser_next(k), "<");
  do {
    const token *t = kernel_parser_next(k);
    if (t->kind == TOKEN_END || (angle && kernel_parser_is(t, ";"))) {
      kernel_parser_fail(k, "a bracket that is not closed");
      return;
    }
    if (t->kind == TOKEN_OPERATOR && t->n == 1) {
      if (strchr("([{", *t->at) || (angle && *t->at == '<')) depth++;
      if (strchr(")]}", *t->at) || (angle && *t->at == '>')) depth--;
    }
    k->p++;
  } while (depth > 0);
}

/* ---- names ---------------------------------------------------------------------------------- */

static size_t find_name(kernel_parser *k, const char *name) {
  size_t i = string_map_index(k->names, name);
  if (i != STRING_MAP_NONE) return i;
  i = k->current.n;
  string_map_put_index(k->names, name, i);
  *arena_push(k->a, &k->current) = -1;
  return i;
}

size_t kernel_parser_open_scope(kernel_parser *k) { return k->nshadowed; }

void kernel_parser_close_scope(kernel_parser *k, size_t scope) {
  while (k->nshadowed > scope) {
    const struct shadowed *s = &k->shadowed[--k->nshadowed];
    k->current.at[s->name] = s->variable;
  }
}

int kernel_parser_declare(kernel_parser *k, const char *name, int param) {
  size_t i = find_name(k, name);
  arena_grow_(k->a, (void **)&k->shadowed, k->nshadowed, &k->shadowed_room, sizeof *k->shadowed);
  k->shadowed[k->nshadowed++] = (struct shadowed){i, k->current.at[i]};
  k->current.at[i] = (int)k->tree->variables.n;
  *arena_push(k->a, &k->tree->variables) = (tree_variable){.name = name, .param = param};
  return k->current.at[i];
}

int kernel_parser_find(kernel_parser *k, const char *name) {
  size_t i = string_map_index(k->names, name);
  return i == STRING_MAP_NONE ? -1 : k->current.at[i];
}

/* ---- nodes ---------------------------------------------------------------------------------- */

tree_expr *kernel_parser_node(kernel_parser *k, enum tree_kind kind, const char *text) {
  if (++k->nodes > KERNEL_TREE_NODES)
    kernel_parser_fail(k, "more expressions than Inductor writes");
  tree_expr *e = arena_alloc(k->a, sizeof *e);
  *e = (tree_expr){.kind = kind, .text = text, .variable = -1};
  return e;
}

void kernel_parser_add(kernel_parser *k, tree_expr *e, tree_expr *child) {
  if (e->last)
    e->last->next = child;
  else
    e->first = child;
  e->last = child;
  if (child->depth >= e->depth) e->depth = child->depth + 1;
  if (e->depth > k->deepest) k->deepest = e->depth;
  if (e->depth > KERNEL_TREE_DEPTH) kernel_parser_fail(k, "an expression that is nested too deep");
}

tree_expr *kernel_parser_wrap(kernel_parser *k, enum tree_kind kind, const char *text,
                              tree_expr *e) {
  tree_expr *x = kernel_parser_node(k, kind, text);
  kernel_parser_add(k, x, e);
  return x;
}

void kernel_parser_nest(kernel_parser *k) {
  if (++k->depth > KERNEL_TREE_NESTING)
    kernel_parser_fail(k, "an expression that is nested too deep");
}

tree_statement *kernel_parser_statement(kernel_parser *k, tree_block *b, enum statement_kind kind) {
  tree_statement *s = arena_alloc(k->a, sizeof *s);
  *s = (tree_statement){.kind = kind, .line = k->line};
  if (b->last)
    b->last->next = s;
  else
    b->first = s;
  b->last = s;
  return s;
}

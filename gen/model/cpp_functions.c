/* cpp_functions.c - see cpp_functions.h. Knows "name(...) {", and skips definitions in the body of
 * another function. */
#include "model/cpp_functions.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b) {
  const cpp_function *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : (x->body.begin > y->body.begin) - (x->body.begin < y->body.begin);
}

/* Limits that no file of torch's reaches. Beyond them, only the innermost nested definitions are
 * followed, and the first functions kept. */
enum { NESTING = 32, FUNCTIONS_MAX = 200000 };

/* A function whose parameters or body are open. */
typedef struct definition {
  size_t depth; /* the number of brackets outside of it */
  bool in_body;
  size_t offset, end; /* its name */
  size_t line;        /* the offset of the line of its name */
  size_t body;
  size_t before; /* the number of functions that were found before it */
} definition;

typedef struct reader {
  cpp_functions *d;
  const char *text;
  size_t n;
  arena *a;
  size_t depth, line, line_at; /* line: the offset of the line that line_at is in */
  definition open[NESTING];
  size_t nopen;
} reader;

static void find_line(reader *r, size_t at) {
  const char *newline = memrchr(r->text + r->line_at, '\n', at - r->line_at);
  if (newline) r->line = (size_t)(newline - r->text) + 1;
  r->line_at = at;
}

static void add_function(reader *r, const definition *x, size_t end) {
  r->d->list.n = x->before; /* functions within its body do not count */
  if (r->d->list.n == FUNCTIONS_MAX) return;
  *arena_push(r->a, &r->d->list) =
      (cpp_function){.name = arena_strndup(r->a, r->text + x->offset, x->end - x->offset),
                     .lines = {x->line, end + 1},
                     .offset = x->offset,
                     .body = {x->body, end}};
}

/* Handles a closing bracket at `at`. */
static void close_bracket(reader *r, size_t at) {
  if (r->depth) r->depth--;
  while (r->nopen && r->open[r->nopen - 1].depth > r->depth) r->nopen--;
  definition *x = r->nopen ? &r->open[r->nopen - 1] : NULL;
  if (!x || x->depth != r->depth) return;
  if (x->in_body) {
    add_function(r, x, at);
    r->nopen--;
    return;
  }
  x->body = lex_skip_space(r->text, at + 1, r->n);
  x->in_body = x->body < r->n && r->text[x->body] == '{';
  if (!x->in_body) r->nopen--;
}

/* Opens a definition with the name [at, end), where parameters may follow. */
static void open_definition(reader *r, size_t at, size_t end) {
  size_t open = lex_skip_space(r->text, end, r->n);
  if (open >= r->n || r->text[open] != '(') return;
  if (r->nopen == NESTING) memmove(r->open, r->open + 1, --r->nopen * sizeof *r->open);
  r->open[r->nopen++] = (definition){
      .depth = r->depth, .offset = at, .end = end, .line = r->line, .before = r->d->list.n};
}

void cpp_functions_read(cpp_functions *d, const char *text, size_t n, arena *a) {
  reader r = {.d = d, .text = text, .n = n, .a = a};
  *d = (cpp_functions){.text = text};
  for (size_t at = 0, end; text && at < n; at = end) {
    end = lex_skip_token(text, at, n);
    find_line(&r, at);
    if (lex_is_identifier(text[at]))
      open_definition(&r, at, end);
    else if (text[at] == '(' || text[at] == '[' || text[at] == '{')
      r.depth++;
    else if (text[at] == ')' || text[at] == ']' || text[at] == '}')
      close_bracket(&r, at);
  }
  if (d->list.n) qsort(d->list.at, d->list.n, sizeof *d->list.at, compare_names);
}

const cpp_function *cpp_functions_find(const cpp_functions *d, const char *name) {
  size_t i;
  arena_bound(i, d->list.n, strcmp(d->list.at[i].name, name) < 0);
  return i < d->list.n && strcmp(d->list.at[i].name, name) == 0 ? &d->list.at[i] : NULL;
}

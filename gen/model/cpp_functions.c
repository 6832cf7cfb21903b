/* cpp_functions.c - see cpp_functions.h. Knows "name(...) {", and skips what stands in a body. */
#include "model/cpp_functions.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b) {
  const cpp_function *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : (x->body.begin > y->body.begin) - (x->body.begin < y->body.begin);
}

/* The body of the function whose name ends at `end`; false where nothing is defined there. */
static bool find_body(const char *text, size_t end, size_t n, span *body) {
  size_t open = lex_skip_space(text, end, n);
  if (open >= n || text[open] != '(') return false;
  body->begin = lex_skip_space(text, lex_match(text, open, n) + 1, n);
  if (body->begin >= n || text[body->begin] != '{') return false;
  body->end = lex_match(text, body->begin, n);
  return body->end < n;
}

void cpp_functions_read(cpp_functions *d, const char *text, size_t n, arena *a) {
  *d = (cpp_functions){.text = text};
  size_t end;
  for (size_t at = 0; text && at < n; at = end) {
    end = lex_skip_token(text, at, n);
    cpp_function x = {0};
    if (!lex_is_identifier(text[at]) || !find_body(text, end, n, &x.body)) continue;
    x.name = arena_strndup(a, text + at, end - at);
    size_t line = at;
    while (line > 0 && text[line - 1] != '\n') line--;
    x.lines = (span){line, x.body.end + 1};
    *arena_push(a, &d->list) = x;
    end = x.body.end + 1;
  }
  if (d->list.n) qsort(d->list.at, d->list.n, sizeof *d->list.at, compare_names);
}

const cpp_function *cpp_functions_find(const cpp_functions *d, const char *name) {
  size_t low = 0, high = d->list.n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(d->list.at[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < d->list.n && strcmp(d->list.at[low].name, name) == 0 ? &d->list.at[low] : NULL;
}

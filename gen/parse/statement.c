/* statement.c - see scan_parts.h. */
#include "parse/scan_parts.h"
#include "parse/lex.h"
#include <string.h>

/* The keyword at `at` that begins a statement, or NULL. */
static const char *find_keyword(const char *source, size_t at, size_t end) {
  static const char *const words[] = {"if",     "for",   "while", "do", "switch",
                                      "return", "throw", "case",  NULL};
  for (const char *const *w = words; *w; w++)
    if (lex_is_word(source, at, end, *w)) return *w;
  return NULL;
}

/* `at` is on `if`, `for` or `while`. */
static size_t skip_condition(const char *source, size_t at, size_t end) {
  size_t open = lex_find(source, at, end, '(');
  size_t close = lex_match(source, open, end);
  return close < end ? close + 1 : end;
}

/* Past a simple statement and its semicolon. */
static size_t skip_statement(const char *source, size_t at, size_t end) {
  size_t semicolon = lex_find(source, at, end, ';');
  return semicolon < end ? semicolon + 1 : end;
}

/* AOTI_TORCH_ERROR_CODE_CHECK(...) and the like */
static bool is_check(const char *source, size_t at) {
  size_t n = lex_measure_word(source + at, SIZE_MAX);
  return n > 6 && memcmp(source + at + n - 6, "_CHECK", 6) == 0;
}

void statement_locate(fact_call *c, const char *source, size_t begin, size_t end) {
  const char *word;
  while ((word = find_keyword(source, begin, end))) {
    bool controls = strcmp(word, "if") == 0 || strcmp(word, "for") == 0 ||
                    strcmp(word, "while") == 0;
    size_t body = controls ? skip_condition(source, begin, end) : end;
    if (strcmp(word, "do") == 0) body = begin + 2;
    if (body > c->offset) {
      c->skipped = strcmp(word, "return") == 0 ? "stands in a return statement"
                   : controls                  ? "stands in a condition"
                              : "stands in a statement that takes no line after it";
      c->statement = (span){begin, skip_statement(source, begin, end)};
      return;
    }
    begin = lex_skip_space(source, body, end);
    c->braces = true;
    size_t then = skip_statement(source, begin, end);
    size_t otherwise = lex_skip_space(source, then, end);
    if (then <= c->offset && lex_is_word(source, otherwise, end, "else"))
      begin = lex_skip_space(source, otherwise + 4, end);
  }
  c->statement = (span){begin, skip_statement(source, begin, end)};
  c->checked = is_check(source, begin);
  if (c->statement.begin > c->offset || c->statement.end <= c->offset)
    c->skipped = "its statement could not be found";
}

/* pch_headers.c - see pch_headers.h. */
#include "parse/pch_headers.h"
#include "command/includes.h"
#include "parse/lex.h"
#include <string.h>

/* The offset of the first line that begins a definition, or n. */
static size_t find_definition(const char *text, size_t n) {
  static const char *const begins[] = {"namespace", "extern", "class"};
  for (size_t at = 0; at < n;) {
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
      if (lex_is_word(text, at, n, begins[i])) return at;
    const char *newline = memchr(text + at, '\n', n - at);
    at = newline ? (size_t)(newline - text) + 1 : n;
  }
  return n;
}

static bool is_torch_header(const char *path, size_t n) {
  static const char *const roots[] = {"torch/", "c10/", "ATen/"};
  for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
    if (n > strlen(roots[i]) && !memcmp(path, roots[i], strlen(roots[i]))) return true;
  return false;
}

strbuf pch_headers_list(const char *text, size_t n) {
  strbuf t = {0};
  includes_scan s = {.text = text, .n = find_definition(text, n)};
  for (directive d; includes_next(&s, &d);) {
    if (includes_is_named(&s, &d, "define") || includes_is_named(&s, &d, "undef")) break;
    if (d.closed && d.quote == '<' && is_torch_header(text + d.path, d.path_n)) {
      strbuf_puts(&t, "#include <");
      strbuf_add(&t, text + d.path, d.path_n);
      strbuf_puts(&t, ">\n");
    }
  }
  return t;
}

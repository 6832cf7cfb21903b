/* literal.c - see literal.h. */
#include "model/literal.h"
#include "parse/lex.h"

/* R"delimiter(text)delimiter" */
static const char *read_raw(const char *source, size_t at, size_t past, arena *a) {
  size_t open = at + 2;
  while (open < past && source[open] != '(') open++;
  size_t delimiter = open - at - 2, tail = delimiter + 2;
  if (past <= open + 1 + tail) return "";
  return arena_strndup(a, source + open + 1, past - tail - open - 1);
}

static char read_escape(char c) {
  if (c == 'n') return '\n';
  return c == 't' ? '\t' : c;
}

static const char *read_plain(const char *source, size_t at, size_t past, arena *a) {
  char *out = arena_alloc(a, past - at + 1), *to = out;
  for (size_t p = at + 1; p + 1 < past; p++) {
    bool escape = source[p] == '\\' && p + 2 < past;
    if (escape) p++;
    *to++ = escape ? read_escape(source[p]) : source[p];
  }
  return out;
}

const char *literal_read(const char *source, size_t at, size_t end, size_t *past, arena *a) {
  if (at >= end ||
      (source[at] != '"' && !(source[at] == 'R' && at + 1 < end && source[at + 1] == '"')))
    return NULL;
  *past = lex_skip_token(source, at, end);
  return source[at] == 'R' ? read_raw(source, at, *past, a) : read_plain(source, at, *past, a);
}

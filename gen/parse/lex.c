/* lex.c - see lex.h. */
#include "parse/lex.h"
#include <ctype.h>
#include <string.h>

bool lex_is_identifier(int c) { return isalnum((unsigned char)c) || c == '_'; }

size_t lex_measure_word(const char *text, size_t n) {
  size_t k = 0;
  while (k < n && lex_is_identifier(text[k])) k++;
  return k;
}

/* A backslash at the end of a line continues the comment in the next. */
static size_t skip_line_comment(const char *text, size_t at, size_t end) {
  for (const char *nl; (nl = memchr(text + at, '\n', end - at)); at = (size_t)(nl - text) + 1)
    if (nl[-1] != '\\' && (nl[-1] != '\r' || nl[-2] != '\\')) return (size_t)(nl - text);
  return end;
}

static size_t skip_block_comment(const char *text, size_t at, size_t end) {
  for (at += 2; at + 1 < end; at++)
    if (text[at] == '*' && text[at + 1] == '/') return at + 2;
  return end;
}

static bool is_comment(const char *text, size_t at, size_t end) {
  return at + 1 < end && text[at] == '/' && (text[at + 1] == '/' || text[at + 1] == '*');
}

static size_t skip_comment(const char *text, size_t at, size_t end) {
  return text[at + 1] == '/' ? skip_line_comment(text, at, end) : skip_block_comment(text, at, end);
}

size_t lex_skip_space(const char *text, size_t at, size_t end) {
  while (at < end) {
    if (isspace((unsigned char)text[at]))
      at++;
    else if (is_comment(text, at, end))
      at = skip_comment(text, at, end);
    else
      break;
  }
  return at;
}

static size_t skip_quoted(const char *text, size_t at, size_t end, char quote) {
  for (at++; at < end && text[at] != quote && text[at] != '\n'; at++)
    if (text[at] == '\\') at++;
  return at < end ? at + 1 : end;
}

/* `at` is on the quote of R"delimiter( ... )delimiter". */
static size_t skip_raw(const char *text, size_t at, size_t end) {
  size_t open = at + 1;
  while (open < end && text[open] != '(' && open - at <= 17) open++;
  if (open >= end || text[open] != '(') return skip_quoted(text, at, end, '"');
  size_t n = open - at - 1;
  for (size_t p = open + 1; p + n + 1 < end; p++)
    if (text[p] == ')' && text[p + n + 1] == '"' && memcmp(text + p + 1, text + at + 1, n) == 0)
      return p + n + 2;
  return end;
}

/* A number as the preprocessor sees it: "1'000", "0x1p-3", "1.R". */
static size_t skip_number(const char *text, size_t at, size_t end) {
  while (at < end) {
    bool more = at + 1 < end;
    if (more && strchr("eEpP", text[at]) && (text[at + 1] == '+' || text[at + 1] == '-'))
      at += 2;
    else if (lex_is_identifier(text[at]) || text[at] == '.')
      at++;
    else if (more && text[at] == '\'' && lex_is_identifier(text[at + 1]))
      at += 2;
    else
      break;
  }
  return at;
}

/* True if the word [at, end) makes the quote after it a raw string. It does not if it ends a longer
 * identifier. */
static bool is_raw(const char *text, size_t at, size_t end) {
  static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
  unsigned char before = at ? (unsigned char)text[at - 1] : 0;
  if (before >= 0x80 || before == '$' || before == '"' || before == '\'') return false;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strlen(prefixes[i]) == end - at && !memcmp(text + at, prefixes[i], end - at)) return true;
  return false;
}

size_t lex_skip_token(const char *text, size_t at, size_t end) {
  if (at >= end) return end;
  if (is_comment(text, at, end)) return skip_comment(text, at, end);
  char c = text[at];
  if (c == '"') return skip_quoted(text, at, end, '"');
  if (c == '\'') return skip_quoted(text, at, end, '\'');
  if (!lex_is_identifier(c)) return at + 1;
  if (isdigit((unsigned char)c)) return skip_number(text, at, end);
  size_t p = at;
  while (p < end && lex_is_identifier(text[p])) p++;
  return p < end && text[p] == '"' && is_raw(text, at, p) ? skip_raw(text, p, end) : p;
}

size_t lex_match(const char *text, size_t at, size_t end) {
  size_t depth = 0;
  while (at < end) {
    char c = text[at];
    if (c == '(' || c == '[' || c == '{') depth++;
    if ((c == ')' || c == ']' || c == '}') && --depth == 0) return at;
    at = lex_skip_token(text, at, end);
  }
  return end;
}

size_t lex_find(const char *text, size_t at, size_t end, char c) {
  while (at < end) {
    if (text[at] == c && !is_comment(text, at, end)) return at;
    if (text[at] == '(' || text[at] == '[' || text[at] == '{') {
      at = lex_match(text, at, end);
      if (at < end) at++;
    } else {
      at = lex_skip_token(text, at, end);
    }
  }
  return end;
}

bool lex_is_word(const char *text, size_t at, size_t end, const char *word) {
  size_t n = strlen(word);
  return at + n <= end && memcmp(text + at, word, n) == 0 &&
         (at + n == end || !lex_is_identifier(text[at + n]));
}

size_t lex_find_word(const char *text, size_t at, size_t end, const char *word) {
  while (at < end) {
    if (lex_is_word(text, at, end, word)) return at;
    at = lex_skip_token(text, at, end);
  }
  return end;
}

/* ---- string literals */

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

const char *lex_read_literal(const char *source, size_t at, size_t end, size_t *past, arena *a) {
  if (at >= end ||
      (source[at] != '"' && !(source[at] == 'R' && at + 1 < end && source[at + 1] == '"')))
    return NULL;
  *past = lex_skip_token(source, at, end);
  return source[at] == 'R' ? read_raw(source, at, *past, a) : read_plain(source, at, *past, a);
}

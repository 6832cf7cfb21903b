/* words.c - see words.h. Knows the syntax of a command line; not what a flag means. */
#include "command/shell_words.h"
#include <string.h>

typedef struct splitter {
  const char *at;
  size_t n;
  char *out; /* the word being built: never longer than the text it stands in */
  size_t nout;
  const char *file;
  unsigned line, column;
  diags *d;
} splitter;

static bool refuse(const splitter *s, size_t at, const char *what) {
  diag_error(s->d, STATUS_INPUT, s->file, s->line, s->column + (unsigned)at,
             "the recorded command %s: it is not taken over", what);
  return false;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* What a shell would act on; the reason, or NULL. */
static const char *shell_character(char c, bool in_quotes) {
  if ((unsigned char)c < 0x20 || c == 0x7f) return c == '\t' ? NULL : "holds a control character";
  if (c == '`' || c == '$') return "asks a shell for a substitution";
  if (!in_quotes && memchr(";|&<>()", c, 7)) return "asks for a shell";
  return NULL;
}

/* `*i` is on the opening quote; left behind the closing one. */
static bool quoted(splitter *s, size_t *i) {
  size_t start = *i;
  char quote = s->at[(*i)++];
  for (; *i < s->n && s->at[*i] != quote; (*i)++) {
    char c = s->at[*i];
    const char *why =
        quote == '"' || (unsigned char)c < 0x20 || c == 0x7f ? shell_character(c, true) : NULL;
    if (why) return refuse(s, *i, why);
    if (quote == '"' && c == '\\' && *i + 1 < s->n && strchr("\"\\", s->at[*i + 1]))
      c = s->at[++*i];
    s->out[s->nout++] = c;
  }
  if (*i >= s->n) return refuse(s, start, "has a quote that does not close");
  (*i)++;
  return true;
}

static bool one_word(splitter *s, size_t *i) {
  while (*i < s->n && !is_blank(s->at[*i])) {
    char c = s->at[*i];
    if (c == '\'' || c == '"') {
      if (!quoted(s, i)) return false;
      continue;
    }
    if (c == '\\') {
      if (*i + 1 >= s->n) return refuse(s, *i, "ends in a backslash");
      c = s->at[++*i];
      if ((unsigned char)c < 0x20 || c == 0x7f) return refuse(s, *i, "holds a control character");
    } else if (shell_character(c, false)) {
      return refuse(s, *i, shell_character(c, false));
    }
    s->out[s->nout++] = c;
    (*i)++;
  }
  return true;
}

bool words_split(words *w, const char *at, size_t n, const char *file, unsigned line,
                 unsigned column, arena *a, diags *d) {
  /* one allocation holds every word: the bytes are at most those of the text, and each word is
   * followed by a blank or the end */
  splitter s = {at, n, arena_alloc(a, n + 1), 0, file, line, column, d};
  for (size_t i = 0; i < n;) {
    if (is_blank(at[i])) {
      i++;
      continue;
    }
    size_t start = s.nout, first = i;
    if (!one_word(&s, &i)) return false;
    s.out[s.nout++] = '\0';
    *arena_push(a, w) = (word){s.out + start, column + (unsigned)first};
  }
  return true;
}

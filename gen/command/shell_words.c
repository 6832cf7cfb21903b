/* shell_words.c - see shell_words.h. */
#include "command/shell_words.h"
#include <string.h>

typedef struct splitter {
  const shell_text *text;
  char *out; /* the words so far, each with its NUL */
  size_t nout;
  diags *d;
} splitter;

static bool refuse_text(const splitter *s, size_t at, const char *what) {
  diag_error_at(s->d, STATUS_INPUT, s->text->file, s->text->line, s->text->column + (unsigned)at,
                "the recorded command %s: it is not taken over", what);
  return false;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* The reason why a shell would act on this character, or NULL. */
static const char *refuse_character(char c, bool in_quotes) {
  if ((unsigned char)c < 0x20 || c == 0x7f) return c == '\t' ? NULL : "holds a control character";
  if (c == '`' || c == '$') return "asks a shell for a substitution";
  if (!in_quotes && memchr(";|&<>()", c, 7)) return "asks for a shell";
  return NULL;
}

/* `*i` is on an opening quote; moves it past the closing one. */
static bool read_quoted(splitter *s, size_t *i) {
  size_t start = *i;
  char quote = s->text->at[(*i)++];
  for (; *i < s->text->n && s->text->at[*i] != quote; (*i)++) {
    char c = s->text->at[*i];
    const char *why =
        quote == '"' || (unsigned char)c < 0x20 || c == 0x7f ? refuse_character(c, true) : NULL;
    if (why) return refuse_text(s, *i, why);
    if (quote == '"' && c == '\\' && *i + 1 < s->text->n && strchr("\"\\", s->text->at[*i + 1]))
      c = s->text->at[++*i];
    s->out[s->nout++] = c;
  }
  if (*i >= s->text->n) return refuse_text(s, start, "has a quote that does not close");
  (*i)++;
  return true;
}

static bool read_word(splitter *s, size_t *i) {
  while (*i < s->text->n && !is_blank(s->text->at[*i])) {
    char c = s->text->at[*i];
    if (c == '\'' || c == '"') {
      if (!read_quoted(s, i)) return false;
      continue;
    }
    if (c == '\\') {
      if (*i + 1 >= s->text->n) return refuse_text(s, *i, "ends in a backslash");
      c = s->text->at[++*i];
      if ((unsigned char)c < 0x20 || c == 0x7f)
        return refuse_text(s, *i, "holds a control character");
    } else if (refuse_character(c, false)) {
      return refuse_text(s, *i, refuse_character(c, false));
    }
    s->out[s->nout++] = c;
    (*i)++;
  }
  return true;
}

bool shell_words_split(shell_words *w, const shell_text *text, arena *a, diags *d) {
  /* room for all words: each is no longer than its text, and a blank or the end follows it */
  splitter s = {text, arena_alloc(a, text->n + 1), 0, d};
  for (size_t i = 0; i < text->n;) {
    if (is_blank(text->at[i])) {
      i++;
      continue;
    }
    size_t start = s.nout, first = i;
    if (!read_word(&s, &i)) return false;
    s.out[s.nout++] = '\0';
    *arena_push(a, w) = (shell_word){s.out + start, text->column + (unsigned)first};
  }
  return true;
}

/* screen.c - see screen.h. */
#include "run/screen.h"
#include "base/shown.h"
#include <limits.h>
#include <string.h>

enum { LABEL = 16, TEXT_LINES = 4 };

/* ---- what is said */

void screen_add(screen *s, enum screen_kind kind, const char *label, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = shown_text(arena_vprintf(s->a, format, args), s->a);
  *arena_push(s->a, &s->parts) = (screen_part){kind, label, text, s->spare, s->alarms};
  va_end(args);
}

/* ---- lines */

/* True for a byte that begins a character of UTF-8. */
static bool begins(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

/* The bytes of a line of at most `columns` characters: up to a blank, if there is one. */
static size_t measure_line(const char *text, size_t columns) {
  size_t n = 0, blank = 0, k = 0;
  for (; text[n]; n++) {
    if (begins(text[n]) && k++ == columns) return blank ? blank : n;
    if (text[n] == ' ') blank = n;
  }
  return n;
}

/* The same for a line that ends a cut text: a name is cut if most of it would be left out. */
static size_t measure_last(const char *text, size_t columns) {
  size_t n = 0, whole = measure_line(text, columns);
  for (size_t k = 0; text[n] && (!begins(text[n]) || k++ < columns);) n++;
  return whole < n / 2 ? n : whole;
}

/* A line of the screen. */
typedef struct screen_row {
  const char *text;
  enum screen_tone tone;
} screen_row;

typedef arena_list(screen_row) screen_rows;

/* The lines that a reader looks for first: what happened, where in the model, and the step that
 * made a value bad. A model's line that is one of several, or guessed, is not called out. */
static enum screen_tone find_tone(const screen_part *p) {
  if (strstr(p->text, "<- here")) return SCREEN_ALARM;
  if (!strcmp(p->label, "what")) return p->alarms ? SCREEN_ALARM : SCREEN_STRONG;
  const bool decided = !strcmp(p->label, "model line") && strncmp(p->text, "candidate ", 10) &&
                       !strstr(p->text, "(guessed)");
  return decided ? SCREEN_STRONG : SCREEN_PLAIN;
}

static void wrap_text(screen_rows *to, const screen_part *p, int most, arena *a) {
  const char *text = p->text;
  for (int i = 0; i < most && (*text || !i); i++) {
    bool last = i == most - 1;
    size_t room = SCREEN_COLUMNS - LABEL, n = measure_line(text, room);
    const char *end = text[n] && last ? " ..." : "";
    if (*end) n = measure_last(text, room - strlen(end));
    *arena_push(a, to) = (screen_row){
        arena_printf(a, "  %-13s %.*s%s", i ? "" : p->label, (int)n, text, end), find_tone(p)};
    text += n;
    text += strspn(text, " ");
  }
}

/* The bytes of a line of a command: up to a blank outside of quotes, so that a word is never cut,
 * however long it is. */
static size_t measure_words(const char *text, size_t columns) {
  size_t n = 0, blank = 0, k = 0;
  bool quoted = false, escapes = true; /* escapes: a backslash quotes the next character */
  for (; text[n]; n++) {
    if (begins(text[n]) && k++ >= columns && blank) return blank;
    if (escapes && text[n] == '\\' && text[n + 1]) {
      n++;
      k++;
      continue;
    }
    if (text[n] == '\'') {
      quoted = !quoted;
      escapes = !quoted || (n && text[n - 1] == '$');
    }
    if (text[n] == ' ' && !quoted) blank = n;
  }
  return n;
}

static void wrap_command(screen_rows *to, const screen_part *p, arena *a) {
  static const char more[] = " \\";
  const size_t room = SCREEN_COLUMNS - LABEL;
  for (const char *text = p->text; *text;) {
    size_t n = measure_words(text, room);
    if (text[n]) n = measure_words(text, room - (sizeof more - 1));
    *arena_push(a, to) = (screen_row){
        .text = arena_printf(a, "  %-13s %.*s%s", "", (int)n, text, text[n] ? more : "")};
    text += n;
    text += strspn(text, " ");
  }
}

static void wrap_head(screen_rows *to, const screen_part *p, arena *a) {
  size_t n = measure_line(p->text, SCREEN_COLUMNS);
  const char *end = p->text[n] ? " ..." : "";
  if (*end) n = measure_line(p->text, SCREEN_COLUMNS - strlen(end));
  *arena_push(a, to) = (screen_row){.text = arena_printf(a, "%.*s%s", (int)n, p->text, end)};
}

/* ---- the screen */

typedef struct page {
  screen_rows lines;
  size_t texts_end; /* the line behind the last text that may be cut */
} page;

/* Prints the first `texts` of the texts, each with at most so many lines, and everything else. */
static page wrap(const screen *s, int most, size_t texts, bool spare) {
  page p = {0};
  for (size_t i = 0; i < s->parts.n; i++) {
    const screen_part *x = &s->parts.at[i];
    if (x->spare && !spare) continue;
    switch (x->kind) {
      case SCREEN_HEAD: wrap_head(&p.lines, x, s->a); break;
      case SCREEN_LINE: wrap_text(&p.lines, x, 1, s->a); break;
      case SCREEN_WHOLE: wrap_text(&p.lines, x, INT_MAX, s->a); break;
      case SCREEN_COMMAND: wrap_command(&p.lines, x, s->a); break;
      case SCREEN_PATH:
      case SCREEN_TEXT:
        if (!texts) break;
        texts--;
        if (x->kind == SCREEN_PATH)
          *arena_push(s->a, &p.lines) =
              (screen_row){.text = arena_printf(s->a, "  %-13s %s", x->label, x->text)};
        else
          wrap_text(&p.lines, x, most, s->a);
        p.texts_end = p.lines.n;
    }
  }
  return p;
}

static bool is_text(const screen_part *p) {
  return p->kind == SCREEN_TEXT || p->kind == SCREEN_PATH;
}

static size_t count_texts(const screen *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->parts.n; i++) n += is_text(&s->parts.at[i]);
  return n;
}

/* The label stays plain, as what tells the parts apart. */
static void print_row(const screen_row *row, bool colours, FILE *to) {
  static const char *const tones[] = {[SCREEN_STRONG] = "\033[1m", [SCREEN_ALARM] = "\033[1;31m"};
  const size_t label = strlen(row->text) < LABEL ? 0 : LABEL;
  if (colours && row->tone != SCREEN_PLAIN)
    fprintf(to, "%.*s%s%s\033[0m\n", (int)label, row->text, tones[row->tone], row->text + label);
  else
    fprintf(to, "%s\n", row->text);
}

bool screen_wants_colours(bool terminal, const char *no_color, const char *term) {
  return terminal && !(no_color && *no_color) && term && *term && strcmp(term, "dumb") != 0;
}

void screen_print(const screen *s, bool colours, FILE *to) {
  int most = TEXT_LINES;
  size_t texts = count_texts(s);
  bool spare = true;
  const page whole = wrap(s, most, texts, spare);
  page p = whole;
  while (p.lines.n + (p.lines.n < whole.lines.n) > SCREEN_LINES &&
         (most > 1 || spare || texts > 1)) {
    if (most > 1)
      most--;
    else if (spare)
      spare = false;
    else
      texts--;
    p = wrap(s, most, texts, spare);
  }
  const size_t missing = whole.lines.n - p.lines.n;
  const char *says =
      arena_printf(s->a, "%zu line%s, for this to fit a screen", missing, missing == 1 ? "" : "s");
  for (size_t i = 0; i < p.lines.n; i++) {
    print_row(&p.lines.at[i], colours, to);
    if (missing && i + 1 == p.texts_end) fprintf(to, "  %-13s %s\n", "left out", says);
  }
}

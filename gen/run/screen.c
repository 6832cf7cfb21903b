/* screen.c - see screen.h. */
#include "run/screen.h"
#include "base/shown.h"
#include <string.h>

enum { LABEL = 16, TEXT_LINES = 4 };

/* Where a character of UTF-8 begins. */
static bool begins(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

/* The bytes of a line of at most `columns` characters: up to a blank, where there is one. */
static size_t measure_line(const char *text, size_t columns) {
  size_t n = 0, blank = 0, k = 0;
  for (; text[n]; n++) {
    if (begins(text[n]) && k++ == columns) return blank ? blank : n;
    if (text[n] == ' ') blank = n;
  }
  return n;
}

static void add_text(screen *s, const char *label, const char *text) {
  for (int i = 0; i < TEXT_LINES && (*text || !i); i++) {
    bool last = i == TEXT_LINES - 1;
    size_t room = SCREEN_COLUMNS - LABEL, n = measure_line(text, room);
    const char *end = text[n] && last ? " ..." : "";
    if (*end) n = measure_line(text, room - strlen(end));
    *arena_push(s->a, &s->lines) =
        arena_printf(s->a, "  %-13s %.*s%s", i ? "" : label, (int)n, text, end);
    text += n;
    text += strspn(text, " ");
  }
}

void screen_say(screen *s, const char *label, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add_text(s, label, shown_text(arena_vprintf(s->a, format, args), s->a));
  va_end(args);
}

/* The bytes of a line of a command: up to a blank that no quotes hold, so that a word is never cut,
 * however long it is. */
static size_t measure_words(const char *text, size_t columns) {
  size_t n = 0, blank = 0, k = 0;
  bool quoted = false;
  for (; text[n]; n++) {
    if (begins(text[n]) && k++ >= columns && blank) return blank;
    if (text[n] == '\'') quoted = !quoted;
    if (text[n] == ' ' && !quoted) blank = n;
  }
  return n;
}

void screen_command(screen *s, const char *command) {
  static const char more[] = " \\";
  const size_t room = SCREEN_COLUMNS - LABEL;
  for (const char *text = shown_text(command, s->a); *text;) {
    size_t n = measure_words(text, room);
    if (text[n]) n = measure_words(text, room - (sizeof more - 1));
    *arena_push(s->a, &s->lines) =
        arena_printf(s->a, "  %-13s %.*s%s", "", (int)n, text, text[n] ? more : "");
    text += n;
    text += strspn(text, " ");
  }
}

void screen_head(screen *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = shown_text(arena_vprintf(s->a, format, args), s->a);
  va_end(args);
  size_t n = measure_line(text, SCREEN_COLUMNS);
  const char *end = text[n] ? " ..." : "";
  if (*end) n = measure_line(text, SCREEN_COLUMNS - strlen(end));
  *arena_push(s->a, &s->lines) = arena_printf(s->a, "%.*s%s", (int)n, text, end);
}

void screen_print(const screen *s, FILE *to) {
  for (size_t i = 0; i < s->lines.n && i < SCREEN_LINES; i++) fprintf(to, "%s\n", s->lines.at[i]);
}

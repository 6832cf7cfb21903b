/* screen.h - what a terminal shows of a diagnosis: SCREEN_LINES lines of at most SCREEN_COLUMNS
 * columns, without what a terminal obeys.
 *
 * Where there is more, each text is cut to fewer lines, then what is spare is left out, then the
 * last texts are, and a line tells how many lines are missing. What is said whole, and each
 * command, is never cut: only where these alone are more than a screen there are more lines, and
 * only a path or a word of a command can be longer than a line.
 */
#ifndef GEN_SCREEN_H
#define GEN_SCREEN_H

#include "base/shown.h"
#include <stdio.h>

enum { SCREEN_LINES = 24, SCREEN_COLUMNS = 100 };

/* A head line, which is cut; a text, which is cut to a few lines; one that is cut to a line and
 * never left out; a text of our own, which is never cut; a text that is a place in a file, which
 * stays on a line, however long that is; a command, which a shell can read even if it is wrapped.
 */
enum screen_kind {
  SCREEN_HEAD,
  SCREEN_TEXT,
  SCREEN_LINE,
  SCREEN_WHOLE,
  SCREEN_PATH,
  SCREEN_COMMAND
};

enum screen_tone { SCREEN_PLAIN, SCREEN_STRONG, SCREEN_ALARM };

typedef struct screen_part {
  enum screen_kind kind;
  const char *label, *text;
  bool spare, alarms;
} screen_part;

typedef struct screen {
  arena *a;
  arena_list(screen_part) parts;
  bool spare;  /* lines that are added now are the first to be left out */
  bool alarms; /* something went wrong */
} screen;

/* Adds a text, escaped (shown.h) and wrapped at blanks. The label may be "". */
__attribute__((format(printf, 4, 5))) void screen_add(screen *s, enum screen_kind kind,
                                                      const char *label, const char *format, ...);
#define screen_head(s, ...) screen_add(s, SCREEN_HEAD, "", __VA_ARGS__)
#define screen_say(s, label, ...) screen_add(s, SCREEN_TEXT, label, __VA_ARGS__)
#define screen_line(s, label, ...) screen_add(s, SCREEN_LINE, label, __VA_ARGS__)
#define screen_whole(s, label, ...) screen_add(s, SCREEN_WHOLE, label, __VA_ARGS__)
#define screen_path(s, label, ...) screen_add(s, SCREEN_PATH, label, __VA_ARGS__)
#define screen_command(s, command) screen_add(s, SCREEN_COMMAND, "", "%s", command)

/* The text to print for one that may be NULL. */
static inline const char *or_unknown(const char *text) { return text ? text : "?"; }

/* A kernel's name, cut where it is long. */
static inline const char *kernel_or_unknown(const char *name, arena *a) {
  return name ? shown_name(name, a) : "?";
}

/* True for a terminal that shows colours, unless NO_COLOR, of this value, asks for none. term:
 * TERM's. A variable that is not set is NULL. */
bool screen_wants_colours(bool terminal, const char *no_color, const char *term);

/* colours: what happened, the only line of the model and the step that made a value bad stand
 * out. */
void screen_print(const screen *s, bool colours, FILE *to);

#endif

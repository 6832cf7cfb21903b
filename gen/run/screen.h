/* screen.h - what a terminal shows of a diagnosis: SCREEN_LINES lines of at most SCREEN_COLUMNS
 * columns, without what a terminal obeys.
 *
 * Where there is more, each text is cut to fewer lines, then what is spare is left out, then the
 * last texts are, and a line tells how many lines are missing. What is said whole, and each
 * command, is never cut: only where these alone are more than a screen there are more lines, and
 * only a word of a command can be longer than a line.
 */
#ifndef GEN_SCREEN_H
#define GEN_SCREEN_H

#include "base/arena.h"
#include <stdio.h>

enum { SCREEN_LINES = 24, SCREEN_COLUMNS = 100 };

typedef struct screen_part {
  enum { SCREEN_HEAD, SCREEN_TEXT, SCREEN_WHOLE, SCREEN_COMMAND } kind;
  const char *label, *text;
  bool spare;
} screen_part;

typedef struct screen {
  arena *a;
  struct {
    screen_part *at;
    size_t n, cap;
  } parts;
  bool spare; /* lines that are added now are the first to be left out */
} screen;

/* Adds a labelled text, escaped (shown.h) and wrapped at blanks. The label may be "". A long text
 * is cut to a few lines. */
__attribute__((format(printf, 3, 4))) void screen_say(screen *s, const char *label,
                                                      const char *format, ...);

/* The same for a text of our own, which is never cut. */
__attribute__((format(printf, 3, 4))) void screen_whole(screen *s, const char *label,
                                                        const char *format, ...);

/* The text to print for one that may be NULL. */
static inline const char *or_unknown(const char *text) { return text ? text : "?"; }

/* Adds a command without a label. A shell can read it even if it is wrapped. */
void screen_command(screen *s, const char *command);

/* Adds a head line, which is cut. */
__attribute__((format(printf, 2, 3))) void screen_head(screen *s, const char *format, ...);

void screen_print(const screen *s, FILE *to);

#endif

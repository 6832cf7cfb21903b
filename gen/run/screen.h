/* screen.h - what a terminal shows of a diagnosis: at most SCREEN_LINES lines of at most
 * SCREEN_COLUMNS columns, without what a terminal obeys.
 */
#ifndef GEN_SCREEN_H
#define GEN_SCREEN_H

#include "base/arena.h"
#include <stdio.h>

enum { SCREEN_LINES = 24, SCREEN_COLUMNS = 100 };

typedef struct screen {
  arena *a;
  strings lines;
} screen;

/* Adds a labelled text, escaped (shown.h) and wrapped at blanks; the label may be "". Of a long
 * text no more than a few lines. */
__attribute__((format(printf, 3, 4))) void screen_say(screen *s, const char *label,
                                                      const char *format, ...);

/* What is shown of a text that may be NULL. */
static inline const char *or_unknown(const char *text) { return text ? text : "?"; }

/* Adds a command without a label; a shell reads it also where it is wrapped. */
void screen_command(screen *s, const char *command);

/* Adds a head line, which is cut. */
__attribute__((format(printf, 2, 3))) void screen_head(screen *s, const char *format, ...);

void screen_print(const screen *s, FILE *to);

#endif

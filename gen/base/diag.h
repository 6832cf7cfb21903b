/* diag.h - errors, warnings and notes: collected in the order they are found, printed later.
 *
 * Printed as `FILE:LINE:COL: error: text`: without `:LINE:COL` in the short forms, and with
 * "aotigen" for FILE where it is NULL. A text begins in lower case and ends without a full stop.
 */
#ifndef GEN_DIAG_H
#define GEN_DIAG_H

#include "base/arena.h"
#include "base/record.h"
#include <stdio.h>

/* The exit status that an error asks for; the highest one wins. */
enum status { STATUS_OK = 0, STATUS_INPUT = 1, STATUS_USAGE = 2, STATUS_BUG = 3 };

typedef struct diags diags;

diags *diags_new(arena *a);

/* Strings are copied. A note belongs to the error or warning before it. */
__attribute__((format(printf, 4, 5))) void diag_error(diags *d, enum status status,
                                                      const char *file, const char *format, ...);
__attribute__((format(printf, 3, 4))) void diag_warning(diags *d, const char *file,
                                                        const char *format, ...);
__attribute__((format(printf, 3, 4))) void diag_note(diags *d, const char *file, const char *format,
                                                     ...);

/* With a line and a column, from 1; a column of 0 is not printed. */
__attribute__((format(printf, 6, 7))) void diag_error_at(diags *d, enum status status,
                                                         const char *file, unsigned line,
                                                         unsigned column, const char *format, ...);
__attribute__((format(printf, 5, 6))) void diag_warning_at(diags *d, const char *file,
                                                           unsigned line, unsigned column,
                                                           const char *format, ...);
__attribute__((format(printf, 5, 6))) void diag_note_at(diags *d, const char *file, unsigned line,
                                                        unsigned column, const char *format, ...);

/* Prints what was collected since the last call. At most 20 errors of a run are printed in full;
 * the rest are counted. What is not printable (shown.h) is escaped. `quiet` leaves out
 * warnings and their notes. */
void diags_print(diags *d, FILE *to, bool quiet);
enum status diags_status(const diags *d);

/* Hands on what was collected to another process, which adds it to its own. Any bytes may be read:
 * r->failed where they are of another form, or ask for a status above STATUS_INPUT. */
void diags_put(const diags *d, FILE *to);
void diags_take(diags *d, record *r);

#endif

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

enum diag_kind { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

/* Strings are copied. status: of an error, else STATUS_OK. Line and column are from 1; 0 is not
 * printed. A note belongs to the error or warning before it. */
__attribute__((format(printf, 7, 8))) void diag_add(diags *d, enum diag_kind kind,
                                                    enum status status, const char *file,
                                                    unsigned line, unsigned column,
                                                    const char *format, ...);
#define diag_error_at(d, status, file, line, column, ...)                                          \
  diag_add(d, DIAG_ERROR, status, file, line, column, __VA_ARGS__)
#define diag_warning_at(d, file, line, column, ...)                                                \
  diag_add(d, DIAG_WARNING, STATUS_OK, file, line, column, __VA_ARGS__)

/* Without a place in the file. */
#define diag_error(d, status, file, ...) diag_error_at(d, status, file, 0, 0, __VA_ARGS__)
#define diag_warning(d, file, ...) diag_warning_at(d, file, 0, 0, __VA_ARGS__)
#define diag_note(d, file, ...) diag_add(d, DIAG_NOTE, STATUS_OK, file, 0, 0, __VA_ARGS__)

/* Prints what was collected since the last call. At most 20 errors of a run are printed in full;
 * the rest are counted. What is not printable (shown.h) is escaped. `quiet` leaves out
 * warnings and their notes. */
void diags_print(diags *d, FILE *to, bool quiet);
enum status diags_status(const diags *d);

/* The text of the first error, or NULL. */
const char *diags_first_error(const diags *d);

/* Hands on what was collected to another process, which adds it to its own. Any bytes may be read:
 * r->failed where they are of another form, or ask for a status above STATUS_INPUT. */
void diags_put(const diags *d, FILE *to);
void diags_take(diags *d, record *r);

#endif

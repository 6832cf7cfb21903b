/* diag.h - what went wrong, as data: stages append, main prints.
 *
 * A message is lower case, without a full stop, its subject in single quotes, and says what, where
 * and what to do. Printed as `FILE:LINE:COL: error: text`; LINE and COL are left out where they are
 * 0, FILE where it is NULL (`aotigen: error: text`).
 */
#ifndef GEN_DIAG_H
#define GEN_DIAG_H

#include "base/arena.h"
#include <stdio.h>

/* The exit status that an error asks for; the highest one wins. */
enum status { STATUS_OK = 0, STATUS_INPUT = 1, STATUS_USAGE = 2, STATUS_BUG = 3 };

typedef struct diags diags;

diags *diags_new(arena *a);

__attribute__((format(printf, 6, 7))) void diag_error(diags *d, enum status status,
                                                      const char *file, unsigned line,
                                                      unsigned column, const char *format, ...);
__attribute__((format(printf, 5, 6))) void diag_warning(diags *d, const char *file, unsigned line,
                                                        unsigned column, const char *format, ...);
/* Belongs to the error or warning before it. */
__attribute__((format(printf, 5, 6))) void diag_note(diags *d, const char *file, unsigned line,
                                                     unsigned column, const char *format, ...);

/* Is all of it UTF-8 that a terminal may be shown: no control characters, none that turn the line
 * around. */
bool diag_is_printable(const char *words);

/* Writes every message that was not yet printed, in order; of more than 20 errors the rest is
 * counted. Control characters in a message are escaped. `quiet` leaves warnings and their notes
 * out. */
void diags_print(diags *d, FILE *to, bool quiet);
enum status diags_status(const diags *d);

#endif

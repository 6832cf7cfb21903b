/* confined_parser.h - the rights of a child process that parses a wrapper, or precompiles its
 * headers: it may read the include directories in use, the system's libraries and the cache. It
 * starts no process, and writes at most to one directory.
 */
#ifndef GEN_CONFINED_PARSER_H
#define GEN_CONFINED_PARSER_H

#include "parse/translation_unit.h"

typedef struct confined_parser {
  confine rules;
  process_setting how; /* for process_fork() and process_answer(); points to `rules` */
} confined_parser;

/* Makes the rules for a child of this process. `write` is the directory that it may write to, or
 * NULL. For a trusted wrapper it may read all that the user may. With --confine=off, the limits
 * remain for an untrusted one. False with an error in `d`. */
bool confined_parser_begin(confined_parser *p, const translation_unit_input *in, const char *write,
                           arena *a, diags *d);

void confined_parser_end(confined_parser *p);

#endif

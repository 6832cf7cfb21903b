/* statement.h - the statement that holds a call: where lines can be inserted before and after it.
 */
#ifndef GEN_STATEMENT_H
#define GEN_STATEMENT_H

#include "parse/facts.h"

/* Sets the call's statement, braces, checked and skipped. `begin` is the offset of the innermost
 * statement of a block that holds the call; the search stops at `end`. */
void statement_locate(fact_call *c, const char *source, size_t begin, size_t end);

#endif

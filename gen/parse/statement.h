/* statement.h - the statement that a call stands in, found in the text: where a line can go before
 * and after it. */
#ifndef GEN_STATEMENT_H
#define GEN_STATEMENT_H

#include "parse/facts.h"

/* `begin` is where the innermost statement of a block begins that holds the call; `end` bounds the
 * search. Sets the call's statement, braces, checked and skipped. */
void statement_locate(fact_call *c, const char *source, size_t begin, size_t end);

#endif

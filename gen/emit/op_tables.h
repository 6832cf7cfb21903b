/* op_tables.h - what the package's wrapper.json says of the ops that are called through the proxy
 * executor, as static tables. */
#ifndef GEN_OP_TABLES_H
#define GEN_OP_TABLES_H

#include "base/arena.h"
#include "model/model.h"

/* Adds what wrapper.json says of the op of site `number`. Returns the expression for it, nullptr
 * for nothing. */
const char *op_tables_add(strbuf *to, const site *s, const char *number, arena *a);

#endif

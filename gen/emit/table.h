/* table.h - the parts of the output's static tables: literals, rows, definitions. */
#ifndef GEN_TABLE_H
#define GEN_TABLE_H

#include "base/template.h"
#include "shared/wrapper/aotigen_tables.h"

/* The C name of a constant, for each row of a list of shared/wrapper/aotigen_tables.h. */
#define TABLE_NAME(name, ...) #name,

/* And its value with it. */
#define TABLE_FLAG(name, value, ...) {value, #name},

/* "s" as a C string literal, escaped as reports show it; "nullptr" for NULL. */
const char *table_quote(const char *s, arena *a);

/* Adds a template's text on a line of its own: a row to rows, a definition to the output. */
#define TABLE_ADD(to, name, slots) table_add(to, name, slots, sizeof(slots) / sizeof *(slots))
void table_add(strbuf *to, const char *template_name, const slot *slots, size_t n);

/* The same behind ", ", on the line of the row before. */
#define TABLE_ADD_INLINE(to, name, slots)                                                          \
  table_add_inline(to, name, slots, sizeof(slots) / sizeof *(slots))
void table_add_inline(strbuf *to, const char *template_name, const slot *slots, size_t n);

/* Adds the definition of a table of rows, which it frees. Returns the expression for it: its name,
 * or nullptr if there are no rows. */
const char *table_define(strbuf *to, const char *type, const char *name, strbuf *rows);

#endif

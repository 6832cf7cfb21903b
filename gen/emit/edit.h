/* edit.h - applies edits to a text, whatever they contain. */
#ifndef GEN_EDIT_H
#define GEN_EDIT_H

#include "emit/emit.h"

/* The edited text, NUL-terminated, of `result_n` bytes. `e` is in the order of the text. */
const char *edit_apply(const edits *e, const char *source, size_t n, size_t *result_n, arena *a);

/* --dump=edits. */
void edit_dump(const edits *e, const facts *f, FILE *to);

#endif

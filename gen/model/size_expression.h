/* size_expression.h - a size in an exported program that is an expression of the program's symbols,
 * such as "Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(1))".
 *
 * A stranger's text: a form that is not read gives nothing, and nothing is guessed.
 */
#ifndef GEN_SIZE_EXPRESSION_H
#define GEN_SIZE_EXPRESSION_H

#include "base/arena.h"
#include "base/string_map.h"

/* The size in the form of shared/postfix.h; NULL where the text is not read, or has a symbol that
 * is not among `symbols`. symbols: for each name the code of its value, such as "#0.1". */
const char *size_expression_read(const char *text, const string_map *symbols, arena *a);

#endif

/* lex.h - C++'s lexical grammar, as far as needed to skip comments, strings (raw ones too), numbers
 * and brackets.
 *
 * Every function is linear, not recursive, and reads [at, end) only, except that lex_skip_token()
 * also reads the character before `at`.
 */
#ifndef GEN_LEX_H
#define GEN_LEX_H

#include "base/arena.h"

/* Past white space and comments. */
size_t lex_skip_space(const char *text, size_t at, size_t end);

/* Past one token: an identifier or number, a literal, a comment, or a single character of
 * punctuation. */
size_t lex_skip_token(const char *text, size_t at, size_t end);

/* `at` is on an opening ( [ or {. The position of the bracket that closes it, or `end` if there is
 * none. */
size_t lex_match(const char *text, size_t at, size_t end);

/* The first position of character `c` outside of brackets, strings and comments, or `end`. */
size_t lex_find(const char *text, size_t at, size_t end, char c);

/* The first position of identifier `word` as a separate token, or `end`. Looks inside of
 * brackets. */
size_t lex_find_word(const char *text, size_t at, size_t end, const char *word);

/* True if the identifier at `at` is `word`. */
bool lex_is_word(const char *text, size_t at, size_t end, const char *word);

bool lex_is_identifier(int c);

/* The length of the identifier, or the number, that n bytes begin with; 0 for none. A NUL ends it,
 * so n may be SIZE_MAX. */
size_t lex_measure_word(const char *text, size_t n);

/* The text of the string literal at `at`, a plain one with the escapes that Inductor writes or a
 * raw one, in the arena; NULL where none begins there. `*past` is the offset behind it. */
const char *lex_read_literal(const char *source, size_t at, size_t end, size_t *past, arena *a);

#endif

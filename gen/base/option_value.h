/* option_value.h - the form that the value of an option or an environment variable must have. Looks
 * at the text only, never at files. */
#ifndef GEN_OPTION_VALUE_H
#define GEN_OPTION_VALUE_H

#include <stdbool.h>
#include <stddef.h>

/* No control characters. */
bool option_value_is_text(const char *value);

/* Text, a comma list of patterns. An exclusion without a pattern ("!") is refused, for it would
 * exclude nothing. */
bool option_value_is_filter(const char *value);
#define FILTER_WANTS                                                                               \
  "a comma list of patterns, with a pattern after each '!' (as in '!*mm*'), without control "      \
  "characters"

/* Text, a list of elements: each is K:NAME[INDEX], where K is a number or a filter, and the index
 * has numbers separated by commas; separated by semicolons. */
bool option_value_is_elements(const char *value);

/* "canary,page:buf3+buf7,poison": sets *guard to the sum of enum aotigen_guard, and
 * `buffers` to "buf3+buf7", or to "". */
bool option_value_read_guard(const char *value, unsigned *guard, char *buffers, size_t room);
#define GUARD_WANTS                                                                                \
  "off, canary, page, page-before or page:BUF+BUF..., with poison, ops, inputs and weights "       \
  "behind commas; page:BUF also goes with canary, and inputs and weights with one of these"

/* Not empty, and short enough that names can be made from it. */
bool option_value_is_path(const char *value);
bool option_value_is_absolute(const char *value);

/* A program's name or an absolute path, without arguments. */
bool option_value_is_program(const char *value);

/* Seconds since 1970, up to the end of the year 9999. */
bool option_value_is_date(const char *value);

#endif

/* postfix.h - integers that each launch computes beforehand, as texts of shared/postfix.h. What is
 * already known is computed here. */
#ifndef GEN_KERNEL_POSTFIX_H
#define GEN_KERNEL_POSTFIX_H

#include "base/arena.h"
#include <stdint.h>

enum { POSTFIX_TEXT_MAX = 240 }; /* bytes of one text */

typedef struct postfix {
  enum { POSTFIX_UNKNOWN, POSTFIX_NUMBER, POSTFIX_TEXT } kind;
  int64_t number;
  const char *text;
} postfix;

postfix postfix_number(int64_t n);

/* "12" or "@3 1 -", for a known integer. */
const char *postfix_format(postfix x, arena *a);

/* x OP y, for an operator of the language. Unknown if one of them is, if it has no result, and if
 * the text would be too long. */
postfix postfix_combine(char op, postfix x, postfix y, arena *a);

#endif

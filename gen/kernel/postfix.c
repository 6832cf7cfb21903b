/* postfix.c - see postfix.h. */
#include "kernel/postfix.h"
#include "shared/postfix.h"
#include <string.h>

static const postfix unknown = {0};

postfix postfix_number(int64_t n) { return (postfix){.kind = POSTFIX_NUMBER, .number = n}; }

const char *postfix_format(postfix x, arena *a) {
  return x.kind == POSTFIX_TEXT ? x.text : arena_printf(a, "%lld", (long long)x.number);
}

postfix postfix_combine(char op, postfix x, postfix y, arena *a) {
  bool none = (x.kind == POSTFIX_NUMBER && !x.number) || (y.kind == POSTFIX_NUMBER && !y.number);
  if (op == '&' && none) return postfix_number(0);
  if (x.kind == POSTFIX_UNKNOWN || y.kind == POSTFIX_UNKNOWN) return unknown;
  if (x.kind == POSTFIX_NUMBER && y.kind == POSTFIX_NUMBER) {
    int64_t z;
    return ag_postfix_apply(op, x.number, y.number, &z) ? postfix_number(z) : unknown;
  }
  bool zero = y.kind == POSTFIX_NUMBER && !y.number,
       one = y.kind == POSTFIX_NUMBER && y.number == 1;
  if ((zero && (op == '+' || op == '-')) || (one && strchr("*/&", op))) return x;
  if (x.kind == POSTFIX_NUMBER &&
      ((x.number == 0 && op == '+') || (x.number == 1 && strchr("*&", op))))
    return y;
  if (op == '*' && (zero || none)) return postfix_number(0);
  const char *first = postfix_format(x, a), *second = postfix_format(y, a);
  if (strlen(first) + strlen(second) + 3 > POSTFIX_TEXT_MAX) return unknown;
  return (postfix){.kind = POSTFIX_TEXT, .text = arena_printf(a, "%s %s %c", first, second, op)};
}

/* postfix.c - see postfix.h. */
#include "kernel/postfix.h"
#include <string.h>

static const postfix unknown = {0};

postfix postfix_number(int64_t n) { return (postfix){.is = POSTFIX_NUMBER, .number = n}; }

const char *postfix_format(postfix x, arena *a) {
  return x.is == POSTFIX_TEXT ? x.text : arena_printf(a, "%lld", (long long)x.number);
}

static postfix compute_numbers(char op, int64_t x, int64_t y) {
  int64_t z = 0;
  bool natural = x >= 0 && y > 0;
  switch (op) {
    case '+': return __builtin_add_overflow(x, y, &z) ? unknown : postfix_number(z);
    case '-': return __builtin_sub_overflow(x, y, &z) ? unknown : postfix_number(z);
    case '*': return __builtin_mul_overflow(x, y, &z) ? unknown : postfix_number(z);
    case '/': return natural ? postfix_number(x / y) : unknown;
    case '%': return natural ? postfix_number(x % y) : unknown;
    case '<': return postfix_number(x < y);
    case '>': return postfix_number(x > y);
    case 'l': return postfix_number(x <= y);
    case 'g': return postfix_number(x >= y);
    case '=': return postfix_number(x == y);
    case '!': return postfix_number(x != y);
    case '&': return postfix_number(x & y);
    case '|': return postfix_number(x | y);
    case 'm': return postfix_number(x < y ? x : y);
    case 'M': return postfix_number(x > y ? x : y);
    default: return unknown;
  }
}

postfix postfix_combine(char op, postfix x, postfix y, arena *a) {
  bool none = (x.is == POSTFIX_NUMBER && !x.number) || (y.is == POSTFIX_NUMBER && !y.number);
  if (op == '&' && none) return postfix_number(0);
  if (x.is == POSTFIX_UNKNOWN || y.is == POSTFIX_UNKNOWN) return unknown;
  if (x.is == POSTFIX_NUMBER && y.is == POSTFIX_NUMBER)
    return compute_numbers(op, x.number, y.number);
  bool zero = y.is == POSTFIX_NUMBER && !y.number, one = y.is == POSTFIX_NUMBER && y.number == 1;
  if ((zero && (op == '+' || op == '-')) || (one && strchr("*/&", op))) return x;
  if (x.is == POSTFIX_NUMBER &&
      ((x.number == 0 && op == '+') || (x.number == 1 && strchr("*&", op))))
    return y;
  if (op == '*' && (zero || none)) return postfix_number(0);
  const char *first = postfix_format(x, a), *second = postfix_format(y, a);
  if (strlen(first) + strlen(second) + 3 > POSTFIX_TEXT_MAX) return unknown;
  return (postfix){.is = POSTFIX_TEXT, .text = arena_printf(a, "%s %s %c", first, second, op)};
}

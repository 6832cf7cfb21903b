/* postfix.c - see postfix.h. */
#include "shared/postfix.h"

#include <string.h>

typedef struct stack {
  int64_t at[AG_POSTFIX_STACK];
  int n;
} stack;

bool ag_postfix_apply(char op, int64_t x, int64_t y, int64_t *z) {
  bool natural = x >= 0 && y > 0;
  switch (op) {
    case '+': return !__builtin_add_overflow(x, y, z);
    case '-': return !__builtin_sub_overflow(x, y, z);
    case '*': return !__builtin_mul_overflow(x, y, z);
    case '/': *z = natural ? x / y : 0; return natural;
    case '%': *z = natural ? x % y : 0; return natural;
    case '<': *z = x < y; return true;
    case '>': *z = x > y; return true;
    case 'l': *z = x <= y; return true;
    case 'g': *z = x >= y; return true;
    case '=': *z = x == y; return true;
    case '!': *z = x != y; return true;
    case '&': *z = x & y; return true;
    case '|': *z = x | y; return true;
    case 'm': *z = x < y ? x : y; return true;
    case 'M': *z = x > y ? x : y; return true;
    default: return false;
  }
}

static bool push_number(stack *s, int64_t n) {
  if (s->n >= AG_POSTFIX_STACK) return false;
  s->at[s->n++] = n;
  return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Reads the digits at *p, and advances *p; a number has at most 18. */
static bool take_digits(const char **p, int64_t *n) {
  const char *begin = *p;
  for (*n = 0; is_digit(**p) && *p - begin < 18; ++*p) *n = *n * 10 + (**p - '0');
  return *p > begin && !is_digit(**p);
}

/* Reads the "2.0" in "#2.0". */
static bool take_size(stack *s, const ag_postfix_values *values, const char **p) {
  int64_t argument, dim, n;
  if (!take_digits(p, &argument) || **p != '.') return false;
  ++*p;
  return take_digits(p, &dim) && values->size(values->of, argument, dim, &n) && push_number(s, n);
}

/* Reads the "3" in "@3". */
static bool take_argument(stack *s, const ag_postfix_values *values, const char **p) {
  int64_t argument, n;
  return take_digits(p, &argument) && values->argument(values->of, argument, &n) &&
         push_number(s, n);
}

static bool take_number(stack *s, const char **p) {
  bool negative = **p == '-';
  int64_t n;
  *p += negative;
  return take_digits(p, &n) && push_number(s, negative ? -n : n);
}

/* Evaluates the word at *p, and may advance *p; false if there is no result. */
static bool take_word(stack *s, const ag_postfix_values *values, const char **p) {
  if (is_digit(**p) || (**p == '-' && is_digit((*p)[1]))) return take_number(s, p);
  char op = *(*p)++;
  if (op == '@') return take_argument(s, values, p);
  if (op == '#') return take_size(s, values, p);
  if (op == '?') return s->n > 0 && s->at[--s->n] != 0;
  if (s->n < 2) return false;
  s->n--;
  return ag_postfix_apply(op, s->at[s->n - 1], s->at[s->n], &s->at[s->n - 1]);
}

bool ag_postfix_take(const char **text, const ag_postfix_values *values, int64_t *result) {
  stack s;
  bool any = true;
  const char *p = *text;
  s.n = 0;
  while (*p && *p != ';' && *p != ',' && any) {
    if (*p == ' ')
      p++;
    else
      any = take_word(&s, values, &p);
  }
  p += strcspn(p, ";,");
  *text = *p ? p + 1 : p;
  *result = s.n ? s.at[0] : 0;
  return any && s.n == 1;
}

int64_t ag_postfix_compute(const char *text, const ag_postfix_values *values) {
  int64_t most = 0, result;
  while (*text)
    if (ag_postfix_take(&text, values, &result) && result > most) most = result;
  return most;
}

/* extent.c - see extent.h. */
#include "checks/extent.h"

#include <string.h>

enum { STACK = 32 };

typedef struct stack {
  int64_t at[STACK];
  int n;
} stack;

static bool push_number(stack *s, int64_t n) {
  if (s->n >= STACK) return false;
  s->at[s->n++] = n;
  return true;
}

static bool push_argument(stack *s, const ag_record *r, size_t arg) {
  if (arg >= r->nargs) return false;
  const aotigen_value *v = &r->args[arg].value;
  if (v->is == AOTIGEN_V_INT) return push_number(s, v->v.i);
  return v->is == AOTIGEN_V_UINT && v->v.u <= INT64_MAX && push_number(s, (int64_t)v->v.u);
}

static bool apply_operator(char op, int64_t x, int64_t y, int64_t *z) {
  switch (op) {
    case '+': return !__builtin_add_overflow(x, y, z);
    case '-': return !__builtin_sub_overflow(x, y, z);
    case '*': return !__builtin_mul_overflow(x, y, z);
    case '/': *z = y > 0 ? x / y : 0; return x >= 0 && y > 0;
    case '%': *z = y > 0 ? x % y : 0; return x >= 0 && y > 0;
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

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The digits at *p, which moves past them; at most 18 are a number. */
static bool take_digits(const char **p, int64_t *n) {
  const char *begin = *p;
  for (*n = 0; is_digit(**p) && *p - begin < 18; ++*p) *n = *n * 10 + (**p - '0');
  return *p > begin && !is_digit(**p);
}

/* "2.0" of "#2.0" */
static bool take_size(stack *s, const ag_record *r, const char **p) {
  int64_t arg, dim;
  if (!take_digits(p, &arg) || **p != '.') return false;
  ++*p;
  if (!take_digits(p, &dim) || arg >= (int64_t)r->nargs) return false;
  const ag_view *v = &r->args[arg].view;
  bool described = v->state == AG_VIEW_OK || v->state == AG_VIEW_REFUSED;
  return described && dim < v->t.ndim && push_number(s, v->t.sizes[dim]);
}

/* The word at *p, which moves past it or stays; false where there is no result. */
static bool take_word(stack *s, const ag_record *r, const char **p) {
  bool negative = **p == '-' && is_digit((*p)[1]), argument = **p == '@';
  int64_t n;
  if (negative || argument || is_digit(**p)) {
    *p += negative || argument;
    if (!take_digits(p, &n)) return false;
    return argument ? push_argument(s, r, (size_t)n) : push_number(s, negative ? -n : n);
  }
  char op = *(*p)++;
  if (op == '#') return take_size(s, r, p);
  if (op == '?') return s->n > 0 && s->at[--s->n] != 0;
  if (s->n < 2) return false;
  s->n--;
  return apply_operator(op, s->at[s->n - 1], s->at[s->n], &s->at[s->n - 1]);
}

bool ag_extent_take(const char **text, const ag_record *r, int64_t *result) {
  stack s;
  bool any = true;
  const char *p = *text;
  s.n = 0;
  while (*p && *p != ';' && *p != ',' && any) {
    if (*p == ' ')
      p++;
    else
      any = take_word(&s, r, &p);
  }
  p += strcspn(p, ";,");
  *text = *p ? p + 1 : p;
  *result = s.n ? s.at[0] : 0;
  return any && s.n == 1;
}

int64_t ag_extent_compute(const char *text, const ag_record *r) {
  int64_t most = 0, result;
  while (*text)
    if (ag_extent_take(&text, r, &result) && result > most) most = result;
  return most;
}

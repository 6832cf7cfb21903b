/* index.c - see index.h. */
#include "kernel/index.h"

#include <string.h>

#include "kernel/extent.h"

/* ---- products ------------------------------------------------------------------------------- */

index_product index_number(int64_t n) { return (index_product){.number = n}; }

index_product index_atom(const char *text) {
  return (index_product){.number = 1, .n = 1, .atoms = {text}};
}

bool index_is_same(const index_product *x, const index_product *y) {
  if (x->number != y->number || x->n != y->n) return false;
  for (int i = 0; i < x->n; i++)
    if (strcmp(x->atoms[i], y->atoms[i])) return false;
  return true;
}

bool index_is_number(const index_product *x, int64_t n) { return !x->n && x->number == n; }

static bool insert_atom(index_product *x, const char *atom) {
  int at = x->n;
  if (x->n == INDEX_ATOMS) return false;
  for (; at && strcmp(x->atoms[at - 1], atom) > 0; at--) x->atoms[at] = x->atoms[at - 1];
  x->atoms[at] = atom;
  x->n++;
  return true;
}

bool index_multiply(const index_product *x, const index_product *y, index_product *z) {
  index_product p = *x;
  if (__builtin_mul_overflow(x->number, y->number, &p.number)) return false;
  for (int i = 0; i < y->n; i++)
    if (!insert_atom(&p, y->atoms[i])) return false;
  *z = p.number ? p : index_number(0);
  return true;
}

const char *index_format(const index_product *x, arena *a) {
  const char *text = x->n && x->number == 1 ? x->atoms[0]
                                            : arena_printf(a, "%lld", (long long)x->number);
  for (int i = x->n && x->number == 1; i < x->n; i++)
    text = arena_printf(a, "%s %s *", text, x->atoms[i]);
  return text;
}

/* x / y where y divides x. */
static bool divide_exactly(const index_product *x, const index_product *y, index_product *z) {
  index_product p = {0};
  int k = 0;
  if (y->number <= 0 || x->number % y->number) return false;
  p.number = x->number / y->number;
  for (int i = 0; i < x->n; i++) {
    if (k < y->n && strcmp(x->atoms[i], y->atoms[k]) == 0)
      k++;
    else
      p.atoms[p.n++] = x->atoms[i];
  }
  if (k < y->n) return false;
  *z = p;
  return true;
}

static bool combine_as_text(char op, const index_product *x, const index_product *y,
                            index_product *z, arena *a) {
  const char *s = index_format(x, a), *t = index_format(y, a);
  if (strlen(s) + strlen(t) + 3 > POSTFIX_TEXT_MAX / 2) return false;
  *z = index_atom(arena_printf(a, "%s %s %c", s, t, op));
  return true;
}

static bool combine_products(char op, const index_product *x, const index_product *y,
                             index_product *z, arena *a) {
  bool numbers = !x->n && !y->n, natural = numbers && x->number >= 0 && y->number > 0;
  if (index_is_number(y, 0) && (op == '+' || op == '-')) {
    *z = *x;
    return true;
  }
  if (index_is_number(x, 0) && op == '+') {
    *z = *y;
    return true;
  }
  *z = index_number(0);
  switch (op) {
    case '*': return index_multiply(x, y, z);
    case '+':
      if (numbers) return !__builtin_add_overflow(x->number, y->number, &z->number);
      return combine_as_text(op, x, y, z, a);
    case '-':
      if (numbers) return !__builtin_sub_overflow(x->number, y->number, &z->number);
      return combine_as_text(op, x, y, z, a);
    case '/':
      if (divide_exactly(x, y, z)) return true;
      if (natural) z->number = x->number / y->number;
      return natural || (!numbers && combine_as_text(op, x, y, z, a));
    case '%':
      if (natural) z->number = x->number % y->number;
      return natural;
    default: return false;
  }
}

/* ---- forms ---------------------------------------------------------------------------------- */

const index_form *index_constant(index_product x, arena *a) {
  index_form *f = arena_alloc(a, sizeof *f);
  f->constant = x;
  f->n = 0;
  return f;
}

const index_product *index_get_constant(const index_form *x) {
  return x && !x->n ? &x->constant : NULL;
}

const index_form *index_loop(int variable, index_product from, index_product to, index_product step,
                             arena *a) {
  index_form *f = arena_alloc(a, sizeof *f);
  f->constant = index_number(0);
  f->n = 1;
  f->terms[0] = (index_term){.loop = variable,
                             .divisor = index_number(1),
                             .from = from,
                             .to = to,
                             .step = step,
                             .factor = index_number(1)};
  return f;
}

/* Does `t` end where `u` begins, or before: parts of one loop's variable that do not overlap. */
static bool is_below(const index_term *t, const index_term *u) {
  index_product end;
  if (!index_multiply(&t->divisor, &t->to, &end)) return false;
  return index_is_same(&end, &u->divisor) ||
         (!end.n && !u->divisor.n && end.number <= u->divisor.number);
}

/* Two parts of one loop's variable are terms of their own where they do not overlap. */
static bool add_term(index_form *f, const index_term *t) {
  for (int i = 0; i < f->n; i++) {
    const index_term *u = &f->terms[i];
    if (u->loop == t->loop && !is_below(u, t) && !is_below(t, u)) return false;
  }
  if (f->n == INDEX_TERMS) return false;
  f->terms[f->n++] = *t;
  return true;
}

static const index_form *add_forms(const index_form *x, const index_form *y, arena *a) {
  index_form *f = arena_alloc(a, sizeof *f);
  *f = *x;
  if (!combine_products('+', &x->constant, &y->constant, &f->constant, a)) return NULL;
  for (int i = 0; i < y->n; i++)
    if (!add_term(f, &y->terms[i])) return NULL;
  return f;
}

static const index_form *scale_form(const index_form *x, const index_product *by, arena *a) {
  index_form *f = arena_alloc(a, sizeof *f);
  *f = *x;
  if (!index_multiply(&x->constant, by, &f->constant)) return NULL;
  for (int i = 0; i < x->n; i++)
    if (!index_multiply(&x->terms[i].factor, by, &f->terms[i].factor)) return NULL;
  return f;
}

/* A loop's variable alone, from 0 on. */
static bool is_plain(const index_form *x) {
  return x->n == 1 && index_is_number(&x->constant, 0) && index_is_number(&x->terms[0].factor, 1) &&
         index_is_number(&x->terms[0].from, 0) && index_is_number(&x->terms[0].step, 1);
}

/* The digits of a loop's variable: x / y and x % y. If both are numbers, y must divide; of others
 * that is assumed. */
static const index_form *cut_form(char op, const index_form *x, const index_product *y, arena *a) {
  index_form *f = arena_alloc(a, sizeof *f);
  index_term *t = f->terms;
  if (!is_plain(x)) return NULL;
  *f = *x;
  bool numbers = !t->to.n && !y->n;
  if (numbers && (y->number <= 0 || (t->to.number > y->number && t->to.number % y->number)))
    return NULL;
  bool less = numbers && t->to.number <= y->number;
  if (op == '%') {
    if (!less) t->to = *y;
    return f;
  }
  if (less) return index_constant(index_number(0), a);
  if (!combine_products('/', &x->terms[0].to, y, &t->to, a)) return NULL;
  return index_multiply(&t->divisor, y, &t->divisor) ? f : NULL;
}

const index_form *index_combine(char op, const index_form *x, const index_form *y, arena *a) {
  index_product z;
  if (!x || !y) return NULL;
  if (!x->n && !y->n)
    return combine_products(op, &x->constant, &y->constant, &z, a) ? index_constant(z, a) : NULL;
  if (op == '+') return add_forms(x, y, a);
  if (op == '*' && !y->n) return scale_form(x, &y->constant, a);
  if (op == '*' && !x->n) return scale_form(y, &x->constant, a);
  if (op == '-' && !y->n && !y->constant.n && y->constant.number > INT64_MIN) {
    index_product minus = index_number(-y->constant.number);
    return add_forms(x, index_constant(minus, a), a);
  }
  return (op == '/' || op == '%') && !y->n ? cut_form(op, x, &y->constant, a) : NULL;
}

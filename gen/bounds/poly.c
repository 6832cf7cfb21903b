/* poly.c - see poly.h. */
#include "bounds/poly.h"
#include <string.h>

enum { PROOF_DEPTH = 3, QUOTIENTS_MAX = 1000 };

/* ---- sums ----------------------------------------------------------------------------------- */

static int compare_terms(const poly_term *x, const poly_term *y) {
  if (x->n != y->n) return x->n < y->n ? -1 : 1;
  for (int i = 0; i < x->n; i++)
    if (x->symbols[i] != y->symbols[i]) return x->symbols[i] < y->symbols[i] ? -1 : 1;
  return 0;
}

static poly *new_poly(symbols *s, int n) {
  poly *x = arena_alloc(s->a, sizeof *x + (size_t)n * sizeof *x->at);
  x->n = n;
  return x;
}

/* Numbers stay below 2^100, so that none of the sums below overflows. */
static bool fits(poly_int n) {
  const poly_int most = (poly_int)1 << 100;
  return n < most && n > -most;
}

const poly *poly_number(symbols *s, int64_t n) {
  poly *x = new_poly(s, n != 0);
  if (n) x->at[0] = (poly_term){.factor = n};
  return x;
}

/* NULL of what has more than 64 bits. */
static const poly *number_of(symbols *s, poly_int n) {
  return n >= INT64_MIN && n <= INT64_MAX ? poly_number(s, (int64_t)n) : NULL;
}

const poly *poly_symbol(symbols *s, int number) {
  if (number < 0) return NULL;
  const symbol *sym = &s->list.at[number];
  if (sym->low == sym->high) return poly_number(s, sym->low);
  poly *x = new_poly(s, 1);
  x->at[0] = (poly_term){.factor = 1, .n = 1, .symbols = {(short)number}};
  return x;
}

/* x + factor * y */
static const poly *add_scaled(symbols *s, const poly *x, const poly *y, poly_int factor) {
  if (!x || !y || x->n + y->n > 2 * POLY_TERMS) return NULL;
  poly_term sum[2 * POLY_TERMS];
  int n = 0;
  for (int i = 0, k = 0; i < x->n || k < y->n;) {
    int order = i == x->n ? 1 : k == y->n ? -1 : compare_terms(&x->at[i], &y->at[k]);
    poly_term t = order <= 0 ? x->at[i] : y->at[k];
    if (order > 0) t.factor *= factor;
    if (order == 0) t.factor += factor * y->at[k].factor;
    i += order <= 0;
    k += order >= 0;
    if (!fits(t.factor)) return NULL;
    if (t.factor) sum[n++] = t;
  }
  if (n > POLY_TERMS) return NULL;
  poly *z = new_poly(s, n);
  memcpy(z->at, sum, (size_t)n * sizeof *sum);
  return z;
}

const poly *poly_add(symbols *s, const poly *x, const poly *y) { return add_scaled(s, x, y, 1); }

const poly *poly_subtract(symbols *s, const poly *x, const poly *y) {
  return add_scaled(s, x, y, -1);
}

const poly *poly_less_one(symbols *s, const poly *x) {
  return poly_subtract(s, x, poly_number(s, 1));
}

static bool multiply_terms(const poly_term *x, const poly_term *y, poly_term *z) {
  if (x->n + y->n > POLY_FACTORS) return false;
  if (__builtin_mul_overflow(x->factor, y->factor, &z->factor) || !fits(z->factor)) return false;
  z->n = 0;
  for (int i = 0, k = 0; i < x->n || k < y->n;) {
    bool first = k == y->n || (i < x->n && x->symbols[i] <= y->symbols[k]);
    z->symbols[z->n++] = first ? x->symbols[i++] : y->symbols[k++];
  }
  return true;
}

const poly *poly_multiply(symbols *s, const poly *x, const poly *y) {
  if (!x || !y) return NULL;
  const poly *sum = poly_number(s, 0);
  for (int i = 0; i < x->n && sum; i++)
    for (int k = 0; k < y->n && sum; k++) {
      poly *one = new_poly(s, 1);
      if (!multiply_terms(&x->at[i], &y->at[k], &one->at[0])) return NULL;
      sum = poly_add(s, sum, one);
    }
  return sum;
}

bool poly_is_number(const poly *x, int64_t *n) {
  if (!x || x->n > 1 || (x->n && x->at[0].n)) return false;
  poly_int value = x->n ? x->at[0].factor : 0;
  if (value > INT64_MAX || value < INT64_MIN) return false;
  *n = (int64_t)value;
  return true;
}

bool poly_is(const poly *x, int64_t n) {
  int64_t value;
  return poly_is_number(x, &value) && value == n;
}

bool poly_is_same(const poly *x, const poly *y) {
  if (!x || !y || x->n != y->n) return false;
  for (int i = 0; i < x->n; i++)
    if (x->at[i].factor != y->at[i].factor || compare_terms(&x->at[i], &y->at[i]) != 0)
      return false;
  return true;
}

/* ---- proofs --------------------------------------------------------------------------------- */

static poly_int floor_divide(poly_int x, poly_int y) {
  poly_int z = x / y;
  return z * y > x ? z - 1 : z;
}

/* The least and the greatest value of a product; false where it may be of any size. */
static bool bound_product(const symbols *s, const poly_term *t, bool greatest, poly_int *z) {
  *z = t->factor;
  bool up = (t->factor > 0) == greatest;
  for (int i = 0; i < t->n; i++) {
    const symbol *sym = &s->list.at[t->symbols[i]];
    if (sym->low < 0 || (up && sym->high == INT64_MAX)) return false;
    if (__builtin_mul_overflow(*z, (poly_int)(up ? sym->high : sym->low), z) || !fits(*z))
      return false;
  }
  return true;
}

static bool bound_sum(const symbols *s, const poly *x, bool greatest, poly_int *z) {
  *z = 0;
  for (int i = 0; i < x->n; i++) {
    poly_int one;
    if (!bound_product(s, &x->at[i], greatest, &one)) return false;
    *z += one;
    if (!fits(*z)) return false;
  }
  return true;
}

/* x with `sym` replaced by y. */
static const poly *substitute(symbols *s, const poly *x, int sym, const poly *y) {
  const poly *sum = poly_number(s, 0);
  for (int i = 0; i < x->n && sum; i++) {
    const poly_term *t = &x->at[i];
    poly *rest = new_poly(s, 1);
    const poly *power = poly_number(s, 1);
    rest->at[0] = (poly_term){.factor = t->factor};
    for (int k = 0; k < t->n; k++) {
      if (t->symbols[k] == sym)
        power = poly_multiply(s, power, y);
      else
        rest->at[0].symbols[rest->at[0].n++] = t->symbols[k];
    }
    sum = poly_add(s, sum, poly_multiply(s, rest, power));
  }
  return sum;
}

/* The symbols of x, each once; at most POLY_TERMS * POLY_FACTORS. */
static int list_symbols(const poly *x, short *list) {
  int n = 0;
  for (int i = 0; i < x->n; i++)
    for (int k = 0; k < x->at[i].n; k++) {
      int m = 0;
      while (m < n && list[m] != x->at[i].symbols[k]) m++;
      if (m == n) list[n++] = x->at[i].symbols[k];
    }
  return n;
}

/* With each symbol counted from its least value no factor is negative. */
static bool is_natural_shifted(symbols *s, const poly *x) {
  short list[POLY_TERMS * POLY_FACTORS];
  int n = list_symbols(x, list);
  for (int i = 0; i < n && x; i++) {
    int64_t low = s->list.at[list[i]].low;
    if (low < 0) return false;
    if (low == 0) continue;
    poly *shifted = new_poly(s, 2);
    shifted->at[0] = (poly_term){.factor = low};
    shifted->at[1] = (poly_term){.factor = 1, .n = 1, .symbols = {list[i]}};
    x = substitute(s, x, list[i], shifted);
  }
  for (int i = 0; x && i < x->n; i++)
    if (x->at[i].factor < 0) return false;
  return x != NULL;
}

static bool prove_natural(symbols *s, const poly *x, int depth);

/* x * by + by - 1, in which by * quotient is replaced by the least or the greatest value that it
 * may have; NULL where the quotient adds to some terms and takes from others. If the result is
 * natural then x is more than -1, and so natural. */
static const poly *replace_quotient(symbols *s, const poly *x, int number) {
  const symbol q = s->list.at[number];
  const poly *with = poly_number(s, 0), *without = with;
  bool adds = false, takes = false;
  for (int i = 0; i < x->n; i++) {
    poly *one = new_poly(s, 1);
    one->at[0] = x->at[i];
    int times = 0;
    for (int k = 0; k < x->at[i].n; k++) times += x->at[i].symbols[k] == number;
    if (times > 1) return NULL;
    if (times)
      with = poly_add(s, with, one);
    else
      without = poly_add(s, without, one);
    adds = adds || (times && x->at[i].factor > 0);
    takes = takes || (times && x->at[i].factor < 0);
  }
  if (!with || !without || (adds && takes)) return NULL;
  const poly *least = poly_add(s, poly_subtract(s, q.of, q.by), poly_number(s, 1));
  const poly *replaced = substitute(s, with, number, adds ? least : q.of);
  const poly *all = poly_add(s, poly_multiply(s, without, q.by), replaced);
  return poly_add(s, all, poly_subtract(s, q.by, poly_number(s, 1)));
}

/* by * quotient lies between of - by + 1 and of. */
static bool prove_by_quotient(symbols *s, const poly *x, int depth) {
  short list[POLY_TERMS * POLY_FACTORS];
  int n = list_symbols(x, list);
  for (int i = 0; i < n; i++) {
    if (s->list.at[list[i]].kind != SYMBOL_QUOTIENT) continue;
    const poly *replaced = replace_quotient(s, x, list[i]);
    if (replaced && prove_natural(s, replaced, depth + 1)) return true;
  }
  return false;
}

/* x divided by what divides the factor of each of its symbols: it is natural where x is. */
static const poly *reduce(symbols *s, const poly *x) {
  poly_int divisor = 0;
  for (int i = 0; i < x->n; i++) {
    poly_int y = x->at[i].n ? x->at[i].factor : 0;
    while (y) {
      poly_int rest = divisor % y;
      divisor = y;
      y = rest;
    }
  }
  if (divisor < 0) divisor = -divisor;
  if (divisor < 2) return x;
  poly *z = new_poly(s, x->n);
  z->n = 0;
  for (int i = 0; i < x->n; i++) {
    poly_term t = x->at[i];
    t.factor = floor_divide(t.factor, divisor);
    if (t.factor) z->at[z->n++] = t;
  }
  return z;
}

static bool prove_natural(symbols *s, const poly *x, int depth) {
  poly_int least;
  x = reduce(s, x);
  if (bound_sum(s, x, false, &least) && least >= 0) return true;
  if (is_natural_shifted(s, x)) return true;
  return depth < PROOF_DEPTH && prove_by_quotient(s, x, depth);
}

bool poly_is_natural(symbols *s, const poly *x) { return x && prove_natural(s, x, 0); }

bool poly_is_positive(symbols *s, const poly *x) {
  return poly_is_natural(s, poly_subtract(s, x, poly_number(s, 1)));
}

bool poly_is_at_most(symbols *s, const poly *x, const poly *y) {
  return poly_is_natural(s, poly_subtract(s, y, x));
}

void poly_bounds(symbols *s, const poly *x, int64_t *low, int64_t *high) {
  poly_int z;
  *low = INT64_MIN;
  *high = INT64_MAX;
  if (x && bound_sum(s, x, false, &z) && z >= INT64_MIN)
    *low = z > INT64_MAX ? INT64_MAX : (int64_t)z;
  if (x && bound_sum(s, x, true, &z) && z <= INT64_MAX)
    *high = z < INT64_MIN ? INT64_MIN : (int64_t)z;
}

/* ---- quotients ------------------------------------------------------------------------------ */

/* t / by where by has one term; false where it does not divide t. */
static bool divide_term(const poly_term *t, const poly_term *by, poly_term *z) {
  if (t->factor % by->factor) return false;
  *z = (poly_term){.factor = t->factor / by->factor};
  int k = 0;
  for (int i = 0; i < t->n; i++) {
    if (k < by->n && by->symbols[k] == t->symbols[i])
      k++;
    else
      z->symbols[z->n++] = t->symbols[i];
  }
  return k == by->n;
}

/* x = quotient * by + rest, as far as the terms are multiples of `by`, which has one term. */
static void split(symbols *s, const poly *x, const poly_term *by, const poly **quotient,
                  const poly **rest) {
  *quotient = *rest = poly_number(s, 0);
  for (int i = 0; i < x->n; i++) {
    poly *one = new_poly(s, 1);
    if (divide_term(&x->at[i], by, &one->at[0])) {
      *quotient = poly_add(s, *quotient, one);
    } else {
      one->at[0] = x->at[i];
      *rest = poly_add(s, *rest, one);
    }
  }
}

/* The highest term of x that is a multiple of `lead`; *z is the quotient. */
static bool find_multiple(const poly *x, const poly_term *lead, poly_term *z) {
  for (int i = x->n; i-- > 0;)
    if (divide_term(&x->at[i], lead, z)) return true;
  return false;
}

/* x = quotient * y + rest, by long division with the highest term of y. */
static void divide_long(symbols *s, const poly *x, const poly *y, const poly **quotient,
                        const poly **rest) {
  *quotient = poly_number(s, 0);
  *rest = x;
  for (int steps = 0; *rest && steps < POLY_TERMS; steps++) {
    poly *one = new_poly(s, 1);
    if (!find_multiple(*rest, &y->at[y->n - 1], &one->at[0])) break;
    *quotient = poly_add(s, *quotient, one);
    *rest = poly_subtract(s, *rest, poly_multiply(s, one, y));
  }
  if (!*quotient) *rest = NULL;
}

const poly *poly_divide_exactly(symbols *s, const poly *x, const poly *y) {
  if (!x || !y || y->n == 0) return NULL;
  if (poly_is_same(x, y)) return poly_number(s, 1);
  const poly *quotient, *rest;
  if (y->n > 1)
    divide_long(s, x, y, &quotient, &rest);
  else
    split(s, x, &y->at[0], &quotient, &rest);
  return rest && rest->n == 0 ? quotient : NULL;
}

static const poly *new_quotient(symbols *s, const poly *x, const poly *y) {
  for (size_t i = 0; i < s->list.n; i++) {
    const symbol *q = &s->list.at[i];
    bool holds = q->kind == SYMBOL_QUOTIENT && (!q->assumption || q->assumption == s->assumption);
    if (holds && poly_is_same(q->of, x) && poly_is_same(q->by, y)) return poly_symbol(s, (int)i);
  }
  int64_t low, high, least, most;
  poly_bounds(s, x, &low, &high);
  poly_bounds(s, y, &least, &most);
  if (low < 0 || least < 1) return NULL;
  symbol q = {.kind = SYMBOL_QUOTIENT,
              .of = x,
              .assumption = s->assumption,
              .by = y,
              .low = most == INT64_MAX ? 0 : low / most,
              .high = high == INT64_MAX ? INT64_MAX : high / least};
  return poly_symbol(s, symbols_add(s, q));
}

/* rest // y: -n // y is -1 - (n - 1) // y. */
static const poly *divide_rest(symbols *s, const poly *rest, const poly *y) {
  const poly *zero = poly_number(s, 0), *less = poly_subtract(s, y, poly_number(s, 1));
  if (poly_is_natural(s, rest))
    return poly_is_at_most(s, rest, less) ? zero : new_quotient(s, rest, y);
  const poly *negative = poly_subtract(s, poly_number(s, -1), rest);
  if (!poly_is_natural(s, negative)) return NULL;
  return poly_subtract(s, poly_number(s, -1), divide_rest(s, negative, y));
}

const poly *poly_divide(symbols *s, const poly *x, const poly *y) {
  int64_t by;
  if (!x || !y || y->n == 0) return NULL;
  if (poly_is_same(x, y)) return poly_number(s, 1);
  const poly *quotient, *rest;
  if (y->n > 1) {
    divide_long(s, x, y, &quotient, &rest);
    const poly *more = rest ? divide_rest(s, rest, y) : NULL;
    return more ? poly_add(s, quotient, more) : divide_rest(s, x, y);
  }
  split(s, x, &y->at[0], &quotient, &rest);
  if (!quotient || !rest) return NULL;
  if (poly_is_number(y, &by) && rest->n && rest->at[0].n == 0) {
    poly_int whole = floor_divide(rest->at[0].factor, by); /* keeps the constant in 0 ... by - 1 */
    quotient = poly_add(s, quotient, number_of(s, whole));
    if (rest->n == 1) return quotient;
    rest = poly_subtract(s, rest, number_of(s, whole * by));
  }
  if (!quotient || !rest) return NULL;
  return rest->n ? poly_add(s, quotient, divide_rest(s, rest, y)) : quotient;
}

const poly *poly_without(symbols *s, const poly *x, int number) {
  const poly *sum = poly_number(s, 0);
  for (int i = 0; i < x->n; i++) {
    bool has = false;
    for (int k = 0; k < x->at[i].n; k++) has = has || x->at[i].symbols[k] == number;
    poly *one = new_poly(s, 1);
    one->at[0] = x->at[i];
    if (!has) sum = poly_add(s, sum, one);
  }
  return sum;
}

typedef struct evaluation {
  const symbols *s;
  const symbol_values *example;
  unsigned left; /* how many quotients may follow */
} evaluation;

static bool evaluate(evaluation *e, const poly *x, int64_t *value);

static bool evaluate_symbol(evaluation *e, int number, poly_int *value) {
  const symbol *x = &e->s->list.at[number];
  int64_t of, by;
  if (x->kind == SYMBOL_SIZE) {
    bool known = (size_t)number < e->example->n;
    *value = known ? e->example->at[number] : 0;
    return known;
  }
  if (!e->left) return false;
  e->left--;
  if (!evaluate(e, x->of, &of) || !evaluate(e, x->by, &by) || by < 1) return false;
  *value = floor_divide(of, by);
  return true;
}

static bool evaluate(evaluation *e, const poly *x, int64_t *value) {
  poly_int sum = 0, one, factor;
  if (!x) return false;
  for (int i = 0; i < x->n; i++) {
    one = x->at[i].factor;
    for (int k = 0; k < x->at[i].n; k++)
      if (!evaluate_symbol(e, x->at[i].symbols[k], &factor) ||
          __builtin_mul_overflow(one, factor, &one) || !fits(one))
        return false;
    sum += one;
    if (!fits(sum)) return false;
  }
  *value = (int64_t)sum;
  return sum <= INT64_MAX && sum >= INT64_MIN;
}

bool poly_evaluate(const symbols *s, const symbol_values *example, const poly *x, int64_t *value) {
  return evaluate(&(evaluation){s, example, QUOTIENTS_MAX}, x, value);
}

/* ---- the lesser and the greater of two */

const poly *poly_lesser(symbols *s, const poly *x, const poly *y) {
  if (!x || !y) return x ? x : y;
  return poly_is_at_most(s, x, y) ? x : y;
}

const poly *poly_greater(symbols *s, const poly *x, const poly *y) {
  if (!x || !y) return x ? x : y;
  return poly_is_at_most(s, y, x) ? x : y;
}

const poly *poly_extreme(symbols *s, const poly *x, const poly *y, bool least) {
  if (poly_is_at_most(s, x, y)) return least ? x : y;
  return poly_is_at_most(s, y, x) ? (least ? y : x) : NULL;
}

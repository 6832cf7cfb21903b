/* poly_order.c - the lesser and the greater of two: see poly.h. */
#include "bounds/poly.h"

const poly *poly_lesser(symbols *s, const poly *x, const poly *y) {
  if (!x || !y) return x ? x : y;
  return poly_is_at_most(s, x, y) ? x : y;
}

const poly *poly_greater(symbols *s, const poly *x, const poly *y) {
  if (!x || !y) return x ? x : y;
  return poly_is_at_most(s, y, x) ? x : y;
}

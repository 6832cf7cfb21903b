/* poly_text.c - integers as text: see poly.h. */
#include "bounds/poly.h"

static void format_int(strbuf *out, poly_int n) {
  char digits[48], *p = digits + sizeof digits;
  *--p = '\0';
  poly_int rest = n < 0 ? -n : n;
  do *--p = (char)('0' + (int)(rest % 10));
  while ((rest /= 10) != 0);
  strbuf_puts(out, p);
}

enum { QUOTIENTS_PRINTED_MAX = 1000 };

static const char *format_poly(const symbols *s, const poly *x, unsigned *left, arena *a);

static void format_symbol(const symbols *s, int number, unsigned *left, strbuf *out) {
  const symbol *x = &s->list.at[number];
  if (x->kind == SYMBOL_SIZE) {
    strbuf_puts(out, x->name);
    return;
  }
  if (!*left) { /* a quotient may stand in each many times */
    strbuf_puts(out, "...");
    return;
  }
  --*left;
  arena *a = arena_new();
  const char *of = format_poly(s, x->of, left, a), *by = format_poly(s, x->by, left, a);
  strbuf_printf(out, x->of->n > 1 ? "((%s) // %s)" : "(%s // %s)", of, by);
  arena_free(a);
}

static const char *format_poly(const symbols *s, const poly *x, unsigned *left, arena *a) {
  if (!x) return "?";
  strbuf out = {0};
  for (int i = x->n; i-- > 0;) {
    const poly_term *t = &x->at[i];
    poly_int size = t->factor < 0 ? -t->factor : t->factor;
    if (out.n || t->factor < 0) strbuf_puts(&out, !out.n ? "-" : t->factor < 0 ? " - " : " + ");
    if (size != 1 || t->n == 0) format_int(&out, size);
    for (int k = 0; k < t->n; k++) {
      if (k || size != 1) strbuf_puts(&out, "*");
      format_symbol(s, t->symbols[k], left, &out);
    }
  }
  const char *text = out.n ? arena_strndup(a, out.at, out.n) : "0";
  strbuf_free(&out);
  return text;
}

const char *poly_format(const symbols *s, const poly *x, arena *a) {
  unsigned left = QUOTIENTS_PRINTED_MAX;
  return format_poly(s, x, &left, a);
}

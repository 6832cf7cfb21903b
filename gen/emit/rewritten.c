/* rewritten.c - see rewritten.h. */
#include "emit/rewritten.h"
#include <string.h>

void rewritten_put(const rewritten *w, const diags *d, FILE *to) {
  diags_put(d, to);
  record_put_text(to, w->text, w->n);
  record_put_text(to, w->printed, w->printed_n);
  for (size_t i = 0; i < FORM_COUNT; i++) record_put_number(to, w->counts[i]);
  const uint64_t numbers[] = {
      w->left_alone, w->sites, w->weights.bytes, w->weights.left_out, w->weights.has_constructor,
      w->pch_failed, w->refuted};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) record_put_number(to, numbers[i]);
}

bool rewritten_take(rewritten *w, const char *at, size_t n, arena *a, diags *d) {
  record r = {.at = at, .n = n};
  *w = (rewritten){0};
  diags_take(d, &r);
  w->text = record_text(&r, &w->n, a);
  w->printed = record_text(&r, &w->printed_n, a);
  for (size_t i = 0; i < FORM_COUNT; i++) w->counts[i] = (unsigned)record_number(&r);
  w->left_alone = (unsigned)record_number(&r);
  w->sites = record_number(&r);
  w->weights.bytes = record_number(&r);
  w->weights.left_out = record_number(&r) != 0;
  w->weights.has_constructor = record_number(&r) != 0;
  w->pch_failed = record_number(&r) != 0;
  w->refuted = record_number(&r);
  return !r.failed && r.n == 0 && strlen(w->text) == w->n;
}

/* here_table.c - see here_table.h. */
#include "here/here_table.h"
#include "base/shown.h"
#include <string.h>

/* A longer cell moves the one behind it. */
enum { CELL_MAX = 40 };

void here_table_add(here_table *t, here_row row) { *arena_push(t->a, &t->rows) = row; }

size_t here_table_misfits(const here_table *t) {
  size_t n = 0;
  for (size_t i = 0; i < t->rows.n; i++) n += t->rows.at[i].fits == FITS_NO;
  return n;
}

/* ---- text */

static const char *const words[] = {
    [FITS_YES] = "fits", [FITS_NO] = "does not fit", [FITS_UNKNOWN] = "not known"};

static const char *show(const here_table *t, const char *s) {
  return s ? shown_text(s, t->a) : "-";
}

static void widen(int *width, const char *s) {
  int n = (int)strlen(s);
  if (n > *width && n <= CELL_MAX) *width = n;
}

static void print_text(const here_table *t, FILE *to) {
  int what = 0, needs = (int)strlen("needs");
  const int fits = (int)strlen(words[FITS_NO]);
  for (size_t i = 0; i < t->rows.n; i++) {
    widen(&what, t->rows.at[i].what);
    widen(&needs, show(t, t->rows.at[i].needs));
  }
  fprintf(to, "model '%s'\n", show(t, t->model));
  fprintf(to, "  %*s  %*s  %-*s  this machine has\n", what, "", fits, "", needs, "needs");
  for (size_t i = 0; i < t->rows.n; i++) {
    const here_row *r = &t->rows.at[i];
    fprintf(to, "  %-*s  %-*s  %-*s  %s\n", what, r->what, fits, words[r->fits], needs,
            show(t, r->needs), show(t, r->has));
    if (r->cure) fprintf(to, "  %*s  cure: %s\n", what, "", show(t, r->cure));
  }
}

/* ---- JSON Lines */

static void print_row(const here_table *t, const here_row *row, FILE *to) {
  cJSON *x = cJSON_CreateObject();
  shown_add_json(x, "type", "here");
  shown_add_json(x, "model", t->model);
  shown_add_json(x, "what", row->what);
  shown_add_json(x, "needs", row->needs);
  shown_add_json(x, "has", row->has);
  if (row->fits == FITS_UNKNOWN)
    cJSON_AddNullToObject(x, "fits");
  else
    cJSON_AddBoolToObject(x, "fits", row->fits == FITS_YES);
  shown_add_json(x, "cure", row->cure);
  shown_print_json(x, to);
}

void here_table_print(const here_table *t, bool json, FILE *to) {
  if (!json) print_text(t, to);
  for (size_t i = 0; json && i < t->rows.n; i++) print_row(t, &t->rows.at[i], to);
}

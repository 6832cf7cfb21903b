/* aten_print.c - number formats, columns and line breaks of ATen's operator<<, so that a program
 * that reads the output of PyTorch's printer reads this one's. A test compares it with torch 2.11.
 */
#define _GNU_SOURCE
#include "tensor/aten_print.h"

#include <math.h>
#include <string.h>

enum { LINE = 80 };

typedef struct format {
  double scale;
  int width;
  const char *text; /* for printf */
} format;

static double count_digits(double x) { return x != 0 ? floor(log10(x)) + 1 : 1; }

/* All numbers of a matrix have one format: integers, fixed point (with a common scale if they are
 * large or small), or exponents. */
static format choose_format(const double *x, int64_t n) {
  bool integers = true, any = false;
  double low = 1, high = 1;
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) continue;
    double a = fabs(x[i]);
    if (x[i] != ceil(x[i])) integers = false;
    if (!any || a < low) low = a;
    if (!any || a > high) high = a;
    any = true;
  }
  low = any ? count_digits(low) : 1;
  high = any ? count_digits(high) : 1;
  if (integers) return high > 9 ? (format){1, 11, "%.4e"} : (format){1, (int)high + 1, "%g"};
  if (high - low > 4) return (format){1, fabs(high) > 99 || fabs(low) > 99 ? 12 : 11, "%.4e"};
  if (high > 5 || high < 0) return (format){pow(10, high - 1), 7, "%.4f"};
  return (format){1, high == 0 ? 7 : (int)high + 6, "%.4f"};
}

static void add_number(ag_text *t, const format *f, double x) {
  /* %g would round an integer to six digits */
  ag_text_add_double(t, x / f->scale, f->text[1] == 'g' ? "%.0f" : f->text, f->width);
}

static void add_spaces(ag_text *t, int n) { ag_text_addf(t, "%*s", n, ""); }

static void add_scale(ag_text *t, const format *f) {
  ag_text_add_shortest(t, f->scale);
  ag_text_add(t, " *\n");
}

/* Indents every row but the first, like torch 2.11. */
static void add_matrix(ag_text *t, const double *x, int64_t rows, int64_t columns, int in) {
  format f = choose_format(x, rows * columns);
  int64_t fit = (LINE - in) / (f.width + 1);
  if (fit < 1) fit = 1;
  for (int64_t from = 0, to; from < columns; from = to) {
    to = from + fit < columns ? from + fit : columns;
    if (fit < columns) {
      if (from) ag_text_add(t, "\n");
      ag_text_addf(t, "Columns %lld to %lld", (long long)from + 1, (long long)to);
      add_spaces(t, in);
    }
    if (f.scale != 1) {
      add_scale(t, &f);
      add_spaces(t, in);
    }
    for (int64_t row = 0; row < rows; row++) {
      for (int64_t c = from; c < to; c++) {
        add_number(t, &f, x[row * columns + c]);
        ag_text_add(t, c == to - 1 ? "\n" : " ");
      }
      if (row == rows - 1) break;
      if (f.scale != 1) add_spaces(t, in);
      add_spaces(t, in);
    }
  }
}

/* Matrices one below the other; the first index changes fastest, as in ATen. */
static void add_cube(ag_text *t, const ag_tensor *a, const double *x) {
  int32_t outer = a->ndim - 2;
  int64_t at[AG_MAX_DIMS] = {0}, rows = a->sizes[outer], columns = a->sizes[outer + 1];
  for (bool start = true;; start = false) {
    int64_t offset = 0;
    ag_text_add(t, start ? "(" : "\n(");
    for (int32_t i = 0; i < outer; i++) {
      ag_text_addf(t, "%lld,", (long long)at[i] + 1);
      offset = offset * a->sizes[i] + at[i];
    }
    ag_text_add(t, ".,.) = \n");
    add_matrix(t, x + offset * rows * columns, rows, columns, 1);
    int32_t i = 0;
    for (; i < outer && ++at[i] >= a->sizes[i]; i++) at[i] = 0;
    if (i == outer) return;
  }
}

static void add_vector(ag_text *t, const double *x, int64_t n) {
  format f = choose_format(x, n);
  if (f.scale != 1) add_scale(t, &f);
  for (int64_t i = 0; i < n; i++) {
    add_number(t, &f, x[i]);
    ag_text_add(t, "\n");
  }
}

static const char *spell_device(const ag_tensor *t, char *buffer, size_t room) {
  const char *name = ag_device_type_name(t->device_type);
  size_t i = 0;
  if (!strcmp(name, "privateuseone")) name = "PrivateUse1";
  for (; name[i] && i + 1 < room; i++)
    buffer[i] = name[i] >= 'a' && name[i] <= 'z' && name[0] != 'P' ? (char)(name[i] - 32) : name[i];
  buffer[i] = 0;
  return buffer;
}

void ag_aten_print_elements(ag_text *t, const ag_view *view, const double *values) {
  const ag_tensor *a = &view->t;
  char device[32];
  if (a->ndim == 0) {
    ag_text_add_shortest(t, values[0]);
    ag_text_add(t, "\n");
  } else if (a->numel && a->ndim == 1) {
    add_vector(t, values, a->numel);
  } else if (a->numel && a->ndim == 2) {
    add_matrix(t, values, a->sizes[0], a->sizes[1], 0);
  } else if (a->numel) {
    add_cube(t, a, values);
  }
  ag_text_addf(t, "[ %s%sType", spell_device(a, device, sizeof device),
               ag_dtype_spelling(a->dtype)->aten);
  ag_text_add_list(t, a->sizes, a->ndim, "{", ",", "} ]\n");
}

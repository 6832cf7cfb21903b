/* comparison.c - what differs between two tensors, as a reader of Python would write it; see
 * elements.h. */
#include "host/elements.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds at the end of a text that has room for n characters. */
__attribute__((format(printf, 3, 4))) static void add(char *to, size_t n, const char *format, ...) {
  const size_t used = strlen(to);
  va_list args;
  va_start(args, format);
  vsnprintf(to + used, n - used, format, args);
  va_end(args);
}

void elements_describe(const char *dtype, const int64_t *sizes, int64_t ndim, char *to, size_t n) {
  snprintf(to, n, "%s [", dtype);
  for (int64_t i = 0; i < ndim; i++) add(to, n, "%s%" PRId64, i ? ", " : "", sizes[i]);
  add(to, n, "]");
}

/* ---- a value */

/* The shortest text that is read as this number again: "1.5", "1e-05", "nan", and "-0.0", or "-0"
 * without a point where none is needed. */
static void add_double(char *to, size_t n, double x, bool with_point) {
  char digits[40];
  int precision = 0, exponent;
  if (isnan(x) || isinf(x)) {
    add(to, n, "%s", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
    return;
  }
  do {
    snprintf(digits, sizeof digits, "%.*e", precision, x);
  } while (strtod(digits, NULL) != x && ++precision < 17);
  exponent = atoi(strchr(digits, 'e') + 1);
  if (exponent < -4 || exponent >= 16) {
    add(to, n, "%s", digits);
    return;
  }
  const int decimals = precision - exponent;
  add(to, n, "%.*f", decimals > with_point ? decimals : with_point, x);
}

/* "(1+2j)", and "2j" of one whose real part is 0. */
static void add_complex(char *to, size_t n, double real, double imaginary) {
  const bool has_real = real != 0 || signbit(real);
  const bool has_sign = signbit(imaginary) && !isnan(imaginary);
  if (has_real) add(to, n, "(");
  if (has_real) add_double(to, n, real, false);
  if (has_real && !has_sign) add(to, n, "+");
  add_double(to, n, imaginary, false);
  add(to, n, has_real ? "j)" : "j");
}

static bool begins(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

static void add_number(char *to, size_t n, const char *dtype, const void *data) {
  double pair[2];
  int64_t whole;
  memcpy(&whole, data, sizeof whole);
  if (!strcmp(dtype, "bool")) {
    add(to, n, "%s", whole ? "True" : "False");
  } else if (begins(dtype, "uint")) {
    add(to, n, "%" PRIu64, (uint64_t)whole);
  } else if (begins(dtype, "int")) {
    add(to, n, "%" PRId64, whole);
  } else if (begins(dtype, "complex")) {
    memcpy(pair, data, sizeof pair);
    add_complex(to, n, pair[0], pair[1]);
  } else {
    memcpy(pair, data, sizeof *pair);
    add_double(to, n, pair[0], true);
  }
}

/* torch converts it. */
void elements_value(const elements *e, int64_t at, char *to, size_t n) {
  const bool is_complex = begins(e->dtype, "complex"), is_whole = !strcmp(e->dtype, "bool") ||
                                                                  begins(e->dtype, "int") ||
                                                                  begins(e->dtype, "uint");
  elements one = {.number = e->number, .size = e->size, .numel = 1};
  elements wide = {.numel = 1, .size = is_complex ? 16 : 8};
  torch_tensor from = NULL, made = NULL;
  void *data = NULL;
  one.bytes = e->bytes + at * e->size;
  wide.number = torch_dtype(is_complex ? "complex128" : is_whole ? "int64" : "float64", -1);
  *to = '\0';
  if (!elements_lay(&one, NULL, torch_device_type("cpu"), -1, &from) &&
      !torch.empty_strided(0, NULL, NULL, wide.number, torch_device_type("cpu"), -1, &made) &&
      !torch.copy_(made, from, 0) && !torch.get_data_ptr(made, &data))
    add_number(to, n, e->dtype, data);
  if (from) torch.delete_tensor_object(from);
  if (made) torch.delete_tensor_object(made);
}

/* ---- the tensors */

static void set_index(answer_output *x, const elements *e, int64_t flat) {
  x->ndim = e->ndim;
  for (int64_t i = e->ndim - 1; i >= 0; i--) {
    x->index[i] = flat % e->sizes[i];
    flat /= e->sizes[i];
  }
}

static bool are_alike(const elements *a, const elements *b) {
  return !strcmp(a->dtype, b->dtype) && a->ndim == b->ndim &&
         !memcmp(a->sizes, b->sizes, (size_t)a->ndim * sizeof *a->sizes);
}

void elements_compare(answer_output *x, const elements *now, const elements *kept) {
  const size_t size = (size_t)now->size;
  int64_t first = -1;
  *x = (answer_output){.equal = false, .numel = now->numel};
  if (!are_alike(now, kept)) {
    elements_describe(now->dtype, now->sizes, now->ndim, x->why, sizeof x->why / 2);
    add(x->why, sizeof x->why, ", and was ");
    const size_t used = strlen(x->why);
    elements_describe(kept->dtype, kept->sizes, kept->ndim, x->why + used, sizeof x->why - used);
    return;
  }
  x->equal = !memcmp(now->bytes, kept->bytes, (size_t)now->numel * size);
  for (int64_t i = 0; !x->equal && i < now->numel; i++) {
    if (!memcmp(now->bytes + (size_t)i * size, kept->bytes + (size_t)i * size, size)) continue;
    if (first < 0) first = i;
    x->count++;
  }
  if (x->equal) return;
  set_index(x, now, first);
  elements_value(now, first, x->now, sizeof x->now);
  elements_value(kept, first, x->kept, sizeof x->kept);
}

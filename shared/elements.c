/* elements.c - see elements.h. */
#include "shared/elements.h"

#include <ctype.h>
#include <string.h>

#include "shared/filter.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_blanks(ag_slice *slice) {
  while (slice->n && isspace((unsigned char)*slice->s)) slice->s++, slice->n--;
}

static ag_slice trim(const char *begin, const char *end) {
  return ag_slice_trim((ag_slice){begin, (size_t)(end - begin)});
}

/* Parses a number with blanks around it, and advances *slice. */
static bool take_number(ag_slice *slice, int64_t *n) {
  skip_blanks(slice);
  if (!slice->n || !is_digit(*slice->s)) return false;
  for (*n = 0; slice->n && is_digit(*slice->s); slice->s++, slice->n--)
    if (__builtin_mul_overflow(*n, 10, n) || __builtin_add_overflow(*n, *slice->s - '0', n))
      return false;
  skip_blanks(slice);
  return true;
}

/* "2, 3", without the brackets. */
static bool read_index(ag_element *e, ag_slice x) {
  skip_blanks(&x);
  if (!x.n) return true;
  for (; e->rank < AG_ELEMENT_DIMS; x.s++, x.n--) {
    if (!take_number(&x, &e->index[e->rank++])) return false;
    if (!x.n) return true;
    if (*x.s != ',') return false;
  }
  return false;
}

/* A launch's number, or a filter. */
static bool read_launch(ag_element *e) {
  ag_slice x = e->kernels;
  int64_t n;
  if (!x.n || !ag_filter_part_is_valid(x)) return false;
  for (size_t i = 0; i < x.n; i++)
    if (!is_digit(x.s[i])) return true;
  if (!take_number(&x, &n) || !n) return false;
  e->launch = (uint64_t)n;
  return true;
}

static const char *find_last(const char *begin, const char *end, char c) {
  while (end > begin)
    if (*--end == c) return end;
  return NULL;
}

/* Splits at the last colon and bracket: names of kernels and lines of models may hold a colon, and
 * names of tensors a bracket. */
static bool read_element(ag_element *e, ag_slice text) {
  const char *end = text.s + text.n;
  *e = (ag_element){.text = text};
  if (end[-1] != ']') return false;
  const char *open = find_last(text.s, end, '['),
             *colon = open ? find_last(text.s, open, ':') : NULL;
  if (!colon) return false;
  e->kernels = trim(text.s, colon);
  e->name = trim(colon + 1, open);
  return e->name.n && read_index(e, (ag_slice){open + 1, (size_t)(end - 1 - (open + 1))}) &&
         read_launch(e);
}

enum ag_element_found ag_element_next(const char **list, ag_element *e) {
  while (**list) {
    const char *end = *list + strcspn(*list, ";");
    const ag_slice text = trim(*list, end);
    *list = *end ? end + 1 : end;
    if (text.n) return read_element(e, text) ? AG_ELEMENT_READ : AG_ELEMENT_WRONG;
  }
  return AG_ELEMENT_END;
}

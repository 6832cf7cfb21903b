/* element_list.c - see element_list.h. */
#define _GNU_SOURCE
#include "base/element_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/filter.h"

/* Without the blanks around it. */
static char *copy_trimmed(const char *begin, const char *end) {
  while (begin < end && isspace((unsigned char)*begin)) begin++;
  while (begin < end && isspace((unsigned char)end[-1])) end--;
  return strndup(begin, (size_t)(end - begin));
}

/* A number with blanks around it at *s, which moves past them. */
static bool read_number(const char **s, int64_t *n) {
  while (isspace((unsigned char)**s)) ++*s;
  if (!isdigit((unsigned char)**s)) return false;
  for (*n = 0; isdigit((unsigned char)**s); ++*s)
    if (__builtin_mul_overflow(*n, 10, n) || __builtin_add_overflow(*n, **s - '0', n)) return false;
  while (isspace((unsigned char)**s)) ++*s;
  return true;
}

/* "2, 3]" */
static bool read_index(ag_element_request *r, const char *s) {
  while (isspace((unsigned char)*s)) s++;
  if (*s == ']') return !s[1];
  for (; r->rank < AG_ELEMENT_DIMS; s++) {
    if (!read_number(&s, &r->index[r->rank++])) return false;
    if (*s == ']') return !s[1];
    if (*s != ',') return false;
  }
  return false;
}

/* A launch's number, or a filter. */
static bool read_launch(ag_element_request *r) {
  const char *s = r->kernels;
  int64_t n;
  if (!*s || !ag_filter_is_valid(s)) return false;
  if (strspn(s, "0123456789") != strlen(s)) return true;
  if (!read_number(&s, &n) || !n) return false;
  r->launch = (uint64_t)n;
  return true;
}

/* Names of kernels and lines of models may hold a colon, and names of tensors a bracket: the last
 * ones count. */
static bool read_request(ag_element_request *r, const char *begin, const char *end) {
  r->text = copy_trimmed(begin, end);
  if (!r->text) return false;
  const char *open = strrchr(r->text, '[');
  const char *colon = open ? memrchr(r->text, ':', (size_t)(open - r->text)) : NULL;
  if (!colon) return false;
  r->kernels = copy_trimmed(r->text, colon);
  r->name = copy_trimmed(colon + 1, open);
  return r->kernels && r->name && *r->name && read_index(r, open + 1) && read_launch(r);
}

static bool is_blank(const char *begin, const char *end) {
  while (begin < end && isspace((unsigned char)*begin)) begin++;
  return begin == end;
}

bool ag_element_list_read(ag_element_list *l, const char *text) {
  size_t most = 1;
  for (const char *s = text; *s; s++) most += *s == ';';
  *l = (ag_element_list){.at = calloc(most, sizeof *l->at)};
  if (!l->at) return false;
  for (const char *s = text;; s++) {
    const char *end = strchrnul(s, ';');
    if (!is_blank(s, end) && !read_request(&l->at[l->n++], s, end)) {
      ag_element_list_free(l);
      return false;
    }
    if (!*(s = end)) return true;
  }
}

void ag_element_list_free(ag_element_list *l) {
  for (int i = 0; i < l->n; i++) {
    free(l->at[i].text);
    free(l->at[i].kernels);
    free(l->at[i].name);
  }
  free(l->at);
  *l = (ag_element_list){0};
}

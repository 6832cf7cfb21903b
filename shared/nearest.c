/* nearest.c - the edit distance between a pattern and the most similar part of a name. */
#include "shared/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

void ag_nearest_begin(ag_nearest *s, const char *pattern, size_t n) {
  *s = (ag_nearest){0};
  for (size_t i = 0; i < n && s->length < AG_NEAREST_PATTERN; i++)
    if (pattern[i] != '*' && pattern[i] != '?')
      s->pattern[s->length++] = (char)tolower((unsigned char)pattern[i]);
}

static size_t smaller_of(size_t a, size_t b) { return a < b ? a : b; }

/* The number of letters to change, omit or insert. The part may begin and end anywhere: the name
 * before it costs nothing, and the least of all ends is taken. */
static size_t measure_distance(const ag_nearest *s, const char *name, size_t n) {
  size_t row[AG_NEAREST_PATTERN + 1], best = s->length;
  for (size_t i = 0; i <= s->length; i++) row[i] = i;
  for (size_t k = 0; k < n; k++) {
    size_t diagonal = row[0];
    int letter = tolower((unsigned char)name[k]);
    for (size_t i = 1; i <= s->length; i++) {
      size_t changed = diagonal + (letter != s->pattern[i - 1]);
      diagonal = row[i];
      row[i] = smaller_of(changed, smaller_of(row[i - 1], row[i]) + 1);
    }
    best = smaller_of(best, row[s->length]);
  }
  return best;
}

static bool is_known(const ag_nearest *s, const char *name, size_t n) {
  for (int i = 0; i < s->count; i++)
    if (s->best[i].length == n && !strncasecmp(s->best[i].name, name, n)) return true;
  return false;
}

void ag_nearest_add(ag_nearest *s, const char *name, size_t n) {
  size_t distance = measure_distance(s, name, n);
  if (!n || !s->length || distance * 2 > s->length || is_known(s, name, n)) return;
  if (s->count && distance > s->distance) return;
  if (s->count && distance < s->distance) s->count = 0;
  int at = s->count;
  while (at && n < s->best[at - 1].length) at--;
  if (at == AG_NEAREST) return;
  if (s->count < AG_NEAREST) s->count++;
  memmove(&s->best[at + 1], &s->best[at], (size_t)(s->count - 1 - at) * sizeof *s->best);
  s->best[at].name = name;
  s->best[at].length = n;
  s->distance = distance;
}

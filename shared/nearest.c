/* nearest.c - the edit distance between a pattern and the most similar part of a name, or between a
 * word and a name. */
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

void ag_nearest_begin_word(ag_nearest *s, const char *word, size_t n) {
  ag_nearest_begin(s, word, n);
  s->whole = true;
}

static size_t smaller_of(size_t a, size_t b) { return a < b ? a : b; }

/* The number of letters to change, omit or insert. A part may begin and end anywhere: the name
 * before it costs nothing, and the least of all ends is taken. */
static size_t measure_part(const ag_nearest *s, const char *name, size_t n) {
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

/* The number of letters to change, omit, insert or exchange with the next. */
static size_t measure_word(const ag_nearest *s, const char *name, size_t n) {
  size_t rows[3][AG_NEAREST_PATTERN + 1];
  int last = 0; /* the letter before, and 0 */
  for (size_t i = 0; i <= s->length; i++) rows[0][i] = i;
  for (size_t k = 1; k <= n; k++) {
    const size_t *above = rows[(k + 2) % 3], *two_above = rows[(k + 1) % 3];
    size_t *row = rows[k % 3];
    int letter = tolower((unsigned char)name[k - 1]);
    row[0] = k;
    for (size_t i = 1; i <= s->length; i++) {
      size_t changed = above[i - 1] + (letter != s->pattern[i - 1]);
      row[i] = smaller_of(changed, smaller_of(row[i - 1], above[i]) + 1);
      if (i > 1 && k > 1 && last == s->pattern[i - 1] && letter == s->pattern[i - 2])
        row[i] = smaller_of(row[i], two_above[i - 2] + 1);
    }
    last = letter;
  }
  return rows[n % 3][s->length];
}

static bool is_known(const ag_nearest *s, const char *name, size_t n) {
  for (int i = 0; i < s->count; i++)
    if (s->best[i].length == n && !strncasecmp(s->best[i].name, name, n)) return true;
  return false;
}

void ag_nearest_add(ag_nearest *s, const char *name, size_t n) {
  size_t distance = s->whole ? measure_word(s, name, n) : measure_part(s, name, n);
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

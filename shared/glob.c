/* glob.c - see glob.h. */
#include "shared/glob.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

static bool is_same(char a, char b, bool any_case) {
  return a == b || (any_case && tolower((unsigned char)a) == tolower((unsigned char)b));
}

/* Backtracks only to the last star. */
static bool match(ag_slice pattern, ag_slice name, bool any_case) {
  size_t p = 0, i = 0, star = SIZE_MAX, from = 0;
  while (i < name.n) {
    if (p < pattern.n && pattern.s[p] == '*') {
      star = p++;
      from = i;
    } else if (p < pattern.n &&
               (pattern.s[p] == '?' || is_same(pattern.s[p], name.s[i], any_case))) {
      p++;
      i++;
    } else if (star != SIZE_MAX) {
      p = star + 1;
      i = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.n && pattern.s[p] == '*') p++;
  return p == pattern.n;
}

bool ag_glob(ag_slice pattern, ag_slice name) { return match(pattern, name, false); }

bool ag_glob_any_case(ag_slice pattern, ag_slice name) { return match(pattern, name, true); }

ag_slice ag_slice_trim(ag_slice x) {
  while (x.n && isspace((unsigned char)x.s[0])) x.s++, x.n--;
  while (x.n && isspace((unsigned char)x.s[x.n - 1])) x.n--;
  return x;
}

unsigned ag_word_find(const char *words, const char *word,
                      int (*compare)(const char *, const char *, size_t)) {
  for (unsigned i = 1;; i++) {
    size_t n = strcspn(words, " ,\t\n");
    if (strlen(word) == n && !compare(words, word, n)) return i;
    if (!words[n]) return 0;
    words += n + 1;
  }
}

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

bool ag_has_name(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *at = text; n && (at = strstr(at, name)); at += n)
    if ((at == text || !is_of_name(at[-1])) && !is_of_name(at[n])) return true;
  return false;
}

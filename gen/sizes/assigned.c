/* assigned.c - see sizes_reader.h. */
#include "sizes/sizes_reader.h"
#include "parse/lex.h"
#include <string.h>

/* The end of "= std::move(" behind the name that ends at `at`; 0 where another text stands there.
 */
static size_t find_source(const char *text, size_t at, size_t end) {
  static const char move[] = "std::move(";
  size_t p = lex_skip_space(text, at, end);
  if (p >= end || text[p] != '=') return 0;
  p = lex_skip_space(text, p + 1, end);
  if (end - p < sizeof move || memcmp(text + p, move, sizeof move - 1) != 0) return 0;
  return lex_skip_space(text, p + sizeof move - 1, end);
}

assigned *assigned_read(const facts *f, const storage *s, arena *a) {
  assigned *all = arena_alloc(a, (f->vars.n + 1) * sizeof *all);
  char before = ';'; /* the last byte of the token before */
  for (size_t at = 0, next; (at = lex_skip_space(f->text, at, f->n)) < f->n; at = next) {
    next = lex_skip_token(f->text, at, f->n);
    size_t from = strchr(";{}", before) && lex_is_identifier(f->text[at])
                      ? find_source(f->text, next, f->n)
                      : 0;
    before = f->text[next - 1];
    if (!from) continue;
    size_t n = 0;
    while (lex_is_identifier(f->text[from + n])) n++;
    int to = storage_find(s, f->text + at, next - at, at);
    int source = f->text[from + n] == ')' ? storage_find(s, f->text + from, n, from) : -1;
    if (to >= 0 && source >= 0 && source != to) {
      *arena_push(a, &all[to].from) = source;
      *arena_push(a, &all[to].places) = at;
    }
  }
  return all;
}

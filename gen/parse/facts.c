/* facts.c - see facts.h. */
#include "parse/facts.h"
#include <string.h>

void facts_index_lines(facts *f, arena *a) {
  *arena_push(a, &f->lines) = 0;
  for (const char *at = f->text; (at = memchr(at, '\n', f->n - (size_t)(at - f->text)));)
    *arena_push(a, &f->lines) = (size_t)(++at - f->text);
}

void facts_position(const facts *f, size_t offset, unsigned *line, unsigned *column) {
  size_t n; /* the number of lines that begin there or before: the first begins at 0 */
  arena_bound(n, f->lines.n, f->lines.at[n] <= offset);
  *line = (unsigned)n;
  *column = (unsigned)(offset - f->lines.at[n - 1]) + 1;
}

unsigned facts_presumed_line(const facts *f, unsigned line) {
  size_t i; /* the number of those that begin at `line` or before */
  arena_bound(i, f->renumbered.n, f->renumbered.at[i].line <= line);
  if (i == 0) return line;
  return f->renumbered.at[i - 1].presumed + (line - f->renumbered.at[i - 1].line);
}

const char *facts_copy(const facts *f, span s, arena *a) {
  return arena_strndup(a, f->text + s.begin, s.end - s.begin);
}

int facts_find_base(const facts *f, int var) {
  const fact_var *v = &f->vars.at[var];
  return v->made == MADE_ALIAS || v->made == MADE_VIEW ? v->from : -1;
}

int facts_skip_aliases(const facts *f, int var) {
  for (int steps = 0; steps <= FACTS_STEPS_MAX; steps++) {
    const fact_var *v = &f->vars.at[var];
    if (v->made != MADE_ALIAS || v->from < 0) return var;
    var = v->from;
  }
  return -1;
}

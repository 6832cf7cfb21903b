/* facts.c - see facts.h. */
#include "parse/facts.h"
#include <string.h>

void facts_index_lines(facts *f, arena *a) {
  *arena_push(a, &f->lines) = 0;
  for (const char *at = f->text; (at = memchr(at, '\n', f->n - (size_t)(at - f->text)));)
    *arena_push(a, &f->lines) = (size_t)(++at - f->text);
}

void facts_position(const facts *f, size_t offset, unsigned *line, unsigned *column) {
  size_t low = 0, high = f->lines.n;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (f->lines.at[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  *line = (unsigned)low + 1;
  *column = (unsigned)(offset - f->lines.at[low]) + 1;
}

unsigned facts_presumed_line(const facts *f, unsigned line) {
  size_t i = 0, high = f->renumbered.n; /* i: the number of those that begin at `line` or before */
  while (i < high) {
    size_t middle = i + (high - i) / 2;
    if (f->renumbered.at[middle].line <= line)
      i = middle + 1;
    else
      high = middle;
  }
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

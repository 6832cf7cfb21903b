/* lifetimes.c - a tensor that a call is passed after the wrapper has given it up: see checker.h. */
#include "check/checker.h"
#include "parse/lex.h"
#include <string.h>

/* Is what stands at `at` the name in "NAME.reset()" or "std::move(NAME)". */
static bool gives_up(const char *text, size_t at, size_t end, size_t n) {
  static const char reset[] = ".reset()", move[] = "std::move(";
  size_t room = sizeof move - 1;
  if (at + n + sizeof reset - 1 <= end && memcmp(text + at + n, reset, sizeof reset - 1) == 0)
    return true;
  return at >= room && memcmp(text + at - room, move, room) == 0 && text[at + n] == ')';
}

static bool assigns(const char *text, size_t at, size_t end, size_t n) {
  size_t p = lex_skip_space(text, at + n, end);
  return p + 1 < end && text[p] == '=' && text[p + 1] != '=';
}

/* Is the block of `from` still open at `to`. */
static bool is_open(const char *text, size_t from, size_t to) {
  int depth = 0;
  for (size_t p = from; p < to && depth >= 0; p = lex_skip_token(text, p, to)) {
    if (text[p] == '{') depth++;
    if (text[p] == '}') depth--;
  }
  return depth >= 0;
}

/* Where the variable is given up for good before `to`; `to` where it is not. */
static size_t find_end(const char *text, const fact_var *v, size_t to) {
  size_t n = strlen(v->name), end = to;
  for (size_t at = v->declared; (at = lex_find_word(text, at, to, v->name)) < to; at += n) {
    if (assigns(text, at, to, n)) end = to;
    if (end == to && gives_up(text, at, to, n) && is_open(text, at, to)) end = at;
  }
  return end;
}

void lifetimes_check(checker *k, const site *s) {
  const facts *f = k->m->facts;
  for (size_t i = 0; i < s->args.n; i++) {
    const operand *o = s->args.at[i].operand;
    const fact_var *v = o && o->var >= 0 ? &f->vars.at[o->var] : NULL;
    size_t to = s->call->statement.begin;
    if (!v || v->holds != HOLDS_OBJECT || v->declared >= to) continue;
    size_t end = find_end(f->text, v, to);
    if (end >= to) continue;
    unsigned line, column;
    facts_position(f, end, &line, &column);
    finding *x = checker_add(k, NULL, FINDING_LIFETIME, VERDICT_REFUTED);
    x->argument = s->args.at[i].name;
    x->why = arena_printf(k->a, "line %u of the wrapper gives %s up, and this call is passed it",
                          line, v->name);
  }
}

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

/* A place where the wrapper gives a variable up, or assigns to it. */
typedef struct event {
  size_t at;
  bool assigns;
} event;

typedef struct events {
  event *at;
  size_t n, cap;
} events;

static void note_event(string_map *by_name, const char *text, size_t at, size_t next, size_t end,
                       arena *a) {
  size_t n = next - at;
  bool assigned = assigns(text, at, end, n);
  if (!assigned && !gives_up(text, at, end, n)) return;
  const char *name = arena_strndup(a, text + at, n);
  events *list = string_map_get(by_name, name);
  if (!list) {
    list = arena_alloc(a, sizeof *list);
    string_map_put(by_name, name, list);
  }
  *arena_push(a, list) = (event){.at = at, .assigns = assigned};
}

string_map *lifetimes_read(const facts *f, arena *a) {
  string_map *by_name = string_map_create(a);
  for (size_t at = 0, next; at < f->n; at = next) {
    next = lex_skip_token(f->text, at, f->n);
    if (lex_is_identifier(f->text[at])) note_event(by_name, f->text, at, next, f->n, a);
  }
  return by_name;
}

/* Where the variable is given up for good before `to`; `to` where it is not. */
static size_t find_end(const checker *k, const char *text, const fact_var *v, size_t to) {
  const events *list = string_map_get(k->lifetimes, v->name);
  size_t end = to;
  for (size_t i = 0; list && i < list->n && list->at[i].at < to; i++) {
    const event *e = &list->at[i];
    if (e->at < v->declared) continue;
    if (e->assigns)
      end = to;
    else if (end == to && is_open(text, e->at, to))
      end = e->at;
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
    size_t end = find_end(k, f->text, v, to);
    if (end >= to) continue;
    unsigned line, column;
    facts_position(f, end, &line, &column);
    finding *x = checker_add(k, NULL, FINDING_LIFETIME, VERDICT_REFUTED);
    x->argument = s->args.at[i].name;
    x->why = arena_printf(k->a, "line %u of the wrapper gives %s up, and this call is passed it",
                          line, v->name);
  }
}

/* sites.c - see parts.h. */
#include "model/parts.h"
#include "base/string_map.h"
#include "model/completions.h"
#include "model/op_table.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

typedef struct site_reader {
  model *m;
  const facts *f;
  arena *a;
  argument_reader arguments;
  string_map *kernels;       /* by name, to a triton */
  string_map *run_functions; /* by name */
} site_reader;

/* ---- names of kernels and ops --------------------------------------------------------------- */

/* The text behind the last `mark` in `s`. */
static const char *skip_past(const char *s, const char *mark) {
  const char *at = s, *next;
  while ((next = strstr(at, mark))) at = next + strlen(mark);
  return at;
}

/* The kernel K of launchKernel(kernels.K, ...) */
static const char *read_launched(const site_reader *reader, const fact_call *c) {
  size_t at = lex_skip_space(reader->f->text, c->open + 1, c->close),
         end = lex_find(reader->f->text, at, c->close, ',');
  const char *e = arena_strndup(reader->a, reader->f->text + at, end - at);
  return at < end ? skip_past(skip_past(e, "."), "->") : c->callee;
}

/* The first string literal in the arguments of the nearest `word` above `at` that has `before`
 * directly before it; NULL if there is none behind `begin`. */
static const char *read_literal_above(const site_reader *reader, size_t begin, size_t at,
                                      const char *word, const char *before) {
  const char *text = reader->f->text;
  size_t past, n = strlen(before);
  for (size_t p = at; p > begin + n; p--)
    if (lex_is_word(text, p, at, word) && memcmp(text + p - n, before, n) == 0)
      return lex_read_literal(text, lex_find(text, p, at, '(') + 1, at, &past, reader->a);
  return NULL;
}

/* The op that a call of the dispatcher names, in its own arguments or in the text above that filled
 * them. */
static const char *read_dispatched(const site_reader *reader, const fact_call *c) {
  size_t past, at = lex_find(reader->f->text, c->open + 1, c->close, '"'),
               begin = reader->f->functions.at[c->function].body.begin;
  const char *s = at < c->close ? lex_read_literal(reader->f->text, at, c->close, &past, reader->a)
                                : NULL;
  if (!s && strcmp(c->callee, "callBoxed") == 0)
    s = read_literal_above(reader, begin, c->offset, "findSchemaOrThrow", ".");
  if (!s) s = read_literal_above(reader, begin, c->offset, "PyUnicode_FromString", " 0, ");
  return s ? s : c->callee;
}

/* A custom op's name, or its number if no wrapper.json has it. */
static const char *name_proxied(const site_reader *reader, const fact_call *c,
                                const custom_op *op) {
  if (op && *op->target) return op->target;
  size_t at = lex_find(reader->f->text, c->open + 1, c->close, ',');
  long index = at < c->close ? strtol(reader->f->text + at + 1, NULL, 10) : -1;
  return arena_printf(reader->a, "proxy#%ld", index);
}

/* ---- sites ---------------------------------------------------------------------------------- */

static enum aotigen_form find_form(const fact_call *c) {
  switch (c->calls) {
    case CALLS_TEMPLATE:
    case CALLS_LAUNCH: return AOTIGEN_TRITON;
    case CALLS_KERNEL: return AOTIGEN_CPU;
    case CALLS_DISPATCHER: return AOTIGEN_DISPATCHER;
    case CALLS_SHIM: break;
  }
  if (op_table_is_item(c->callee)) return AOTIGEN_ITEM;
  if (op_table_is_copy(c->callee)) return AOTIGEN_COPY;
  return op_table_is_proxy(c->callee) ? AOTIGEN_PROXY : AOTIGEN_EXTERN;
}

static const char *name_kernel(const site_reader *reader, const site *s) {
  const fact_call *c = s->call;
  if (c->calls == CALLS_TEMPLATE) return kernels_read_name(c->callee);
  if (c->calls == CALLS_LAUNCH) return read_launched(reader, c);
  if (s->form == AOTIGEN_DISPATCHER) return read_dispatched(reader, c);
  return s->form == AOTIGEN_PROXY ? name_proxied(reader, c, s->op) : c->callee;
}

static bool is_of_library(const site *s) {
  if (s->form == AOTIGEN_EXTERN) return s->call->declared_here;
  return (s->form == AOTIGEN_PROXY || s->form == AOTIGEN_DISPATCHER) &&
         !op_table_is_torchs(s->kernel);
}

static void add_site(site_reader *reader, const fact_call *c) {
  site *s = arena_push(reader->a, &reader->m->sites);
  *s = (site){.call = c,
              .function = reader->f->functions.at[c->function].name,
              .form = find_form(c),
              .skipped = c->skipped};
  if (s->form == AOTIGEN_PROXY) s->op = custom_ops_called(reader->arguments.ops, reader->f, c);
  s->kernel = name_kernel(reader, s);
  completion_begin(s);
  if (s->form == AOTIGEN_TRITON) s->triton = string_map_get(reader->kernels, s->kernel);
  if (s->form == AOTIGEN_TRITON || s->form == AOTIGEN_CPU) s->flags |= AOTIGEN_KERNEL;
  if (is_of_library(s)) s->flags |= AOTIGEN_OF_LIBRARY;
  facts_position(reader->f, c->statement.begin, &s->line, &s->column);
  if (completion_returns_input(s))
    storage_note_call(reader->arguments.storage, c, EFFECT_ALIASES);
  arguments_read(&reader->arguments, s);
  if (s->form == AOTIGEN_DISPATCHER)
    dispatched_read(s, reader->f, reader->arguments.storage, reader->a);
}

/* Fills the maps of a reader. */
static void index_names(site_reader *reader) {
  reader->kernels = string_map_create(reader->a);
  reader->run_functions = string_map_create(reader->a);
  for (size_t i = 0; i < reader->m->kernels.n; i++)
    string_map_put(reader->kernels, reader->m->kernels.at[i].name, &reader->m->kernels.at[i]);
  for (size_t i = 0; i < reader->f->functions.n; i++) {
    const fact_function *x = &reader->f->functions.at[i];
    if (x->kind == FUNCTION_RUN || x->kind == FUNCTION_FOLD)
      string_map_put(reader->run_functions, x->name, x);
  }
}

/* Skips calls that share a statement: lines around a statement can count only one launch. */
static void skip_shared(model *m) {
  for (size_t i = 1; i < m->sites.n; i++) {
    site *s = &m->sites.at[i - 1], *next = &m->sites.at[i];
    if (s->call->statement.begin != next->call->statement.begin) continue;
    if (!s->skipped) s->skipped = "shares its statement with another launch";
    if (!next->skipped) next->skipped = "shares its statement with another launch";
  }
}

void sites_read(model *m, storage *st, const custom_ops *ops, arena *a) {
  site_reader r = {
      .m = m, .f = m->facts, .a = a, .arguments = {.m = m, .storage = st, .ops = ops, .a = a}};
  index_names(&r);
  for (size_t i = 0; i < r.f->calls.n; i++) {
    const fact_call *c = &r.f->calls.at[i];
    enum effect effect = op_table_find_effect(c->callee);
    if (effect != EFFECT_LAUNCH)
      storage_note_call(st, c, effect);
    else if (!string_map_get(r.run_functions, c->callee))
      add_site(&r, c);
  }
  skip_shared(m);
}

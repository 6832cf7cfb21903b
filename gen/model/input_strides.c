/* input_strides.c - see parts.h.
 *
 * A compiled kernel addresses its arguments by strides that were fixed when it was compiled, and so
 * does a view that the wrapper takes. An operator of torch reads the strides of each tensor, but
 * the tensors that it makes may have strides that follow from them.
 */
#include "model/parts.h"
#include "base/string_map.h"
#include "parse/lex.h"
#include <string.h>

enum {
  PASSES_MAX = 16, /* one more than the loops that pass a tensor backwards */
  NAME_MAX_LENGTH = 256
};

typedef struct stride_reader {
  const model *m;
  const facts *f;
  storage *st;
  bool *fixed; /* by variable that owns storage: something relies on its strides */
} stride_reader;

/* False if they were fixed already. */
static bool fix_strides(const stride_reader *reader, int var) {
  int root = storage_root(reader->st, var);
  if (root < 0 || reader->fixed[root]) return false;
  return reader->fixed[root] = true;
}

static bool is_view_call(const char *callee) {
  return strstr(callee, "reinterpret_tensor") || strstr(callee, "as_strided");
}

static void fix_views(const stride_reader *reader) {
  for (size_t i = 0; i < reader->f->vars.n; i++)
    if (reader->f->vars.at[i].made == MADE_VIEW) fix_strides(reader, reader->f->vars.at[i].from);
  for (size_t i = 0; i < reader->f->calls.n; i++) {
    const fact_call *c = &reader->f->calls.at[i];
    for (size_t k = 0; k < c->operands.n; k++)
      if (c->operands.at[k].kind == OPERAND_VIEW || is_view_call(c->callee))
        fix_strides(reader, c->operands.at[k].var);
  }
}

/* True if the site relies on the strides of its arguments. */
static bool relies_on_strides(const stride_reader *reader, const site *s) {
  if (s->flags & AOTIGEN_KERNEL) return true;
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *x = &s->args.at[i];
    if (x->flags & AOTIGEN_LATE && x->root >= 0 && reader->fixed[storage_root(reader->st, x->root)])
      return true;
  }
  return false;
}

/* True if something changed. */
static bool fix_arguments(const stride_reader *reader) {
  bool changed = false;
  for (size_t i = reader->m->sites.n; i-- > 0;) {
    const site *s = &reader->m->sites.at[i];
    if (!relies_on_strides(reader, s)) continue;
    for (size_t k = 0; k < s->args.n; k++)
      if (fix_strides(reader, s->args.at[k].root)) changed = true;
  }
  return changed;
}

/* ---- uses that no operand shows ----------------------------------------------------------------
 */

/* The uses of an input: all places where the function's text names it, and those where it is a
 * tensor argument of a call. A name that two functions use is counted in both. */
typedef struct use_count {
  size_t uses, operands;
} use_count;

/* True for uses to which the input's strides do not matter. */
static bool is_idle_use(const char *behind) {
  static const char *const uses[] = {".reset()", ".release()", ".sizes()", NULL};
  for (const char *const *u = uses; *u; u++)
    if (text_begins(behind, *u)) return true;
  return false;
}

static void count_uses(const stride_reader *reader, const fact_function *function,
                       const string_map *counts) {
  const char *text = reader->f->text;
  char name[NAME_MAX_LENGTH];
  for (size_t at = function->body.begin, next; at < function->body.end; at = next) {
    next = lex_skip_token(text, at, function->body.end);
    if (!lex_is_identifier(text[at]) || is_idle_use(text + next)) continue;
    if (next - at >= sizeof name) continue;
    memcpy(name, text + at, next - at);
    name[next - at] = '\0';
    use_count *count = string_map_get(counts, name);
    if (count) count->uses++;
  }
}

static string_map *count_inputs(const stride_reader *reader, arena *a) {
  string_map *counts = string_map_create(a);
  for (size_t i = 0; i < reader->m->inputs.n; i++)
    string_map_put(counts, reader->m->inputs.at[i].name, arena_alloc(a, sizeof(use_count)));
  for (size_t i = 0; i < reader->f->functions.n; i++)
    if (reader->f->functions.at[i].kind == FUNCTION_RUN)
      count_uses(reader, &reader->f->functions.at[i], counts);
  for (size_t i = 0; i < reader->f->calls.n; i++) {
    const fact_call *c = &reader->f->calls.at[i];
    for (size_t k = 0; k < c->operands.n; k++) {
      const operand *t = &c->operands.at[k];
      use_count *count = t->kind == OPERAND_TENSOR && t->var >= 0
                             ? string_map_get(counts, reader->f->vars.at[t->var].name)
                             : NULL;
      if (count) count->operands++;
    }
  }
  return counts;
}

void input_strides_read(model *m, storage *st, arena *a) {
  const facts *f = m->facts;
  stride_reader r = {.m = m, .f = f, .st = st, .fixed = arena_alloc(a, f->vars.n + 1)};
  fix_views(&r);
  int passes = 0;
  while (passes < PASSES_MAX && fix_arguments(&r)) passes++;
  if (passes == PASSES_MAX) return;
  string_map *counts = count_inputs(&r, a);
  for (size_t i = 0; i < f->vars.n; i++) {
    const fact_var *v = &f->vars.at[i];
    if (v->made != MADE_INPUT || v->from < 0 || v->from >= (int)m->inputs.n) continue;
    const use_count *count = string_map_get(counts, v->name);
    /* The declaration is one of the uses. */
    m->inputs.at[v->from].any_strides = count && strlen(v->name) < NAME_MAX_LENGTH &&
                                        count->uses <= count->operands + 1 &&
                                        !r.fixed[storage_root(st, (int)i)];
  }
}

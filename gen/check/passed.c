/* passed.c - the views that an operator is passed. An operator may access every element of a
 * view: see checker.h. */
#include "check/checker.h"
#include "model/storage.h"

typedef struct passed {
  view v;
  const poly *offset, *last; /* the offsets of its first and last element in its memory */
  const poly *elements;      /* the number of elements of the memory */
} passed;

/* True for a view whose place the wrapper's text gives. */
static bool is_view(const checker *k, const argument *arg) {
  const operand *o = arg->operand;
  if (!o || o->var < 0 || o->kind == OPERAND_OUTPUT) return false;
  if (o->view) return true;
  int var = facts_skip_aliases(k->m->facts, o->var);
  return var >= 0 && k->m->facts->vars.at[var].made == MADE_VIEW;
}

static const char *read_passed(checker *k, const site *s, const argument *arg, passed *p) {
  int root;
  const char *why = "it is a view whose place is not known";
  p->offset = sizes_offset_of_argument(k->sizes, arg, s->call->offset, &root);
  const fact_var *v = root >= 0 ? &k->m->facts->vars.at[root] : NULL;
  if (!v || !p->offset || !view_read(&p->v, k->sizes, k->m, arg, s->call->offset)) return why;
  if (v->made != MADE_INPUT && v->made != MADE_WEIGHT &&
      !storage_at(k->m->storage, root)->allocated && !sizes_is_made(k->sizes, root))
    return "an operator makes it";
  const poly *rest = sizes_of_argument(k->sizes, arg, s->call->offset, &why);
  p->elements = poly_add(k->s, rest, p->offset);
  p->last = p->offset;
  for (int i = 0; i < p->v.n; i++)
    p->last = poly_add(k->s, p->last,
                       poly_multiply(k->s, poly_less_one(k->s, p->v.sizes[i]), p->v.strides[i]));
  return p->elements && p->last ? NULL : why;
}

/* A view without elements may lie anywhere. */
static bool try_passed(checker *k, const void *data, violation *w) {
  const passed *p = data;
  int64_t offset, elements, size, stride, last;
  if (!checker_value(k, p->offset, &offset) || !checker_value(k, p->elements, &elements) ||
      elements <= 0)
    return false;
  last = offset;
  for (int i = 0; i < p->v.n; i++) {
    if (!checker_value(k, p->v.sizes[i], &size) || size <= 0 ||
        !checker_value(k, p->v.strides[i], &stride) || stride < 0)
      return false;
    if (__builtin_mul_overflow(stride, size - 1, &stride) ||
        __builtin_add_overflow(last, stride, &last))
      return false;
  }
  *w = (violation){.index = offset < 0 ? offset : last, .elements = elements, .text = ""};
  return offset < 0 || last >= elements;
}

static bool is_inside(checker *k, const passed *p) {
  bool inside = poly_is_natural(k->s, p->offset) &&
                poly_is_at_most(k->s, p->last, poly_less_one(k->s, p->elements));
  for (int i = 0; i < p->v.n; i++) inside = inside && poly_is_natural(k->s, p->v.strides[i]);
  return inside;
}

/* Tries again, with no size 0. */
static bool is_inside_at_all(checker *k, const passed *p) {
  short list[SYMBOLS_POSITIVE_MAX];
  int n = 0;
  for (int i = 0; i < p->v.n && n < SYMBOLS_POSITIVE_MAX; i++) {
    const poly *x = p->v.sizes[i];
    bool single = x->n == 1 && x->at[0].n == 1 && x->at[0].factor > 0;
    if (single && k->s->list.at[x->at[0].symbols[0]].low == 0) list[n++] = x->at[0].symbols[0];
  }
  if (!n) return false;
  unsigned before = symbols_assume_positive(k->s, list, n);
  bool inside = is_inside(k, p);
  symbols_release_positive(k->s, list, n, before);
  return inside;
}

static void check_passed(checker *k, const site *s, const argument *arg) {
  passed p = {.v.n = 0};
  checker_example e = {0};
  const char *why = read_passed(k, s, arg, &p);
  bool proved = !why && (is_inside(k, &p) || is_inside_at_all(k, &p));
  bool found = !why && !proved && checker_find_example(k, try_passed, &p, &e);
  finding *f = checker_add(k, NULL, FINDING_VIEW,
                           proved                ? VERDICT_PROVED
                           : found && !e.counted ? VERDICT_REFUTED
                                                 : VERDICT_UNDECIDED);
  f->argument = arg->name;
  f->low = p.offset && !why ? poly_format(k->s, p.offset, k->a) : NULL;
  f->high = p.last && !why ? poly_format(k->s, p.last, k->a) : NULL;
  f->elements = p.elements && !why ? poly_format(k->s, p.elements, k->a) : NULL;
  if (found)
    f->why = arena_printf(k->a, "%s%s[%lld] of %lld%s", e.text, arg->name, (long long)e.w.index,
                          (long long)e.w.elements, e.counted ? ", if a run gives these sizes" : "");
  else if (!proved)
    f->why = why ? arena_printf(k->a, "the length of its memory is not known: %s", why)
                 : "the bounds that were found are wider than its memory";
  if (found && e.counted)
    f->would = arena_printf(k->a, "which values %s may have beside the other sizes", e.counted);
}

void passed_check(checker *k, const site *s) {
  if (s->flags & AOTIGEN_KERNEL) return;
  for (size_t i = 0; i < s->args.n; i++)
    if (is_view(k, &s->args.at[i])) check_passed(k, s, &s->args.at[i]);
}

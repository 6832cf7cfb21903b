/* shape_inference.c - how many elements an operator's output has: see sizes_reader.h. */
#include "sizes/shape_rules.h"
#include "model/expected.h"
#include "model/storage.h"
#include "parse/lex.h"
#include "sizes/sizes_reader.h"
#include <stdlib.h>
#include <string.h>

/* MAKERS_MAX: operators that are looked at for one tensor, each of which made an argument of
 * another one. */
enum { MAKERS_MAX = 400, MAKER_SEVERAL = -1 };

static int read_made(const inference *user, int root, const poly **to);

/* ---- what a call is given ------------------------------------------------------------------- */

/* The end of an argument: std::array<int64_t, 2> has a comma of its own. */
static size_t find_comma(const char *text, size_t at, size_t end) {
  int depth = 0;
  for (size_t from = at;; from++) {
    size_t comma = lex_find(text, from, end, ',');
    for (; from < comma; from++) depth += (text[from] == '<') - (text[from] == '>');
    if (depth <= 0 || comma >= end) return comma;
  }
}

static void read_texts(inference *k) {
  const char *text = k->m->facts->text;
  size_t at = k->op->call->open + 1, end = k->op->call->close;
  while (at < end && k->n < SHAPE_ARGUMENTS) {
    size_t comma = find_comma(text, at, end);
    k->texts[k->n++] = (span){lex_skip_space(text, at, end), comma};
    at = comma + 1;
  }
}

bool shape_read_integer(const inference *k, int param, int64_t *to) {
  if (param >= k->n) return false;
  char *end;
  const char *all = k->m->facts->text, *text = all + k->texts[param].begin;
  *to = strtoll(text, &end, 10);
  if (end == text) return false;
  while (*end == 'L') end++;
  return lex_skip_space(all, (size_t)(end - all), k->texts[param].end) == k->texts[param].end;
}

/* The text between the braces of std::array<int64_t, 2>{1L, 1L}.cbegin(); false for another one. */
static bool find_list(const inference *k, int param, span *list) {
  const char *text = k->m->facts->text;
  if (param >= k->n) return false;
  size_t open = k->texts[param].begin, end = k->texts[param].end;
  while (open < end && text[open] != '{') open++;
  if (open == end) return false;
  *list = (span){lex_skip_space(text, open + 1, end), lex_match(text, open, end)};
  return true;
}

bool shape_read_integers(const inference *k, int param, int n, int64_t *to) {
  span list;
  if (!find_list(k, param, &list) ||
      storage_read_numbers(k->m->facts->text, list.begin, list.end, to, n) != n)
    return false;
  for (int j = 0; j < n; j++)
    if (to[j] == INT64_MIN) return false; /* not a number */
  return true;
}

const poly *shape_read_size(const inference *k, int param) {
  return param < k->n ? sizes_read_text(k->z, k->texts[param], k->op->call->offset) : NULL;
}

int shape_read_sizes(const inference *k, int param, const poly **to) {
  span list;
  if (!find_list(k, param, &list)) return -1;
  return sizes_read_list(k->z, k->m->facts->text + list.begin, list.end - list.begin,
                         k->op->call->offset, to, SHAPE_DIMS);
}

static int read_input(inference *k, const model_input *in, const poly **to) {
  if (in->ndim < 0 || in->ndim > SHAPE_DIMS || in->unranked) return -1;
  for (int i = 0; i < in->ndim; i++) to[i] = sizes_of_dim(k->z, &in->dims[i]);
  return in->ndim;
}

/* The variable that was given the tensor that `var` holds: `var` is another name of it, or a second
 * handle. -1 where a variable on the way may hold another tensor, or is a view by a call. */
static int skip_names(const inference *k, int var) {
  storage_walk w = storage_walk_from(k->m->storage, var);
  for (; w.var >= 0; storage_walk_on(&w)) {
    const fact_var *v = &k->m->facts->vars.at[w.var];
    const storage_entry *e = storage_at(k->m->storage, w.var);
    if (sizes_is_assigned(k->z, w.var)) return -1;
    if (v->made == MADE_ALIAS || storage_is_same(e)) continue;
    return e->via && !e->allocated ? -1 : w.var;
  }
  return -1;
}

int shape_of_tensor(inference *k, const argument *x, const poly **to) {
  if (!x->operand || x->operand->var < 0) return -1;
  if (x->operand->view)
    return sizes_read_array(k->z, x->operand->view[2], k->op->call->offset, to, SHAPE_DIMS);
  int var = skip_names(k, x->operand->var);
  if (var < 0) return -1;
  const fact_var *v = &k->m->facts->vars.at[var];
  if (v->made == MADE_VIEW) return sizes_read_array(k->z, v->view[2], v->declared, to, SHAPE_DIMS);
  if (v->made == MADE_INPUT && v->from >= 0 && (size_t)v->from < k->m->inputs.n)
    return read_input(k, &k->m->inputs.at[v->from], to);
  const char *list = NULL;
  const storage_entry *e = storage_at(k->m->storage, var);
  if (v->made == MADE_WEIGHT && v->from >= 0 && (size_t)v->from < k->m->weights.n)
    list = k->m->weights.at[v->from].shape;
  else if (e->allocated)
    list = e->sizes;
  if (list) return sizes_read_list(k->z, list, strlen(list), e->offset, to, SHAPE_DIMS);
  return read_made(k, var, to);
}

int shape_of_argument(inference *k, int param, const poly **to) {
  for (size_t i = 0; i < k->op->args.n; i++)
    if (k->op->args.at[i].param == param) return shape_of_tensor(k, &k->op->args.at[i], to);
  return -1;
}

/* ---- what a call makes ---------------------------------------------------------------------- */

void shape_inference_begin(sizes *z) {
  const model *m = z->m;
  z->makers = arena_alloc(z->s->a, (m->facts->vars.n + 1) * sizeof *z->makers);
  for (size_t i = 0; i < m->sites.n; i++) {
    int output = 0;
    for (size_t k = 0; k < m->sites.at[i].args.n; k++) {
      const argument *x = &m->sites.at[i].args.at[k];
      if (!expected_is_made(z->storage, &m->sites.at[i], x)) continue;
      struct maker *made = &z->makers[x->root];
      *made = made->site ? (struct maker){.site = MAKER_SEVERAL}
                         : (struct maker){(int)i + 1, output, x};
      output++;
    }
  }
}

static const struct maker *find_maker(const sizes *z, int root) {
  const struct maker *made = root >= 0 ? &z->makers[root] : NULL;
  return made && made->site > 0 ? made : NULL;
}

/* The dimensions of the tensor that a call made as the memory's owner. */
static int read_made(const inference *user, int root, const poly **to) {
  static const char *const begin[] = {"aoti_torch_cpu_", "aoti_torch_cuda_"};
  const struct maker *made = find_maker(user->z, root);
  if (!made || !*user->left) return -1;
  --*user->left;
  inference k = {.z = user->z,
                 .s = user->s,
                 .m = user->m,
                 .op = &user->m->sites.at[made->site - 1],
                 .left = user->left};
  const char *name = k.op->call->callee;
  for (int i = 0; i < 2; i++)
    if (text_begins(name, begin[i])) name += strlen(begin[i]);
  read_texts(&k);
  return shape_of_output(&k, name, made->output, to);
}

static const poly *count_elements(symbols *s, const poly *const *dims, int n) {
  const poly *all = n >= 0 ? poly_number(s, 1) : NULL;
  for (int i = 0; i < n; i++) all = poly_multiply(s, all, dims[i]);
  return all;
}

/* What the wrapper says of an output: assert_size_stride. */
static const poly *count_asserted(sizes *z, const expected *e) {
  const poly *sum = e && e->ndim >= 0 ? poly_number(z->s, 1) : NULL;
  for (int i = 0; sum && i < e->ndim; i++) {
    const aotigen_dim *d = &e->dims[i];
    bool known = d->min == d->max && d->min >= 0 && d->stride >= 0 && d->stride != AOTIGEN_ANY;
    if (!known) return NULL;
    if (!d->min) return poly_number(z->s, 0);
    sum =
        poly_add(z->s, sum,
                 poly_multiply(z->s, poly_number(z->s, d->min - 1), poly_number(z->s, d->stride)));
  }
  return sum;
}

const poly *shape_inference_elements(sizes *z, int root) {
  const poly *dims[SHAPE_DIMS] = {0};
  const struct maker *made = find_maker(z, root);
  int left = MAKERS_MAX;
  inference k = {.z = z, .s = z->s, .m = z->m, .left = &left};
  const poly *n = made ? count_elements(z->s, dims, read_made(&k, root, dims)) : NULL;
  return n || !made ? n : count_asserted(z, made->arg->expected);
}

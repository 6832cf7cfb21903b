/* shape_inference.c - see sizes.h. */
#include "sizes/sizes.h"
#include "model/storage.h"
#include "parse/lex.h"
#include <stdlib.h>
#include <string.h>

/* MAKERS_MAX: operators that are looked at for one argument, each of which made an argument of
 * another one. */
enum { DIMS = 8, ARGUMENTS = 16, MAKERS_MAX = 400 };

typedef struct inference {
  sizes *z;
  symbols *s;
  const model *m;
  const site *op;
  span texts[ARGUMENTS]; /* the text of each argument */
  int n;
  int *left; /* of MAKERS_MAX */
} inference;

static int read_made(const inference *user, int maker, const poly **to);

/* ---- what it is given ----------------------------------------------------------------------- */

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
  while (at < end && k->n < ARGUMENTS) {
    size_t comma = find_comma(text, at, end);
    k->texts[k->n++] = (span){lex_skip_space(text, at, end), comma};
    at = comma + 1;
  }
}

static bool read_integer(const inference *k, int i, int64_t *to) {
  if (i >= k->n) return false;
  char *end;
  const char *all = k->m->facts->text, *text = all + k->texts[i].begin;
  *to = strtoll(text, &end, 10);
  if (end == text) return false;
  while (*end == 'L') end++;
  return lex_skip_space(all, (size_t)(end - all), k->texts[i].end) == k->texts[i].end;
}

/* The elements of std::array<int64_t, 2>{1L, 1L}.cbegin(). */
static bool read_integers(const inference *k, int i, int n, int64_t *to) {
  const char *text = k->m->facts->text;
  if (i >= k->n) return false;
  size_t open = k->texts[i].begin;
  while (open < k->texts[i].end && text[open] != '{') open++;
  if (open == k->texts[i].end ||
      storage_read_numbers(text, open + 1, lex_match(text, open, k->texts[i].end), to, n) != n)
    return false;
  for (int j = 0; j < n; j++)
    if (to[j] == INT64_MIN) return false; /* not a number */
  return true;
}

static int read_input(inference *k, const model_input *in, const poly **to) {
  if (in->ndim < 0 || in->ndim > DIMS || in->unranked) return -1;
  for (int i = 0; i < in->ndim; i++) {
    const aotigen_dim *d = &in->dims[i];
    to[i] = NULL;
    if (d->min == d->max && d->min != AOTIGEN_ANY)
      to[i] = poly_number(k->s, d->min);
    else if (d->symbol)
      to[i] = sizes_read(k->z, d->symbol, strlen(d->symbol), 0);
  }
  return in->ndim;
}

/* The dimensions of a tensor; -1 where they are not known. */
static int read_dims(inference *k, int param, const poly **to) {
  const facts *f = k->m->facts;
  const argument *x = NULL;
  for (size_t i = 0; i < k->op->args.n; i++)
    if (k->op->args.at[i].param == param) x = &k->op->args.at[i];
  if (!x || !x->operand || x->operand->var < 0) return -1;
  if (x->operand->view)
    return sizes_read_array(k->z, x->operand->view[2], k->op->call->offset, to, DIMS);
  int var = facts_skip_aliases(f, x->operand->var);
  if (var < 0) return -1;
  const fact_var *v = &f->vars.at[var];
  if (v->made == MADE_VIEW) return sizes_read_array(k->z, v->view[2], v->declared, to, DIMS);
  if (v->made == MADE_INPUT && v->from >= 0 && (size_t)v->from < k->m->inputs.n)
    return read_input(k, &k->m->inputs.at[v->from], to);
  const char *list = NULL;
  const storage_entry *e = storage_at(k->m->storage, var);
  if (v->made == MADE_WEIGHT && v->from >= 0 && (size_t)v->from < k->m->weights.n)
    list = k->m->weights.at[v->from].shape;
  else if (e->allocated)
    list = e->sizes;
  if (list) return sizes_read_list(k->z, list, strlen(list), e->offset, to, DIMS);
  return read_made(k, x->maker, to);
}

/* ---- what it makes -------------------------------------------------------------------------- */

static const poly *count(inference *k, const poly *const *dims, int n) {
  const poly *all = n >= 0 ? poly_number(k->s, 1) : NULL;
  for (int i = 0; i < n; i++) all = poly_multiply(k->s, all, dims[i]);
  return all;
}

/* (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1 */
static const poly *slide(inference *k, const poly *size, const poly *kernel, const int64_t *by) {
  const poly *one = poly_number(k->s, 1);
  const poly *wide =
      poly_multiply(k->s, poly_subtract(k->s, kernel, one), poly_number(k->s, by[2]));
  const poly *room =
      poly_subtract(k->s, poly_add(k->s, size, poly_number(k->s, 2 * by[1] - 1)), wide);
  if (by[0] <= 0 || !poly_is_natural(k->s, room)) return NULL;
  return poly_add(k->s, poly_divide(k->s, room, poly_number(k->s, by[0])), one);
}

/* (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1, of a transposed one */
static const poly *spread(inference *k, const poly *size, const poly *kernel, const int64_t *by) {
  const poly *one = poly_number(k->s, 1);
  const poly *apart = poly_multiply(k->s, poly_subtract(k->s, size, one), poly_number(k->s, by[0]));
  const poly *wide =
      poly_multiply(k->s, poly_subtract(k->s, kernel, one), poly_number(k->s, by[2]));
  return poly_add(k->s, poly_add(k->s, apart, wide), poly_number(k->s, by[3] - 2 * by[1] + 1));
}

/* The greatest number that a step, padding or dilation may be. */
enum { STEP_MAX = 1 << 20 };

static bool read_steps(const inference *k, int n, int64_t by[4][DIMS]) {
  static const int at[] = {3, 5, 7, 10};
  for (int i = 0; i < 4; i++) {
    if (!read_integers(k, at[i], n, by[i])) return false;
    for (int j = 0; j < n; j++)
      if (by[i][j] < 0 || by[i][j] > STEP_MAX) return false;
  }
  return true;
}

/* convolution(input, weight, bias, stride, n, padding, n, dilation, n, transposed, more, n,
 * groups, ...) */
static int read_convolution(inference *k, const poly **out) {
  const poly *in[DIMS] = {0}, *kernel[DIMS] = {0};
  int64_t by[4][DIMS], transposed, groups;
  int n = read_dims(k, 0, in);
  if (n < 3 || read_dims(k, 1, kernel) != n || !read_integer(k, 9, &transposed) ||
      !read_integer(k, 12, &groups) || groups <= 0 || !read_steps(k, n - 2, by))
    return -1;
  out[0] = in[0];
  out[1] = transposed ? poly_multiply(k->s, kernel[1], poly_number(k->s, groups)) : kernel[0];
  for (int i = 2; i < n; i++) {
    const int64_t one[] = {by[0][i - 2], by[1][i - 2], by[2][i - 2], by[3][i - 2]};
    out[i] = (transposed ? spread : slide)(k, in[i], kernel[i], one);
  }
  return n;
}

/* topk(self, k, dim, ...) */
static int read_topk(inference *k, const poly **out) {
  int64_t kept, axis;
  int n = read_dims(k, 0, out);
  if (n < 1 || !read_integer(k, 1, &kept) || !read_integer(k, 2, &axis)) return -1;
  if (axis < 0) axis += n;
  if (axis < 0 || axis >= n) return -1;
  out[axis] = poly_number(k->s, kept);
  return n;
}

/* As many as in its first argument. */
static bool keeps_size(const char *name) {
  static const char *const names[] = {"cumsum", "cumprod", "logcumsumexp",     "sort_stable",
                                      "sort",   "argsort", "bucketize_Tensor", NULL};
  return strings_index(names, name) >= 0;
}

/* The dimensions of the operator's output; -1 where they are not known. */
static int read_output(inference *k, const poly **out) {
  const char *name = k->op->call->callee;
  static const char *const begin[] = {"aoti_torch_cpu_", "aoti_torch_cuda_"};
  for (int i = 0; i < 2; i++)
    if (text_begins(name, begin[i])) name += strlen(begin[i]);
  read_texts(k);
  if (strcmp(name, "convolution") == 0) return read_convolution(k, out);
  if (strcmp(name, "topk") == 0) return read_topk(k, out);
  return keeps_size(name) ? read_dims(k, 0, out) : -1;
}

/* What the operator made that made the argument of another one. */
static int read_made(const inference *user, int maker, const poly **to) {
  if (maker < 0 || !*user->left) return -1;
  --*user->left;
  inference k = {.z = user->z,
                 .s = user->s,
                 .m = user->m,
                 .op = &user->m->sites.at[maker],
                 .left = user->left};
  return read_output(&k, to);
}

const poly *shape_inference_elements(sizes *z, symbols *s, const model *m, const argument *arg) {
  bool whole = arg->maker >= 0 && arg->operand && !arg->operand->view;
  if (!whole) return NULL;
  if (arg->operand->var >= 0) {
    int var = facts_skip_aliases(m->facts, arg->operand->var);
    if (var < 0 || m->facts->vars.at[var].made == MADE_VIEW) return NULL;
  }
  int left = MAKERS_MAX;
  inference k = {.z = z, .s = s, .m = m, .op = &m->sites.at[arg->maker], .left = &left};
  const poly *out[DIMS] = {0};
  return count(&k, out, read_output(&k, out));
}

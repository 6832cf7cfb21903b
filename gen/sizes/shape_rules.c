/* shape_rules.c - see shape_rules.h. A rule gives the dimensions of an operator's outputs by its
 * arguments, as the operator itself computes them. */
#include "sizes/shape_rules.h"
#include <string.h>

/* An operator, and what its rule needs to know. */
typedef struct shape_rule shape_rule;
struct shape_rule {
  const char *name;
  int (*read)(inference *k, const shape_rule *rule, const poly **to);
  int outputs;   /* the first so many have these dimensions */
  int at, other; /* numbers of arguments */
  int n;         /* a number of dimensions */
};

static const poly *number(inference *k, int64_t n) { return poly_number(k->s, n); }

/* ---- the dimensions of an argument ---------------------------------------------------------- */

/* Those of argument `at`. */
static int keep(inference *k, const shape_rule *r, const poly **to) {
  return shape_of_argument(k, r->at, to);
}

/* Those of `at` and `other`, broadcast. */
static int broadcast(inference *k, const shape_rule *r, const poly **to) {
  const poly *x[SHAPE_DIMS] = {0}, *y[SHAPE_DIMS] = {0};
  int n = shape_of_argument(k, r->at, x), m = shape_of_argument(k, r->other, y);
  if (n < 0 || m < 0) return -1;
  int all = n > m ? n : m;
  for (int i = 1; i <= all; i++) {
    const poly *a = i <= n ? x[n - i] : number(k, 1), *b = i <= m ? y[m - i] : number(k, 1);
    bool first = (a && b && poly_is_same(a, b)) || (b && poly_is(b, 1));
    to[all - i] = first ? a : a && poly_is(a, 1) ? b : NULL;
  }
  return all;
}

/* Those of `at`, with the last ones from the list `other`. */
static int resize(inference *k, const shape_rule *r, const poly **to) {
  const poly *list[SHAPE_DIMS] = {0};
  int n = shape_of_argument(k, r->at, to), m = shape_read_sizes(k, r->other, list);
  if (m != r->n || n < m) return -1;
  for (int i = 0; i < m; i++) to[n - m + i] = list[i];
  return n;
}

/* The list `at`. */
static int list(inference *k, const shape_rule *r, const poly **to) {
  return shape_read_sizes(k, r->at, to);
}

/* One dimension of the size that is argument `at`. */
static int length(inference *k, const shape_rule *r, const poly **to) {
  to[0] = shape_read_size(k, r->at);
  return 1;
}

static int nothing(inference *k, const shape_rule *r, const poly **to) {
  (void)k, (void)r, (void)to;
  return 0;
}

/* An axis of n dimensions that an argument gives; -1 for another value. */
static int read_axis(inference *k, int param, int n) {
  int64_t axis;
  if (!shape_read_integer(k, param, &axis) || axis < -n || axis >= n) return -1;
  return (int)(axis < 0 ? axis + n : axis);
}

/* topk(self, k, dim, ...) */
static int topk(inference *k, const shape_rule *r, const poly **to) {
  int n = shape_of_argument(k, r->at, to), axis = n > 0 ? read_axis(k, 2, n) : -1;
  if (axis < 0) return -1;
  to[axis] = shape_read_size(k, 1);
  return n;
}

/* The axis `other` is left out; kept with one element if the argument behind it is true. */
static int reduce(inference *k, const shape_rule *r, const poly **to) {
  int64_t keeps;
  int n = shape_of_argument(k, r->at, to), axis = n > 0 ? read_axis(k, r->other, n) : -1;
  if (axis < 0 || !shape_read_integer(k, r->other + 1, &keeps)) return -1;
  to[axis] = number(k, 1);
  if (keeps) return n;
  for (int i = axis; i + 1 < n; i++) to[i] = to[i + 1];
  return n - 1;
}

/* nonzero_static(self, size, ...) */
static int nonzero_static(inference *k, const shape_rule *r, const poly **to) {
  const poly *in[SHAPE_DIMS] = {0};
  int n = shape_of_argument(k, r->at, in);
  to[0] = shape_read_size(k, 1);
  to[1] = number(k, n);
  return n < 0 ? -1 : 2;
}

/* pad(self, [pad], ...): before and after the last dimension, then before and after the one before
 * it. */
static int pad(inference *k, const shape_rule *r, const poly **to) {
  const poly *by[SHAPE_DIMS] = {0};
  int n = shape_of_argument(k, r->at, to), m = shape_read_sizes(k, 1, by);
  if (m < 0 || m % 2 || m / 2 > n) return -1;
  for (int i = 0; i < m; i++) to[n - 1 - i / 2] = poly_add(k->s, to[n - 1 - i / 2], by[i]);
  return n;
}

/* cat([tensors], dim): each has as many dimensions, and differs in that one alone. */
static int cat(inference *k, const shape_rule *r, const poly **to) {
  int n = -1, axis = -1;
  for (size_t i = 0; i < k->op->args.n; i++) {
    const argument *x = &k->op->args.at[i];
    const poly *in[SHAPE_DIMS] = {0};
    if (x->param != r->at) continue;
    int m = shape_of_tensor(k, x, in);
    if (m <= 0 || (n >= 0 && m != n)) return -1;
    if (n < 0 && (axis = read_axis(k, 2, m)) < 0) return -1;
    if (n < 0)
      memcpy(to, in, (size_t)m * sizeof *in);
    else
      to[axis] = poly_add(k->s, to[axis], in[axis]);
    n = m;
  }
  return n;
}

/* ---- products ------------------------------------------------------------------------------- */

/* The rows of `at` and the columns of `other`. */
static int multiply(inference *k, const shape_rule *r, const poly **to) {
  const poly *x[SHAPE_DIMS] = {0}, *y[SHAPE_DIMS] = {0};
  if (shape_of_argument(k, r->at, x) != r->n || shape_of_argument(k, r->other, y) != r->n)
    return -1;
  to[0] = x[r->n - 2];
  to[1] = y[r->n - 1];
  return 2;
}

/* The rows of `at` and of `other`, of which the second is packed by columns. */
static int multiply_packed(inference *k, const shape_rule *r, const poly **to) {
  const poly *x[SHAPE_DIMS] = {0}, *y[SHAPE_DIMS] = {0};
  if (shape_of_argument(k, r->at, x) != 2 || shape_of_argument(k, r->other, y) != 2) return -1;
  to[0] = x[0];
  to[1] = y[0];
  return 2;
}

/* addmv(self, mat, vec, ...) */
static int multiply_vector(inference *k, const shape_rule *r, const poly **to) {
  const poly *x[SHAPE_DIMS] = {0};
  if (shape_of_argument(k, r->at, x) != 2) return -1;
  to[0] = x[0];
  return 1;
}

/* query[B, H, L, E], key[B, H, S, E], value[B, H, S, Ev]: [B, H, L, Ev] */
static int attention(inference *k, const shape_rule *r, const poly **to) {
  const poly *value[SHAPE_DIMS] = {0};
  if (shape_of_argument(k, 0, to) != 4 || shape_of_argument(k, 2, value) != 4) return -1;
  to[3] = value[3];
  return r->n;
}

/* _embedding_bag(weight, indices, offsets, ..., include_last_offset, ...): a row for each bag. */
static int embedding_bag(inference *k, const shape_rule *r, const poly **to) {
  const poly *rows[SHAPE_DIMS] = {0}, *offsets[SHAPE_DIMS] = {0};
  int64_t last;
  if (shape_of_argument(k, 0, rows) != 2 || shape_of_argument(k, 2, offsets) != 1 ||
      !shape_read_integer(k, r->other, &last))
    return -1;
  to[0] = last ? poly_less_one(k->s, offsets[0]) : offsets[0];
  to[1] = rows[1];
  return 2;
}

/* ---- windows -------------------------------------------------------------------------------- */

enum { STRIDE, PADDING, DILATION, MORE };

/* (size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1 */
static const poly *slide(inference *k, const poly *size, const poly *kernel, const int64_t *by) {
  const poly *wide =
      poly_multiply(k->s, poly_subtract(k->s, kernel, number(k, 1)), number(k, by[DILATION]));
  const poly *room =
      poly_subtract(k->s, poly_add(k->s, size, number(k, 2 * by[PADDING] - 1)), wide);
  if (by[STRIDE] <= 0 || !poly_is_natural(k->s, room)) return NULL;
  return poly_add(k->s, poly_divide(k->s, room, number(k, by[STRIDE])), number(k, 1));
}

/* (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1, of a transposed one */
static const poly *spread(inference *k, const poly *size, const poly *kernel, const int64_t *by) {
  const poly *one = number(k, 1);
  const poly *apart = poly_multiply(k->s, poly_subtract(k->s, size, one), number(k, by[STRIDE]));
  const poly *wide = poly_multiply(k->s, poly_subtract(k->s, kernel, one), number(k, by[DILATION]));
  return poly_add(k->s, poly_add(k->s, apart, wide), number(k, by[MORE] - 2 * by[PADDING] + 1));
}

/* The greatest number that a step, padding or dilation may be. */
enum { STEP_MAX = 1 << 20 };

static bool are_steps(const int64_t *by, int n) {
  for (int i = 0; i < n; i++)
    if (by[i] < 0 || by[i] > STEP_MAX) return false;
  return true;
}

static bool read_steps(const inference *k, int n, int64_t by[4][SHAPE_DIMS]) {
  static const int at[] = {3, 5, 7, 10};
  for (int i = 0; i < 4; i++)
    if (!shape_read_integers(k, at[i], n, by[i]) || !are_steps(by[i], n)) return false;
  return true;
}

/* convolution(input, weight, bias, stride, n, padding, n, dilation, n, transposed, more, n,
 * groups, ...) */
static int convolution(inference *k, const shape_rule *r, const poly **to) {
  const poly *in[SHAPE_DIMS] = {0}, *kernel[SHAPE_DIMS] = {0};
  int64_t by[4][SHAPE_DIMS], transposed, groups;
  int n = shape_of_argument(k, r->at, in);
  if (n < 3 || shape_of_argument(k, 1, kernel) != n || !shape_read_integer(k, 9, &transposed) ||
      !shape_read_integer(k, 12, &groups) || groups <= 0 || !read_steps(k, n - 2, by))
    return -1;
  to[0] = in[0];
  to[1] = transposed ? poly_multiply(k->s, kernel[1], number(k, groups)) : kernel[0];
  for (int i = 2; i < n; i++) {
    const int64_t one[] = {by[0][i - 2], by[1][i - 2], by[2][i - 2], by[3][i - 2]};
    to[i] = (transposed ? spread : slide)(k, in[i], kernel[i], one);
  }
  return n;
}

/* A list of n steps, or of one for all axes. */
static bool read_window(const inference *k, int param, int n, int64_t *to) {
  if (!shape_read_integers(k, param, n, to)) {
    if (!shape_read_integers(k, param, 1, to)) return false;
    for (int i = 1; i < n; i++) to[i] = to[0];
  }
  return are_steps(to, n);
}

/* A window that is only partly within the padded size counts, if it begins within it. */
static const poly *slide_up(inference *k, const poly *size, int64_t kernel, const int64_t *by) {
  int64_t n;
  if (!poly_is_number(size, &n) || n < 0 || n > INT32_MAX || by[STRIDE] <= 0) return NULL;
  const int64_t room = n + 2 * by[PADDING] - by[DILATION] * (kernel - 1) - 1;
  if (room < 0) return NULL;
  int64_t count = (room + by[STRIDE] - 1) / by[STRIDE] + 1;
  if ((count - 1) * by[STRIDE] >= n + by[PADDING]) count--;
  return number(k, count);
}

/* max_pool2d_with_indices(self, kernel, n, stride, n, padding, n, dilation, n, ceil_mode, ...),
 * and avg_pool2d without dilation. other: the number of `ceil_mode`. A list of strides without
 * elements stands for the kernel's. */
static int pool(inference *k, const shape_rule *r, const poly **to) {
  int64_t kernel[SHAPE_DIMS], by[3][SHAPE_DIMS], up;
  int n = shape_of_argument(k, r->at, to);
  if (n < r->n || !read_window(k, 1, r->n, kernel) || !read_window(k, 5, r->n, by[PADDING]) ||
      !shape_read_integer(k, r->other, &up))
    return -1;
  if (shape_read_integers(k, 3, 0, by[STRIDE]))
    memcpy(by[STRIDE], kernel, sizeof kernel);
  else if (!read_window(k, 3, r->n, by[STRIDE]))
    return -1;
  for (int i = 0; i < r->n; i++) by[DILATION][i] = 1;
  if (r->other > 7 && !read_window(k, 7, r->n, by[DILATION])) return -1;
  for (int i = 0; i < r->n; i++) {
    const poly **size = &to[n - r->n + i];
    const int64_t one[] = {by[STRIDE][i], by[PADDING][i], by[DILATION][i]};
    *size = up ? slide_up(k, *size, kernel[i], one) : slide(k, *size, number(k, kernel[i]), one);
  }
  return n;
}

/* ---- the operators -------------------------------------------------------------------------- */

static const shape_rule rules[] = {
    {"convolution", convolution, 1, 0, 0, 0},
    {"max_pool2d_with_indices", pool, 2, 0, 9, 2},
    {"max_pool3d_with_indices", pool, 2, 0, 9, 3},
    {"avg_pool2d", pool, 1, 0, 7, 2},
    {"avg_pool3d", pool, 1, 0, 7, 3},
    {"_adaptive_avg_pool2d", resize, 1, 0, 1, 2},
    {"_adaptive_avg_pool3d", resize, 1, 0, 1, 3},
    {"adaptive_max_pool2d", resize, 2, 0, 1, 2},
    {"adaptive_max_pool3d", resize, 2, 0, 1, 3},
    {"fractional_max_pool2d", resize, 2, 0, 3, 2},
    {"fractional_max_pool3d", resize, 2, 0, 3, 3},
    {"max_unpool2d", resize, 1, 0, 2, 2},
    {"max_unpool3d", resize, 1, 0, 2, 3},
    {"cat", cat, 1, 0, 0, 0},
    {"pad", pad, 1, 0, 0, 0},
    {"_scaled_dot_product_cudnn_attention", attention, 1, 0, 0, 4},
    {"_scaled_dot_product_efficient_attention", attention, 1, 0, 0, 4},
    {"_scaled_dot_product_flash_attention", attention, 1, 0, 0, 4},
    {"_scaled_dot_product_flash_attention_for_cpu", attention, 1, 0, 0, 4},
    {"_scaled_dot_product_fused_attention_overrideable", attention, 1, 0, 0, 4},
    {"_embedding_bag", embedding_bag, 1, 0, 7, 0},
    {"_embedding_bag_forward_only", embedding_bag, 1, 0, 7, 0},
    {"_scaled_mm", multiply, 1, 0, 1, 2},
    {"_addmm_activation", multiply, 1, 1, 2, 2},
    {"addbmm", multiply, 1, 1, 2, 3},
    {"_weight_int8pack_mm", multiply_packed, 1, 0, 1, 2},
    {"addmv", multiply_vector, 1, 1, 0, 0},
    {"topk", topk, 2, 0, 0, 0},
    {"kthvalue", reduce, 2, 0, 2, 0},
    {"mode", reduce, 2, 0, 1, 0},
    {"median", nothing, 1, 0, 0, 0},
    {"nanmedian", nothing, 1, 0, 0, 0},
    {"sort", keep, 2, 0, 0, 0},
    {"sort_stable", keep, 2, 0, 0, 0},
    {"argsort", keep, 1, 0, 0, 0},
    {"cummax", keep, 2, 0, 0, 0},
    {"cummin", keep, 2, 0, 0, 0},
    {"cumprod", keep, 1, 0, 0, 0},
    {"cumsum", keep, 1, 0, 0, 0},
    {"logcumsumexp", keep, 1, 0, 0, 0},
    {"bucketize_Tensor", keep, 1, 0, 0, 0},
    {"searchsorted_Tensor", keep, 1, 1, 0, 0},
    {"_fft_c2c", keep, 1, 0, 0, 0},
    {"_fused_rms_norm", keep, 1, 0, 0, 0},
    {"native_dropout", keep, 2, 0, 0, 0},
    {"index_put", keep, 1, 0, 0, 0},
    {"index_reduce", keep, 1, 0, 0, 0},
    {"exponential", keep, 1, 0, 0, 0},
    {"normal_functional", keep, 1, 0, 0, 0},
    {"uniform", keep, 1, 0, 0, 0},
    {"abs", keep, 1, 0, 0, 0},
    {"angle", keep, 1, 0, 0, 0},
    {"add_Scalar", keep, 1, 0, 0, 0},
    {"mul_Scalar", keep, 1, 0, 0, 0},
    {"pow_Tensor_Scalar", keep, 1, 0, 0, 0},
    {"pow_Scalar", keep, 1, 1, 0, 0},
    {"add_Tensor", broadcast, 1, 0, 1, 0},
    {"mul_Tensor", broadcast, 1, 0, 1, 0},
    {"pow_Tensor_Tensor", broadcast, 1, 0, 1, 0},
    {"gcd", broadcast, 1, 0, 1, 0},
    {"polar", broadcast, 1, 0, 1, 0},
    {"masked_scatter", broadcast, 1, 0, 1, 0},
    {"nonzero_static", nonzero_static, 1, 0, 0, 0},
    {"histc", length, 1, 1, 0, 0},
    {"hann_window", length, 1, 0, 0, 0},
    {"randperm", length, 1, 0, 0, 0},
    {"rand", list, 1, 0, 0, 0},
    {"rand_generator", list, 1, 0, 0, 0},
    {"randn", list, 1, 0, 0, 0},
    {"randn_generator", list, 1, 0, 0, 0},
    {"randint", list, 1, 1, 0, 0},
    {"randint_generator", list, 1, 1, 0, 0},
    {"randint_low", list, 1, 2, 0, 0},
    {"_adaptive_avg_pool2d_backward", keep, 1, 1, 0, 0},
    {"_adaptive_avg_pool3d_backward", keep, 1, 1, 0, 0},
    {"adaptive_max_pool2d_backward", keep, 1, 1, 0, 0},
    {"adaptive_max_pool3d_backward", keep, 1, 1, 0, 0},
    {"avg_pool2d_backward", keep, 1, 1, 0, 0},
    {"avg_pool3d_backward", keep, 1, 1, 0, 0},
    {"max_pool2d_with_indices_backward", keep, 1, 1, 0, 0},
    {"max_pool3d_with_indices_backward", keep, 1, 1, 0, 0},
};

int shape_of_output(inference *k, const char *name, int output, const poly **to) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (strcmp(rules[i].name, name) == 0)
      return output < rules[i].outputs ? rules[i].read(k, &rules[i], to) : -1;
  return -1;
}

/* 344-explain-extern - calls of torch's own operators: the first bad term of a product and of a
 * sum, rows of a softmax and of a layer norm, and an index that lies outside. */
#include <math.h>
#include <stdio.h>

#include "explain/extern.h"
#include "explain/lookup.h"
#include "explain/work.h"
#include "shim.h"

enum { ARGS_MOST = 7 };

typedef struct call {
  const char *kernel;
  fake *tensors[ARGS_MOST]; /* the output first, and NULL for what `values` has */
  aotigen_value values[ARGS_MOST];
  int n;
} call;

static const aotigen_param params[] = {
    FLOAT32("out", AOTIGEN_OUT),
    FLOAT32("a", AOTIGEN_IN),
    FLOAT32("b", AOTIGEN_IN),
    {.name = "c", .python_name = "args[2]", .role = AOTIGEN_IN, .kind = AOTIGEN_INPUT},
    FLOAT32("d", AOTIGEN_IN),
    FLOAT32("e", AOTIGEN_IN),
    FLOAT32("f", AOTIGEN_IN)};

/* The output is the tensor that is stored to, and the first argument too. */
static const aotigen_param in_place[] = {
    FLOAT32("a", AOTIGEN_INOUT),
    FLOAT32("a", AOTIGEN_INOUT),
    FLOAT32("b", AOTIGEN_IN),
    {.name = "c", .python_name = "args[2]", .role = AOTIGEN_IN, .kind = AOTIGEN_INPUT},
    FLOAT32("d", AOTIGEN_IN),
    FLOAT32("e", AOTIGEN_IN)};

static ag_explained explained;
static const char *infinity; /* the name of the argument that it names as that of an Inf */

static const char *says_with(const aotigen_param *of, const aotigen_op *op, const call *c,
                             int64_t flat) {
  static char said[4000];
  const aotigen_site site = {
      .kernel = c->kernel, .form = op ? AOTIGEN_PROXY : AOTIGEN_EXTERN, .op = op};
  const aotigen_model model = MODEL(.sites = &site, .nsites = 1);
  ag_arg args[ARGS_MOST];
  ag_record r = {.launch = {.model = &model}, .nargs = (size_t)c->n, .args = args};
  ag_text t = {0};
  for (int i = 0; i < c->n; i++) {
    args[i] = (ag_arg){.param = &of[i], .value = c->values[i]};
    if (c->tensors[i]) ag_view_of_handle(&args[i].view, c->tensors[i]);
  }
  explained = AG_NOT_EXPLAINED;
  if (flat >= 0)
    ag_extern_explain(&t, &r, NULL, 0, flat, &explained);
  else
    ag_lookup_explain(&t, &r, ag_lookup_find_indices(&r));
  infinity = explained.infinity ? explained.infinity->param->name : NULL;
  snprintf(said, sizeof said, "%s", ag_text_string(&t));
  ag_text_free(&t);
  for (int i = 0; i < c->n; i++)
    if (c->tensors[i]) fake_free(c->tensors[i]);
  return said;
}

static const char *says(const call *c, int64_t flat) { return says_with(params, NULL, c, flat); }

static fake *filled(fake *f, int n, float x) {
  for (int i = 0; i < n; i++) FLOATS(f)[i] = x;
  return f;
}

static aotigen_value real(double x) {
  return (aotigen_value){.v = {.f = x}, .kind = AOTIGEN_V_FLOAT};
}

#define PAD "                "

TEST(test_mm) {
  call c = {"aoti_torch_cpu_mm_out",
            {filled(fake_new("float32", 2, 3, -1), 6, NAN),
             filled(fake_new("float32", 2, 4, -1), 8, 1),
             filled(fake_new("float32", 4, 3, -1), 12, 2)},
            .n = 3};
  FLOATS(c.tensors[1])[6] = INFINITY; /* [1, 2] */
  FLOATS(c.tensors[2])[7] = 0;        /* [2, 1] */
  assert_string_equal(
      says(&c, 4), "  how           out[1, 1] is a sum over k of products of a and b; it goes bad "
                   "at k = 2:\n" PAD "a[1, 2] = inf\n" PAD "b[2, 1] = 0\n" PAD
                   "a[1, 2] * b[2, 1] = nan   <- here\n");
}

TEST(test_overflow) {
  call c = {"aoti_torch_cpu_addmm_out",
            {filled(fake_new("float32", 1, 1, -1), 1, INFINITY),
             filled(fake_new("float32", 1, -1), 1, 1),
             filled(fake_new("float32", 1, 4, -1), 4, 1e38f),
             filled(fake_new("float32", 4, 1, -1), 4, 1)},
            {[4] = real(1), [5] = real(1)},
            .n = 6};
  assert_string_equal(
      says(&c, 0), "  how           out[0, 0] is a sum over k of products of b and c; it goes bad "
                   "at k = 3:\n" PAD "b[0, 3] * c[3, 0] = 1e+38\n" PAD
                   "the sum before = 3e+38\n" PAD "the sum with it = inf   <- here\n");
}

TEST(test_bmm) {
  call c = {"aoti_torch_cpu_bmm_out",
            {filled(fake_new("float32", 2, 2, 2, -1), 8, NAN),
             filled(fake_new("float32", 2, 2, 3, -1), 12, 1),
             filled(fake_new("float32", 2, 3, 2, -1), 12, 1)},
            .n = 3};
  FLOATS(c.tensors[1])[6 + 3 + 1] = NAN; /* [1, 1, 1] */
  assert_non_null(strstr(says(&c, 6),
                         "out[1, 1, 0] is a sum over k of products of a and b; it goes "
                         "bad at k = 1:\n" PAD "a[1, 1, 1] = nan\n"));
}

/* No explanation is better than a wrong one. */
TEST(test_mm_unknown) {
  call c = {"aoti_torch_cpu_mm_out",
            {filled(fake_new("float32", 2, 2, -1), 4, NAN),
             filled(fake_new("float32", 2, 2, -1), 4, 1),
             filled(fake_new("float32", 2, 2, -1), 4, 2)},
            .n = 3};
  assert_string_equal(says(&c, 0),
                      "  how           out[0, 0] is not explained: its terms, added up "
                      "one by one, make none\n");
  call shapes = {"aoti_torch_cpu_mm_out",
                 {filled(fake_new("float32", 2, 2, -1), 4, NAN), fake_new("float32", 2, 3, -1),
                  fake_new("float32", 2, 2, -1)},
                 .n = 3};
  assert_string_equal(says(&shapes, 0), "");
  call other = {"aoti_torch_cpu_convolution",
                {filled(fake_new("float32", 2, 2, -1), 4, NAN), fake_new("float32", 2, 2, -1),
                 fake_new("float32", 2, 2, -1)},
                .n = 3};
  assert_string_equal(says(&other, 0), "");
}

TEST(test_sum) {
  call c = {"aoti_torch_cpu_sum",
            {filled(fake_new("float32", -1), 1, NAN), filled(fake_new("float32", 2, 3, -1), 6, 1)},
            .n = 2};
  FLOATS(c.tensors[1])[1] = INFINITY;
  FLOATS(c.tensors[1])[5] = -INFINITY;
  assert_string_equal(
      says(&c, 0),
      "  how           out[] is a sum of 6 elements of a; it goes bad at k = 5:\n" PAD
      "a[1, 2] = -inf\n" PAD "the sum before = inf\n" PAD "the sum with it = nan   <- here\n");
  assert_true(explained.is_known && explained.takes_infinity);
  assert_string_equal(infinity, "a");
  call mean = {"aoti_torch_cpu_mean_dim_out",
               {filled(fake_new("float32", 2, 1, -1), 2, INFINITY),
                filled(fake_new("float32", 2, 3, -1), 6, 2e38f)},
               .n = 2};
  assert_non_null(strstr(says(&mean, 1),
                         "out[1, 0] is a mean of 3 elements of a; it goes bad at k = "
                         "1:\n" PAD "a[1, 1] = 2e+38\n"));
  assert_true(explained.is_known && !explained.takes_infinity);
}

/* What a sum says that goes bad at its term number k. */
static const char *says_of_sum(int k) {
  call c = {"aoti_torch_cpu_sum",
            {filled(fake_new("float32", -1), 1, NAN),
             filled(fake_new("float32", AG_WORK_MOST + 2, -1), AG_WORK_MOST + 2, 0)},
            .n = 2};
  FLOATS(c.tensors[1])[k] = NAN;
  return says(&c, 0);
}

TEST(only_so_much_is_computed) {
  assert_has(says_of_sum(AG_WORK_MOST - 1), "; it goes bad at k = 1999999:\n");
  assert_true(explained.is_known && explained.work == AG_WORK_MOST);
  assert_string_equal(says_of_sum(AG_WORK_MOST),
                      "  how           out[] is not explained: it takes more than 2 million steps "
                      "to compute\n");
  assert_true(!explained.is_known && explained.work == AG_WORK_MOST + 1);
}

/* Of 5 x 5 elements in 2 channels, with 3 x 3 weights, a stride of 1 and a padding of 1: each
 * output adds up all elements around its place, of a second output channel twice. */
static fake *convolved(const fake *x, const fake *y) {
  fake *out = fake_new("float32", 1, 2, 5, 5, -1);
  for (int at = 0; at < 50; at++) {
    float sum = 0;
    for (int k = 0; k < 18; k++) {
      int row = at / 5 % 5 + k / 3 % 3 - 1, column = at % 5 + k % 3 - 1;
      if (row >= 0 && row < 5 && column >= 0 && column < 5)
        sum += FLOATS(x)[k / 9 * 25 + row * 5 + column] * FLOATS(y)[at / 25 * 18 + k];
    }
    FLOATS(out)[at] = sum;
  }
  return out;
}

TEST(test_convolution) {
  fake *x = fake_new("float32", 1, 2, 5, 5, -1), *y = fake_new("float32", 2, 2, 3, 3, -1);
  for (int i = 0; i < 50; i++) FLOATS(x)[i] = (float)(i * i % 17);
  for (int i = 0; i < 36; i++) FLOATS(y)[i] = (float)(i * i % 7);
  FLOATS(x)[25 + 24] = INFINITY; /* [0, 1, 4, 4] */
  FLOATS(y)[18 + 9 + 8] = 0;     /* [1, 1, 2, 2] */
  call c = {"aoti_torch_cpu_convolution", {convolved(x, y), x, y}, .n = 3};
  assert_true(isnan(FLOATS(c.tensors[0])[25 + 18]));
  assert_string_equal(
      says(&c, 25 + 18),
      "  how           out[0, 1, 3, 3] is a sum over k of products of a and the weights b[1]; it "
      "goes bad at k = 17:\n" PAD "a[0, 1, 4, 4] = inf\n" PAD "b[1, 1, 2, 2] = 0\n" PAD
      "a[0, 1, 4, 4] * b[1, 1, 2, 2] = nan   <- here\n");
}

/* Of 5 x 5 elements, with 3 x 3 weights, a padding of 0 and 1, and a dilation of 1 and 2. */
static call convolved_apart(const float weights[9]) {
  fake *x = fake_new("float32", 1, 1, 5, 5, -1), *y = fake_new("float32", 1, 1, 3, 3, -1),
       *out = fake_new("float32", 1, 1, 3, 3, -1);
  for (int i = 0; i < 25; i++) FLOATS(x)[i] = (float)(i * i % 17);
  for (int k = 0; k < 9; k++) FLOATS(y)[k] = weights[k];
  FLOATS(x)[2] = FLOATS(x)[3] = INFINITY; /* [0, 0, 0, 2], which out[0, 0, 0, 0] does not read */
  for (int at = 0; at < 9; at++) {
    float sum = 0;
    for (int k = 0; k < 9; k++) {
      int row = at / 3 + k / 3, column = at % 3 - 1 + k % 3 * 2;
      if (column >= 0 && column < 5) sum += FLOATS(x)[row * 5 + column] * weights[k];
    }
    FLOATS(out)[at] = sum;
  }
  return (call){"aoti_torch_cpu_convolution", {out, x, y}, .n = 3};
}

TEST(test_convolution_apart) {
  call c = convolved_apart((float[]){3, 5, 0, 7, 2, 6, 4, 1, 8});
  assert_non_null(strstr(says(&c, 0), "a[0, 0, 0, 3] * b[0, 0, 0, 2] = nan   <- here\n"));
  c = convolved_apart((float[]){0, 5, 0, 0, 2, 0, 0, 1, 0}); /* other steps give the same sums */
  assert_non_null(strstr(says(&c, 0), "which elements the convolution read for it is not known\n"));
}

/* Of 2 channels of 3 x 3 elements to one of 6 x 6, with 2 x 2 weights of each and a stride of 2. */
TEST(test_transposed_convolution) {
  fake *x = fake_new("float32", 1, 2, 3, 3, -1), *y = fake_new("float32", 2, 1, 2, 2, -1),
       *out = fake_new("float32", 1, 1, 6, 6, -1);
  for (int i = 0; i < 18; i++) FLOATS(x)[i] = (float)(i * i % 17);
  for (int i = 0; i < 8; i++) FLOATS(y)[i] = (float)(i * i % 7 + 1);
  FLOATS(x)[9 + 5] = INFINITY; /* [0, 1, 1, 2] */
  FLOATS(y)[4 + 1] = 0;        /* [1, 0, 0, 1] */
  for (int at = 0; at < 36; at++)
    for (int channel = 0; channel < 2; channel++) FLOATS(out)
  [at] += FLOATS(x)[channel * 9 + at / 12 * 3 + at % 6 / 2] *
          FLOATS(y)[channel * 4 + at / 6 % 2 * 2 + at % 2];
  call c = {"aoti_torch_cpu_convolution",
            {out, x, y, NULL, NULL, NULL},
            {[3] = integer(2), [4] = integer(2), [5] = integer(2), [6] = integer(1)},
            .n = 7};
  assert_true(isnan(FLOATS(out)[2 * 6 + 5]));
  assert_string_equal(
      says(&c, 2 * 6 + 5),
      "  how           out[0, 0, 2, 5] is a sum over k of products of a and the weights b[:, 0]; "
      "it goes bad at k = 5:\n" PAD "a[0, 1, 1, 2] = inf\n" PAD "b[1, 0, 0, 1] = 0\n" PAD
      "a[0, 1, 1, 2] * b[1, 0, 0, 1] = nan   <- here\n");
}

/* All that is beside the element is bad, too: nothing tells the stride from the padding. */
TEST(test_convolution_unknown) {
  call c = {"aoti_torch_cpu_convolution",
            {filled(fake_new("float32", 1, 1, 4, 4, -1), 16, NAN),
             filled(fake_new("float32", 1, 1, 4, 4, -1), 16, NAN),
             filled(fake_new("float32", 1, 1, 3, 3, -1), 9, 1)},
            .n = 3};
  assert_string_equal(says(&c, 5), "  how           out[0, 0, 1, 1] is not explained: which "
                                   "elements the convolution read for it is not known\n");
}

TEST(test_running_sum) {
  call c = {"aoti_torch_cpu_cumsum",
            {filled(fake_new("float32", 4, 3, -1), 12, NAN),
             filled(fake_new("float32", 4, 3, -1), 12, 1)},
            {[2] = integer(-2)},
            .n = 3};
  FLOATS(c.tensors[1])[1] = INFINITY;  /* [0, 1] */
  FLOATS(c.tensors[1])[7] = -INFINITY; /* [2, 1] */
  FLOATS(c.tensors[1])[11] = NAN;      /* beside its column */
  assert_string_equal(says(&c, 10),
                      "  how           out[3, 1] is a sum of elements 0 to 3 of a "
                      "along dimension 0; it goes bad at k = 2:\n" PAD "a[2, 1] = -inf\n" PAD
                      "the sum before = inf\n" PAD "the sum with it = nan   <- here\n");
  call flat = {"aoti_torch_cpu_cumsum",
               {fake_new("float32", -1), fake_new("float32", 4, -1)},
               {[2] = integer(0)},
               .n = 3};
  FLOATS(flat.tensors[0])[0] = NAN;
  assert_string_equal(says(&flat, 0), "");
}

/* Of the elements 2, inf, -3, 0 and 7 of a column, up to one of them. */
static const char *says_running(const char *op, float found, int64_t row) {
  static char kernel[60];
  snprintf(kernel, sizeof kernel, "aoti_torch_cpu_%s", op);
  call c = {kernel,
            {filled(fake_new("float32", 5, 2, -1), 10, found),
             filled(fake_new("float32", 5, 2, -1), 10, 1)},
            {[2] = integer(0)},
            .n = 3};
  static const float column[] = {2, INFINITY, -3, 0, 7};
  for (int i = 0; i < 5; i++) FLOATS(c.tensors[1])[2 * i + 1] = column[i];
  return says(&c, 2 * row + 1);
}

TEST(what_runs_along_a_dimension) {
  assert_string_equal(says_running("cumprod", NAN, 4),
                      "  how           out[4, 1] is a product of elements 0 to 4 of a along "
                      "dimension 0; it goes bad at k = 3:\n" PAD "a[3, 1] = 0\n" PAD
                      "the product before = -inf\n" PAD "the product with it = nan   <- here\n");
  assert_string_equal(says_running("logcumsumexp", INFINITY, 2),
                      "  how           out[2, 1] is the logarithm of a sum of exponentials of "
                      "elements 0 to 2 of a along dimension 0; it goes bad at k = 1:\n" PAD
                      "a[1, 1] = inf\n" PAD "the logarithm before = 2\n" PAD
                      "the logarithm with it = inf   <- here\n");
  assert_non_null(strstr(says_running("cummax", INFINITY, 2),
                         "out[2, 1] is the greatest of elements 0 to 2 of a along dimension 0; it "
                         "goes bad at k = 1:\n" PAD "a[1, 1] = inf\n" PAD
                         "the greatest before = 2\n" PAD "the greatest with it = inf   <- here"));
  assert_non_null(strstr(says_running("cummin", INFINITY, 1), "is not explained"));
}

TEST(test_softmax) {
  call c = {
      "aoti_torch_cpu__softmax_out",
      {filled(fake_new("float32", 2, 3, -1), 6, NAN), filled(fake_new("float32", 2, 3, -1), 6, 1)},
      {[2] = integer(-1), [3] = integer(0)},
      .n = 4};
  for (int i = 3; i < 6; i++) FLOATS(c.tensors[1])[i] = -INFINITY;
  assert_string_equal(says(&c, 4),
                      "  how           out[1, 1] subtracts the greatest element of its row:\n" PAD
                      "every element of a[1, :] is -inf\n" PAD "-inf - -inf = nan   <- here\n");
  call inf = {
      "aoti_torch_cpu__softmax_out",
      {filled(fake_new("float32", 2, 3, -1), 6, NAN), filled(fake_new("float32", 2, 3, -1), 6, 1)},
      {[2] = integer(0), [3] = integer(0)},
      .n = 4};
  FLOATS(inf.tensors[1])[1] = INFINITY;
  assert_non_null(strstr(says(&inf, 4), PAD "a[0, 1] = inf\n" PAD "inf - inf = nan   <- here\n"));
}

TEST(test_layer_norm) {
  call c = {
      "aoti_torch_cpu_native_layer_norm",
      {filled(fake_new("float32", 2, 3, -1), 6, NAN), filled(fake_new("float32", 2, 3, -1), 6, 5)},
      {[2] = integer(1), [3] = real(0)},
      .n = 4};
  assert_string_equal(says(&c, 4),
                      "  how           out[1, 1] divides by the square root of a variance and "
                      "eps:\n" PAD "a[1, :]: mean = 5\n" PAD "variance = 0\n" PAD "eps = 0\n" PAD
                      "0 / sqrt(variance + eps) = nan   <- here\n");
}

TEST(test_index) {
  fake *ids = fake_new("int64", 2, 2, -1);
  ((int64_t *)ids->data)[2] = 9;
  call c = {"aoti_torch_cpu_embedding",
            {fake_new("float32", 2, 3, -1), fake_new("float32", 9, 3, -1), ids},
            .n = 3};
  assert_string_equal(
      says(&c, -1),
      "  how           b[1, 0] = 9 is no index of dimension 0 of a, which has indices "
      "0 to 8\n" PAD "b: which launch wrote it is not known\n");
  ids = fake_new("int64", 4, -1);
  ((int64_t *)ids->data)[3] = -1;
  call s = {"aoti_torch_cpu_index_select_out",
            {fake_new("float32", 2, 4, -1), fake_new("float32", 2, 0, -1), NULL, ids},
            {[2] = integer(-1)},
            .n = 4};
  assert_string_equal(
      says(&s, -1), "  how           c[0] = 0 is no index of dimension 1 of a, which is empty\n" PAD
                    "c (args[2]): an input of the model\n");
  ids = fake_new("int64", 1, -1);
  *(int64_t *)ids->data = 4; /* the dimension is not among the arguments */
  call g = {
      "aten::gather", {fake_new("float32", 1, -1), fake_new("float32", 2, 4, -1), ids}, .n = 3};
  assert_non_null(strstr(says(&g, -1), "b[0] = 4 is no index of any dimension of a, which has "
                                       "indices 0 to 3\n"));
  call fine = {
      "aoti_torch_cpu_embedding",
      {fake_new("float32", 2, 3, -1), fake_new("float32", 9, 3, -1), fake_new("int64", 2, -1)},
      .n = 3};
  assert_string_equal(says(&fine, -1), "");
}

static fake *indices(int64_t x, int64_t y) {
  fake *f = fake_new("int64", 2, -1);
  ((int64_t *)f->data)[0] = x;
  ((int64_t *)f->data)[1] = y;
  return f;
}

static fake *self(void) { return fake_new("float32", 6, 5, -1); }

TEST(an_index_of_a_call_in_place) {
  call c = {"aoti_torch_cpu_scatter_reduce_two_out",
            {self(), self(), NULL, indices(4, 5), fake_new("float32", 2, -1), NULL},
            {[2] = integer(1), [5] = integer(1)},
            .n = 6};
  assert_string_equal(says_with(in_place, NULL, &c, -1),
                      "  how           c[1] = 5 is no index of dimension 1 of a, which has indices "
                      "0 to 4\n" PAD "c (args[2]): an input of the model\n");
  call put = {"aoti_torch_index_put_out",
              {self(), self(), indices(-6, 5), indices(-5, -6), NULL, fake_new("int64", 2, -1)},
              {[4] = integer(2)},
              .n = 6};
  assert_string_equal(
      says_with(in_place, NULL, &put, -1),
      "  how           c[1] = -6 is no index of dimension 1 of a, which has indices "
      "-5 to 4\n" PAD "c (args[2]): an input of the model\n");
  call fine = {"aoti_torch_index_put_out",
               {self(), self(), indices(-6, 5), indices(-5, 4), NULL, indices(100, 100)},
               {[4] = integer(2)},
               .n = 6};
  assert_string_equal(says_with(in_place, NULL, &fine, -1), "");
  call masked = {"aoti_torch_index_put_out",
                 {self(), self(), fake_new("bool", 6, -1), indices(0, 5), NULL, indices(0, 0)},
                 {[4] = integer(2)},
                 .n = 6};
  assert_non_null(
      strstr(says_with(in_place, NULL, &masked, -1), "c[1] = 5 is no index of dimension 1 of a, "));
}

/* The wrapper passes a null pointer for a dimension without an index. */
TEST(an_index_of_a_dimension_that_is_not_told) {
  call c = {"aoti_torch_index_put_out",
            {self(), self(), indices(5, -6), NULL, fake_new("float32", 6, 2, -1)},
            {[3] = integer(2)},
            .n = 5};
  assert_string_equal(says_with(in_place, NULL, &c, -1), "");
  call far = {"aoti_torch_index_put_out",
              {self(), self(), indices(5, 6), NULL, fake_new("float32", 6, 2, -1)},
              {[3] = integer(2)},
              .n = 5};
  assert_non_null(strstr(says_with(in_place, NULL, &far, -1),
                         "b[1] = 6 is no index of any dimension of a, which has "
                         "indices -6 to 5\n"));
  call uncounted = {"aten::index_put", {self(), self(), indices(0, 1), indices(9, 9)}, .n = 4};
  assert_string_equal(says(&uncounted, -1), "");
}

TEST(an_index_of_a_call_by_the_proxy_executor) {
  static const aotigen_op_value values[] = {{"self", "as_tensor", 1, NULL},
                                            {"dim", "as_int", 0, "-1"},
                                            {"index", "as_tensor", 1, NULL},
                                            {"", "as_tensor", 1, NULL}};
  static const aotigen_op op = {"aten::index_copy_", "", values, 3, 1};
  call c = {"aten::index_copy_", {self(), self(), indices(4, 5)}, .n = 3};
  assert_non_null(strstr(says_with(params, &op, &c, -1),
                         "b[1] = 5 is no index of dimension 1 of a, which has indices 0 to 4\n"));
}

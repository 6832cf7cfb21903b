/* 341-explain-asserts - where an assert of a kernel failed is found, and the report says from which
 * element the index came, what bounds it, and what wrote it. */
#include <stdio.h>

#include "explain/asserts.h"
#include "explain/divisions.h"
#include "explain/graph_read.h"
#include "launch/retained.h"
#include "shim.h"

/* ---- kernels -------------------------------------------------------------------------------- */

/* for x0 below 8, x1 below 3: out[x1 + 3 x0] = in1[x1 + 3 tmp5], where tmp5 is in0[x0], to which
 * ks0 is added where it is negative. */
#define HEAD                                                                                       \
  "1 c 3 2 0 3 19 4\n"                                                                             \
  "ml 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\n"                                                    \
  "f x0 0 1 2 0 -1\nf x1 0 12 2 0 0\n"                                                             \
  "l 0 3 -1 -1 -1 0 0\nl 1 15 -1 -1 -1 0 2\ns 2 18 -1 16 -1 0 3\n"                                 \
  "il 0\nil 8\nil 1\nsl 0\nll 0 =tmp0\npl 3\nol + 4 5 =tmp3\nob < 4 0 =tmp4\n"                     \
  "ol where 7 6 4 =tmp5\nob <= 0 8\nob < 8 5\nob & 9 10\n" /* to 11 */                             \
  "il 3\nsl 1\nol * 12 8\nol + 13 14\nlf 1 =tmp9\nol * 12 3\nol + 13 17\n"
#define TEXT "index out of bounds: 0 <= tmp7 < ks0"
static const char lookup[] = HEAD "k 11 -1 1 " TEXT "\n";

/* for x0 below 8 step 16, 5 lanes of 16: the assert is of in0[x0 + lane]. */
static const char lanes[] = "1 c 1 2 0 1 14 4\n"
                            "ml 0 in_ptr0\nf x0 0 1 2 0 -1\nl x0_lane -1 -1 -1 0 0\n"
                            "l 0 5 7 -1 -1 0 0\n"
                            "il 0\nil 8\nil 16\nsl 0\nsl 1\nol + 3 4\nil 5\nob < 4 6\n"
                            "ll 0 =tmp0\nob <= 0 8\nob < 8 6\nob & 9 10\no~ set 2 11 6\n"
                            "o~ all_masked 12\n"
                            "k 13 -1 1 lanes\n";

/* for x0 below 7: the assert is of in0[x0] + in0[x0 + 1]. */
static const char sum[] = "1 c 1 1 0 2 12 4\n"
                          "ml 0 in_ptr0\nf x0 0 1 2 0 -1\n"
                          "l 0 3 -1 -1 -1 0 0\nl 0 4 -1 -1 -1 0 1\n"
                          "il 0\nil 7\nil 1\nsl 0\nol + 3 2\nll 0 =tmp0\nll 1 =tmp1\n"
                          "ol + 5 6 =tmp2\nob <= 0 7\nil 7\nob < 7 9\nob & 8 10\n"
                          "k 11 -1 2 sum\n";

/* for x0 below 8 step 16, 5 lanes of 16: in0[x0 + lane] + 3 is the divisor; 3 lanes are stored. */
static const char division[] =
    "1 c 2 2 0 2 15 4\nml 0 in_ptr0\nml 2 out_ptr0\nf x0 0 1 2 0 -1\nl x0_lane -1 -1 -1 0 0\n"
    "l 0 5 7 -1 -1 0 0\ns 1 5 14 12 -1 0 3\n"
    "il 0\nil 8\nil 16\nsl 0\nsl 1\nol + 3 4\nil 5\nob < 4 6\n"
    "ll 0 =tmp0\nil 3\nol + 8 9 =tmp1\nob != 10 0\n"
    "ol // 8 10 =tmp2\nol % 1 10 =tmp3\nob < 4 9\nk 11 7 2 divisor != 0\n";

/* for x0 below 7: in0[x0] is divided by in0[x0 + 1], which must not be the least by -1. */
static const char quotient[] = "1 c 1 1 0 2 12 4\n"
                               "ml 0 in_ptr0\nf x0 0 1 2 0 -1\n"
                               "l 0 3 -1 -1 -1 0 0\nl 0 4 -1 -1 -1 0 1\n"
                               "il 0\nil 7\nil 1\nsl 0\nol + 3 2\nll 0 =tmp0\nll 1 =tmp1\n"
                               "il -1\nob != 6 7\nil -9223372036854775808\nob != 5 9\n"
                               "ob | 8 10\nk 11 -1 2 quotient fits\n";

/* for x0 below 8: the kernel stores in0[x0] to its own array, and divides by an element of that. */
static const char own_array[] =
    "1 c 2 1 0 3 8 4\n"
    "ml 0 in_ptr0\nml -1 array\nf x0 0 1 2 0 -1\n"
    "l 0 3 -1 -1 -1 0 0\ns 1 3 -1 4 -1 0 1\nl 1 3 -1 -1 -1 0 2\n"
    "il 0\nil 8\nil 1\nsl 0\nll 0 =tmp0\nll 2\nol % 1 5 =tmp1\nob != 5 0\n"
    "k 7 -1 3 divisor != 0\n";

TEST(test_read) {
  ag_graph g;
  static const char *const bad[] = {HEAD "k",
                                    HEAD "k\n",
                                    HEAD "k 19 -1 1 x\n",
                                    HEAD "k 11 -2 1 x\n",
                                    HEAD "k 11 -1 1\n",
                                    HEAD "k 11 -1 1 \n",
                                    HEAD "x 11 -1 1 x\n",
                                    HEAD "k 11 -1 -1 x\n",
                                    HEAD "\n",
                                    NULL};
  assert_true(ag_graph_read(&g, lookup));
  assert_int_equal(g.nasserts, 1);
  assert_int_equal(g.asserts[0].holds, 11);
  assert_string_equal(g.asserts[0].text, TEXT);
  ag_graph_free(&g);
  for (int i = 0; bad[i]; i++) assert_false(ag_graph_read(&g, bad[i]));
  assert_true(ag_graph_read(&g, HEAD));
  assert_int_equal(g.nasserts, 0);
  ag_graph_free(&g);
}

/* ---- reports -------------------------------------------------------------------------------- */

static const aotigen_dim table_dims[] = {{2, 1000, 3, "s2"}, {3, 3, 1, NULL}};
static const aotigen_input inputs[] = {
    {.name = "arg0_1", .python_name = "args[0]", .ndim = -1},
    {.name = "arg1_1", .python_name = "args[1]", .dims = table_dims, .ndim = 2}};
static aotigen_param params[] = {
    {.name = "arg0_1", .python_name = "args[0]", .role = AOTIGEN_IN, .kind = AOTIGEN_INPUT},
    {.name = "arg1_1", .python_name = "args[1]", .role = AOTIGEN_IN, .kind = AOTIGEN_INPUT},
    FLOAT32("buf0", AOTIGEN_OUT),
    {.name = "s2", .role = AOTIGEN_IN, .kind = AOTIGEN_SCALAR}};
static const int16_t args_of_params[] = {0, 1, 2, 3};
static const aotigen_site sites[] = {{.kernel = "aoti_torch_cpu_sort", .line = 7},
                                     {.kernel = "cpp_fused_index_0", .line = 9}};

static fake *ids, *table, *out;
static int64_t bound;

BEFORE_EACH {
  ids = fake_new("int64", 2, 4, -1);
  table = fake_new("float32", 5, 3, -1);
  out = fake_new("float32", 8, 3, -1);
  bound = 5;
  for (int i = 0; i < 8; i++) ((int64_t *)ids->data)[i] = i % 5 - i % 2 * 5;
}

AFTER_EACH {
  fake_free(ids);
  fake_free(table);
  fake_free(out);
}

static const char thrown[] = "ZeroDivisionError";

/* what: of an assert's exception; NULL of a division's signal, `thrown` of its exception. */
static const char *explain(const char *text, uint64_t readable, const char *what) {
  static char said[4000];
  const aotigen_graph graph = {text, args_of_params, 4, 1};
  aotigen_site list[] = {sites[0], sites[1]};
  list[1].graph = &graph;
  const aotigen_model model = MODEL(WITH(sites, list), WITH(inputs, inputs), .source = "m.cpp");
  ag_arg args[4];
  fake *const tensors[] = {ids, table, out};
  ag_record r = {.launch = {.model = &model, .site = 1}, .nargs = 4, .args = args};
  ag_text t = {0};
  for (int i = 0; i < 4; i++) args[i] = (ag_arg){.param = &params[i]};
  for (int i = 0; i < 3; i++) ag_view_of_handle(&args[i].view, tensors[i]);
  args[3].value = integer(bound);
  if (what && what != thrown)
    ag_assert_explain(&t, &r, readable, what);
  else
    ag_division_explain(&t, &r, readable, !what);
  snprintf(said, sizeof said, "%s", ag_text_string(&t));
  ag_text_free(&t);
  return said;
}

#define PAD "                "

TEST(test_too_large) {
  ((int64_t *)ids->data)[6] = 5;
  assert_string_equal(explain(lookup, 1, "it says: " TEXT " (most recent call first)"),
                      "  how           arg0_1[1, 2] = 5 makes the index 5, which must be less than "
                      "5:\n" PAD "tmp0 = arg0_1[1, 2] = 5\n" PAD
                      "tmp5 = where(tmp4, tmp3, tmp0) = 5\n" PAD "tmp5 < 5 = false   <- here\n" PAD
                      "ks0 = s2 = 5, the length of arg1_1 (args[1]) in dimension 0\n" PAD
                      "arg0_1 (args[0]): an input of the model\n");
}

TEST(test_negative) {
  ((int64_t *)ids->data)[7] = -6;
  assert_string_equal(
      explain(lookup, 1, TEXT),
      "  how           arg0_1[1, 3] = -6 makes the index -1, which must be at least "
      "0:\n" PAD "tmp0 = arg0_1[1, 3] = -6\n" PAD "tmp3 = tmp0 + 5 = -1\n" PAD
      "tmp5 = where(tmp4, tmp3, tmp0) = -1\n" PAD "0 <= tmp5 = false   <- here\n" PAD
      "ks0 = s2 = 5, the length of arg1_1 (args[1]) in dimension 0\n" PAD
      "arg0_1 (args[0]): an input of the model\n");
}

TEST(test_empty) {
  bound = 0;
  ((int64_t *)ids->data)[0] = 0;
  const char *said = explain(lookup, 1, TEXT);
  assert_non_null(strstr(said, "arg0_1[0, 0] = 0 makes the index 0, which must be less than 0:\n"));
  assert_non_null(strstr(said,
                         PAD "ks0 = s2 = 0, the length of arg1_1 (args[1]) in dimension 0: it "
                             "is empty, no index is valid\n"));
}

/* A tensor in another order of its elements. */
TEST(test_strided) {
  int64_t *x = ids->data;
  ids->strides[0] = 1;
  ids->strides[1] = 2;
  x[5] = 9; /* [1, 2] */
  assert_non_null(strstr(explain(lookup, 1, TEXT), "arg0_1[1, 2] = 9 makes the index 9"));
}

TEST(test_writer) {
  aotigen_param input = params[0];
  ((int64_t *)ids->data)[0] = 9;
  params[0] = (aotigen_param){.name = "buf3", .kind = AOTIGEN_TENSOR, .maker = 1};
  assert_non_null(
      strstr(explain(lookup, 1, TEXT), PAD "buf3: made by aoti_torch_cpu_sort (m.cpp:7)\n"));
  params[0].writer = 1;
  assert_non_null(
      strstr(explain(lookup, 1, TEXT), PAD "buf3: written by aoti_torch_cpu_sort (m.cpp:7)\n"));
  params[0].writer = AOTIGEN_UNKNOWN_WRITER;
  assert_non_null(strstr(explain(lookup, 1, TEXT), PAD
                         "buf3: made by aoti_torch_cpu_sort (m.cpp:7), perhaps written since\n"));
  params[0] = (aotigen_param){.name = "x_ids", .python_name = "x.ids", .kind = AOTIGEN_WEIGHT};
  assert_non_null(strstr(explain(lookup, 1, TEXT), PAD "x_ids (x.ids): a weight of the model\n"));
  params[0] = input;
}

/* The sixth lane is behind the last, and is none of the kernel's. */
TEST(test_lanes) {
  for (int i = 0; i < 8; i++) ((int64_t *)ids->data)[i] = i;
  assert_string_equal(explain(lanes, 1, "lanes"), "");
  ((int64_t *)ids->data)[4] = 11;
  assert_non_null(strstr(explain(lanes, 1, "lanes"), "arg0_1[1, 0] = 11 makes the index 11, which "
                                                     "must be less than 5:\n"));
}

/* The sixth lane is divided by 1. */
TEST(test_division) {
  for (int i = 0; i < 8; i++) ((int64_t *)ids->data)[i] = i;
  ((int64_t *)ids->data)[5] = -3;
  assert_string_equal(explain(division, 1, NULL), "");
  ((int64_t *)ids->data)[2] = -3;
  assert_string_equal(explain(division, 1, NULL),
                      "  how           arg0_1[0, 2] = -3 makes the divisor 0:\n" PAD
                      "tmp0 = arg0_1[0, 2] = -3\n" PAD "tmp1 = tmp0 + 3 = 0   <- here\n" PAD
                      "arg0_1 (args[0]): an input of the model\n");
  ((int64_t *)ids->data)[2] = 0;
  ((int64_t *)ids->data)[4] = -3;
  assert_non_null(
      strstr(explain(division, 1, NULL),
             "arg0_1[1, 0] = -3 makes the divisor 0, in a lane that the kernel does not "
             "store:\n"));
  assert_string_equal(
      explain(division, 0, NULL),
      "  how           is not explained: what 'arg0_1' points to may have been freed\n");
  assert_string_equal(explain("nonsense", 1, NULL), "");
  assert_string_equal(explain(lookup, 1, NULL), "");
}

TEST(test_quotient) {
  int64_t *x = (int64_t *)ids->data;
  for (int i = 0; i < 8; i++) x[i] = i % 2 ? -1 : INT64_MIN + 1;
  assert_string_equal(explain(quotient, 1, NULL), "");
  x[3] = INT64_MIN;
  assert_string_equal(explain(quotient, 1, NULL), "");
  x[4] = -1;
  assert_string_equal(
      explain(quotient, 1, NULL),
      "  how           arg0_1[0, 3] = -9223372036854775808 divided by arg0_1[1, 0] "
      "= -1 does not fit int64:\n" PAD "tmp0 = arg0_1[0, 3] = -9223372036854775808   <- here\n" PAD
      "tmp1 = arg0_1[1, 0] = -1   <- here\n" PAD "arg0_1 (args[0]): an input of the model\n");
  assert_string_equal(explain(quotient, 1, "quotient fits"), ""); /* it is no assert */
  assert_string_equal(explain(quotient, 1, thrown), "");          /* it raised no signal */
}

TEST(test_division_by_own_array) {
  for (int i = 0; i < 8; i++) ((int64_t *)ids->data)[i] = i + 1;
  assert_string_equal(explain(own_array, 1, NULL), "");
  ((int64_t *)ids->data)[6] = 0;
  assert_string_equal(explain(own_array, 1, NULL),
                      "  how           arg0_1[1, 2] = 0 makes the divisor 0:\n" PAD
                      "tmp0 = arg0_1[1, 2] = 0   <- here\n" PAD
                      "arg0_1 (args[0]): an input of the model\n");
}

TEST(test_two_loads) {
  for (int i = 0; i < 8; i++) ((int64_t *)ids->data)[i] = 3;
  assert_string_equal(explain(sum, 1, "sum"), "");
  ((int64_t *)ids->data)[5] = 4;
  assert_non_null(strstr(explain(sum, 1, "sum"),
                         "  how           arg0_1[1, 0] = 3, arg0_1[1, 1] = 4 "
                         "make the index 7, which must be less than 7:\n"));
}

TEST(test_large) {
  enum { LARGE = 100000 };
  static char text[sizeof lookup + 8];
  snprintf(text, sizeof text, "%s", lookup);
  char *count = strstr(text, "il 8\n");
  assert_non_null(count);
  memmove(count + 9, count + 4, strlen(count + 4) + 1);
  memcpy(count, "il 100000", 9);
  fake *small = ids;
  ids = fake_new("int64", LARGE, -1);
  bound = 6000;
  for (int i = 0; i < LARGE; i++) ((int64_t *)ids->data)[i] = i * INT64_C(7919) % bound;
  ((int64_t *)ids->data)[LARGE - 1] = bound;
  assert_non_null(strstr(explain(text, 1, TEXT), "arg0_1[99999] = 6000 makes the index 6000"));
  fake_free(ids);
  ids = small;
}

TEST(test_nothing) {
  assert_string_equal(explain(lookup, 1, TEXT), ""); /* it holds everywhere */
  ((int64_t *)ids->data)[6] = 5;
  assert_string_equal(explain(lookup, 1, "no memory"), "");
  assert_string_equal(explain(lookup, 1, TEXT "1"), "");
  assert_string_equal(explain("nonsense", 1, TEXT), "");
  assert_string_equal(
      explain(lookup, 0, TEXT),
      "  how           is not explained: what 'arg0_1' points to may have been freed\n");
}

/* ---- what is kept until the report ------------------------------------------------------------
 */

static int nkept;

int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **kept);
int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **kept) {
  nkept++;
  *kept = calloc(1, sizeof **kept);
  **kept = *tensor;
  (*kept)->storage = NULL; /* the tensor's own */
  return 0;
}

enum { MANY = 66 };

/* Each argument decides the assert: all are kept for which there is a bit. */
TEST(test_kept) {
  static aotigen_param many[MANY];
  static ag_arg args[MANY];
  const aotigen_graph graph = {lookup, args_of_params, 4, UINT64_MAX};
  const aotigen_site site = {.kernel = "cpp_fused_index_0", .graph = &graph, .nparams = MANY};
  aotigen_model model = MODEL(.sites = &site, .nsites = 1);
  ag_record r = {.launch = {.model = &model}, .nargs = MANY, .args = args};
  aotigen_run_state s = {.record = &r};
  aotigen_run run = {.model = &model, .state = &s};
  for (int i = 0; i < MANY; i++) {
    many[i] = (aotigen_param){.name = "ids", .role = AOTIGEN_IN, .kind = AOTIGEN_INPUT};
    args[i] = (ag_arg){.param = &many[i], .value = handle(ids)};
    ag_view_of_handle(&args[i].view, ids);
  }
  ag_retained_begin(&run);
  assert_int_equal(nkept, 64);
  assert_true(s.retained.args == UINT64_MAX);
  ag_retained_end(&s);
  assert_int_equal(s.retained.n, 0);
  assert_true(!s.retained.args);
}

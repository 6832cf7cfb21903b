/* 159-graph-text.c - the text of a kernel's graph that the runtime reads: which names it has, and
 * what sums in chunks are. */
#include "emit/tables.h"
#include "unit.h"
#include "in_arena.h"

static const char *write_text(const char *kernel) {
  static const int64_t *constants[8];
  kernel_tree t;
  graph g;
  kernel_tree_read_cpp(&t, kernel, strlen(kernel), "K", a);
  graph_build(&g, &t, "K", NULL, NULL, a);
  assert_null(g.why);
  const char *text = graph_text_write(&g, constants, NULL, a);
  assert_non_null(text);
  return text;
}

/* A mask's -inf and the first value of a maximum are one node: it is called by neither's name. */
TEST(constants_have_no_name) {
  const char *text = write_text("void K(const float* in_ptr0, float* out_ptr0)\n{\n"
                                "  float tmp_acc0 = -std::numeric_limits<float>::infinity();\n"
                                "  for (int64_t x0 = 0; x0 < 4; x0 += 1)\n  {\n"
                                "    auto tmp0 = in_ptr0[x0];\n"
                                "    auto tmp1 = -std::numeric_limits<float>::infinity();\n"
                                "    auto tmp2 = static_cast<float>(2.0);\n"
                                "    auto tmp3 = tmp0 > tmp2;\n"
                                "    auto tmp4 = tmp3 ? tmp1 : tmp0;\n"
                                "    tmp_acc0 = max_propagate_nan(tmp_acc0, tmp4);\n"
                                "  }\n  out_ptr0[0] = tmp_acc0;\n}\n");
  assert_non_null(strstr(text, " infinity\n"));
  assert_null(strstr(text, "=tmp1"));
  assert_null(strstr(text, "=tmp2"));
  assert_non_null(strstr(text, "=tmp4\n"));
  const char *named = strstr(text, "=tmp_acc0\n");
  assert_non_null(named);
  assert_null(strstr(named + 1, "=tmp_acc0\n")); /* the maximum alone */
}

#define CHUNKS(type)                                                                               \
  "void K(const float* in_ptr0, float* out_ptr0)\n{\n"                                             \
  "  CascadeSumHelper<" type ", 4096> helper0(static_cast<int64_t>(9000L));\n"                     \
  "  float sum = 0;\n"                                                                             \
  "  for (int64_t x0 = 0; x0 < 9000; x0 += 1)\n  {\n"                                              \
  "    auto tmp0 = in_ptr0[x0];\n"                                                                 \
  "    sum = cascade_sum_combine(tmp0, &helper0);\n  }\n"                                          \
  "  sum = cascade_sum_final(&helper0);\n  out_ptr0[0] = sum;\n}\n"

/* The helper's variable is the one that the loop carries. */
TEST(sums_in_chunks_are_sums) {
  const char *text = write_text(CHUNKS("float"));
  assert_non_null(strstr(text, "\nc helper0 0 "));
  assert_non_null(strstr(text, "=helper0\n"));
  assert_non_null(strstr(text, "of cascade_sum_final "));
  assert_null(strstr(text, "\nu")); /* nothing that is not known */
}

/* A type that is not known, or cut off: not explained, and nothing worse. */
TEST(odd_sums_are_not_known) {
  static const char *const odd[] = {CHUNKS("Vectorized"), CHUNKS("mystery"),
                                    CHUNKS("at::vec::Vectorized<mystery>"), CHUNKS("int64_t")};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    assert_non_null(strstr(write_text(odd[i]), "\nu"));
}

/* Torch 2.13 and later call functions for what older versions write with operators. */
TEST(divisions_are_named) {
  const char *text =
      write_text("void K(const int64_t* in_ptr0, const int64_t* in_ptr1, int64_t* out_ptr0)\n{\n"
                 "  std::atomic<int> inductor_cpu_integer_div_error{0};\n"
                 "  inductor_cpu_integer_div_error_flag = &inductor_cpu_integer_div_error;\n"
                 "  for (int64_t x0 = 0; x0 < 16; x0 += 8)\n  {\n"
                 "    auto tmp0 = at::vec::VectorizedN<int64_t,1>::loadu(in_ptr0 + x0, 8);\n"
                 "    auto tmp1 = at::vec::VectorizedN<int64_t,1>::loadu(in_ptr1 + x0, 8);\n"
                 "    auto tmp2 = floor_divide_integral(tmp0, "
                 "decltype(tmp1)::set(decltype(tmp1)(1), tmp1, 8));\n"
                 "    auto tmp3 = remainder_integral(tmp0, tmp1);\n"
                 "    auto tmp4 = mod(tmp1, tmp0);\n"
                 "    auto tmp5 = tmp2 + tmp3 + tmp4;\n"
                 "    tmp5.store(out_ptr0 + x0, 8);\n  }\n"
                 "  inductor_cpu_integer_div_error_flag = nullptr;\n"
                 "  inductor_cpu_throw_if_integer_div_error(inductor_cpu_integer_div_error);\n}\n");
  const char *quotient = strstr(text, "\nol // "), *rest = strstr(text, "\nol % ");
  assert_non_null(quotient);
  assert_non_null(strstr(text, "\nol set ")); /* 1, divisor, number of lanes */
  assert_non_null(rest);
  assert_non_null(strstr(rest + 1, "\nol % "));
  assert_null(strstr(text, "\nu"));
}

TEST(functions_of_floats_divide_no_integers) {
  const char *text = write_text("void K(const float* in_ptr0, float* out_ptr0)\n{\n"
                                "  for (int64_t x0 = 0; x0 < 4; x0 += 1)\n  {\n"
                                "    auto tmp0 = in_ptr0[x0];\n"
                                "    auto tmp1 = mod(tmp0, tmp0 * tmp0);\n"
                                "    out_ptr0[x0] = tmp1;\n  }\n}\n");
  assert_non_null(strstr(text, " mod "));
}

/* Each level is read once: twice would never end. */
TEST(nested_calls_take_no_longer) {
  static const char *const calls[][2] = {
      {"mod(", ", tmp0)"}, {"remainder_integral(", ", tmp0)"}, {"tmp0.is_masked(", ")"}};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    strbuf t = {0};
    strbuf_puts(&t, "void K(const float* in_ptr0, float* out_ptr0)\n{\n"
                    "  auto tmp0 = in_ptr0[0];\n  out_ptr0[0] = ");
    for (int k = 0; k < 60; k++) strbuf_puts(&t, calls[i][0]);
    strbuf_puts(&t, "in_ptr0[1]");
    for (int k = 0; k < 60; k++) strbuf_puts(&t, calls[i][1]);
    strbuf_puts(&t, ";\n}\n");
    strbuf_add(&t, "", 1);
    const char *text = write_text(t.at);
    assert_non_null(strstr(text, "\nl 0 "));
    int accesses = 0;
    assert_int_equal(sscanf(text, "1 c %*d %*d %*d %d", &accesses), 1);
    assert_int_equal(accesses, 3); /* two loads and a store */
    strbuf_free(&t);
  }
}

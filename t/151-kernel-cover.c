/* 151-kernel-cover.c - which parameters a kernel reads and writes without a gap, and which of its
 * constants are on purpose. */
#include "kernel_facts.h"
#include "unit.h"
#include "in_arena.h"

#define LOOP(v, n, step) "for (int64_t " v " = 0L; " v " < " n "; " v " += " step ") {\n"

/* The facts of a kernel with in_ptr0, in_ptr1, out_ptr0 and ks0. */
static kernel_facts read_cpp(const char *body) {
  kernel_facts f;
  const char *text = arena_printf(a,
                                  "extern \"C\" void K(const float* in_ptr0, const int64_t* "
                                  "in_ptr1, float* out_ptr0, const int64_t ks0)\n{\n%s\n}\n",
                                  body);
  read_cpp_facts(&f, text, strlen(text), "K", a);
  assert_null(f.why);
  return f;
}

static const char *name_type(void *data, const char *param) {
  (void)data;
  return strstr(param, "ptr") ? "*fp32" : strcmp(param, "XBLOCK") ? "i32" : "constexpr";
}

/* numel: a line of its own, or "". */
static kernel_facts read_triton(const char *numel, const char *body) {
  kernel_facts f;
  const char *text = arena_printf(
      a,
      "async_compile.triton('K', '''\n@triton.jit\ndef K(in_ptr0, in_ptr1, out_ptr0, ks0, xnumel, "
      "XBLOCK : tl.constexpr):\n%s    xoffset = tl.program_id(0) * XBLOCK\n"
      "    xindex = xoffset + tl.arange(0, XBLOCK)[:]\n    xmask = xindex < xnumel\n%s",
      numel, body);
  kernel_tree t;
  kernel_tree_read_triton(&t, text, strlen(text), "K", a);
  read_facts(&f, &t, "K", name_type, NULL, a);
  assert_null(f.why);
  return f;
}

/* The elements of in_ptr0 that the kernel reads without a gap, "" if that is not known. */
static const char *loads_all(kernel_facts f) {
  const char *all = kernel_facts_find(&f, "in_ptr0")->loads_all;
  return all ? all : "";
}

static const char *of_index(const char *index) {
  return loads_all(read_cpp(arena_printf(
      a,
      LOOP("x0", "4L", "1L") LOOP("x1", "8L", "1L") "out_ptr0[x1 + 8L*x0] = in_ptr0[%s];\n}\n}\n",
      index)));
}

TEST(an_index_covers_what_it_goes_over) {
  assert_string_equal(of_index("x1 + 8L*x0"), "32");
  assert_string_equal(of_index("static_cast<int64_t>(x0 + 4L*x1)"), "32");
  assert_string_equal(of_index("x1"), "8");
  assert_string_equal(of_index("0L"), "1");
  assert_string_equal(of_index("4L + x1 + 8L*x0"), ""); /* without the first */
  assert_string_equal(of_index("x1 + 16L*x0"), "");     /* half of the columns */
  assert_string_equal(of_index("2L*x1 + 16L*x0"), "");
  assert_string_equal(of_index("x1 + x0"), "");
  assert_string_equal(of_index("7L - x1 + 8L*x0"), "");
  assert_string_equal(of_index("x1 + 8L*in_ptr1[x0]"), "");
  assert_string_equal(of_index("x1 / (4L - 4L)"), "");
  assert_string_equal(of_index("x1 + 8L*(x1 / 4L)"), "");
  assert_string_equal(of_index("x1 % 4L + 4L*(x1 / 4L)"), "8");
}

/* The elements that fill a vector, and the rest. */
#define VECTORS(main, rest)                                                                        \
  LOOP("x0", "36L", "16L")                                                                         \
  "if(C10_LIKELY(x0 >= 0L && x0 < 32L)) {\n" main "}\n"                                            \
  "if(C10_UNLIKELY(x0 >= 32L && x0 < 36L)) {\n" rest "}\n}\n"
#define LOAD(n) "auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + x0, " n ");\n"

TEST(two_parts_of_a_loop_are_one) {
  assert_string_equal(loads_all(read_cpp(VECTORS(LOAD("16L"), LOAD("4L")))), "36");
  assert_string_equal(loads_all(read_cpp(VECTORS(LOAD("16L"), ""))), "32");
  assert_string_equal(loads_all(read_cpp(VECTORS("", LOAD("4L")))), "");
  /* Conditions on what is not the loop's variable, or that may hold nowhere in it. */
  assert_string_equal(
      loads_all(read_cpp(LOOP("x0", "16L", "1L") "auto y = x0 + 4L;\nif (y < 8L) {\n"
                                                 "out_ptr0[x0] = in_ptr0[y - 4L];\n}\n}\n")),
      "");
  assert_string_equal(
      loads_all(read_cpp(LOOP("x0", "ks0", "1L") "if (x0 < 32L) {\n"
                                                 "out_ptr0[x0] = in_ptr0[x0];\n}\n}\n")),
      "");
}

TEST(every_use_counts) {
#define ROWS(index) LOOP("x0", "4L", "1L") "out_ptr0[x0] = in_ptr0[" index "];\n}\n"
  assert_string_equal(loads_all(read_cpp(ROWS("x0") ROWS("x0"))), "4");
  assert_string_equal(loads_all(read_cpp(ROWS("x0") ROWS("2L*x0"))), "");
  assert_string_equal(loads_all(read_cpp(ROWS("x0") "helper(in_ptr0);\n")), "");
  assert_string_equal(
      loads_all(read_cpp(ROWS("x0") "auto f = [&] { return in_ptr0[0]; };\nout_ptr0[4] = f();\n")),
      "");
  assert_string_equal(loads_all(read_cpp("if (in_ptr1[0] > 0) {\n" ROWS("x0") "}\n")), "");
  assert_string_equal(loads_all(read_cpp("auto p = in_ptr0;\n" LOOP(
                          "x0", "4L", "1L") "out_ptr0[x0] = p[x0];\n}\n")),
                      "4");
}

TEST(sizes_may_be_parameters) {
  assert_string_equal(loads_all(read_cpp(LOOP("x0", "ks0", "1L") LOOP(
                          "x1", "8L", "1L") "out_ptr0[x1] = in_ptr0[x1 + 8L*x0];\n}\n}\n")),
                      "8 @3 *");
  assert_string_equal(
      loads_all(read_triton("", "    x0 = (xindex % ks0)\n    x1 = xindex // ks0\n"
                                "    tmp0 = tl.load(in_ptr0 + (x0 + ks0*x1), xmask)\n"
                                "    tl.store(out_ptr0 + (xindex), tmp0, xmask)\n")),
      "@3 @4 @3 / *");
}

TEST(of_triton_a_mask_decides) {
#define MASKED(mask)                                                                               \
  "    x2 = xindex\n    tmp1 = x2 < 8\n"                                                           \
  "    tmp0 = tl.load(in_ptr0 + (x2), " mask ")\n    tl.store(out_ptr0 + (x2), tmp0, xmask)\n"
  assert_string_equal(loads_all(read_triton("    xnumel = 32\n", MASKED("xmask"))), "32");
  assert_string_equal(loads_all(read_triton("    xnumel = 32\n", MASKED("None"))), "32");
  assert_string_equal(loads_all(read_triton("    xnumel = 32\n", MASKED("tmp1 & xmask"))), "");
}

TEST(what_a_maximum_begins_with_is_not_on_purpose) {
#define INFINITE "-std::numeric_limits<float>::infinity()"
#define GREATEST(value)                                                                            \
  "float tmp_acc0 = " INFINITE                                                                     \
  ";\n" LOOP("x0", "8L", "1L") "auto tmp0 = in_ptr0[x0];\n"                                        \
                               "auto tmp1 = static_cast<float>(" INFINITE                          \
                               ");\nauto tmp2 = tmp0 > 3 ? tmp1 : tmp0;\n"                         \
                               "tmp_acc0 = max_propagate_nan(tmp_acc0, " value                     \
                               ");\n}\nout_ptr0[0] = tmp_acc0 + tmp_acc0;\n"
  kernel_facts f = read_cpp(GREATEST("tmp0"));
  assert_int_equal(kernel_facts_find(&f, "out_ptr0")->constants, 0);
  f = read_cpp(GREATEST("tmp2")); /* a masked row */
  assert_int_equal(kernel_facts_find(&f, "out_ptr0")->constants, AG_NEG_INF);
  f = read_cpp(
      "float tmp_acc0 = " INFINITE ";\nfloat tmp_acc0_arr[2];\ntmp_acc0_arr[0] = " INFINITE
      ";\nfloat tmp_acc0_local = " INFINITE ";\n" LOOP(
          "x0", "8L", "1L") "tmp_acc0_local = max_propagate_nan(tmp_acc0_local, in_ptr0[x0]);\n}\n"
                            "tmp_acc0_arr[0] = tmp_acc0_local;\n"
                            "tmp_acc0 = max_propagate_nan(tmp_acc0, tmp_acc0_arr[0]);\nout_ptr0[0] "
                            "= tmp_acc0;\n");
  assert_int_equal(kernel_facts_find(&f, "out_ptr0")->constants, 0);
  f = read_triton("", "    tmp0 = tl.load(in_ptr0 + (xindex), xmask)\n"
                      "    tmp1 = tl.where(xmask, tmp0, float(\"-inf\"))\n"
                      "    tl.store(out_ptr0 + (0), triton_helpers.max2(tmp1, 1), None)\n");
  assert_int_equal(kernel_facts_find(&f, "out_ptr0")->constants, 0);
  f = read_triton("", "    tmp0 = tl.load(in_ptr0 + (xindex), xmask)\n"
                      "    tmp1 = tl.where(tmp0 > 3, float(\"-inf\"), tmp0)\n"
                      "    tl.store(out_ptr0 + (xindex), 1.0 - tmp1, xmask)\n");
  assert_int_equal(kernel_facts_find(&f, "out_ptr0")->constants, AG_POS_INF);
}

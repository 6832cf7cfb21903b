/* 145-kernel-text.c - what the text of a kernel says of its parameters: dependences, constants,
 * extents; and texts that no compiler wrote. */
#include "base/file.h"
#include "model/cpp_functions.h"
#include "kernel_facts.h"
#include "model/triton.h"
#include "unit.h"
#include "in_arena.h"
#include <glob.h>

static kernel_facts read_cpp(const char *params, const char *body) {
  kernel_facts f;
  const char *text = arena_printf(a, "extern \"C\" void K(%s)\n{\n%s\n}\n", params, body);
  read_cpp_facts(&f, text, strlen(text), "K", a);
  return f;
}

static kernel_facts read_triton(const char *params, const char *body) {
  kernel_facts f;
  const char *text =
      arena_printf(a, "async_compile.triton('K', '''\n@triton.jit\ndef K(%s):\n%s", params, body);
  read_triton_facts(&f, text, strlen(text), "K", a);
  return f;
}

/* "in_ptr0 in_ptr1": what reaches the parameter; "?" where the kernel is not understood. */
static const char *reaching(const kernel_facts *f, const char *name) {
  strings names = {0};
  if (f->why) return arena_printf(a, "? %s", f->why);
  const kernel_param *p = kernel_facts_find(f, name);
  assert_non_null(p);
  for (size_t i = 0; i < f->nparams; i++)
    if (p->reached_by >> i & 1 && strstr(f->params[i].name, "ptr"))
      *arena_push(a, &names) = f->params[i].name;
  return strings_join(a, &names, " ");
}

static int64_t least(const kernel_facts *f, const char *name) {
  assert_null(f->why);
  return kernel_facts_find(f, name)->least;
}

/* True if a store goes over all places of the parameter. */
static bool fills(const kernel_facts *f, const char *name) {
  assert_null(f->why);
  assert_true(kernel_facts_find(f, name)->stored);
  return kernel_facts_find(f, name)->fills;
}

#define PTRS "const float* in_ptr0, const float* in_ptr1, float* out_ptr0, float* out_ptr1"
#define FOR(v, n)                                                                                  \
  "for(int64_t " v "=static_cast<int64_t>(0L); " v "<static_cast<int64_t>(" n "); " v

/* ---- C++ ------------------------------------------------------------------------------------ */

TEST(whole_vectors) {
  kernel_facts f = read_cpp(PTRS, FOR("x0", "5L") "+=static_cast<int64_t>(16L)) {\n"
                                                  " auto tmp1 = at::vec::VecMask<float,1>::from(x0)"
                                                  ".template loadu<float,1>(in_ptr0 + x0);\n"
                                                  " auto tmp2 = at::vec::Vectorized<float>::loadu("
                                                  "in_ptr1 + x0, 5L);\n"
                                                  " (tmp1 + tmp2).store(out_ptr0 + x0, 5L);\n}");
  assert_null(f.why);
  assert_true(kernel_facts_find(&f, "in_ptr0")->vectors);
  assert_false(kernel_facts_find(&f, "in_ptr1")->vectors);
}

/* Of such a vector the first element alone is surely part of the tensor. */
TEST(whole_vectors_reach_no_further) {
  kernel_facts f = read_cpp(PTRS, FOR("x0", "20L") "+=static_cast<int64_t>(16L)) {\n"
                                                   " auto tmp0 = x0 < 32L;\n"
                                                   " auto tmp1 = at::vec::VecMask<float,1>::from("
                                                   "tmp0).template loadu<float,1>(in_ptr0 + x0);\n"
                                                   " tmp1.store(out_ptr0 + x0, 4L);\n}");
  assert_int_equal(least(&f, "in_ptr0"), 17);
}

TEST(loops_of_one_kernel_stay_apart) {
  kernel_facts f = read_cpp(
      PTRS, FOR("x0", "16L") "+=static_cast<int64_t>(16L)) {\n"
                             " auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + "
                             "static_cast<int64_t>(x0), "
                             "static_cast<int64_t>(16));\n"
                             " auto tmp1 = tmp0.exp();\n"
                             " tmp1.store(out_ptr0 + static_cast<int64_t>(x0));\n}\n" FOR(
                                 "x0", "8L") "+=static_cast<int64_t>(1L)) {\n"
                                             " auto tmp0 = in_ptr1[static_cast<int64_t>(x0)];\n"
                                             " out_ptr1[static_cast<int64_t>(x0)] = tmp0;\n}\n");
  assert_string_equal(reaching(&f, "out_ptr0"), "in_ptr0");
  assert_string_equal(reaching(&f, "out_ptr1"), "in_ptr1");
  assert_true(f.params[2].stored && !f.params[2].loaded && f.params[0].loaded);
  assert_int_equal(least(&f, "in_ptr0"), 16);
  assert_int_equal(least(&f, "out_ptr0"), 16);
  assert_int_equal(least(&f, "in_ptr1"), 8);
}

TEST(accumulators_carry_what_they_summed) {
  kernel_facts f = read_cpp(
      PTRS, "float tmp_acc0 = 0;\n"
            "at::vec::Vectorized<float> tmp_acc0_vec = at::vec::Vectorized<float>(0);\n" FOR(
                "x0", "36L") "+=static_cast<int64_t>(16L)) {\n"
                             " if(C10_LIKELY(x0 >= static_cast<int64_t>(0) && x0 < "
                             "static_cast<int64_t>(32L))) {\n"
                             "  auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + "
                             "static_cast<int64_t>(x0), static_cast<int64_t>(16));\n"
                             "  tmp_acc0_vec = tmp_acc0_vec + tmp0;\n }\n"
                             " if(C10_UNLIKELY(x0 >= static_cast<int64_t>(32L) && x0 < "
                             "static_cast<int64_t>(36L))) {\n"
                             "  auto tmp0 = at::vec::Vectorized<float>::loadu(in_ptr0 + "
                             "static_cast<int64_t>(x0), static_cast<int64_t>(4L));\n"
                             "  tmp_acc0_vec = sum_masked_reduce(tmp_acc0_vec, tmp0, "
                             "static_cast<int64_t>(4L));\n }\n}\n"
                             "tmp_acc0 = tmp_acc0 + at::vec::vec_reduce_all<float, "
                             "1>([](at::vec::Vectorized<float>& x, at::vec::Vectorized<float>& y) "
                             "{ return x + y; }, tmp_acc0_vec);\n"
                             "out_ptr0[static_cast<int64_t>(0L)] = "
                             "static_cast<float>(tmp_acc0);\n"
                             "out_ptr1[0] = in_ptr1[0];\n");
  assert_string_equal(reaching(&f, "out_ptr0"), "in_ptr0");
  assert_string_equal(reaching(&f, "out_ptr1"), "in_ptr1");
  assert_int_equal(least(&f, "in_ptr0"), 36);
  assert_int_equal(least(&f, "out_ptr0"), 1);
}

TEST(what_is_stored_and_read_again_reaches_on) {
  kernel_facts f = read_cpp(PTRS, FOR("x0", "4L") "++) { out_ptr0[x0] = in_ptr0[x0]; }\n" FOR(
                                      "x0", "4L") "++) { auto tmp0 = out_ptr0[x0]; "
                                                  "out_ptr1[x0] = tmp0; }\n");
  assert_string_equal(reaching(&f, "out_ptr1"), "in_ptr0 out_ptr0");
  f = read_cpp(PTRS, "float buffer[16];\nfloat* p = buffer;\np[0] = in_ptr0[0];\n"
                     "out_ptr0[0] = buffer[0];\n");
  assert_string_equal(reaching(&f, "out_ptr0"), "in_ptr0");
  f = read_cpp(PTRS, "auto p = out_ptr0 + 4;\np[0] = in_ptr1[0];\n");
  assert_string_equal(reaching(&f, "out_ptr0"), "in_ptr1");
  f = read_cpp(PTRS, "IndexValue<float> x = IndexValue<float>{0, in_ptr0[0]};\n"
                     "auto tmp1 = x.to<float,1>();\nout_ptr0[0] = tmp1.index < 3;\n");
  assert_string_equal(reaching(&f, "out_ptr0"), "in_ptr0");
  f = read_cpp(PTRS, "helper(in_ptr0, out_ptr1);\n");
  assert_string_equal(reaching(&f, "out_ptr1"), "in_ptr0 out_ptr1");
  f = read_cpp(PTRS, "atomic_add(&out_ptr0[in_ptr1[0]], in_ptr0[0]);\n");
  assert_true(strstr(reaching(&f, "out_ptr0"), "in_ptr0 in_ptr1") != NULL);
}

TEST(conditions_and_indices_count) {
  kernel_facts f = read_cpp(PTRS, "auto tmp0 = in_ptr0[0];\nif (tmp0 > 0) { out_ptr0[0] = 1.0; }\n"
                                  "auto tmp1 = in_ptr1[0];\nout_ptr1[tmp1] = 2.0;\n");
  assert_string_equal(reaching(&f, "out_ptr0"), "in_ptr0");
  assert_string_equal(reaching(&f, "out_ptr1"), "in_ptr1");
  f = read_cpp(PTRS, "auto tmp0 = in_ptr0[0];\nauto tmp1 = [&] { return in_ptr1[0]; };\n"
                     "out_ptr0[0] = tmp0 > 0 ? tmp1() : 0.0;\n");
  assert_string_equal(reaching(&f, "out_ptr0"), "in_ptr0 in_ptr1");
}

TEST(only_what_is_certain_is_touched) {
  kernel_facts f = read_cpp(PTRS,
                            FOR("x0", "8L") "++) {\n"
                                            " auto tmp0 = in_ptr0[x0];\n"
                                            " if (tmp0 > 0) { out_ptr0[x0] = tmp0; }\n"
                                            " auto tmp1 = [&] { return in_ptr1[x0]; };\n"
                                            " out_ptr1[7L - x0] = tmp0 > 0 ? tmp1() : 0.0;\n}\n");
  assert_int_equal(least(&f, "in_ptr0"), 8);
  assert_int_equal(least(&f, "out_ptr0"), 0);
  assert_int_equal(least(&f, "in_ptr1"), 0);
  assert_int_equal(least(&f, "out_ptr1"), 8);
  f = read_cpp(PTRS, FOR("x0", "0L") "++) { out_ptr0[x0] = in_ptr0[x0 + 5]; }\n");
  assert_int_equal(least(&f, "in_ptr0"), 0);
  f = read_cpp(PTRS, "auto tmp0 = in_ptr0[3];\nif (tmp0 > 0) return;\nout_ptr0[9] = 1.0;\n");
  assert_int_equal(least(&f, "in_ptr0"), 4);
  assert_int_equal(least(&f, "out_ptr0"), 0);
  f = read_cpp(PTRS, "int64_t n = 3;\n" FOR("x0", "4L") "++) { n += 1; out_ptr0[n] = 1.0; }\n");
  assert_int_equal(least(&f, "out_ptr0"), 0);
}

TEST(sizes_may_be_parameters) {
  kernel_facts f = read_cpp("const float* in_ptr0, float* out_ptr0, const int64_t ks0",
                            FOR("x0", "ks0") "+=static_cast<int64_t>(1L)) {\n"
                                             " out_ptr0[x0] = in_ptr0[static_cast<int64_t>(3L + "
                                             "10L*x0)];\n}\n");
  assert_int_equal(least(&f, "in_ptr0"), 0);
  assert_string_equal(kernel_facts_find(&f, "out_ptr0")->least_of, "0 @2 < ? @2 1 - 1 +");
  assert_string_equal(kernel_facts_find(&f, "in_ptr0")->least_of, "0 @2 < ? 3 10 @2 1 - * + 1 +");
}

TEST(a_constant_nan_is_on_purpose) {
  kernel_facts f = read_cpp(
      PTRS, "auto tmp0 = std::numeric_limits<float>::quiet_NaN();\n"
            "auto tmp1 = at::vec::Vectorized<float>(tmp0);\n"
            "auto tmp2 = at::vec::Vectorized<float>::loadu(in_ptr0 + 0, 16);\n"
            "auto tmp3 = decltype(tmp2)::blendv(tmp1, tmp2, tmp2.template cast<float,1>());\n"
            "tmp3.store(out_ptr0 + 0, 16);\nauto tmp4 = tmp2 + tmp1;\ntmp4.store(out_ptr1 + 0);\n");
  assert_null(f.why);
  assert_true(kernel_facts_find(&f, "out_ptr0")->constants & AG_NAN);
  assert_false(kernel_facts_find(&f, "out_ptr1")->constants & AG_NAN);
  f = read_triton("in_ptr0, out_ptr0, out_ptr1, xnumel, XBLOCK : tl.constexpr",
                  "    tmp0 = tl.full([1], float(\"nan\"), tl.float32)\n"
                  "    tmp1 = tl.load(in_ptr0 + (0), None)\n"
                  "    tl.store(out_ptr0 + (0), tl.where(tmp1 > 0, tmp1, tmp0), None)\n"
                  "    tl.store(out_ptr1 + (0), tmp1, None)\n");
  assert_null(f.why);
  assert_true(kernel_facts_find(&f, "out_ptr0")->constants & AG_NAN);
  assert_false(kernel_facts_find(&f, "out_ptr1")->constants & AG_NAN);
}

/* ---- Triton --------------------------------------------------------------------------------- */

#define TRITON "in_ptr0, in_ptr1, out_ptr0, out_ptr1, xnumel, r0_numel, XBLOCK : tl.constexpr"
#define INDEX                                                                                      \
  "    xoffset = tl.program_id(0) * XBLOCK\n"                                                      \
  "    xindex = xoffset + tl.arange(0, XBLOCK)[:, None]\n    xmask = xindex < xnumel\n"

TEST(triton_stores_depend_on_loads) {
  kernel_facts f = read_triton(
      TRITON, "    xnumel = 2048\n" INDEX "    x0 = (xindex % 256)\n    x2 = xindex\n"
              "    tmp0 = tl.load(in_ptr0 + (x0), xmask, eviction_policy='evict_last')\n"
              "    tmp1 = tl.load(in_ptr1 + (x2), xmask)\n"
              "    tmp2 = tmp0 * 2\n"
              "    tl.store(out_ptr0 + (x2), tmp2, xmask)\n"
              "    tl.store(out_ptr1 + (x2), tmp1, xmask & (tmp0 > 0))\n");
  assert_string_equal(reaching(&f, "out_ptr0"), "in_ptr0");
  assert_string_equal(reaching(&f, "out_ptr1"), "in_ptr0 in_ptr1");
  assert_int_equal(least(&f, "in_ptr0"), 256);
  assert_int_equal(least(&f, "in_ptr1"), 2048);
  assert_int_equal(least(&f, "out_ptr0"), 2048);
  assert_int_equal(least(&f, "out_ptr1"), 0); /* its mask is not known */
  assert_true(fills(&f, "out_ptr0"));
  assert_false(fills(&f, "out_ptr1"));
}

TEST(triton_scatters_do_not_fill) {
  kernel_facts f = read_triton(TRITON,
                               INDEX "    tmp0 = tl.load(in_ptr0 + (xindex), xmask)\n"
                                     "    tl.store(out_ptr0 + (8*tmp0), 1.0, xmask)\n"
                                     "    tl.atomic_add(out_ptr1 + (xindex), 1.0, xmask)\n");
  assert_false(fills(&f, "out_ptr0"));
  assert_false(fills(&f, "out_ptr1"));
}

TEST(triton_reductions_have_two_loops) {
  kernel_facts f =
      read_triton(TRITON ", R0_BLOCK : tl.constexpr",
                  "    xnumel = 6\n    r0_numel = 100\n" INDEX
                  "    r0_base = tl.arange(0, R0_BLOCK)[None, :]\n    x0 = xindex\n"
                  "    _tmp3 = tl.full([XBLOCK, R0_BLOCK], 0, tl.float32)\n"
                  "    for r0_offset in tl.range(0, r0_numel, R0_BLOCK, num_stages = 2):\n"
                  "        r0_index = r0_offset + r0_base\n        r0_mask = r0_index < r0_numel\n"
                  "        r0_1 = r0_index\n"
                  "        tmp0 = tl.load(in_ptr0 + (r0_1 + 100*x0), r0_mask & xmask, other=0.0)\n"
                  "        _tmp3 = tl.where(r0_mask & xmask, _tmp3 + tmp0, _tmp3)\n"
                  "    tmp3 = tl.sum(_tmp3, 1)[:, None]\n"
                  "    tl.store(out_ptr0 + (x0), tmp3, xmask)\n");
  assert_string_equal(reaching(&f, "out_ptr0"), "in_ptr0");
  assert_int_equal(least(&f, "in_ptr0"), 600);
  assert_int_equal(least(&f, "out_ptr0"), 6);
}

TEST(triton_sizes_may_be_parameters) {
  kernel_facts f = read_triton(TRITON, INDEX "    tmp0 = tl.load(in_ptr0 + (4*xindex), xmask)\n"
                                             "    tl.store(out_ptr0 + (xindex), tmp0, xmask)\n");
  assert_string_equal(kernel_facts_find(&f, "in_ptr0")->least_of,
                      "0 @4 < ? @4 1 - @4 < ? 4 @4 1 - * 1 +");
}

TEST(kernels_by_hand_promise_no_size) {
  kernel_facts f;
  static const char text[] =
      "@triton_heuristics.user_autotune(\n)\n@triton.jit\n"
      "def K(x_ptr, o_ptr, n, BLOCK: tl.constexpr):\n"
      "    pid = tl.program_id(0); offs = pid * BLOCK + tl.arange(0, BLOCK)\n"
      "    ptrs = x_ptr + offs\n"
      "    if pid > 3:\n        return\n"
      "    elif n == 0: pass\n"
      "    else:\n        ptrs += 1\n"
      "    tl.store(o_ptr + offs, tl.load(ptrs, mask=offs < n), "
      "mask=offs < n)\n";
  read_triton_facts(&f, text, strlen(text), "K", a);
  assert_string_equal(reaching(&f, "o_ptr"), "x_ptr");
  assert_int_equal(least(&f, "x_ptr"), 0);
}

/* As empty[ids] = values, as zeros(n).index_add_(0, ids, values), the same into other memory. */
TEST(scatters_do_not_fill) {
  kernel_facts f =
      read_cpp(PTRS ", float* out_ptr2, const int64_t ks0",
               FOR("x0", "ks0") "+=static_cast<int64_t>(1L)) {\n"
                                " auto tmp0 = in_ptr0[static_cast<int64_t>(x0)];\n"
                                " auto tmp1 = at::vec::Vectorized<float>::loadu(in_ptr1 + x0);\n"
                                " auto tmp2 = tmp0 < 0 ? tmp0 + 8 : tmp0;\n"
                                " tmp1.store(out_ptr0 + static_cast<int64_t>(64L*tmp2));\n"
                                " out_ptr1[static_cast<int64_t>(x0)] = 0;\n"
                                " atomic_add(&out_ptr1[static_cast<int64_t>(tmp2)], tmp0);\n"
                                " atomic_add(&out_ptr2[static_cast<int64_t>(tmp2)], tmp0);\n}\n");
  assert_false(fills(&f, "out_ptr0"));
  assert_true(fills(&f, "out_ptr1"));
  assert_false(fills(&f, "out_ptr2"));
  f = read_cpp(PTRS, "if (in_ptr0[0] > 0) { out_ptr0[0] = 1; } else { out_ptr0[0] = 2; }\n"
                     "out_ptr1[0] += 1;\nmicro_gemm(in_ptr0, out_ptr1);\n");
  assert_false(fills(&f, "out_ptr0"));
  assert_true(fills(&f, "out_ptr1")); /* a function that is not known is taken to fill it */
}

/* ---- what torch emitted --------------------------------------------------------------------- */

static const char *const kinds[] = {"NaN", "+Inf", "-Inf"};
static void note_selected(strbuf *to, const kernel_facts *f, const kernel_param *p) {
  for (size_t i = 0; i < 3 * f->nparams; i++)
    if (p->selected_by[i % 3] >> i / 3 & 1)
      strbuf_printf(to, ", perhaps %s of %s", kinds[i % 3], f->params[i / 3].name);
  if (p->moves) strbuf_puts(to, ", moved");
}

/* Notes what the text of a kernel says, a line for each pointer. */
static void note_facts(strbuf *to, const char *file, const char *name, const kernel_facts *f) {
  if (f->why) fail_msg("%s: %s is not understood: %s", file, name, f->why);
  assert_true(f->stores > 0);
  strbuf_printf(to, "%s %s: %u loads, %u stores\n", file, name, f->loads, f->stores);
  for (size_t i = 0; i < f->nparams; i++) {
    const kernel_param *p = &f->params[i];
    if (!p->loaded && !p->stored) continue;
    strbuf_printf(to, "  %s%s", p->name, p->stored ? " reached by" : "");
    for (size_t k = 0; k < f->nparams; k++)
      if (p->reached_by >> k & 1) strbuf_printf(to, " %s", f->params[k].name);
    note_selected(to, f, p);
    if (p->stored && !p->fills) strbuf_puts(to, ", perhaps in part");
    for (int kind = 0; kind < 3; kind++)
      if (p->constants >> kind & 1) strbuf_printf(to, ", stores %s", kinds[kind]);
    if (p->least) strbuf_printf(to, ", at least %lld", (long long)p->least);
    if (p->least_of) strbuf_printf(to, ", at least %s", p->least_of);
    strbuf_puts(to, "\n");
  }
}

static void read_cpp_file(strbuf *to, const char *file, const char *text) {
  cpp_functions all;
  cpp_functions_read(&all, text, strlen(text), a);
  for (size_t i = 0; i < all.list.n; i++) {
    const cpp_function *x = &all.list.at[i];
    kernel_facts f;
    if (strncmp(x->name, "cpp_fused", 9) != 0) continue;
    read_cpp_facts(&f, text + x->lines.begin, x->lines.end - x->lines.begin, x->name, a);
    note_facts(to, file, x->name, &f);
  }
}

static const char *find_type(void *data, const char *param) {
  const triton_param *x = triton_find_param(data, param);
  return x ? x->type : NULL;
}

static void read_triton_file(strbuf *to, const char *file, const char *text) {
  static const char call[] = "async_compile.triton('";
  for (const char *at = text; (at = strstr(at, call)); at++) {
    const char *name = at + sizeof call - 1, *end = strstr(name, "''', device_str"), *line = at;
    while (line > text && line[-1] == ' ') line--;
    kernel_facts f;
    triton k;
    name = arena_strndup(a, name, strcspn(name, "'"));
    assert_true(end && triton_read(&k, name, line, (size_t)(end - line) + 20, a));
    kernel_tree t;
    kernel_tree_read_triton(&t, k.source, strlen(k.source), name, a);
    read_facts(&f, &t, name, find_type, &k, a);
    note_facts(to, file, name, &f);
  }
}

/* All kernels of all versions are understood, as before: UPDATE_GOLDEN=1 rewrites what they say. */
TEST(the_corpus_is_understood) {
  static const char golden[] = "t/golden/kernels.txt";
  strbuf all = {0}, before = {0};
  glob_t files = {0};
  assert_int_equal(glob("t/corpus/*/*/*/kernel.cpp", 0, NULL, &files), 0);
  assert_int_equal(glob("t/corpus/*/*/*/wrapper.cpp", GLOB_APPEND, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    strbuf text = {0};
    assert_true(file_read(files.gl_pathv[i], SIZE_MAX / 4, &text));
    read_cpp_file(&all, files.gl_pathv[i] + strlen("t/corpus/"), text.at);
    read_triton_file(&all, files.gl_pathv[i] + strlen("t/corpus/"), text.at);
    strbuf_free(&text);
  }
  globfree(&files);
  if (getenv("UPDATE_GOLDEN")) unit_spew(golden, all.at);
  assert_true(file_read(golden, SIZE_MAX / 4, &before));
  assert_string_equal(all.at, before.at);
  strbuf_free(&all);
  strbuf_free(&before);
}

/* ---- what is not understood ----------------------------------------------------------------- */

TEST(what_is_not_understood_says_so) {
  static const char *const cpp[] = {"goto end;",
                                    "asm(\"nop\");",
                                    "out_ptr0[0] = (float) 3 4;",
                                    "float x = ;",
                                    "for (;;) {}",
                                    "if (in_ptr0[0] {",
                                    "\"unterminated",
                                    "/* unterminated",
                                    "#if 1\n#endif",
                                    "global = in_ptr0[0];",
                                    "out_ptr0[0] = in_ptr0[0]",
                                    "switch (1) { case 1: out_ptr0[0] = 1; }",
                                    "auto x = [&] ;",
                                    "out_ptr0[0] = 1; } {",
                                    "*find(in_ptr0) = 1;"};
  for (size_t i = 0; i < sizeof cpp / sizeof *cpp; i++)
    if (i != 13 && !read_cpp(PTRS, cpp[i]).why) fail_msg("understood: %s", cpp[i]);
  static const char *const python[] = {"    x = (\n",
                                       "    x = 'abc\n",
                                       "    a < b < c\n",
                                       "  x = 1\n    y = 2\n",
                                       "    with x: pass\n",
                                       "    x = lambda y: y\n",
                                       "    tl.store()\n",
                                       "    tl.store(find(x), 1)\n",
                                       "    def f(): pass\n",
                                       "    x = y z\n",
                                       "    tl.inline_asm_elementwise('a', in_ptr0)\n"};
  for (size_t i = 0; i < sizeof python / sizeof *python; i++)
    if (!read_triton(TRITON, python[i]).why) fail_msg("understood: %s", python[i]);
  kernel_facts f;
  read_cpp_facts(&f, "", 0, "K", a);
  assert_non_null(f.why);
  read_triton_facts(&f, "def K", 5, "K", a);
  assert_non_null(f.why);
}

/* `piece` n times between two texts. */
static const char *repeat(const char *before, const char *piece, size_t n, const char *after) {
  strbuf t = {0};
  strbuf_puts(&t, before);
  for (size_t i = 0; i < n; i++) strbuf_puts(&t, piece);
  strbuf_puts(&t, after);
  const char *text = arena_strndup(a, t.at, t.n);
  strbuf_free(&t);
  return text;
}

/* A text of a million pieces takes a second or so; what grows with the square would take hours. */
TEST(huge_texts_are_read_or_refused) {
  enum { N = 40000 };
  const struct {
    const char *before, *piece, *after;
  } cpp[] = {{"auto x = ", "(", "1;"},
             {"auto x = ", "1 + ", "1;"},
             {"auto x = ", "-", "1;"},
             {"auto x = ", "f(", "1);"},
             {"auto x = f(", "1, ", "1);"},
             {"auto x = ", "in_ptr0[", "0];"},
             {"auto x = ", "1 ? 2 : ", "3;"},
             {"", "{", "}"},
             {"", "if (1) ", ";"},
             {"", "for(long x0=0; x0<4; x0++) ", ";"},
             {"", "auto x = [&] {", "}"},
             {"auto x = ", "a<", "1;"},
             {"auto tmp0 = in_ptr0[0];", "tmp0 = tmp0 + 1;", "out_ptr0[0] = tmp0;"},
             {"", "if (1) {} else ", ";"},
             {"", "{ auto tmp0 = in_ptr0[0]; out_ptr0[1] = tmp0; }", ""}};
  for (size_t i = 0; i < sizeof cpp / sizeof *cpp; i++)
    read_cpp(PTRS, repeat(cpp[i].before, cpp[i].piece, N, cpp[i].after));
  kernel_facts f = read_cpp(PTRS, repeat("", cpp[14].piece, N, ""));
  assert_string_equal(reaching(&f, "out_ptr0"), "in_ptr0");
  const struct {
    const char *before, *piece, *after;
  } python[] = {{"    x = ", "(", "1\n"},
                {"    x = ", "1 + ", "1\n"},
                {"    x = ", "not ", "1\n"},
                {"    x = ", "2 ** ", "1\n"},
                {"    x = ", "1 if 2 else ", "3\n"},
                {"    ", "x = ", "1\n"},
                {"    if 1: pass\n", "    elif 2: pass\n", ""},
                {"    x = 1", "; x = 2", "\n"},
                {"    x = 1\n", "\n\n", ""},
                {"", "    tl.store(out_ptr0 + 0, tl.load(in_ptr0 + 0))\n", ""},
                {"    tl.store(out_ptr0 + 0, ", "tl.atomic_add(out_ptr0 + 0, ", "1)\n"}};
  for (size_t i = 0; i < sizeof python / sizeof *python; i++)
    read_triton(TRITON, repeat(python[i].before, python[i].piece, N, python[i].after));
}

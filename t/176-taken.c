/* 176-taken - what a run tells of a launch that was taken, which may be anything; and a kernel's
 * text without the other kernels. */
#include "taken/kernel_text.h"
#include "taken/taken.h"
#include "unit.h"

#define HEAD "{\"format\":1,\"kernel\":\"k\",\"threads\":2,\"is_cpu\":true,"
#define MEMORY "\"memories\":[{\"bytes\":24,\"place\":16,\"written\":true}],"
#define TENSOR(memory, offset, sizes, strides)                                                     \
  "{\"name\":\"b\",\"kind\":\"tensor\",\"dtype\":\"float32\",\"memory\":" memory                   \
  ",\"offset\":" offset ",\"sizes\":" sizes ",\"strides\":" strides ",\"written\":true}"
#define LAUNCH(args) HEAD MEMORY "\"args\":[" args "]}"

static const char *why_not(taken *t, const char *text, arena *a) {
  const char *why = NULL;
  const bool ok = taken_read_text(t, text, &why, a);
  assert_int_equal(ok, why == NULL);
  return why;
}

TEST(a_launch_is_read) {
  arena *a = arena_new();
  taken t;
  assert_null(why_not(&t,
                      LAUNCH(TENSOR("0", "4", "[2,2]", "[3,1]") ",{\"name\":\"n\",\"kind\":\"int\","
                                                                "\"bits\":\"fffffffffffffff9\"}"),
                      a));
  assert_string_equal(t.kernel, "k");
  assert_true(t.is_cpp && t.threads == 2 && !t.lack);
  assert_true(t.memories.n == 1 && t.memories.at[0].bytes == 24 && t.memories.at[0].place == 16);
  assert_int_equal(t.arguments.n, 2);
  const taken_argument *x = &t.arguments.at[0];
  assert_true(x->element == 4 && x->offset == 4 && x->ndim == 2 && x->strides[0] == 3);
  assert_true(t.arguments.at[1].kind == TAKEN_INT && t.arguments.at[1].bits == (uint64_t)-7);
  assert_null(why_not(&t, LAUNCH(TENSOR("-1", "0", "[2,0]", "[0,1]")), a));
  assert_null(why_not(&t, HEAD "\"argument\":\"b\",\"lack\":\"it is not there\"}", a));
  assert_string_equal(t.lack, "it is not there");
  arena_free(a);
}

TEST(what_goes_beyond_a_memory_is_refused) {
  static const char *const texts[] = {
      LAUNCH(TENSOR("0", "8", "[2,3]", "[3,1]")),
      LAUNCH(TENSOR("0", "21", "[]", "[]")),
      LAUNCH(TENSOR("1", "0", "[1]", "[1]")),
      LAUNCH(TENSOR("-1", "0", "[1]", "[1]")),
      LAUNCH(TENSOR("0", "-4", "[1]", "[1]")),
      LAUNCH(TENSOR("0", "0", "[2]", "[-1]")),
      LAUNCH(TENSOR("0", "0", "[2]", "[1,1]")),
      LAUNCH(TENSOR("0", "0", "[0]", "[1]")),
      LAUNCH(TENSOR("0", "0", "[9007199254740992]", "[9007199254740992]")),
      LAUNCH(TENSOR("0", "9007199254740992", "[1]", "[1]")),
      LAUNCH("{\"name\":\"n\",\"kind\":\"int\",\"bits\":\"7\"}"),
      LAUNCH("{\"name\":\"n\",\"kind\":\"file\",\"bits\":\"0000000000000000\"}"),
      LAUNCH("7"),
      HEAD "\"memories\":[{\"bytes\":0,\"place\":0}],\"args\":[]}",
      HEAD "}",
      "[]",
      ""};
  arena *a = arena_new();
  taken t;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (!why_not(&t, texts[i], a)) fail_msg("read: %s", texts[i]);
  arena_free(a);
}

/* ---- kernels */

static const char kernels[] =
    "// Triton kernels are embedded as comments in /home/user/x.cpp\n"
    "\n"
    "#include <torch/csrc/inductor/cpp_prefix.h>\n"
    "extern \"C\"  void  cpp_a(const float* in_ptr0)\n{\n  if (*in_ptr0) {}\n}\n"
    "\n#include <torch/csrc/inductor/cpp_prefix.h>\n"
    "template <int N>\nstatic inline int help(int x) { return x + N; }\n"
    "extern \"C\"  void  cpp_b(const float* in_ptr0,\n                       at::BFloat16* "
    "out_ptr0,\n"
    "  const int64_t ks0, const unsigned char* __restrict__ in_ptr1, double s)\n{ help<1>(2); }\n"
    "\n#include <torch/csrc/inductor/cpp_prefix.h>\n"
    "extern \"C\"  void  cpp_c(const float x) {}\n"
    "extern \"C\"  void  cpp_d(std::array<int, 2> x) {}\n"
    "extern \"C\"  int  cpp_e(int x) { return 0; }\n"
    "// Compile cmd\n// g++ /home/user/x.cpp\n";

static const char *cut(kernel_text *k, const char *name, arena *a) {
  *k = (kernel_text){0};
  return kernel_text_cut(k, kernels, sizeof kernels - 1, name, a);
}

TEST(a_kernel_is_cut_out) {
  arena *a = arena_new();
  kernel_text k;
  assert_null(cut(&k, "cpp_b", a));
  assert_string_equal(k.source,
                      "#include <torch/csrc/inductor/cpp_prefix.h>\n\n"
                      "\n#include <torch/csrc/inductor/cpp_prefix.h>\n"
                      "template <int N>\nstatic inline int help(int x) { return x + N; }\n"
                      "extern \"C\"  void  cpp_b(const float* in_ptr0,\n"
                      "                       at::BFloat16* out_ptr0,\n"
                      "  const int64_t ks0, const unsigned char* __restrict__ in_ptr1, double "
                      "s)\n{ help<1>(2); }\n");
  arena_free(a);
}

TEST(a_declaration_is_read) {
  arena *a = arena_new();
  kernel_text k;
  assert_null(cut(&k, "cpp_b", a));
  const kernel_parameter *p = k.parameters.at;
  assert_int_equal(k.parameters.n, 5);
  assert_true(p[0].is_pointer && p[0].is_const && !strcmp(p[0].type, "float"));
  assert_true(p[1].is_pointer && !p[1].is_const && !strcmp(p[1].type, "void"));
  assert_true(!p[2].is_pointer && !strcmp(p[2].type, "int64_t") && !strcmp(p[2].name, "ks0"));
  assert_true(p[3].is_pointer && !strcmp(p[3].type, "unsigned char"));
  assert_true(!p[4].is_pointer && !strcmp(p[4].type, "double"));
  assert_non_null(strstr(cut(&k, "cpp_d", a), "of a type that is none of C's"));
  assert_non_null(strstr(cut(&k, "cpp_e", a), "does not declare it as"));
  assert_string_equal(cut(&k, "cpp_f", a), "does not define it");
  arena_free(a);
}

/* defaults.c - see defaults.h. Knows the flags of torch/_inductor/cpp_builder.py. */
#include "command/default_flags.h"
#include <stdio.h>
#include <string.h>

static void push(strings *list, arena *a, const char *flag) { *arena_push(a, list) = flag; }

/* The minor version of the torch found; one that cannot be read counts as new. */
static unsigned minor_version(const command *c) {
  unsigned major, minor;
  return c->torch_version && sscanf(c->torch_version, "%u.%u", &major, &minor) == 2 && major == 2
             ? minor
             : 99;
}

/* torch/_inductor/cpu_vec_isa.py picks by the machine, as -march=native does. */
static const char *capability(void) {
#if defined __x86_64__
  if (__builtin_cpu_supports("avx512f")) return "-DCPU_CAPABILITY_AVX512";
  if (__builtin_cpu_supports("avx2")) return "-DCPU_CAPABILITY_AVX2";
#endif
  return "-DCPU_CAPABILITY_DEFAULT";
}

void defaults_compile(command *c, const char *at, size_t n, const includes *list, arena *a) {
  static const char *const flags[] = {"-DTORCH_INDUCTOR_CPP_WRAPPER",
                                      "-DSTANDALONE_TORCH_HEADER",
                                      "-DC10_USING_CUSTOM_GENERATED_MACROS",
                                      "-DNDEBUG",
                                      "-fno-trapping-math",
                                      "-funsafe-math-optimizations",
                                      "-ffinite-math-only",
                                      "-fno-signed-zeros",
                                      "-fno-math-errno",
                                      "-fno-finite-math-only",
                                      "-fno-unsafe-math-optimizations",
                                      "-ffp-contract=off",
                                      "-fexcess-precision=fast",
                                      "-fno-tree-loop-vectorize",
                                      "-march=native",
                                      "-fPIC",
                                      "-Wall",
                                      "-Wno-unused-variable",
                                      "-Wno-unknown-pragmas",
                                      "-fopenmp"};
  (void)list;
  bool wrapper = memmem(at, n, "AOTInductorModel::", 18) ||
                 memmem(at, n, "inductor_entry_impl", 19);
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) push(&c->compile, a, flags[i]);
  push(&c->compile, a, capability());
  if (c->cuda) push(&c->compile, a, "-DUSE_CUDA");
  push(&c->compile, a, minor_version(c) >= 12 ? "-std=c++20" : "-std=c++17");
  push(&c->compile, a, wrapper ? "-O1" : "-O3");
  if (minor_version(c) <= 6)
    push(&c->compile, a, "-D_GLIBCXX_USE_CXX11_ABI=0"); /* PyPI's wheels up to 2.6 */
}

void defaults_link(command *c, const includes *list, arena *a) {
  static const char *const flags[] = {"-shared", "-fPIC",       "-fopenmp",
                                      "-ltorch", "-ltorch_cpu", "-lgomp"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) push(&c->link, a, flags[i]);
  if (includes_python(list)) push(&c->link, a, "-ltorch_python");
  if (c->cuda) {
    push(&c->link, a, "-ltorch_cuda");
    push(&c->link, a, "-lcuda");
  }
}

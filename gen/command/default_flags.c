/* default_flags.c - see command_parts.h. The flags are those of torch/_inductor/cpp_builder.py. */
#include "command/command_parts.h"
#include "command/wrapper_kind.h"
#include <stdio.h>

static void push_flag(strings *list, arena *a, const char *flag) { *arena_push(a, list) = flag; }

/* The minor version of the torch in use; an unknown one counts as new. */
static unsigned minor_version(const command *c) {
  unsigned major, minor;
  return c->torch_version && sscanf(c->torch_version, "%u.%u", &major, &minor) == 2 && major == 2
             ? minor
             : 99;
}

/* As torch/_inductor/cpu_vec_isa.py does: by this CPU, like -march=native. */
static const char *cpu_capability(void) {
#if defined __x86_64__
  if (__builtin_cpu_supports("avx512f")) return "-DCPU_CAPABILITY_AVX512";
  if (__builtin_cpu_supports("avx2")) return "-DCPU_CAPABILITY_AVX2";
#endif
  return "-DCPU_CAPABILITY_DEFAULT";
}

void default_flags_compile(command *c, const char *at, size_t n, arena *a) {
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
  bool wrapper = wrapper_kind_read(at, n) != WRAPPER_NONE;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) push_flag(&c->compile, a, flags[i]);
  push_flag(&c->compile, a, cpu_capability());
  if (c->cuda) push_flag(&c->compile, a, "-DUSE_CUDA");
  push_flag(&c->compile, a, minor_version(c) >= 12 ? "-std=c++20" : "-std=c++17");
  push_flag(&c->compile, a, wrapper ? "-O1" : "-O3");
  if (minor_version(c) <= 6)
    push_flag(&c->compile, a, "-D_GLIBCXX_USE_CXX11_ABI=0"); /* as PyPI's wheels up to 2.6 */
}

void default_flags_link(command *c, const includes *list, arena *a) {
  static const char *const flags[] = {"-shared", "-fPIC",       "-fopenmp",
                                      "-ltorch", "-ltorch_cpu", "-lgomp"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) push_flag(&c->link, a, flags[i]);
  if (includes_python(list)) push_flag(&c->link, a, "-ltorch_python");
  if (c->cuda) {
    push_flag(&c->link, a, "-ltorch_cuda");
    push_flag(&c->link, a, "-lcuda");
  }
}

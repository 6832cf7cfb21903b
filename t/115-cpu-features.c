/* 115-cpu-features.c - what the recorded flags ask of a processor, against what Linux says that it
 * has. */
#include "command/cpu_features.h"
#include "machine.h"

static void check(machine *m, enum cpu_feature kind, const char *flags, const char *has,
                  const char *expected) {
  strings list = {0}, got;
  for (const char *s = flags; *s; s += strcspn(s, " "), s += *s == ' ')
    *arena_push(m->a, &list) = arena_strndup(m->a, s, strcspn(s, " "));
  cpu_features_list(&got, kind, &list, has, m->a);
  assert_string_equal(strings_join(m->a, &got, ", "), expected ? expected : "");
}

static void lacks(machine *m, const char *flags, const char *has, const char *expected) {
  check(m, CPU_FEATURE_MISSING, flags, has, expected);
}

TEST(extensions_are_found_by_either_spelling) {
  machine *m = *state;
  lacks(m, "", "fpu", NULL);
  lacks(m, "-mavx2 -mfma", "fpu avx2 fma sse", NULL);
  lacks(m, "-mavx2 -mfma", "fpu avx fma", "-mavx2");
  lacks(m, "-mavx512f -mavx512vnni -mavx512f", " avx512f avx512_vnni\n", NULL);
  lacks(m, "-mavx512f -mavx512vnni -mavx512f", "avx2", "-mavx512f, -mavx512vnni");
  lacks(m, "-mamx-tile -mamx-bf16 -msse4.2", "amx_tile amx_bf16 sse4_2", NULL);
  lacks(m, "-mlzcnt -mpclmul -msse3 -msha", "abm pclmulqdq pni sha_ni", NULL);
  lacks(m, "-mbmi -msse4 -mrdrnd -mxop", "bmi1 sse4_2", "-mrdrnd, -mxop");
  lacks(m, "-mavx2", "avx avx2x xavx2", "-mavx2");
}

TEST(other_flags_ask_for_nothing) {
  machine *m = *state;
  lacks(m,
        "-march=native -mtune=generic -m64 -mcmodel=large -mno-avx256-split-unaligned-load "
        "-mavx256-split-unaligned-load -msse2avx -mprefer-vector-width=256 -O3 -fPIC "
        "-DCPU_CAPABILITY_AVX512",
        "", NULL);
  lacks(m, "-mno-avx512f -mavx-x=1", "", NULL);
  check(
      m, CPU_FEATURE_UNKNOWN,
      "-march=native -m64 -mcmodel=large -mavx256-split-unaligned-load -mno-avx10.2 -msse2avx -O3",
      "", NULL);
}

TEST(what_linux_does_not_tell_is_not_known) {
  machine *m = *state;
  check(m, CPU_FEATURE_UNKNOWN, "-mavx10.2 -mavx2 -mapxf -mnonsense -mavx10.2", "avx avx10.2",
        "-mavx10.2, -mapxf, -mnonsense");
  check(m, CPU_FEATURE_HERE, "-mavx10.2 -mavx2", "avx2 avx10.2", "-mavx2");
  lacks(m, "-mavx512er -mavx10.2", "avx512f", "-mavx512er");
  check(m, CPU_FEATURE_UNKNOWN, "-mavx2 -m64", NULL, "-mavx2");
}

TEST(what_this_machine_has_is_not_warned_of) {
  machine *m = *state;
  strings list = {0};
  *arena_push(m->a, &list) = "-march=native";
  cpu_features_warn("x.cpp", &list, m->a, m->d);
  char *said = unit_messages(m->d, false);
  assert_string_equal(said, "");
  free(said);
  *arena_push(m->a, &list) = "-mxop";
  cpu_features_warn("x.cpp", &list, m->a, m->d);
  FILE *f = fopen("/proc/cpuinfo", "r");
  bool x86 = false;
  for (char line[256]; f && fgets(line, sizeof line, f);) x86 = x86 || !strncmp(line, "flags", 5);
  if (f) fclose(f);
  if (!x86) skip();
  unit_says(m->d, "x.cpp: warning: was compiled with -mxop, which this CPU does not support: the "
                  "result will not "
                  "run here");
  assert_int_equal(diags_status(m->d), STATUS_OK);
}

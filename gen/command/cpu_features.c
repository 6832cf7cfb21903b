/* cpu_features.c - see cpu_features.h. */
#include "command/cpu_features.h"
#include "base/file.h"
#include "shared/glob.h"
#include <string.h>

enum { CPUINFO_MAX = 4 << 20 };

/* A flag of GCC and clang, and Linux's name of that instruction set. */
static const char *const extensions[][2] = {
    {"-mmmx", "mmx"},
    {"-msse", "sse"},
    {"-msse2", "sse2"},
    {"-msse3", "pni"},
    {"-mssse3", "ssse3"},
    {"-msse4", "sse4_2"},
    {"-msse4.1", "sse4_1"},
    {"-msse4.2", "sse4_2"},
    {"-msse4a", "sse4a"},
    {"-mpopcnt", "popcnt"},
    {"-mlzcnt", "abm"},
    {"-mabm", "abm"},
    {"-mcrc32", "sse4_2"},
    {"-mcx16", "cx16"},
    {"-msahf", "lahf_lm"},
    {"-mfxsr", "fxsr"},
    {"-mbmi", "bmi1"},
    {"-mbmi2", "bmi2"},
    {"-mf16c", "f16c"},
    {"-mfma", "fma"},
    {"-mfma4", "fma4"},
    {"-mxop", "xop"},
    {"-mmovbe", "movbe"},
    {"-madx", "adx"},
    {"-mrdrnd", "rdrand"},
    {"-mrdseed", "rdseed"},
    {"-mxsave", "xsave"},
    {"-mxsaveopt", "xsaveopt"},
    {"-mxsavec", "xsavec"},
    {"-mprfchw", "3dnowprefetch"},
    {"-mfsgsbase", "fsgsbase"},
    {"-mclflushopt", "clflushopt"},
    {"-mclwb", "clwb"},
    {"-mrdpid", "rdpid"},
    {"-maes", "aes"},
    {"-mpclmul", "pclmulqdq"},
    {"-mvaes", "vaes"},
    {"-mvpclmulqdq", "vpclmulqdq"},
    {"-mgfni", "gfni"},
    {"-msha", "sha_ni"},
    {"-mavx", "avx"},
    {"-mavx2", "avx2"},
    {"-mavxvnni", "avx_vnni"},
    {"-mavxifma", "avx_ifma"},
    {"-mavxneconvert", "avx_ne_convert"},
    {"-mavxvnniint8", "avx_vnni_int8"},
    {"-mavx512f", "avx512f"},
    {"-mavx512dq", "avx512dq"},
    {"-mavx512vl", "avx512vl"},
    {"-mavx512bw", "avx512bw"},
    {"-mavx512cd", "avx512cd"},
    {"-mavx512er", "avx512er"},
    {"-mavx512pf", "avx512pf"},
    {"-mavx512ifma", "avx512ifma"},
    {"-mavx512vbmi", "avx512vbmi"},
    {"-mavx512vbmi2", "avx512_vbmi2"},
    {"-mavx512vnni", "avx512_vnni"},
    {"-mavx512bitalg", "avx512_bitalg"},
    {"-mavx512vpopcntdq", "avx512_vpopcntdq"},
    {"-mavx512bf16", "avx512_bf16"},
    {"-mavx512fp16", "avx512_fp16"},
    {"-mavx512vp2intersect", "avx512_vp2intersect"},
    {"-mamx-tile", "amx_tile"},
    {"-mamx-int8", "amx_int8"},
    {"-mamx-bf16", "amx_bf16"},
    {"-mamx-fp16", "amx_fp16"},
    {"-mamx-complex", "amx_complex"},
};

/* Words of the code's form. */
static bool asks_for_nothing(const char *flag) {
  static const char *const forms[] = {
      "-m32",       "-m64",    "-mx32",          "-mavx256-split-unaligned-load",
      "-mred-zone", "-mrecip", "-mvzeroupper",   "-mavx256-split-unaligned-store",
      "-msse2avx",  "-mrelax", "-mhard-float",   "-mstackrealign",
      "-mieee-fp",  "-mshstk", "-mms-bitfields", NULL};
  return strings_index(forms, flag) >= 0 || strncmp(flag, "-m", 2) != 0 ||
         !strncmp(flag, "-mno-", 5) || strchr(flag, '=') != NULL;
}

enum cpu_feature cpu_feature_of(const char *flag, const char *has) {
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (!strcmp(flag, extensions[i][0]))
      return !has                                           ? CPU_FEATURE_UNKNOWN
             : ag_word_find(has, extensions[i][1], strncmp) ? CPU_FEATURE_HERE
                                                            : CPU_FEATURE_MISSING;
  return asks_for_nothing(flag) ? CPU_FEATURE_NONE : CPU_FEATURE_UNKNOWN;
}

void cpu_features_list(strings *list, enum cpu_feature kind, const strings *compile,
                       const char *has, arena *a) {
  enum { LISTED_MAX = 100 }; /* of a compiler's few dozen */
  *list = (strings){0};
  for (size_t i = 0; i < compile->n && list->n < LISTED_MAX; i++) {
    const char *flag = compile->at[i];
    if (cpu_feature_of(flag, has) == kind && !strings_has(list, flag)) *arena_push(a, list) = flag;
  }
}

const char *cpu_features_here(arena *a) {
  strbuf t = {0};
  if (!file_read("/proc/cpuinfo", CPUINFO_MAX, &t)) return NULL;
  const char *line = strstr(t.at, "\nflags"), *has = line ? strchr(line, ':') : NULL;
  if (has) has = arena_strndup(a, has + 1, strcspn(has, "\n") - 1);
  strbuf_free(&t);
  return has;
}

void cpu_features_warn(const char *file, const strings *compile, arena *a, diags *d) {
  strings missing;
  cpu_features_list(&missing, CPU_FEATURE_MISSING, compile, cpu_features_here(a), a);
  if (missing.n)
    diag_warning(d, file,
                 "was compiled with %s, which this CPU does not support: the result will not run "
                 "here",
                 strings_join(a, &missing, ", "));
}

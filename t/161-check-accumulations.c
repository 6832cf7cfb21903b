/* 161-check-accumulations.c - what the check says of elements that several iterations add to. */
#include "check/check.h"
#include "unit.h"
#include "check/kernel_launch.h"

#define OF_90(what) "for(int64_t x0=0; x0<90; x0+=1)\n{\n" what "}\n"
#define ROWS_OF(what) "for(int64_t x1=0; x1<6; x1+=1)\n{\n" what "}\n"
#define ADDS(index) "out_ptr0[" index "] += in_ptr0[x0];\n"
#define TEAM "#pragma omp parallel num_threads(2)\n{\nint tid = omp_get_thread_num();\n"
#define VECTORS(index)                                                                             \
  "for(int64_t x0=0; x0<90; x0+=1)\n{\nfor(int64_t x1=0; x1<16; x1+=16)\n{\n"                      \
  "auto tmp0 = at::vec::Vectorized<float>(in_ptr0[x0]);\n"                                         \
  "(tmp0 + at::vec::Vectorized<float>::loadu(out_ptr0 + " index ")).store(out_ptr0 + " index       \
  ");\n}\n}\n"

/* A thread adds in the order of its iterations. The order of two threads is not known. */
TEST(accumulations_are_in_order_in_one_thread) {
  static const struct {
    const char *body;
    enum verdict verdict;
  } cases[] = {
      {OF_90(ADDS("x0 % 4")), VERDICT_PROVED},
      {"#pragma GCC ivdep\n" OF_90(ADDS("x0 % 4")), VERDICT_PROVED},
      {VECTORS("x1 + 16*(x0 % 4)"), VERDICT_PROVED},
      {"#pragma omp for\n" VECTORS("x1 + 16*(x0 % 4)"), VERDICT_REFUTED},
      {TEAM "#pragma omp for\n" OF_90(ADDS("x0 % 4")) "}\n", VERDICT_REFUTED},
      {"#pragma omp parallel for\n" OF_90(ADDS("x0 % 4")), VERDICT_REFUTED},
      {TEAM OF_90(ADDS("x0 % 4")) "}\n", VERDICT_REFUTED},
      {TEAM "#pragma omp single\n{\n" OF_90(ADDS("x0 % 4")) "}\n}\n", VERDICT_PROVED},
      {TEAM "#pragma omp for\n" OF_90(ADDS("x0")) "}\n" OF_90(ADDS("x0 % 4")), VERDICT_PROVED},
      {TEAM "#pragma omp for\n" OF_90(ROWS_OF(ADDS("x0"))) "}\n", VERDICT_PROVED},
      {TEAM "#pragma omp for collapse(2)\n" OF_90(ROWS_OF(ADDS("x0"))) "}\n", VERDICT_UNDECIDED},
      {TEAM "#pragma omp for\n" ROWS_OF(OF_90(ADDS("x0"))) "}\n", VERDICT_UNDECIDED},
      {OF_90(ADDS("x0 % 4") ADDS("x0 % 5")), VERDICT_PROVED},
      {OF_90("auto tmp0 = out_ptr0[x0 % 4];\nout_ptr0[x0 % 4] = tmp0 + in_ptr0[x0];\n"),
       VERDICT_REFUTED},
      {OF_90("out_ptr0[x0 % 4] = in_ptr0[x0];\n"), VERDICT_REFUTED},
      {OF_90(ADDS("x0 % 4") "out_ptr0[4 + x0] = out_ptr0[x0 % 4] * 2.0f;\n"), VERDICT_REFUTED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    arena *in = arena_new();
    const check c = launch_check_body(false, "in_ptr0:f:90 out_ptr0:f:96", cases[i].body, in);
    unsigned of[VERDICT_COUNT] = {0};
    for (size_t k = 0; k < c.findings.n; k++) {
      const finding *f = &c.findings.at[k];
      if (f->kind == FINDING_OVERLAP || f->kind == FINDING_TWICE) of[f->verdict]++;
    }
    const enum verdict found = of[VERDICT_REFUTED]     ? VERDICT_REFUTED
                               : of[VERDICT_UNDECIDED] ? VERDICT_UNDECIDED
                                                       : VERDICT_PROVED;
    if (found != cases[i].verdict || !of[found]) fail_msg("%s", cases[i].body);
    arena_free(in);
  }
}

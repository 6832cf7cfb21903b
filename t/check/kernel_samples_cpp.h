/* kernel_samples_cpp.h - the same of the C++ that Inductor writes for the CPU: see
 * kernel_samples.h. */
#ifndef T_KERNEL_SAMPLES_CPP_H
#define T_KERNEL_SAMPLES_CPP_H

#include "check/kernel_samples.h"

#define I64(x) "static_cast<int64_t>(" x ")"
#define FOR(v, low, high, step)                                                                    \
  "for(int64_t " v "=" I64(low) "; " v "<" I64(high) "; " v "+=" I64(step) ")\n{\n"
#define LIKELY(v, low, high) "if(C10_LIKELY(" v " >= " I64(low) " && " v " < " I64(high) "))\n{\n"
#define UNLIKELY(v, low, high)                                                                     \
  "if(C10_UNLIKELY(" v " >= " I64(low) " && " v " < " I64(high) "))\n{\n"
#define LOADU(t, p, i, n)                                                                          \
  "auto " t " = at::vec::Vectorized<float>::loadu(" p " + " I64(i) ", " I64(n) ");\n"
#define VSTORE(t, i) t ".store(out_ptr0 + " I64(i) ");\n"
#define VSTORE_N(t, i, n) t ".store(out_ptr0 + " I64(i) ", " I64(n) ");\n"
#define HALF "16L*(c10::div_floor_integer(" I64("ks0") ", " I64("2L") "))"
#define TAIL "(-16L)*(c10::div_floor_integer(" I64("ks0") ", " I64("2L") ")) + 8L*ks0"

#define SYMBOL_TAIL                                                                                \
  FOR("x0", "0L", "8L*ks0", "16L")                                                                 \
  LIKELY("x0", "0", HALF)                                                                          \
  LOADU("tmp0", "in_ptr0", "x0", "16")                                                             \
  VSTORE("tmp0", "x0")                                                                             \
  "}\n" UNLIKELY("x0", HALF, "8L*ks0") LOADU("tmp0", "in_ptr0", "x0", TAIL)                        \
      VSTORE_N("tmp0", "x0", TAIL) "}\n}\n"

/* Tiles of 16 * 16, and the last of each row, which has 4 columns. */
#define FROM_TILE I64("x0 + 32L*x1") ", " I64("32L") ", tmp0, "
#define FOR_INNER "for (long x0_inner = 0; x0_inner < " I64("16") "; x0_inner++)\n{\n"
#define TRANSPOSE(sizes, to)                                                                       \
  "transpose_mxn<float," sizes ">(in_ptr0 + " FROM_TILE I64(to) ");\n" FOR_INNER
#define TRANSPOSED                                                                                 \
  FOR("x0", "0L", "32L", "16L")                                                                    \
  FOR("x1", "0L", "20L", "16L")                                                                    \
  LIKELY("x0", "0", "32L")                                                                         \
  LIKELY("x1", "0L", "16L")                                                                        \
  "alignas(std::max(std::size_t(16), alignof(float))) float tmp0[16*16];\n" TRANSPOSE(             \
      "16,16", "16") LOADU("tmp1", "tmp0", "16L*x0_inner", "16")                                   \
      VSTORE("tmp1", "x1 + 20L*x0 + 20L*x0_inner") "}\n}\n" UNLIKELY(                              \
          "x1", "16L", "20L") "float tmp0[16*4];\n" TRANSPOSE("static_cast<int64_t>(4L),static_"   \
                                                              "cast<int64_t>(16),false",           \
                                                              "4L")                                \
          LOADU("tmp1", "tmp0", "4L*x0_inner", "4L")                                               \
              VSTORE_N("tmp1", "x1 + 20L*x0 + 20L*x0_inner", "4L") "}\n}\n}\n}\n}\n"

#define ROWS                                                                                       \
  FOR("x0", "0L", "3L", "1L")                                                                      \
  FOR("x1", "0L", "ks0", "1L")                                                                     \
  "auto tmp0 = in_ptr0[static_cast<int64_t>(x1 + ks0*x0)];\n"                                      \
  "auto tmp1 = in_ptr1[static_cast<int64_t>(x1)];\n"                                               \
  "out_ptr0[static_cast<int64_t>(x1 + ks0*x0)] = tmp0 + tmp1;\n}\n}\n"

#define IN_PLACE                                                                                   \
  FOR("x0", "0L", "3L", "1L")                                                                      \
  FOR("x1", "0L", "ks0", "1L")                                                                     \
  "auto tmp0 = in_out_ptr0[" I64("x1 + ks0*x0") "];\nout_ptr0[" I64(                               \
      "x1 + ks0*x0") "] = tmp0;\nin_out_ptr0[" I64("x1 + ks0*x0") "] = tmp0 * tmp0;\n}\n}\n"

static const kernel_sample cpp_samples[] = {
    {"c++ loop", false, 1, "in_ptr0:f:3*s0 out_ptr0:f:3*s0 ks0:k:s0",
     FOR("x0", "0L", "3L*ks0",
         "1L") "auto tmp0 = in_ptr0[" I64("x0") "];\nout_ptr0[" I64("x0") "] = tmp0;\n}\n"},
    {"c++ rows", false, 1, "in_ptr0:f:3*s0 in_ptr1:f:s0 out_ptr0:f:3*s0 ks0:k:s0", ROWS},
    {"c++ vector and tail", false, 0, "in_ptr0:f:36 out_ptr0:f:36",
     FOR("x0", "0L", "36L", "16L") LIKELY("x0", "0", "32L") LOADU("tmp0", "in_ptr0", "x0", "16")
         VSTORE("tmp0", "x0") "}\n" UNLIKELY("x0", "32L", "36L")
             LOADU("tmp0", "in_ptr0", "x0", "4L") VSTORE_N("tmp0", "x0", "4L") "}\n}\n"},
    {"c++ tail of a symbol", false, 1, "in_ptr0:f:8*s0 out_ptr0:f:8*s0 ks0:k:s0", SYMBOL_TAIL},
    {"c++ rows of vectors", false, 1, "in_ptr0:f:20*s0 in_ptr1:f:20 out_ptr0:f:20*s0 ks0:k:s0",
     FOR("x0", "0L", "ks0", "1L") FOR("x1", "0L", "20L", "16L") LIKELY("x1", "0L", "16L")
         LOADU("tmp0", "in_ptr0", "x1 + 20L*x0", "16")
             LOADU("tmp1", "in_ptr1", "x1", "16") "auto tmp2 = tmp0 + tmp1;\n" VSTORE(
                 "tmp2", "x1 + 20L*x0") "}\n" UNLIKELY("x1", "16L", "20L")
                 LOADU("tmp0", "in_ptr0", "x1 + 20L*x0", "4L") LOADU("tmp1", "in_ptr1", "x1", "4L")
                     VSTORE_N("tmp0", "x1 + 20L*x0", "4L") "}\n}\n}\n"},
    {"c++ stride of a maximum", false, 1, "in_ptr0:f:3*s0 out_ptr0:f:3*s0 ks0:k:s0",
     FOR("x0", "0L", "3L", "1L")
         FOR("x1", "0L", "ks0", "1L") "auto tmp0 = in_ptr0[" I64("x1 + x0*std::max(" I64(
             "1L") ", " I64("ks0") ")") "];\n"
                                        "out_ptr0[" I64("x1 + ks0*x0") "] = tmp0;\n}\n}\n"},
    {"c++ transposed tile", false, 0, "in_ptr0:f:640 out_ptr0:f:640", TRANSPOSED},
    {"c++ local buffer", false, 1, "in_ptr0:f:10*s0 out_ptr0:f:10*s0 ks0:k:s0",
     "std::unique_ptr<float []> buf_local_buffer_data_0 = std::make_unique<float []>(10L);\n"
     "float* local_buffer_data_0 = buf_local_buffer_data_0.get();\n" FOR(
         "x0", "0L", "ks0", "1L") FOR("x1", "0L", "10L", "16L") LIKELY("x1", "0L", "10L")
         LOADU("tmp0", "in_ptr0", "x1 + 10L*x0", "10L") "tmp0.store(local_buffer_data_0 + " I64(
             "x1") ", " I64("10L") ");\n}\n}\n" FOR("x1", "0L", "10L",
                                                    "1L") "auto tmp0 = "
                                                          "local_buffer_data_"
                                                          "0[" I64(
                                                              "x1") "];\n"
                                                                    "out_"
                                                                    "ptr0"
                                                                    "[" I64(
                                                                        "x1 "
                                                                        "+ "
                                                                        "10L*"
                                                                        "x0") "] = tmp0;\n}\n}\n"},
    {"c++ gather", false, 1, "in_ptr0:l:s0 in_ptr1:f:12 out_ptr0:f:2*s0 ks0:k:s0",
     FOR("x0", "0L", "ks0", "1L") FOR("x1", "0L", "2L", "1L") "auto tmp0 = in_ptr0[" I64(
         "x0") "];\nauto tmp1 = 6L;\nauto tmp2 = "
               "c10::convert<int64_t>(tmp1);\nauto tmp3 = int64_t(tmp0 + tmp2);\nauto tmp4 = tmp0 "
               "< 0;\n"
               "auto tmp5 = tmp4 ? tmp3 : tmp0;\nauto tmp6 = tmp5;\nauto tmp7 = "
               "c10::convert<int64_t>(tmp6);\nAOTI_TORCH_CHECK((0 <= tmp7) & (tmp7 < 6L), \"index "
               "out of "
               "bounds: 0 <= tmp7 < 6L\");\nauto tmp9 = in_ptr1[" I64(
                   "x1 + 2L*tmp5") "];\nout_ptr0[" I64("x1 + 2L*x0") "] = tmp9;\n}\n}\n"},
    {"c++ scatter", false, 1, "in_ptr0:l:s0 in_ptr1:f:s0 out_ptr0:f:5 ks0:k:s0",
     FOR("x0", "0L", "ks0", "1L") "auto tmp0 = in_ptr0[" I64("x0") "];\nauto tmp2 = in_ptr1[" I64(
         "x0") "];\nAOTI_TORCH_CHECK((0 <= tmp0) & (tmp0 < 5L), \"index out of bounds\");\n"
               "atomic_add(&out_ptr0[" I64("tmp0") "], tmp2);\n}\n"},
    {"c++ vector of an index", false, 0, "in_ptr0:f:36 out_ptr0:f:36",
     FOR("x0", "0L", "36L", "16L") LIKELY(
         "x0", "0", "32L") "auto tmp0 = x0;\nauto tmp1 = c10::convert<int64_t>(tmp0);\nauto tmp2 = "
                           "at::vec::VectorizedN<int64_t,2>::arange(tmp1, "
                           "1);\nAOTI_TORCH_CHECK((at::vec::VecMask<"
                           "int64_t,2>((at::vec::VectorizedN<int64_t,2>(0) <= tmp2) & (tmp2 < "
                           "at::vec::VectorizedN<"
                           "int64_t,2>(36L)))).all_masked(), \"index out of bounds\");\n" LOADU(
                               "tmp3", "in_ptr0", "x0", "16")
                               VSTORE("tmp3", "x0") "}\n" UNLIKELY("x0", "32L", "36L")
                                   LOADU("tmp3", "in_ptr0", "x0", "4L")
                                       VSTORE_N("tmp3", "x0", "4L") "}\n}\n"},
    {"c++ in place", false, 1, "in_out_ptr0:f:3*s0 out_ptr0:f:3*s0 ks0:k:s0", IN_PLACE},
    {"c++ cat", false, 1, "in_ptr0:f:2*s0 in_ptr1:f:6 out_ptr0:f:6+2*s0 ks0:k:s0",
     FOR("x0", "0L", "2L", "1L") FOR(
         "x1", "0L", "3L + ks0",
         "1L") "auto tmp0 = x1;\nauto tmp1 = c10::convert<int64_t>(tmp0);\nauto tmp2 = ks0;\nauto "
               "tmp3 = "
               "c10::convert<int64_t>(tmp2);\nauto tmp4 = tmp1 < tmp3;\nauto tmp5 = [&]\n{\nauto "
               "tmp6 = "
               "in_ptr0[" I64(
                   "x1 + ks0*x0") "];\nreturn tmp6;\n}\n;\nauto tmp7 = tmp4 ? tmp5() : "
                                  "static_cast<decltype(tmp5())>(0.0);\nauto tmp8 = tmp1 >= "
                                  "tmp3;\nauto tmp9 = [&]\n{\nauto "
                                  "tmp10 = in_ptr1[" I64(
                                      "x1 + ((-1L)*ks0) + 3L*x0") "];\nreturn tmp10;\n}\n;\nauto "
                                                                  "tmp11 = "
                                                                  "tmp8 ? tmp9() : "
                                                                  "static_cast<decltype(tmp9())>(0."
                                                                  "0);\nauto tmp12 = tmp4 ? tmp7 : "
                                                                  "tmp11;\n"
                                                                  "out_ptr0[" I64("x1 + 3L*x0 + "
                                                                                  "ks0*x0") "] = "
                                                                                            "tmp12;"
                                                                                            "\n}\n}"
                                                                                            "\n"},
    {"c++ pad", false, 1, "in_ptr0:f:4*s0 out_ptr0:f:6*(2+s0) ks0:k:s0",
     FOR("x0", "0L", "2L + ks0", "1L") FOR(
         "x1", "0L", "6L",
         "1L") "auto tmp0 = (-1L) + x0;\nauto tmp1 = c10::convert<int64_t>(tmp0);\nauto tmp2 = "
               "static_cast<int64_t>(0);\nauto tmp3 = tmp1 >= tmp2;\nauto tmp4 = ks0;\nauto tmp5 = "
               "tmp1 < "
               "tmp4;\nauto tmp6 = (-1L) + x1;\nauto tmp7 = tmp6 >= tmp2;\nauto tmp8 = "
               "static_cast<int64_t>(4);\nauto tmp9 = tmp6 < tmp8;\nauto tmp10 = tmp3 && "
               "tmp5;\nauto tmp11 "
               "= tmp10 && tmp7;\nauto tmp12 = tmp11 && tmp9;\nauto tmp13 = [&]\n{\nauto tmp14 = "
               "in_ptr0[" I64(
                   "(-5L) + x1 + 4L*x0") "];\nreturn tmp14;\n}\n;\nauto tmp15 = tmp12 ? tmp13() : "
                                         "static_cast<decltype(tmp13())>(0.0);\nout_ptr0[" I64(
                                             "x1 + 6L*x0") "] = tmp15;\n}\n}\n"},
    {"c++ pooling", false, 1, "in_ptr0:f:4*s0*s0 out_ptr0:f:s0*s0 ks0:k:s0",
     FOR("x0", "0L", "ks0", "1L") FOR("x1", "0L", "ks0", "1L") "auto tmp0 = in_ptr0[" I64(
         "2L*x1 + 4L*ks0*x0") "];\nauto tmp1 = "
                              "in_ptr0[" I64(
                                  "1L + "
                                  "2L*ks0 + "
                                  "2L*x1 + "
                                  "4L*ks0*"
                                  "x0") "];"
                                        "\no"
                                        "ut_"
                                        "ptr"
                                        "0"
                                        "[" I64("x1 + ks0*x0") "] = tmp0 + tmp1;\n}\n}\n"},
    {"c++ flip", false, 2, "in_ptr0:f:s0*s1 out_ptr0:f:s0*s1 ks0:k:s0 ks1:k:s1",
     FOR("x0", "0L", "ks0", "1L") FOR("x1", "0L", "ks1", "1L") "auto tmp0 = in_ptr0[" I64(
         "(-1L) + ks1 + ((-1L)*x1) + ks1*x0") "];\nout_ptr0[" I64("x1 + ks1*x0") "] = "
                                                                                 "tmp0;\n}\n}\n"},
    {"c++ upsample", false, 1, "in_ptr0:f:2*s0 out_ptr0:f:8*s0 ks0:k:s0",
     FOR("x0", "0L", "4L", "1L") FOR("x1", "0L", "2L*ks0", "1L") "auto tmp0 = in_ptr0[" I64(
         "ks0*(c10::div_floor_integer(" I64("x0") ", " I64(
             "2L") ")) + (c10::div_floor_integer(" I64("x1") ", " I64("2L") "))") "];\nout_"
                                                                                  "ptr0[" I64(
                                                                                      "x1 "
                                                                                      "+ "
                                                                                      "2L*"
                                                                                      "ks0*"
                                                                                      "x0") "] = "
                                                                                            "tmp0;"
                                                                                            "\n}\n}"
                                                                                            "\n"},
    {"c++ modular", false, 2, "in_ptr0:f:s0*s1 out_ptr0:f:s0*s1 ks0:k:s0 ks1:k:s1",
     FOR("x0", "0L", "ks0*ks1", "1L") "auto tmp0 = in_ptr0[" I64(
         "ks0*((" I64("x0") " % " I64("ks1") ")) + (c10::div_floor_integer(" I64("x0") ", " I64(
             "ks1") "))") "];\nout_ptr0[" I64("x0") "] = tmp0;\n}\n"},
};

#endif

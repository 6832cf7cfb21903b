/* 345-explain-threads - sums of which several threads compute a part each, and sums in chunks: the
 * first bad term of all is shown, and nothing that one thread cannot tell. */
#include "explaining.h"

/* Each of four threads leaves its part of the sum of log(in0[x]) in an array of vectors. */
#define PARTS(stored, to)                                                                          \
  "1 c 5 4 2 5 26 4\n"                                                                             \
  "mf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nmf 3 out_ptr1\nm~ -1 parts\n"                        \
  "f i 0 3 4 0 -1\nf x0 0 1 2 0 -1\nl x0_lane -1 -1 -1 0 1\nf tid 0 3 4 0 -1\n"                    \
  "c local 1 11 17\nc acc 3 11 22\n"                                                               \
  "s 4 5 -1 11 -1 0 0\nl 0 9 10 -1 -1 0 1\ns 4 12 -1 " stored " -1 0 2\n"                          \
  "l 4 8 -1 -1 -1 0 3\ns 3 " to " -1 25 -1 0 4\n"                                                  \
  "il 0\nil 36\nil 16\nil 4\nil 1\nsl 0\nsl 1\nsl 2\nsl 3\nol + 6 7\nob < 9 1\nff 0.0\n"           \
  "o~ omp_get_thread_num =tid\nlf 1 =tmp0\nof log 13 =tmp1\ncf 0\nof + 15 14 =local\n"             \
  "of where 10 16 15 =local\nef 0\nof cascade_sum_final 18 =local\ncf 1\nl~ 3\n"                   \
  "of + 20 21 =acc\nef 1\no~ function:+\no~ vec_reduce_all 24 23 =total\n"
static const char threads[] = PARTS("18", "0"), chunks[] = PARTS("19", "0");

/* As one thread computes it: the first bad term of all. */
TEST(test_threads) {
  FLOATS(in0)[33] = -1;
  FLOATS(in0)[21] = -1;
  FLOATS(out1)[0] = NAN;
  assert_string_equal(
      explain(threads, 3, 0),
      "  how           buf1[] as computed again, term by term in one thread; 'local' "
      "goes bad at x0 = 21:\n"
      "                tmp0 = arg0_1[3, 3] = -1\n"
      "                tmp1 = log(tmp0) = nan   <- here\n"
      "                local = local + tmp1 = nan\n"
      "                acc = acc + parts[tid] = nan\n"
      "                total = sum(acc, 16 lanes) = nan\n");
  assert_non_null(strstr(explain(chunks, 3, 0), ", term by term in one thread; 'local' goes bad at "
                                                "x0 = 21:\n"));
  FLOATS(in0)[21] = FLOATS(in0)[33] = 0; /* -inf in one order, nan in none */
  assert_non_null(strstr(explain(threads, 3, 0),
                         ", term by term in one thread, each operation by "
                         "itself, as -inf; 'local' goes bad at x0 = 21:\n"));
}

/* A value that threads store elsewhere than in the kernel's own array cannot be explained by one
 * thread; nor can a sum that only overflows in its own order. */
TEST(test_threads_not_explained) {
  FLOATS(in0)[21] = -1;
  FLOATS(out1)[0] = NAN;
  assert_string_equal(explain(PARTS("18", "12"), 3, 0), "  how           buf1[] is not explained: "
                                                        "which iteration stored it is not known\n");
  FLOATS(in0)[21] = 22;
  FLOATS(out1)[0] = INFINITY;
  assert_string_equal(
      explain(threads, 3, 0),
      "  how           buf1[] is not explained: computed again, term by term in one "
      "thread, it is finite\n");
}

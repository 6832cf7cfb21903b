/* 346-explain-tails - kernels that compute the tail of a row number by number, beside whole
 * vectors; and one that takes too much. */
#include "explaining.h"
#include "explain/work.h"

/* The last four of 36 elements are added to a number, as torch 2.7 does apart from a mask. */
TEST(test_tail_of_numbers) {
  static const char sum[] =
      "1 c 4 3 3 3 26 4\nmf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nmf 3 out_ptr1\n"
      "f x0 0 1 2 0 -1\nl x0_lane -1 -1 -1 0 0\nf tail 3 1 4 0 0\n"
      "c vec 0 10 13\nc acc 0 10 20\nc acc 2 16 18\n"
      "l 0 7 8 -1 -1 0 0\nl 0 14 -1 -1 -1 0 1\ns 3 0 -1 25 -1 0 2\n"
      "il 0\nil 36\nil 16\nil 32\nil 1\nsl 0\nsl 1\nol + 5 6\nob < 5 3\nlf 0 =tmp0\nff 0.0\n"
      "cf 0\nof + 11 9 =vec\nof where 8 12 11 =vec\nsl 2\nlf 1 =tmp1\ncf 1\ncf 2\n"
      "of + 17 15 =acc\nef 2\nof where 8 16 19 =acc\nef 1\nef 0\no~ function:+\n"
      "o~ vec_reduce_all 23 22\nof + 21 24 =total\n";
  FLOATS(out1)[0] = NAN;
  for (int at = 5; at < 36; at += 28) {
    FLOATS(in0)[at] = NAN;
    assert_non_null(strstr(explain(sum, 3, 0), at < 32 ? "bad at x0 = 5" : "bad at tail = 33"));
    FLOATS(in0)[at] = 1;
  }
}

/* No row is as long as a vector: its sum is that of the numbers. */
TEST(test_no_vector) {
  static const char sum[] =
      "1 c 4 1 1 2 13 4\nmf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nmf 3 out_ptr1\n"
      "f tail 0 1 2 0 -1\nc acc 0 4 7\nl 0 3 -1 -1 -1 0 0\ns 3 0 -1 12 -1 0 1\n"
      "il 0\nil 36\nil 1\nsl 0\nff 0.0\nlf 0 =tmp0\ncf 0\nof + 6 5 =acc\nef 0\n"
      "o~ function:+\no~ vec_reduce_all 9 4\nof + 8 10 =total\nof log 11 =out\n";
  FLOATS(in0)[7] = NAN;
  FLOATS(out1)[0] = NAN;
  const char *said = explain(sum, 3, 0);
  assert_non_null(strstr(said, "bad at tail = 7:\n"));
  assert_non_null(strstr(said, "acc + sum(0) = nan\n"));
}

/* for x0 below 36 step 16, if x0 < 1: for tail below 36: out[0] = log(in0[tail] - 9), of which the
 * last one stays: the loop over x0 is open. */
TEST(test_open_loop) {
  static const char tail[] =
      "1 c 4 2 0 2 12 4\nmf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nmf 3 out_ptr1\n"
      "f x0 0 1 2 0 -1\nf tail 0 3 3 0 0\nl 0 5 -1 -1 -1 0 0\ns 3 7 6 11 -1 0 1\n"
      "il 0\nil 36\nil 16\nil 1\nsl 0\nsl 1\nob < 4 3\nol + 5 0\nlf 0 =tmp0\nff 9.0\n"
      "of - 8 9 =tmp1\nof log 10 =tmp2\n";
  FLOATS(in0)[0] = 2;
  FLOATS(out1)[0] = NAN;
  const char *said = explain(tail, 3, 0);
  assert_non_null(strstr(said, "tmp1 = tmp0 - 9 = -7\n"));
  assert_non_null(strstr(said, "tmp2 = log(tmp1) = nan   <- here\n"));
}

/* out1[0] = sum of in0; out0[y0] = in0[y0] - out1[0] */
static const char summed[] =
    "1 c 4 2 1 5 13 4\nmf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nmf 3 out_ptr1\n"
    "f x0 0 1 2 0 -1\nf y0 0 1 2 0 -1\nc acc 0 5 7\n"
    "l 0 3 -1 -1 -1 0 0\ns 3 0 -1 8 -1 0 1\nl 0 9 -1 -1 -1 0 2\nl 3 0 -1 -1 -1 0 3\n"
    "s 2 9 -1 12 -1 0 4\n"
    "il 0\nil 36\nil 1\nsl 0\nlf 0 =tmp0\nff 0.0\ncf 0\nof + 6 4 =tmp1\nef 0\nsl 1\nlf 2 =tmp2\n"
    "lf 3 =tmp3\nof - 10 11 =tmp4\n";

/* A NaN made of an Inf that the kernel itself kept in a buffer. */
TEST(what_the_kernel_stored_itself) {
  FLOATS(in0)[10] = FLOATS(out1)[0] = INFINITY;
  FLOATS(out0)[10] = NAN;
  assert_string_equal(explain(summed, 2, 10),
                      "  how           buf0[1, 4] as computed again; 'acc' goes bad at x0 = 10:\n"
                      "                tmp2 = arg0_1[1, 4] = inf\n"
                      "                tmp0 = arg0_1[1, 4] = inf\n"
                      "                tmp1 = acc + tmp0 = inf\n"
                      "                tmp3 = buf1[] = inf\n"
                      "                tmp4 = tmp2 - tmp3 = nan   <- here\n");
  assert_true(explained.operation == 12 && explained.takes_infinity);
  assert_string_equal(infinity, "arg0_1");
  assert_false(explained.makes_infinity);
}

/* Beside an Inf that the kernel makes of a number it has no other. */
TEST(what_the_kernel_makes_itself) {
  static const char overflow[] =
      "1 c 4 2 0 2 12 4\nmf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nmf 3 out_ptr1\n"
      "f x0 0 1 2 0 -1\nf tail 0 3 3 0 0\nl 0 5 -1 -1 -1 0 0\ns 3 7 6 11 -1 0 1\n"
      "il 0\nil 36\nil 16\nil 1\nsl 0\nsl 1\nob < 4 3\nol + 5 0\nlf 0 =tmp0\nff 3e38\n"
      "of * 8 9 =tmp1\nof - 10 10 =tmp2\n";
  FLOATS(in0)[0] = 2;
  FLOATS(out1)[0] = NAN;
  explain(overflow, 3, 0);
  assert_true(explained.is_known && explained.takes_infinity && explained.makes_infinity);
  assert_null(infinity);
  FLOATS(in0)[0] = INFINITY;
  explain(overflow, 3, 0);
  assert_false(explained.makes_infinity);
  assert_string_equal(infinity, "arg0_1");
}

/* A sum over so many lanes that its end is not reached. */
TEST(only_so_much_is_computed) {
  static const char sum[] = "1 c 4 2 1 1 12 4\n"
                            "mf 0 in_ptr0\nmf 1 in_ptr1\nmf 2 out_ptr0\nmf 3 out_ptr1\n"
                            "f x0 0 1 2 0 -1\nl x0_lane -1 -1 -1 0 0\n"
                            "c acc 0 6 8\n"
                            "s 3 0 -1 11 -1 0 0\n"
                            "il 0\nil 100000000\nil 16\nsl 0\nsl 1\nff 1e30\n"
                            "ff 0.0\ncf 0\nof + 7 5 =acc\n"
                            "ef 0\no~ function:+\no~ vec_reduce_all 10 9 =total\n";
  ((float *)out1->data)[0] = INFINITY;
  assert_non_null(strstr(explain(sum, 3, 0),
                         "is not explained: it takes more than 2 million steps to compute\n"));
  assert_true(explained.work > AG_WORK_MOST);
}

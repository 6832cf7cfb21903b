/* 304-filter - which launch sites a list of patterns selects. */
#include "shared/filter.h"
#include "shim.h"

static bool in(const char *list) {
  return ag_filter_matches(list, "triton_poi_fused_gelu_0", "aten.gelu, aten.addmm",
                           "gelu, linear_1");
}

TEST(lets_in) {
  static const char *const lists[] = {"",
                                      " ",
                                      ",,",
                                      "triton_poi_fused_gelu_0",
                                      "TRITON_*",
                                      "gelu",
                                      "aten.GELU",
                                      "addmm",
                                      "linear_?",
                                      "no,linear_1",
                                      "*gelu*",
                                      "t*_*_0",
                                      "!softmax",
                                      "!softmax,!x",
                                      "gelu,!softmax",
                                      " gelu ",
                                      "a*m*m",
                                      "*"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (!in(lists[i])) fail_msg("'%s' leaves it out", lists[i]);
  assert_true(ag_filter_matches(NULL, "k", NULL, NULL));
}

TEST(leaves_out) {
  static const char *const lists[] = {"softmax",  "gel",           "elu",           "linear_",
                                      "!gelu",    "gelu,!linear*", "*,!aten.addmm", "linear_??",
                                      "ten.gelu", "! gelu",        "gelu linear_1"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (in(lists[i])) fail_msg("'%s' lets it in", lists[i]);
  assert_false(ag_filter_matches("x", "k", "", ""));
  assert_false(ag_filter_matches("?*", "", "", ""));
}

TEST(validity) {
  static const char *const good[] = {"", ",", "gelu", "!gelu", "a,!b", "! gelu"};
  static const char *const bad[] = {"!", " ! ", "!,gelu", "gelu,!", "a,!,b"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    if (!ag_filter_is_valid(good[i])) fail_msg("'%s' is refused", good[i]);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (ag_filter_is_valid(bad[i])) fail_msg("'%s' is accepted", bad[i]);
  assert_true(ag_filter_is_valid(NULL));
}

/* Stars must not cost exponential time. */
TEST(many_stars) {
  char name[2001];
  memset(name, 'a', 2000);
  name[2000] = 0;
  assert_false(ag_filter_matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*b", name, "", ""));
}

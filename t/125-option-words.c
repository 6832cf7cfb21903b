/* 125-option-words.c - words that are no verb, option or variable: the nearest is named. And what
 * stands where a verb or an option would. */
#include "base/options.h"
#include "unit.h"

static const char *env(const char *name) {
  return !strcmp(name, "AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT") ? "mm" : NULL;
}

/* Parses words that single blanks separate, and returns the messages, for free(). */
static char *parse(options *o, const char *line, arena *a) {
  char *argv[16], *words = arena_printf(a, "aotigen %s", line);
  int argc = 0;
  diags *d = diags_new(a);
  for (char *s = strtok(words, " "); s; s = strtok(NULL, " ")) argv[argc++] = s;
  argv[argc] = NULL;
  options_parse(o, argc, argv, env, a, d);
  return unit_messages(d, false);
}

static void refused(const char *line, const char *says) {
  options o;
  arena *a = arena_new();
  char *at = parse(&o, line, a), *wanted;
  wanted = arena_printf(a, "aotigen: error: %s\naotigen: note: try 'aotigen --help'\n", says);
  if (strcmp(at, wanted) != 0) fail_msg("%s: %s", line, at);
  free(at);
  arena_free(a);
}

static options accepted(const char *line, arena *a) {
  options o;
  char *at = parse(&o, line, a);
  if (*at) fail_msg("%s: %s", line, at);
  free(at);
  return o;
}

TEST(the_nearest_verb) {
  refused("lst", "unknown verb 'lst'; the nearest is 'list'");
  refused("lst --json m.pt2", "unknown verb 'lst'; the nearest is 'list'");
  refused("lits m.pt2 --kernel=k", "unknown verb 'lits'; the nearest is 'list'");
  refused("chekc m.pt2", "unknown verb 'chekc'; the nearest is 'check'");
  refused("biuld m.cpp -o m.so k.cpp", "unknown verb 'biuld'; the nearest is 'build'");
  refused("rnu --model=m.pt2 -- python x.py", "unknown verb 'rnu'; the nearest is 'run'");
  refused("./lst", "no output: name it with -o FILE");
  refused("lst.cpp", "no output: name it with -o FILE");
  refused("model", "no output: name it with -o FILE");
  refused("model other -o x", "more than one input: 'model' and 'other'");
}

TEST(a_file_may_be_called_like_a_misspelt_verb) {
  arena *a = arena_new();
  options o = accepted("lst -o x", a);
  assert_int_equal(o.verb, VERB_REWRITE);
  assert_string_equal(o.input, "lst");
  arena_free(a);
}

TEST(the_order_of_verb_input_and_command) {
  refused("m.pt2 list", "the verb 'list' goes before the input 'm.pt2'");
  refused("m.pt2 run -- true", "the verb 'run' goes before the input 'm.pt2'");
  refused("run model.pt2 -- python x.py", "the command of 'run' begins with a package: aotigen run "
                                          "--model=model.pt2 -- COMMAND [ARG]...");
}

TEST(the_nearest_option) {
  refused("m.cpp -o x --chek-inputs=all",
          "unknown option '--chek-inputs=all'; the nearest is '--check-inputs'");
  refused("m.cpp -o x --nan-assert=all",
          "unknown option '--nan-assert=all'; the nearest is '--nan-asserts'");
  refused("list m.cpp --jsno", "unknown option '--jsno'; the nearest is '--json'");
  refused("m.cpp -o x --frobnicate", "unknown option '--frobnicate'");
}

TEST(a_filter_is_shown_by_list) {
  arena *a = arena_new();
  assert_string_equal(accepted("list m.pt2 --kernels=gelu", a).levels.kernels, "gelu");
  assert_string_equal(accepted("list m.pt2", a).levels.kernels, "");
  refused("check m.pt2 --kernels=gelu", "option '--kernels' does not go with the verb 'check'");
  refused("list m.pt2 --here --kernels=k",
          "option '--kernels' does not go with '--here', which prints no launches");
  arena_free(a);
}

TEST(misspelt_variables) {
  static char *const environment[] = {"AOTIGEN_RUN=2",     "AOTIGEN_KERNAL=x",  "AOTIGEN_RUNS=2",
                                      "AOTIGEN_REQUIRE=x", "AOTIGEN_=1",        "AOTIGEN_log",
                                      "AOTIGEN_OPEN=x",    "AOTI_RUN_=AOTIGEN", NULL};
  arena *a = arena_new();
  diags *d = diags_new(a);
  options_warn_misspelt(environment, a, d);
  char *at = unit_messages(d, false);
  assert_string_equal(at,
                      "aotigen: warning: the environment variable 'AOTIGEN_RUN' has no meaning; "
                      "the nearest that has is 'AOTIGEN_RUNS'\n"
                      "aotigen: warning: the environment variable 'AOTIGEN_KERNAL' has no "
                      "meaning; the nearest that has is 'AOTIGEN_KERNELS'\n"
                      "aotigen: warning: the environment variable 'AOTIGEN_log' has no "
                      "meaning; the nearest that has is 'AOTIGEN_LOG'\n");
  free(at);
  arena_free(a);
}

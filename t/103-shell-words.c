/* 103-shell-words.c - splitting a recorded command. */
#include "command/shell_words.h"
#include "unit.h"

typedef struct split {
  arena *a;
  diags *d;
  shell_words w;
  bool ok;
} split;

static split run_n(const char *at, size_t n) {
  split s = {.a = arena_new()};
  s.d = diags_new(s.a);
  const shell_text text = {at, n, "f.cpp", 9, 4};
  s.ok = shell_words_split(&s.w, &text, s.a, s.d);
  return s;
}

/* The words are `expected`, each followed by '|'. */
static void splits(const char *line, const char *expected) {
  split s = run_n(line, strlen(line));
  strbuf t = {0};
  strbuf_puts(&t, "");
  assert_true(s.ok);
  for (size_t i = 0; i < s.w.n; i++) strbuf_printf(&t, "%s|", s.w.at[i].at);
  assert_string_equal(t.at, expected);
  strbuf_free(&t);
  arena_free(s.a);
}

static void refuses(const char *line, size_t n, unsigned column, const char *says) {
  char place[64];
  split s = run_n(line, n);
  assert_false(s.ok);
  assert_int_equal(diags_status(s.d), STATUS_INPUT);
  char *at = unit_messages(s.d, false);
  snprintf(place, sizeof place, "f.cpp:9:%u: error: ", column);
  if (strncmp(at, place, strlen(place)) != 0 || !strstr(at, says))
    fail_msg("%s: not '%s...%s': %s", line, place, says, at);
  free(at);
  arena_free(s.a);
}

TEST(words_are_split_as_a_shell_would) {
  splits("", "");
  splits("  \t ", "");
  splits("g++ -D NAME -D  X", "g++|-D|NAME|-D|X|");
  splits(" a  b\t", "a|b|");
  splits("a'b c'd \"e f\"", "ab cd|e f|");
  splits("'' \"\" x", "||x|");
  splits("a\\ b \\'", "a b|'|");
  splits("'\\' \"a\\\"b\\\\\\n\"", "\\|a\"b\\\\n|");
  splits("'; | & ` $ > < ( )'", "; | & ` $ > < ( )|");
  splits("\"; | & > < ( )\"", "; | & > < ( )|");
  splits("\xc3\xa4/\xff", "\xc3\xa4/\xff|");
}

TEST(columns_are_those_of_the_line) {
  split s = run_n("g++  'a b' c", 12);
  assert_int_equal(s.w.n, 3);
  assert_int_equal(s.w.at[0].column, 4);
  assert_int_equal(s.w.at[1].column, 9);
  assert_int_equal(s.w.at[2].column, 15);
  arena_free(s.a);
}

TEST(a_shell_is_refused) {
  for (const char *c = ";|&<>()"; *c; c++) {
    char line[] = "g++ a?b";
    line[5] = *c;
    refuses(line, 7, 9, "asks for a shell");
  }
  refuses("g++ `id`", 8, 8, "substitution");
  refuses("g++ $HOME", 9, 8, "substitution");
  refuses("g++ \"$(id)\"", 11, 9, "substitution");
  refuses("g++ \"`id`\"", 10, 9, "substitution");
}

TEST(what_is_broken_is_refused) {
  refuses("g++ 'abc", 8, 8, "a quote that does not close");
  refuses("g++ \"abc\\\"", 10, 8, "a quote that does not close");
  refuses("g++ \\", 5, 8, "ends in a backslash");
  refuses("g++ a\0b", 7, 9, "a control character");
  refuses("g++ 'a\0b'", 9, 10, "a control character");
  refuses("g++ a\033b", 7, 9, "a control character");
  refuses("g++ '\n'", 7, 9, "a control character");
  refuses("g++ \\\001", 6, 9, "a control character");
}

TEST(megabytes_are_no_obstacle) {
  enum { N = 8 << 20 };
  char *line = malloc(N);
  assert_non_null(line);
  for (size_t i = 0; i < N; i++) line[i] = i % 2 ? ' ' : 'a';
  split s = run_n(line, N);
  assert_true(s.ok);
  assert_int_equal(s.w.n, N / 2);
  arena_free(s.a);
  memset(line, '\'', N);
  s = run_n(line, N);
  assert_true(s.ok);
  assert_int_equal(s.w.n, 1);
  arena_free(s.a);
  free(line);
}

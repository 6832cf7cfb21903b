/* 266-screen.c - what fits a screen is shown as it is; of more the texts are cut, which is said,
 * and no word of what is to stay is missing. */
#include "run/screen.h"
#include "in_arena.h"
#include "unit.h"

static const char words[] = "one two three four five six seven eight nine ten eleven twelve";

static size_t print_with(const screen *s, bool colours, strings *lines) {
  FILE *f = tmpfile();
  assert_non_null(f);
  screen_print(s, colours, f);
  rewind(f);
  char line[2048];
  while (fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = '\0';
    *arena_push(s->a, lines) = arena_strdup(s->a, line);
  }
  fclose(f);
  return lines->n;
}

/* The lines of what is printed, in `lines`, and how many there are. */
static size_t print(const screen *s, strings *lines) { return print_with(s, false, lines); }

static bool holds(const strings *lines, const char *part) {
  for (size_t i = 0; i < lines->n; i++)
    if (strstr(lines->at[i], part)) return true;
  return false;
}

static const char *repeat(const char *text, int n) {
  const char *all = text;
  while (--n > 0) all = arena_printf(a, "%s %s", all, text);
  return all;
}

TEST(a_screen_that_is_full_is_not_cut) {
  screen s = {.a = a};
  strings lines = {0};
  screen_head(&s, "head");
  for (int i = 1; i < SCREEN_LINES; i++) screen_say(&s, "text", "number %d", i);
  assert_int_equal(print(&s, &lines), SCREEN_LINES);
  assert_string_equal(lines.at[SCREEN_LINES - 1], "  text          number 23");
  assert_false(holds(&lines, "left out"));
}

TEST(long_texts_are_cut_before_one_is_left_out) {
  screen s = {.a = a};
  strings lines = {0};
  for (int i = 1; i <= 7; i++) screen_say(&s, "text", "%d: %s", i, repeat(words, 7));
  screen_whole(&s, "end", "is here");
  assert_int_equal(print(&s, &lines), 7 * 3 + 2);
  assert_true(holds(&lines, "  text          7: one"));
  assert_string_equal(lines.at[21], "  left out      7 lines, for this to fit a screen");
  assert_string_equal(lines.at[22], "  end           is here");
  for (int i = 2; i < 21; i += 3)
    assert_string_equal(lines.at[i] + strlen(lines.at[i]) - 4, " ...");
}

TEST(the_last_texts_are_left_out) {
  screen s = {.a = a};
  strings lines = {0};
  for (int i = 1; i <= 20; i++) screen_say(&s, "before", "number %d", i);
  screen_whole(&s, "why", "%s", repeat(words, 3));
  for (int i = 1; i <= 20; i++) screen_say(&s, "behind", "number %d", i);
  screen_whole(&s, "try next", "this:");
  screen_command(&s, "command");
  assert_int_equal(print(&s, &lines), SCREEN_LINES);
  assert_true(holds(&lines, "before        number 18"));
  assert_false(holds(&lines, "number 19"));
  assert_true(holds(&lines, "left out      22 lines, "));
  assert_true(holds(&lines, "eleven twelve"));
  assert_false(holds(&lines, "behind"));
  assert_string_equal(lines.at[SCREEN_LINES - 1], "                command");
}

TEST(what_is_to_stay_may_be_more_than_a_screen) {
  screen s = {.a = a};
  strings lines = {0};
  const char *word = arena_printf(a, "'--keep=%s'", words);
  for (int i = 1; i <= 9; i++) screen_say(&s, "text", "number %d", i);
  screen_command(&s, repeat(word, 40));
  assert_true(print(&s, &lines) > SCREEN_LINES);
  assert_true(holds(&lines, "text          number 1"));
  assert_true(holds(&lines, "left out      8 lines"));
  const char *command = "";
  for (size_t i = 2; i < lines.n; i++) {
    char *end = strstr(lines.at[i], " \\");
    assert_true(!!end == (i + 1 < lines.n));
    if (end) *end = '\0';
    command = arena_printf(a, "%s%s%s", command, i > 2 ? " " : "", lines.at[i] + 16);
  }
  assert_string_equal(command, repeat(word, 40));
}

TEST(what_is_spare_goes_before_a_text) {
  screen s = {.a = a};
  strings lines = {0};
  for (int i = 1; i < SCREEN_LINES - 1; i++) screen_say(&s, "text", "number %d", i);
  screen_command(&s, "first");
  s.spare = true;
  screen_command(&s, "second");
  screen_command(&s, "third");
  assert_int_equal(print(&s, &lines), SCREEN_LINES);
  assert_true(holds(&lines, "number 22"));
  assert_true(holds(&lines, "left out      2 lines"));
  assert_true(holds(&lines, "first"));
  assert_false(holds(&lines, "second"));
}

/* Names are long in Inductor's kernels: some of one tells more than none. */
TEST(a_name_that_is_cut) {
  screen s = {.a = a};
  strings lines = {0};
  for (int i = 1; i < SCREEN_LINES; i++)
    screen_say(&s, "text", "launch 5: %s%0100d", "cpp_fused_", 0);
  print(&s, &lines);
  assert_true(holds(&lines, "launch 5: cpp_fused_000000"));
  assert_false(holds(&lines, "launch 5: ..."));
}

TEST(a_terminal_shows_what_matters_in_colour) {
  for (int alarms = 0; alarms < 2; alarms++) {
    screen s = {.a = a, .alarms = alarms};
    strings lines = {0};
    screen_head(&s, "head");
    screen_whole(&s, "what", "%s", repeat("NaN born", 15));
    screen_say(&s, "model line", "m.py:3  log(x)");
    screen_say(&s, "model line", "candidate 1 of 2: m.py:3");
    screen_say(&s, "model line", "m.py:3  (guessed)");
    screen_line(&s, "", "log(tmp0) = nan   <- here");
    screen_command(&s, "aotigen list");
    assert_int_equal(print_with(&s, true, &lines), 8);
    assert_string_equal(lines.at[0], "head");
    const char *tone = alarms ? "[1;31m" : "[1m";
    const char *what = arena_printf(a, "  what          \033%s", tone);
    assert_int_equal(strncmp(lines.at[1], what, strlen(what)), 0);
    assert_non_null(strstr(lines.at[1], "\033[0m"));
    assert_non_null(strstr(lines.at[2], tone)); /* the rest of it */
    assert_string_equal(lines.at[3], "  model line    \033[1mm.py:3  log(x)\033[0m");
    assert_string_equal(lines.at[4], "  model line    candidate 1 of 2: m.py:3");
    assert_string_equal(lines.at[5], "  model line    m.py:3  (guessed)");
    assert_string_equal(lines.at[6], "                \033[1;31mlog(tmp0) = nan   <- here\033[0m");
    assert_string_equal(lines.at[7], "                aotigen list");
  }
}

TEST(colours_are_for_terminals_that_have_them) {
  assert_true(screen_wants_colours(true, NULL, "xterm-256color"));
  assert_true(screen_wants_colours(true, "", "xterm"));
  assert_false(screen_wants_colours(false, NULL, "xterm"));
  assert_false(screen_wants_colours(true, "1", "xterm"));
  assert_false(screen_wants_colours(true, NULL, "dumb"));
  assert_false(screen_wants_colours(true, NULL, NULL));
}

/* What an editor is to open is whole, or left out. */
TEST(a_place_in_a_file_stays_on_a_line) {
  const char *path = arena_printf(a, "/%0150d/m.cpp:5", 0);
  screen s = {.a = a};
  strings lines = {0}, all = {0};
  screen_path(&s, "launched at", "%s", path);
  assert_int_equal(print(&s, &lines), 1);
  assert_string_equal(lines.at[0], arena_printf(a, "  launched at   %s", path));
  screen full = {.a = a};
  screen_say(&full, "text", "first");
  for (int i = 0; i < SCREEN_LINES - 2; i++) screen_line(&full, "line", "number %d", i);
  screen_path(&full, "launched at", "%s", path);
  screen_say(&full, "text", "last");
  assert_int_equal(print(&full, &all), SCREEN_LINES);
  assert_true(holds(&all, "first"));
  assert_false(holds(&all, "launched at"));
}

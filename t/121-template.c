/* 121-template.c - templates: every slot is filled, and a wrong or missing one ends the process. */
#include "base/template.h"
#include "unit.h"

TEST(slots_are_filled) {
  arena *a = arena_new();
  const slot slots[] = {{"values", "x, y"}, {"site", "7"}};
  assert_string_equal(template_fill("before", slots, 2, a), "AOTIGEN_BEFORE(7, x, y);");
  arena_free(a);
}

TEST(text_is_quoted_for_c) {
  arena *a = arena_new();
  assert_string_equal(template_quote("a\"b\\c?\n\x7f", a), "a\\\"b\\\\c\\?\\n\\177");
  arena_free(a);
}

/* Filling ends the process with status 3 and a message that holds `says`. */
static void expect_bug(const char *name, const slot *slots, size_t n, const char *says) {
  char text[512] = "";
  int ends[2], status;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    template_fill(name, slots, n, arena_new());
    _exit(0);
  }
  assert_true(child > 0);
  close(ends[1]);
  for (ssize_t at = 0, got; (got = read(ends[0], text + at, sizeof text - 1 - (size_t)at)) > 0;)
    at += got;
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 3);
  if (!strstr(text, says)) fail_msg("'%s' is not in: %s", says, text);
}

TEST(wrong_slots_are_bugs) {
  const slot slots[] = {{"site", "7"}, {"values", "x"}, {"other", ""}};
  expect_bug("before", slots, 1, "template 'before': nothing fills 'values'");
  expect_bug("before", slots, 3, "template 'before': has no slot 'other'");
  expect_bug("nonexistent", slots, 1, "template 'nonexistent': is not among 'templates/'");
}

/* The first is used and the last is not: a count that wraps would take one for the other. */
TEST(too_many_slots_are_a_bug) {
  static char names[TEMPLATE_SLOTS_MAX + 1][8];
  slot slots[TEMPLATE_SLOTS_MAX + 1];
  for (size_t i = 0; i <= TEMPLATE_SLOTS_MAX; i++) {
    snprintf(names[i], sizeof names[i], "s%zu", i);
    slots[i] = (slot){names[i], ""};
  }
  slots[0].name = "site";
  slots[1].name = "values";
  char last[64];
  snprintf(last, sizeof last, "has too many slots: 's%d'", TEMPLATE_SLOTS_MAX);
  expect_bug("before", slots, TEMPLATE_SLOTS_MAX + 1, last);
  expect_bug("before", slots, TEMPLATE_SLOTS_MAX, "has no slot 's2'");
}

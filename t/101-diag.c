/* 101-diag.c - how a message looks, and which status it asks for. */
#include "base/diag.h"
#include "unit.h"

typedef struct fixture {
  arena *a;
  diags *d;
} fixture;

BEFORE_EACH {
  static fixture f;
  f.a = arena_new();
  f.d = diags_new(f.a);
  *state = &f;
}

AFTER_EACH { arena_free(((fixture *)*state)->a); }

static void prints(diags *d, bool quiet, const char *expected) {
  char *at = unit_messages(d, quiet);
  assert_string_equal(at, expected);
  free(at);
}

TEST(places_are_left_out_where_unknown) {
  diags *d = ((fixture *)*state)->d;
  diag_error_at(d, STATUS_INPUT, "a.cpp", 3, 7, "'%s' is wrong", "x");
  diag_error_at(d, STATUS_INPUT, "a.cpp", 3, 0, "b");
  diag_error(d, STATUS_INPUT, "a.cpp", "c");
  diag_error(d, STATUS_INPUT, NULL, "d");
  diag_add(d, DIAG_NOTE, STATUS_OK, "b.h", 1, 2, "e");
  prints(d, false,
         "a.cpp:3:7: error: 'x' is wrong\na.cpp:3: error: b\na.cpp: error: c\naotigen: error: "
         "d\nb.h:1:2: note: e\n");
  prints(d, false, "");
}

TEST(the_highest_status_wins) {
  diags *d = ((fixture *)*state)->d;
  diag_warning(d, NULL, "w");
  assert_int_equal(diags_status(d), STATUS_OK);
  diag_error(d, STATUS_USAGE, NULL, "u");
  diag_error(d, STATUS_INPUT, NULL, "i");
  assert_int_equal(diags_status(d), STATUS_USAGE);
  diag_error(d, STATUS_BUG, NULL, "b");
  assert_int_equal(diags_status(d), STATUS_BUG);
}

TEST(quiet_leaves_warnings_and_their_notes_out) {
  diags *d = ((fixture *)*state)->d;
  diag_warning(d, NULL, "w");
  diag_note(d, NULL, "of w");
  diag_error(d, STATUS_INPUT, NULL, "e");
  diag_note(d, NULL, "of e");
  prints(d, true, "aotigen: error: e\naotigen: note: of e\n");
}

TEST(many_errors_are_counted) {
  diags *d = ((fixture *)*state)->d;
  for (int i = 0; i < 200000; i++) {
    diag_error(d, STATUS_INPUT, NULL, "e%d", i);
    diag_note(d, NULL, "n%d", i);
  }
  char *at = unit_messages(d, false);
  assert_non_null(strstr(at, "e19\naotigen: note: n19\naotigen: error: and 199980 more errors\n"));
  assert_null(strstr(at, "e20"));
  assert_null(strstr(at, "n20"));
  free(at);
}

TEST(control_characters_are_escaped) {
  diags *d = ((fixture *)*state)->d;
  diag_error_at(d, STATUS_INPUT, "a\x1b[2J.cpp", 1, 1, "'%s'",
                "\n\t\x7f\x01 \xc3\xa4 \xe2\x82\xac \xff \xc2\x9b \xe2\x80\xae \xc0\xaf \xe2\x82");
  prints(d, false,
         "a\\x1b[2J.cpp:1:1: error: '\\n\\t\\x7f\\x01 \xc3\xa4 \xe2\x82\xac \\xff \\xc2\\x9b "
         "\\xe2\\x80\\xae \\xc0\\xaf \\xe2\\x82'\n");
}

/* 150-rewritten.c - what the parser's process answers, from bytes that may be any. */
#include "base/shown.h"
#include "stages/rewritten.h"
#include "unit.h"

typedef struct answer {
  char *at;
  size_t n;
} answer;

static answer make_answer(arena *a) {
  answer made = {0};
  diags *d = diags_new(a);
  diag_warning_at(d, "w.cpp", 3, 4, "left alone: '%s'", "k%s");
  diag_note(d, NULL, "a note");
  for (int i = 0; i < 31; i++) diag_error(d, STATUS_INPUT, "x", "error %d", i);
  FILE *to = open_memstream(&made.at, &made.n), *printed = rewritten_open_printed(to);
  fwrite("p\0q", 1, 3, printed);
  fclose(printed);
  const rewritten r = {.text = "int x;",
                       .n = 6,
                       .sites = 7,
                       .counts = {1, 2, 3},
                       .left_alone = 5,
                       .weights = {.bytes = 1ull << 40, .has_constructor = true},
                       .pch_failed = true};
  rewritten_put(&r, d, to);
  fclose(to);
  return made;
}

/* Reads the answer in parts of `step` bytes. */
static rewritten_reader read_parts(const char *at, size_t n, size_t step) {
  rewritten_reader r = {.printed = tmpfile()};
  assert_non_null(r.printed);
  for (size_t i = 0; i < n; i += step)
    assert_true(rewritten_read(&r, at + i, n - i < step ? n - i : step));
  return r;
}

TEST(an_answer_is_read_as_it_was_written) {
  static const char first[] = "w.cpp:3:4: warning: left alone: 'k%s'\naotigen: note: a note\n";
  arena *a = arena_new();
  diags *d = diags_new(a);
  answer made = make_answer(a);
  rewritten r;
  for (size_t step = 1; step < 100; step++) {
    char printed[8] = "";
    rewritten_reader reader = read_parts(made.at, made.n, step);
    if (step == 1) assert_true(rewritten_take(&r, &reader, a, d));
    assert_true(reader.printed_ends);
    rewind(reader.printed);
    assert_int_equal(fread(printed, 1, sizeof printed, reader.printed), 3);
    assert_memory_equal(printed, "p\0q", 4);
    rewritten_reader_free(&reader);
  }
  assert_string_equal(r.text, "int x;");
  assert_true(r.sites == 7 && r.counts[2] == 3 && r.counts[3] == 0 && r.left_alone == 5);
  assert_true(r.weights.bytes == 1ull << 40 && r.weights.has_constructor && !r.weights.left_out);
  assert_true(r.pch_failed && r.n == 6);
  assert_int_equal(diags_status(d), STATUS_INPUT);
  char *said = unit_messages(d, false);
  assert_memory_equal(said, first, sizeof first - 1);
  assert_non_null(strstr(said, "error 19\naotigen: error: and 11 more errors\n"));
  free(said);
  free(made.at);
  arena_free(a);
}

/* Nothing is read beyond the end: a sanitizer sees it. */
static bool takes(const char *at, size_t n) {
  arena *a = arena_new();
  rewritten_reader reader = read_parts(at, n, 17);
  strbuf *rest = &reader.rest;
  rest->at = realloc(rest->at, rest->n ? rest->n : 1);
  rewritten r;
  bool ok = rewritten_take(&r, &reader, a, diags_new(a));
  assert_true(strlen(r.text) <= r.n);
  rewritten_reader_free(&reader);
  arena_free(a);
  return ok;
}

TEST(other_bytes_are_refused) {
  static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
  arena *a = arena_new();
  answer made = make_answer(a);
  for (size_t n = 0; n < made.n; n++)
    if (takes(made.at, n)) fail_msg("%zu bytes of %zu are taken", n, made.n);
  char *longer = calloc(1, made.n + 1);
  assert_non_null(longer);
  memcpy(longer, made.at, made.n);
  assert_true(takes(longer, made.n));
  assert_false(takes(longer, made.n + 1));
  /* Each byte changed: a number may be another one then, but nothing worse. */
  for (size_t i = 0; i < made.n; i++)
    for (size_t k = 0; k < sizeof values; k++) {
      char before = longer[i];
      longer[i] = (char)values[k];
      takes(longer, made.n);
      longer[i] = before;
    }
  free(longer);
  free(made.at);
  arena_free(a);
}

TEST(a_text_holds_no_nul) {
  arena *a = arena_new();
  char *at = NULL;
  size_t n;
  FILE *to = open_memstream(&at, &n);
  fclose(rewritten_open_printed(to));
  rewritten_put(&(rewritten){.text = "a\0b", .n = 3}, diags_new(a), to);
  fclose(to);
  assert_false(takes(at, n));
  free(at);
  arena_free(a);
}

/* Behind a length, what is printed, and a length of 0. */
static const size_t status_at = sizeof(uint64_t) + 3 + sizeof(uint64_t);

TEST(no_status_but_the_inputs_is_taken) {
  arena *a = arena_new();
  answer made = make_answer(a);
  assert_int_equal(made.at[status_at], STATUS_INPUT);
  for (char status = STATUS_USAGE; status <= STATUS_BUG + 1; status++) {
    made.at[status_at] = status;
    assert_false(takes(made.at, made.n));
  }
  free(made.at);
  arena_free(a);
}

static void is_printed_as(const char *text, size_t n, const char *wanted) {
  char *at = NULL;
  size_t size;
  FILE *to = open_memstream(&at, &size);
  FILE *shown = shown_open(to);
  fwrite(text, 1, n, shown);
  fclose(shown);
  fclose(to);
  assert_string_equal(at, wanted);
  free(at);
}

TEST(what_is_printed_does_not_control_the_terminal) {
  static const char text[] = "a\tb\n\x1b[31m\xc3\xa9\xff\0z\xe2\x80\xae";
  char many[3001] = "x"; /* characters of 3 bytes, none of which is cut */
  is_printed_as(text, sizeof text - 1, "a\tb\n\\x1b[31m\xc3\xa9\\xff\\x00z\\xe2\\x80\\xae");
  is_printed_as("A\xc2\xa0Z\xe2\x80\x8ez\xf3\xa0\x81\x81!", 13,
                "A\\xc2\\xa0Z\\xe2\\x80\\x8ez\\xf3\\xa0\\x81\\x81!");
  for (size_t i = 1; i + 3 < sizeof many; i += 3) memcpy(many + i, "\xe2\x82\xac", 3);
  is_printed_as(many, strlen(many), many);
}

/* expected.c - see t/expected.h. */
#include "../expected.h"
#include "../test.h"

#include <errno.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *running = "";
static int nth;

void expected_begin(const char *test) {
  running = test;
  nth = 0;
}

/* ---- what differs from one time to the next ------------------------------------------------- */

/* In a match, the first group remains, followed by `instead`. */
static const struct varying {
  const char *pattern, *instead;
} varying[] = {{"()  model line    not known: [^\n]*\n", ""},
               {"(\\brun )[1-9][0-9]*", "N"},
               {"(  threads       )[0-9]+ runs this launch, [0-9]+", "N runs this launch, N"},
               {"(\\b(address|at|to|from|found) )0x[0-9a-f]+", "ADDRESS"}};

static char *replaced(char *text, const struct varying *v) {
  regex_t r;
  regmatch_t m[3];
  char *out = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&out, &n);
  assert_true(f && !regcomp(&r, v->pattern, REG_EXTENDED));
  const char *at = text;
  for (; !regexec(&r, at, 3, m, 0); at += m[0].rm_eo)
    fprintf(f, "%.*s%.*s%s", (int)m[0].rm_so, at, (int)(m[1].rm_eo - m[1].rm_so), at + m[1].rm_so,
            v->instead);
  fputs(at, f);
  fclose(f);
  regfree(&r);
  free(text);
  return out;
}

char *expected_form(const char *text) {
  char *s = strdup(text);
  for (size_t i = 0; i < sizeof varying / sizeof *varying; i++) s = replaced(s, &varying[i]);
  return s;
}

/* ---- the file ------------------------------------------------------------------------------- */

static char *whole(FILE *f) {
  char *out = NULL, part[4096];
  size_t n = 0, got;
  FILE *to = open_memstream(&out, &n);
  while (f && (got = fread(part, 1, sizeof part, f)) > 0) fwrite(part, 1, got, to);
  fclose(to);
  return out;
}

/* The start of the section's text in that of the file, and its length; NULL if it is missing. */
static char *section_in(char *all, const char *head, size_t *n) {
  char *at = strncmp(all, head, strlen(head)) ? NULL : all, line[300];
  snprintf(line, sizeof line, "\n%s", head);
  if (!at && (at = strstr(all, line))) at++;
  if (!at) return NULL;
  at += strlen(head);
  const char *next = !strncmp(at, "=== ", 4) ? at : strstr(at, "\n=== ");
  *n = !next ? strlen(at) : next == at ? 0 : (size_t)(next + 1 - at);
  return at;
}

/* The file with another text of the section, which comes last where it was not there. */
static void update(const char *name, char *all, const char *head, const char *text) {
  size_t n = 0;
  char *at = section_in(all, head, &n);
  FILE *f = fopen(name, "w");
  if (!f) fail_msg("cannot write '%s': %s", name, strerror(errno));
  if (at)
    fprintf(f, "%.*s%s%s", (int)(at - all), all, text, at + n);
  else
    fprintf(f, "%s%s%s", all, head, text);
  assert_int_equal(fclose(f), 0);
}

/* The output of 'diff' on two texts, freed by the caller. */
static char *difference(const char *expected, size_t n, const char *text) {
  char command[1100], names[2][512];
  const char *tmp = getenv("TMPDIR");
  for (int i = 0; i < 2; i++) {
    snprintf(names[i], sizeof names[i], "%s/expected-XXXXXX", tmp ? tmp : "/tmp");
    int fd = mkstemp(names[i]);
    ssize_t size = (ssize_t)(i ? strlen(text) : n);
    assert_true(fd >= 0 && write(fd, i ? text : expected, (size_t)size) == size);
    close(fd);
  }
  snprintf(command, sizeof command, "diff -U 2 --label expected --label got '%s' '%s'", names[0],
           names[1]);
  FILE *f = popen(command, "r");
  char *said = whole(f);
  if (f) pclose(f);
  unlink(names[0]);
  unlink(names[1]);
  return said;
}

/* On an asynchronous device an element is '?' where nothing asked for it in time. */
static bool is_same(const char *expected, size_t n, const char *got) {
  bool lags = getenv("FAKE_DEVICE") != NULL;
  size_t i = 0;
  for (const char *at = got; *at; at++) {
    if (lags && !strncmp(at, "?\n", 2) && i < n)
      i += strcspn(expected + i, "\n");
    else if (i >= n || expected[i++] != *at)
      return false;
  }
  return i == n;
}

static char *read_file(const char *name) {
  FILE *f = fopen(name, "r");
  char *all = whole(f);
  if (f) fclose(f);
  return all;
}

char *expected_section(const char *file, const char *name) {
  char head[300], *all = read_file(file);
  snprintf(head, sizeof head, "=== %s\n", name);
  size_t n = 0;
  const char *at = section_in(all, head, &n);
  if (!at) fail_msg("%s has no section '%s'", file, name);
  char *section = strndup(at, n);
  free(all);
  return section;
}

void as_expected(char *text) {
  char name[300], head[300];
  assert_non_null(text);
  char *got = expected_form(text);
  if (*got && got[strlen(got) - 1] != '\n') {
    char *ended = NULL;
    assert_true(asprintf(&ended, "%s\n\\ no newline at the end\n", got) > 0);
    free(got);
    got = ended;
  }
  snprintf(name, sizeof name, "t/expected/%s.txt", program_invocation_short_name);
  nth++;
  snprintf(head, sizeof head, nth > 1 ? "=== %s %d\n" : "=== %s\n", running, nth);
  char *all = read_file(name);
  size_t n = 0;
  const char *at = section_in(all, head, &n);
  bool same = at && is_same(at, n, got);
  if (!same && getenv("UPDATE_EXPECTED")) {
    update(name, all, head, got);
  } else if (!same) {
    char *said = difference(at ? at : "", n, got);
    fail_msg("%s, section '%.*s' (UPDATE_EXPECTED=1 rewrites it):\n%s", name, (int)strlen(head) - 1,
             head, said);
  }
  free(all);
  free(got);
  free(text);
}

/* 143-runtime-names.c - what the generator repeats of the runtime, which it must not include: the
 * names of the guard's checks. The runtime's sources are read as text. */
#include "model/guards.h"
#include "unit.h"

enum { NAMES_MAX = 64 };

typedef struct names {
  char at[NAMES_MAX][40];
  size_t n;
} names;

static char *read_source(const char *path) {
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("'%s' is not there: units run in the root of the repository", path);
  char *text = calloc(1, 1 << 20);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
  fclose(f);
  return text;
}

static bool has_name(const names *s, const char *name) {
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->at[i], name) == 0) return true;
  return false;
}

/* Adds the string literal that stands behind `commas` commas after each `call`. */
static void add_literals(names *to, const char *text, const char *call, int commas) {
  while ((text = strstr(text, call))) {
    text += strlen(call);
    const char *at = text;
    for (int i = 0; at && i < commas; i++) {
      at = strpbrk(at, ",;");
      at = at && *at == ',' ? at + 1 + strspn(at + 1, " \n") : NULL;
    }
    if (!at || *at != '"') continue;
    size_t n = strcspn(at + 1, "\"");
    assert_true(to->n < NAMES_MAX && n < sizeof to->at[0]);
    memcpy(to->at[to->n++], at + 1, n);
  }
}

/* What the runtime's guard calls its checks, in the forms that its source may have. */
static void read_checks(names *checks) {
  static const char *const files[] = {"runtime/checks/guard.c", "runtime/checks/gaps.c",
                                      "runtime/checks/shared_memory.c", "runtime/checks/finding.c"};
  for (int i = 0; i < 4; i++) {
    char *text = read_source(files[i]);
    add_literals(checks, text, "violation(", 2);
    add_literals(checks, text, "ag_finding_add(", 2);
    add_literals(checks, text, "ag_finding_log(", 3);
    add_literals(checks, text, "\"check\"", 1);
    free(text);
  }
}

TEST(the_list_names_each_check_of_the_guard) {
  names checks = {0}, listed = {0};
  read_checks(&checks);
  for (size_t i = 0; i < guards_table_n; i++)
    for (const char *const *c = guards_table[i].checks; *c; c++) {
      if (!has_name(&checks, *c))
        fail_msg("the list's '%s' stands for '%s', which the guard does not check",
                 guards_table[i].name, *c);
      assert_false(has_name(&listed, *c));
      snprintf(listed.at[listed.n++], sizeof listed.at[0], "%s", *c);
    }
  for (size_t i = 0; i < checks.n; i++)
    if (!has_name(&listed, checks.at[i]))
      fail_msg("the guard checks '%s', which no row of gen/model/guards.c stands for",
               checks.at[i]);
}

TEST(a_site_has_the_guards_that_an_argument_of_it_gets) {
  arena *a = arena_new();
  argument args[] = {{.kind = AOTIGEN_TENSOR}, {.kind = AOTIGEN_SCALAR, .flags = AOTIGEN_INT32}};
  site s = {.form = AOTIGEN_EXTERN, .args = {args, 1, 1}};
  strings guards = guards_find(&s, a);
  assert_string_equal(strings_join(a, &guards, " "), "data storage"); /* of a null optional */
  args[0].flags = AOTIGEN_NOT_NULL | AOTIGEN_DEFINED;
  guards = guards_find(&s, a);
  assert_string_equal(strings_join(a, &guards, " "), "defined data storage");
  s = (site){.form = AOTIGEN_TRITON, .flags = AOTIGEN_KERNEL, .args = {args, 2, 2}};
  args[0].flags = AOTIGEN_ALIGN16;
  guards = guards_find(&s, a);
  assert_string_equal(strings_join(a, &guards, " "),
                      "defined data storage alignment dtype device int32 grid");
  const expected e = {.ndim = -1, .user = 3};
  args[0] = (argument){.kind = AOTIGEN_TENSOR, .flags = AOTIGEN_LATE, .expected = &e};
  s = (site){.form = AOTIGEN_EXTERN, .args = {args, 1, 1}};
  guards = guards_find(&s, a);
  assert_string_equal(strings_join(a, &guards, " "), "defined data storage outputs");
  s.skipped = "stands in a condition";
  assert_int_equal(guards_find(&s, a).n, 0);
  arena_free(a);
}

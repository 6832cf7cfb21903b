/* 114-include-audit.c - which files an untrusted source may include: by its text, and by the lists
 * of the compiler and the assembler. */
#include "toolchain/include_audit.h"
#include "machine.h"

static void expect_taken(machine *m, const char *text) {
  char *copy = malloc(strlen(text) + 1); /* a sanitizer sees a step beyond */
  memcpy(copy, text, strlen(text));
  if (!include_audit_check_text("p/x.cpp", copy, strlen(text), m->a, m->d)) unit_says(m->d, text);
  free(copy);
}

static void expect_refused(machine *m, const char *text, const char *says) {
  char *copy = malloc(strlen(text) + 1);
  memcpy(copy, text, strlen(text));
  diags *d = diags_new(m->a);
  if (include_audit_check_text("p/x.cpp", copy, strlen(text), m->a, d)) fail_msg("taken: %s", text);
  assert_int_equal(diags_status(d), STATUS_INPUT);
  unit_says(d, says);
  free(copy);
}

TEST(what_is_emitted_is_taken) {
  machine *m = *state;
  static const char *const texts[] = {
      "",
      "#",
      "int x",
      "\\",
      "#\\",
      "%",
      "?",
      "??",
      "%:",
      "// x \\",
      "/*",
      "\"",
      "R\"(",
      "#define",
      "#include <a/b-c+d.h>",
      "#include \"a.h\"\r\n#define X \\\r\n  1\r\n",
      ("#include "
       "\"/tmp/torchinductor_me/2r/c2rnilspx43ivnzu4uieul65kx65dfhfbptbh5og4wk6rqebuxoo.h\"\n"),
      "#define X(...) do { \\\n  f(__VA_ARGS__); \\\n} while (0)\n",
      "#pragma once\n#pragma GCC ivdep\n#pragma omp for\n",
      "/*\n# include the tail\n# 1 \"x\"\n#line 3\n## asm section __has_include\n*/\n",
      "const char *s = \"asm ## section _Pragma\";\n",
      "R\"(\nasm ## section\n)\"",
      "int asm_ = 1, xasm = 2, section1 = 3;",
      "a # b",
      "#if defined(X) /* y */\n#endif /* X */\n",
      "#if __cplusplus < 201703 && (defined (X) || X() == (2)) // f(x)\n#elif not (X)\n#endif\n",
      "#define likely(x) __builtin_expect(!!(x), 1)\n#define X (*y)\n#define Y {4, f(x)}\n",
      "#define X(a, \\\n b) try { f(a) == b; } catch (...) { g(a); }\n",
      "int a = 1'000, b = 0x1p-3; char c = '\"', d = '\\'';",
      "// '\n// \"\n",
      "#error don't\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect_taken(m, texts[i]);
  assert_int_equal(diags_status(m->d), STATUS_OK);
}

/* Texts, and a part of the message that refuses each. */
static const char *const refused[][2] = {
    {"#include \"../x\"", "climbs"},
    {"#include <a/../b>", "climbs"},
    {"#include X", "a macro"},
    {"#include", "a macro"},
    {"#include\n", "a macro"},
    {"#include <a b>", "not a header's name"},
    {"#include \"\xc3\xa9\"", "not a header's name"},
    {"%:import </x>", "absolute"},
    {"?\?=include_next </x>", "absolute"},
    {" \t\f\v# \t\\\n embed </x>", "absolute"},
    {"/**/#include </x>", "absolute"},
    {"\xef\xbb\xbf#include </x>", "absolute"},
    {"#/**/include </x>", "behind a comment"},
    {"#line 3", "as its own"},
    {"# 3", "as its own"},
    {"#inc\\\nlude </x>", "two lines"},
    {"x \\ \n", "two lines"},
    {"x\\\r\ny", "two lines"},
    {"a\rb", "carriage return"},
    {"\r", "carriage return"},
    {"?\?/\n", "trigraph"},
    {"\\N{DIGIT ONE}", "by its name"},
    {"a##b", "pastes"},
    {"a%:%:b", "pastes"},
    {"a#%:b", "pastes"},
    {"a?\?=#b", "pastes"},
    {"asm(\"\")", "assembler"},
    {"x;__asm__ (\"\")", "assembler"},
    {"// \\\n/*\nasm // */", "assembler"},
    {"EAT(xR\"(\") asm(\")\")", "assembler"},
    {"1.R\"(\") asm(\")\")", "assembler"},
    {"1'\"') asm ('\"'", "assembler"},
    {"[[gnu::section(\"x\")]]", "section"},
    {"__attribute__((__symver__(\"x\")))", "version"},
    {"weakref", "another symbol"},
    {"#if __has_include(<x>)", "which files"},
    {"#if X(__has_, include)(<x>)", "arguments to a macro"},
    {"#if A(1) && X (__has_, include)(<x>)", "arguments to a macro"},
    {"#define Y X(__has_, include)(<x>)", "arguments to a macro"},
    {"#define Y(a, \\\n b) X(__has_, include)(<x>)", "arguments to a macro"},
    {"#define Y DROP(;) X(__has_, include)(<x>) // ;", "arguments to a macro"},
    {"#define __has_builtin X", "a name of the compiler's"},
    {"_Pragma(\"x\")", "a pragma"},
    {"#pragma GCC pch_preprocess", "reads another file"},
    {"#pragma x \\\n  dependency", "reads another file"},
    {"#pragma clang module x", "reads another file"},
    {"#pragma x \\\r\n module", "reads another file"},
};

TEST(what_names_a_file_is_refused_with_its_line) {
  machine *m = *state;
  expect_refused(
      m, "\n\n#include \"/etc/passwd\"",
      "p/x.cpp:3:1: error: includes '/etc/passwd' by its absolute path, which AOTInductor "
      "never emits: it is not compiled");
  expect_refused(m, "\\\n\n#include \"/etc/passwd\"", "p/x.cpp:3:1: error: includes");
  expect_refused(m, "/*\n#include </etc/passwd>\n*/", "p/x.cpp:2:1: error: includes");
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    expect_refused(m, refused[i][0], refused[i][1]);
}

static bool check_instrumented(machine *m, const char *name, const char *text) {
  char *copy = malloc(strlen(text) + 1); /* a sanitizer sees a step beyond */
  memcpy(copy, text, strlen(text));
  m->d = diags_new(m->a);
  bool ok = include_audit_check_instrumented(name, copy, strlen(text), m->a, m->d);
  free(copy);
  return ok;
}

TEST(an_instrumented_text_holds_no_more_than_its_source_might) {
  machine *m = *state;
  assert_true(check_instrumented(m, "p/x \"y.cpp",
                                 "#include \"aotigen.h\"\n#line 1 \"p/x \\\"y.cpp\"\n"
                                 "AOTIGEN_BEFORE(0, a);\n#line 12\nint x;\n"));
  assert_true(check_instrumented(m, "-x.cpp", "#line 1 \"./-x.cpp\"\n"));
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    const char *text = arena_printf(m->a, "#line 7\n%s", refused[i][0]);
    if (check_instrumented(m, "p/x.cpp", text)) fail_msg("taken: %s", text);
    unit_says(m->d, refused[i][1]);
  }
  static const char *const lines[] = {"#line 1 \"/etc/passwd\"\n",
                                      "#line 1 \"p/x.cp\"\n",
                                      "#line 1 \"p/x.cpp\" 3\n",
                                      "#line 1 \"p/x.cpp\"",
                                      "#line 7 \n",
                                      "#line  7\n",
                                      "#line \n",
                                      "#line 7",
                                      "# line 7\n",
                                      "# 7\n",
                                      "#line X\n",
                                      "%:line 7\n",
                                      "#line 7\\\n\n"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    if (check_instrumented(m, "p/x.cpp", lines[i])) fail_msg("taken: %s", lines[i]);
    unit_says(m->d, "p/x.cpp: error: line 1 of the text that the parser's process made of it names "
                    "another file as its own, which aotigen never writes: it is not compiled");
  }
}

/* Checks lists that a compiler and an assembler wrote; NULL: it wrote none. */
static bool check_lists(machine *m, const char *compiler, const char *assembler) {
  command c = {0};
  strings more = {0};
  *arena_push(m->a, &c.compile) = "-O2";
  *arena_push(m->a, &c.compile) = arena_printf(m->a, "-I%s/root", m->dir);
  *arena_push(m->a, &c.compile) = arena_printf(m->a, "-isystem%s/root2", m->dir);
  *arena_push(m->a, &c.compile) = "-I/";
  *arena_push(m->a, &more) = machine_path(m, "system");
  const char *file = machine_path(m, "x.d");
  unlink(file);
  unlink(include_audit_assembler_list(file, m->a));
  if (compiler) machine_file(m, "x.d", compiler);
  if (assembler)
    machine_file(m, strrchr(include_audit_assembler_list(file, m->a), '/') + 1, assembler);
  m->d = diags_new(m->a);
  *arena_push(m->a, &more) = NULL;
  const char *private = machine_path(m, "private");
  *arena_push(m->a, &more) = private;
  return include_audit_check_files(file, "p/x.cpp", &c, &more, private, m->a, m->d);
}

#define LIST(...) arena_printf(m->a, "x.o: " __VA_ARGS__)

TEST(what_was_read_lies_inside_of_the_roots) {
  machine *m = *state;
  const char *dir = m->dir;
  static const char *const files[] = {"root/a.h",    "root/with blank#$.h", "root2/sub/b.h",
                                      "system/c.h",  "private/x.cpp",       "outside/d.h",
                                      "root-too/e.h"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) machine_file(m, files[i], "");
  assert_int_equal(symlink(machine_path(m, "outside/d.h"), machine_path(m, "root/link.h")), 0);
  assert_true(check_lists(
      m,
      LIST("%s/private/x.cpp \\\n %s/root/a.h %s/root2/sub/../sub/b.h \\\n  %s/system/c.h\n", dir,
           dir, dir, dir),
      "x.o: gone.s\n"));
  assert_true(check_lists(m, LIST("%s/root/with\\ blank\\#$$.h\n", dir), "x.o:\n"));
  static const char *const outside[] = {"outside/d.h",         "root-too/e.h", "root/link.h",
                                        "root/../outside/d.h", "root",         "root/gone.h"};
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
    assert_false(check_lists(m, LIST("%s/root/a.h %s/%s %s/root/a.h\n", dir, dir, outside[i], dir),
                             "x.o:\n"));
    unit_says(m->d, arena_printf(m->a, "p/x.cpp: error: includes '%s/%s', which lies outside", dir,
                                 outside[i]));
  }
  assert_false(check_lists(m, LIST("/etc/passwd\n"), "x.o:\n"));
  assert_false(check_lists(m, LIST("%s/root/a.h\n", dir), LIST("%s/outside/d.h gone.s\n", dir)));
  unit_says(m->d, "outside/d.h', which lies outside");
  assert_false(check_lists(m, NULL, "x.o:\n"));
  unit_says(m->d, "did not say which files it read");
  assert_false(check_lists(m, LIST("%s/root/a.h\n", dir), NULL));
  unit_says(m->d, "did not say which files it read");
}

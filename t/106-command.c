/* 106-command.c - from the comments at the end of a file to a command. */
#include "command/command.h"
#include "machine.h"
#include "command/torch_version.h"
#include <time.h>

#define CACHED "/tmp/torchinductor/2r/c2rnilspx43ivnzu4uieul65kx65dfhfbptbh5og4wk6rqebuxoo.h"

static bool reads(machine *m, command *c, const char *at) {
  const command_input in = {"w.cpp", at, strlen(at), &m->o, NULL, false};
  return command_read(c, &in, m->a, m->d);
}

static void is_refused(machine *m, const char *at, const char *says) {
  command c;
  if (reads(m, &c, at)) fail_msg("taken: %s", at);
  assert_int_equal(diags_status(m->d), STATUS_INPUT);
  unit_says(m->d, says);
}

TEST(a_recorded_command_is_taken) {
  machine *m = *state;
  command c;
  const char *torch = machine_torch(m, "venv/lib/python3.11/site-packages", "2.11.0+cu130");
  m->o.torch = machine_path(m, "venv");
  assert_true(
      reads(m, &c,
            "#include <x>\nint x;\n// Compile cmd\n// /usr/bin/g++ /tmp/a.wrapper.cpp -D TORCH_X "
            "-D  USE_Y  -O1 -std=c++17 -I/gone/include -I/usr/include "
            "-I/home/user/torch/include  -mfma -c -o /tmp/a.o\n// Link cmd\n// g++ /tmp/a.o "
            "/tmp/w.o -shared -fPIC -O3 -o /tmp/a.so -ltorch -L/gone -L/usr/lib\n"));
  assert_true(c.recorded);
  assert_false(c.clang);
  assert_false(c.cuda);
  assert_string_equal(c.torch, torch);
  assert_string_equal(c.torch_version, "2.11.0+cu130");
  static const char *const compile[] = {"-DTORCH_X",  "-DUSE_Y", "-O1",
                                        "-std=c++17", "-mfma",   "-I/usr/include"},
                           *const link[] = {"-shared", "-fPIC", "-O3", "-ltorch", "-L/usr/lib"};
  for (size_t i = 0; i < sizeof compile / sizeof *compile; i++)
    if (!machine_has(&c.compile, compile[i])) fail_msg("%s is not there", compile[i]);
  for (size_t i = 0; i < sizeof link / sizeof *link; i++)
    if (!machine_has(&c.link, link[i])) fail_msg("%s is not there", link[i]);
  assert_int_equal(c.compile.n, 8);
  assert_true(machine_has(&c.compile, arena_printf(m->a, "-I%s/include", torch)));
  assert_true(
      machine_has(&c.compile, arena_printf(m->a, "-I%s/include/torch/csrc/api/include", torch)));
  assert_true(machine_has(&c.link, arena_printf(m->a, "-L%s/lib", torch)));
  assert_true(machine_has(&c.link, arena_printf(m->a, "-Wl,-rpath,%s/lib", torch)));
  assert_int_equal(c.link.n, 7);
  assert_true(machine_has(&c.dropped, "-I/gone/include") &&
              machine_has(&c.dropped, "-I/home/user/torch/include") &&
              machine_has(&c.dropped, "-L/gone"));
  assert_int_equal(diags_status(m->d), STATUS_OK);
}

TEST(a_recorded_torch_that_exists_is_used) {
  machine *m = *state;
  command c;
  const char *torch = machine_torch(m, "site-packages", "2.9.1"),
             *other = machine_torch(m, "other", "2.6.0");
  const char *text =
      arena_printf(m->a, "// Compile cmd\n// clang++-19 x.cpp -isystem %s/include -c\n", torch);
  assert_true(reads(m, &c, text));
  assert_true(c.clang);
  assert_string_equal(c.torch, torch);
  assert_true(machine_has(&c.compile, arena_printf(m->a, "-isystem%s/include", torch)));
  m->o.torch = machine_path(m, "other"); /* --torch goes before it */
  assert_true(reads(m, &c, text));
  assert_string_equal(c.torch, other);
  assert_false(machine_has(&c.compile, arena_printf(m->a, "-isystem%s/include", torch)));
  assert_true(machine_has(&c.dropped, arena_printf(m->a, "-isystem%s/include", torch)));
}

TEST(the_last_command_counts) {
  machine *m = *state;
  command c;
  machine_torch(m, "", "2.9.0");
  m->o.torch = m->dir;
  assert_true(reads(m, &c, "// Compile cmd\n// sh -c evil\n// Compile cmd \r\n// g++ -O2 \r\n"));
  assert_true(machine_has(&c.compile, "-O2"));
  assert_true(
      reads(m, &c, " // Compile cmd\n// sh\n// Compile cmds\n// sh\nx // Compile cmd\n// sh\n"));
  assert_false(c.recorded);
}

TEST(refusals_name_the_place) {
  machine *m = *state;
  machine_torch(m, "", "2.9.0");
  m->o.torch = m->dir;
  is_refused(m, "int x;\n// Compile cmd\n// g++ -O1 -fplugin=/tmp/x.so -c\n",
             "w.cpp:3:12: error: '-fplugin=/tmp/x.so' in the recorded command loads code into the "
             "compiler");
  is_refused(m, "// Compile cmd\n// g++ x.cpp; id\n",
             "w.cpp:2:13: error: the recorded command asks for a shell");
  is_refused(m, "// Compile cmd\n// sh -c x\n",
             "w.cpp:2:4: error: 'sh' in the recorded command is not g++ or clang++");
  is_refused(m, "// Compile cmd\n//\n", "w.cpp:2:1: error: ");
  is_refused(m, "// Compile cmd\nint x;\n", "w.cpp:2:1: error: ");
  is_refused(m, "// Compile cmd", "w.cpp:2:1: error: ");
  is_refused(m, "// Compile cmd\n// g++ -c\n// Link cmd\n// g++ -Wl,-T,x\n",
             "w.cpp:4:8: error: '-Wl,-T,x'");
  is_refused(m, "// Compile cmd\n// g++ -D\n", "w.cpp:2:8: error: '-D'");
}

TEST(unknown_flags_are_left_out_and_said) {
  machine *m = *state;
  command c;
  strbuf t = {0};
  machine_torch(m, "", "2.9.0");
  m->o.torch = m->dir;
  strbuf_puts(&t, "// Compile cmd\n// g++");
  for (int i = 0; i < 100; i++) strbuf_printf(&t, " -fnew-%d", i);
  assert_true(reads(m, &c, t.at));
  assert_int_equal(c.dropped.n, 100);
  char *at = unit_messages(m->d, false);
  assert_non_null(strstr(at, "w.cpp:2:8: warning: unknown flag '-fnew-0'"));
  assert_null(strstr(at, "-fnew-50"));
  free(at);
  strbuf_free(&t);
}

TEST(a_default_is_given_without_a_command) {
  machine *m = *state;
  command c;
  machine_torch(m, "old", "2.11.0");
  machine_torch(m, "new", "2.12.0");
  m->o.torch = machine_path(m, "old");
  assert_true(reads(m, &c, "#include <iostream>\nvoid inductor_entry_impl() {}\n"));
  assert_false(c.recorded);
  assert_true(machine_has(&c.compile, "-std=c++17") && machine_has(&c.compile, "-O1") &&
              machine_has(&c.compile, "-fopenmp"));
  assert_true(machine_has(&c.link, "-shared") && machine_has(&c.link, "-ltorch_cpu") &&
              !machine_has(&c.link, "-ltorch_cuda"));
  m->o.torch = machine_path(m, "new");
  assert_true(reads(m, &c, "void cpp_fused() {}\n"));
  assert_true(machine_has(&c.compile, "-std=c++20") && machine_has(&c.compile, "-O3"));
}

TEST(vanished_cache_files_are_replaced) {
  machine *m = *state;
  command c;
  const char *torch = machine_torch(m, "", "2.7.0");
  m->o.torch = m->dir;
  assert_true(reads(m, &c,
                    "#include \"" CACHED "\"\n  #  include \"" CACHED
                    "\"\n#include \"/gone/x.h\"\n#include <" CACHED "\n"));
  assert_int_equal(c.includes_missing.n, 1);
  assert_int_equal(c.includes_replacement.n, 1);
  assert_string_equal(c.includes_missing.at[0], CACHED);
  assert_string_equal(c.includes_replacement.at[0],
                      arena_printf(m->a, "%s/include/torch/csrc/inductor/cpp_prefix.h", torch));
  const char *own = machine_file(m, "torch/_inductor/codegen/cpp_prefix.h", "");
  assert_true(reads(m, &c, "#include \"" CACHED "\"\n"));
  assert_string_equal(c.includes_replacement.at[0], own);
}

static void ages(machine *m, const char *text, unsigned least, unsigned most) {
  command c;
  if (!reads(m, &c, text)) fail_msg("%s", text);
  if (c.least != least || c.most != most) fail_msg("2.%u to 2.%u: %s", c.least, c.most, text);
}

TEST(the_age_is_guessed) {
  machine *m = *state;
  machine_torch(m, "", "2.9.0");
  m->o.torch = m->dir;
  ages(m, "int x;\n", 0, 0);
  ages(m, "// Compile cmd\n// g++ -std=c++17 -c\n", 9, 11);
  ages(m, "// Compile cmd\n// g++ -std=c++20 -c\n", 12, 99);
  ages(m, "// Compile cmd\n// g++ -std=c++17 -D_GLIBCXX_USE_CXX11_ABI=0 -c\n", 6, 6);
  ages(m, "// Compile cmd\n// g++ -std=c++17 -D_GLIBCXX_USE_CXX11_ABI=1 -c\n", 7, 8);
  ages(m,
       "#include \"" CACHED "\"\n// Compile cmd\n// g++ -std=c++17 -D_GLIBCXX_USE_CXX11_ABI=1 -c\n",
       7, 7);
  ages(m,
       "#include <torch/csrc/inductor/cpp_prefix.h>\n// Compile cmd\n// g++ -std=c++17 "
       "-D_GLIBCXX_USE_CXX11_ABI=1 -c\n",
       8, 8);
  ages(m, "AOTInductorError AOTInductorGetLastError();\n", 13, 99);
  ages(m, "assert_alignment(x, 16, \"op\");\n", 15, 99);
  ages(m, "assert_alignment(x)\n// Compile cmd\n// g++ -std=c++17\n", 0,
       0); /* signs that contradict each other say nothing */
}

TEST(another_version_is_told_in_words) {
  machine *m = *state;
  command c = {.least = 9, .most = 11, .torch = "/t", .torch_version = "2.11.0+cu130"};
  assert_null(torch_version_mismatch(&c, m->a));
  c.torch_version = "2.12.0";
  assert_non_null(strstr(torch_version_mismatch(&c, m->a),
                         "emitted by torch 2.9 to 2.11, the headers in '/t' are of 2.12.0"));
  c.least = 12, c.most = 99, c.torch_version = "2.8.0";
  assert_non_null(strstr(torch_version_mismatch(&c, m->a), "torch 2.12 or newer"));
  c.least = 6, c.most = 7;
  assert_non_null(strstr(torch_version_mismatch(&c, m->a), "torch 2.7 or older"));
  c.least = 6, c.most = 6;
  assert_non_null(strstr(torch_version_mismatch(&c, m->a), "torch 2.6,"));
  c.least = c.most = 0;
  assert_null(torch_version_mismatch(&c, m->a));
  c.least = 9, c.most = 11, c.torch_version = NULL;
  assert_null(torch_version_mismatch(&c, m->a));
}

TEST(cuda_is_located) {
  machine *m = *state;
  command c;
  machine_torch(m, "", "2.9.0");
  machine_file(m, "cuda/include/cuda.h", "");
  m->o.torch = m->dir;
  m->o.env.cuda_home = machine_path(m, "cuda");
  is_refused(m, "// Compile cmd\n// g++ -D  USE_CUDA -c\n",
             "w.cpp: error: needs CUDA's headers, and 'crt/host_defines.h' was not found");
  machine_file(m, "nvidia/cuda_nvcc/include/crt/host_defines.h", "");
  assert_true(reads(m, &c, "// Compile cmd\n// g++ -D  USE_CUDA -c\n"));
  assert_true(c.cuda);
  assert_true(machine_has(&c.compile, arena_printf(m->a, "-I%s/include", m->o.env.cuda_home)));
  assert_true(machine_has(&c.compile, arena_printf(m->a, "-I%s/nvidia/cuda_nvcc/include", m->dir)));
}

TEST(no_torch_is_told_with_what_was_tried) {
  machine *m = *state;
  is_refused(m, "// Compile cmd\n// g++ -I/gone/site-packages/torch/include -c\n",
             "aotigen: error: torch's headers were not found: '/gone/site-packages/torch' (of the "
             "recorded command) does not exist; '/nonexistent/python3' is not on PATH; name a "
             "torch with --torch=DIR");
  m->o.torch = "/gone";
  is_refused(m, "int x;\n", "/gone: error: holds no torch with its headers");
}

static bool reads_untrusted(machine *m, command *c, const char *flags, const char *link) {
  const char *at = arena_printf(
      m->a, "#include <Python.h>\n// Compile cmd\n// g++ %s -c\n// Link cmd\n// g++ %s\n", flags,
      link);
  const command_input in = {"w.cpp", at, strlen(at), &m->o, NULL, true};
  m->d = diags_new(m->a);
  return command_read(c, &in, m->a, m->d);
}

/* Torch that a package names: its own, by whatever mode, is not used. */
TEST(a_package_does_not_choose_its_torch) {
  machine *m = *state;
  command c;
  char cwd[4096];
  const char *torch = machine_torch(m, "own", "2.9.0"),
             *own = arena_printf(m->a, "-I%s/include", torch);
  assert_true(reads_untrusted(m, &c, own, ""));
  assert_string_equal(c.torch, torch);
  assert_non_null(getcwd(cwd, sizeof cwd));
  assert_int_equal(chdir(m->dir), 0);
  assert_false(reads_untrusted(m, &c, "-Iown/torch/include", ""));
  assert_false(reads_untrusted(m, &c, "-I./own/torch/include", ""));
  assert_int_equal(chdir(cwd), 0);
  assert_false(
      reads_untrusted(m, &c, arena_printf(m->a, "-I%s/own/../own/torch/include", m->dir), ""));
  unit_says(m->d, "own/../own/torch' (of the recorded command) is not the system's or yours");

  machine_file(m, "outside/secret", "");
  const char *const links[] = {"lib", "include", "../nvidia"};
  for (size_t i = 0; i < 3; i++) {
    const char *dir = arena_printf(m->a, "led%zu", i), *led = machine_torch(m, dir, "2.9.0"),
               *at = arena_printf(m->a, "%s/%s", led, links[i]);
    machine_torch(m, "outside", "2.9.0");
    rename(at, arena_printf(m->a, "%s/%s/away", m->dir, dir));
    assert_int_equal(
        symlink(i == 1 ? machine_path(m, "outside/torch/include") : machine_path(m, "outside"), at),
        0);
    assert_false(reads_untrusted(m, &c, arena_printf(m->a, "-I%s/include", led), ""));
  }
  if (geteuid() == 0) {
    assert_int_equal(chown(machine_path(m, "own"), 12345, 12345), 0);
    assert_false(reads_untrusted(m, &c, own, ""));
    assert_int_equal(chown(machine_path(m, "own"), 0, 0), 0);
  }
  assert_int_equal(chmod(machine_path(m, "own"), 0777), 0);
  assert_false(reads_untrusted(m, &c, own, ""));
  m->o.torch = machine_path(m, "own"); /* the user does choose */
  assert_true(reads_untrusted(m, &c, own, ""));
}

TEST(a_package_names_directories_of_headers_only) {
  machine *m = *state;
  command c;
  const char *torch = machine_torch(m, "", "2.9.0");
  m->o.torch = m->dir;
  machine_file(m, "planted/Python.h", "");
  machine_file(m, "planted/cuda.h", "");
  machine_file(m, "real/include/python3.11/Python.h", "");
  machine_file(m, "other/include/python3.11/Python.h", "");
  machine_file(m, "real/include/cuda.h", "");
  machine_torch(m, "second", "2.9.0");
  assert_int_equal(symlink(machine_path(m, "planted"), machine_path(m, "include")), 0);
  assert_int_equal(symlink(machine_path(m, "planted"), arena_printf(m->a, "%s/include/led", torch)),
                   0);
  assert_int_equal(chmod(machine_path(m, "other"), 0777), 0);
  const char *const taken[] = {"real/include/python3.11", "real/include", "torch/include",
                               "torch/include/torch/csrc/api/include"};
  const char *const dropped[] = {"planted",
                                 "include",
                                 "torch/include/led",
                                 "torch/include/../../planted",
                                 "other/include/python3.11",
                                 "second/torch/include",
                                 "torch/lib",
                                 "."};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
    const char *flag = arena_printf(m->a, "-isystem%s/%s", m->dir, taken[i]);
    assert_true(reads_untrusted(m, &c, flag, ""));
    assert_true(machine_has(&c.compile, flag));
  }
  for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) {
    const char *flag = arena_printf(m->a, "-isystem%s/%s", m->dir, dropped[i]),
               *link = arena_printf(m->a, "-L%s/%s", m->dir, dropped[i]),
               *rpath = arena_printf(m->a, "-Wl,-rpath,%s/%s", m->dir, dropped[i]);
    assert_true(reads_untrusted(m, &c, flag, arena_printf(m->a, "%s %s", link, rpath)));
    if (machine_has(&c.compile, flag)) fail_msg("taken: %s", flag);
    bool lib = !strcmp(dropped[i], "torch/lib");
    if (machine_has(&c.link, link) != lib || machine_has(&c.link, rpath) != lib)
      fail_msg("taken: %s", link);
  }
  assert_true(reads_untrusted(m, &c, "",
                              arena_printf(m->a, "-L%s/real/include/python3.11 -Lreal", m->dir)));
  assert_false(machine_has(&c.link, arena_printf(m->a, "-L%s/real/include/python3.11", m->dir)));
  for (size_t i = 0; i < c.link.n; i++)
    if (strstr(c.link.at[i], "rpath")) fail_msg("added: %s", c.link.at[i]);
}

TEST(megabytes_take_time_in_proportion) {
  machine *m = *state;
  command c;
  machine_torch(m, "", "2.9.0");
  m->o.torch = m->dir;
  double took[2];
  for (int i = 0; i < 2; i++) {
    strbuf t = {0};
    strbuf_puts(&t, "// Compile cmd\n// g++");
    for (int k = 0; k < 20000 * (i ? 8 : 1); k++)
      strbuf_printf(&t, " -DX%d -fnew%d -I/gone/%d/torch/include", k, k, k);
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    assert_true(reads(m, &c, t.at));
    clock_gettime(CLOCK_MONOTONIC, &to);
    took[i] = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    strbuf_free(&t);
  }
  if (took[1] > took[0] * 32 + 1)
    fail_msg("8 times as long took %.3f s, and %.3f s before", took[1], took[0]);
}

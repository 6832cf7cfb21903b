/* 107-locate.c - where torch and Python are, on made-up machines. */
#include "command/command_parts.h"
#include "command/locate.h"
#include "machine.h"
#include <time.h>

static bool finds(machine *m, place *p, const char *recorded) {
  strings list = {0};
  if (recorded) *arena_push(m->a, &list) = recorded;
  return locate_torch(p, &(locate_request){.recorded = &list}, &m->o, m->a, m->d);
}

/* An interpreter that answers with `script`. */
static void python(machine *m, const char *script) {
  const char *path = machine_file(m, "bin/python3", arena_printf(m->a, "#!/bin/sh\n%s\n", script));
  chmod(path, 0755);
  m->o.python = path;
}

TEST(the_option_names_torch_in_three_ways) {
  machine *m = *state;
  place p;
  const char *torch = machine_torch(m, "venv/lib/python3.12/site-packages", "2.10.0");
  const char *const ways[] = {"venv", "venv/lib/python3.12/site-packages",
                              "venv/lib/python3.12/site-packages/torch"};
  for (size_t i = 0; i < 3; i++) {
    m->o.torch = machine_path(m, ways[i]);
    assert_true(finds(m, &p, "/gone/torch/include"));
    assert_string_equal(p.torch, torch);
    assert_string_equal(p.version, "2.10.0");
  }
  m->o.torch = machine_path(m, "venv/lib");
  assert_false(finds(m, &p, NULL));
  unit_says(m->d, "holds no torch");
}

TEST(the_interpreter_is_asked_last) {
  machine *m = *state;
  place p;
  const char *torch = machine_torch(m, "site-packages", "2.13.0a0+gitabc"),
             *header = machine_file(m, "include/python3.12/Python.h", "");
  python(m, arena_printf(m->a, "test \"$1\" = -c || exit 1\necho %s\necho %s/include/python3.12",
                         torch, m->dir));
  assert_true(finds(m, &p, "/gone/torch/include"));
  assert_string_equal(p.torch, torch);
  assert_string_equal(p.version, "2.13.0a0+gitabc");
  assert_int_equal(
      strncmp(locate_python(&p, &m->o, m->a), header, strlen(header) - strlen("/Python.h")), 0);
}

TEST(an_interpreter_is_not_believed) {
  machine *m = *state;
  place p;
  static const char *const scripts[][2] = {{"exit 1", "failed"},
                                           {"echo -", "has no torch"},
                                           {"", "has no torch"},
                                           {"echo relative/torch", "has no torch"},
                                           {"echo /usr/include", "has a torch without headers"},
                                           {"yes /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "too large"},
                                           {"kill -9 $$", "failed"}};
  for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
    python(m, scripts[i][0]);
    assert_false(finds(m, &p, NULL));
    unit_says(m->d, scripts[i][1]);
  }
}

TEST(the_version_comes_from_headers_too) {
  machine *m = *state;
  place p;
  machine_torch(m, "a", "nonsense with blanks");
  m->o.torch = machine_path(m, "a");
  assert_true(finds(m, &p, NULL));
  assert_null(p.version);
  machine_file(m, "a/torch/include/torch/headeronly/version.h",
               "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 14\n#define "
               "TORCH_VERSION_PATCH 1\n");
  assert_true(finds(m, &p, NULL));
  assert_string_equal(p.version, "2.14.1");
}

TEST(python_stands_behind_a_virtual_environment) {
  machine *m = *state;
  place p;
  machine_torch(m, "venv/lib/python3.11/site-packages", "2.11.0");
  m->o.torch = machine_path(m, "venv");
  assert_true(finds(m, &p, NULL));
  machine_file(m, "base/include/python3.11/Python.h", "");
  machine_file(m, "venv/pyvenv.cfg",
               arena_printf(m->a, "home = %s/base/bin\nversion = 3.11\n", m->dir));
  assert_string_equal(locate_python(&p, &m->o, m->a), machine_path(m, "base/include/python3.11"));
  machine_file(m, "venv/include/python3.11/Python.h", "");
  assert_string_equal(locate_python(&p, &m->o, m->a), machine_path(m, "venv/include/python3.11"));
}

TEST(cuda_is_also_found_beside_torch) {
  machine *m = *state;
  place p = {.torch = machine_torch(m, "site-packages", "2.11.0")};
  strings dirs = {0};
  machine_file(m, "site-packages/nvidia/cu13/include/cuda.h", "");
  machine_file(m, "site-packages/nvidia/cu13/lib/libcudart.so.13", "");
  machine_file(m, "home/include/cuda.h", "");
  machine_file(m, "home/lib64/stubs/libcuda.so", "");
  locate_cuda_libraries(&dirs, &p, &m->o, m->a);
  assert_true(machine_has(&dirs, machine_path(m, "site-packages/nvidia/cu13/lib")));
  if (access("/usr/local/cuda/include/cuda.h", R_OK) != 0)
    assert_string_equal(locate_cuda(&p, &m->o, m->a),
                        machine_path(m, "site-packages/nvidia/cu13/include"));
  m->o.env.cuda_home = machine_path(m, "home");
  assert_string_equal(locate_cuda(&p, &m->o, m->a), machine_path(m, "home/include"));
  locate_cuda_libraries(&dirs, &p, &m->o, m->a);
  assert_true(machine_has(&dirs, machine_path(m, "home/lib64/stubs")));
}

TEST(a_torch_is_known_by_its_directories) {
  machine *m = *state;
  assert_string_equal(locate_torch_of("/a/torch/include/torch/csrc/api/include", m->a), "/a/torch");
  assert_string_equal(locate_torch_of("/a/torch/lib", m->a), "/a/torch");
  assert_null(locate_torch_of("/a/torch/library", m->a));
  assert_null(locate_torch_of("/usr/include", m->a));
}

/* "/tmp/././." names a directory by 4,000 bytes, and a package may name it thousands of times. */
TEST(a_long_path_is_looked_up_once) {
  machine *m = *state;
  strbuf t = {0};
  struct timespec from, to;
  const char *dir = machine_path(m, "there");
  unit_mkdirs(dir);
  strbuf_puts(&t, dir);
  while (t.n < 4000) strbuf_puts(&t, "/.");
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
  for (int i = 0; i < 300; i++) assert_string_equal(own_dir_resolve(t.at, m->a), dir);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
  assert_true(to.tv_sec - from.tv_sec < 3);
  while (t.n < 5000) strbuf_puts(&t, "/.");
  assert_null(own_dir_resolve(t.at, m->a));
  assert_string_equal(own_dir_resolve(arena_printf(m->a, "%s//.///", dir), m->a), dir);
  assert_null(own_dir_resolve(arena_printf(m->a, "%s/./gone", dir), m->a));
  strbuf_free(&t);
}

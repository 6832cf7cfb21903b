/* 118-pch-cache.c - which headers are precompiled, and where they are kept. */
#include "parse/pch_cache.h"
#include "machine.h"

static void gives(const char *text, const char *expected) {
  strbuf t = pch_cache_headers(text, strlen(text));
  assert_string_equal(t.at ? t.at : "", expected);
  strbuf_free(&t);
}

static void torchs_headers_are_taken_up_to_the_first_definition(void **state) {
  (void)state;
  gives("", "");
  gives("#include <vector>\n#include \"torch/a.h\"\n", "");
  gives("#include <torch/a.h>\n#include <vector>\n#include <c10/b.h> // why\n# include <ATen/c.h>",
        "#include <torch/a.h>\n#include <c10/b.h>\n#include <ATen/c.h>\n");
  gives("#include <torch/a.h>\nnamespace x {\n#include <torch/b.h>\n", "#include <torch/a.h>\n");
  gives("#include <torch/a.h>\nextern \"C\" void f();\n#include <torch/b.h>\n",
        "#include <torch/a.h>\n");
  gives("#include <torch/a.h>\n#define X\n#include <torch/b.h>\n", "#include <torch/a.h>\n");
  gives("#include <torch/a.h>\nclassy x;\n# undef X\n#include <torch/b.h>\n",
        "#include <torch/a.h>\n");
  gives("#include <torch/>\n#include <torch/a.h\n", "");
}

static void a_file_is_kept_below_the_cache(void **state) {
  machine *m = *state;
  uint64_t key = pch_cache_key(PCH_CACHE_KEY, "a");
  assert_true(key != pch_cache_key(PCH_CACHE_KEY, "b"));
  assert_true(pch_cache_key(key, "b") != pch_cache_key(PCH_CACHE_KEY, "ab"));
  assert_null(pch_cache_path(&m->o, key, ".pch", m->a));
  m->o.cache = machine_path(m, "x/cache");
  const char *path = pch_cache_path(&m->o, key, ".pch", m->a), *made = machine_file(m, "made", "x");
  assert_memory_equal(path, m->o.cache, strlen(m->o.cache));
  assert_string_equal(path + strlen(path) - 4, ".pch");
  assert_true(pch_cache_keep(&m->o, made, path, m->a));
  assert_int_equal(access(path, R_OK), 0);
  assert_int_equal(access(made, F_OK), -1);
  m->o.cache = machine_file(m, "file", "");
  assert_false(pch_cache_keep(&m->o, path, machine_path(m, "file/y"), m->a));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, machine_begin, machine_end)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(torchs_headers_are_taken_up_to_the_first_definition),
                                     TEST(a_file_is_kept_below_the_cache)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

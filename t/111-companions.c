/* 111-companions.c - which files belong to a wrapper that is built. */
#include "toolchain/companions.h"
#include "machine.h"

#define DECLARES                                                                                   \
  "int y;\nextern \"C\"  void  cpp_fused_gelu_0(float* in_out_ptr0,\n   const int64_t ks0);\n"
#define DEFINES "int y;\nextern \"C\"  void cpp_fused_gelu_0(float* in_out_ptr0)\n{\n}\n"

static bool find_for(machine *m, companion_files *p, const char *wrapper, const char *at) {
  m->o.input = machine_file(m, wrapper, at);
  return companions_find(p, &m->o, at, strlen(at), m->a, m->d);
}

TEST(a_kernel_stands_beside_the_wrapper) {
  machine *m = *state;
  companion_files p;
  const char *kernel = machine_file(m, "kernel.cpp", "");
  assert_true(find_for(m, &p, "a.wrapper.cpp", DECLARES));
  assert_int_equal(p.kernels.n, 1);
  assert_string_equal(p.kernels.at[0], kernel);
  kernel = machine_file(m, "a.kernel.cpp", "");
  assert_true(find_for(m, &p, "a.wrapper.cpp", DECLARES));
  assert_string_equal(p.kernels.at[0], kernel);
  assert_true(find_for(m, &p, "a.wrapper.cpp", DEFINES)); /* 2.6: the wrapper holds them */
  assert_int_equal(p.kernels.n, 0);
  assert_null(p.runtime);
  assert_true(find_for(m, &p, "a.wrapper.cpp", DECLARES DEFINES)); /* a static model's */
  assert_int_equal(p.kernels.n, 0);
}

TEST(a_kernel_stands_beside_the_original) {
  machine *m = *state;
  companion_files p;
  const char *kernel = machine_file(m, "some \"where\"/kernel.cpp", "");
  machine_file(m, "some \"where\"/m.cpp", "");
  const char *at =
      arena_printf(m->a, "// x\n#line 1 \"%s/some \\\"where\\\"/m.cpp\"\n" DECLARES, m->dir);
  assert_true(find_for(m, &p, "out/m_dbg.cpp", at));
  assert_int_equal(p.kernels.n, 1);
  assert_string_equal(p.kernels.at[0], kernel);
}

TEST(a_missing_kernel_is_told) {
  machine *m = *state;
  companion_files p;
  assert_false(find_for(m, &p, "out/m.cpp", DECLARES));
  unit_says(m->d, "m.cpp: error: declares kernels that it does not define");
  const char *objects[] = {machine_file(m, "x.o", "")};
  m->o.objects = (strings){objects, 1, 1};
  assert_true(find_for(m, &p, "out/m.cpp", DECLARES)); /* it may hold them */
  assert_int_equal(p.kernels.n, 0);
  assert_int_equal(p.objects.n, 1);
  objects[0] = machine_path(m, "gone.o");
  assert_false(find_for(m, &p, "out/m.cpp", DECLARES));
  unit_says(m->d, "gone.o: error: cannot be read");
}

TEST(weights_do_not_hide_a_kernel) {
  machine *m = *state;
  companion_files p;
  machine_file(m, "kernel.cpp", "");
  const char *objects[] = {machine_file(m, "weights.o", "")};
  m->o.objects = (strings){objects, 1, 1};
  assert_true(find_for(m, &p, "m.cpp", DECLARES));
  assert_int_equal(p.kernels.n, 1);
  objects[0] = machine_file(m, "m.kernel.o", "");
  assert_true(find_for(m, &p, "m.cpp", DECLARES));
  assert_int_equal(p.kernels.n, 0);
}

TEST(names_of_custom_ops_are_looked_for_where_they_are_called) {
  machine *m = *state;
  companion_files p;
#define CALL "  aoti_torch_proxy_executor_call_function(proxy_executor, 0);\n"
  const char *ops = machine_file(m, "m.json", "[]");
  assert_true(find_for(m, &p, "m.cpp", "int x;\n"));
  assert_null(p.ops);
  assert_true(find_for(m, &p, "m.cpp", CALL));
  assert_string_equal(p.ops, ops);
  m->o.files.ops = "/elsewhere.json";
  assert_true(find_for(m, &p, "m.cpp", CALL));
  assert_string_equal(p.ops, "/elsewhere.json");
  m->o.files.ops = NULL;
  unlink(ops);
  assert_true(find_for(m, &p, "m.cpp", CALL));
  unit_says(m->d, "m.cpp: warning: calls custom ops, and no 'wrapper.json'");
}

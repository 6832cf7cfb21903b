/* 111-companions.c - which files belong to a wrapper that is built, and what wrapper.json says of
 * the calls. */
#include "toolchain/companions.h"
#include "machine.h"
#include "model/custom_ops.h"

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

TEST(values_of_a_custom_op) {
  machine *m = *state;
  static const char *const given[][2] = {
      {"{\"as_tensor\": {\"name\": \"buf0\"}}", NULL},
      {"{\"as_tensors\": []}", NULL},
      {"{\"as_optional_tensor\": {\"as_tensor\": {\"name\": \"x\"}}}", NULL},
      {"{\"as_optional_tensor\": {\"as_none\": true}}", "None"},
      {"{\"as_none\": true}", "None"},
      {"{\"as_int\": -3}", "-3"},
      {"{\"as_ints\": []}", "[]"},
      {"{\"as_ints\": [2, 3]}", "[2, 3]"},
      {"{\"as_int_lists\": [[2], []]}", "[[2], []]"},
      {"{\"as_float\": 3.0}", "3.0"},
      {"{\"as_floats\": [NaN, -Infinity]}", "[NaN, -Infinity]"},
      {"{\"as_bool\": false}", "False"},
      {"{\"as_string\": \"a, \\\"b\"}", "\"a, \\\"b\""},
      {"{\"as_sym_int\": {\"as_name\": \"s77\"}}", "s77"},
      {"{\"as_sym_ints\": [{\"as_int\": 4}, {\"as_name\": \"s0\"}]}", "[4, s0]"},
      {"{\"as_scalar_type\": 13}", "torch.bfloat16"},
      {"{\"as_scalar_type\": 20}", "20"},
      {"{\"as_memory_format\": 2}", "torch.channels_last"},
      {"{\"as_device\": {\"type\": \"cuda\", \"index\": 1}}", "cuda:1"},
      {"{\"as_device\": {\"type\": \"cpu\", \"index\": null}}", "cpu"},
      {"7", NULL}};
  enum { N = sizeof given / sizeof *given };
  const char *text = "";
  for (size_t i = 0; i < N; i++)
    text =
        arena_printf(m->a, "%s%s{\"name\": \"x\", \"arg\": %s}", text, i ? ", " : "", given[i][0]);
  const companion_texts companions = {
      .ops = arena_printf(
          m->a, "{\"nodes\": [{\"node\": {\"target\": \"lab::f\", \"inputs\": [%s]}}]}", text)};
  custom_ops ops;
  custom_ops_read(&ops, &companions, m->a, m->d);
  assert_int_equal(ops.n, 1);
  assert_int_equal(ops.at[0].inputs.n, N);
  for (size_t i = 0; i < N; i++)
    if (given[i][1])
      assert_string_equal(ops.at[0].inputs.at[i].text, given[i][1]);
    else
      assert_null(ops.at[0].inputs.at[i].text);
  assert_int_equal(ops.at[0].tensors_in, 2);
}

/* 153-model-lines - JSON read without a tree, Python's stacks, the graph of an exported program,
 * and what torch records of a kernel's origins. */
#include "base/json_span.h"
#include "model/exported.h"
#include "model/kernel_origins.h"
#include "model/stack_text.h"
#include "unit.h"

#include "in_arena.h"

static json_span json(const char *text) { return json_span_of(text, strlen(text)); }

/* ---- JSON */

TEST(members_and_elements) {
  json_span x = json(" {\"a\": [1, {\"b\": \"]}\\\"\"}, true], \"c\\n\" : {} , \"d\":-2} ");
  assert_string_equal(
      json_span_text(json_span_member(json_span_of("{\"t\":\"a\\u00e9\\n\"}", 16), "t"), a),
      "a\xc3\xa9\n");
  assert_int_equal(json_span_integer(json_span_member(x, "d"), 0), -2);
  assert_true(json_span_is_object(json_span_member(x, "c\\n")));
  assert_null(json_span_member(x, "b").at);
  json_walk w = json_walk_begin(json_span_member(x, "a"));
  assert_true(json_walk_next(&w));
  assert_int_equal(json_span_integer(w.value, 0), 1);
  assert_true(json_walk_next(&w));
  assert_string_equal(json_span_text(json_span_member(w.value, "b"), a), "]}\"");
  assert_true(json_walk_next(&w));
  assert_int_equal(w.value.n, 4);
  assert_false(json_walk_next(&w));
  assert_false(w.failed);
  assert_false(json_walk_next(&w));
}

TEST(what_is_no_json_ends) {
  static const char *const bad[] = {"{\"a\" 1}", "{1: 2}",    "[1 2]", "[,]",      "[1,]",
                                    "{\"a\":}",  "[\"a",      "[1",    "{\"a\":1", "{\"a",
                                    "[[1]",      "{\"a\":[}", "[\"a\\"};
  static const char *const none[] = {"", " ", "1", "\"a\"", "null", "[]", "{}", "[ ]"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    json_walk w = json_walk_begin(json(bad[i]));
    while (json_walk_next(&w)) assert_true(w.value.at + w.value.n <= bad[i] + strlen(bad[i]));
    if (!w.failed) fail_msg("'%s' is taken", bad[i]);
  }
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    json_walk w = json_walk_begin(json(none[i]));
    assert_false(json_walk_next(&w));
    assert_false(w.failed);
  }
  assert_null(json_span_text(json("\"\\x\""), a));
  assert_null(json_span_text(json("\"a"), a));
  assert_int_equal(json_span_integer(json("1.5"), 7), 7);
  assert_int_equal(json_span_integer(json("123456789012345678901"), 7), 7);
}

/* ---- stacks */

#define TORCH "/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py"

TEST(the_innermost_own_frame) {
  aotigen_line x;
  assert_true(stack_text_read(&x,
                              "File \"/m/model.py\", line 57, in forward\n    a = self.b(x)\n"
                              "  File \"/m/model.py\", line 12, in forward\n    return self.up(x)\n"
                              "  File \"" TORCH "\", line 134, in forward\n    return F.linear(x)",
                              a));
  assert_string_equal(x.file, "/m/model.py");
  assert_int_equal(x.line, 12);
  assert_string_equal(x.text, "return self.up(x)");
  assert_null(x.module);
  assert_true(stack_text_read(&x, "\nFile \"" TORCH "\", line 134, in forward\n    y = 1\n", a));
  assert_string_equal(x.file, TORCH);
  assert_string_equal(x.text, "y = 1");
  assert_true(stack_text_read(&x,
                              "File \"/m/a.py\", line 3, in f\n"
                              "File \"<eval_with_key>.5\", line 13, in forward\n    cond = 1",
                              a));
  assert_string_equal(x.file, "/m/a.py");
  assert_int_equal(x.line, 3);
  assert_null(x.text);
  assert_false(stack_text_read(/* what a pass over the graph inserts is in no line */
                               &x,
                               "File "
                               "\"/venv/lib/python3.11/site-packages/torch/fx/passes/"
                               "runtime_assert.py\", line 24, in f\n",
                               a));
}

TEST(a_stack_that_lies) {
  static const char *const none[] = {"",
                                     "File",
                                     "File \"",
                                     "File \"a",
                                     "File \"a\", line ",
                                     "File \"a\", line x",
                                     "File \"a\", line 0, in f",
                                     "File \"a\", line 99999999999, in f",
                                     "no frame\nat all"};
  aotigen_line x;
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    if (stack_text_read(&x, none[i], a)) fail_msg("'%s' is taken", none[i]);
  char *text =
      arena_printf(a, "File \"/m\x1b[2J.py\", line 7, in f\n  a\x07\xe2\x80\xae%0300d\n", 1);
  assert_true(stack_text_read(&x, text, a));
  assert_string_equal(x.file, "/m\\x1b[2J.py");
  assert_int_equal(strncmp(x.text, "a\\x07\\xe2\\x80\\xae000", 20), 0);
  assert_true(strlen(x.text) < 200);
  assert_string_equal(x.text + strlen(x.text) - 3, "...");
}

TEST(modules) {
  static const struct {
    const char *stack, *path;
  } cases[] = {{"L__self__,,m.Model;L__self__enc,enc.0,m.Enc", "enc.0"},
               {"L__self__,,m.Model", ""},
               {"140407248562448@1,ls.0,torch.nn.modules.linear.Linear", "ls.0"},
               {"k,L['self'].ls[0],m.L", "ls.0"},
               {"k,L['self'],m.L", ""},
               {"k,a.b@2,m.L", "a.b"},
               {"", ""},
               {"a", ""},
               {"a,b", ""},
               {"a,\x1b,c", "\\x1b"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(stack_text_module(cases[i].stack, a), cases[i].path);
}

/* ---- an exported program */

#define NODE(name, target, from, line, module)                                                     \
  "{\"target\": \"torch.ops.aten." target "\", \"inputs\": [{\"name\": \"self\", \"arg\": "        \
  "{\"as_tensor\": {\"name\": \"" from "\"}}}], \"outputs\": [{\"as_tensor\": {\"name\": \"" name  \
  "\"}}], \"metadata\": {\"stack_trace\": \"File \\\"/m/m.py\\\", line " line                      \
  ", in f\\n  code\", \"nn_module_stack\": \"L__self__,,m.M;k," module ",m.N\"}}"
#define PROGRAM(nodes)                                                                             \
  "{\"graph_module\": {\"graph\": {\"inputs\": [], \"nodes\": [" nodes                             \
  "], \"tensor_values\": {\"p_w\": {\"sizes\": [{\"as_int\": 16}, {\"as_int\": 4}]}}}, "           \
  "\"signature\": {\"input_specs\": [{\"parameter\": {\"arg\": {\"name\": \"p_w\"}, "              \
  "\"parameter_name\": \"a.w\"}}, {\"buffer\": {\"arg\": {\"name\": \"b_b\"}, \"buffer_name\": "   \
  "\"a.b\"}}, {\"user_input\": {}}]}}, \"opset_version\": {}}"

static bool read_program(exported *x, const char *text, diags *d) {
  return exported_read(x, text, strlen(text), "model.json", a, d);
}

TEST(a_program) {
  exported x;
  diags *d = diags_new(a);
  assert_true(read_program(&x,
                           PROGRAM(NODE("log", "log.default", "p_w", "14", "enc.0") ", " NODE(
                               "sum_1", "sum.dim_IntList", "log", "15", "")),
                           d));
  assert_int_equal(x.nodes.n, 2);
  size_t i = exported_find(&x, "sum_1", false, NULL);
  assert_int_equal(i, 1);
  assert_string_equal(x.nodes.at[1].op, "sum");
  assert_int_equal(x.nodes.at[1].line.line, 15);
  assert_string_equal(x.nodes.at[1].line.text, "code");
  assert_null(x.nodes.at[1].line.module);
  assert_string_equal(x.nodes.at[0].line.module, "enc.0");
  assert_int_equal(x.nodes.at[1].ninputs, 1);
  assert_int_equal(x.inputs.at[x.nodes.at[1].first_input], 0);
  assert_true(exported_find(&x, "linear", false, NULL) == EXPORTED_NONE);
  assert_string_equal(string_map_get(x.weights, "a.w"), "16, 4");
  assert_string_equal(string_map_get(x.weights, "a.b"), "");
  assert_null(string_map_get(x.weights, "a.c"));
}

TEST(what_a_node_returns) {
  static const char values[] =
      "\"tensor_values\": {\"two\": {\"dtype\": 8, \"sizes\": [{\"as_int\": 3}, {\"as_expr\": "
      "{\"expr_str\": \"Symbol('s7', integer=True)\", \"hint\": {\"as_int\": 5}}}], \"strides\": "
      "[{\"as_int\": 5}, {\"as_int\": 1}]}, \"odd\": {\"dtype\": 99, \"sizes\": 3}, "
      "\"of no node\": {}}";
  exported x;
  const char *text = arena_printf(
      a,
      "{\"graph_module\": {\"graph\": {\"nodes\": [%s, {\"target\": \"torch.ops.lab.two.out\", "
      "\"outputs\": [{\"as_tensor\": {\"name\": \"two\"}}, {\"as_tensors\": [{\"name\": "
      "\"odd\"}, {\"name\": \"none\"}]}]}], %s}}}",
      NODE("log", "log.default", "x", "1", ""), values);
  assert_true(read_program(&x, text, diags_new(a)));
  assert_int_equal(x.nodes.at[0].nmade, 1);
  assert_int_equal(x.nodes.at[1].nmade, 3);
  const exported_tensor *t = &x.made.at[x.nodes.at[1].first_made];
  assert_string_equal(t[0].name, "two");
  assert_string_equal(t[0].dtype, "float64");
  assert_int_equal(t[0].ndim, 2);
  assert_int_equal(t[0].dims[0], 3);
  assert_int_equal(t[0].dims[1], -1);
  assert_int_equal(t[0].strides[1], 1);
  assert_null(t[0].exprs[0]);
  assert_string_equal(t[0].exprs[1], "Symbol('s7', integer=True)");
  assert_null(t[1].dtype);
  assert_int_equal(t[1].ndim, -1);
  assert_int_equal(t[2].ndim, -1);
}

TEST(names_in_branches) {
#define BRANCH(nodes)                                                                              \
  "{\"name\": \"\", \"arg\": {\"as_graph\": {\"name\": \"g\", \"graph\": {\"nodes\": [" nodes      \
  "]}}}}"
  exported x;
  diags *d = diags_new(a);
  assert_true(read_program(
      &x,
      PROGRAM(NODE(
          "relu", "relu.default", "x", "1",
          "") ", {\"target\": "
              "\"torch.ops.higher_order.cond\", \"name\": \"cond\", \"inputs\": [" BRANCH(
                  NODE("relu", "relu.default", "x", "2", "") ", " NODE(
                      "mul", "mul.Tensor", "relu", "3",
                      "")) ", " BRANCH(NODE("mul", "mul.Tensor", "x", "4",
                                            "")) "], \"outputs\": [{\"as_tensors\": "
                                                 "[{\"name\": \"getitem\"}]}], \"metadata\": {}}"),
      d));
  assert_int_equal(x.nodes.n, 5);
  assert_int_equal(x.nodes.at[exported_find(&x, "relu", false, NULL)].line.line, 1);
  assert_int_equal(x.nodes.at[exported_find(&x, "relu", true, NULL)].line.line, 2);
  assert_true(exported_find(&x, "mul", true, NULL) == EXPORTED_NONE); /* two branches have it */
  assert_true(exported_find(&x, "mul", false, NULL) == EXPORTED_NONE);
  assert_int_equal(exported_find(&x, "getitem", false, NULL),
                   exported_find(&x, "cond", true, NULL));
}

TEST(a_program_that_lies) {
  static const char *const none[] = {
      "",
      "x",
      "{}",
      "[]",
      "{\"graph_module\": 1}",
      "{\"graph_module\": {\"graph\": {\"nodes\": []}}}",
      "{\"graph_module\": {\"graph\": {\"nodes\": {\"a\": 1}}}}",
      "{\"graph_module\": {\"graph\": {\"nodes\": [1, \"a\", null]}}}"};
  static const char *const odd[] = {
      "{\"graph_module\": {\"graph\": {\"nodes\": [{}]}}}",
      "{\"graph_module\": {\"graph\": {\"nodes\": [{\"name\": 1, \"outputs\": \"name\", "
      "\"metadata\": [], \"inputs\": 3, \"target\": null}",
      "{\"graph_module\": {\"graph\": {\"nodes\": [{\"outputs\": [{\"name\":\"a\", \"name\": \"",
      "{\"graph_module\": {\"graph\": {\"nodes\": [{\"name\": \"a\"}, {\"name\": \"a\", "
      "\"inputs\": [{\"arg\": {\"as_tensor\": {\"name\": \"a\"}}}]}], \"tensor_values\": [1]}, "
      "\"signature\": [1]}}"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    diags *d = diags_new(a);
    exported x;
    if (read_program(&x, none[i], d)) fail_msg("'%s' is taken", none[i]);
    assert_int_equal(diags_status(d), STATUS_INPUT);
  }
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    diags *d = diags_new(a);
    exported x;
    read_program(&x, odd[i], d);
    for (size_t k = 0; k < x.nodes.n; k++) assert_int_equal(x.nodes.at[k].line.line, 0);
  }
}

/* ---- what torch records of kernels */

static const kernel_origin *find(const char *text, const char *handle) {
  static kernel_origins k;
  strings handles = {0};
  *arena_push(a, &handles) = handle;
  return kernel_origins_read(&k, text, strlen(text), &handles, a) ? kernel_origins_find(&k, handle)
                                                                  : NULL;
}

#define STACK(line) "\"File \\\"/m/m.py\\\", line " line ", in f\\n  code\""

TEST(kernel_information) {
  static const char text[] = "{\"k_0:1\": {\"stack_traces\": [" STACK("5") ", " STACK(
      "6") ", " STACK("5") "], \"post_grad_nodes\": [\"x\"], \"pre_grad_nodes\": [\"log\", "
                           "\"sub\"]}, \"k_0:2\": {\"stack_traces\": []}}";
  const kernel_origin *x = find(text, "k_0:1");
  assert_non_null(x);
  assert_int_equal(x->lines.n, 2);
  assert_int_equal(x->lines.at[1].line, 6);
  assert_int_equal(x->nodes.n, 2);
  assert_string_equal(x->nodes.at[1], "sub");
  assert_null(find(text, "k_0:2"));
  assert_null(find(text, "k_0:3"));
}

TEST(operators_of_torch_2_9) {
  const char *text = "{\"at::_ops::sort_stable::call:10\": {\"stack_traces\": [" STACK(
      "7") "]}, \"at::_ops::cumsum::call:9\": {\"stack_traces\": [" STACK("8") "]}}";
  const kernel_origin *x = find(text, "aoti_torch_cpu_sort_stable:10");
  assert_non_null(x);
  assert_int_equal(x->lines.at[0].line, 7);
  assert_null(find(text, "aoti_torch_cpu_sort_stable:9"));
  assert_null(find(text, "aoti_torch_cpu_sort_stable:11"));
  assert_null(find(text, "aoti_torch_cpu_sort:10"));
  assert_null(find(text, "sort_stable"));
  assert_null(find("{\"at::_ops::1\": [" STACK("7") "], \"at::_ops:::1\": [" STACK("7") "]}",
                   "aoti_torch_cpu_sort:1"));
}

TEST(files_of_tlparse) {
  const kernel_origin *x = find("{\"k_0:1\": [" STACK("5") "], \"version\": 2}", "k_0:1");
  assert_non_null(x);
  assert_int_equal(x->lines.at[0].line, 5);
  x = find("{\"preToPost\": {}, \"postToPre\": {\"p\": [\"log\"], \"q\": [\"log\", \"sub\"]}, "
           "\"cppCodeToPost\": {\"k_0:1\": [\"p\", \"q\", \"r\"]}, \"version\": 2.0}",
           "k_0:1");
  assert_non_null(x);
  assert_int_equal(x->lines.n, 0);
  assert_int_equal(x->nodes.n, 2);
  assert_string_equal(x->nodes.at[0], "log");
}

#define ENTRY(name)                                                                                \
  "V1123 03:26:54 1 torch/x.py:1] {\"artifact\": {\"name\": \"inductor_provenance_tracking_" name  \
  "\", \"encoding\": \"json\"}}\n"

TEST(a_log_of_torch_trace) {
#define MAPPINGS(node)                                                                             \
  "\t{\n\t\"postToPre\": {\"p\": [\"" node "\"]}, \"cppCodeToPost\": {\"k_0:1\": [\"p\"]}}\n"
#define STACKS(line) "\t{\"k_0:1\": [" STACK(line) "]}\n"
  static const char other[] =
      "V1123 03:25:57 1 torch/y.py:28] {\"str\": [\"/m/emit.py\", 0]}\n\tpayload\n";
  static const char first[] = ENTRY("node_mappings") MAPPINGS("a") ENTRY("kernel_stack_traces")
      STACKS("5");
  static const char second[] = ENTRY("node_mappings") MAPPINGS("log") ENTRY("kernel_stack_traces")
      STACKS("9");
  const char *text = arena_printf(a, "%s%s%sV1123 end", other, first, second);
  const kernel_origin *x = find(text, "k_0:1");
  assert_non_null(x);
  assert_int_equal(x->lines.at[0].line, 9);
  assert_string_equal(x->nodes.at[0], "log");
  assert_null(find("V1123 a\n\tb\n" ENTRY("kernel_stack_traces"), "k_0:1"));
  assert_null(find(ENTRY("kernel_stack_traces") "\t[\"k_0:1\", []]\n", "k_0:1"));
  assert_null(
      find(ENTRY("node_mappings") "\t{\"postToPre\": [1], \"cppCodeToPost\": [2]}\n", "k_0:1"));
  assert_null(find("", "k_0:1"));
  assert_null(find("\t\t\t", "k_0:1"));
}

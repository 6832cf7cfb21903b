/* 142-op-table.c - the op table, statements and edits. */
#include "emit/emit.h"
#include "model/op_table.h"
#include "parse/scan_parts.h"
#include "unit.h"

TEST(calls_that_launch_nothing_are_known) {
  assert_int_equal(op_table_find_effect("aoti_torch_empty_strided"), EFFECT_ALLOCATES);
  assert_int_equal(op_table_find_effect("aoti_torch_new_tensor_handle"), EFFECT_ALIASES);
  assert_int_equal(op_table_find_effect("aoti_torch_print_tensor_handle"), EFFECT_NONE);
  assert_int_equal(op_table_find_effect("aoti_torch_cuda_mm_out"), EFFECT_LAUNCH);
  assert_int_equal(op_table_find_effect("aoti_torch_an_operator_that_nobody_has_seen"),
                   EFFECT_LAUNCH);
  assert_true(op_table_is_copy("aoti_torch_clone_preserve_strides"));
  assert_true(op_table_is_item("aoti_torch_item_float32"));
  assert_true(op_table_is_product("aoti_torch_cuda_addmm_out"));
  assert_false(op_table_is_product("aoti_torch_cuda_convolution"));
}

TEST(namespaces_of_torch) {
  assert_true(op_table_is_torchs("aten::add.Tensor"));
  assert_true(op_table_is_torchs("torch.ops.aten._scaled_dot_product_flash_attention.default"));
  assert_true(op_table_is_torchs("prims"));
  assert_false(op_table_is_torchs("atenx::add"));
  assert_false(op_table_is_torchs("lab::aten"));
  assert_false(op_table_is_torchs("torch.ops.lab.rows.default"));
}

/* As a shim, a custom op, a comment's op, and a call of torch.compile. */
TEST(collectives) {
  static const char *const names[] = {
      "aoti_torch_cpu__c10d_functional_all_reduce", "_c10d_functional::all_reduce",
      "_c10d_functional.all_reduce", "torch.ops._c10d_functional.all_reduce",
      "_c10d_functional_autograd::all_reduce"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_string_equal(op_table_find_collective(names[i]), "all_reduce");
  assert_null(op_table_find_collective("lab::c10d_functional"));
  assert_null(op_table_find_collective("_c10d_functionals::all_reduce"));
  assert_true(op_table_is_wait("wait_tensor.default"));
  assert_false(op_table_is_wait("wait_tensor_later"));
}

TEST(globs) {
  assert_true(op_table_match("a*c", "abbc"));
  assert_true(op_table_match("*", ""));
  assert_true(op_table_match("a?c*", "abc"));
  assert_false(op_table_match("a?c", "ac"));
  assert_false(op_table_match("abc", "abcd"));
  char pattern[200], name[20001];
  memset(name, 'a', 20000);
  name[20000] = '\0';
  for (int i = 0; i < 198; i += 2) memcpy(pattern + i, "*a", 2);
  pattern[198] = 'b';
  pattern[199] = '\0';
  assert_false(op_table_match(pattern, name)); /* no exponential walk */
}

TEST(element_types) {
  assert_string_equal(op_table_find_dtype("float"), "float32");
  assert_string_equal(op_table_find_dtype("c10::BFloat16"), "bfloat16");
  assert_string_equal(op_table_find_dtype("c10::complex<float>"), "complex64");
  assert_string_equal(op_table_find_dtype("long"), "int64");
  assert_null(op_table_find_dtype("Unheard"));
}

TEST(attention_leaves_all_but_its_result_undefined) {
  assert_false(op_table_is_unasserted("aoti_torch_cuda__scaled_dot_product_flash_attention", 0));
  assert_true(op_table_is_unasserted("aoti_torch_cuda__scaled_dot_product_flash_attention", 1));
  assert_false(op_table_is_unasserted("aoti_torch_cpu_mm_out", 1));
}

static fact_call locate(const char *s, const char *callee) {
  fact_call c = {.offset = (size_t)(strstr(s, callee) - s)};
  statement_locate(&c, s, 0, strlen(s));
  return c;
}

TEST(statements_hold_their_call) {
  const char *plain = "CHECK_X(f(a)); b;", *bare = "if (x) AOTI_TORCH_ERROR_CODE_CHECK(f(a)); b;",
             *other = "if (x) g(); else f(a); b;";
  fact_call c = locate(plain, "f(a)");
  assert_int_equal(c.statement.begin, 0);
  assert_int_equal(c.statement.end, strlen("CHECK_X(f(a));"));
  assert_false(c.braces || c.checked || c.skipped);
  c = locate(bare, "f(a)");
  assert_int_equal(c.statement.begin, strlen("if (x) "));
  assert_true(c.braces && c.checked && !c.skipped);
  c = locate(other, "f(a)");
  assert_int_equal(c.statement.begin, strlen("if (x) g(); else "));
  assert_true(c.braces && !c.skipped);
}

TEST(statements_without_room_say_why) {
  assert_string_equal(locate("return f(a);", "f(a)").skipped, "stands in a return statement");
  assert_string_equal(locate("while (f(a)) b;", "f(a)").skipped, "stands in a condition");
  assert_string_equal(locate("if (f(a)) b;", "f(a)").skipped, "stands in a condition");
}

TEST(edits_that_meet_share_one_line_directive) {
  arena *a = arena_new();
  edits e = {0};
  *arena_push(a, &e) = (edit){.offset = 3, .before = "", .line = "ONE;", .after = "", .resume = 2};
  *arena_push(a, &e) = (edit){.offset = 3, .before = "", .line = "TWO;", .after = "", .resume = 2};
  *arena_push(a, &e) =
      (edit){.offset = 5, .before = "{\n", .line = "THREE;", .after = "", .resume = 2};
  *arena_push(a, &e) = (edit){.offset = 6, .before = "", .line = " INLINE;", .after = ""};
  char *out;
  size_t n;
  FILE *to = open_memstream(&out, &n);
  edit_apply(&e, "a;\nb;c;\n", 8, to);
  fclose(to);
  assert_string_equal(out, "a;\nONE;\nTWO;\n#line 2\nb;{\nTHREE;\n#line 2\nc INLINE;;\n");
  assert_int_equal(n, edit_length(&e, "a;\nb;c;\n", 8));
  free(out);
  arena_free(a);
}

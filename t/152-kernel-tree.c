/* 152-kernel-tree.c - what the readers of a kernel's text make of it: the lines of statements and
 * of accesses. */
#include "kernel/tree.h"
#include "unit.h"
#include "in_arena.h"

static kernel_tree read_cpp(const char *text) {
  kernel_tree t;
  kernel_tree_read_cpp(&t, text, strlen(text), "K", a);
  assert_null(t.why);
  return t;
}

static kernel_tree read_triton(const char *text) {
  kernel_tree t;
  kernel_tree_read_triton(&t, text, strlen(text), "K", a);
  assert_null(t.why);
  return t;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void note_lines_of(strbuf *to, const tree_block *b);

static void note_expression(strbuf *to, const tree_expr *e) {
  if (e->line) strbuf_printf(to, " %s@%u", e->is == TREE_CALL ? "call" : "index", e->line);
  for (const tree_expr *x = e->first; x; x = x->next) note_expression(to, x);
  if (e->body) note_lines_of(to, e->body);
}

static void note_lines_of(strbuf *to, const tree_block *b) {
  for (const tree_statement *s = b->first; s; s = s->next) {
    strbuf_printf(to, "%s%u", to->n ? "; " : "", s->line);
    if (s->target) note_expression(to, s->target);
    if (s->value) note_expression(to, s->value);
    if (s->body) note_lines_of(to, s->body);
    if (s->otherwise) note_lines_of(to, s->otherwise);
  }
}

/* "2 call@3; 4": the line of each statement, and of the calls and the indices in it. */
static const char *lines(const kernel_tree *t) {
  strbuf to = {0};
  note_lines_of(&to, t->body);
  const char *text = arena_strdup(a, to.at ? to.at : "");
  strbuf_free(&to);
  return text;
}

static void statements_of_cpp_have_lines(void **state) {
  (void)state;
  kernel_tree t = read_cpp("// of a\n/* kernel\n */\nvoid K(const float* in_ptr0,\n"
                           "       float* out_ptr0)\n{\n"
                           "  for (int64_t x0 = 0; x0 < 4; x0 += 1)\n  {\n"
                           "    auto tmp0 = in_ptr0[x0];\n"
                           "    if (tmp0 > 0)\n"
                           "      out_ptr0[x0] =\n        f(in_ptr0[1],\n          g\n(2));\n"
                           "    else { return; }\n"
                           "  }\n}\n");
  assert_string_equal(lines(&t), "7; 9 index@9; 10; 11 index@11 call@12 index@12 call@14; 15");
}

static void statements_in_lambdas_have_lines(void **state) {
  (void)state;
  kernel_tree t = read_cpp("void K(float* a) {\n  auto tmp0 =\n    [&]\n    {\n"
                           "      auto tmp1 = a[0];\n      return tmp1;\n    }\n    ();\n"
                           "  a[1] = tmp0; a[2] = tmp0;\n}\n");
  assert_string_equal(lines(&t), "2 call@8; 5 index@5; 6; 9 index@9; 9 index@9");
}

static void statements_of_triton_have_lines(void **state) {
  (void)state;
  kernel_tree t = read_triton("async_compile.triton('K', '''\n\n@triton.jit\ndef K(in_ptr0,\n"
                              "      out_ptr0):\n"
                              "    'doc'\n\n"
                              "    # comment\n\n"
                              "    x = in_ptr0 + \\\n      tl.arange(0, 4)[\n        None]; y = x\n"
                              "    for i in range(0, 4):\n"
                              "        if i == 0:\n"
                              "            pass\n"
                              "        elif i == 1:\n"
                              "            y = 1\n"
                              "        else:\n"
                              "            y = 2\n"
                              "    tl.store(\n      out_ptr0,\n      tl.load(x))\n");
  assert_string_equal(lines(&t),
                      "6; 10 index@11 call@11; 12; 13 call@13; 14; 16; 17; 19; 20 call@20 call@22");
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      IN_ARENA(statements_of_cpp_have_lines),
      IN_ARENA(statements_in_lambdas_have_lines),
      IN_ARENA(statements_of_triton_have_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

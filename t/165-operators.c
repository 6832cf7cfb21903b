/* 165-operators.c - functions of Triton and of C++ by their rows in shared/ops.def: read from a
 * kernel, written for the runtime, bounded, computed, and what they make of NaN and infinities. */
#include "bounds/range_reader.h"
#include "emit/graph_text.h"
#include "unit.h"
#include "in_arena.h"
#include <math.h>

typedef struct row {
  const char *triton, *cpp; /* with the operands x, from 0 to 4, and 3 */
  ag_op ops[2];             /* in Triton and in C++ */
  const char *text;         /* in the runtime's graph */
  double least, most;
  double bad[2][2]; /* the argument, and what it makes of it and 3 */
  ag_effect effects[2];
} row;

static const row rows[] = {
    {.triton = "tl.math.hypot(x, 3.0)",
     .cpp = "std::hypot(x, 3.0f)",
     .ops = {AG_OP_HYPOT, AG_OP_HYPOT},
     .text = " hypot ",
     .least = 3,
     .most = 5,
     .bad = {{NAN, NAN}, {-INFINITY, INFINITY}},
     .effects = {AG_EFFECT_COMPUTES, AG_EFFECT_COMPUTES}},
    {.triton = "tl.maximum(x, 3.0)",
     .cpp = "std::max(x, 3.0f)",
     .ops = {AG_OP_FMAX, AG_OP_STD_MAX},
     .text = "max ",
     .least = 3,
     .most = 4,
     .bad = {{INFINITY, INFINITY}, {-INFINITY, 3}},
     .effects = {AG_EFFECT_MAXIMUM_OF_NUMBERS, AG_EFFECT_MAXIMUM_OF_FIRST}},
};

static const char *sign(void *data, const char *param) {
  (void)data;
  return strchr(param, '_') ? "*fp32" : "i32";
}

static bool bound_step(void *data, const graph_node *x, int64_t *low, int64_t *high) {
  (void)data;
  *low = 0;
  *high = 4;
  return x->kind == NODE_STEP;
}

static void check_row(const row *r, const graph *g) {
  static const int64_t *constants[8];
  const graph_node *x = g->accesses.at[g->accesses.n - 1].value;
  const ag_operator *f = ag_op_get(x->op);
  reals b;
  assert_null(g->why);
  assert_non_null(f->two);
  assert_int_equal(x->op, r->ops[!g->python]);
  assert_int_equal(f->effect, r->effects[!g->python]);
  assert_non_null(strstr(graph_text_write(g, constants, a), r->text));
  assert_true(reals_bound(x, bound_step, NULL, &b));
  assert_true(b.low <= r->least && b.low > r->least - 1e-4);
  assert_true(b.high >= r->most && b.high < r->most + 1e-4);
  for (int i = 0; i < 2; i++) {
    double is = f->two(r->bad[i][0], 3), wanted = r->bad[i][1];
    assert_true(is == wanted || (isnan(is) && isnan(wanted)));
  }
}

TEST(functions_have_a_row) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    kernel_tree t;
    graph g;
    const char *text = arena_printf(a,
                                    "def K(out_ptr0):\n    i = tl.arange(0, 5)\n"
                                    "    x = i.to(tl.float32)\n    tl.store(out_ptr0 + i, %s)\n",
                                    rows[i].triton);
    kernel_tree_read_triton(&t, text, strlen(text), "K", a);
    graph_build(&g, &t, "K", sign, NULL, a);
    check_row(&rows[i], &g);
    text = arena_printf(a,
                        "void K(float* out_ptr0)\n{\n"
                        "  for (int64_t i = 0; i < 5; i += 1)\n  {\n"
                        "    auto x = static_cast<float>(i);\n    out_ptr0[i] = %s;\n  }\n}\n",
                        rows[i].cpp);
    kernel_tree_read_cpp(&t, text, strlen(text), "K", a);
    graph_build(&g, &t, "K", NULL, NULL, a);
    check_row(&rows[i], &g);
  }
}

/* Two rows of one text differ in what they have as arguments, or the second is never found by it.
 */
TEST(each_row_is_found) {
  for (ag_op op = AG_OP_OTHER + 1; op < AG_OPS; op++) {
    const ag_operator *o = ag_op_get(op), *found = ag_op_get(ag_op_find(o->text, o->least));
    assert_string_equal(o->text, found->text);
    assert_true(o->least <= o->most && found->least <= o->least);
    assert_true(!o->one + !o->two + !o->three + !o->test >= 3);
    for (const char *p = o->cpp; p && *p; p += strcspn(p, " ") + 1)
      assert_int_equal(ag_op_find_renamed(false, arena_strndup(a, p, strcspn(p, " "))), op);
    for (const char *p = o->python; p && *p; p += strcspn(p, " ") + 1)
      assert_int_equal(ag_op_find_renamed(true, arena_strndup(a, p, strcspn(p, " "))), op);
  }
  assert_int_equal(ag_op_find("no_such_function", 1), AG_OP_OTHER);
  assert_int_equal(ag_op_find("hypot", 1), AG_OP_OTHER);
  assert_int_equal(ag_op_find_function("function:+"), AG_OP_ADD);
  assert_int_equal(ag_op_find_function("+"), AG_OP_OTHER);
}

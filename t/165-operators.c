/* 165-operators.c - functions of Triton and of C++ by their rows in shared/ops.def: read from a
 * kernel, written for the runtime, bounded, computed, and what they make of NaN and infinities. */
#include "bounds/range_reader.h"
#include "emit/tables.h"
#include "unit.h"
#include "in_arena.h"
#include <math.h>

typedef struct row {
  const char *triton, *cpp; /* of x, from 0 to 4, and where there is a second operand, 3 */
  ag_op ops[2];             /* in Triton and in C++ */
  const char *text;         /* in the runtime's graph */
  bool bounded;             /* by its rule, which is not NONE: from least to most */
  double least, most;
  double at[2][2]; /* x, and the value there: a NaN, an infinity or another number */
  ag_effect effects[2];
} row;

static const row rows[] = {
    {.triton = "libdevice.expm1(x)",
     .cpp = "std::expm1(x)",
     .ops = {AG_OP_EXPM1, AG_OP_EXPM1},
     .text = " expm1 ",
     .at = {{NAN, NAN}, {-INFINITY, -1}},
     .effects = {AG_EFFECT_EXPONENTIAL, AG_EFFECT_EXPONENTIAL}},
    {.triton = "tl.math.hypot(x, 3.0)",
     .cpp = "std::hypot(x, 3.0f)",
     .ops = {AG_OP_HYPOT, AG_OP_HYPOT},
     .text = " hypot ",
     .bounded = true,
     .least = 3,
     .most = 5,
     .at = {{NAN, NAN}, {-INFINITY, INFINITY}},
     .effects = {AG_EFFECT_COMPUTES, AG_EFFECT_COMPUTES}},
    {.triton = "div_floor_floating(x, 3.0)",
     .cpp = "div_floor_floating_vec(x, 3.0f)",
     .ops = {AG_OP_DIV_FLOOR_FLOATING, AG_OP_DIV_FLOOR_FLOATING},
     .text = "div_floor_floating ",
     .at = {{NAN, NAN}, {-INFINITY, NAN}},
     .effects = {AG_EFFECT_DIVIDES, AG_EFFECT_DIVIDES}},
    {.triton = "tl.maximum(x, 3.0)",
     .cpp = "std::max(x, 3.0f)",
     .ops = {AG_OP_FMAX, AG_OP_STD_MAX},
     .text = "max ",
     .bounded = true,
     .least = 3,
     .most = 4,
     .at = {{INFINITY, INFINITY}, {-INFINITY, 3}},
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

static bool is_same(double x, double y) { return x == y || (isnan(x) && isnan(y)); }

static bool is_close(const row *r, reals b) {
  return b.low <= r->least && b.low > r->least - 1e-4 && b.high >= r->most &&
         b.high < r->most + 1e-4;
}

static void check_row(const row *r, const graph *g) {
  static const int64_t *constants[8];
  const char *call = g->python ? r->triton : r->cpp;
  if (g->why) fail_msg("'%s' is not understood: %s", call, g->why);
  const graph_node *x = g->accesses.at[g->accesses.n - 1].value;
  const ag_operator *f = ag_op_get(x->op);
  reals b;
  if (x->op != r->ops[!g->python]) fail_msg("'%s' is another operator: '%s'", call, f->text);
  if (f->effect != r->effects[!g->python]) fail_msg("'%s' has another effect", call);
  if (!strstr(graph_text_write(g, constants, NULL, a), r->text))
    fail_msg("'%s' has no '%s' in the graph's text", call, r->text);
  if (reals_bound(x, bound_step, NULL, &b) != r->bounded)
    fail_msg("'%s' is %s", call, r->bounded ? "not bounded" : "bounded");
  if (r->bounded && !is_close(r, b)) fail_msg("'%s' is from %.9g to %.9g", call, b.low, b.high);
  if (!f->one && !f->two) fail_msg("'%s' is no function of one or two floats", call);
  for (int i = 0; i < 2; i++) {
    double is = f->two ? f->two(r->at[i][0], 3) : f->one(r->at[i][0]);
    if (!is_same(is, r->at[i][1])) fail_msg("'%s' of %g is %g", call, r->at[i][0], is);
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

/* Each x stands twice in the next: there are 2^200 paths to the first. */
TEST(a_sum_of_shared_nodes_is_searched_for_a_pointer_in_bounded_time) {
  const char *text = "def K(p):\n    x = tl.arange(0, 4)\n";
  for (int i = 0; i < 200; i++) text = arena_printf(a, "%s    x = x + x\n", text);
  text = arena_printf(a, "%s    tl.store(p + x, x)\n", text);
  kernel_tree t;
  graph g;
  kernel_tree_read_triton(&t, text, strlen(text), "K", a);
  graph_build(&g, &t, "K", NULL, NULL, a);
  assert_int_equal(g.accesses.n, 1);
  assert_true(g.params[0].pointer);
  assert_int_equal(g.accesses.at[0].index->op, AG_OP_ADD);
}

/* As the vectors of torch compute them on a CPU, the sign of a zero included. */
TEST(values_are_those_of_torch) {
  static const struct {
    ag_op op;
    double x, y, value;
  } of[] = {{AG_OP_CLAMP_MIN, -0.0, 0, -0.0},
            {AG_OP_CLAMP_MIN, NAN, 0, NAN},
            {AG_OP_CLAMP_MAX, 0.0, -0.0, 0.0},
            {AG_OP_STD_MAX, 1, NAN, 1},
            {AG_OP_STD_MIN, NAN, 1, NAN},
            {AG_OP_DIV_FLOOR_FLOATING, -7, 2, -4},
            {AG_OP_DIV_FLOOR_FLOATING, -1, INFINITY, -1},
            {AG_OP_DIV_FLOOR_FLOATING, 1, -3, -1},
            {AG_OP_DIV_FLOOR_FLOATING, -0.0, 5, -0.0},
            {AG_OP_DIV_FLOOR_FLOATING, -1, 0.0, -INFINITY}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    double value = ag_op_get(of[i].op)->two(of[i].x, of[i].y);
    if (!is_same(value, of[i].value) || !signbit(value) != !signbit(of[i].value))
      fail_msg("%s of %g and %g is %g", ag_op_get(of[i].op)->text, of[i].x, of[i].y, value);
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

/* 144-storage.c - which variable owns the memory behind another, and string literals. */
#include "parse/lex.h"
#include "model/storage.h"
#include "unit.h"

static const char text[] = "int64_t sizes[] = {s77, 10L}; f(2, sizes, cached_torch_dtype_float16);";

static facts make_facts(fact_var *vars, size_t n) {
  return (facts){.text = text, .n = sizeof text - 1, .vars = {.at = vars, .n = n, .cap = n}};
}

/* A call at the end of the text with these variables as its operands. */
static fact_call make_call(const char *callee, operand *operands, size_t n) {
  size_t open = (size_t)(strstr(text, "(2") - text);
  return (fact_call){.callee = callee,
                     .offset = open - 1,
                     .open = open,
                     .close = sizeof text - 3,
                     .operands = {operands, n, n}};
}

TEST(what_is_made_from_a_variable_shares_its_root) {
  arena *a = arena_new();
  fact_var vars[] = {{.name = "buf0", .from = -1},
                     {.name = "view", .made = MADE_VIEW, .from = 0},
                     {.name = "alias", .made = MADE_ALIAS, .from = 1},
                     {.name = "weight", .made = MADE_WEIGHT, .from = 0}};
  facts f = make_facts(vars, 4);
  storage *s = storage_create(&f, a);
  assert_int_equal(storage_root(s, -1), -1);
  assert_int_equal(storage_root(s, 2), 0);
  assert_int_equal(storage_root(s, 3), 3);
  arena_free(a);
}

TEST(a_second_handle_takes_its_followers_along) {
  arena *a = arena_new();
  fact_var vars[] = {{.name = "handle", .from = -1},
                     {.name = "object", .made = MADE_ALIAS, .from = 0},
                     {.name = "buf0", .from = -1},
                     {.name = "buf1", .from = -1}};
  facts f = make_facts(vars, 4);
  storage *s = storage_create(&f, a);
  operand first[] = {{.kind = OPERAND_TENSOR, .var = 2}, {.kind = OPERAND_OUTPUT, .var = 0}};
  fact_call c = make_call("aoti_torch_new_tensor_handle", first, 2);
  storage_note_call(s, &c, EFFECT_ALIASES);
  assert_int_equal(storage_root(s, 1), 2);
  assert_int_equal(storage_at(s, 0)->source, 2);
  operand second[] = {{.kind = OPERAND_TENSOR, .var = 3}, {.kind = OPERAND_OUTPUT, .var = 2}};
  c = make_call("aoti_torch_new_tensor_handle", second, 2);
  storage_note_call(s, &c, EFFECT_ALIASES);
  assert_int_equal(storage_root(s, 1), 3);
  storage_note_call(s, &c, EFFECT_ALIASES); /* once more: no circle */
  assert_int_equal(storage_root(s, 0), 3);
  arena_free(a);
}

TEST(a_walk_goes_from_a_variable_to_the_owner) {
  arena *a = arena_new();
  fact_var vars[] = {{.name = "buf0", .from = -1},
                     {.name = "handle", .from = -1},
                     {.name = "view", .made = MADE_VIEW, .from = 1},
                     {.name = "alias", .made = MADE_ALIAS, .from = 2},
                     {.name = "weight", .made = MADE_WEIGHT, .from = 0}};
  facts f = make_facts(vars, 5);
  storage *s = storage_create(&f, a);
  operand handles[] = {{.kind = OPERAND_TENSOR, .var = 0}, {.kind = OPERAND_OUTPUT, .var = 1}};
  fact_call c = make_call("aoti_torch_new_tensor_handle", handles, 2);
  storage_note_call(s, &c, EFFECT_ALIASES);
  int expected = 3;
  storage_walk w = storage_walk_from(s, 3);
  for (; w.var >= 0; storage_walk_on(&w)) assert_int_equal(w.var, expected--);
  assert_int_equal(expected, -1);
  assert_false(w.cut);
  for (w = storage_walk_from(s, 4); w.var >= 0; storage_walk_on(&w)) assert_int_equal(w.var, 4);
  assert_int_equal(storage_walk_from(s, -1).var, -1);
  operand back[] = {{.kind = OPERAND_TENSOR, .var = 1}, {.kind = OPERAND_OUTPUT, .var = 0}};
  c = make_call("aoti_torch_new_tensor_handle", back, 2);
  storage_note_call(s, &c, EFFECT_ALIASES);
  w = storage_walk_from(s, 3);
  while (w.var >= 0) storage_walk_on(&w);
  assert_true(w.cut); /* a circle */
  arena_free(a);
}

TEST(aliases_are_skipped_up_to_a_limit) {
  enum { VARS = FACTS_STEPS_MAX + 3 };
  static fact_var vars[VARS] = {{.name = "view", .made = MADE_VIEW, .from = -1}};
  for (int i = 1; i < VARS; i++)
    vars[i] = (fact_var){.name = "alias", .made = MADE_ALIAS, .from = i - 1};
  facts f = make_facts(vars, VARS);
  assert_int_equal(facts_skip_aliases(&f, 0), 0);
  assert_int_equal(facts_skip_aliases(&f, FACTS_STEPS_MAX), 0);
  assert_int_equal(facts_skip_aliases(&f, FACTS_STEPS_MAX + 1), -1);
  vars[1].from = -1; /* not known */
  assert_int_equal(facts_skip_aliases(&f, 3), 1);
  assert_int_equal(facts_find_base(&f, 3), 2);
  assert_int_equal(facts_find_base(&f, 0), -1);
}

TEST(an_allocation_tells_dtype_and_sizes) {
  arena *a = arena_new();
  size_t open = (size_t)(strchr(text, '{') - text), close = (size_t)(strchr(text, '}') - text);
  fact_var vars[] = {{.name = "sizes", .from = -1, .declared = 8, .init = {open, close + 1}},
                     {.name = "buf0", .from = -1, .declared = 30}};
  facts f = make_facts(vars, 2);
  storage *s = storage_create(&f, a);
  operand made = {.kind = OPERAND_OUTPUT, .var = 1};
  fact_call c = make_call("aoti_torch_empty_strided", &made, 1);
  storage_note_call(s, &c, EFFECT_ALLOCATES);
  assert_true(storage_at(s, 1)->allocated);
  assert_string_equal(storage_at(s, 1)->dtype, "float16");
  assert_string_equal(storage_at(s, 1)->sizes, "s77, 10");
  arena_free(a);
}

TEST(the_last_declaration_before_a_place_is_found) {
  arena *a = arena_new();
  fact_var vars[] = {{.name = "buf0", .from = -1, .declared = 10},
                     {.name = "buf1", .from = -1, .declared = 20},
                     {.name = "buf0", .from = -1, .declared = 30}};
  facts f = make_facts(vars, 3);
  storage *s = storage_create(&f, a);
  assert_int_equal(storage_find(s, "buf0", 4, 9), -1);
  assert_int_equal(storage_find(s, "buf0", 4, 29), 0);
  assert_int_equal(storage_find(s, "buf0.release()", 4, 30), 2);
  assert_int_equal(storage_find(s, "buf2", 4, 99), -1);
  arena_free(a);
}

/* The moves of a text, as "to<from" or, if `to` was declared before, "to<-from". */
static const char *list_moved(const char *source, arena *a) {
  const facts f = {.text = source, .n = strlen(source)};
  const char *all = "";
  for (moved x = {0}; storage_next_moved(&f, &x); x.offset = x.from.end)
    all = arena_printf(a, "%s%.*s%s%.*s ", all, (int)(x.to.end - x.to.begin), source + x.to.begin,
                       x.again ? "<-" : "<", (int)(x.from.end - x.from.begin),
                       source + x.from.begin);
  return all;
}

TEST(what_a_variable_takes_over_is_found) {
  arena *a = arena_new();
  assert_string_equal(list_moved("auto buf1 = std::move(buf0);  // reuse\n"
                                 "    buf2=  std::move(buf1);\n"
                                 "buf3 = std::move(f(g(buf1, 2, sizes))); call(std::move(buf2));\n"
                                 "buf4 += std::move(buf3); return buf4 == std::move(buf5);",
                                 a),
                      "buf1<buf0 buf2<-buf1 buf3<-buf1 ");
  assert_string_equal(list_moved("buf0 = std::move(buf1)", a), "buf0<-buf1 ");
  assert_string_equal(list_moved("std::move(= std::move(", a), "");
  assert_string_equal(list_moved("", a), "");
  arena_free(a);
}

static const char *read_literal(const char *source, arena *a) {
  size_t past;
  return lex_read_literal(source, 0, strlen(source), &past, a);
}

TEST(literals_are_decoded) {
  arena *a = arena_new();
  assert_string_equal(read_literal("\"a\\n\\\"b\\\"\", c", a), "a\n\"b\"");
  assert_string_equal(read_literal("R\"x(a)\"\\n)x\"", a), "a)\"\\n");
  assert_string_equal(read_literal("R\"(", a), "");
  assert_null(read_literal("name", a));
  assert_null(read_literal("", a));
  arena_free(a);
}

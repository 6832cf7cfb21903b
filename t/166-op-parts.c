/* 166-op-parts.c - by which operations of a kernel ATen's operators are computed: the table holds
 * together, and an operation has one word, whatever a backend calls it. */
#include "model/op_parts.h"
#include "unit.h"
#include "in_arena.h"

static const op_parts rows[] = {
#define OP(...) {__VA_ARGS__},
#include "model/op_parts.def"
};

static void each_is_among(const char *list, const char *all, const char *name) {
  strings words = {0};
  char *copy = arena_strdup(a, list);
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
    *arena_push(a, &words) = word;
  for (size_t i = 0; i < words.n; i++)
    if (!op_parts_has(all, words.at[i])) fail_msg("'%s' of %s is no part of it", words.at[i], name);
}

TEST(rows_hold_together) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const op_parts *row = &rows[i];
    if (op_parts_find(row->name)->parts != rows[i].parts &&
        strcmp(op_parts_find(row->name)->parts, rows[i].parts) != 0)
      fail_msg("%s has two rows", row->name);
    each_is_among(row->first, row->parts, row->name);
    each_is_among(row->last, row->parts, row->name);
    if (row->kind == OP_MOVES ? *row->parts : !*row->first || !*row->last)
      fail_msg("%s does not begin or end", row->name);
  }
}

TEST(operators) {
  assert_ptr_equal(op_parts_find("relu_"), op_parts_find("relu"));
  assert_null(op_parts_find("rel"));
  assert_null(op_parts_find("relu__"));
  assert_null(op_parts_find(""));
  assert_null(op_parts_find("_"));
}

TEST(words_of_a_list) {
  assert_true(op_parts_has(" log exp ", "log"));
  assert_true(op_parts_has(" log exp ", "exp"));
  assert_false(op_parts_has(" log1p exp ", "log"));
  assert_true(op_parts_has(" log1p log ", "log"));
  assert_false(op_parts_has(" log ", ""));
  assert_false(op_parts_has("", "log"));
}

static const char *word_of(ag_op op, const char *text, bool reduces) {
  const graph_node node = {.kind = NODE_OP, .op = op, .text = text};
  return op_parts_word(&node, reduces);
}

TEST(words_of_operations) {
  assert_string_equal(word_of(AG_OP_ADD, "+", false), "+");
  assert_string_equal(word_of(AG_OP_ADD, "+", true), "sum");
  assert_string_equal(word_of(AG_OP_DIV_RN, "div_rn", false), "/");
  assert_string_equal(word_of(AG_OP_MAX_MASKED, "max_masked_reduce", true), "max");
  assert_string_equal(word_of(AG_OP_LESS, "<", false), "cmp");
  assert_string_equal(word_of(AG_OP_LOG, "log", false), "log");
  assert_string_equal(word_of(AG_OP_OTHER, "mystery", false), "mystery");
  assert_null(word_of(AG_OP_CAST, "cast", false));
  assert_null(word_of(AG_OP_VEC_REDUCE_ALL, "vec_reduce_all", false));
}

/* constants.c - how kernels spell NaN and the infinities. */
#include "kernel/constants.h"

#include <string.h>

#include "kernel/text.h"

uint8_t kernel_constant_read(const char *text) {
  static const struct {
    const char *text;
    uint8_t constant;
  } spellings[] = {{"\"nan\"", AG_NAN},   {"'nan'", AG_NAN},        {"\"NaN\"", AG_NAN},
                   {"NAN", AG_NAN},       {"nan", AG_NAN},          {"\"inf\"", AG_POS_INF},
                   {"'inf'", AG_POS_INF}, {"INFINITY", AG_POS_INF}, {"\"-inf\"", AG_NEG_INF},
                   {"'-inf'", AG_NEG_INF}};
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
    if (strcmp(text, spellings[i].text) == 0) return spellings[i].constant;
  if (strstr(text, "quiet_NaN")) return AG_NAN;
  const char *infinity = strstr(text, "infinity"); /* of std::numeric_limits */
  return infinity && (infinity == text || infinity[-1] == ':') && !infinity[8] ? AG_POS_INF : 0;
}

uint8_t kernel_constant_negate(uint8_t constants) {
  return (uint8_t)((constants & AG_NAN) | (constants & AG_POS_INF ? AG_NEG_INF : 0) |
                   (constants & AG_NEG_INF ? AG_POS_INF : 0));
}

bool kernel_constant_is_handed_on(const tree_expr *call) {
  static const char *const names[] = {
      "static_cast", "convert", "bit_cast",     "Vectorized", "VectorizedN", "blendv", "loadu",
      "load",        "where",   "broadcast_to", "full",       "to",          "cast",   "float",
      "reshape",     "view",    "trans",        "expand",     "broadcast",   "set",    NULL};
  return kernel_tree_is_one_of(kernel_tree_name(call->first), names);
}

uint8_t kernel_constant_combine(const char *op, uint8_t x, uint8_t y) {
  const uint8_t infinities = AG_POS_INF | AG_NEG_INF;
  if (strcmp(op, "+") == 0) return (x | y) & infinities;
  if (strcmp(op, "-") == 0) return (x | kernel_constant_negate(y)) & infinities;
  if (strcmp(op, "*") == 0) return (x | y) & infinities ? infinities : 0;
  return strcmp(op, "/") == 0 && x & infinities ? infinities : 0;
}

/* ---- accumulators --------------------------------------------------------------------------- */

static bool block_mentions(const tree_block *b, int variable);

static bool mentions(const tree_expr *e, int variable) {
  if (!e) return false;
  if (e->is == TREE_NAME && e->variable == variable) return true;
  if (e->body && block_mentions(e->body, variable)) return true;
  for (const tree_expr *c = e->first; c; c = c->next)
    if (mentions(c, variable)) return true;
  return false;
}

static bool block_mentions(const tree_block *b, int variable) {
  for (const tree_statement *s = b->first; s; s = s->next)
    if (mentions(s->value, variable) || (s->body && block_mentions(s->body, variable))) return true;
  return false;
}

void kernel_constant_find_accumulators(const kernel_tree *t, const tree_block *b, bool *found) {
  for (const tree_statement *s = b ? b->first : NULL; s; s = s->next) {
    int v = s->is == STATEMENT_ASSIGN && s->target ? kernel_tree_base(s->target) : -1;
    bool local = v >= 0 && t->variables.at[v].param < 0;
    /* Each thread's result is put into an array. */
    bool moved = s->value && s->value->is == TREE_NAME && s->value->variable >= 0 &&
                 found[s->value->variable];
    if (local && (moved || strcmp(s->op, "=") || mentions(s->value, v))) found[v] = true;
    kernel_constant_find_accumulators(t, s->body, found);
    kernel_constant_find_accumulators(t, s->otherwise, found);
  }
}

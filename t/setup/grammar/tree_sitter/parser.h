/* parser.h - what a grammar of tree-sitter 0.23 is compiled with: the header of Debian 12's
 * libtree-sitter, and what that lacks. The package of the grammar comes without. */
#ifndef GRAMMAR_PARSER_H
#define GRAMMAR_PARSER_H

#include_next <tree_sitter/parser.h>

#ifndef ADVANCE_MAP

typedef struct {
  int32_t start, end;
} TSCharacterRange;

/* True if `c` is in one of n ranges, which are sorted. */
static inline bool set_contains(const TSCharacterRange *ranges, uint32_t n, int32_t c) {
  uint32_t low = 0;
  while (low < n) {
    uint32_t middle = low + (n - low) / 2;
    if (c >= ranges[middle].start && c <= ranges[middle].end) return true;
    if (c > ranges[middle].end)
      low = middle + 1;
    else
      n = middle;
  }
  return false;
}

/* Pairs of a character and the state that it leads to. */
#define ADVANCE_MAP(...)                                                                           \
  {                                                                                                \
    static const uint16_t map[] = {__VA_ARGS__};                                                   \
    for (uint32_t i = 0; i < sizeof map / sizeof *map; i += 2) {                                   \
      if (map[i] == lookahead) {                                                                   \
        state = map[i + 1];                                                                        \
        goto next_state;                                                                           \
      }                                                                                            \
    }                                                                                              \
  }

/* Until 0.22 what followed the count of children had names. */
#undef REDUCE
#define REDUCE(name, children, precedence, production)                                             \
  {                                                                                                \
    {                                                                                              \
      .reduce = {.type = TSParseActionTypeReduce,                                                  \
                 .symbol = name,                                                                   \
                 .child_count = children,                                                          \
                 .dynamic_precedence = precedence,                                                 \
                 .production_id = production }                                                     \
    }                                                                                              \
  }

#endif
#endif

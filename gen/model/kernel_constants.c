/* kernel_constants.c - how kernels spell NaN and the infinities. */
#include "model/kernel_constants.h"

#include <string.h>

#include "model/kernel_text.h"

uint8_t kernel_constant_read(const char *text) {
  static const struct {
    const char *text;
    uint8_t constant;
  } spellings[] = {{"\"nan\"", KERNEL_NAN},      {"'nan'", KERNEL_NAN},
                   {"\"NaN\"", KERNEL_NAN},      {"NAN", KERNEL_NAN},
                   {"nan", KERNEL_NAN},          {"\"inf\"", KERNEL_POS_INF},
                   {"'inf'", KERNEL_POS_INF},    {"INFINITY", KERNEL_POS_INF},
                   {"\"-inf\"", KERNEL_NEG_INF}, {"'-inf'", KERNEL_NEG_INF}};
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
    if (strcmp(text, spellings[i].text) == 0) return spellings[i].constant;
  if (strstr(text, "quiet_NaN")) return KERNEL_NAN;
  const char *infinity = strstr(text, "infinity"); /* of std::numeric_limits */
  return infinity && (infinity == text || infinity[-1] == ':') && !infinity[8] ? KERNEL_POS_INF : 0;
}

uint8_t kernel_constant_negate(uint8_t constants) {
  return (uint8_t)((constants & KERNEL_NAN) | (constants & KERNEL_POS_INF ? KERNEL_NEG_INF : 0) |
                   (constants & KERNEL_NEG_INF ? KERNEL_POS_INF : 0));
}

bool kernel_constant_is_handed_on(const tree_expr *call) {
  static const char *const names[] = {
      "static_cast", "convert", "bit_cast",     "Vectorized", "VectorizedN", "blendv", "loadu",
      "load",        "where",   "broadcast_to", "full",       "to",          "cast",   "float",
      "reshape",     "view",    "trans",        "expand",     "broadcast",   "set",    NULL};
  return kernel_tree_is_one_of(kernel_tree_name(call->first), names);
}

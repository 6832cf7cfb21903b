/* guard_text.h - a guard of an exported program: a condition of the sizes of its inputs, which
 * torch writes as an expression of Python, such as "(L['x'].size()[0] % 100) == 0".
 *
 * A stranger's text: a form that is not read gives no guard, and nothing is guessed. Linear in the
 * text, of which at most GUARD_TEXT_MAX bytes are read.
 */
#ifndef GEN_GUARD_TEXT_H
#define GEN_GUARD_TEXT_H

#include "base/arena.h"
#include <stdbool.h>
#include <stdint.h>

enum { GUARD_TEXT_MAX = 2000, GUARD_SIZES_MAX = 16 };

/* A dimension of an input of the wrapper. */
typedef struct guard_dim {
  int64_t input; /* its index */
  int64_t dim;
} guard_dim;

/* Who reads a guard tells what its names mean. */
typedef struct guard_names {
  /* The index of the input of that name in the program; false if there is none, or more. */
  bool (*input)(const void *of, const char *name, bool nested, int64_t *index);
  /* What a report calls an input. */
  const char *(*shown)(const void *of, int64_t index);
  const void *of;
} guard_names;

typedef struct guard_text {
  const char *code;  /* in the form of shared/postfix.h: "#0.0" is a size; its result is 0 or 1 */
  const char *shown; /* as a report has it: "x.size(0) % 100 == 0" */
  guard_dim sizes[GUARD_SIZES_MAX]; /* those that it names, each once */
  int nsizes;
  bool equals_sizes; /* no more than that sizes[0] and sizes[1] are equal */
  bool bounds_size;  /* no more than a bound of sizes[0] by a number */
  /* It holds of all sizes but few: of a value that must not be 0 or 1, or not that of another one.
   * Torch asks for it to choose a way of its own, and the results may be right all the same. */
  bool excludes;
} guard_text;

/* False if the text is of a form that is not read. What is found lives in the arena. */
bool guard_text_read(guard_text *g, const char *text, const guard_names *names, arena *a);

#endif

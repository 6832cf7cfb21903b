/* model_use.h - what the program did with a package of --model. */
#ifndef GEN_MODEL_USE_H
#define GEN_MODEL_USE_H

#include <stdbool.h>
#include <stddef.h>

/* The library's notes (environment.h). */
typedef struct model_use {
  const char *model;
  bool opened, written, changed, missing;
} model_use;

/* The package among these that a source came from: the source's name begins with it. NULL for
 * none. */
const char *model_use_find(const model_use *models, size_t n, const char *source);

/* True if the program got the debug package each time. */
bool model_use_is_complete(const model_use *m);

/* "was never opened: ...", with what to do. */
const char *model_use_describe(const model_use *m);

#endif

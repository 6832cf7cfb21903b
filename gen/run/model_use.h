/* model_use.h - what the program did with a package of --model. */
#ifndef GEN_MODEL_USE_H
#define GEN_MODEL_USE_H

#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>

/* The library's notes (environment.h). */
typedef struct model_use {
  const char *model;   /* as the option names it */
  const char *root;    /* the directory that the names of its sources begin with */
  const char *wrapper; /* its only source; or NULL */
  const char *kind;    /* what is in its place: "debug" or "watch" */
  bool opened;         /* by torch's loader, which got the debug package */
  bool loaded;         /* its '.so', by dlopen(), which got the debug model */
  bool failed;         /* the same, but the debug model could not be written */
  bool read;           /* as any file is */
  bool written, changed, missing;
} model_use;

/* The package among these that a source came from. NULL for none. */
const model_use *model_use_find(const model_use *models, size_t n, const char *source);

/* True if the program got a debug model. */
bool model_use_is_debugged(const model_use *m);

/* True if it got one each time that it loaded one. */
bool model_use_is_complete(const model_use *m);

/* "was never opened: ...", with what to do. */
const char *model_use_describe(const model_use *m, arena *a);

#endif

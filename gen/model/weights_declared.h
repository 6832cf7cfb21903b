/* weights_declared.h - the bytes of weights that a wrapper's constructor declares. */
#ifndef GEN_WEIGHTS_DECLARED_H
#define GEN_WEIGHTS_DECLARED_H

#include "base/arena.h"
#include <stdint.h>

struct model;

typedef struct weights_declared {
  uint64_t bytes;       /* all weights together, except those that constant folding computes */
  bool left_out;        /* emitted without weights: the program that loads the model sets them */
  bool has_constructor; /* false in torch.compile's cpp-wrapper mode */
} weights_declared;

/* For a model that was built from its facts. */
void weights_declared_by_model(weights_declared *declared, const struct model *m);

/* For a wrapper's text that was not parsed, NUL-terminated behind its n bytes. */
void weights_declared_by_text(weights_declared *declared, const char *text, size_t n, arena *a);

#endif

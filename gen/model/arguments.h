/* arguments.h - a site's arguments: the variable, the role and the expression of each. Part of the
 * model stage. */
#ifndef GEN_ARGUMENTS_H
#define GEN_ARGUMENTS_H

#include "model/custom_ops.h"
#include "model/model.h"
#include "model/storage.h"

typedef struct argument_reader {
  const model *m; /* its inputs and weights are complete */
  storage *storage;
  const custom_ops *ops;
  arena *a;
} argument_reader;

/* Fills s->args, whose form and kernel are known, and notes in the storage what the launch may have
 * written. Sites come in source order. */
void arguments_read(const argument_reader *reader, site *s);

#endif

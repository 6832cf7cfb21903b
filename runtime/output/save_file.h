/* save_file.h - one tensor as one file. Inside the library only. */
#ifndef AOTIGEN_SAVE_FILE_H
#define AOTIGEN_SAVE_FILE_H

#include "shared/wrapper/aotigen.h"
#include "tensor/reader.h"

/* What a file will be called and what the log says of it; strings are static, or live as long as
 * the model. */
typedef struct ag_saving {
  const aotigen_model *model;
  uint64_t run, launch;
  const char *when;   /* "before", "after", "input" */
  const char *kernel; /* NULL of an input */
  const char *arg;
} ag_saving;

/* Writes a new file, never one that exists. reader: the elements of the tensor, open. A failure is
 * said once in the process. */
void ag_save_file(const ag_saving *what, const ag_view *view, ag_reader *reader);

/* Says, once in the process, that a tensor cannot be saved. */
void ag_save_refuse(const char *name, const char *why);

#endif

/* save_file.h - saves one tensor as one file. Inside the library only. */
#ifndef AOTIGEN_SAVE_FILE_H
#define AOTIGEN_SAVE_FILE_H

#include "shared/wrapper/aotigen.h"
#include "output/saved_file.h"
#include "tensor/reader.h"

/* The parts of a file's name and of its event in the log. Strings are static, or live as long as
 * the model. */
typedef struct ag_saving {
  const aotigen_model *model;
  uint64_t run, launch;
  const char *when;   /* "before", "after", "input" */
  const char *kernel; /* NULL for an input */
  const char *arg;
} ag_saving;

/* Writes a new file, never an existing one. reader: the elements of the tensor, open. A failure is
 * reported once in the process. saved: set to the file, or NULL. */
void ag_save_file(const ag_saving *what, const ag_view *view, ag_reader *reader,
                  ag_saved_file *saved);

/* The same of a tensor that has the bytes of `file`, without reading it: as one more name of that
 * file, or, where there are no links, as a copy. False if the file is no more; nothing is reported
 * then. */
bool ag_save_again(const ag_saving *what, const ag_view *view, ag_saved_file *file);

/* Adds a name as a part of a file's name. */
void ag_save_add_name(ag_text *t, const char *name);

/* Reports, once in the process, that a tensor cannot be saved. */
void ag_save_refuse(const char *name, const char *why);

#endif

/* tu.h - one wrapper as libclang sees it.
 *
 * Parses the bytes that were read (never the file a second time) with the command's flags. Text
 * offsets are bytes into `text`; every position that leaves this stage is one of the wrapper's own,
 * macro arguments where they stand in it.
 */
#ifndef GEN_TU_H
#define GEN_TU_H

#include "command/command.h"
#include "system/process.h"
#include <clang-c/Index.h>

typedef struct tu {
  const char *path; /* as given by the user */
  const char *text;
  size_t n;
  CXIndex index;
  CXTranslationUnit unit;
  CXFile file;
} tu;

/* False where it does not parse: the reasons are in `d`, with what to do where headers are missing
 * or of another version. */
bool tu_parse(tu *t, const char *path, const char *text, size_t n, const command *c,
              const options *o, arena *a, diags *d);
void tu_free(tu *t);

/* Begins to precompile the headers of a stranger's wrapper that was parsed without, for the next
 * one: the file, which is to be kept by pch_keep() where process_wait() gives true, or NULL where
 * there is nothing to do. */
const char *tu_precompile(process *p, const char *path, const char *text, size_t n,
                          const command *c, const options *o, arena *a);

/* Byte offset of a location; false where it is not in the wrapper itself. */
bool tu_offset(const tu *t, CXSourceLocation at, size_t *offset);

#endif

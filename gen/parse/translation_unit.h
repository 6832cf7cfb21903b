/* translation_unit.h - one wrapper, parsed by libclang with the flags of its recorded command.
 *
 * The bytes that were read are parsed; the file is not opened again. Offsets are bytes into `text`.
 * The place of a macro's argument is where it stands in the wrapper.
 */
#ifndef GEN_TRANSLATION_UNIT_H
#define GEN_TRANSLATION_UNIT_H

#include "command/command.h"
#include "parse/facts.h"
#include "system/process.h"
#include <clang-c/Index.h>

/* What is parsed, and how. All of it outlives the translation unit. */
typedef struct translation_unit_input {
  const char *path; /* for messages */
  const char *text;
  size_t n;
  const command *command;
  const options *options;
  const char *pch; /* precompiled headers, or NULL: translation_unit_find_pch() */
} translation_unit_input;

typedef struct translation_unit {
  const char *path; /* as libclang knows it */
  const char *text;
  size_t n;
  CXIndex index;
  CXTranslationUnit unit;
  CXFile file;
  bool pch_failed; /* it was parsed without them in the end */
} translation_unit;

/* False where it does not parse: the reasons are in `d`, with advice where headers are missing or
 * of another version. Free it either way. */
bool translation_unit_parse(translation_unit *t, const translation_unit_input *in, arena *a,
                            diags *d);
void translation_unit_free(translation_unit *t);

/* The precompiled headers to parse with, in->pch aside; NULL where there are none. Makes them where
 * the wrapper is trusted. */
const char *translation_unit_find_pch(const translation_unit_input *in, arena *a);

/* Starts to precompile the headers of an untrusted wrapper, which was parsed without, for the next
 * run. The file is complete once process_wait(p) is true; clang_pch_keep() moves it into the cache.
 * NULL where there is nothing to precompile. */
const char *translation_unit_precompile(process *p, const translation_unit_input *in, arena *a);

/* The byte offset of a location; false where it is not in the wrapper itself. */
bool translation_unit_offset(const translation_unit *t, CXSourceLocation at, size_t *offset);

/* The span of a cursor in the wrapper's text; false where it is not in the wrapper itself. */
bool translation_unit_span(const translation_unit *t, CXCursor c, span *s);

/* The line that the compiler takes an offset of the wrapper to be in: #line changes it. */
unsigned translation_unit_presumed_line(const translation_unit *t, size_t offset);

/* Copies a string of libclang's, and disposes of it. */
const char *translation_unit_string(arena *a, CXString s);

#endif

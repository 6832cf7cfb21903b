/* depend.h - what a stranger's source may read while it is compiled: headers of torch, of Python,
 * of CUDA, of the compiler and of the system, and nothing else.
 *
 * Looked at twice: the text before any compiler sees it, for what names a file outright (so that no
 * device is opened and no secret quoted in a message); and afterwards the compiler's own list of
 * what it read, which no trick of the preprocessor gets around.
 */
#ifndef GEN_DEPEND_H
#define GEN_DEPEND_H

#include "command/command.h"

/* Refuses, with its line, a text that includes by an absolute path (but a cache file of torch's,
 * which torch's own header stands in for), by one that climbs or by a macro; that pastes tokens
 * together, holds assembler text or an attribute that GCC copies into it, asks for files, has a
 * pragma read one, names another file by #line, or is spelled so that a compiler may see other
 * words in it. AOTInductor emits none of these. */
bool depend_check_text(const char *name, const char *at, size_t n, arena *a, diags *d);

/* Where the assembler is to write what it read, beside the compiler's own dependency file: macros
 * of torch's and of the system's headers can put together assembler text, and that reads files,
 * too. */
const char *depend_assembler(const char *depend_file, arena *a);

/* The files that a compiler names in the dependency file it wrote; false where there is none. */
bool depend_files(strings *files, const char *depend_file, arena *a);

/* Reads the dependency files that compiler and assembler wrote and refuses where a file in them
 * lies outside of the include directories of `c`, of the compiler's own (`system`) and of `own`, in
 * which it may be NULL. */
bool depend_check(const char *depend_file, const char *name, const command *c,
                  const strings *system, const strings *own, arena *a, diags *d);

#endif

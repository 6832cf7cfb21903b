/* kernel_text.h - the source of one C++ kernel of a package, apart from the model's other kernels,
 * and how it is declared.
 */
#ifndef GEN_KERNEL_TEXT_H
#define GEN_KERNEL_TEXT_H

#include "command/command.h"

enum { KERNEL_PARAMETERS = 1024 };

typedef struct kernel_parameter {
  const char *name;
  const char *type; /* in C, without 'const' and '*': "float", "int64_t"; "void" for what is no type
                       of C, such as a bfloat16 */
  bool is_pointer, is_const;
} kernel_parameter;

typedef struct kernel_text {
  const char *member; /* for messages: "PACKAGE/.../HASH.kernel.cpp" */
  const char *source; /* n bytes, without other kernels and without recorded commands */
  size_t n;
  command command; /* of the whole text */
  arena_list(kernel_parameter) parameters;
} kernel_text;

/* Reads the kernel of a package's model of that name. False with an error in `d`. */
bool kernel_text_read(kernel_text *k, const char *package, const char *name, const char *kernel,
                      const options *o, arena *a, diags *d);

/* NULL, or why the kernel cannot be taken out of this text of n bytes, in words that follow "it".
 * Fills what is told of its source and its parameters. */
const char *kernel_text_cut(kernel_text *k, const char *text, size_t n, const char *kernel,
                            arena *a);

#endif

/* companions.h - the files that belong to a wrapper that is built: its kernels, the names of its
 * custom ops, the runtime.
 *
 * Knows their names and places; opens none of them.
 */
#ifndef GEN_TOOLCHAIN_COMPANIONS_H
#define GEN_TOOLCHAIN_COMPANIONS_H

#include "base/options.h"

typedef struct companion_files {
  strings kernels;             /* .cpp files */
  strings objects;             /* .o and .a files */
  const char *ops;             /* wrapper.json, or NULL */
  const char *runtime;         /* libaotigen.a, or NULL if the wrapper is not instrumented */
  const char *runtime_include; /* the directory of aotigen.h, or NULL likewise */
} companion_files;

/* Names to look for next to a wrapper, for input_sibling(): of the file with the names of its
 * custom ops. NULL-terminated. */
extern const char *const companions_ops_names[];

/* The source of its kernels next to a wrapper: the first that its text's '// Link cmd' names and
 * that is there, else one named after the wrapper. NULL for none. */
const char *companions_find_kernel(const char *wrapper, const char *text, size_t n, arena *a);

/* True if the text declares kernels that it does not define. */
bool companions_declares_kernels(const char *text, size_t n);

/* True, with an error, if the text of a wrapper that has no source of kernels declares some. */
bool companions_lack_kernel(const char *wrapper, const char *text, size_t n, diags *d);

/* Finds libaotigen.a and the directory of aotigen.h: next to the running binary, or in
 * PREFIX/lib/aotigen and PREFIX/include/aotigen if that is in PREFIX/bin. False, with an error that
 * names `file`, if aotigen is not installed completely. */
bool companions_find_runtime(const char **library, const char **include_dir, const char *file,
                             arena *a, diags *d);

/* The paths of the headers in `include_dir` that a rewritten wrapper includes, in a fixed order. */
void companions_list_headers(strings *headers, const char *include_dir, arena *a);

/* Finds what the wrapper's text of n bytes needs: operands of the verb build, and files next to the
 * wrapper or next to the original that its #line names. False, with an error, if one is missing. */
bool companions_find(companion_files *c, const options *o, const char *text, size_t n, arena *a,
                     diags *d);

#endif

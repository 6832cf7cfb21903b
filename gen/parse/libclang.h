/* libclang.h - libclang is loaded where a wrapper is parsed first: it takes 60 MB, and most verbs
 * parse nothing. What calls its functions sees them as clang-c/Index.h declares them.
 */
#ifndef GEN_LIBCLANG_H
#define GEN_LIBCLANG_H

#include "base/diag.h"

/* Before a child is confined, which may read no library. False with an error in `d` if it is not
 * installed, or lacks a function. */
bool libclang_load(diags *d);

#endif

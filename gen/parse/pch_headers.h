/* pch_headers.h - which headers of a wrapper can be precompiled: for libclang (clang_pch.h), and
 * for the compiler (gcc_pch.h).
 */
#ifndef GEN_PCH_HEADERS_H
#define GEN_PCH_HEADERS_H

#include "base/arena.h"

/* An #include line for each header of torch that a wrapper includes before its first definition and
 * its first macro. Empty if it has none. The caller frees the text. */
strbuf pch_headers_list(const char *text, size_t n);

#endif

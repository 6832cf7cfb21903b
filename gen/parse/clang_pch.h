/* clang_pch.h - libclang's precompiled header of the torch headers that a wrapper begins with.
 *
 * Kept in the cache (cache.h) under a key of the parser's version, the flags, the headers asked
 * for, and torch's directory and version. A file that does not load is removed by its user, who
 * then parses without. Two processes may make the same file at once.
 */
#ifndef GEN_CLANG_PCH_H
#define GEN_CLANG_PCH_H

#include "parse/translation_unit.h"

/* The precompiled header to parse with; `args` are the flags of the parse. If the cache has none,
 * it is made and kept, except for an untrusted wrapper. If nothing can be kept, it is made in the
 * private directory: making it, without the bodies of functions, and a parse with it take less time
 * than a parse without. NULL if there is none, or if the wrapper includes no headers of torch. */
const char *clang_pch_find(const translation_unit_input *in, const strings *args, arena *a);

/* Starts to make the precompiled header that an untrusted wrapper was parsed without. A child
 * process makes it in the private directory, where clang_pch_find() finds it. Returns its name;
 * the file is complete once process_wait(p) is true. NULL if the cache has one, or it cannot be
 * made. */
const char *clang_pch_start(process *p, const translation_unit_input *in, const strings *args,
                            arena *a);

/* Moves what clang_pch_start() made into the cache. Call it once the wrapper is known to be good.
 */
void clang_pch_keep(const char *made, const options *o, arena *a);

#endif

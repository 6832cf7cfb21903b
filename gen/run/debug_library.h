/* debug_library.h - the '.so' of a debug package, alone: what the library of a watch package loads
 * where AOTIGEN_AFTER_CRASH asks for it.
 */
#ifndef GEN_DEBUG_LIBRARY_H
#define GEN_DEBUG_LIBRARY_H

#include "base/options.h"

/* Finds or makes the debug package of o->input in the cache, and writes the '.so' of its model
 * o->model to o->output. An error where the hash of the package's own is not
 * o->output.library_of. */
void debug_library_write(const options *o, arena *a, diags *d);

#endif

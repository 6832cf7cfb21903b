/* guard_memory.h - how much more memory a run takes with --guard, told before any run. */
#ifndef GEN_GUARD_MEMORY_H
#define GEN_GUARD_MEMORY_H

#include "base/options.h"
#include "model/model.h"

/* "at most 14 buffers at a time, with 2048 KiB more each (28 MiB)"; NULL if it takes none. */
const char *guard_memory_describe(const model *m, const levels *l, arena *a);

/* "'buf99', 'buf100'": names of --guard=page:BUF without memory of that name in the model; else
 * NULL. */
const char *guard_memory_find_unknown(const model *m, const levels *l, arena *a);

#endif

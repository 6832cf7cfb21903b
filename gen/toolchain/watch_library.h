/* watch_library.h - libaotigen-watch.so, which stands in the place of a model's '.so' and calls it
 * on, and the copy of it for one model.
 *
 * A loader asks by dlsym() what a model can do. The copy thus exports, of the entries of
 * AOTInductor's C ABI, only those that the model's own '.so' has; all others are found in that one,
 * which the copy needs (DT_NEEDED).
 */
#ifndef GEN_TOOLCHAIN_WATCH_LIBRARY_H
#define GEN_TOOLCHAIN_WATCH_LIBRARY_H

#include "base/diag.h"
#include <stdint.h>

/* What the names of the ABI's entries begin with. */
#define WATCH_ENTRIES "AOTInductor"

/* One of its dynamic symbols that is such an entry. */
typedef struct watch_entry {
  const char *name;
  size_t at; /* the offset of its symbol in the library */
} watch_entry;

typedef struct watch_library {
  const char *path;
  char *bytes;
  size_t n;
  arena_list(watch_entry) entries;
} watch_library;

/* Its path, or NULL. */
const char *watch_library_find(arena *a);

/* Reads it from beside the running binary, or from PREFIX/lib/aotigen if that is in PREFIX/bin.
 * False, with an error, if aotigen is not installed completely. */
bool watch_library_read(watch_library *l, arena *a, diags *d);

/* True if it exports that entry. */
bool watch_library_has(const watch_library *l, const char *entry);

/* Writes to `to`, which has l->n bytes, the copy for a model whose '.so' exports `entries`. */
void watch_library_copy(const watch_library *l, const strings *entries, char *to);

#endif

/* debug_library.h - the library of the debug package of this watched model, as `aotigen` makes it
 * or has it in its cache. Inside the library only. */
#ifndef AOTIGEN_DEBUG_LIBRARY_H
#define AOTIGEN_DEBUG_LIBRARY_H

#include <stdbool.h>

#include "base/text.h"

typedef struct ag_debug_library {
  void *handle; /* of dlopen() */
  ag_text file; /* beside the model's own; empty: it is removed */
} ag_debug_library;

/* Waits for it, for minutes perhaps. False with a reason in `why`. */
bool ag_debug_library_open(ag_debug_library *l, ag_text *why);

/* It has been loaded, with the weights that are behind it in its file. */
void ag_debug_library_remove_file(ag_debug_library *l);

#endif

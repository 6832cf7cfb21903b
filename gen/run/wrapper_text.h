/* wrapper_text.h - the text of a wrapper that a diagnosis points into, as a file that an editor can
 * open: in a package it is none. */
#ifndef GEN_WRAPPER_TEXT_H
#define GEN_WRAPPER_TEXT_H

#include "run/debug_package.h"

/* The path of the wrapper that an event calls `source`: that itself where it is a file, else a copy
 * in the cache, beside the debug package, with which it goes (kept_packages.h). NULL where there is
 * none, such as without a cache. */
const char *wrapper_text_find(const char *source, const debug_package *packages, size_t n,
                              const options *o, arena *a);

#endif

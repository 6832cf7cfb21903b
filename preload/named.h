/* named.h - which file a program means by a name without a directory, or with $ORIGIN in it, that
 * it gives to dlopen(). Keeps errno.
 */
#ifndef PRELOAD_NAMED_H
#define PRELOAD_NAMED_H

#include <limits.h>
#include <stdbool.h>

/* The path of the file that the loader would take for `name`, for a caller whose code is at
 * `caller`: what $ORIGIN stands for and where to look is the caller's. False where it cannot be
 * told, or there is none: a name that the loader would look up in its cache or in the system's own
 * directories, or where it may prefer a file for this processor. A name that it would not look up
 * is given back. Whether an object of that name is loaded is not asked. */
bool named_find(char path[PATH_MAX], const char *name, const void *caller);

#endif

/* kept_packages.h - which debug packages stay in the cache: the last eight that were used, and
 * those that a process holds.
 *
 * A process holds a package by a shared flock() on the file with its checksum, PATH.sum; so does
 * python/aotigen/__init__.py. A file of the same key may replace a held one, since it was made from
 * the same content.
 */
#ifndef GEN_KEPT_PACKAGES_H
#define GEN_KEPT_PACKAGES_H

#include "base/options.h"

extern const char kept_packages_suffix[];

/* The path of what is kept of that package's static check (static_check.h); it goes with it. */
const char *kept_packages_checked(const char *path, arena *a);

/* The path of the copy of a package's wrapper (wrapper_text.h), its member `name`; it goes with the
 * package. */
const char *kept_packages_wrapper(const char *path, const char *name, arena *a);

/* Holds the package of this path until this process ends. Only its checksum must exist yet. NULL,
 * or the reason for a failure. */
const char *kept_packages_hold(const char *path, arena *a);

/* Drops the packages that were least recently used. */
void kept_packages_drop_oldest(const options *o, arena *a);

#endif

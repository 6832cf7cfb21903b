/* kept_packages.h - which debug packages stay in the cache: the last eight that were used, and
 * those that a process holds.
 *
 * A process holds one by a shared flock() on the file with its checksum, PATH.sum; so does
 * python/aotigen/__init__.py. A file of the same key may take a held one's place: it was made of
 * the same content.
 */
#ifndef GEN_KEPT_PACKAGES_H
#define GEN_KEPT_PACKAGES_H

#include "base/options.h"

extern const char kept_packages_suffix[];

/* Holds the package of this path, which may not be there yet but for its checksum, until this
 * process ends. NULL, or why not. */
const char *kept_packages_hold(const char *path, arena *a);

/* Drops those that were used least lately. */
void kept_packages_drop_oldest(const options *o, arena *a);

#endif

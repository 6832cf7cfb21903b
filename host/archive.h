/* archive.h - a package or a capsule, mapped: its members are stored as they are, as torch and
 * aotigen write them.
 */
#ifndef HOST_ARCHIVE_H
#define HOST_ARCHIVE_H

#include "preload/member.h"

/* Opened by open(), which gives the debug package for a package. False with errno. */
bool archive_map(archive_bytes *z, const char *path);

/* Finds the bytes of the member of this name; NULL, or why they cannot be had. */
const char *archive_find(archive_bytes z, const char *name, archive_bytes *bytes);

/* Writes each member that stands in `directory` itself to the directory `to`. NULL, or why that
 * failed. */
const char *archive_extract(archive_bytes z, const char *directory, const char *to);

#endif

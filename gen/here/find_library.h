/* find_library.h - where the loader of a program with torch finds a library by its name.
 *
 * Looks at directories and at /etc/ld.so.cache; loads nothing. It cannot know what a program sets
 * or loads before.
 */
#ifndef GEN_FIND_LIBRARY_H
#define GEN_FIND_LIBRARY_H

#include "base/options.h"

typedef struct library_places {
  strings dirs;      /* in the order in which they are looked at, before the cache */
  const char *cache; /* the text of /etc/ld.so.cache, or NULL */
  size_t cache_n;
} library_places;

/* `torch` is the torch in use, or NULL. Adds its own libraries, the nvidia packages next to it, and
 * those of a Python that has its own, as conda's does. */
void find_library_begin(library_places *p, const char *torch, const options *o, arena *a);

/* Adds the directories of a list such as "/a:/b", except for relative ones. */
void find_library_add(library_places *p, const char *list, arena *a);

/* The path of the first file of that name that is a library for this machine, or NULL. */
const char *find_library(const library_places *p, const char *name, arena *a);

#endif

/* debug_package.h - the debug package that a program opens in a package's place.
 *
 * It is kept in the cache, if there is one, under a key of all that it depends on: the package's
 * content, the options, torch as far as they name it, and this version of aotigen. kept_packages.h
 * decides how long it stays there.
 */
#ifndef GEN_DEBUG_PACKAGE_H
#define GEN_DEBUG_PACKAGE_H

#include "base/options.h"
#include <sys/stat.h>

typedef struct debug_package {
  const char *model;         /* as the option names it */
  const char *path;          /* the absolute path of the debug package */
  bool kept;                 /* it is in the cache */
  const char *original_path; /* of an unpacked one, what was packed again */
  const char *root, *below;  /* as unpacked.h has them */
  const char *wrapper;       /* the source of its only model's reports, or NULL */
  struct stat original;      /* the package's, before it was read */
} debug_package;

/* Finds or makes the debug package of o->models[i], and names it on standard error. False with an
 * error in `d`. */
bool debug_package_make(debug_package *p, size_t i, const options *o, arena *a, diags *d);

/* Finds or makes the debug package of o->input in the cache, and gives its path. NULL with an error
 * if it cannot be kept there. */
const char *debug_package_keep(const options *o, arena *a, diags *d);

/* --cached: the same, and prints the path on standard output. */
void debug_package_print(const options *o, arena *a, diags *d);

#endif

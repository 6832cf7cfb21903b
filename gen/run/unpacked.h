/* unpacked.h - --model of an unpacked package: its files are put into a package again, of which the
 * debug package is made.
 */
#ifndef GEN_UNPACKED_H
#define GEN_UNPACKED_H

#include "base/options.h"

typedef struct unpacked {
  const char *package; /* what was made of the files, in the private directory */
  const char *root;    /* the directory that its members' names continue */
  const char *wrapper; /* one of them */
} unpacked;

/* True for a directory, and for a '.so'. */
bool unpacked_detect(const char *path);

/* Packs the directory, or the directory of the '.so', whose wrapper stands beside it with the same
 * name, and of which other models' files are left out. `i` numbers the package. False with an error
 * in `d`. */
bool unpacked_pack(unpacked *u, const char *path, size_t i, arena *a, diags *d);

#endif

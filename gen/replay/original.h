/* original.h - the package that a capsule's model was made of, which is to be replayed: found by
 * the path that the capsule or the user names, and known again by the hash of the model's '.so'. A
 * watch package is one, too: it has torch's '.so' under another name.
 */
#ifndef GEN_ORIGINAL_H
#define GEN_ORIGINAL_H

#include "replay/capsule.h"

typedef struct original {
  const char *package;   /* as it is named */
  const char *unwatched; /* of a watch package, what it was made of, in the private directory; or
                            NULL */
  const char *only;      /* the capsule's model where the package has others, or NULL */
  const char *dir;       /* that of the model's members, with its '/' */
  const char *so;        /* the name of its '.so' there */
  const char *left;      /* why only torch's own loader loads it, or NULL */
  bool is_other_build;   /* than the capsule's, as far as the '.so' tells */
  bool has_outer_weights; /* beside its '.so', whose hash does not tell of them */
} original;

/* False with an error in `d`. A package that the user names may be of another build: that is a
 * warning. */
bool original_find(original *p, const capsule *c, const options *o, arena *a, diags *d);

#endif

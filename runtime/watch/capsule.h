/* capsule.h - writes a capsule: a file with what `aotigen replay` needs to run a watched run again.
 * Inside the library only.
 *
 * The file is one of torch.save(): torch.load(weights_only=True) returns a dict of "capsule" (the
 * JSON text of the member capsule.json), "inputs" and "outputs" (lists of tensors on the CPU, or
 * None), and "constants" (a dict of those that are not as the package has them, by their names). It
 * is written under another name and renamed: it is whole or absent. */
#ifndef AOTIGEN_CAPSULE_H
#define AOTIGEN_CAPSULE_H

#include "base/text.h"
#include "watch/watched_run.h"

typedef struct ag_capsule {
  ag_text file;      /* its name; empty: none was written */
  ag_text not_kept;  /* the inputs that are not in it, and why; empty: all are */
  ag_text held[4];   /* the inputs that were held, by enum ag_values: "input 0, input 2" */
  size_t copied_by;  /* the AOTIGEN_COPY_BYTES by which those that have changed are copied */
  ag_text constants; /* "updated weights: 2": those that are in it */
  ag_text without;   /* the constants that are not in it, and why */
  bool displaces;    /* an earlier one, by AOTIGEN_CAPSULE_BYTES */
  ag_text failure;   /* "'FILE': No space left on device": why none was written */
} ag_capsule;

/* replaces: it is the newest one, and takes the place of the newest before. findings: a list of
 * JSON objects without its brackets. Waits for the devices of held tensors. */
void ag_capsule_write(ag_capsule *c, const ag_watched_run *r, bool replaces, const char *findings);
void ag_capsule_free(ag_capsule *c);

#endif

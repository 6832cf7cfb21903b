/* handed_on.h - the files of what a launch wrote, for the next launch, which reads it. Inside the
 * library only.
 *
 * Nothing may write between the two: they follow each other in one run, on one stream, and the
 * first is not an operator that others wrote, whose work may go on after it has returned. Not for
 * two threads at once. */
#ifndef AOTIGEN_HANDED_ON_H
#define AOTIGEN_HANDED_ON_H

#include "output/saved_file.h"
#include "state/launch.h"

typedef struct ag_handed_on ag_handed_on; /* of a run state; never freed */

/* True if the files of what the launch wrote are to be kept. */
bool ag_handed_on_takes(const ag_launch *l);

/* l has run: what it wrote takes the place of what the launch before it wrote. */
void ag_handed_on_begin(ag_handed_on **h, const ag_launch *l);
void ag_handed_on_add(ag_handed_on *h, const ag_view *view, ag_saved_file *file);

/* The file of what l reads, with a reference of the caller's, or NULL. */
ag_saved_file *ag_handed_on_find(ag_handed_on *h, const ag_launch *l, const ag_arg *a);

#endif

/* reach.h - which loads of a kernel reach which store: by value, index, mask, condition or
 * loop bound. Part of text.h. */
#ifndef GEN_KERNEL_REACH_H
#define GEN_KERNEL_REACH_H

#include "kernel/text.h"

/* Fills `loads`, `stores` and, of each parameter, all but its name and extent; or `why`. The tree
 * is understood and has at most KERNEL_PARAMS_MAX parameters. */
void kernel_reach_read(kernel_facts *f, const kernel_tree *t, arena *a);

#endif

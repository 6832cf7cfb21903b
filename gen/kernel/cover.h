/* cover.h - which of its parameters a kernel reads, or writes, from the first element on
 * without a gap. Part of text.h.
 *
 * An index is followed as a sum of loop variables with factors: they cover each element where each
 * factor is the product of the sizes before it. What is not of this form covers nothing: a slice, a
 * gather, an access that a condition decides.
 */
#ifndef GEN_KERNEL_COVER_H
#define GEN_KERNEL_COVER_H

#include "kernel/text.h"

/* Fills `loads_all` and `stores_all` of the parameters. The tree is understood. */
void kernel_cover_read(kernel_facts *f, const kernel_tree *t, arena *a);

#endif

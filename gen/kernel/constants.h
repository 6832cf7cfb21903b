/* constants.h - the constants NaN, +Inf and -Inf in a kernel's text. Part of the model
 * stage. */
#ifndef GEN_KERNEL_CONSTANTS_H
#define GEN_KERNEL_CONSTANTS_H

#include "kernel/tree.h"

/* AG_NAN and so on, that a name or a text in quotes stands for; 0: another one. */
uint8_t kernel_constant_read(const char *text);

/* What a minus makes of a set of them. */
uint8_t kernel_constant_negate(uint8_t constants);

/* Does the call hand on one of its arguments unchanged, as a cast and a selection do. */
bool kernel_constant_is_handed_on(const tree_expr *call);

/* Constants that `x op y` may be because x or y is: an Inf stays one. */
uint8_t kernel_constant_combine(const char *op, uint8_t x, uint8_t y);

/* Sets found[v] for each local variable that is assigned a value computed from its own: a constant
 * that it begins with, as -Inf of a maximum, is not meant for the result. */
void kernel_constant_find_accumulators(const kernel_tree *t, const tree_block *b, bool *found);

#endif

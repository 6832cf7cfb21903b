/* kernel_constants.h - the constants NaN, +Inf and -Inf in a kernel's text. Part of the model
 * stage. */
#ifndef GEN_KERNEL_CONSTANTS_H
#define GEN_KERNEL_CONSTANTS_H

#include "model/kernel_tree.h"

/* KERNEL_NAN and so on, that a name or a text in quotes stands for; 0: another one. */
uint8_t kernel_constant_read(const char *text);

/* What a minus makes of a set of them. */
uint8_t kernel_constant_negate(uint8_t constants);

/* Does the call hand on one of its arguments unchanged, as a cast and a selection do. */
bool kernel_constant_is_handed_on(const tree_expr *call);

#endif

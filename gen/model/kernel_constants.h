/* kernel_constants.h - the constants NaN, +Inf and -Inf in a kernel's text. Part of the model
 * stage. */
#ifndef GEN_KERNEL_CONSTANTS_H
#define GEN_KERNEL_CONSTANTS_H

#include <stdint.h>

/* KERNEL_NAN and so on, that a name or a text in quotes stands for; 0: another one. */
uint8_t kernel_constant_read(const char *text);

/* What a minus makes of a set of them. */
uint8_t kernel_constant_negate(uint8_t constants);

#endif

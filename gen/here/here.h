/* here.h - `aotigen list --here PACKAGE`: whether the models of a package run on this machine. The
 * package is untrusted: it is read, and nothing of it is loaded or run.
 */
#ifndef GEN_HERE_H
#define GEN_HERE_H

#include "base/options.h"

/* Prints a table for each model. An error in `d` if one of their rows does not fit. */
void here_list(const options *o, arena *a, diags *d);

#endif

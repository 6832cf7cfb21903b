/* confine_policy.h - what is done where something that should run confined cannot: --confine
 * decides. */
#ifndef GEN_CONFINE_POLICY_H
#define GEN_CONFINE_POLICY_H

#include "base/options.h"

/* For a kernel without Landlock, and a compiler that the user chose and that cannot be confined:
 * `who` ("the compiler does") cannot run confined because of `why`. True with a warning, or false
 * with an error where --confine=require. */
bool confine_policy_failed(const options *o, const char *who, const char *why, diags *d);

/* For all else that fails, whatever --confine says: an error. */
void confine_policy_refuse(const char *why, diags *d);

/* For a kernel without Landlock, once for a package. True where it has it, and where
 * --confine=off. */
bool confine_policy_check_kernel(const options *o, diags *d);

#endif

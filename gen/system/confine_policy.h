/* confine_policy.h - what happens if something cannot run confined that should: --confine
 * decides. */
#ifndef GEN_CONFINE_POLICY_H
#define GEN_CONFINE_POLICY_H

#include "base/options.h"

/* For a kernel without Landlock, and for a compiler that the user chose and that cannot be
 * confined: `who` ("the compiler does") cannot run confined because of `why`. True with a warning,
 * or false with an error if --confine=require. */
bool confine_policy_failed(const options *o, const char *who, const char *why, diags *d);

/* For any other failure, whatever --confine says: an error. */
void confine_policy_refuse(const char *why, diags *d);

/* For a kernel without Landlock, called once for a package. True if the kernel has it, or if
 * --confine=off. */
bool confine_policy_check_kernel(const options *o, diags *d);

#endif

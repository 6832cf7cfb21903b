/* torch_version.h - which versions of torch can have emitted a wrapper. The wrapper does not say,
 * so this is inferred from forms and flags that changed between versions. */
#ifndef GEN_TORCH_VERSION_H
#define GEN_TORCH_VERSION_H

#include "command/command.h"
#include "command/includes.h"

/* Sets c->least and c->most from the text and from the recorded flags, which must be as recorded.
 */
void torch_version_guess(command *c, const char *at, size_t n, const includes *list);

/* "2.6", "2.9 to 2.11", "2.12 or newer"; NULL where it is unknown. */
const char *torch_version_range(const command *c, arena *a);

/* Says that the headers in use are of another version than the wrapper, and what to do; NULL where
 * the version matches or is unknown. */
const char *torch_version_mismatch(const command *c, arena *a);

/* Warns of a mismatch. */
void torch_version_warn(const command *c, const char *file, arena *a, diags *d);

#endif

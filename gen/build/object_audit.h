/* object_audit.h - what an object file, compiled from an untrusted source, may hold for the linker.
 */
#ifndef GEN_OBJECT_AUDIT_H
#define GEN_OBJECT_AUDIT_H

#include "base/diag.h"

/* Refuses an object with sections for the link-time compiler: they can hold options and assembler
 * text, which read files while linking. `name` is the source, for the message. */
bool object_audit_check(const char *object, const char *name, diags *d);

#endif

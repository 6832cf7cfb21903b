/* object_audit.h - what an object file, compiled from an untrusted source, may hold for the linker.
 */
#ifndef GEN_TOOLCHAIN_OBJECT_AUDIT_H
#define GEN_TOOLCHAIN_OBJECT_AUDIT_H

#include "base/diag.h"
#include <stdint.h>

/* Refuses an object with sections for the link-time compiler: they can hold options and assembler
 * text, which read files while linking. `name` is the source, for the message. */
bool object_audit_check(const char *object, const char *name, diags *d);

/* Refuses objects or a shared object of `made` bytes that are far larger than what they are made
 * of: `of` bytes of text, and `copied` bytes of objects that are linked as they are. */
bool object_audit_check_size(uint64_t made, uint64_t of, uint64_t copied, const char *name,
                             diags *d);

#endif

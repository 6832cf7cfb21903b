/* include_audit.h - which files an untrusted source may read while it is compiled: headers of
 * torch, Python, CUDA, the compiler and the system. The text is checked before a compiler sees it,
 * so that no device is opened and no secret is quoted in a message; afterwards the compiler's own
 * list of the files that it read. */
#ifndef GEN_TOOLCHAIN_INCLUDE_AUDIT_H
#define GEN_TOOLCHAIN_INCLUDE_AUDIT_H

#include "command/command.h"

/* Refuses, naming the line, a text of n bytes in which AOTInductor would never
 * - include by an absolute path (but a cache file of torch, which torch's own header replaces), by
 *   one that climbs, or by a macro; name another file by #line, or have a pragma read one;
 * - ask which files exist, or have a condition in which a header's macro could make that question
 *   of what it is given;
 * - paste tokens, hold assembler text or an attribute that GCC copies into it;
 * - be spelled so that a compiler may see other words in it than this check does. */
bool include_audit_check_text(const char *name, const char *at, size_t n, arena *a, diags *d);

/* The same for what the parser's process made of such a text: anything, where a source takes over
 * the parser. The #line that aotigen writes behind what it inserts is allowed in it. */
bool include_audit_check_instrumented(const char *name, const char *at, size_t n, arena *a,
                                      diags *d);

/* The path for the assembler's list of the files that it read, next to the compiler's
 * `depend_file`. Macros of torch's and the system's headers can make assembler text, which reads
 * files too. */
const char *include_audit_assembler_list(const char *depend_file, arena *a);

/* Adds the files that a compiler's dependency file lists; false if it cannot be read. */
bool include_audit_read_list(strings *files, const char *depend_file, arena *a);

/* The directories that a source with command `c` may include from, links resolved: those of the
 * command, and `more`, in which NULL is skipped. */
strings include_audit_roots(const command *c, const strings *more, arena *a);

/* Reads the lists of compiler and assembler. Refuses a file outside of the include directories of
 * `c` and of `more`, in which NULL is skipped. The assembler also lists the compiler's temporary
 * files, which are gone by now: these may have been in `temporary`. */
bool include_audit_check_files(const char *depend_file, const char *name, const command *c,
                               const strings *more, const char *temporary, arena *a, diags *d);

/* ---- what an object file, compiled from an untrusted source, may hold for the linker */

/* Refuses an object with sections for the link-time compiler: they can hold options and assembler
 * text, which read files while linking. `name` is the source, for the message. */
bool object_audit_check(const char *object, const char *name, diags *d);

/* Refuses objects or a shared object of `made` bytes that are far larger than what they are made
 * of: `of` bytes of text, and `copied` bytes of objects that are linked as they are. */
bool object_audit_check_size(uint64_t made, uint64_t of, uint64_t copied, const char *name,
                             diags *d);

#endif

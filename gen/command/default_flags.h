/* default_flags.h - the flags of a text that records no command, such as PyTorch's JIT emits. */
#ifndef GEN_DEFAULT_FLAGS_H
#define GEN_DEFAULT_FLAGS_H

#include "command/command.h"
#include "command/includes.h"

/* Appends what Inductor's own builder passes for this text with the torch in use, without
 * directories, to c->compile and to c->link. */
void default_flags_compile(command *c, const char *at, size_t n, arena *a);
void default_flags_link(command *c, const includes *list, arena *a);

#endif

/* defaults.h - the flags for a text that records no command, as PyTorch's JIT leaves it. */
#ifndef GEN_DEFAULTS_H
#define GEN_DEFAULTS_H

#include "command/command.h"
#include "command/includes.h"

/* What Inductor's own builder would have given for this text and for the torch that was found: no
 * directories. */
void defaults_compile(command *c, const char *at, size_t n, const includes *list, arena *a);
void defaults_link(command *c, const includes *list, arena *a);

#endif

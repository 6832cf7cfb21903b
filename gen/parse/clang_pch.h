/* pch.h - a precompiled header of the torch headers that a wrapper begins with, kept from one
 * rewrite to the next.
 *
 * Kept in `options.cache` under a name that says all it depends on: the parser's version, the
 * flags, the headers asked for and torch's directory. Whoever finds one that is stale or broken
 * removes it and does without; two processes at once each write their own and rename it into place;
 * a full or unwritable cache is no error.
 */
#ifndef GEN_PCH_H
#define GEN_PCH_H

#include "system/process.h"
#include "parse/translation_unit.h"

/* The file to parse `t` with; NULL where the wrapper includes no such headers, none may be kept or
 * none could be made. `args` are the flags of the parse. Where there is none it is made now and
 * kept, but for a stranger's wrapper (`o->closed`): that is parsed without. */
const char *pch_find(const tu *t, const strings *args, const command *c, const options *o,
                     arena *a);

/* Begins to make, in a process of its own, the one that a stranger's wrapper was parsed without, in
 * the private directory, where the next one finds it: its name, good once process_wait() gives
 * true; NULL where there was one, or none can be made. */
const char *pch_make(process *p, const tu *t, const strings *args, const command *c,
                     const options *o, arena *a);

/* Keeps what pch_make() made, now that all is well. */
void pch_keep(const char *made, const options *o, arena *a);

#endif

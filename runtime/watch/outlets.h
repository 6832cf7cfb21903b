/* outlets.h - where a finding of a watched run goes beside standard error: to the log as an event,
 * and to a container's termination message. Inside the library only. Any thread may call. */
#ifndef AOTIGEN_OUTLETS_H
#define AOTIGEN_OUTLETS_H

#include "watch/capsule.h"

/* output: -1: it is of none. */
void ag_outlet_log(const ag_watched_run *r, const char *kind, int64_t output,
                   const ag_capsule *capsule);

/* Writes the text's first lines to the file of AOTIGEN_TERMINATION_LOG in place of what it has. The
 * file is there already, and is written in place: a container's engine has bound it. */
void ag_outlet_terminate(const char *text);

#endif

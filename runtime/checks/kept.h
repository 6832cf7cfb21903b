/* kept.h - an operator's arguments, which its call must leave as the wrapper goes on to use them.
 * Inside the library only.
 */
#ifndef AOTIGEN_KEPT_H
#define AOTIGEN_KEPT_H

#include "state/run_state.h"

/* After the call, while the record's views are those from before it: did the call give an argument
 * other sizes, strides, another dtype or less memory than the wrapper relies on. Reads no element,
 * asks no device. What to throw, or NULL; an argument that was changed is AG_VIEW_REFUSED then. */
const char *ag_kept_check(aotigen_run *run);

#endif

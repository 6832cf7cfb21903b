/* name_cut.h - a kernel's name as texts show it: a long one is cut in its middle, for its end tells
 * it from others of the same operators. */
#ifndef AOTIGEN_SHARED_NAME_CUT_H
#define AOTIGEN_SHARED_NAME_CUT_H

#include <stdbool.h>

enum { AG_NAME_SHOWN = 240 /* bytes of a name that is shown whole */ };

/* Writes the cut name, with "..." at the cut, which is between characters of UTF-8. False, and
 * nothing is written, if the name is shown whole. */
bool ag_name_cut(char to[AG_NAME_SHOWN + 1], const char *name);

#endif

/* short_name.h - a kernel's name for a report: shared/name_cut.h. Inside the library only. */
#ifndef AOTIGEN_SHORT_NAME_H
#define AOTIGEN_SHORT_NAME_H

/* `name` itself, or the cut name, which lives as long as the library. Any thread may call; not a
 * signal handler. For a name that has to be whole, as in an event or a file's name, it is not. */
const char *ag_short_name(const char *name);

#endif

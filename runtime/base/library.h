/* library.h - the shared library that this copy of the runtime is linked into. Inside the library
 * only. */
#ifndef AOTIGEN_LIBRARY_H
#define AOTIGEN_LIBRARY_H

/* From here on dlclose() leaves the library loaded: something outside will call it later. */
void ag_library_keep(void);

#endif

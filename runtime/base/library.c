/* library.c - see library.h. */
#define _GNU_SOURCE
#include "base/library.h"

#include <dlfcn.h>
#include <stdint.h>

void ag_library_keep(void) {
  Dl_info own;
  if (dladdr((void *)(uintptr_t)&ag_library_keep, &own))
    dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* next.c - see next.h. */
#include "preload/next.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#define NAME_OF(f) [NEXT_##f] = #f,
static const char *const names[NEXT_FUNCTIONS] = {NEXT_EACH(NAME_OF)};
static void *_Atomic found[NEXT_FUNCTIONS];

void *next_find(enum next_function i) {
  void *f = atomic_load_explicit(&found[i], memory_order_relaxed);
  if (f) return f;
  f = dlsym(RTLD_NEXT, names[i]);
  atomic_store_explicit(&found[i], f, memory_order_relaxed);
  return f;
}

void next_find_all(void) {
  const int saved = errno;
  for (int i = 0; i < NEXT_FUNCTIONS; i++) next_find((enum next_function)i);
  errno = saved;
}

long next_lacks(void) {
  errno = ENOSYS;
  return -1;
}

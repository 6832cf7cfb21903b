/* in_arena.h - a unit whose tests have an arena each: `a`. Include it behind unit.h. */
#ifndef T_IN_ARENA_H
#define T_IN_ARENA_H

#include "base/arena.h"

static arena *a __attribute__((unused));

static inline int set_up(void **state) {
  (void)state;
  a = arena_new();
  return 0;
}

static inline int tear_down(void **state) {
  (void)state;
  arena_free(a);
  return 0;
}

#define IN_ARENA(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

#endif

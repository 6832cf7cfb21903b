/* in_arena.h - a unit whose tests have an arena each: `a`. */
#ifndef T_IN_ARENA_H
#define T_IN_ARENA_H

#include "base/arena.h"
#include "test.h"

static arena *a __attribute__((unused));

BEFORE_EACH { a = arena_new(); }

AFTER_EACH { arena_free(a); }

#endif

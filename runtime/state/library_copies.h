/* library_copies.h - the copies of the library in this process, and the one that handles signals.
 * Inside the library only.
 *
 * Each model's shared object has a copy of its own, with all symbols hidden. One copy installs
 * signal handlers for all of them: it knows on which thread a launch of any model is in flight, and
 * models can be unloaded in any order. The copies find each other by an ELF note. */
#ifndef AOTIGEN_LIBRARY_COPIES_H
#define AOTIGEN_LIBRARY_COPIES_H

#include "state/in_flight.h"

/* Raised whenever the struct changes: copies of another version handle signals separately. */
enum { AG_COPIES_VERSION = 3, AG_COPIES = 128, AG_SIGNALS = 7 };

typedef struct ag_library_copy {
  uint32_t version, size;
  int (*say_own)(const ag_crash *c);
  int (*say_others)(const ag_crash *c);
  /* Installs a handler for the signal of this index in place of another copy's, which chained to
   * `before`. */
  void (*take_over)(int index, const struct sigaction *before);
  _Atomic(struct ag_library_copy *) handler; /* for this one, or NULL */
  _Atomic(struct ag_library_copy *)
      all[AG_COPIES]; /* in the handler: the copies that it handles signals for */
  atomic_int readers; /* signal handlers that look at `all` */
} ag_library_copy;

extern ag_library_copy ag_this_library_copy;

/* Calls `change` while no other copy is loaded, unloaded, or changing anything here. others: the
 * copies of other models, n of them. */
void ag_library_copies_change(void (*change)(ag_library_copy *const *others, int n));

/* For the handler, under ag_library_copies_change(). A copy reports by itself if the handler has
 * AG_COPIES already. */
void ag_library_copies_add(ag_library_copy *handler, ag_library_copy *copy);
void ag_library_copies_remove(ag_library_copy *handler, ag_library_copy *copy);

#endif

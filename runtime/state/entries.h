/* entries.h - threads that are in an entry point of a model and have not begun a run yet: a
 * container has a number of models, and gives each run one. aotigen_entry_begin(), of aotigen.h,
 * adds one. Inside the library only. */
#ifndef AOTIGEN_ENTRIES_H
#define AOTIGEN_ENTRIES_H

#include <stdbool.h>

#include "shared/wrapper/aotigen.h"

/* The calling thread begins a run, so that it no longer waits for one. */
void ag_entries_come_to_run(void);

/* ---- for the watchdog's thread -------------------------------------------------------------- */

typedef struct ag_entry_seen {
  int thread;
  unsigned number; /* the number of the entry at this place */
  aotigen_model *model;
  const char *name; /* "AOTInductorModelContainerRun" */
} ag_entry_seen;

int ag_entries_places(void);
/* False if no thread waits at the place. */
bool ag_entries_look(int place, ag_entry_seen *seen);
/* True if the thread still waits where it was seen. */
bool ag_entries_is_there(int place, const ag_entry_seen *seen);

#endif

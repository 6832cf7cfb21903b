/* entries.c - the table of entry points in flight. Only the entry's thread writes to its place. */
#define _GNU_SOURCE
#include "state/entries.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/settings.h"
#include "state/container_calls.h"
#include "state/run_state.h"

enum { PLACES = 256 };

typedef struct entry {
  atomic_bool taken;
  atomic_int thread; /* the waiting thread; 0 if it has begun a run */
  atomic_uint number;
  _Atomic(aotigen_model *) model;
  _Atomic(const char *) name;
} entry;

static entry places[PLACES];
static _Thread_local entry *here;

static entry *take_place(void) {
  for (int i = 0; i < PLACES; i++) {
    bool free = false;
    if (!atomic_load_explicit(&places[i].taken, memory_order_relaxed) &&
        atomic_compare_exchange_strong(&places[i].taken, &free, true))
      return &places[i];
  }
  return NULL;
}

/* True for the entry points that take a model from the container. */
static bool asks_for_model(const char *name) { return strstr(name, "Run") != NULL; }

int aotigen_entry_begin(aotigen_model *model, const char *name) {
  ag_container_call_begin(model, name);
  if (here || !ag_settings_get()->watchdog_us || ag_run_current() || !asks_for_model(name))
    return -1;
  here = take_place();
  if (!here) return -1;
  atomic_fetch_add(&here->number, 1);
  atomic_store(&here->model, model);
  atomic_store(&here->name, name);
  atomic_store(&here->thread, (int)syscall(SYS_gettid));
  return (int)(here - places);
}

void ag_entries_come_to_run(void) {
  if (here) atomic_store(&here->thread, 0);
}

void aotigen_entry_end(int place, int unwinding) {
  ag_container_call_end(unwinding);
  if (place < 0) return;
  here = NULL;
  atomic_store(&places[place].thread, 0);
  atomic_store(&places[place].taken, false);
}

int ag_entries_places(void) { return PLACES; }

bool ag_entries_is_there(int place, const ag_entry_seen *seen) {
  const entry *e = &places[place];
  return atomic_load(&e->thread) == seen->thread && atomic_load(&e->number) == seen->number;
}

bool ag_entries_look(int place, ag_entry_seen *seen) {
  const entry *e = &places[place];
  seen->thread = atomic_load(&e->thread);
  if (!seen->thread) return false;
  seen->number = atomic_load(&e->number);
  seen->model = atomic_load(&e->model);
  seen->name = atomic_load(&e->name);
  return ag_entries_is_there(place, seen);
}

/* debug_runs.h - AOTIGEN_AFTER_CRASH=debug:N: in a process that finds the mark of a crash
 * (crash_mark.h) a debug package's library makes the first N runs of the watched model, in a
 * container of its own beside the model's. Inside the library only. Any thread may call.
 *
 * Both containers use the memory of the model's weights and buffers: what one writes to a buffer,
 * or a host to a weight, the other has. Torch's user-managed constants are that. */
#ifndef AOTIGEN_DEBUG_RUNS_H
#define AOTIGEN_DEBUG_RUNS_H

#include <stdbool.h>
#include <stddef.h>

/* A container was made by AOTInductorModelContainerCreateWithDevice() with these arguments. Where
 * there is a mark, the debug library is made or found now, and the caller waits. */
void ag_debug_runs_note(void *container, size_t models, const char *device, const char *directory);

typedef struct ag_debug_run {
  void *container; /* NULL: the model's own library makes the run */
  void *function;  /* the entry point */
} ag_debug_run;

/* A run begins: who makes it. container: as the host knows it. */
ag_debug_run ag_debug_runs_begin(const void *container, const char *entry);
/* It is over. Does nothing for one of the model's own library. */
void ag_debug_runs_end(const ag_debug_run *r);
/* What the debug library says of the thread's last failure; NULL: it wrote that to standard
 * error. */
const char *ag_debug_runs_error(void);

/* Around a change of the model's constants: no debug run is under way. */
void ag_debug_runs_begin_update(void);
void ag_debug_runs_end_update(void);

/* The container is about to be deleted. */
void ag_debug_runs_forget(const void *container);

#endif

/* watcher.h - the runs that are watched now, and the thread that looks at them. Inside the library
 * only. Any thread may call. */
#ifndef AOTIGEN_WATCHER_H
#define AOTIGEN_WATCHER_H

#include "watch/watched_run.h"

/* A run that the caller may use until ag_watcher_end(). NULL: this one is not watched, by
 * AOTIGEN_EVERY, because too many are not over yet, or because its stream is being captured into a
 * CUDA graph. */
ag_watched_run *ag_watcher_begin(const char *entry, const void *container, void *const *inputs,
                                 size_t n, void *stream);

/* The model has run. True if something in them is bad, and
 * AOTIGEN_ON_FAULT=throw: then the caller waits for it. */
bool ag_watcher_end(ag_watched_run *r, void *const *outputs, size_t n);

/* Its run threw. error: what torch said; NULL: that is not known. */
void ag_watcher_fail(ag_watched_run *r, const char *error);

/* The innermost run that the thread is in; 0: the last one that any thread is in; NULL: none. A
 * signal handler may call. */
ag_watched_run *ag_watcher_find(int thread);

/* True once a run has begun. */
bool ag_watcher_has_run(void);

/* Before a container is deleted: waits, for at most 2 s, until its runs were looked at, and
 * releases what they hold. container: NULL: all. */
void ag_watcher_drain(const void *container);

#endif

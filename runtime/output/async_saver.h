/* async_saver.h - saves tensors from a device to files without making the run wait for either.
 *
 * A device copies elements into a ring of pinned memory, in the order of its stream, and a thread
 * of the library writes them out in the order in which they were handed in. The ring is bounded: a
 * run that hands in more than it holds waits for the files and streams of what came before. Nothing
 * may be handed in once the process ends, since no thread would write it. */
#ifndef AOTIGEN_ASYNC_SAVER_H
#define AOTIGEN_ASYNC_SAVER_H

#include "output/save_file.h"

/* Hands a tensor in, on the thread of its run; its memory may change as soon as the stream goes on.
 * in_memory, device_index, stream: as for fetch() of `async`. `what` and `view` are copied; saved:
 * set to the file, or NULL. Returns NULL, or why it cannot save: then the caller may save the
 * tensor itself. */
const char *ag_async_save(const ag_saving *what, const ag_view *view, bool in_memory,
                          const ag_async *async, int32_t device_index, void *stream,
                          ag_saved_file *saved);

/* The same of a tensor that has the bytes of `file`, which may have been handed in before it. */
const char *ag_async_save_again(const ag_saving *what, const ag_view *view, ag_saved_file *file);

#endif

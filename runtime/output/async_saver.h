/* async_saver.h - tensors on their way from a device to files, without the run waiting for either.
 *
 * A device copies elements into a ring of pinned memory, in the order of its stream, and a thread
 * of the library writes them out in the order in which they were handed in. The ring is bounded: a
 * run that hands in more than it holds waits for the files and streams of what came before. Nothing
 * may be handed in once the process ends: no thread would write it.
 */
#ifndef AOTIGEN_ASYNC_SAVER_H
#define AOTIGEN_ASYNC_SAVER_H

#include "output/save_file.h"

/* Hands a tensor in, on the thread of its run; its memory may change as soon as the stream goes on.
 * in_memory, device_index, stream: as fetch() of `async` takes them. what and view are copied.
 * NULL, or why it cannot be: then nothing will be written, and the caller may. */
const char *ag_async_save(const ag_saving *what, const ag_view *view, bool in_memory,
                          const ag_async *async, int32_t device_index, void *stream);

#endif

/* fake_stream.h - streams of the fake libcuda: work is done at once, or later by a thread, in the
 * order of the stream.
 *
 * A test may give a stream work of its own, as a model's kernel, and lose the device in the midst
 * of it: work behind that is never done, and every call from then on fails.
 */
#ifndef FAKE_STREAM_H
#define FAKE_STREAM_H

#include <stdbool.h>
#include <stddef.h>

/* Sets how long each piece of work takes from now on, in microseconds; 0: it is done before the
 * call returns. */
void fake_late(int microseconds);

/* Copies n bytes of `argument`, which `work` is then called with. */
void fake_work(void *stream, void (*work)(void *), const void *argument, size_t n);

/* Until all that the stream was given is done or dropped. */
void fake_wait(void *stream);
bool fake_busy(void *stream);

/* Nothing more is done on any stream. From within a piece of work, or not. */
void fake_stop(void);

#endif

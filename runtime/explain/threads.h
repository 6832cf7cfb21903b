/* threads.h - arrays in which each thread of a C++ kernel leaves its part of a reduction. Inside
 * the library only.
 *
 * A kernel is interpreted as if its parallel regions had one thread, which OpenMP admits whatever
 * number a region asks for: that thread's part is all of it, and the others' are as they began.
 */
#ifndef AOTIGEN_EXPLAIN_THREADS_H
#define AOTIGEN_EXPLAIN_THREADS_H

#include "explain/graph_read.h"

#define AG_THREADS_NUMBER "omp_get_thread_num"

/* Does the index depend on the thread. */
bool ag_threads_have_part(const ag_graph *g, int32_t index);

/* An array of the kernel's own, of which each thread stores one element. */
bool ag_threads_is_array(const ag_graph *g, int32_t memory);

/* A loop over the elements of such arrays. */
bool ag_threads_is_loop(const ag_graph *g, int32_t loop);

/* Of what such a loop leaves in a variable: the value that a thread stored; -1 of another node. */
int32_t ag_threads_find_stored(const ag_graph *g, int32_t node);

#endif

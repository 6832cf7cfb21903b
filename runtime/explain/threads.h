/* threads.h - arrays in which each thread of a C++ kernel leaves its part of a reduction. Inside
 * the library only.
 *
 * A kernel is interpreted as if its parallel regions had one thread, which OpenMP allows for any
 * number a region asks for. That thread's part is the whole, and the other parts keep their initial
 * values. */
#ifndef AOTIGEN_EXPLAIN_THREADS_H
#define AOTIGEN_EXPLAIN_THREADS_H

#include "explain/graph_read.h"

/* True if the index depends on the thread. */
bool ag_threads_have_part(const ag_graph *g, int32_t index);

/* True for an array of the kernel's own of which each thread stores one element. */
bool ag_threads_is_array(const ag_graph *g, int32_t memory);

/* True for a loop over the elements of such arrays. */
bool ag_threads_is_loop(const ag_graph *g, int32_t loop);

/* The node that a thread stored, for a variable after such a loop; -1 for another node. */
int32_t ag_threads_find_stored(const ag_graph *g, int32_t node);

#endif

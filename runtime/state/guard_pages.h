/* guard_pages.h - memory of the CPU between pages that cannot be accessed. Inside the library only.
 *
 * A region is mapped for one buffer. When the buffer is released its pages cannot be accessed any
 * more, and the addresses are not used again until many others were released: a late access traps,
 * and the address still identifies the buffer. Any thread; ag_guard_pages_explain() may run in a
 * signal handler. */
#ifndef AOTIGEN_GUARD_PAGES_H
#define AOTIGEN_GUARD_PAGES_H

#include <stdbool.h>

#include "base/raw_text.h"
#include "state/buffers.h"

/* Sets b->memory, front, back and t.data for b->bytes bytes: right before the inaccessible pages
 * behind them, except for the alignment of torch's own allocator; or, with `before`, right behind
 * those before them. Returns NULL, or why there is no memory. */
const char *ag_guard_pages_take(ag_buffer *b, bool before);
void ag_guard_pages_release(ag_buffer *b);

/* Describes the buffer of the address: "4 bytes behind the end of 'buf0': element 961, it has 960
 * of float32, allocated in run 1 after launch 2". False if it is in no region. */
bool ag_guard_pages_explain(ag_raw_text *to, const void *address);

#endif

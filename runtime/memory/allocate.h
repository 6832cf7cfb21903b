/* allocate.h - the memory of the wrapper's buffers, guarded. Inside the library only.
 *
 * Red zones and poison are filled here. In the order of a launch: launch/zones.c plans which memory
 * is compared with the pattern; memory/unwritten.h and memory/overwritten.h report what the scan
 * found; memory/zone_report.h describes the buffer; memory/retired.h fills it when it is released.
 */
#ifndef AOTIGEN_ALLOCATE_H
#define AOTIGEN_ALLOCATE_H

#include "state/buffers.h"

/* The fill of the elements with four bytes, from a multiple of 4 on; up to 3 bytes at the end are
 * not filled. */
ag_fill ag_buffer_fill_of(const ag_buffer *b, uint32_t word);
/* Has the run's stream fill the elements. NULL, or why it cannot; static, or the backend's. */
const char *ag_buffer_fill(const ag_buffer *b, const aotigen_run *run, uint32_t word);

/* Frees the buffer and its memory. */
void ag_buffer_free(ag_buffer *b);

#endif

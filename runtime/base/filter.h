/* filter.h - which launch sites are wanted.
 *
 * A list of patterns separated by commas, in any case; each is held against the kernel's name, its
 * ATen ops and its source nodes. A pattern matches a whole name, with * and ? as in a shell; an op
 * also answers to its name without 'aten.'. '!' before a pattern excludes what it matches; with
 * exclusions alone everything else is in. The empty list is everything.
 */
#ifndef AOTIGEN_FILTER_H
#define AOTIGEN_FILTER_H

#include <stdbool.h>

/* aten, nodes: names separated by ", ", "" or NULL where none are known. A list of NULL is empty.
 */
bool ag_filter(const char *list, const char *kernel, const char *aten, const char *nodes);

#endif

/* filter.h - selects launch sites by patterns.
 *
 * A list holds patterns separated by commas. Each is compared, ignoring case, with the kernel's
 * name, its ATen ops and its source nodes, and must match a whole name; * and ? are wildcards as in
 * a shell; 'aten.' before an op may be left out. '!' before a pattern excludes what it matches. A
 * list of exclusions alone selects the rest; an empty list selects everything.
 */
#ifndef AOTIGEN_FILTER_H
#define AOTIGEN_FILTER_H

#include <stdbool.h>
#include <stddef.h>

/* Does the list select the site. aten, nodes: names separated by commas, "" or NULL for none. A
 * list of NULL is empty; empty patterns are skipped. */
bool ag_filter_matches(const char *list, const char *kernel, const char *aten, const char *nodes);

/* The next pattern of *list, which moves past it, without its '!' and not ended by NUL; it may be
 * empty. False at the list's end. */
bool ag_filter_next(const char **list, const char **pattern, size_t *n, bool *excludes);

/* False where a '!' excludes nothing. */
bool ag_filter_is_valid(const char *list);

#endif

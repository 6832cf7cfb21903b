/* filter.h - selects launch sites by patterns.
 *
 * A list holds patterns separated by commas. Each is compared, ignoring case, with the kernel's
 * name, its ATen ops, its source nodes, the places of its model lines ("model.py:15", with or
 * without folders) and their modules, and must match a whole name; * and ? are wildcards as in a
 * shell; 'aten.' before an op may be omitted. A module's path also selects what is in the module,
 * and "encoder.layers.3.*" the module itself. '!' before a pattern excludes what it matches. A list
 * of only exclusions selects the rest; an empty list selects everything. */
#ifndef AOTIGEN_SHARED_FILTER_H
#define AOTIGEN_SHARED_FILTER_H

#include "shared/glob.h"
#include "shared/wrapper/aotigen_tables.h"

/* True if the list selects the site. aten, nodes: names separated by commas, "" or NULL for none. A
 * list of NULL is empty; empty patterns are skipped. */
bool ag_filter_matches(const char *list, const char *kernel, const char *aten, const char *nodes);

/* The same for a site, with the lines of the model that it computes. */
bool ag_filter_selects(const char *list, const aotigen_site *site);

/* Reads the next pattern of *list, without its '!', and advances *list. The pattern does not end
 * with NUL, and may be empty. False at the list's end. */
bool ag_filter_next(const char **list, const char **pattern, size_t *n, bool *excludes);

/* False if a '!' excludes nothing. */
bool ag_filter_is_valid(const char *list);
bool ag_filter_part_is_valid(ag_slice list);

#endif

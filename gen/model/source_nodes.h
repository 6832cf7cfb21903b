/* source_nodes.h - the source nodes and ATen ops that a launch came from, which messages name next
 * to the kernel. Part of the model stage. */
#ifndef GEN_SOURCE_NODES_H
#define GEN_SOURCE_NODES_H

#include "model/model.h"

/* Assigns each `Source Nodes: [...], Original ATen: [...]` comment to the first launch after it. A
 * C++ kernel has no such comment: its names are guessed from the kernel's name. */
void source_nodes_read(model *m, arena *a);

/* The first site whose call is in [begin, end) of the text, or NULL. The sites are in source order:
 * a comment belongs to the next one. */
site *source_nodes_next_site(const model *m, size_t begin, size_t end);

#endif

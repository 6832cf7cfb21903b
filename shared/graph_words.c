/* graph_words.c - see graph_words.h. */
#include "shared/graph_words.h"

#define LETTER(constant, letter, ...) letter,
const char ag_graph_type_letters[] = {GRAPH_TYPES(LETTER) '\0'};
const char ag_graph_node_letters[] = {GRAPH_NODES(LETTER) '\0'};
const char ag_graph_loop_letters[] = {GRAPH_LOOPS(LETTER) '\0'};
const char ag_graph_access_letters[] = {GRAPH_ACCESSES(LETTER) '\0'};

#define NAME(constant, letter, name, ...) name,
const char *const ag_graph_loop_names[] = {GRAPH_LOOPS(NAME)};
const char *const ag_graph_access_names[] = {GRAPH_ACCESSES(NAME)};

const char *ag_graph_type_name(graph_type t) {
  static const char *const names[] = {GRAPH_TYPES(NAME)};
  return names[t];
}

int ag_graph_type_bytes(graph_type t) {
#define BYTES(constant, letter, name, bytes) bytes,
  static const signed char sizes[] = {GRAPH_TYPES(BYTES)};
  return sizes[t];
}

bool ag_graph_type_is_float(graph_type t) { return t >= GRAPH_WEAK_FLOAT; }

/* container_api.h - torch's entry points that tell the constants of a container: its weights and
 * buffers. Inside the library only. Any thread may call.
 *
 * Up to torch 2.14 they give and take a std::unordered_map. It is read here as libstdc++ lays it
 * out, and not at all where torch's library uses another C++ library. */
#ifndef AOTIGEN_CONTAINER_API_H
#define AOTIGEN_CONTAINER_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Torch's AOTInductorConstantMapEntry. */
typedef struct ag_constant_entry {
  const char *name;
  void *handle;
} ag_constant_entry;

/* Torch's std::unordered_map<std::string, AtenTensorHandle>. */
typedef struct ag_constant_node {
  struct ag_constant_node *next;
  char *text;
  size_t length;
  char small[16];
  void *handle;
  size_t hash;
} ag_constant_node;

typedef struct ag_constant_map {
  ag_constant_node **buckets;
  size_t bucket_count;
  ag_constant_node *first;
  size_t count;
  float load_factor;
  size_t resizes_at;
  ag_constant_node *single;
} ag_constant_map;

typedef struct ag_container_api {
  int32_t (*count)(void *container, size_t *n);
  int32_t (*name)(void *container, size_t i, const char **name);
  int32_t (*fqn)(void *container, size_t i, const char **fqn);
  int32_t (*folded)(void *container, size_t i, bool *folded);
  int32_t (*type)(void *container, size_t i, int32_t *type);
  int32_t (*extract)(void *container, void *map, bool inactive);
  int32_t (*extract_entries)(void *container, const ag_constant_entry **entries, size_t *n,
                             bool inactive);
  bool reads_maps; /* its maps are libstdc++'s */
} ag_container_api;

/* NULL if this torch does not tell them. */
const ag_container_api *ag_container_api_get(void);

/* The entry behind it in a map of torch's; NULL at the end, and where it is no such map. */
const ag_constant_node *ag_constant_map_first(const void *map);
const ag_constant_node *ag_constant_map_next(const ag_constant_node *node);

/* A map of these entries, which torch reads: their names stay the caller's. NULL if torch's are
 * others, or there is no memory. */
ag_constant_map *ag_constant_map_make(const ag_constant_entry *entries, size_t n);
void ag_constant_map_free(ag_constant_map *map);

/* An empty map, which torch fills; its entries are freed. */
void ag_constant_map_begin(ag_constant_map *map);
void ag_constant_map_end(ag_constant_map *map);

#endif

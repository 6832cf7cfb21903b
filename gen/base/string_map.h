/* string_map.h - a hash map from names to pointers or to indices.
 *
 * Lives in an arena and is freed with it. Keys are not copied: they must live as long as the map.
 * A key keeps the value that it was first put with. Not thread-safe.
 */
#ifndef GEN_STRING_MAP_H
#define GEN_STRING_MAP_H

#include "base/arena.h"

typedef struct string_map string_map;

#define STRING_MAP_NONE ((size_t)-1)

string_map *string_map_create(arena *a);

/* True where `key` is new; false, and the map is unchanged, where it has a value already. */
bool string_map_put(string_map *m, const char *key, const void *value);
bool string_map_put_index(string_map *m, const char *key, size_t index);

/* The value of `key`; NULL, or STRING_MAP_NONE, where it has none. One map holds pointers only or
 * indices only. */
void *string_map_get(const string_map *m, const char *key);
size_t string_map_index(const string_map *m, const char *key);

size_t string_map_count(const string_map *m);

#endif

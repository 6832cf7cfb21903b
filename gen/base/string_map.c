/* string_map.c - see string_map.h. Open addressing with linear probing, at most half full. */
#include "base/string_map.h"
#include <stdint.h>
#include <string.h>

typedef struct entry {
  const char *key; /* NULL: free */
  uint64_t hash;
  uintptr_t value;
} entry;

struct string_map {
  arena *a;
  entry *at;
  size_t n, cap; /* cap is a power of two */
};

enum { FIRST_CAP = 16 };

string_map *string_map_create(arena *a) {
  string_map *m = arena_alloc(a, sizeof *m);
  m->a = a;
  m->cap = FIRST_CAP;
  m->at = arena_alloc(a, m->cap * sizeof *m->at);
  return m;
}

/* FNV-1a, started from the map's address: where that is random, a file cannot hold keys that are
 * made to collide. */
static uint64_t hash_key(const string_map *m, const char *key) {
  uint64_t h = 0xcbf29ce484222325u ^ (uintptr_t)m;
  for (; *key; key++) h = (h ^ (unsigned char)*key) * 0x100000001b3u;
  return h ^ h >> 32;
}

/* The entry of `key`, or the free one where it would go. */
static entry *find_entry(const string_map *m, const char *key, uint64_t hash) {
  size_t i = hash & (m->cap - 1);
  while (m->at[i].key && (m->at[i].hash != hash || strcmp(m->at[i].key, key) != 0))
    i = (i + 1) & (m->cap - 1);
  return &m->at[i];
}

static void grow_map(string_map *m) {
  entry *old = m->at;
  size_t n = m->cap;
  m->cap *= 2;
  m->at = arena_alloc(m->a, m->cap * sizeof *m->at);
  for (size_t i = 0; i < n; i++)
    if (old[i].key) *find_entry(m, old[i].key, old[i].hash) = old[i];
}

static bool put_value(string_map *m, const char *key, uintptr_t value) {
  uint64_t hash = hash_key(m, key);
  if (find_entry(m, key, hash)->key) return false;
  if (++m->n > m->cap / 2) grow_map(m);
  *find_entry(m, key, hash) = (entry){key, hash, value};
  return true;
}

bool string_map_put(string_map *m, const char *key, const void *value) {
  return put_value(m, key, (uintptr_t)value);
}

bool string_map_put_index(string_map *m, const char *key, size_t index) {
  return put_value(m, key, index);
}

void *string_map_get(const string_map *m, const char *key) {
  const entry *e = find_entry(m, key, hash_key(m, key));
  return e->key ? (void *)e->value : NULL;
}

size_t string_map_index(const string_map *m, const char *key) {
  const entry *e = find_entry(m, key, hash_key(m, key));
  return e->key ? e->value : STRING_MAP_NONE;
}

size_t string_map_count(const string_map *m) { return m->n; }

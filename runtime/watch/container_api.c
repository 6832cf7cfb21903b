/* container_api.c - see container_api.h. */
#define _GNU_SOURCE
#include "watch/container_api.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 4096 }; /* a name of torch's is shorter: what is longer is no std::string */

/* ---- entry points --------------------------------------------------------------------------- */

static ag_container_api found;
static const ag_container_api *given; /* for tests */

/* True if the library that has the function needs libstdc++. */
static bool needs_libstdcxx(const void *function) {
  Dl_info info;
  struct link_map *library = NULL;
  const char *strings = NULL;
  if (!function || !dladdr1(function, &info, (void **)&library, RTLD_DL_LINKMAP) || !library)
    return false;
  for (const ElfW(Dyn) *d = library->l_ld; d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB) strings = (const char *)d->d_un.d_ptr;
  for (const ElfW(Dyn) *d = library->l_ld; strings && d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_NEEDED && !strncmp(strings + d->d_un.d_val, "libstdc++.so", 12)) return true;
  return false;
}

static void find_api(void) {
  ag_container_api *a = &found;
#define FIND(field, name) *(void **)&a->field = dlsym(RTLD_NEXT, "AOTInductorModelContainer" name)
  FIND(count, "GetNumConstants");
  FIND(name, "GetConstantName");
  FIND(fqn, "GetConstantOriginalFQN");
  FIND(folded, "GetConstantFromFolded");
  FIND(type, "GetConstantType");
  FIND(extract, "ExtractConstantsMap");
  FIND(extract_entries, "ExtractConstantsMapEntries");
#undef FIND
  a->reads_maps = needs_libstdcxx(*(void **)&a->count);
}

void ag_container_api_give(const ag_container_api *api);
void ag_container_api_give(const ag_container_api *api) { given = api; }

const ag_container_api *ag_container_api_get(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_api);
  const ag_container_api *a = given ? given : &found;
  const bool extracts = a->extract_entries || (a->extract && a->reads_maps);
  return a->count && a->name && a->fqn && a->folded && a->type && extracts ? a : NULL;
}

/* ---- maps ----------------------------------------------------------------------------------- */

/* With libstdc++'s earlier std::string the length would be an address. */
static const ag_constant_node *check(const ag_constant_node *node) {
  const bool ok = node && node->text && node->length <= NAME_MOST &&
                  strnlen(node->text, node->length + 1) == node->length;
  return ok ? node : NULL;
}

const ag_constant_node *ag_constant_map_first(const void *map) {
  return map ? check(((const ag_constant_map *)map)->first) : NULL;
}

const ag_constant_node *ag_constant_map_next(const ag_constant_node *node) {
  return check(node->next);
}

void ag_constant_map_begin(ag_constant_map *map) {
  *map = (ag_constant_map){.bucket_count = 1, .load_factor = 1};
  map->buckets = &map->single;
}

/* C++'s operator delete, the one that torch's library gets, too. */
__attribute__((weak)) void ag_cxx_delete(void *memory) __asm__("_ZdlPv");

void ag_constant_map_end(ag_constant_map *map) {
  if (!ag_cxx_delete) return;
  for (ag_constant_node *node = map->first, *next; node; node = next) {
    next = node->next;
    if (check(node) && node->text != node->small) ag_cxx_delete(node->text);
    ag_cxx_delete(node);
  }
  if (map->buckets != &map->single) ag_cxx_delete(map->buckets);
}

/* The hash of libstdc++'s std::string. */
__attribute__((weak)) size_t ag_cxx_hash(const void *bytes, size_t n,
                                         size_t seed) __asm__("_ZSt11_Hash_bytesPKvmm");

/* All entries have one bucket, whose begin is what stands before the first. The nodes lie behind
 * the map. */
ag_constant_map *ag_constant_map_make(const ag_constant_entry *entries, size_t n) {
  static const size_t seed = 0xc70f6907;
  const ag_container_api *api = ag_container_api_get();
  ag_constant_map *map = api && api->reads_maps && ag_cxx_hash
                             ? calloc(1, sizeof *map + n * sizeof(ag_constant_node))
                             : NULL;
  if (!map) return NULL;
  ag_constant_node *nodes = (ag_constant_node *)(map + 1);
  ag_constant_map_begin(map);
  for (size_t i = 0; i < n; i++) {
    const size_t length = strlen(entries[i].name);
    nodes[i] = (ag_constant_node){.next = i + 1 < n ? &nodes[i + 1] : NULL,
                                  .text = (char *)(uintptr_t)entries[i].name,
                                  .length = length,
                                  .handle = entries[i].handle,
                                  .hash = ag_cxx_hash(entries[i].name, length, seed)};
  }
  map->first = n ? nodes : NULL;
  map->count = n;
  if (n) map->single = (ag_constant_node *)&map->first;
  return map;
}

void ag_constant_map_free(ag_constant_map *map) { free(map); }

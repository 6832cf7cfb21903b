/* mapped.c - see mapped.h. */
#define _GNU_SOURCE
#include "cuda/mapped.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/driver.h"

/* CUmemLocation, CUmemAllocationProp, CUmemAccessDesc. */
typedef struct location {
  int type, id;
} location;

typedef struct allocation {
  int type, handle_types;
  location where;
  void *metadata;
  unsigned char compression, rdma;
  unsigned short usage;
  unsigned char reserved[4];
} allocation;

typedef struct access {
  location where;
  int flags;
} access;

/* The values of these names in cuda.h. */
enum { PINNED = 1, ON_DEVICE = 1, READ_WRITE = 3, MINIMUM = 0 };

#define MAPPING_FUNCTIONS(X)                                                                       \
  X(cuMemGetAllocationGranularity, (size_t * bytes, const allocation *a, int option))              \
  X(cuMemAddressReserve, (ag_cuda_address * at, size_t bytes, size_t alignment,                    \
                          ag_cuda_address wanted, unsigned long long flags))                       \
  X(cuMemCreate,                                                                                   \
    (unsigned long long *handle, size_t bytes, const allocation *a, unsigned long long flags))     \
  X(cuMemMap, (ag_cuda_address at, size_t bytes, size_t offset, unsigned long long handle,         \
               unsigned long long flags))                                                          \
  X(cuMemSetAccess, (ag_cuda_address at, size_t bytes, const access *a, size_t n))                 \
  X(cuMemUnmap, (ag_cuda_address at, size_t bytes))                                                \
  X(cuMemRelease, (unsigned long long handle))                                                     \
  X(cuMemAddressFree, (ag_cuda_address at, size_t bytes))

#define MEMBER(name, parameters) int(*name) parameters;
static struct { MAPPING_FUNCTIONS(MEMBER) } cu;
#undef MEMBER

typedef struct mapping {
  struct mapping *next;
  int32_t device_index;
  void *stream; /* in whose order the memory is used */
  bool used;
  ag_cuda_address memory;
  size_t inner; /* the bytes between the gaps */
} mapping;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list and `used` */
static mapping *all;

static const char *find_functions(void) {
  static pthread_mutex_t finding = PTHREAD_MUTEX_INITIALIZER;
  static const char *lacks;
  static bool found;
  pthread_mutex_lock(&finding);
  void *library = found ? NULL : dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD), *at;
  if (library) {
#define FIND(name, parameters)                                                                     \
  at = dlsym(library, #name);                                                                      \
  if (!at && !lacks) lacks = #name;                                                                \
  memcpy(&cu.name, &at, sizeof at);
    MAPPING_FUNCTIONS(FIND)
#undef FIND
    found = true;
  }
  const char *missing = found ? lacks : "libcuda.so.1";
  pthread_mutex_unlock(&finding);
  return missing;
}

static mapping *find_mapping(int32_t device_index, const void *stream, size_t inner) {
  mapping *m = all;
  while (m &&
         (m->used || m->device_index != device_index || m->stream != stream || m->inner != inner))
    m = m->next;
  if (m) m->used = true;
  return m;
}

/* The three functions below undo their earlier steps if a later one fails. */

/* Maps the memory of the handle at m->memory. */
static const char *map_memory(ag_cuda_scope *scope, const mapping *m, unsigned long long handle,
                              location where) {
  const access both = {where, READ_WRITE};
  const char *why =
      ag_cuda_failed(scope, "cuMemMap", cu.cuMemMap(m->memory, m->inner, 0, handle, 0));
  if (why) return why;
  why = ag_cuda_failed(scope, "cuMemSetAccess", cu.cuMemSetAccess(m->memory, m->inner, &both, 1));
  if (why) cu.cuMemUnmap(m->memory, m->inner);
  return why;
}

/* Allocates memory, and maps it at m->memory. */
static const char *back_addresses(ag_cuda_scope *scope, const mapping *m, const allocation *a) {
  unsigned long long handle = 0;
  const char *why = ag_cuda_failed(scope, "cuMemCreate", cu.cuMemCreate(&handle, m->inner, a, 0));
  if (why) return why;
  why = map_memory(scope, m, handle, a->where);
  cu.cuMemRelease(handle); /* a mapping keeps its memory alive */
  return why;
}

/* Reserves addresses, and maps m->inner bytes of memory between two gaps. Sets m->memory. */
static const char *make_mapping(ag_cuda_scope *scope, const allocation *a, size_t gap, mapping *m) {
  ag_cuda_address begin = 0;
  const size_t reserved = m->inner + 2 * gap;
  const char *why = ag_cuda_failed(scope, "cuMemAddressReserve",
                                   cu.cuMemAddressReserve(&begin, reserved, 0, 0, 0));
  if (why) return why;
  m->memory = begin + gap;
  why = back_addresses(scope, m, a);
  if (why) cu.cuMemAddressFree(begin, reserved);
  return why;
}

/* Takes a mapping of at least so many bytes on the scope's device, one that was given back or a new
 * one. */
static const char *take_mapping(ag_cuda_scope *scope, void *stream, size_t bytes, mapping **taken) {
  enum { GAPS = 64 }; /* granules of 2 MiB that cannot be accessed, on each side */
  allocation a = {.type = PINNED, .where = {ON_DEVICE, scope->device->device}};
  size_t granule = 0;
  const char *why = ag_cuda_failed(scope, "cuMemGetAllocationGranularity",
                                   cu.cuMemGetAllocationGranularity(&granule, &a, MINIMUM));
  if (why || !granule) return why ? why : "the driver has no granularity";
  size_t inner = (bytes + granule - 1) / granule * granule;
  pthread_mutex_lock(&lock);
  mapping *m = find_mapping(scope->device->index, stream, inner);
  pthread_mutex_unlock(&lock);
  *taken = m;
  if (m) return NULL;
  m = calloc(1, sizeof *m);
  if (!m) return "no memory";
  *m = (mapping){
      .device_index = scope->device->index, .stream = stream, .used = true, .inner = inner};
  why = make_mapping(scope, &a, GAPS * granule, m);
  if (why) {
    free(m);
    return why;
  }
  pthread_mutex_lock(&lock);
  m->next = all;
  all = m;
  pthread_mutex_unlock(&lock);
  *taken = m;
  return NULL;
}

const char *ag_cuda_map(int32_t device_index, void *stream, size_t bytes, void **memory,
                        size_t *inner) {
  ag_cuda_scope scope;
  mapping *m;
  const char *lacks = find_functions();
  if (lacks) return ag_cuda_message("this driver has no %s", lacks);
  const char *why = ag_cuda_enter_apart(&scope, device_index);
  if (why) return why;
  why = take_mapping(&scope, stream, bytes, &m);
  ag_cuda_leave(&scope);
  if (why) return why;
  *memory = (void *)(uintptr_t)m->memory;
  *inner = m->inner;
  return NULL;
}

void ag_cuda_unmap(void *memory) {
  pthread_mutex_lock(&lock);
  for (mapping *m = all; m; m = m->next)
    if (m->memory == (uintptr_t)memory) m->used = false;
  pthread_mutex_unlock(&lock);
}

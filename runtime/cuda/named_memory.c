/* named_memory.c - see named_memory.h. */
#define _GNU_SOURCE
#include "cuda/named_memory.h"

#include <stdlib.h>

#include "base/nvtx.h"
#include "cuda/driver.h"

/* LEAST: the smallest allocation. GAP: bytes between the parts, so that an access behind one does
 * not meet the next. */
enum { LEAST = 64 << 20, ALIGNED = 512, GAP = 4096 };

/* A whole allocation. */
typedef struct named_heap {
  struct named_heap *next;
  int32_t device_index;
  void *heap; /* the tool's */
  ag_cuda_address begin;
  size_t bytes, used;
} named_heap;

typedef struct named_part {
  struct named_part *next;
  const named_heap *heap;
  void *stream; /* in whose order the memory is used */
  ag_cuda_address begin;
  size_t room; /* bytes, rounded up to ALIGNED */
  bool used;
} named_part;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards both lists */
static named_heap *heaps;
static named_part *parts;
static bool nothing_listens;

/* ---- allocations ---------------------------------------------------------------------------- */

static const char *allocate_heap(ag_cuda_scope *scope, size_t room, named_heap **made) {
  named_heap *h = calloc(1, sizeof *h);
  if (!h) return "no memory";
  h->device_index = scope->device->index;
  h->bytes = room + 2 * GAP > LEAST ? room + 2 * GAP : LEAST;
  h->used = GAP;
  const char *why = ag_cuda_failed(scope, "cuMemAlloc", scope->cu->cuMemAlloc(&h->begin, h->bytes));
  if (!why) h->heap = ag_nvtx_heap((void *)(uintptr_t)h->begin, h->bytes);
  if (why || !h->heap) { /* device memory is never freed: that would wait for the whole device */
    nothing_listens = !why;
    free(h);
    return why;
  }
  h->next = heaps;
  heaps = h;
  *made = h;
  return NULL;
}

/* Finds a heap with so much room at its end; *found stays NULL if no tool listens. */
static const char *find_heap(ag_cuda_scope *scope, size_t room, named_heap **found) {
  for (named_heap *h = heaps; h; h = h->next)
    if (h->device_index == scope->device->index && h->bytes - h->used >= room + GAP) {
      *found = h;
      return NULL;
    }
  return nothing_listens ? NULL : allocate_heap(scope, room, found);
}

/* ---- parts ---------------------------------------------------------------------------------- */

static named_part *find_part(int32_t device_index, const void *stream, size_t room) {
  for (named_part *p = parts; p; p = p->next)
    if (!p->used && p->room == room && p->stream == stream && p->heap->device_index == device_index)
      return p;
  return NULL;
}

static const char *make_part(ag_cuda_scope *scope, void *stream, size_t room, named_part **made) {
  named_heap *h = NULL;
  const char *why = find_heap(scope, room, &h);
  named_part *p = why || !h ? NULL : calloc(1, sizeof *p);
  if (!p) return why || !h ? why : "no memory";
  *p = (named_part){
      .next = parts, .heap = h, .stream = stream, .begin = h->begin + h->used, .room = room};
  h->used += room + GAP;
  parts = p;
  *made = p;
  return NULL;
}

const char *ag_cuda_take_named(int32_t device_index, void *stream, size_t bytes, const char *name,
                               void **memory) {
  const size_t room = (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
  ag_cuda_scope scope;
  *memory = NULL;
  const char *why = ag_cuda_enter_apart(&scope, device_index);
  if (why) return why;
  pthread_mutex_lock(&lock);
  named_part *p = find_part(device_index, stream, room);
  if (!p) why = make_part(&scope, stream, room, &p);
  if (p) {
    p->used = true;
    *memory = (void *)(uintptr_t)p->begin;
    ag_nvtx_region(p->heap->heap, *memory, bytes, name);
  }
  pthread_mutex_unlock(&lock);
  ag_cuda_leave(&scope);
  return why;
}

static void await_stream(const named_part *p) {
  ag_cuda_scope scope;
  if (ag_cuda_enter_apart(&scope, p->heap->device_index)) return;
  ag_cuda_failed(&scope, "cuStreamSynchronize", scope.cu->cuStreamSynchronize(p->stream));
  ag_cuda_leave(&scope);
}

void ag_cuda_give_named(void *memory) {
  pthread_mutex_lock(&lock);
  named_part *p = parts;
  while (p && p->begin != (uintptr_t)memory) p = p->next;
  pthread_mutex_unlock(&lock);
  if (!p) return;
  await_stream(p);
  pthread_mutex_lock(&lock);
  ag_nvtx_end_region(memory);
  p->used = false;
  pthread_mutex_unlock(&lock);
}

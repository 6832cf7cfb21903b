/* guard_pages.c - see guard_pages.h. */
#define _GNU_SOURCE
#include "state/guard_pages.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* GAP: bytes before and behind the memory that cannot be accessed: addresses, no memory. REGIONS:
 * that are told apart; each takes three of the 65,530 mappings that Linux gives a process. LANES:
 * of the longest vector that Inductor's kernels load: elements of two bytes in a register of 64. */
enum { ALIGNED = 64, REGIONS = 4096, LANES = 32 };
static const size_t gap = 16 << 20;

/* A region has one writer at a time, the one that set `state` to REGION_TAKEN. The handler reads
 * LIVE and RELEASED regions. */
enum { REGION_FREE, REGION_TAKEN, REGION_LIVE, REGION_RELEASED };

typedef struct region {
  atomic_int state;
  atomic_ullong age; /* for RELEASED: the oldest is reused first */
  char *begin;       /* the start of the mapping, including gaps */
  size_t bytes;      /* its size */
  char *data;
  size_t data_bytes;
  const char *name, *dtype;
  unsigned item_size;
  uint64_t run, launch; /* that it was allocated behind */
  bool in_run;          /* it was released in its run, */
  uint64_t after;       /* behind this launch; 0: before the first */
} region;

static region regions[REGIONS];
static atomic_ullong released_ever;

static bool try_take(region *r, int from) {
  return atomic_compare_exchange_strong(&r->state, &from, REGION_TAKEN);
}

/* Finds the region that was released first. */
static region *find_oldest(void) {
  region *oldest = NULL;
  for (region *r = regions; r < regions + REGIONS; r++)
    if (atomic_load(&r->state) == REGION_RELEASED &&
        (!oldest || atomic_load(&r->age) < atomic_load(&oldest->age)))
      oldest = r;
  return oldest;
}

/* Retries, since another thread may take the region that was found. */
static region *take_oldest(void) {
  region *oldest = find_oldest();
  while (oldest && !try_take(oldest, REGION_RELEASED)) oldest = find_oldest();
  if (oldest) munmap(oldest->begin, oldest->bytes);
  return oldest;
}

static region *take_region(void) {
  for (region *r = regions; r < regions + REGIONS; r++)
    if (atomic_load(&r->state) == REGION_FREE && try_take(r, REGION_FREE)) return r;
  return take_oldest();
}

static const char *map_region(region *r, size_t inner) {
  r->bytes = inner + 2 * gap;
  r->begin = mmap(NULL, r->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (r->begin == MAP_FAILED) return strerror(errno);
  if (!mprotect(r->begin + gap, inner, PROT_READ | PROT_WRITE)) return NULL;
  int error = errno;
  munmap(r->begin, r->bytes);
  return strerror(error);
}

/* The bytes behind the elements that the last vector of a loop loads and does not use. */
static size_t slack_of(const ag_buffer *b) {
  size_t vector = (size_t)LANES * b->t.dtype->item_size;
  return !b->row->vectors ? 0 : vector > ALIGNED ? vector : ALIGNED;
}

const char *ag_guard_pages_take(ag_buffer *b, bool before) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t taken = (b->memory.bytes + ALIGNED - 1) / ALIGNED * ALIGNED + slack_of(b),
               inner = (taken + page - 1) / page * page;
  region *r = take_region();
  if (!r)
    return "all regions with pages of their own are in use; name the buffers: --guard=page:NAME";
  const char *why = map_region(r, inner);
  if (why) {
    atomic_store(&r->state, REGION_FREE);
    return why;
  }
  b->memory.begin = r->begin + gap;
  b->memory.front = before ? 0 : inner - taken;
  b->memory.back = inner - b->memory.front - b->memory.bytes;
  b->t.data = r->data = b->memory.begin + b->memory.front;
  r->data_bytes = b->memory.bytes;
  r->name = b->row->name;
  r->dtype = b->t.dtype->name;
  r->item_size = b->t.dtype->item_size;
  r->run = b->run;
  r->launch = b->launch;
  atomic_store(&r->state, REGION_LIVE);
  return NULL;
}

void ag_guard_pages_release(ag_buffer *b) {
  for (region *r = regions; r < regions + REGIONS; r++) {
    if (atomic_load(&r->state) != REGION_LIVE || r->begin + gap != b->memory.begin) continue;
    r->in_run = b->release.done;
    r->after = b->release.launch;
    madvise(b->memory.begin, r->bytes - 2 * gap, MADV_DONTNEED);
    mprotect(b->memory.begin, r->bytes - 2 * gap, PROT_NONE);
    atomic_store(&r->age, atomic_fetch_add(&released_ever, 1));
    atomic_store(&r->state, REGION_RELEASED);
    return;
  }
}

/* ---- for a signal handler ------------------------------------------------------------------- */

static void add_place(ag_raw_text *to, const region *r, const char *at) {
  if (at < r->data) {
    ag_raw_add_number(to, r->data - at);
    ag_raw_add(to, " bytes before the begin of '");
  } else if (at >= r->data + r->data_bytes) {
    ag_raw_add_number(to, at - (r->data + r->data_bytes));
    ag_raw_add(to, " bytes behind the end of '");
  } else {
    ag_raw_add(to, "in '");
  }
  ag_raw_add_some(to, r->name, 64);
  ag_raw_add(to, "': element ");
  ptrdiff_t offset = at - r->data, item = (ptrdiff_t)r->item_size;
  ag_raw_add_number(to, offset / item - (offset % item < 0));
  ag_raw_add(to, ", it has ");
  ag_raw_add_number(to, (int64_t)(r->data_bytes / r->item_size));
  ag_raw_add(to, " of ");
  ag_raw_add(to, r->dtype);
}

static void add_launch(ag_raw_text *to, uint64_t launch) {
  ag_raw_add(to, launch ? " after launch " : " before the first launch");
  if (launch) ag_raw_add_number(to, (int64_t)launch);
}

bool ag_guard_pages_explain(ag_raw_text *to, const void *address) {
  const char *at = address;
  for (region *r = regions; r < regions + REGIONS; r++) {
    int state = atomic_load(&r->state);
    if (state != REGION_LIVE && state != REGION_RELEASED) continue;
    if (at < r->begin || at >= r->begin + r->bytes) continue;
    add_place(to, r, at);
    ag_raw_add(to, ", allocated in run ");
    ag_raw_add_number(to, (int64_t)r->run);
    add_launch(to, r->launch);
    if (state == REGION_RELEASED)
      ag_raw_add(to, r->in_run ? ", and released" : ", and released since");
    if (state == REGION_RELEASED && r->in_run) add_launch(to, r->after);
    return true;
  }
  return false;
}

/* batch.h - a batch of kernels.h on the driver's device: tensors in a pool that the device and the
 * host have, the launch that scans them, and what it must have found.
 *
 * The pool's other bytes are 0xff, which is NaN in every type that has one.
 */
#ifndef AOTIGEN_T_BATCH_H
#define AOTIGEN_T_BATCH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "5xx/gpu.h"
#include "5xx/reference.h"
#include "tensor/backend.h"
#include "kernels.h"

extern const unsigned char aotigen_stats_fatbin[]; /* the library's own, or shim.c's stand-in */

enum { POOL = 24 << 20, MAPPED = 1 << 20, POISON = 0xa5 };

static bool emulated;
static char *host, *mapped;
static size_t used, mapped_used;
static uint64_t device, scratch;
static void *functions[2][2], *marks[2]; /* functions: whether it sums up, whether it is for few */
static uint64_t seed = 1;

BEFORE_ALL {
  static const char *const names[] = {AGK_BATCH,         AGK_BATCH_FEW,    AGK_BATCH_SUM,
                                      AGK_BATCH_SUM_FEW, AGK_REPLAY_BEGIN, AGK_REPLAY_END};
  void *module;
  emulated = getenv("CUDA_EMULATED") != NULL;
  assert_int_equal(gpu_open(), 0);
  gpu_ok(gpu.cuModuleLoadData(&module, aotigen_stats_fatbin));
  for (int i = 0; i < 6; i++)
    gpu_ok(gpu.cuModuleGetFunction(i < 4 ? &functions[i / 2][i % 2] : &marks[i - 4], module,
                                   names[i]));
  host = malloc(POOL);
  assert_non_null(host);
  gpu_ok(gpu.cuMemAlloc(&device, POOL));
  gpu_ok(gpu.cuMemAlloc(&scratch, AGK_SCRATCH_BYTES));
  gpu_ok(gpu.cuMemHostAlloc((void **)&mapped, MAPPED, 3));
  gpu_ok(gpu.cuMemsetD32Async(scratch, 0, AGK_SCRATCH_BYTES / 4, NULL));
  memset(host, 0xff, POOL);
  print_message("# %s\n", gpu.device_name);
  gpu_ok(gpu.cuMemcpyHtoD(device, host, POOL));
}

static inline void empty_pool(void) {
  size_t dirty = used + 64;
  memset(host, 0xff, dirty);
  used = 64;
  gpu_ok(gpu.cuMemcpyHtoD(device, host, dirty));
}

BEFORE_EACH { empty_pool(); }

static inline uint64_t below(uint64_t n) { return next_random(&seed) % n; }

/* ---- memory that the device reads and writes ------------------------------------------------ */

static inline void *map(size_t bytes) {
  void *p = mapped + mapped_used;
  mapped_used += (bytes + 31) / 16 * 16;
  assert_true(mapped_used <= MAPPED);
  memset(p, POISON, bytes);
  return p;
}

static inline const int64_t *map_sizes(const int64_t *sizes, int n) {
  int64_t *p = map((size_t)n * sizeof *p + 1);
  memcpy(p, sizes, (size_t)n * sizeof *p);
  return p;
}

static inline bool poisoned(const void *p, size_t bytes) {
  const unsigned char *c = p;
  for (size_t i = 0; i < bytes; i++)
    if (c[i] != POISON) return false;
  return true;
}

/* ---- tensors -------------------------------------------------------------------------------- */

/* Puts t's elements, and only they, behind what is in the pool. t->data is then the device's. */
static inline void place(ag_tensor *t, size_t shift, enum filling how) {
  size_t item = t->dtype->item_size, bytes = (size_t)span_of(t) * item,
         part = t->dtype->cls == AG_COMPLEX ? item / 2 : item;
  char *at = host + used + shift;
  assert_true(used + shift + bytes + 128 < POOL);
  for (int64_t i = 0; i < t->numel; i++)
    for (size_t p = 0; p < item; p += part) {
      uint64_t bits = some_bits(t->dtype, part, how, &seed);
      memcpy(at + (size_t)reference_offset(t, i) * item + p, &bits, part);
    }
  gpu_ok(gpu.cuMemcpyHtoD(device + used, host + used, shift + bytes + 64));
  t->data = (const void *)(uintptr_t)(device + used + shift);
  used += (shift + bytes + 127) / 64 * 64;
}

static inline ag_tensor on_host(const ag_tensor *t) {
  return tensor_on_host(t, host + ((uintptr_t)t->data - device));
}

static inline char *host_element(const ag_tensor *t, int64_t index) {
  return host + ((uintptr_t)t->data - device) +
         (size_t)reference_offset(t, index) * t->dtype->item_size;
}

/* One element anew. */
static inline void put(const ag_tensor *t, int64_t index, const void *bits) {
  char *at = host_element(t, index);
  memcpy(at, bits, t->dtype->item_size);
  gpu_ok(gpu.cuMemcpyHtoD(device + (uint64_t)(at - host), at, t->dtype->item_size));
}

static inline agk_format format_of(const ag_dtype *d) {
  uint8_t parts = d->cls == AG_COMPLEX ? 2 : 1;
  return (agk_format){d->cls,    (uint8_t)(d->item_size / parts), parts, d->exponent, d->mantissa,
                      d->special};
}

/* ---- a launch ------------------------------------------------------------------------------- */

static struct {
  agk_batch batch;
  ag_tensor tensors[AGK_TARGETS], probes[8];
  agk_probe *mapped_probes;
  uint32_t blocks;
} now;

static inline void start(void) {
  memset(&now, 0, sizeof now);
  mapped_used = 0;
  now.batch.head.scratch = (void *)(uintptr_t)scratch;
  now.batch.head.done = map(sizeof(uint32_t));
  now.batch.head.token = (uint32_t)below(1u << 31);
  now.mapped_probes = map(sizeof(agk_probe) * 8);
  now.batch.head.probes = now.mapped_probes;
}

static inline void collapse(const ag_tensor *t, agk_target *s) {
  int n = 0;
  for (int i = 0; i < t->ndim; i++) {
    if (t->sizes[i] == 1) continue;
    bool joins = n && s->strides[n - 1] == t->strides[i] * t->sizes[i];
    if (!joins) s->sizes[n++] = 1;
    assert_true(n <= AGK_BATCH_DIMS);
    s->sizes[n - 1] *= t->sizes[i];
    s->strides[n - 1] = t->strides[i];
  }
  s->ndim = (int8_t)n;
}

static inline uint8_t how_of(const agk_target *s, size_t misaligned) {
  int64_t next = 1;
  if (misaligned) return AGK_ANYHOW;
  if (s->ndim == 0 || (s->ndim == 1 && s->strides[0] == 1)) return AGK_IN_ORDER;
  for (int found = 0, i; found < s->ndim; found++) {
    for (i = 0; i < s->ndim && s->strides[i] != next; i++) continue;
    if (i == s->ndim) return AGK_ANYHOW;
    next *= s->sizes[i];
  }
  return AGK_DENSE;
}

/* blocks: 0 for some. */
static inline agk_target *add(const ag_tensor *t, bool summary, uint32_t blocks) {
  agk_batch_head *h = &now.batch.head;
  agk_target *s = &now.batch.targets[h->count];
  now.tensors[h->count++] = *t;
  s->data = t->data;
  s->numel = t->numel;
  s->format = format_of(t->dtype);
  s->summary = summary;
  s->bytewise = (uintptr_t)t->data % s->format.bytes != 0;
  collapse(t, s);
  s->how = how_of(s, s->bytewise);
  if (!blocks) blocks = (uint32_t)(t->numel * t->dtype->item_size / 16384) + 1;
  if (blocks > 4) blocks = 4;
  now.blocks += blocks;
  s->end_block = now.blocks;
  s->probe_kinds = 7;
  s->logical_ndim = t->ndim;
  s->logical_sizes = map_sizes(t->sizes, t->ndim);
  s->found = map(sizeof *s->found);
  return s;
}

/* Fills `words` of the pool, behind what is in it. */
static inline void add_fill(int64_t words, uint32_t word, uint32_t blocks) {
  agk_target *s = &now.batch.targets[now.batch.head.count++];
  char *at = host + used;
  assert_true(used + (size_t)words * 4 + 128 < POOL);
  for (int64_t i = 0; i < words; i++) memcpy(at + i * 4, &word, sizeof word);
  *s = (agk_target){.data = (const void *)(uintptr_t)(device + used),
                    .numel = words,
                    .format = {.bytes = 4, .parts = 1},
                    .how = AGK_FILL,
                    .word = word};
  now.blocks += blocks;
  s->end_block = now.blocks;
  used += ((size_t)words * 4 + 67) / 4 * 4;
}

static inline void add_probe(const ag_tensor *t) {
  int i = now.batch.head.nprobes++;
  now.probes[i] = *t;
  now.mapped_probes[i] = (agk_probe){.data = t->data,
                                     .numel = t->numel,
                                     .format = format_of(t->dtype),
                                     .ndim = t->ndim,
                                     .sizes = map_sizes(t->sizes, t->ndim),
                                     .strides = map_sizes(t->strides, t->ndim),
                                     .found = map(sizeof(agk_found))};
  now.mapped_probes[i].bytewise = (uintptr_t)t->data % now.mapped_probes[i].format.bytes != 0;
}

/* If no target wants a summary, the kernel that makes summaries must do as well. */
static inline void launch(bool few) {
  static agk_batch_few shorter;
  void *parameters[] = {&now.batch};
  bool fills = false, sums = false;
  for (int i = 0; i < now.batch.head.count; i++) {
    fills = fills || now.batch.targets[i].how == AGK_FILL;
    sums = sums || now.batch.targets[i].summary;
  }
  sums = sums || (!fills && below(2));
  assert_true(now.blocks <= (emulated ? 8 : 500));
  if (few) {
    shorter.head = now.batch.head;
    memcpy(shorter.targets, now.batch.targets, sizeof shorter.targets);
    parameters[0] = &shorter;
  }
  gpu_ok(gpu.cuLaunchKernel(functions[sums][few], now.blocks, 1, 1, AGK_THREADS, 1, 1, 0, NULL,
                            parameters, NULL));
  gpu_ok(gpu.cuStreamSynchronize(NULL));
}

/* ---- what it must have found ---------------------------------------------------------------- */

static inline int64_t index_of(uint64_t first) { return first == AGK_NONE ? -1 : (int64_t)first; }

static inline ag_stats stats_of(const ag_tensor *t, const agk_result *r, bool summary) {
  agk_format f = format_of(t->dtype);
  ag_stats h = {.nan = (int64_t)r->nan,
                .pos_inf = (int64_t)r->pos_inf,
                .neg_inf = (int64_t)r->neg_inf,
                .first_nan = index_of(r->first_nan),
                .first_pos_inf = index_of(r->first_pos_inf),
                .first_neg_inf = index_of(r->first_neg_inf),
                .finite = t->numel - (int64_t)r->bad};
  if (!summary) return h;
  h.zero = (int64_t)r->zero;
  h.subnormal = (int64_t)r->subnormal;
  if (f.cls == AGK_COMPLEX || !h.finite) return h;
  h.min = agk_value(f, agk_unkey(f, r->min_key)) + 0.0;
  h.max = agk_value(f, agk_unkey(f, r->max_key)) + 0.0;
  h.sum = r->sum;
  h.sum_squares = r->sum_squares;
  if (f.cls == AGK_FLOATING) return h;
  h.int_min = agk_integer(f, agk_unkey(f, r->min_key));
  h.int_max = agk_integer(f, agk_unkey(f, r->max_key));
  return h;
}

static inline void check_result(const ag_tensor *t, const agk_found *found, bool summary,
                                const char *what) {
  ag_stats got = stats_of(t, &found->result, summary);
  ag_tensor h = on_host(t);
  char of[200];
  snprintf(of, sizeof of, "%s, %s, summary %d, at %p", t->dtype->name, what, summary, t->data);
  assert_stats(&h, &got, summary, of);
}

static inline int64_t first_of(const agk_result *r, int kind) {
  return index_of(kind == 0 ? r->first_nan : kind == 1 ? r->first_pos_inf : r->first_neg_inf);
}

static inline bool is_bad(const ag_tensor *t) {
  ag_tensor h = on_host(t);
  ag_stats stats;
  assert_null(ag_backend_cpu.stats(&h, AG_WANT_BAD, NULL, &stats));
  return stats.nan || stats.pos_inf || stats.neg_inf;
}

static inline void check_firsts(const ag_tensor *t, const agk_found *found) {
  uint32_t firsts = 0;
  for (int kind = 0; kind < 3; kind++) {
    int64_t first = first_of(&found->result, kind);
    if (first < 0) continue;
    firsts |= 1u << kind;
    assert_memory_equal(found->first[kind], host_element(t, first), t->dtype->item_size);
  }
  assert_int_equal(found->firsts, firsts);
}

static inline bool is_scanned(int i) {
  return now.batch.targets[i].how != AGK_EDGES && now.batch.targets[i].how != AGK_FILL;
}

static inline void check_target(int i, bool bad, const char *what) {
  const agk_target *s = &now.batch.targets[i];
  const ag_tensor *t = &now.tensors[i];
  if (s->how == AGK_FILL) return; /* check_pool() of the test looks at it */
  int64_t item = t->dtype->item_size;
  for (int64_t k = 0; k < s->head + s->tail; k++)
    assert_memory_equal((char *)s->edges + k * item,
                        host_element(t, k < s->head ? k : t->numel - s->tail + k - s->head), item);
  if (s->how == AGK_EDGES) return;
  if (!bad && !s->summary && !s->edges) {
    assert_true(poisoned(s->found, sizeof *s->found));
    return;
  }
  check_result(t, s->found, s->summary, what);
  check_firsts(t, s->found);
  assert_int_equal(s->found->has_summary, 0);
}

/* Everything that the launch which was made must have left, probes aside. Returns whether something
 * is bad. */
static inline bool check_launch(const char *what) {
  const agk_batch_head *h = &now.batch.head;
  bool bad = false;
  for (int i = 0; i < h->count; i++) bad = bad || (is_scanned(i) && is_bad(&now.tensors[i]));
  assert_int_equal(*h->done, h->token << 1 | bad);
  for (int i = 0; i < h->count; i++) check_target(i, bad, what);
  return bad;
}

#endif

/* 515-cuda-batch.c - AGK_BATCH and what belongs to it, by kernels.h alone: several tensors in one
 * launch, through the driver.
 *
 * On a GPU, on the kernels' source on the CPU (CUDA_EMULATED, 516), or on the fake's loops (which
 * are so held against the same reference). Tensors stand in a pool whose other bytes are 0xff,
 * which is NaN in every type that has one. CUDA_TEST names a pattern of tests to run alone.
 */
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

static int setup(void **state) {
  static const char *const names[] = {AGK_BATCH,         AGK_BATCH_FEW,    AGK_BATCH_SUM,
                                      AGK_BATCH_SUM_FEW, AGK_REPLAY_BEGIN, AGK_REPLAY_END};
  void *module;
  if (gpu_open(state) || gpu.cuModuleLoadData(&module, aotigen_stats_fatbin)) return -1;
  for (int i = 0; i < 6; i++)
    if (gpu.cuModuleGetFunction(i < 4 ? &functions[i / 2][i % 2] : &marks[i - 4], module, names[i]))
      return -1;
  host = malloc(POOL);
  if (!host || gpu.cuMemAlloc(&device, POOL) || gpu.cuMemAlloc(&scratch, AGK_SCRATCH_BYTES))
    return -1;
  if (gpu.cuMemHostAlloc((void **)&mapped, MAPPED, 3) ||
      gpu.cuMemsetD32Async(scratch, 0, AGK_SCRATCH_BYTES / 4, NULL))
    return -1;
  memset(host, 0xff, POOL);
  print_message("# %s\n", gpu.device_name);
  return gpu.cuMemcpyHtoD(device, host, POOL);
}

/* Each test begins with an empty pool. */
static int begin(void **state) {
  size_t dirty = used + 64;
  (void)state;
  memset(host, 0xff, dirty);
  used = 64;
  return gpu.cuMemcpyHtoD(device, host, dirty);
}

static uint64_t below(uint64_t n) { return next_random(&seed) % n; }

/* ---- memory that the device reads and writes ------------------------------------------------ */

static void *map(size_t bytes) {
  void *p = mapped + mapped_used;
  mapped_used += (bytes + 31) / 16 * 16;
  assert_true(mapped_used <= MAPPED);
  memset(p, POISON, bytes);
  return p;
}

static const int64_t *map_sizes(const int64_t *sizes, int n) {
  int64_t *p = map((size_t)n * sizeof *p + 1);
  memcpy(p, sizes, (size_t)n * sizeof *p);
  return p;
}

static bool poisoned(const void *p, size_t bytes) {
  const unsigned char *c = p;
  for (size_t i = 0; i < bytes; i++)
    if (c[i] != POISON) return false;
  return true;
}

/* ---- tensors -------------------------------------------------------------------------------- */

/* Puts t's elements, and only they, behind what is in the pool. t->data is then the device's. */
static void place(ag_tensor *t, size_t shift, enum filling how) {
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

static ag_tensor on_host(const ag_tensor *t) {
  return tensor_on_host(t, host + ((uintptr_t)t->data - device));
}

static char *host_element(const ag_tensor *t, int64_t index) {
  return host + ((uintptr_t)t->data - device) +
         (size_t)reference_offset(t, index) * t->dtype->item_size;
}

/* One element anew. */
static void put(const ag_tensor *t, int64_t index, const void *bits) {
  char *at = host_element(t, index);
  memcpy(at, bits, t->dtype->item_size);
  gpu_ok(gpu.cuMemcpyHtoD(device + (uint64_t)(at - host), at, t->dtype->item_size));
}

static agk_format format_of(const ag_dtype *d) {
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

static void start(void) {
  memset(&now, 0, sizeof now);
  mapped_used = 0;
  now.batch.head.scratch = (void *)(uintptr_t)scratch;
  now.batch.head.done = map(sizeof(uint32_t));
  now.batch.head.token = (uint32_t)below(1u << 31);
  now.mapped_probes = map(sizeof(agk_probe) * 8);
  now.batch.head.probes = now.mapped_probes;
}

static void collapse(const ag_tensor *t, agk_target *s) {
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

static uint8_t how_of(const agk_target *s, size_t misaligned) {
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
static agk_target *add(const ag_tensor *t, bool summary, uint32_t blocks) {
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
  s->logical_ndim = t->ndim;
  s->logical_sizes = map_sizes(t->sizes, t->ndim);
  s->found = map(sizeof *s->found);
  return s;
}

static void add_probe(const ag_tensor *t) {
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

/* Where nobody wants a summary the kernel that makes them must do as well. */
static void launch(bool few) {
  static agk_batch_few shorter;
  void *parameters[] = {&now.batch};
  bool sums = below(2);
  for (int i = 0; i < now.batch.head.count; i++) sums = sums || now.batch.targets[i].summary;
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

static int64_t index_of(uint64_t first) { return first == AGK_NONE ? -1 : (int64_t)first; }

static ag_stats stats_of(const ag_tensor *t, const agk_result *r, bool summary) {
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

static void check_result(const ag_tensor *t, const agk_found *found, bool summary,
                         const char *what) {
  ag_stats got = stats_of(t, &found->result, summary);
  ag_tensor h = on_host(t);
  char of[200];
  snprintf(of, sizeof of, "%s, %s, summary %d, at %p", t->dtype->name, what, summary, t->data);
  assert_stats(&h, &got, summary, of);
}

static int64_t first_of(const agk_result *r, int kind) {
  return index_of(kind == 0 ? r->first_nan : kind == 1 ? r->first_pos_inf : r->first_neg_inf);
}

static bool is_bad(const ag_tensor *t) {
  ag_tensor h = on_host(t);
  ag_stats stats;
  assert_null(ag_backend_cpu.stats(&h, AG_WANT_BAD, NULL, &stats));
  return stats.nan || stats.pos_inf || stats.neg_inf;
}

static void check_firsts(const ag_tensor *t, const agk_found *found) {
  uint32_t firsts = 0;
  for (int kind = 0; kind < 3; kind++) {
    int64_t first = first_of(&found->result, kind);
    if (first < 0) continue;
    firsts |= 1u << kind;
    assert_memory_equal(found->first[kind], host_element(t, first), t->dtype->item_size);
  }
  assert_int_equal(found->firsts, firsts);
}

static void check_target(int i, bool bad, const char *what) {
  const agk_target *s = &now.batch.targets[i];
  const ag_tensor *t = &now.tensors[i];
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
  assert_int_equal(s->found->looked, 0);
}

/* Everything that the launch which was made must have left, probes aside. Returns whether something
 * is bad. */
static bool check_launch(const char *what) {
  const agk_batch_head *h = &now.batch.head;
  bool bad = false;
  for (int i = 0; i < h->count; i++)
    bad = bad || (now.batch.targets[i].how != AGK_EDGES && is_bad(&now.tensors[i]));
  assert_int_equal(*h->done, h->token << 1 | bad);
  for (int i = 0; i < h->count; i++) check_target(i, bad, what);
  return bad;
}

/* ---- tests ---------------------------------------------------------------------------------- */

static bool has_layout(const ag_tensor *t) { return t->numel > 0; }

/* Every type, layout and filling; as many in a launch as happens, mixed. */
static void test_each_layout(void **state) {
  int wanted = 1, launches = 0;
  (void)state;
  start();
  for (int round = 0; round < (emulated ? 1 : 4); round++)
    for (int n = 0; n < REFERENCE_DTYPES * TEST_LAYOUTS * FILLINGS; n++) {
      /* Seven is prime to the number of all: neighbours differ in type, layout and filling. */
      int64_t at = (int64_t)n * 10007 % (REFERENCE_DTYPES * TEST_LAYOUTS * FILLINGS);
      const test_layout *y = &test_layouts[at % TEST_LAYOUTS];
      ag_tensor t = tensor_of(&reference_dtypes[at / TEST_LAYOUTS % REFERENCE_DTYPES], y->ndim,
                              y->sizes, y->strides);
      if (!has_layout(&t)) continue;
      place(&t, below(3) ? 16 * below(2) : below(16),
            (enum filling)(at / TEST_LAYOUTS / REFERENCE_DTYPES));
      add(&t, below(2), 1);
      if (now.batch.head.count < wanted) continue;
      launch(wanted <= AGK_FEW && below(2));
      check_launch("a mixture of layouts");
      launches++;
      begin(NULL);
      start();
      wanted = 1 + (int)below(emulated ? 8 : AGK_TARGETS);
    }
  assert_true(launches > 50);
}

/* Clean launches leave nothing; so they must be many among the others. */
static void test_clean(void **state) {
  (void)state;
  for (int round = 0; round < 20; round++) {
    int count = 1 + (int)below(4);
    start();
    for (int i = 0; i < count; i++) {
      ag_tensor t =
          contiguous(dtype_named(i % 2 ? "bfloat16" : "float32"), 1 + (int64_t)below(9000));
      place(&t, 4 * below(4), below(2) ? ORDINARY : FINITE_EDGES);
      add(&t, i == 2, 2);
    }
    launch(round % 2);
    assert_false(check_launch("clean"));
    begin(NULL);
  }
}

/* All 256 codes of each float8, all 65,536 halves and bfloat16s: together, and the finite ones of
 * them in two halves. */
static void test_all_bits(void **state) {
  (void)state;
  for (int d = 0; d < REFERENCE_DTYPES; d++) {
    const ag_dtype *y = &reference_dtypes[d];
    int64_t values = y->item_size == 1 ? 256 : 65536;
    if (y->item_size > 2) continue;
    for (int turn = 0; turn < 3; turn++) {
      ag_tensor t = contiguous(y, values * (y->item_size == 1 ? 70 : 1));
      begin(NULL);
      start();
      place(&t, 0, ZEROS);
      for (int64_t i = 0; i < t.numel; i++) {
        uint64_t bits = (uint64_t)(i * (turn ? 181 : 1)) % (uint64_t)values;
        char *at = host_element(&t, i);
        memcpy(at, &bits, y->item_size);
      }
      gpu_ok(
          gpu.cuMemcpyHtoD((uintptr_t)t.data, host_element(&t, 0), (size_t)t.numel * y->item_size));
      add(&t, turn != 1, turn == 2 ? 3 : 1);
      launch(true);
      check_launch("every value there is");
    }
  }
}

/* One bad value among good ones, at every place, so in every slot, in the head and in the tail; and
 * none. */
static void test_every_place(void **state) {
  static const char *const names[] = {"float8_e4m3fn",  "float8_e5m2", "float8_e4m3fnuz",
                                      "float8_e8m0fnu", "bfloat16",    "float16",
                                      "float32",        "float64",     "complex64"};
  (void)state;
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    const ag_dtype *d = dtype_named(names[n]);
    ag_tensor t = contiguous(d, emulated ? 75 : 700);
    uint64_t bad[2] = {0, 0};
    memset(bad, 0xff, d->item_size);
    if (d->special == AG_FNUZ) bad[0] = 0x80;
    begin(NULL);
    place(&t, d->item_size, ORDINARY);
    for (int64_t i = -1; i < t.numel; i++) {
      uint64_t keep[2];
      if (i >= 0) memcpy(keep, host_element(&t, i), d->item_size);
      if (i >= 0) put(&t, i, bad);
      start();
      add(&t, false, 1 + (uint32_t)below(3));
      launch(true);
      assert_int_equal(check_launch("one bad value"), i >= 0);
      if (i >= 0) put(&t, i, keep);
    }
  }
}

/* Lengths about vectors and tiles, over several blocks. */
static void test_lengths(void **state) {
  static const char *const names[] = {"float8_e4m3fn", "float8_e5m2fnuz", "bfloat16",
                                      "float32",       "float64",         "complex128",
                                      "uint8",         "int64",           "bool"};
  (void)state;
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    const ag_dtype *d = dtype_named(names[n]);
    int64_t tile = 16384 / d->item_size;
    const int64_t lengths[] = {1,   2,        15,   16,       17,           33,          255,
                               257, tile - 1, tile, tile + 1, 4 * tile - 3, 9 * tile + 5};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
      begin(NULL);
      start();
      for (int k = 0; k < 4; k++) {
        ag_tensor t = contiguous(d, lengths[l]);
        place(&t, below(16) / d->item_size * d->item_size, k % 2 ? RANDOM_BITS : ORDINARY);
        add(&t, k / 2, k ? 1 : 4);
      }
      launch(true);
      check_launch("a length");
    }
  }
}

static void set_edges(agk_target *s, int head, int tail) {
  s->head = (int16_t)(head < s->numel ? head : s->numel);
  s->tail = (int16_t)(tail < s->numel ? tail : s->numel);
  s->edges = map((size_t)(s->head + s->tail) * s->format.bytes * s->format.parts + 16);
  memset(s->edges, POISON, 16);
  if (below(4) == 0) s->edges = (char *)s->edges + 1; /* nobody promised more */
}

static void test_edges(void **state) {
  (void)state;
  for (int round = 0; round < (emulated ? 60 : 400); round++) {
    int count = 1 + (int)below(4);
    begin(NULL);
    start();
    for (int i = 0; i < count; i++) {
      const test_layout *y = &test_layouts[below(TEST_LAYOUTS)];
      ag_tensor t =
          tensor_of(&reference_dtypes[below(REFERENCE_DTYPES)], y->ndim, y->sizes, y->strides);
      if (!has_layout(&t)) t = contiguous(t.dtype, 5);
      place(&t, below(17), below(2) ? ORDINARY : RANDOM_BITS);
      agk_target *s = add(&t, below(2), 1 + (uint32_t)below(2));
      set_edges(s, 1 + (int)below(300), (int)below(300));
      if (below(3)) continue;
      s->how = AGK_EDGES;
      if (s->ndim == 1 && s->strides[0] == 1) s->ndim = 0;
    }
    launch(true);
    check_launch("edges");
  }
}

/* ---- probes --------------------------------------------------------------------------------- */

/* matching_index() of runtime/origin.c, in its own words. */
static int64_t matching(const ag_tensor *output, int64_t flat, const ag_tensor *a) {
  int64_t at[AG_MAX_DIMS], index = 0;
  int shift = output->ndim - a->ndim;
  if (shift < 0 || !a->numel) return -1;
  for (int i = output->ndim - 1; i >= 0; i--) {
    at[i] = flat % output->sizes[i];
    flat /= output->sizes[i];
  }
  for (int i = 0; i < a->ndim; i++) {
    if (a->sizes[i] != 1 && a->sizes[i] != output->sizes[i + shift]) return -1;
    index = index * a->sizes[i] + (a->sizes[i] == 1 ? 0 : at[i + shift]);
  }
  return index;
}

static void check_probe(int i) {
  const agk_found *found = now.mapped_probes[i].found;
  const ag_tensor *w = &now.probes[i];
  uint32_t firsts = 0;
  for (int kind = 0; kind < 3; kind++) {
    int k = 0;
    while (k < now.batch.head.count && first_of(&now.batch.targets[k].found->result, kind) < 0) k++;
    int64_t index =
        k < now.batch.head.count
            ? matching(&now.tensors[k], first_of(&now.batch.targets[k].found->result, kind), w)
            : -1;
    if (index < 0) continue;
    firsts |= 1u << kind;
    assert_memory_equal(found->first[kind], host_element(w, index), w->dtype->item_size);
  }
  assert_int_equal(found->firsts, firsts);
  assert_int_equal(found->looked, w->numel > 0 && w->numel <= AGK_PROBE_MOST);
  if (found->looked) check_result(w, found, true, "a probe");
}

static void random_probe(void) {
  static const test_layout layouts[] = {{"the same", 3, {5, 6, 7}, {42, 7, 1}},
                                        {"turned", 3, {5, 6, 7}, {1, 5, 30}},
                                        {"fewer dimensions", 2, {6, 7}, {7, 1}},
                                        {"a row", 1, {7}, {3}},
                                        {"ones", 3, {1, 6, 1}, {9, 2, 9}},
                                        {"expanded", 3, {5, 6, 7}, {0, 1, 0}},
                                        {"a scalar", 0, {0}, {0}},
                                        {"no match", 2, {6, 5}, {5, 1}},
                                        {"more dimensions", 4, {1, 5, 6, 7}, {1, 42, 7, 1}},
                                        {"empty", 1, {0}, {1}},
                                        {"permuted with a gap", 3, {5, 6, 7}, {1, 50, 5}}};
  const test_layout *y = &layouts[below(sizeof layouts / sizeof *layouts)];
  ag_tensor t =
      tensor_of(&reference_dtypes[below(REFERENCE_DTYPES)], y->ndim, y->sizes, y->strides);
  place(&t, below(9), below(2) ? RANDOM_BITS : ORDINARY);
  add_probe(&t);
}

static void test_probes(void **state) {
  int bad = 0;
  (void)state;
  for (int round = 0; round < (emulated ? 60 : 400); round++) {
    static const test_layout layouts[] = {{"in order", 3, {5, 6, 7}, {42, 7, 1}},
                                          {"turned", 3, {5, 6, 7}, {1, 5, 30}},
                                          {"with gaps", 3, {5, 6, 7}, {84, 14, 2}}};
    int count = 1 + (int)below(3), probes = (int)below(7);
    begin(NULL);
    start();
    for (int i = 0; i < count; i++) {
      const test_layout *y = &layouts[below(3)];
      ag_tensor t =
          tensor_of(dtype_named(below(2) ? "float32" : "float16"), y->ndim, y->sizes, y->strides);
      uint32_t nan_bits = below(2) ? 0xffffffffu : t.dtype->item_size == 2 ? 0xfc00 : 0x7f800000;
      place(&t, 0, ORDINARY);
      if (below(2)) put(&t, (int64_t)below(210), &nan_bits);
      add(&t, below(2), 1);
    }
    for (int i = 0; i < probes; i++) random_probe();
    launch(true);
    if (check_launch("with probes")) {
      bad++;
      for (int i = 0; i < probes; i++) check_probe(i);
    } else {
      for (int i = 0; i < probes; i++)
        assert_true(poisoned(now.mapped_probes[i].found, sizeof(agk_found)));
    }
  }
  assert_true(bad > 10);
}

/* The largest that is summed up, and one more: expanded, so that they take no memory. */
static void test_large_probe(void **state) {
  const int64_t most[] = {2, AGK_PROBE_MOST / 2}, more[] = {AGK_PROBE_MOST + 1}, strides[] = {1, 0};
  ag_tensor a = tensor_of(dtype_named("float32"), 2, most, strides),
            b = tensor_of(dtype_named("bfloat16"), 1, more, strides + 1),
            t = contiguous(a.dtype, 10);
  (void)state;
  start();
  place(&t, 0, ALL_BAD);
  place(&a, 0, ORDINARY);
  place(&b, 0, ORDINARY);
  add(&t, false, 1);
  add_probe(&a);
  add_probe(&b);
  launch(false);
  assert_true(check_launch("large probes"));
  for (int i = 0; i < 2; i++) check_probe(i);
}

/* ---- many blocks, and the same bits each time ----------------------------------------------- */

static void test_large(void **state) {
  static const test_layout layouts[] = {
      {"contiguous", 1, {700017}, {1}},
      {"transposed", 2, {801, 803}, {1, 801}},
      {"channels last", 4, {2, 64, 56, 56}, {200704, 1, 3584, 64}},
      {"rows of a wider matrix", 2, {703, 501}, {512, 1}}};
  (void)state;
  for (int how = 0; how < 3; how++) {
    agk_found before[4];
    begin(NULL);
    start();
    for (int l = 0; l < 4; l++) {
      ag_tensor t = tensor_of(dtype_named(l % 2 ? "bfloat16" : "float32"), layouts[l].ndim,
                              layouts[l].sizes, layouts[l].strides);
      place(&t, 0, how == 0 ? ORDINARY : how == 1 ? FINITE_EDGES : RANDOM_BITS);
      add(&t, true, emulated ? 2 : 4);
    }
    for (int i = 0; i < (emulated ? 2 : 20); i++) {
      launch(i % 2);
      if (i == 0) check_launch("large");
      for (int l = 0; l < 4 && i > 0; l++)
        assert_memory_equal(&before[l].result, &now.batch.targets[l].found->result,
                            sizeof before[l].result);
      for (int l = 0; l < 4; l++) before[l] = *now.batch.targets[l].found;
    }
  }
}

/* Every type strided over several tiles: in rows that are whole vectors, in none, and dense but
 * turned; its bad elements in their places. */
static void test_strided(void **state) {
  static const test_layout layouts[] = {{"rows of vectors", 2, {90, 64}, {80, 1}},
                                        {"turned rows of vectors", 3, {7, 6, 112}, {112, 800, 1}},
                                        {"every second", 1, {4100}, {2}},
                                        {"transposed with a gap", 2, {71, 67}, {1, 72}},
                                        {"repeated rows", 2, {50, 96}, {0, 1}},
                                        {"dense", 2, {67, 80}, {1, 67}}};
  (void)state;
  for (size_t d = 0; d < REFERENCE_DTYPES; d++)
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
      const test_layout *y = &layouts[l];
      ag_tensor t = tensor_of(&reference_dtypes[d], y->ndim, y->sizes, y->strides);
      begin(NULL);
      start();
      place(&t, below(4) ? 0 : t.dtype->item_size, (enum filling)below(FILLINGS));
      add(&t, true, 1 + (uint32_t)below(4));
      launch(true);
      check_launch(y->what);
    }
}

/* As many targets and, on a GPU, blocks as there may be; nowhere to say done. */
static void test_most(void **state) {
  uint32_t *done;
  (void)state;
  start();
  for (int i = 0; i < (emulated ? 8 : AGK_TARGETS); i++) {
    ag_tensor t = contiguous(dtype_named(i % 3 ? "float16" : "float64"), 3000 + i);
    place(&t, 0, i == 5 ? RANDOM_BITS : ORDINARY);
    add(&t, i % 2, emulated ? 1 : 4);
  }
  launch(false);
  assert_true(check_launch("as many as there may be"));
  done = now.batch.head.done;
  *done = 77;
  now.batch.head.done = NULL;
  launch(false);
  assert_int_equal(*done, 77);
  for (int i = 0; i < now.batch.head.count; i++) check_target(i, true, "without done");
}

/* ---- graphs that are replayed --------------------------------------------------------------- */

static void mark(int which, agk_replay *replay, agk_replayed *replayed) {
  agk_replay_mark m = {replay, replayed, 0};
  void *parameters[] = {&m};
  gpu_ok(gpu.cuLaunchKernel(marks[which], 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
}

static void replay(agk_replay *replay, agk_replayed *replayed, int batches) {
  mark(0, replay, replayed);
  for (int i = 0; i < batches; i++) launch(i % 2);
  mark(1, replay, replayed);
  gpu_ok(gpu.cuStreamSynchronize(NULL));
}

static void test_replays(void **state) {
  static const uint32_t good = 0x3f800000, nan_bits = 0x7fc00000;
  ag_tensor t = contiguous(dtype_named("float32"), 5000), w = contiguous(t.dtype, 5000);
  uint64_t words = gpu_alloc(sizeof(agk_replay));
  agk_replay *on_device = (agk_replay *)(uintptr_t)words;
  agk_replayed *replayed;
  (void)state;
  gpu_ok(gpu.cuMemsetD32Async(words, 0, 2, NULL));
  place(&t, 0, ORDINARY);
  place(&w, 0, ORDINARY);
  for (uint32_t epoch = 1; epoch < 40; epoch++) {
    static uint32_t held, missed, reported;
    bool bad = epoch % 5 > 1, muted = held;
    start();
    replayed = map(sizeof *replayed);
    *replayed = (agk_replayed){held, missed, epoch - 1, reported};
    now.batch.head.replay = on_device;
    now.batch.head.replayed = replayed;
    add(&t, epoch % 2, 2);
    set_edges(&now.batch.targets[0], 3, 3);
    add_probe(&w);
    put(&t, 1234, bad ? &nan_bits : &good);
    replay(on_device, replayed, 2);
    assert_int_equal(replayed->finished, epoch);
    assert_int_equal(replayed->held, held || bad);
    assert_true(muted && bad ? replayed->missed > missed : replayed->missed == missed);
    assert_int_equal(replayed->reported, bad && !muted ? epoch : reported);
    if (muted) {
      assert_true(poisoned(now.batch.head.done, 4) &&
                  poisoned(now.batch.targets[0].found, sizeof(agk_found)));
      assert_true(poisoned((char *)now.batch.targets[0].edges, 12) &&
                  poisoned(now.mapped_probes[0].found, sizeof(agk_found)));
    } else {
      now.batch.head.token = epoch;
      assert_int_equal(check_launch("a replay"), bad);
      if (bad) check_probe(0);
    }
    missed = replayed->missed;
    reported = replayed->reported;
    held = epoch % 7 ? replayed->held : 0; /* the host has read */
  }
}

/* The fake's own rules, where it is the fake that runs. */
static void test_no_faults(void **state) {
  void *found = dlsym(RTLD_DEFAULT, "fake_faults");
  int (*faults)(void);
  (void)state;
  if (!found) skip();
  memcpy(&faults, &found, sizeof found);
  assert_int_equal(faults(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_each_layout, begin),
      cmocka_unit_test_setup(test_clean, begin),
      cmocka_unit_test_setup(test_all_bits, begin),
      cmocka_unit_test_setup(test_every_place, begin),
      cmocka_unit_test_setup(test_lengths, begin),
      cmocka_unit_test_setup(test_edges, begin),
      cmocka_unit_test_setup(test_probes, begin),
      cmocka_unit_test_setup(test_large_probe, begin),
      cmocka_unit_test_setup(test_large, begin),
      cmocka_unit_test_setup(test_strided, begin),
      cmocka_unit_test_setup(test_most, begin),
      cmocka_unit_test_setup(test_replays, begin),
      cmocka_unit_test(test_no_faults),
  };
  emulated = getenv("CUDA_EMULATED") != NULL;
  if (getenv("CUDA_TEST")) cmocka_set_test_filter(getenv("CUDA_TEST"));
  return cmocka_run_group_tests(tests, setup, NULL);
}

/* 515-cuda-batch.c - AGK_BATCH and what belongs to it, by kernels.h alone: several tensors in one
 * launch, through the driver.
 *
 * On a GPU, on the kernels' source on the CPU (CUDA_EMULATED, 516), or on the fake's loops (517:
 * they are compared with the same reference).
 */
#include "5xx/batch.h"

static bool has_layout(const ag_tensor *t) { return t->numel > 0; }

/* Every type, layout and filling; as many in a launch as happens, mixed. */
TEST(test_each_layout) {
  int wanted = 1, launches = 0;
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
      empty_pool();
      start();
      wanted = 1 + (int)below(emulated ? 8 : AGK_TARGETS);
    }
  assert_true(launches > 50);
}

/* Clean launches leave nothing; so they must be many among the others. */
TEST(test_clean) {
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
    empty_pool();
  }
}

/* All 256 codes of each float8, all 65,536 halves and bfloat16s: together, and the finite ones of
 * them in two halves. */
TEST(test_all_bits) {
  for (int d = 0; d < REFERENCE_DTYPES; d++) {
    const ag_dtype *y = &reference_dtypes[d];
    int64_t values = y->item_size == 1 ? 256 : 65536;
    if (y->item_size > 2) continue;
    for (int turn = 0; turn < 3; turn++) {
      ag_tensor t = contiguous(y, values * (y->item_size == 1 ? 70 : 1));
      empty_pool();
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
TEST(test_every_place) {
  static const char *const names[] = {"float8_e4m3fn",  "float8_e5m2", "float8_e4m3fnuz",
                                      "float8_e8m0fnu", "bfloat16",    "float16",
                                      "float32",        "float64",     "complex64"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    const ag_dtype *d = dtype_named(names[n]);
    ag_tensor t = contiguous(d, emulated ? 75 : 700);
    uint64_t bad[2] = {0, 0};
    memset(bad, 0xff, d->item_size);
    if (d->special == AG_FNUZ) bad[0] = 0x80;
    empty_pool();
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
TEST(test_lengths) {
  static const char *const names[] = {"float8_e4m3fn", "float8_e5m2fnuz", "bfloat16",
                                      "float32",       "float64",         "complex128",
                                      "uint8",         "int64",           "bool"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    const ag_dtype *d = dtype_named(names[n]);
    int64_t tile = 16384 / d->item_size;
    const int64_t lengths[] = {1,   2,        15,   16,       17,           33,          255,
                               257, tile - 1, tile, tile + 1, 4 * tile - 3, 9 * tile + 5};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
      empty_pool();
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
  if (below(4) == 0) s->edges = (char *)s->edges + 1; /* no alignment is promised */
}

TEST(test_edges) {
  for (int round = 0; round < (emulated ? 60 : 400); round++) {
    int count = 1 + (int)below(4);
    empty_pool();
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

/* ---- memory that is filled ------------------------------------------------------------------ */

/* The pool holds what was filled, and no other byte of it has changed. */
static void check_pool(void) {
  char *copy = map(used + 64);
  gpu_ok(gpu.cuMemcpyDtoHAsync(copy, device, used + 64, NULL));
  gpu_ok(gpu.cuStreamSynchronize(NULL));
  assert_memory_equal(copy, host, used + 64);
}

TEST(test_fills) {
  for (int round = 0; round < (emulated ? 40 : 300); round++) {
    int count = 1 + (int)below(AGK_FEW);
    empty_pool();
    start();
    for (int i = 0; i < count; i++) {
      ag_tensor t = contiguous(dtype_named("float32"), 1 + (int64_t)below(3000));
      if (i && below(2)) {
        used = (used + 3) / 4 * 4 + below(5) * 4;
        add_fill(1 + (int64_t)below(5000), (uint32_t)below(UINT32_MAX), 1 + (uint32_t)below(2));
      } else { /* a batch scans something */
        place(&t, 0, i && below(2) ? RANDOM_BITS : ORDINARY);
        add(&t, false, 1);
      }
    }
    launch(true);
    check_launch("with fills");
    check_pool();
  }
}

/* ---- probes --------------------------------------------------------------------------------- */

/* ag_reach_match() of runtime/nan/reach.c, written independently. */
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

static bool wants_probes(int k, int kind) {
  const agk_target *s = &now.batch.targets[k];
  return s->probe_kinds >> kind & 1 && first_of(&s->found->result, kind) >= 0;
}

static bool any_wants_probes(void) {
  for (int k = 0; k < now.batch.head.count; k++)
    for (int kind = 0; kind < 3; kind++)
      if (wants_probes(k, kind)) return true;
  return false;
}

static void check_probe(int i) {
  const agk_found *found = now.mapped_probes[i].found;
  const ag_tensor *w = &now.probes[i];
  uint32_t firsts = 0;
  for (int kind = 0; kind < 3; kind++) {
    int k = 0;
    while (k < now.batch.head.count && !wants_probes(k, kind)) k++;
    int64_t index =
        k < now.batch.head.count
            ? matching(&now.tensors[k], first_of(&now.batch.targets[k].found->result, kind), w)
            : -1;
    if (index < 0) continue;
    firsts |= 1u << kind;
    assert_memory_equal(found->first[kind], host_element(w, index), w->dtype->item_size);
  }
  assert_int_equal(found->firsts, firsts);
  assert_int_equal(found->has_summary, w->numel > 0 && w->numel <= AGK_PROBE_MOST);
  if (found->has_summary) check_result(w, found, true, "a probe");
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

TEST(test_probes) {
  int probed = 0, spared = 0;
  for (int round = 0; round < (emulated ? 60 : 400); round++) {
    static const test_layout layouts[] = {{"in order", 3, {5, 6, 7}, {42, 7, 1}},
                                          {"turned", 3, {5, 6, 7}, {1, 5, 30}},
                                          {"with gaps", 3, {5, 6, 7}, {84, 14, 2}}};
    int count = 1 + (int)below(3), probes = (int)below(7);
    empty_pool();
    start();
    for (int i = 0; i < count; i++) {
      const test_layout *y = &layouts[below(3)];
      ag_tensor t =
          tensor_of(dtype_named(below(2) ? "float32" : "float16"), y->ndim, y->sizes, y->strides);
      uint32_t nan_bits = below(2) ? 0xffffffffu : t.dtype->item_size == 2 ? 0xfc00 : 0x7f800000;
      place(&t, 0, ORDINARY);
      if (below(2)) put(&t, (int64_t)below(210), &nan_bits);
      add(&t, below(2), 1)->probe_kinds = (uint8_t)(below(2) ? 7 : below(8));
    }
    for (int i = 0; i < probes; i++) random_probe();
    launch(true);
    bool bad = check_launch("with probes");
    if (bad && any_wants_probes()) {
      probed++;
      for (int i = 0; i < probes; i++) check_probe(i);
    } else {
      spared += bad;
      for (int i = 0; i < probes; i++)
        assert_true(poisoned(now.mapped_probes[i].found, sizeof(agk_found)));
    }
  }
  assert_true(probed > 10 && spared > 2);
}

/* The largest that is summed up, and one more: expanded, so that they take no memory. */
TEST(test_large_probe) {
  const int64_t most[] = {2, AGK_PROBE_MOST / 2}, more[] = {AGK_PROBE_MOST + 1}, strides[] = {1, 0};
  ag_tensor a = tensor_of(dtype_named("float32"), 2, most, strides),
            b = tensor_of(dtype_named("bfloat16"), 1, more, strides + 1),
            t = contiguous(a.dtype, 10);
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

TEST(test_large) {
  static const test_layout layouts[] = {
      {"contiguous", 1, {700017}, {1}},
      {"transposed", 2, {801, 803}, {1, 801}},
      {"channels last", 4, {2, 64, 56, 56}, {200704, 1, 3584, 64}},
      {"rows of a wider matrix", 2, {703, 501}, {512, 1}}};
  for (int how = 0; how < 3; how++) {
    agk_found before[4];
    empty_pool();
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
TEST(test_strided) {
  static const test_layout layouts[] = {{"rows of vectors", 2, {90, 64}, {80, 1}},
                                        {"turned rows of vectors", 3, {7, 6, 112}, {112, 800, 1}},
                                        {"every second", 1, {4100}, {2}},
                                        {"transposed with a gap", 2, {71, 67}, {1, 72}},
                                        {"repeated rows", 2, {50, 96}, {0, 1}},
                                        {"dense", 2, {67, 80}, {1, 67}}};
  for (size_t d = 0; d < REFERENCE_DTYPES; d++)
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
      const test_layout *y = &layouts[l];
      ag_tensor t = tensor_of(&reference_dtypes[d], y->ndim, y->sizes, y->strides);
      empty_pool();
      start();
      place(&t, below(4) ? 0 : t.dtype->item_size, (enum filling)below(FILLINGS));
      add(&t, true, 1 + (uint32_t)below(4));
      launch(true);
      check_launch(y->what);
    }
}

/* As many targets and, on a GPU, blocks as there may be; nowhere to say done. */
TEST(test_most) {
  uint32_t *done;
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

TEST(test_replays) {
  static const uint32_t good = 0x3f800000, nan_bits = 0x7fc00000;
  ag_tensor t = contiguous(dtype_named("float32"), 5000), w = contiguous(t.dtype, 5000);
  uint64_t words = gpu_alloc(sizeof(agk_replay));
  agk_replay *on_device = (agk_replay *)(uintptr_t)words;
  agk_replayed *replayed;
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
TEST(test_no_faults) {
  void *found = dlsym(RTLD_DEFAULT, "fake_faults");
  int (*faults)(void);
  if (!found) skip();
  memcpy(&faults, &found, sizeof found);
  assert_int_equal(faults(), 0);
}

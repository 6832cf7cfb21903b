/* 505-cuda-async.c - scans that wait for nothing (ag_async), on a fake libcuda: how many kernels a
 * batch takes, and for which bad values the input probes are scanned. FAKE_CUDA names the library.
 */
#include <math.h>

#include "5xx/fake_driver.h"
#include "5xx/reference.h"
#include "kernels.h"
#include "tensor/backend.h"

enum { TARGETS = 40, ELEMENTS = 64, LARGE = 4 << 20 };

static const ag_async *async;
static void *slot;
static ag_pinned pinned;
static float pool[TARGETS][ELEMENTS], large[LARGE];
static ag_tensor tensors[TARGETS];
static ag_scan_target targets[TARGETS];
static ag_scan_batch batch;

BEFORE_ALL {
  assert_non_null(getenv("FAKE_CUDA")); /* t/505-cuda-async.t sets it */
  assert_int_equal(fake_open(), 0);
  assert_non_null(ag_backend_cuda());
  async = ag_backend_cuda()->async;
  fake_memory(pool, sizeof pool);
  fake_memory(large, sizeof large);
  assert_null(async->slot->take(0, false, true, &slot));
  assert_non_null(slot);
  assert_null(async->device->pin(0, 1 << 20, &pinned));
}

/* An empty batch, and tensors of ones. */
static void begin(void) {
  for (int i = 0; i < TARGETS; i++)
    for (int k = 0; k < ELEMENTS; k++) pool[i][k] = 1;
  memset(targets, 0, sizeof targets);
  batch = (ag_scan_batch){.targets = targets};
  pinned.used = 0;
}

BEFORE_EACH { begin(); }

/* The next tensor of the pool. */
static ag_scan_target *add(unsigned want) {
  ag_tensor *t = &tensors[batch.count];
  *t = contiguous(dtype_named("float32"), ELEMENTS);
  t->data = pool[batch.count];
  ag_scan_target *s = &targets[batch.count++];
  *s = (ag_scan_target){.tensor = t, .want = (uint8_t)want};
  return s;
}

static void add_probe(void) { add(AG_WANT_BAD | AG_WANT_SUMMARY)->probe = true; }

static void scan(void) {
  assert_true(async->batch->bytes(&batch) <= pinned.size);
  assert_null(async->batch->start(&batch, slot, NULL, &pinned));
  assert_true(async->batch->is_done(&batch));
  assert_rules_kept();
}

/* The batch's kernels: all of them, and those for one tensor alone. */
static int batch_kernels(void) {
  return fake_count(AGK_BATCH) + fake_count(AGK_BATCH_FEW) + fake_count(AGK_BATCH_SUM) +
         fake_count(AGK_BATCH_SUM_FEW);
}
static int single_kernels(void) { return fake_count(AGK_SUMMARY_PREFIX "float32"); }

static void expect_kernels(int batches, int singles) {
  int before = batch_kernels(), before_singles = single_kernels();
  scan();
  assert_int_equal(batch_kernels() - before, batches);
  assert_int_equal(single_kernels() - before_singles, singles);
}

TEST(test_how_many_kernels) {
  expect_kernels(0, 0);
  for (int i = 0; i < AGK_TARGETS; i++) add(i % 2 ? AG_WANT_BAD : AG_WANT_SUMMARY);
  for (int i = 0; i < 8; i++) add_probe();
  expect_kernels(1, 0);
  add(AG_WANT_BAD);
  expect_kernels(2, 0);
}

/* The launch that scans fills memory too, if it does not sum up and has room. */
TEST(test_fills) {
  static uint32_t memory[3][100];
  ag_fill fills[3];
  for (size_t i = 0; i < 3; i++)
    fills[i] = (ag_fill){.to = memory[i], .word = 7 + (uint32_t)i, .words = 10 + i};
  fake_memory(memory, sizeof memory);
  for (int summary = 0; summary < 2; summary++)
    for (int targets_of = 1; targets_of <= AGK_TARGETS; targets_of++) {
      bool fits = !summary && targets_of + 3 <= AGK_TARGETS;
      begin();
      memset(memory, 0, sizeof memory);
      for (int i = 0; i < targets_of; i++) add(summary ? AG_WANT_SUMMARY : AG_WANT_BAD);
      batch.fills = fills;
      batch.nfills = 3;
      expect_kernels(1, 0);
      assert_int_equal(batch.nfills, fits ? 0 : 3);
      for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 100; k++)
          assert_int_equal(memory[i][k], fits && k < 10 + i ? 7 + i : 0);
    }
}

/* A large tensor is summed up by a kernel of its own, and once more where its bad elements are
 * asked for too; for bad elements alone it goes with the others. */
TEST(test_large) {
  static const struct {
    unsigned want;
    int singles;
  } cases[] = {{AG_WANT_BAD, 0}, {AG_WANT_SUMMARY, 1}, {AG_WANT_BAD | AG_WANT_SUMMARY, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    begin();
    add(cases[i].want);
    tensors[0] = contiguous(dtype_named("float32"), LARGE);
    tensors[0].data = large;
    add(AG_WANT_BAD);
    expect_kernels(1, cases[i].singles);
  }
}

static bool probe_was_scanned(uint32_t i) {
  ag_scan_result r;
  bool answered = async->batch->result(&batch, i, &r);
  if (answered) assert_true(r.stats.finite == ELEMENTS && r.stats.max == 1);
  assert_int_equal(answered, r.first[0] || r.first[1] || r.first[2]);
  return answered;
}

/* An output that is asserted, an input that is printed, and the input's probe. */
static bool scans_probe(float output, uint8_t kinds, float input) {
  begin();
  add(AG_WANT_BAD | AG_WANT_SUMMARY)->probe_kinds = kinds;
  add(AG_WANT_SUMMARY);
  add_probe();
  pool[0][3] = output;
  pool[1][5] = input;
  scan();
  ag_scan_result r;
  assert_true(async->batch->result(&batch, 0, &r));
  assert_int_equal(r.stats.finite, isfinite(output) ? ELEMENTS : ELEMENTS - 1);
  assert_true(async->batch->result(&batch, 1, &r));
  assert_int_equal(r.stats.neg_inf, input == -INFINITY);
  return probe_was_scanned(2);
}

TEST(test_what_has_probes_scanned) {
  assert_false(scans_probe(1, 0, 1));
  assert_true(scans_probe(NAN, 0, 1));
  assert_true(scans_probe(-INFINITY, 0, 1));
  assert_false(scans_probe(1, 0, -INFINITY)); /* such as an attention mask */
  assert_false(scans_probe(-INFINITY, 1, -INFINITY));
  assert_true(scans_probe(NAN, 1, -INFINITY));
  assert_true(scans_probe(-INFINITY, 6, 1));
  assert_false(scans_probe(NAN, 6, 1));
}

/* A bad printed input makes nothing ambiguous in a batch of two launches. */
TEST(test_two_launches) {
  for (int i = 0; i <= AGK_TARGETS; i++) add(i ? AG_WANT_SUMMARY : AG_WANT_BAD);
  add_probe();
  pool[0][7] = NAN;
  pool[AGK_TARGETS][9] = -INFINITY;
  scan();
  assert_true(probe_was_scanned(AGK_TARGETS + 1));
  pool[0][7] = 1;
  pinned.used = 0;
  scan();
  assert_false(probe_was_scanned(AGK_TARGETS + 1));
}

/* 527-cuda-record-tables - runs on a device that lags behind the host: what is known of tensors
 * from one launch, or run, to the next. */
#include <math.h>

#include "5xx/lagging.h"
#include "kernels.h"

/* A buffer of which an earlier launch wrote all, and a later one a part, clean: of what it holds
 * then the first tells nothing. */
static const aotigen_param overwritten[] = {FLOAT32("buf0", AOTIGEN_OUT)},
                           updated[] = {FLOAT32("buf0", AOTIGEN_INOUT)};
static const aotigen_site patching_sites[] = {
    TRITON_SITE("triton_poi_fused_add_0", overwritten, 100, .nodes = "add", .aten = "aten.add"),
    TRITON_SITE("triton_poi_fused_mul_1", overwritten, 200, .nodes = "mul", .aten = "aten.mul"),
    TRITON_SITE("triton_poi_fused_sub_2", updated, 300, .nodes = "sub", .aten = "aten.sub")};

typedef struct patch {
  float *at;
  int n, step;
  float value;
} patch;

static void run_patch(void *of) {
  const patch *p = of;
  for (int i = 0; i < p->n; i += p->step) p->at[i] = p->value;
}

static void patched_with(const lineup *l, int first, int n, int step, int updated_n) {
  aotigen_run run;
  fake *whole = fake_new("float32", 7, -1), *part = fake_new("float32", (n + step - 1) / step, -1),
       *rest = fake_new("float32", updated_n, -1);
  const fake *args[] = {whole, part, rest};
  float *at = FLOATS(whole);
  const patch patches[] = {{at + first, n, step, NAN}, {at + first, n, step, 1}, {at, 1, 1, NAN}};
  for (int i = 1; i < 3; i++) { /* both are views of the whole */
    fake *view = i == 1 ? part : rest;
    view->storage = whole->storage;
    view->storage_size = whole->storage_size;
    view->offset = i == 1 ? first : 0;
    view->data = at + view->offset;
  }
  part->strides[0] = step;
  begin(&run, &model, l);
  for (uint32_t i = 0; i < 3; i++) {
    aotigen_value v[] = {handle(args[i])};
    run.launch++;
    assert_null(aotigen_before(&run, i, v, 1));
    fake_give(l->stream, run_patch, &patches[i], sizeof patches[i]);
    assert_null(aotigen_after(&run, i, NULL, 0));
  }
  aotigen_run_end(&run, 0);
}

TEST(what_was_bad_is_patched) {
  lineup l = new_lineup(0);
  for (int rest = 0; rest < 2; rest++) { /* every other element, and then all is updated; the last
                                            ones, and then the first */
    char *texts[2];
    for (uint8_t sync = 0; sync < 2; sync++) {
      model = new_model(3, 0, sync);
      model.sites = patching_sites;
      model.nsites = 3;
      capture(2);
      if (rest)
        patched_with(&l, 4, 3, 1, 4);
      else
        patched_with(&l, 0, 7, 2, 7);
      texts[sync] = without_runs(captured(2));
    }
    assert_has(texts[1], "NaN born in run N, launch 3: triton_poi_fused_sub_2\n");
    assert_string_equal(texts[0], texts[1]);
  }
}

/* More outputs than the device is asked of in one go, bad in two parts of them: what it read beside
 * them is right, or not said. */
TEST(many_outputs_are_bad) {
  enum { OUTPUTS = 20 };
  aotigen_param params[OUTPUTS + 1] = {FLOAT32("buf0", AOTIGEN_IN)};
  aotigen_value v[OUTPUTS + 1];
  aotigen_run run;
  lineup l = new_lineup(0);
  char names[OUTPUTS][16];
  for (int i = 0; i < ELEMENTS; i++) FLOATS(l.bufs[0])[i] = (float)i;
  v[0] = handle(l.bufs[0]);
  for (int i = 1; i <= OUTPUTS; i++) {
    snprintf(names[i - 1], sizeof names[0], "buf%d", i);
    params[i] = (aotigen_param)FLOAT32(names[i - 1], AOTIGEN_OUT);
    fake *out = fake_new("float32", 4, ELEMENTS / 4, -1);
    if (i == 3) FLOATS(out)[7] = NAN;
    if (i == 19) FLOATS(out)[2] = NAN;
    v[i] = handle(out);
  }
  const aotigen_site site =
      TRITON_SITE("triton_poi_fused_add_0", params, 100, .nodes = "add", .aten = "aten.add");
  model = new_model(3, 0, 0);
  model.sites = &site;
  model.nsites = 1;
  fake_late(100);
  capture(2);
  begin(&run, &model, &l);
  run.launch++;
  assert_null(aotigen_before(&run, 0, v, OUTPUTS + 1));
  assert_null(aotigen_after(&run, 0, NULL, 0));
  aotigen_run_end(&run, 0);
  char *text = captured(2);
  assert_has(text, "the first at [0, 7] (index 7)");
  assert_has(text, "clean, 0 to 39; at [0, 7]: ?\n");
}

/* ---- weights -------------------------------------------------------------------------------- */

/* A capture may take over a run's records, or its launches cannot be scanned. Then a bad weight is
 * reported again, even if the launch that reads it has no bad output. */
static const aotigen_weight bad_weight = {.name = "L__self___w", .fqn = "w", .ndim = 2};
static const aotigen_param weight_params[] = {{.name = "L__self___w",
                                               .python_name = "w",
                                               .role = AOTIGEN_IN,
                                               .kind = AOTIGEN_WEIGHT,
                                               .dtype = "float32"},
                                              FLOAT32("buf1", AOTIGEN_OUT)};
static const aotigen_site weight_sites[] = {
    TRITON_SITE("triton_poi_fused_add_0", weight_params, 100, .nodes = "add", .aten = "aten.add")};

static aotigen_model weight_model(void) {
  aotigen_model m = new_model(3, 0, 0);
  m.sites = weight_sites;
  m.nsites = 1;
  m.weights = &bad_weight;
  m.nweights = 1;
  return m;
}

/* bad: the element that the launch spoils by itself, or -1. */
static void run_with_weight(const lineup *l, const fake *weight, int bad) {
  aotigen_run run;
  begin(&run, &model, l);
  aotigen_value w[] = {handle(weight)};
  assert_null(aotigen_check_weights(&run, w, 1));
  kernel k = {.out = FLOATS(l->bufs[1]), .value = 1, .poison = NAN, .bad = bad};
  assert_null(launch_kernel(&run, l, 0, weight, &k, l->bufs[1]));
  aotigen_run_end(&run, 0);
}

/* Asserts that each of `runs` runs reports it. */
static void is_told_of(const lineup *l, const fake *weight, int runs) {
  for (int i = 0; i < runs; i++) {
    capture(2);
    run_with_weight(l, weight, -1);
    assert_int_equal(count(captured(2), "NaN arrived in run"), 1);
  }
}

TEST(a_bad_weight_after_a_capture) {
  lineup l = new_lineup(0);
  FLOATS(l.bufs[0])[5] = NAN;
  model = weight_model();
  fake_late(3000);
  capture(2);
  run_with_weight(&l, l.bufs[0], -1);
  fake_capture(l.stream, 1);
  run_with_weight(&l, l.bufs[0], -1); /* takes over the records of the run before */
  fake_capture(NULL, 0);
  assert_int_equal(count(captured(2), "NaN arrived in run"), 1);
  is_told_of(&l, l.bufs[0], 3);
}

TEST(a_bad_weight_after_an_error) {
  lineup l = new_lineup(0);
  FLOATS(l.bufs[0])[5] = NAN;
  model = weight_model();
  capture(2);
  run_with_weight(&l, l.bufs[1], -1); /* all is made that is needed */
  ag_evaluator_settle();
  fake_fail("cuLaunchKernel", 1, 1);
  run_with_weight(&l, l.bufs[0], -1);
  ag_evaluator_settle();
  assert_string_equal(captured(2), "");
  is_told_of(&l, l.bufs[0], 3);
}

/* Without a free slot the run waits for its launches: it knows what the evaluation of the run
 * before has found. */
TEST(a_bad_weight_in_a_run_that_waits) {
  lineup l = new_lineup(0), other = new_lineup(1);
  aotigen_model busy = new_model(3, 0, 0);
  aotigen_run run;
  FLOATS(l.bufs[0])[5] = NAN;
  model = weight_model();
  is_told_of(&l, l.bufs[0], 1);
  begin(&run, &busy, &other);
  assert_null(launch(&run, &other, -1, 0)); /* it takes the only slot */
  fake_fail("cuMemAlloc_v2", 1, 2);
  is_told_of(&l, l.bufs[0], 1);
  aotigen_run_end(&run, 0);
}

/* A weight that is too large to be kept for the verdicts, and is written behind the run: it is not
 * accused. */
static const aotigen_param reads_large[] = {{.name = "w",
                                             .python_name = "layer.weight",
                                             .role = AOTIGEN_IN,
                                             .kind = AOTIGEN_WEIGHT,
                                             .dtype = "float32"},
                                            FLOAT32("buf0", AOTIGEN_OUT)};
static const aotigen_site large_sites[] = {
    EXTERN_SITE("extern_kernels.mm", reads_large, 10, .aten = "aten.mm")};
static const aotigen_weight large_weight = {.name = "w", .fqn = "layer.weight", .ndim = 1};

TEST(a_large_weight_is_written_too_soon) {
  lineup l = new_lineup(0);
  fake *weight = fake_new("float32", AGK_PROBE_MOST + 1, -1);
  const patch update = {FLOATS(weight) + 5, 1, 1, NAN};
  model = weight_model();
  model.sites = large_sites;
  model.weights = &large_weight;
  fake_late(1);
  capture(2);
  run_with_weight(&l, weight, -1);
  ag_evaluator_settle();
  assert_string_equal(captured(2), "");
  capture(2);
  fake_late(20 * 1000);
  run_with_weight(&l, weight, 3);
  fake_give(l.stream, run_patch, &update, sizeof update);
  fake_wait(l.stream);
  ag_evaluator_settle();
  char *text = captured(2);
  assert_has(text, "NaN found in run 2, launch 1: extern_kernels.mm\n  born here, or brought by "
                   "'w', which could not be scanned\n");
  assert_lacks(text, "arrived");
  capture(2);
  run_with_weight(&l, weight, 3); /* and now it is scanned before it is read */
  ag_evaluator_settle();
  assert_has(
      captured(2),
      "NaN arrived in run 3 with the weight 'layer.weight', read by launch 1: extern_kernels.mm\n");
}

/* 314-runs - counters, nesting, filters, several threads over one model, and the cost of a
 * launch that is left out. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "shim.h"

static const aotigen_param params[] = {
    {.name = "buf0", .role = AOTIGEN_OUT},
    {.name = "arg0_1", .role = AOTIGEN_IN, .kind = AOTIGEN_INPUT}};
static const aotigen_site sites[] = {EXTERN_SITE("first", params, 1, .aten = "aten.mm"),
                                     EXTERN_SITE("second", params, 2)};
static const aotigen_input input = {.name = "arg0_1", .ndim = -1};
static aotigen_model model;

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), .nan_asserts = 3, .check_inputs = 3, .device = fake_device(),
                .inputs = &input, .ninputs = 1);
}

AFTER_EACH {
  environment("AOTIGEN_KERNELS", NULL);
  environment("AOTIGEN_RUNS", NULL);
}

TEST(numbers) {
  aotigen_run fold, one, part, two;
  aotigen_run_begin(&fold, &model, 1, NULL);
  assert_int_equal(fold.number, 0);
  aotigen_run_end(&fold, 0);
  aotigen_run_begin(&one, &model, 0, NULL);
  one.launch = 2;
  one.unseen = 1;
  aotigen_run_begin(&part, &model, 0, NULL);
  assert_int_equal(part.number, one.number);
  assert_int_equal(part.launch, 2);
  assert_int_equal(part.unseen, 1);
  part.launch++;
  aotigen_run_end(&part, 0);
  assert_int_equal(one.launch, 3);
  aotigen_run_end(&one, 1);
  aotigen_run_begin(&two, &model, 0, NULL);
  assert_int_equal(two.number, one.number + 1);
  assert_int_equal(two.launch, 0);
  aotigen_run_end(&two, 0);
}

TEST(filters) {
  aotigen_run run;
  static aotigen_model models[4];
  for (int i = 0; i < 4; i++) models[i] = model;
  models[1].kernels = "mm";
  aotigen_run_begin(&run, &models[0], 0, NULL);
  assert_true(run.wanted[0] && run.wanted[1]);
  aotigen_run_end(&run, 0);
  aotigen_run_begin(&run, &models[1], 0, NULL);
  assert_true(run.wanted[0] && !run.wanted[1]);
  aotigen_run_end(&run, 0);
  environment("AOTIGEN_KERNELS", "second");
  models[2].kernels = "mm"; /* both must let it in */
  aotigen_run_begin(&run, &models[2], 0, NULL);
  assert_true(!run.wanted[0] && !run.wanted[1]);
  aotigen_run_end(&run, 0);
  environment("AOTIGEN_KERNELS", NULL);
  environment("AOTIGEN_RUNS", "99999-");
  aotigen_run_begin(&run, &models[3], 0, NULL);
  assert_true(!run.wanted[0] && !run.wanted[1]);
  aotigen_run_end(&run, 0);
}

TEST(nothing_on) {
  aotigen_run run;
  model.nan_asserts = model.check_inputs = 0;
  aotigen_run_begin(&run, &model, 0, NULL);
  assert_true(!run.wanted[0] && !run.wanted[1]);
  aotigen_run_end(&run, 0);
}

TEST(nonsense) {
  aotigen_run run;
  aotigen_run_begin(&run, &model, 0, NULL);
  assert_null(aotigen_before(&run, 77, NULL, 0));
  assert_null(aotigen_after(&run, 1, NULL, 0)); /* without a before */
  aotigen_run_end(&run, 0);
}

enum { THREADS = 4, RUNS = 200 };
static atomic_ullong numbers_seen;

static void *run_many(void *p) {
  fake *in = fake_new("float32", 64, -1), *out = fake_new("float32", 64, -1);
  bool bad = *(int *)p;
  const aotigen_value values[] = {handle(out), handle(in)};
  const void *handles[] = {in};
  for (int i = 0; i < RUNS; i++) {
    aotigen_run run;
    aotigen_run_begin(&run, &model, 0, NULL);
    aotigen_check_inputs(&run, handles);
    for (uint32_t k = 0; k < 2; k++) {
      run.launch++;
      if (aotigen_before(&run, k, values, 2)) abort();
      FLOATS(out)[k] = bad ? NAN : 0;
      if (aotigen_after(&run, k, NULL, 0)) abort();
    }
    numbers_seen += run.launch;
    aotigen_run_end(&run, 0);
  }
  fake_free(in);
  fake_free(out);
  return NULL;
}

TEST(threads) {
  pthread_t t[THREADS];
  int bad[THREADS] = {0, 1, 0, 1}, births = 0;
  capture(2);
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, run_many, &bad[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  char *text = captured(2);
  for (char *p = text; (p = strstr(p, "aotigen: ")); p++, births++) {
    if (p != text && p[-1] != '\n') fail_msg("mixed lines at '%.60s'", p);
    if (strncmp(p, "aotigen: NaN born in run ", 25)) fail_msg("'%.80s'", p);
  }
  assert_int_equal(births,
                   2 * 2 * RUNS); /* each launch reads a clean input alone, and makes its own */
  assert_int_equal(numbers_seen, THREADS * RUNS * 2);
  free(text);
}

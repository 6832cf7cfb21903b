/* lagging.h - a model on streams of the fake libcuda that lag behind the host, for the tests of
 * what is reported about its runs.
 *
 * Each test is a process of its own (PROGRAM NAME; `list` names them), since what happens to a
 * device stays with the process.
 */
#ifndef AOTIGEN_T_LAGGING_H
#define AOTIGEN_T_LAGGING_H

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "5xx/fake_driver.h"
#include "../shim.h" /* not the runtime's */

enum { STEP, ODD, NSITES, ELEMENTS = 40 };
static const aotigen_param step_params[] = {FLOAT32("buf0", AOTIGEN_IN),
                                            FLOAT32("buf1", AOTIGEN_OUT)};
static const aotigen_site sites[] = {[STEP] = TRITON_SITE("triton_poi_fused_add_0", step_params,
                                                          100, .nodes = "add", .aten = "aten.add"),
                                     [ODD] = TRITON_SITE("triton_poi_fused_mul_1", step_params, 200,
                                                         .nodes = "mul", .aten = "aten.mul")};

/* ---- the device's side ---------------------------------------------------------------------- */

static atomic_bool at_gate; /* a kernel stands at its gate */

/* The work of a kernel of the model: it fills its output, and spoils one element of it. */
typedef struct kernel {
  float *out;
  float value, poison;
  int bad;                   /* -1: none */
  const atomic_int *gate;    /* until it is set the stream stands still */
  const atomic_int *bad_now; /* for a graph: in place of `bad`, read on each replay */
} kernel;

static inline void run_kernel(void *of) {
  const kernel *k = of;
  if (k->gate && !atomic_load(k->gate)) {
    atomic_store(&at_gate, true);
    AWAIT(atomic_load(k->gate));
    atomic_store(&at_gate, false);
  }
  int bad = k->bad_now ? atomic_load(k->bad_now) : k->bad;
  for (int i = 0; i < ELEMENTS; i++) k->out[i] = k->value;
  if (bad >= 0) k->out[bad] = k->poison;
}

/* ---- the model's side ----------------------------------------------------------------------- */

/* A thread's own stream and buffers; bufs[0] is never written and the others are used over and
 * over. */
typedef struct lineup {
  void *stream;
  fake *bufs[4];
} lineup;

static char streams[32];
static aotigen_model model;

static inline aotigen_model new_model(uint8_t nan_asserts, uint8_t printer, uint8_t sync) {
  return MODEL(WITH(sites, sites), .nan_asserts = nan_asserts, .printer = printer, .sync = sync,
               .check_inputs = 2, .device = "cuda");
}

static inline lineup new_lineup(int number) {
  lineup l = {.stream = &streams[number]};
  for (int i = 0; i < 4; i++) l.bufs[i] = fake_new("float32", 4, ELEMENTS / 4, -1);
  return l;
}

static inline void begin(aotigen_run *run, aotigen_model *m, const lineup *l) {
  aotigen_run_begin(run, m, 0, l->stream);
}

/* NULL, or what a marker wants thrown. */
static inline const char *launch_kernel(aotigen_run *run, const lineup *l, uint32_t site,
                                        const fake *in, const kernel *k, const fake *out) {
  aotigen_value v[] = {handle(in), handle(out)};
  const char *fault;
  run->launch++;
  if (!run->wanted[site]) {
    run->unseen = run->launch;
    fake_give(l->stream, run_kernel, k, sizeof *k);
    return NULL;
  }
  if ((fault = aotigen_before(run, site, v, 2))) return fault;
  fake_give(l->stream, run_kernel, k, sizeof *k);
  return aotigen_after(run, site, NULL, 0);
}

/* Launch number n reads what the one before it wrote; bad: the element that it spoils, or -1. */
static inline const char *launch(aotigen_run *run, const lineup *l, int bad, float poison) {
  uint64_t n = run->launch + 1;
  fake *in = n == 1 ? l->bufs[0] : l->bufs[1 + (n - 1) % 3], *out = l->bufs[1 + n % 3];
  kernel k = {.out = FLOATS(out), .value = (float)n, .poison = poison, .bad = bad};
  return launch_kernel(run, l, n % 2 ? STEP : ODD, in, &k, out);
}

/* A whole run of n launches, of which number `where` spoils element `bad`. */
static inline uint64_t whole_run(aotigen_model *m, const lineup *l, uint64_t n, uint64_t where,
                                 int bad, float poison) {
  aotigen_run run;
  begin(&run, m, l);
  for (uint64_t i = 1; i <= n; i++) assert_null(launch(&run, l, i == where ? bad : -1, poison));
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
  return run.number;
}

/* The number of the library's allocations through the driver. */
static inline int allocations(void) {
  return fake_count("cuMemHostAlloc") + fake_count("cuMemAlloc_v2");
}

/* ---- a device that is lost ------------------------------------------------------------------ */

enum { MANY = 200 }; /* launches of such a run */
static const char driver_error[] = "CUDA error: an illegal memory access was encountered";

/* As whole_run(), but the device is lost in launch `where`. What the wrapper throws at last is
 * copied to `message`. */
static inline void run_to_death(const lineup *l, uint64_t where, char *message, size_t room) {
  aotigen_run run;
  const char *fault = NULL;
  begin(&run, &model, l);
  for (uint64_t i = 1; i <= MANY && !fault; i++) {
    aotigen_value v[] = {handle(l->bufs[0]), handle(l->bufs[1])};
    if (i != where) {
      fault = launch(&run, l, -1, 0);
      continue;
    }
    run.launch++;
    fault = aotigen_before(&run, ODD, v, 2);
    if (fault) break;
    fake_death(l->stream, 0, 700);
    fault = aotigen_after(&run, ODD, NULL, 0);
  }
  if (!fault) {
    fake_wait(l->stream);
    fault = aotigen_run_failed(&run, driver_error);
  }
  snprintf(message, room, "%s", fault ? fault : "");
  aotigen_run_end(&run, 1);
}

/* ---- a program of tests --------------------------------------------------------------------- */

BEFORE_EACH { assert_int_equal(fake_open(), 0); }

AFTER_EACH {
  ag_evaluator_settle();
  assert_rules_kept();
}

#endif

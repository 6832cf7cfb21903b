/* crossings.c - the calls that the runtime makes between a marker of an async run and the launch of
 * the batch that scans the launch's tensors.
 *
 * The runtime is compiled with -O0 -finstrument-functions and linked with this file, which is not.
 * Prints a line "SCENARIO CALLER CALLEE" (addresses) for each call; crossings.py builds it, names
 * the files and counts. The launch reads one tensor and writes one; the driver is the tests' fake.
 */
#include "5xx/lagging.h"

enum { DEPTH = 64, CALLS = 512, WARM = 20 };

typedef struct call {
  const void *caller, *callee;
} call;

static const void *stack[DEPTH];
static call calls[CALLS];
static int depth, ncalls;
static int launched; /* launches by the driver, before the marker */
static _Thread_local bool recording;

/* The fake cuLaunchKernelEx calls cuLaunchKernel. */
static int count_launches(void) { return fake_count("cuLaunchKernel"); }

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

void __cyg_profile_func_enter(void *function, void *site) {
  (void)site;
  if (!recording) return;
  if (depth && count_launches() == launched && ncalls < CALLS)
    calls[ncalls++] = (call){stack[depth - 1], function};
  if (depth < DEPTH) stack[depth++] = function;
}

void __cyg_profile_func_exit(void *function, void *site) {
  (void)function;
  (void)site;
  if (recording && depth) depth--;
}

static void start_recording(void) {
  depth = ncalls = 0;
  launched = count_launches();
  recording = true;
}

static void print_calls(const char *scenario, int launches) {
  recording = false;
  assert_int_equal(count_launches() - launched, launches);
  for (int i = 0; i < ncalls; i++) printf("%s %p %p\n", scenario, calls[i].caller, calls[i].callee);
}

/* scanned: false if the previous launch wrote what this one reads. */
static void record_launch(aotigen_run *run, const lineup *l, const fake *in, bool scanned) {
  const fake *out = l->bufs[2];
  aotigen_value v[] = {handle(in), handle(out)};
  kernel k = {.out = FLOATS(out), .bad = -1};
  run->launch++;
  start_recording();
  assert_null(aotigen_before(run, STEP, v, 2));
  print_calls(scanned ? "before-new-input" : "before-known-input", scanned);
  fake_give(l->stream, run_kernel, &k, sizeof k);
  start_recording();
  assert_null(aotigen_after(run, STEP, NULL, 0));
  if (!scanned) print_calls("after", 1);
  recording = false;
}

int main(void) {
  if (fake_open()) return 1;
  aotigen_run run;
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  begin(&run, &model, &l);
  for (int i = 0; i < WARM; i++) assert_null(launch(&run, &l, -1, 0));
  record_launch(&run, &l, l.bufs[1], false);
  record_launch(&run, &l, fake_new("float32", 4, ELEMENTS / 4, -1), true);
  aotigen_run_end(&run, 0);
  ag_evaluator_settle();
  assert_rules_kept();
  return 0;
}

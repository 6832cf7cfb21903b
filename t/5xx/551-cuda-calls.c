/* 551-cuda-calls - how many calls of the driver a run takes, and of hooks a launch; and that
 * results are not those of an earlier run whose memory they have. */
#include <math.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "../runtime/launch/hooks.h"
#include "5xx/lagging_graph.h"

enum { KERNEL, OPERATOR };
static const aotigen_site alternating[] = {
    [KERNEL] = TRITON_SITE("triton_poi_fused_add_0", step_params, 100),
    [OPERATOR] = EXTERN_SITE("aoti_torch_cuda_mm_out", step_params, 200)};

static void launch_of(aotigen_run *run, const lineup *l, uint32_t site) {
  uint64_t n = run->launch + 1;
  const fake *in = l->bufs[n == 1 ? 0 : 1 + (n - 1) % 3], *out = l->bufs[1 + n % 3];
  kernel k = {.out = FLOATS(out), .value = (float)n, .bad = -1};
  assert_null(launch_kernel(run, l, site, in, &k, out));
}

/* The number of such calls in a run of launches: 'k' of a kernel, 'o' of an operator. */
static int calls(const char *call, const lineup *l, const char *launches) {
  aotigen_run run;
  int before = fake_count(call);
  begin(&run, &model, l);
  for (; *launches; launches++) launch_of(&run, l, *launches == 'k' ? KERNEL : OPERATOR);
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
  int n = fake_count(call) - before;
  fake_wait(l->stream);
  ag_evaluator_settle();
  return n;
}

static lineup begin_test(void) {
  lineup l = new_lineup(0);
  model = MODEL(WITH(sites, alternating), .nan_asserts = 3, .check_inputs = 2, .device = "cuda");
  (void)calls("", &l, "kok");
  return l;
}

TEST(each_launch_is_one_batch) {
  lineup l = begin_test();
  int before =
      fake_count("cuStreamWriteValue32_v2"); /* counted are those of an older device, too */
  int batches = calls("cuLaunchKernel", &l, "kkkkkkkkkk") + calls("cuLaunchKernelEx", &l, "");
  assert_int_equal(batches, 10 + 1); /* what the first launch reads */
  assert_int_equal(fake_count("cuStreamWriteValue32_v2"), before);
}

#define LENGTH(list) length((const void *)(list))
static int length(const void *list) {
  int n = 0;
  for (void *const *at = list; at[n];) n++;
  return n;
}

/* The number of hooks that are called at each launch of such a model. */
static int hooks(aotigen_model of) {
  ag_model_state *m = ag_model_state_of(&of);
  const ag_wanted_hooks *h = ag_hooks_of(m);
  return LENGTH(h->before) + LENGTH(h->launching) + LENGTH(h->returned) + LENGTH(h->after) +
         LENGTH(h->over);
}

/* The device is asked before each launch if it is lost, and has its end marked behind it. */
TEST(names_alone_call_five_hooks) {
  aotigen_model names = MODEL(WITH(sites, alternating), .printer = 3, .device = "cuda");
  assert_int_equal(hooks(names), 5);
}

static int limits_asked;

/* In place of libc's. */
int getrlimit(__rlimit_resource_t resource, struct rlimit *limit) {
  limits_asked += resource == RLIMIT_FSIZE;
  return (int)syscall(SYS_prlimit64, 0, resource, NULL, limit);
}

/* A line that is printed takes one system call. */
TEST(the_limit_of_a_file_is_asked_for_once_a_run) {
  lineup l = new_lineup(0);
  model = MODEL(WITH(sites, alternating), .printer = 3, .device = "cuda");
  capture(1);
  (void)calls("", &l, "k");
  limits_asked = 0;
  (void)calls("", &l, "kkkkkkkkkk");
  int asked = limits_asked;
  char *text = captured(1);
  assert_int_equal(count(text, "[ after_launch: triton_poi_fused_add_0 ]"), 11);
  assert_int_equal(asked, 1);
  free(text);
}

/* What only an operator of a library, or a collective, needs is not called for other models. */
TEST(hooks_are_those_of_the_sites) {
  static const aotigen_site with_op[] = {TRITON_SITE("triton_poi_fused_add_0", step_params, 100),
                                         PROXY_SITE("aten.bucketize.Tensor", step_params, 200)};
  static const aotigen_site with_collective[] = {
      TRITON_SITE("triton_poi_fused_add_0", step_params, 100),
      EXTERN_SITE("_c10d_functional.all_reduce_", step_params, 200, .flags = AOTIGEN_COLLECTIVE)};
  aotigen_model m = MODEL(WITH(sites, alternating), .nan_asserts = 3, .check_inputs = 2,
                          .device = "cuda"),
                op = m, collective = m;
  op.sites = with_op;
  collective.sites = with_collective;
  assert_int_equal(hooks(op), hooks(m) + 1);
  assert_int_equal(hooks(collective), hooks(m) + 3);
}

/* A kernel begins no capture. */
TEST(behind_a_kernel_no_capture_is_looked_for) {
  static const char call[] = "cuStreamIsCapturing";
  lineup l = begin_test();
  int one = calls(call, &l, "k"), two = calls(call, &l, "ko") - one;
  assert_int_equal(two, 0);
  assert_int_equal(calls(call, &l, "kkkkkkkkkk"), one);
  int each = calls(call, &l, "koo") - one;
  assert_true(each > 0);
  assert_int_equal(calls(call, &l, "kookkkk"), one + 2 * each);
  assert_int_equal(calls(call, &l, "ooo"), one + 2 * each);
}

/* An operator in Python may begin one. */
TEST(a_capture_that_an_operator_begins_is_seen) {
  lineup l = begin_test();
  aotigen_run run;
  capture(2);
  begin(&run, &model, &l);
  launch_of(&run, &l, KERNEL);
  launch_of(&run, &l, OPERATOR);
  int before = fake_count("cuLaunchKernel");
  fake_capture(l.stream, 1);
  launch_of(&run, &l, KERNEL);
  fake_capture(NULL, 0);
  assert_int_equal(fake_count("cuLaunchKernel"), before);
  aotigen_run_end(&run, 0);
  fake_wait(l.stream);
  assert_has_freed(captured(2), "is being captured into a graph: its launches are not scanned");
}

/* The results of a run lie where those of an earlier one lay, and are not cleared before. */
TEST(results_are_those_of_the_run) {
  lineup l = new_lineup(0);
  model = new_model(3, 0, 0);
  for (int i = 0; i < 40; i++) {
    int bad = i % 3 ? -1 : i % 7;
    uint64_t where = (uint64_t)(1 + i % 5);
    capture(2);
    whole_run(&model, &l, 5, where, bad, i % 2 ? NAN : INFINITY);
    fake_wait(l.stream);
    ag_evaluator_settle();
    char *text = captured(2), index[32];
    assert_int_equal(count(text, " born in "), bad >= 0);
    snprintf(index, sizeof index, "first at [0, %d]", bad);
    if (bad >= 0) assert_has(text, index);
    free(text);
  }
}

/* 365-subnormals - outputs of which a larger share is subnormal than --subnormals allows. */
#include "shim.h"

enum { OF16, OF_BRAIN, EMPTY, OF32, READ, ARGS, NUMEL = 8 };

#define TENSOR_OF(n, type, r)                                                                      \
  { .name = n, .dtype = type, .role = r, .kind = AOTIGEN_TENSOR }
static const aotigen_param params[] = {[OF16] = TENSOR_OF("buf0", "float16", AOTIGEN_OUT),
                                       [OF_BRAIN] = TENSOR_OF("buf1", "bfloat16", AOTIGEN_INOUT),
                                       [EMPTY] = TENSOR_OF("buf2", "float16", AOTIGEN_OUT),
                                       [OF32] = TENSOR_OF("buf3", "float32", AOTIGEN_OUT),
                                       [READ] = TENSOR_OF("buf4", "float16", AOTIGEN_IN)};
static const aotigen_site sites[] = {
    CPU_SITE("cpp_fused_mul_0", params, 42, .nodes = "mul", .aten = "aten.mul")};
static aotigen_run run;

/* The number 1 is the least subnormal of each type. */
static void fill(fake *f, size_t item, int n) {
  memset(f->data, 0, NUMEL * item);
  for (int i = 0; i < n; i++) ((char *)f->data)[(size_t)i * item] = 1;
}

/* The output of a launch that writes so many subnormal elements of eight; all elements of the other
 * tensors are subnormal. */
static char *launch(unsigned share, int of16, int of_brain) {
  static aotigen_model models[8];
  static int n;
  aotigen_model *model = &models[n++];
  *model = MODEL(WITH(sites, sites), .subnormals = (uint8_t)share, .device = fake_device());
  fake *args[ARGS];
  aotigen_value values[ARGS];
  for (int i = 0; i < ARGS; i++)
    args[i] = fake_new(params[i].dtype, (int64_t)(i == EMPTY ? 0 : NUMEL), (int64_t)-1);
  for (int i = 0; i < ARGS; i++) values[i] = handle(args[i]);
  capture(2);
  aotigen_run_begin(&run, model, 0, NULL);
  run.launch++;
  if (run.wanted[0]) assert_null(aotigen_before(&run, 0, values, ARGS));
  fill(args[OF16], 2, of16);
  fill(args[OF_BRAIN], 2, of_brain);
  fill(args[OF32], 4, NUMEL);
  fill(args[READ], 2, NUMEL);
  if (run.wanted[0]) assert_null(aotigen_after(&run, 0, NULL, 0));
  aotigen_run_end(&run, 0);
  char *text = captured(2);
  for (int i = 0; i < ARGS; i++) fake_free(args[i]);
  return text;
}

static void assert_silent(char *text) {
  assert_string_equal(text, "");
  free(text);
}

TEST(the_share_itself_is_allowed) {
  assert_silent(launch(0, 8, 8)); /* off */
  assert_silent(launch(25, 2, 0));
  assert_silent(launch(50, 4, 4));
  assert_silent(launch(100, 8, 8));
}

TEST(more_is_reported) { as_expected(launch(50, 5, 8)); }

TEST(it_is_logged) {
  begin_log();
  free(launch(12, 0, 1));
  char *log = end_log();
  assert_has(log, "\"event\":\"subnormal\"");
  assert_has(log, "\"found\":\"1 of 8\"");
  free(log);
}

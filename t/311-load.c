/* 311-load - what is refused at load, and the weights as the run function sees them. */
#include <stdio.h>
#include <unistd.h>

#include "shim.h"

static const int64_t shape[] = {2, 3}, stride[] = {3, 1};
static const aotigen_weight weights[] = {
    {"a_weight", "a.weight", "float32", "cpu", shape, stride, 24, 2, 0, 0},
    {"folded", "_FOLDED_CONST_1", "float32", "cpu", shape, stride, 24, 2, 1, 1},
    {"b_bias", "b.bias", "float32", "cpu", shape, stride, 24, 2, 0, 0}};
static aotigen_model model;
static aotigen_run run;
static fake *w[3];

BEFORE_EACH {
  model = MODEL(WITH(weights, weights), .check_inputs = 3);
  for (int i = 0; i < 3; i++) w[i] = fake_new("float32", 2, 3, -1);
}

AFTER_EACH {
  for (int i = 0; i < 3; i++) fake_free(w[i]);
  environment("AOTIGEN_ON_FAULT", NULL);
}

static void loads(const char *device, const char *dir, int64_t blob) {
  static const char bytes[1] = {0};
  capture(2);
  const char *message =
      aotigen_load(&model, device, dir, blob < 0 ? NULL : bytes, blob < 0 ? NULL : bytes + blob);
  char *text = captured(2);
  if (message) fail_msg("%s", message);
  assert_string_equal(text, "");
  free(text);
}

static void refused(const char *device, const char *dir, int64_t blob, const char *line) {
  static const char bytes[1] = {0};
  capture(2);
  const char *message =
      aotigen_load(&model, device, dir, blob < 0 ? NULL : bytes, blob < 0 ? NULL : bytes + blob);
  char *text = captured(2);
  assert_non_null(message);
  assert_summary(message, text);
  assert_has(text, line);
  free(text);
}

TEST(devices) {
  loads("cpu", NULL, -1);
  loads(NULL, NULL, -1);
  refused("cuda", NULL, -1, "device        expected 'cpu', which it was built for, found 'cuda'\n");
  model.device = "cuda";
  refused("cpu", NULL, -1, "found 'cpu'");
  loads("cuda:1", NULL, -1);
}

TEST(blob) {
  loads("cpu", NULL, 48);
  loads("cpu", NULL, 128);
  refused("cpu", NULL, 40,
          "weights       expected 48 bytes up to the end of 'b.bias', found 40 bytes\n");
  refused("cpu", NULL, 2, "'a.weight'");
  loads("cpu", NULL, 1); /* emitted without weights */
}

TEST(cubins) {
  char dir[512], path[600], line[700];
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  snprintf(path, sizeof path, "%s/k.cubin", dir);
  const char *const here[] = {path}, *const elsewhere[] = {"/gone/k.cubin"};
  model.cubins = here;
  model.ncubins = 1;
  snprintf(line, sizeof line,
           "kernel file   expected a kernel's file at '%s', found no such file\n", path);
  refused("cpu", NULL, -1, line);
  FILE *f = fopen(path, "w");
  fclose(f);
  refused("cpu", NULL, -1, "found it is empty\n");
  f = fopen(path, "w");
  fputs("x", f);
  fclose(f);
  loads("cpu", NULL, -1);
  model.cubins = elsewhere;
  loads("cpu", dir, -1);
  refused("cpu", NULL, -1, "'/gone/k.cubin'");
  unlink(path);
  rmdir(dir);
}

TEST(other_abi) {
  model.abi = AOTIGEN_ABI + 1;
  capture(2);
  const char *message = aotigen_load(&model, "cpu", NULL, NULL, NULL);
  char *text = captured(2);
  assert_non_null(message);
  assert_string_equal(message, text); /* a line as it is */
  assert_has(text, "make it again with this aotigen");
  free(text);
  /* The check was not even called: nothing is read, nothing crashes. */
  aotigen_run_begin(&run, &model, 0, NULL);
  assert_int_equal(run.wanted[40000], 0);
  assert_null(aotigen_before(&run, 0, NULL, 0));
  assert_null(aotigen_check_weights(&run, NULL, 0));
  aotigen_run_end(&run, 0);
  aotigen_weights_changed(&model);
}

TEST(only_reported) {
  environment("AOTIGEN_ON_FAULT", "report");
  capture(2);
  assert_null(aotigen_load(&model, "cuda", NULL, NULL, NULL));
  assert_has_freed(captured(2), "cannot be loaded");
}

static char *check(int folding) {
  const aotigen_value values[] = {handle(w[0]), handle(folding ? NULL : w[1]), handle(w[2])};
  capture(2);
  aotigen_run_begin(&run, &model, folding, NULL);
  return end_with_report(&run, aotigen_check_weights(&run, values, 3));
}

static void wrong(const char *line) {
  aotigen_weights_changed(&model);
  char *message = check(0);
  if (!message) fail_msg("not said: %s", line);
  assert_has(message, "aotigen: the weights are not what the model was built for, in run ");
  assert_has(message, "weight        a.weight (a_weight)\n");
  assert_has(message, line);
  free(message);
}

TEST(of_the_run) {
  assert_null(check(1)); /* what folding makes is not there before it */
  assert_null(check(0));
  w[0]->dtype = fake_dtype("float64");
  assert_null(check(0)); /* the same set: checked once */
  wrong("dtype: expected float32, found float64\n");
  wrong("storage: expected at least 48 bytes (sizes, strides and offset), found 24 bytes\n");
  w[0]->dtype = fake_dtype("float32");
  w[0]->sizes[1] = 4;
  wrong("shape: expected [2, 3], found [2, 4]\n");
  w[0]->sizes[1] = 3;
  w[0]->strides[0] = 1;
  wrong("strides: expected [3, 1], found [1, 1]\n");
  w[0]->strides[0] = 3;
  w[0]->device_type = FAKE_CUDA;
  wrong("device: expected cpu, found cuda\n");
  w[0]->device_type = FAKE_CPU;
  w[0]->data = (char *)w[0]->data + 2;
  wrong("alignment: expected an address that 4 divides, found 0x");
  w[0]->data = w[0]->storage;
  fake *kept = w[0];
  w[0] = NULL;
  wrong("handle: expected a tensor, found none: it is missing\n");
  w[0] = kept;
  assert_null(check(0));
}

TEST(a_weight_that_moved) {
  assert_null(check(0));
  fake *other = fake_new("float32", 3, 2, -1), *kept = w[0];
  w[0] = other;
  char *message = check(0); /* aotigen_weights_changed() was not called */
  assert_non_null(message);
  free(message);
  w[0] = kept;
  fake_free(other);
}

/* A run that is filtered out does not ask where each weight is; the next that is not does. */
TEST(a_weight_that_moved_meanwhile) {
  char wanted[24];
  assert_null(check(0));
  snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)run.number + 2);
  environment("AOTIGEN_RUNS", wanted);
  fake *other = fake_new("float32", 3, 2, -1), *kept = w[0];
  w[0] = other;
  assert_null(check(0));
  char *message = check(0);
  assert_non_null(message);
  free(message);
  environment("AOTIGEN_RUNS", NULL);
  w[0] = kept;
  fake_free(other);
}

/* A fault of constant folding is thrown by the runs with the same weights, until they are folded.
 */
TEST(folding_that_failed) {
  static const int some, others;
  static const char fault[] = "aotigen: the weights are wrong";
  aotigen_folding_begin(&model, &some);
  assert_int_equal(aotigen_folding_failed(&model, &some, "torch's own"), 0);
  aotigen_run_begin(&run, &model, 0, NULL);
  assert_null(aotigen_folding_fault(&run, &some));
  assert_int_equal(aotigen_folding_failed(&model, &some, fault), 1);
  for (int i = 0; i < 2; i++) assert_string_equal(aotigen_folding_fault(&run, &some), fault);
  assert_null(aotigen_folding_fault(&run, &others));
  aotigen_folding_begin(&model, &some);
  assert_null(aotigen_folding_fault(&run, &some));
  assert_int_equal(aotigen_folding_failed(&model, &some, "aotigen: again"), 1);
  assert_string_equal(aotigen_folding_fault(&run, &some), "aotigen: again");
  aotigen_run_end(&run, 0);
}

/* ---- the kernels of a model, for who reads a core dump */

/* The log after a load, freed by the caller. */
static char *load_logged(void) {
  environment("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1");
  begin_log();
  loads(NULL, NULL, -1);
  char *text = end_log();
  environment("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", NULL);
  assert_true(*text);
  return text;
}

TEST(kernels_are_listed) {
  static const aotigen_scope loop = {.kind = AOTIGEN_WHILE}, copy = {.kind = AOTIGEN_COPY_IF};
  static const aotigen_param params[] = {
      {.name = "buf0", .kind = AOTIGEN_TENSOR, .parameter = "out_ptr0"},
      {.name = "64L", .kind = AOTIGEN_SCALAR, .parameter = "xnumel"},
      {.name = "arg0_1", .kind = AOTIGEN_INPUT}};
  aotigen_site sites[600] = {{.form = AOTIGEN_EXTERN, .kernel = "mm", .number = 1, .scope = &copy},
                             {.form = AOTIGEN_TRITON,
                              .kernel = "triton_0",
                              .line = 70,
                              .number = 2,
                              .params = params,
                              .nparams = 3},
                             {.form = AOTIGEN_TRITON, .kernel = "folded", .scope = &loop}};
  model.sites = sites;
  model.nsites = 3;
  char *text = load_logged();
  assert_has(text, "\"in_branches\":1,\"copies\":1,\"sites\":[{\"site\":2,\"line\":70,"
                   "\"kernel\":\"triton_0\",\"args\":[[\"out_ptr0\",\"buf0\"]]}]}\n");
  assert_null(strstr(text, "folded"));
  free(text);
  for (uint32_t i = 3; i < 600; i++)
    sites[i] = (aotigen_site){.form = AOTIGEN_TRITON, .kernel = "many", .number = i};
  model.nsites = 600;
  text = load_logged();
  assert_int_equal(count(text, "\"event\":\"kernels\""), 3);
  assert_has(text, "{\"site\":599,\"line\":0,\"kernel\":\"many\",\"args\":[]}]}\n");
  free(text);
}

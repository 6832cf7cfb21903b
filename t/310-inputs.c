/* 310-inputs - the model's inputs: every violation, all in one report. */
#include <stdio.h>

#include "shim.h"

static const aotigen_dim x_dims[] = {{1, 8, 64, "s77"}, {64, 64, 1, NULL}},
                         y_dims[] = {{AOTIGEN_ANY, AOTIGEN_ANY, AOTIGEN_ANY, "s77"}};
static const aotigen_input inputs[] = {
    {"arg0_1", "args[0]", "float32", "cpu", x_dims, 2, AOTIGEN_ALIGN16},
    {"arg1_1", "mask", "int64", "cpu", y_dims, 1, 0},
    {"arg2_1", NULL, NULL, NULL, NULL, -1, 0}};
static const aotigen_param of_kernel[] = {
    {.name = "arg0_1", .kind = AOTIGEN_INPUT, .role = AOTIGEN_IN}};
static const aotigen_site kernel = CPU_SITE("cpp_fused_0", of_kernel, 8);
static aotigen_model model;
static aotigen_run run;
static fake *x, *y, *z;

BEFORE_EACH {
  model = MODEL(WITH(inputs, inputs), .check_inputs = 1, .kernels = "nothing");
  x = fake_new("float32", 4, 64, -1);
  y = fake_new("int64", 4, -1);
  z = fake_new("bool", -1);
}

AFTER_EACH {
  fake_free(x);
  fake_free(y);
  fake_free(z);
  environment("AOTIGEN_ON_FAULT", NULL);
}

/* Everything on stderr; what is thrown must refer to the report. */
static char *check(bool fault) {
  const void *handles[] = {x, y, z};
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  aotigen_check_inputs(&run, handles);
  const char *message = aotigen_inputs_owned(&run);
  bool thrown = message != NULL;
  char *copy = thrown ? strdup(message) : strdup("");
  aotigen_run_end(&run, 0);
  char *text = captured(2);
  if (fault != thrown) fail_msg("thrown: %d; %s", thrown, text);
  if (thrown) assert_summary(copy, text);
  free(copy);
  return text;
}

static void refused(const char *line) { assert_has_freed(check(true), line); }

TEST(good) { assert_equal_freed(check(false), ""); }

TEST(each) {
  x->sizes[0] = 9;
  x->storage_size = 9 * 256;
  y->sizes[0] = 9;
  y->storage_size = 72;
  refused("size of dimension 0: expected at most 8, by the range of s77, found 9\n");
  x->sizes[0] = y->sizes[0] = 0;
  refused("size of dimension 0: expected at least 1, by the range of s77, found 0\n");
  x->sizes[0] = y->sizes[0] = 4;
  x->sizes[1] = 63;
  refused("size of dimension 1: expected 64, found 63\n");
  x->sizes[1] = 64;
  x->strides[1] = 4;
  refused("stride of dimension 1: expected 1, found 4\n");
  x->strides[1] = 1;
  y->sizes[0] = 3;
  refused("size of dimension 0: expected 4, the same (s77) as dimension 0 of args[0], found 3\n");
  y->sizes[0] = 4;
  x->ndim = 1;
  refused("rank: expected 2 dimensions, found 1\n");
  x->ndim = 2;
  x->dtype = fake_dtype("float16");
  refused("dtype: expected float32, found float16\n");
  x->dtype = fake_dtype("float32");
  x->device_type = FAKE_CUDA;
  x->device_index = 1;
  refused("device: expected cpu, found cuda:1\n");
  x->device_type = FAKE_CPU;
  x->storage_size = 100;
  refused("storage: expected at least 1024 bytes (sizes, strides and offset), found 100 bytes\n");
  x->storage_size = 1024;
  x->undefined = true;
  refused("input         args[0] (arg0_1)\n                handle: expected a tensor, found none: "
          "the tensor is undefined, it has no data\n");
  x->undefined = false;
  free(check(false));
}

/* The kernels may square what has the wrong sign. */
TEST(lazy_bits) {
  static const char line[] =
      ": input 'args[0]' has the negative bit set, which the model's kernels "
      "ignore: its results may be right all the same\n";
  x->negated = true;
  char *text = check(false);
  assert_string_equal(text, ""); /* no kernel takes it */
  free(text);
  model.sites = &kernel;
  model.nsites = 1;
  text = check(false);
  assert_has(text, "aotigen: warning: run ");
  assert_has(text, line);
  assert_int_equal(count(text, "\n"), 1);
  free(text);
  x->data = (char *)x->data + 4; /* the wrapper makes a copy, without the bit */
  text = check(false);
  assert_null(strstr(text, "bit set"));
  free(text);
  x->data = (char *)x->data - 4;
}

TEST(all_in_one) {
  x->dtype = fake_dtype("int32");
  x->sizes[1] = 3;
  y->ndim = 0;
  as_expected(check(true));
}

TEST(device_index) {
  static const aotigen_input cuda[] = {{"arg0_1", NULL, "float32", "cuda", NULL, -1, 0},
                                       {"arg1_1", NULL, NULL, NULL, NULL, -1, 0},
                                       {"arg2_1", NULL, NULL, NULL, NULL, -1, 0}};
  model.inputs = cuda;
  model.device = "cuda";
  x->device_type = FAKE_CUDA;
  x->device_index = 0;
  assert_null(aotigen_load(&model, "cuda:1", NULL, NULL, NULL));
  refused("device index: expected cuda:1, where the model was loaded, found cuda:0\n");
  x->device_index = 1;
  free(check(false));
  /* Loaded once more, for another device: which one a run is on is seen by its inputs. */
  assert_null(aotigen_load(&model, "cuda:0", NULL, NULL, NULL));
  free(check(false));
  static const aotigen_input two[] = {{"arg0_1", NULL, "float32", "cuda", NULL, -1, 0},
                                      {"arg1_1", NULL, NULL, "cuda", NULL, -1, 0},
                                      {"arg2_1", NULL, NULL, NULL, NULL, -1, 0}};
  model.inputs = two;
  y->device_type = FAKE_CUDA;
  y->device_index = 0;
  refused("device index: expected cuda:1, as the inputs before it, found cuda:0\n");
}

TEST(misaligned_is_a_warning) {
  x->data = (char *)x->data + 4;
  as_expected(check(false));
}

/* Only operators that ask for the strides read it; and what no element is addressed by. */
TEST(strides_without_effect) {
  aotigen_input free[3];
  memcpy(free, model.inputs, sizeof free);
  free[0].flags |= AOTIGEN_ANY_STRIDES;
  x->strides[0] = 1;
  x->strides[1] = 4;
  refused("stride of dimension 0: expected 64, found 1\n");
  model.inputs = free;
  char *text = check(false);
  assert_has(text, ": input 'args[0]' has stride 1 in dimension 0, and the model was compiled for "
                   "64: only operators that take any strides read it\n");
  assert_has(text, "has stride 4 in dimension 1, and the model was compiled for 1: ");
  free[0].flags = 0;
  x->sizes[0] = y->sizes[0] = 1;
  x->strides[1] = 1;
  text = check(false);
  assert_lacks(text, "stride");
}

TEST(small_sizes_are_said_once) {
  static const aotigen_dim dims[] = {{2, 8, AOTIGEN_ANY, "s77"}, {64, 64, AOTIGEN_ANY, NULL}};
  static const int64_t sizes[] = {1, 0, 1, 0};
  aotigen_input small[3];
  memcpy(small, model.inputs, sizeof small);
  small[0].dims = dims;
  model.inputs = small;
  for (int i = 0; i < 4; i++) {
    x->sizes[0] = y->sizes[0] = sizes[i];
    char *text = check(false), expected[128];
    snprintf(expected, sizeof expected, ": input 'args[0]' has size %lld in dimension 0, but ",
             (long long)sizes[i]);
    if (i < 2)
      assert_has(text, expected);
    else
      assert_lacks(text, "but the model was compiled for sizes");
    free(text);
  }
}

TEST(opaque) {
  x->layout = FAKE_MKDNN;
  refused("layout: expected strided, found mkldnn\n");
  x->layout = FAKE_STRIDED;
  x->dtype = 13;
  refused("dtype: expected float32, found quint8\n");
}

/* Only operators that ask for the layout read it. */
TEST(opaque_without_effect) {
  aotigen_input free[3];
  memcpy(free, model.inputs, sizeof free);
  free[0].flags |= AOTIGEN_ANY_STRIDES;
  model.inputs = free;
  x->layout = FAKE_MKDNN;
  char *text = check(false);
  assert_string_equal(text, "");
  x->layout = FAKE_STRIDED;
  x->dtype = 13;
  refused("dtype: expected float32, found quint8\n");
}

/* ---- what the exported program promises */

static const aotigen_promise promises[] = {
    {"args[0].size(0) % 4 == 0", "#0.0 4 % 0 =", 0, 0, AOTIGEN_PROMISE_HOLDS},
    {"args[0].size(1) == 16*mask.size(0)", "#0.1 16 #1.0 * =", 0, 1, AOTIGEN_PROMISE_HOLDS},
    {"args[0].size(0) // 4 != 2", "#0.0 4 / 2 !", 0, 0, AOTIGEN_PROMISE_EXCLUDES},
    {"sizes up to 100", "", 0, 0, AOTIGEN_PROMISE_NARROWED},
    {"there is no such size", "#0.7 3 =", 0, 7, AOTIGEN_PROMISE_HOLDS},
    {"there is no such input", "#9.0 3 =", 9, 0, AOTIGEN_PROMISE_HOLDS}};

/* The two inputs get as many rows each. */
static void set_rows(int64_t of_x, int64_t of_y) {
  x->sizes[0] = of_x;
  x->storage_size = (size_t)of_x * 256;
  y->sizes[0] = of_y;
  y->storage_size = (size_t)of_y * 8;
}

TEST(kept_promises) {
  model.promises = promises;
  model.npromises = 6;
  free(check(false));
}

TEST(a_promise_that_is_not_kept) {
  model.promises = promises;
  model.npromises = 6;
  set_rows(6, 6);
  as_expected(check(true));
}

/* A size that is reported already breaks promises, too: only the size is told. */
TEST(a_promise_of_a_wrong_size) {
  model.promises = promises;
  model.npromises = 6;
  set_rows(9, 9);
  char *text = check(true);
  assert_has(text,
             "expected at most 8, by the range of s77 (the export allows sizes up to 100, the "
             "compiler narrowed the range: a model without checks may compute wrong numbers "
             "there), found 9\n");
  assert_int_equal(count(text, "% 4"), 0);
  free(text);
}

TEST(a_promise_that_may_be_broken) {
  model.promises = promises + 2;
  model.npromises = 1;
  set_rows(8, 8);
  char *text = check(false);
  assert_has(text, ": input 'args[0]' has size 8 in dimension 0, and the model was exported for "
                   "args[0].size(0) // 4 != 2: its results may be right all the same\n");
  free(text);
  assert_equal_freed(check(false), ""); /* once */
}

TEST(only_reported) {
  environment("AOTIGEN_ON_FAULT", "report");
  x->ndim = 1;
  assert_has_freed(check(false), "rank: ");
}

TEST(off) {
  model.check_inputs = 2;
  x->ndim = 1;
  free(check(false));
}

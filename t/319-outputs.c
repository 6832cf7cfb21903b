/* 319-outputs - what is refused of the tensors that a call has made. */
#include <stdio.h>

#include "shim.h"

enum { CUSTOM, KERNEL, SHIM, REUSING, DOUBTFUL, OVERWRITING, NSITES };

static const aotigen_dim dims[] = {{4, 4, 8, NULL}, {AOTIGEN_ANY, AOTIGEN_ANY, AOTIGEN_ANY, NULL}};
static const aotigen_alias aliases[] = {{0, KERNEL, CUSTOM, 0}, {0, KERNEL, SHIM, 0}};
static aotigen_expected expected;
static const aotigen_param params[] = {{.name = "buf0",
                                        .dtype = "float32",
                                        .role = AOTIGEN_IN,
                                        .flags = AOTIGEN_NOT_NULL | AOTIGEN_DEFINED},
                                       {.name = "buf1",
                                        .role = AOTIGEN_OUT,
                                        .flags = AOTIGEN_FRESH | AOTIGEN_NOT_NULL,
                                        .expected = &expected}};
static const aotigen_param late_params[] = {
    {.name = "buf0", .role = AOTIGEN_IN, .maker = 1 + CUSTOM},
    {.name = "buf2", .role = AOTIGEN_OUT, .flags = AOTIGEN_LATE, .expected = &expected}};
/* The memory that CUSTOM made, under a name of its own. */
#define REUSED(of, r)                                                                              \
  {                                                                                                \
    {.name = "buf9", .role = r, .maker = 1 + CUSTOM, .writer = of},                                \
        {.name = "buf2", .role = AOTIGEN_OUT, .flags = AOTIGEN_LATE, .expected = &expected},       \
  }
static const aotigen_param reusing_params[] = REUSED(1 + KERNEL, AOTIGEN_IN),
                           doubtful_params[] = REUSED(AOTIGEN_UNKNOWN_WRITER, AOTIGEN_IN),
                           overwriting_params[] = REUSED(1 + KERNEL, AOTIGEN_OUT);
static const aotigen_site sites[] = {
    [CUSTOM] = PROXY_SITE("lab::op", params, 7, .nodes = "op", .aten = "lab.op"),
    [KERNEL] = CPU_SITE("cpp_fused_0", params, 8),
    [SHIM] = EXTERN_SITE("aoti_torch_cpu_topk", late_params, 9),
    [REUSING] = EXTERN_SITE("aoti_torch_cpu_mm_out", reusing_params, 11),
    [DOUBTFUL] = EXTERN_SITE("aoti_torch_cpu_mm_out", doubtful_params, 12),
    [OVERWRITING] = EXTERN_SITE("aoti_torch_cpu_mm_out", overwriting_params, 13)};
static aotigen_model model;
static aotigen_run run;
static fake *in, *out;
static fake *given[2]; /* inputs of the run; NULL: it has none */

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), .check_inputs = 2);
  expected = (aotigen_expected){.ndim = -1, .user = KERNEL};
  in = fake_new("float32", 4, 8, -1);
  out = fake_new("float32", 4, 8, -1);
}

AFTER_EACH {
  fake_free(in);
  fake_free(out);
  environment("AOTIGEN_ON_FAULT", NULL);
}

/* The exception that is thrown behind the call, NULL for none; stderr says the same. */
static char *launch(uint32_t site, const fake *made) {
  const aotigen_value values[] = {handle(in), site == CUSTOM ? handle(made) : nothing()},
                      late[] = {handle(made)};
  bool undefined = made && made->undefined;
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 3;
  if (given[0]) {
    const void *handles[] = {given[0], given[1]};
    aotigen_check_inputs(&run, handles);
  }
  if (made) ((fake *)(uintptr_t)made)->undefined = true; /* until the call has made it */
  const char *message = aotigen_before(&run, site, values, 2);
  if (made) ((fake *)(uintptr_t)made)->undefined = undefined;
  if (!message) message = aotigen_after(&run, site, late, site == SHIM || site >= REUSING);
  if (message) assert_has(message, "aotigen: guard failed in run ");
  return end_with_report(&run, message);
}

static void refused(const char *check, const char *wanted, const char *found) {
  for (uint32_t site = CUSTOM; site <= SHIM; site += SHIM - CUSTOM) {
    char *message = launch(site, out), line[512];
    if (!message) fail_msg("nothing said of %s", check);
    snprintf(line, sizeof line, "%s: expected %s, found %s\n", check, wanted, found);
    assert_has(message, "aotigen: guard failed in run ");
    assert_has(message, site == CUSTOM ? "launch 3: lab::op\n" : "launch 3: aoti_torch_cpu_topk\n");
    assert_has(message, site == CUSTOM ? "  output        buf1" : "  output        buf2");
    assert_has(message, line);
    assert_has(message, "                used by cpp_fused_0 (model.cpp:8)\n");
    assert_has(message, "  input         buf0: float32 [4, 8] on cpu\n");
    free(message);
  }
}

static void passes(void) {
  for (uint32_t site = CUSTOM; site <= SHIM; site += SHIM - CUSTOM) {
    char *message = launch(site, out);
    if (message) fail_msg("%s", message);
  }
}

TEST(good) {
  passes();
  expected.dtype = "float32";
  expected.device = "cpu";
  expected.dims = dims;
  expected.ndim = 2;
  expected.aliases = aliases;
  expected.naliases = 2;
  expected.least = 32;
  passes();
}

TEST(is_there) {
  out->undefined = true;
  refused("handle", "a tensor", "none: the tensor is undefined, it has no data");
  char *message = launch(SHIM, NULL);
  assert_has(message, "handle: expected a tensor, found none: the handle is null\n");
  assert_has(
      message,
      "                made by lab::op (model.cpp:7), whose dtype and shape the wrapper does "
      "not tell\n");
  free(message);
  message = launch(CUSTOM, NULL); /* before the call, which would follow it */
  assert_has(message, "argument      buf1: null\n");
  free(message);
}

/* Compares what is said of the argument in memory that lab::op made. */
static void maker_is(uint32_t site, const char *line) {
  char *message = launch(site, out);
  assert_has(message, "buf9: float32 [4, 8] on cpu\n                ");
  assert_has(message, line);
  free(message);
}

TEST(the_last_writer_is_named) {
  out->undefined = true;
  maker_is(REUSING,
           "last written by cpp_fused_0 (model.cpp:8), in memory made by lab::op (model.cpp:7), "
           "whose dtype and shape the wrapper does not tell\n");
  maker_is(
      DOUBTFUL,
      "  memory made by lab::op (model.cpp:7), whose dtype and shape the wrapper does not tell, "
      "perhaps written since\n");
  maker_is(OVERWRITING,
           "  memory made by lab::op (model.cpp:7), whose dtype and shape the wrapper does not "
           "tell\n");
}

TEST(an_output_of_the_model) {
  expected.user = -1;
  out->undefined = true;
  assert_has_freed(launch(CUSTOM, out), "                used as an output of the model\n");
}

TEST(types) {
  expected.dtype = "float64";
  refused("dtype", "float64", "float32");
  expected.dtype = "float32";
  expected.device = "cpu";
  out->device_type = FAKE_META;
  refused("device", "cpu", "meta");
}

/* Operators of torch know such a bit. */
TEST(lazy_bits) {
  out->conjugated = true;
  passes();
  expected.device = "cpu"; /* a kernel takes it, whoever is the first user */
  as_expected(launch(CUSTOM, out));
  assert_null(launch(SHIM, out)); /* one of torch's own computes */
  out->sizes[0] = 0;
  passes();
  out->sizes[0] = 4;
  out->conjugated = false;
}

/* An op that takes it as it is may follow; a kernel may not. */
TEST(opaque) {
  const aotigen_value values[] = {handle(in), nothing()}, late[] = {handle(out)};
  out->dtype = 13;
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  assert_null(aotigen_before(&run, SHIM, values, 2));
  assert_null(aotigen_after(&run, SHIM, late, 1));
  aotigen_run_end(&run, 0);
  assert_has_freed(captured(2),
                   "argument 'buf2' of aoti_torch_cpu_topk (model.cpp:9) has an element type ");
  expected.dtype = "float32";
  refused("dtype", "float32", "quint8");
  out->dtype = fake_dtype("float32");
  out->layout = FAKE_MKDNN;
  refused("layout", "strided", "mkldnn");
  expected.dtype = NULL;
  passes(); /* and nothing is said again */
  expected.least = 1;
  refused("layout", "strided", "mkldnn");
}

TEST(shapes) {
  expected.dims = dims;
  expected.ndim = 2;
  out->sizes[0] = 2;
  refused("shape", "[4, any]", "[2, 8]");
  out->sizes[0] = 4;
  out->sizes[1] = 3; /* any */
  passes();
  out->ndim = 1;
  refused("shape", "[4, any]", "[4]");
  out->ndim = 2;
  out->strides[0] = 3;
  refused("strides", "[8, any]", "[3, 1]");
  out->sizes[1] = 0; /* nothing is read */
  passes();
}

TEST(a_stride_of_one_element) {
  const aotigen_dim one[] = {{1, 1, 8, NULL}, {8, 8, 1, NULL}};
  expected.dims = one;
  expected.ndim = 2;
  out->sizes[0] = 1;
  out->strides[0] = 100;
  passes();
}

TEST(memory) {
  expected.least = 33;
  refused("storage", "at least 132 bytes, for 33 elements", "128 bytes");
  expected.least = 32;
  passes();
  out->storage_size = 64;
  refused("storage", "at least 128 bytes (sizes, strides and offset)", "64 bytes");
}

/* Sizes that the run's inputs decide. */
TEST(shape_by_inputs) {
  static const aotigen_dim any[] = {{AOTIGEN_ANY, AOTIGEN_ANY, AOTIGEN_ANY, NULL},
                                    {AOTIGEN_ANY, AOTIGEN_ANY, AOTIGEN_ANY, NULL}};
  static const aotigen_dim rows[] = {{2, AOTIGEN_ANY, AOTIGEN_ANY, "s0"},
                                     {AOTIGEN_ANY, AOTIGEN_ANY, AOTIGEN_ANY, "s1"}};
  static const aotigen_input inputs[] = {{.name = "x", .ndim = 2, .dims = rows},
                                         {.name = "y", .ndim = 2, .dims = rows}};
  fake *x = fake_new("float32", 2, 8, -1), *y = fake_new("float32", 2, 8, -1);
  given[0] = x, given[1] = y;
  model.inputs = inputs;
  model.ninputs = 2;
  expected.ndim = 2;
  expected.dims = any;
  expected.sizes_of = "#0.0 2 *,#1.1";
  passes();
  expected.sizes_of = "#0.0,";
  refused("shape", "[2, any]", "[4, 8]");
  expected.sizes_of = ",#1.1 1 +";
  refused("shape", "[any, 9]", "[4, 8]");
  expected.sizes_of = "#0.2,#2.0"; /* there are none */
  passes();
  expected.sizes_of = "#0.0,#1.1";
  y->sizes[0] = 3; /* the inputs do not agree, which is told of them */
  passes();
  given[0] = NULL;
  fake_free(x);
  fake_free(y);
}

/* Computed from the sizes of the call's tensors. */
TEST(memory_by_sizes) {
  expected.least_of = "8 #0.0 *";
  passes();
  expected.least_of = "9 #0.0 * 100 0 >;9 #0.0 *";
  refused("storage", "at least 144 bytes, for 36 elements", "128 bytes");
  expected.least_of = "1 #0.0 #1.1 * +"; /* its own size */
  refused("storage", "at least 132 bytes, for 33 elements", "128 bytes");
  expected.least_of = "100 #0.7 *;100 #9.0 *;100 #0 *;100 # *;100 #0.";
  passes();
}

TEST(memory_of_its_own) {
  fake own = *out;
  *out = *in;
  passes(); /* nothing overwrites it */
  expected.aliases = aliases;
  expected.naliases = 2;
  refused("memory", "memory of its own", "that of 'buf0'");
  *out = own;
  passes();
}

/* A kernel that computes in place, and reads the other for the last time. */
TEST(memory_that_is_read_at_once) {
  static const aotigen_alias reads[] = {{0, KERNEL, CUSTOM, 1}, {0, KERNEL, SHIM, 1}};
  fake own = *out;
  expected.aliases = reads;
  expected.naliases = 2;
  *out = *in;
  passes(); /* element by element it does no harm */
  out->strides[0] = 1;
  out->strides[1] = 4;
  refused("memory", "memory of its own", "that of 'buf0'");
  *out = own;
  passes();
}

/* The output of one call has the memory of its argument; that of the next call has it too. */
TEST(memory_over_two_calls) {
  const aotigen_value first[] = {handle(in), handle(out)}, second[] = {handle(out), nothing()},
                      late[] = {handle(out)};
  fake own = *out;
  for (int shares = 0; shares < 2; shares++) {
    expected.naliases = 0;
    aotigen_run_begin(&run, &model, 0, NULL);
    run.launch = 1;
    assert_null(aotigen_before(&run, CUSTOM, first, 2));
    if (shares) *out = *in;
    assert_null(aotigen_after(&run, CUSTOM, NULL, 0));
    run.launch = 2;
    expected.aliases = aliases; /* that of CUSTOM */
    expected.naliases = 1;
    assert_null(aotigen_before(&run, SHIM, second, 2));
    capture(2);
    assert_int_equal(aotigen_after(&run, SHIM, late, 1) != NULL, shares);
    aotigen_run_end(&run, 0);
    char *report = captured(2);
    if (shares)
      assert_has(report, "memory: expected memory of its own, found that of 'buf0'\n"
                         "                which lab::op (model.cpp:7) returned as 'buf1'\n"
                         "                cpp_fused_0 (model.cpp:8) overwrites the one while the "
                         "other is needed\n");
    free(report);
  }
  *out = own;
}

TEST(arguments_that_must_be_there) {
  in->undefined = true;
  assert_has_freed(launch(CUSTOM, out),
                   "argument      buf0: undefined\n                handle: expected a tensor, "
                   "found none: the tensor is undefined, it has no data\n");
  assert_null(launch(SHIM, out)); /* this one may be left out */
}

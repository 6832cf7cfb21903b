/* 309-guard - what is refused before a launch, and what is none of our business. */
#include <stdio.h>
#include <unistd.h>

#include "shim.h"

enum { TRITON, EXTERN, CPU, LATE };
static aotigen_param params[] = {
    {.name = "buf0",
     .dtype = "float32",
     .role = AOTIGEN_IN,
     .kind = AOTIGEN_TENSOR,
     .flags = AOTIGEN_ALIGN16},
    {.name = "w", .python_name = "a.weight", .role = AOTIGEN_IN, .kind = AOTIGEN_WEIGHT},
    {.name = "xnumel", .kind = AOTIGEN_SCALAR, .flags = AOTIGEN_INT32}};
static const aotigen_param late_params[] = {
    {.name = "buf9", .role = AOTIGEN_OUT, .flags = AOTIGEN_LATE}};
static const aotigen_site sites[] = {[TRITON] = TRITON_SITE("triton_poi_fused_gelu_0", params, 7,
                                                            .nodes = "gelu", .aten = "aten.gelu"),
                                     [EXTERN] = EXTERN_SITE("aoti_torch_cuda_mm_out", params, 8),
                                     [CPU] = CPU_SITE("cpp_fused_0", params, 9),
                                     [LATE] = PROXY_SITE("lab::op", late_params, 10)};
static aotigen_model model;
static aotigen_run run;
static fake *a, *w;

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), .check_inputs = 2);
  model.device = "cuda";
  a = fake_new("float32", 4, 4, -1);
  w = fake_new("float32", 4, -1);
  a->device_type = w->device_type = FAKE_CUDA;
  a->device_index = w->device_index = 0;
}

AFTER_EACH {
  fake_free(a);
  fake_free(w);
  environment("AOTIGEN_ON_FAULT", NULL);
  environment("TORCH_SHOW_CPP_STACKTRACES", NULL);
}

/* The report of what is thrown, NULL for nothing. */
static char *launch(uint32_t site, aotigen_value x, aotigen_value y, aotigen_value n) {
  const aotigen_value values[] = {x, y, n};
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 3;
  return end_with_report(&run, aotigen_before(&run, site, values, 3));
}

static void refused(uint32_t site, int64_t n, const char *check, const char *expected,
                    const char *found) {
  char *message = launch(site, handle(a), handle(w), integer(n)), line[512];
  if (!message) fail_msg("nothing said of %s", check);
  snprintf(line, sizeof line, "%s: expected %s, found %s\n", check, expected, found);
  assert_has(message, "aotigen: guard failed in run ");
  assert_has(message, line);
  free(message);
}

static void passes(uint32_t site) {
  char *message = launch(site, handle(a), handle(w), integer(16));
  if (message) fail_msg("%s", message);
}

TEST(good) {
  passes(TRITON);
  passes(EXTERN);
  a->strides[0] = 0; /* overlapping is fine */
  passes(TRITON);
  a->device_index = w->device_index = 3;
  passes(TRITON);
}

TEST(names_everything) {
  w->dtype = fake_dtype("float16");
  params[1].dtype = "float32";
  char *message = launch(TRITON, handle(a), handle(w), integer(1));
  params[1].dtype = NULL;
  assert_has(message,
             "launch 3: triton_poi_fused_gelu_0\n  source nodes  gelu\n  ATen ops      "
             "aten.gelu\n  model line    not known: 'aotigen --exported=FILE' tells it; "
             "torch.export.save() writes FILE\n  launched at   model.cpp:7, in run_impl\n");
  assert_has(message, "argument      w (a.weight): float16 [4] on cuda:0\n                dtype: "
                      "expected float32, found float16\n");
  free(message);
}

TEST(memory) {
  a->storage_size = 60;
  refused(EXTERN, 1, "storage", "at least 64 bytes (sizes, strides and offset)", "60 bytes");
  a->storage_size = 64;
  a->offset = 1;
  refused(TRITON, 1, "storage", "at least 68 bytes (sizes, strides and offset)", "64 bytes");
  a->offset = 0;
  a->data = NULL;
  refused(EXTERN, 1, "data pointer", "memory for its elements", "null");
  a->sizes[0] = 0; /* nothing is read of an empty tensor */
  passes(TRITON);
}

TEST(alignment) {
  a->data = (char *)a->data + 4;
  char *message = launch(TRITON, handle(a), handle(w), integer(1));
  assert_non_null(message);
  assert_has(
      message,
      "alignment: expected an address that 16 divides, as the kernel was compiled for, found 0x");
  free(message);
}

TEST(kernels_only) {
  a->dtype = fake_dtype("float64");
  a->storage_size = 128;
  refused(TRITON, 1, "dtype", "float32", "float64");
  passes(EXTERN);
  a->dtype = fake_dtype("float32");
  w->device_type = FAKE_CPU;
  refused(TRITON, 1, "device", "cuda", "cpu:0");
  refused(CPU, 1, "device", "cpu", "cuda:0");
  passes(EXTERN);
  w->device_type = FAKE_CUDA;
  w->device_index = 1;
  refused(TRITON, 1, "device index", "cuda:0", "cuda:1");
}

TEST(handles) {
  assert_null(launch(EXTERN, handle(NULL), handle(w), integer(1))); /* a null optional */
  assert_has_freed(launch(TRITON, handle(NULL), handle(w), integer(1)),
                   "handle: expected a tensor, found none: the handle is null");
  a->undefined = true;
  refused(TRITON, 1, "handle", "a tensor", "none: the tensor is undefined, it has no data");
  passes(EXTERN);
}

TEST(integers) {
  refused(TRITON, INT64_C(1) << 31, "value", "what the kernel's 32 bits hold", "2147483648");
  refused(TRITON, -(INT64_C(1) << 31) - 1, "value", "what the kernel's 32 bits hold",
          "-2147483649");
  passes(TRITON);
  aotigen_value big = {.v.u = UINT64_MAX, .kind = AOTIGEN_V_UINT};
  assert_has_freed(launch(TRITON, handle(a), handle(w), big), "found 18446744073709551615");
}

/* The number may be what the model asks for: it is named once, and the launch is made. */
TEST(integers_that_are_converted) {
  char expected[256];
  params[2].flags = AOTIGEN_CONVERTS32;
  capture(2);
  for (int i = 0; i < 4; i++) {
    const aotigen_value n = integer(i ? INT64_C(5000000000) : INT32_MAX);
    const aotigen_value values[] = {handle(a), handle(w), n};
    aotigen_run_begin(&run, &model, 0, NULL);
    run.launch = 1;
    if (i == 1)
      snprintf(expected, sizeof expected,
               "aotigen: warning: run %llu: argument 'xnumel' of triton_poi_fused_gelu_0 "
               "(model.cpp:7) is 5000000000, and the kernel converts it to 32 bits: eager torch "
               "refuses it, unless the model asks for what is left of it\n",
               (unsigned long long)run.number);
    assert_null(aotigen_before(&run, TRITON, values, 3));
    assert_null(aotigen_after(&run, TRITON, NULL, 0));
    aotigen_run_end(&run, 0);
  }
  params[2].flags = AOTIGEN_INT32;
  assert_equal_freed(captured(2), expected);
}

TEST(all_at_once) {
  a->storage_size = 1;
  a->dtype = fake_dtype("int32");
  as_expected(launch(TRITON, handle(a), handle(NULL), integer(INT64_MAX)));
}

TEST(views) {
  const int64_t sizes[] = {4}, strides[] = {1};
  aotigen_value v = {.v.handle = a,
                     .sizes = sizes,
                     .strides = strides,
                     .offset = 13,
                     .ndim = 1,
                     .kind = AOTIGEN_V_VIEW};
  assert_has_freed(launch(EXTERN, v, handle(w), integer(1)), "storage: expected at least 68 bytes");
  v.offset = 12;
  assert_null(launch(EXTERN, v, handle(w), integer(1)));
}

static void is_left_alone(uint32_t site) {
  const aotigen_value values[] = {handle(a), handle(w), integer(1)};
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 1;
  assert_null(aotigen_before(&run, site, values, 3));
  aotigen_run_end(&run, 0);
  as_expected(captured(2));
}

TEST(opaque_is_named_once) {
  const aotigen_value values[] = {handle(a), handle(w), integer(1)};
  a->layout = FAKE_MKDNN;
  capture(2);
  for (int i = 0; i < 3; i++) {
    aotigen_run_begin(&run, &model, 0, NULL);
    run.launch = 1;
    assert_null(aotigen_before(&run, EXTERN, values, 3));
    assert_null(aotigen_after(&run, EXTERN, NULL, 0));
    aotigen_run_end(&run, 0);
  }
  assert_equal_freed(captured(2),
                     "aotigen: warning: argument 'buf0' of aoti_torch_cuda_mm_out "
                     "(model.cpp:8) has a layout that is not strided: it is left alone\n");
}

/* As Inductor packs a weight that it freezes. */
TEST(opaque_weight_is_not_named) {
  w->layout = FAKE_MKDNN;
  passes(EXTERN);
}

/* A kernel gets the address of what it was compiled for. */
TEST(opaque_is_not_for_kernels) {
  a->layout = FAKE_MKDNN;
  refused(TRITON, 1, "layout", "strided", "mkldnn");
  a->layout = FAKE_STRIDED;
  a->dtype = 13;
  refused(TRITON, 1, "dtype", "float32", "quint8");
  params[0].dtype = "uint8"; /* as Triton calls it */
  a->dtype = fake_dtype("float8_e8m0fnu");
  passes(TRITON);
  refused(CPU, 1, "dtype", "uint8", "float8_e8m0fnu");
  a->dtype = fake_dtype("float4_e2m1fn_x2");
  passes(TRITON);
  params[0].dtype = NULL;
  a->dtype = 13;
  is_left_alone(TRITON);
  w->device_type = FAKE_CPU;
  is_left_alone(CPU);
  params[0].dtype = "float32";
}

TEST(late) {
  const aotigen_value none[] = {nothing()}, value[] = {handle(a)};
  a->storage_size = 8;
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 1;
  assert_null(aotigen_before(&run, LATE, none, 1));
  const char *message = aotigen_after(&run, LATE, value, 1);
  assert_non_null(message);
  assert_string_equal(strstr(message, ", launch"),
                      ", launch 1: lab::op, buf9: storage: expected at least 64 bytes (sizes, "
                      "strides and offset), found 8 bytes; the full report is on stderr");
  aotigen_run_end(&run, 0);
  as_expected(captured(2));
}

TEST(only_reported) {
  const aotigen_value values[] = {handle(NULL), handle(w), integer(1)};
  environment("AOTIGEN_ON_FAULT", "report");
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 1;
  assert_null(aotigen_before(&run, TRITON, values, 3));
  aotigen_run_end(&run, 0);
  assert_has_freed(captured(2), "guard failed");
}

TEST(stacks) {
  environment("TORCH_SHOW_CPP_STACKTRACES", "1");
  assert_has_freed(launch(TRITON, handle(NULL), handle(w), integer(1)),
                   "  C stack, innermost first\n    #0 ");
}

TEST(grids) {
  const aotigen_value values[] = {handle(a), handle(w), integer(1)};
  assert_null(aotigen_grid("K", UINT64_MAX, 1, 1)); /* outside of any run */
  capture(2);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch = 1;
  assert_null(aotigen_before(&run, TRITON, values, 3));
  assert_null(aotigen_grid("K", INT32_MAX, 65535, 65535));
  assert_null(aotigen_grid("K", 0, 99999999, 1)); /* launches nothing */
  const char *message = aotigen_grid("triton_k", 1, 65536, 1);
  assert_non_null(message);
  static const char found[] = "of triton_k: expected at most 2147483647, 65535, 65535, found 1, "
                              "65536, 1";
  assert_has(message, ": triton_poi_fused_gelu_0, grid: of triton_k: expected at most ");
  assert_has(message, found);
  aotigen_run_end(&run, 0);
  as_expected(captured(2));
}

TEST(log_has_it) {
  char name[512], line[2048];
  close(mkstemp(temporary(name, sizeof name)));
  environment("AOTIGEN_LOG", name);
  a->data = NULL;
  free(launch(TRITON, handle(a), handle(w), integer(1)));
  environment("AOTIGEN_LOG", NULL);
  FILE *f = fopen(name, "r");
  assert_non_null(fgets(line, sizeof line, f));
  assert_has(line, "{\"event\":\"in_flight\",");
  assert_non_null(fgets(line, sizeof line, f));
  fclose(f);
  unlink(name);
  assert_has(line, "{\"event\":\"guard\",\"time\":");
  assert_has(line,
             "\"device\":\"cuda:0\",\"launch\":3,\"site\":null,\"line\":7,\"kernel\":\"triton_"
             "poi_fused_gelu_0\",\"nodes\":\"gelu\",\"aten\":\"aten.gelu\","
             "\"arg\":\"buf0\",\"python_name\":null,\"launch_is\":\"kernel\",\"check\":\"data "
             "pointer\",\"expected\":\"memory for its elements\",\"found\":\"null\"}\n");
}

/* A package may give a kernel any name. */
TEST(a_name_of_ten_kilobytes) {
  static char name[10001];
  memset(name, 'k', sizeof name - 1);
  memcpy(name, "begins_", 7);
  memcpy(name + sizeof name - 1 - 7, "_ends_1", 7);
  static const aotigen_site with_long[] = {
      CPU_SITE(name, params, 7, .nodes = name, .flags = AOTIGEN_KERNEL | AOTIGEN_NAMES_GUESSED)};
  model.sites = with_long;
  model.nsites = 1;
  a->data = NULL;
  char *message = launch(0, handle(a), handle(w), integer(1));
  for (const char *line = message; *line; line += strcspn(line, "\n") + 1)
    assert_in_range(strcspn(line, "\n"), 0, 400);
  assert_has(message, ", launch 3: begins_k");
  assert_has(message, "k...k");
  assert_has(message, "k_ends_1\n");
  free(message);
}

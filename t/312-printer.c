/* 312-printer - levels 2 and 3, against what torch itself wrote of the same tensors. */
#include <math.h>

#include "shim.h"

static aotigen_input input = {.ndim = -1};
static aotigen_model model;
static aotigen_run run;

static void new_model(int level) {
  model = MODEL(.printer = (uint8_t)level, .device = fake_device(), .inputs = &input, .ninputs = 1);
}

/* Our lines beside torch's: counts, the finite rest, head and tail. */
static char *without_ours(char *text) {
  static const char *const ours[] = {
      "NaN count: ", "Inf count: ", "Zero count: ", "Finite values: ", "Values: "};
  char *to = text;
  for (char *line = text; *line;) {
    size_t n = strcspn(line, "\n") + 1;
    bool mine = false;
    for (int i = 0; i < 5; i++) mine |= !strncmp(line, ours[i], strlen(ours[i]));
    if (!mine) {
      memmove(to, line, n);
      to += n;
    }
    line += n;
  }
  *to = 0;
  return text;
}

static char *print(const char *name, const fake *f) {
  const void *handles[] = {f};
  new_model(2);
  input.name = name;
  capture(1);
  aotigen_run_begin(&run, &model, 0, NULL);
  aotigen_check_inputs(&run, handles);
  aotigen_run_end(&run, 0);
  return captured(1);
}

/* Torch's mean, min and max of these are a NaN whose sign is the hardware's. */
static void plain_nan(char *text) {
  for (char *p; (p = strstr(text, "-nan"));) memmove(p, p + 1, strlen(p));
}

/* What aoti_torch_print_tensor_handle() of torch 2.11.0 wrote is in a section of the file. */
static void against_torch(const char *name, fake *f) {
  char *text = without_ours(print(name, f));
  char *expected = expected_section("t/corpus/2.11.0/printed/tensors.txt", name);
  plain_nan(text);
  plain_nan(expected);
  if (strcmp(text, expected)) fail_msg("expected:\n%s\nfound:\n%s", expected, text);
  free(expected);
  free(text);
  fake_free(f);
}

#define FILL(f, n, value)                                                                          \
  for (int i = 0; i < (n); i++) FLOATS(f)[i] = (float)(value)

static fake *of(const char *dtype, const void *elements, size_t bytes, int n) {
  fake *f = fake_new(dtype, n, -1);
  memcpy(f->data, elements, bytes);
  return f;
}
#define OF(dtype, type, ...)                                                                       \
  of(dtype, (type[]){__VA_ARGS__}, sizeof((type[]){__VA_ARGS__}),                                  \
     sizeof((type[]){__VA_ARGS__}) / sizeof(type))

static fake *shaped(fake *f, int64_t ndim, const int64_t *sizes, const int64_t *strides) {
  f->ndim = ndim;
  memcpy(f->sizes, sizes, (size_t)ndim * 8);
  memcpy(f->strides, strides, (size_t)ndim * 8);
  return f;
}
#define SHAPED(f, n, s, t) shaped(f, n, (const int64_t[])s, (const int64_t[])t)
#define L(...)                                                                                     \
  { __VA_ARGS__ }

TEST(torch_s_own) {
  fake *f = fake_new("float32", 2, 3, 4, -1);
  FILL(f, 24, (float)i / 7.0f);
  against_torch("t3", f);
  against_torch("i64_1d", OF("int64", int64_t, 0, 1, 2, 3));
  against_torch("bool0", SHAPED(OF("bool", uint8_t, 1), 0, L(0), L(0)));
  against_torch("bool1", OF("bool", uint8_t, 1, 0));
  against_torch("i0", SHAPED(OF("int32", int32_t, 3), 0, L(0), L(0)));
  against_torch("d0", SHAPED(OF("float64", double, 0.1), 0, L(0), L(0)));
  against_torch("e0", SHAPED(OF("float32", float, 1e30f), 0, L(0), L(0)));
  against_torch("sci", OF("float32", float, 1e-5f, 1e5f));
  against_torch("scale", SHAPED(OF("float32", float, 123456.5f, 234567.25f), 2, L(1, 2), L(2, 1)));
  against_torch("scale_small", OF("float32", float, 0.0001f, 0.0002f));
  against_torch("bigint", SHAPED(OF("float32", float, 1e10f, 2e10f), 2, L(1, 2), L(2, 1)));
  against_torch("empty", SHAPED(fake_new("float32", 0, -1), 2, L(0, 3), L(3, 1)));
  against_torch("empty3", SHAPED(fake_new("float32", 0, -1), 3, L(2, 0, 3), L(3, 3, 1)));
  f = fake_new("float32", 2, 30, -1);
  FILL(f, 60, (float)i / 3.0f);
  against_torch("wide", f);
  against_torch("bad", OF("float32", float, INFINITY, -INFINITY, NAN, 1.5f));
  against_torch("bad2", OF("float32", float, INFINITY, -INFINITY, NAN));
  against_torch("h", OF("float16", uint16_t, 0x3e00, 0x4100));
  against_torch("bf", OF("bfloat16", uint16_t, 0x3fc0, 0x4020));
  f = fake_new("float32", 100, -1);
  FILL(f, 100, i);
  against_torch("big_t", SHAPED(f, 2, L(10, 10), L(1, 10)));
  against_torch("u8", OF("uint8", uint8_t, 250, 3));
  f = fake_new("float32", 1, 40, -1);
  FILL(f, 40, i);
  against_torch("widei", f);
  f = fake_new("float32", 2, 2, 1, 12, -1);
  FILL(f, 48, (float)i * 1.01f);
  against_torch("t4", f);
  against_torch("exp", SHAPED(OF("float32", float, 2, 3), 2, L(3, 2), L(0, 1)));
  against_torch("f8", OF("float8_e4m3fn", uint8_t, 0x38, 0x40));
}

TEST(counts) {
  fake *f = OF("float32", float, INFINITY, -INFINITY, NAN, 1.5f, 0, -2);
  char *text = print("x", f);
  assert_has(text, "\nNaN count: 1\nInf count: 2 (+Inf 1, -Inf 1)\nZero count: 1\nFinite values: "
                   "-2 to 1.5\nDevice: cpu\n");
  free(text);
  fake_free(f);
  f = fake_new("float32", 100, -1);
  FILL(f, 100, i);
  assert_has_freed(print("x", f), "\nValues: 0 1 2 ... 97 98 99\nDevice: cpu\n");
  fake_free(f);
}

TEST(without_elements) {
  fake *f = fake_new("float32", 3, -1);
  f->device_type = FAKE_META;
  f->device_index = -1;
  as_expected(print("x", f));
  f->device_type = FAKE_CPU;
  f->data = NULL;
  assert_has_freed(print("x", f), "Values: not read: no data\n");
  fake_free(f);
}

static const aotigen_param params[] = {
    {.name = "in_out_ptr0", .role = AOTIGEN_INOUT},
    {.name = "buf1", .role = AOTIGEN_OUT},
    {.name = "arg0_1", .role = AOTIGEN_IN},
    {.name = "buf2", .role = AOTIGEN_INOUT, .flags = AOTIGEN_FRESH},
    {.name = "xnumel", .kind = AOTIGEN_SCALAR},
    {.name = "eps", .kind = AOTIGEN_SCALAR}};
static const aotigen_site site = TRITON_SITE("K", params, 1, .flags = 0);

static char *launch(int level, bool after) {
  fake *a = fake_new("float32", 1, -1);
  aotigen_value eps = {.v.f = 1e-5, .kind = AOTIGEN_V_FLOAT};
  const aotigen_value values[] = {
      handle(a), handle(a), handle(a), handle(a), integer(INT64_C(1) << 40), eps};
  new_model(level);
  model.sites = &site;
  model.nsites = 1;
  capture(1);
  aotigen_run_begin(&run, &model, 0, NULL);
  run.launch++;
  assert_null(aotigen_before(&run, 0, values, 6));
  assert_null(aotigen_after(&run, 0, NULL, 0));
  aotigen_run_end(&run, 0);
  char *text = captured(1),
       *second = strstr(text, level == 2 ? "[  after_launch" : "[ after_launch");
  fake_free(a);
  if (!second) second = text + strlen(text);
  if (after)
    memmove(text, second, strlen(second) + 1);
  else
    *second = 0;
  return text;
}

TEST(values_of_a_launch) {
  char *text = launch(2, false);
  assert_int_equal(strncmp(without_runs(text), "[ run N, launch 1 ]\n[  before_launch - K - ", 43),
                   0);
  assert_has(text, "[  before_launch - K - in_out_ptr0  ]:\n 0\n[ CPUFloatType{1} ]\n");
  assert_has(text, "[  before_launch - K - arg0_1  ]:\n");
  assert_has(text, "[  before_launch - K - xnumel: 1099511627776  ]\n");
  assert_has(text, "[  before_launch - K - eps: 1e-05  ]\n");
  assert_lacks(text, "buf1");
  assert_lacks(text, "buf2");
  assert_lacks(text, "\\n");
  free(text);
  as_expected(launch(2, true));
}

TEST(names_of_kernels) {
  char *text = launch(3, false);
  assert_string_equal(without_runs(text), "[ run N, launch 1 ]\n[ before_launch: K ]\n");
  free(text);
  assert_equal_freed(launch(3, true), "[ after_launch: K ]\n");
  assert_equal_freed(launch(0, false), "");
}

/* One site, and a pattern that it matches or does not. */
static char *inputs_beside(const char *pattern) {
  fake *f = fake_new("float32", 1, -1);
  const void *handles[] = {f};
  new_model(2);
  model.sites = &site;
  model.nsites = 1;
  model.kernels = pattern;
  input.name = "arg0_1";
  capture(1);
  aotigen_run_begin(&run, &model, 0, NULL);
  aotigen_check_inputs(&run, handles);
  aotigen_run_end(&run, 0);
  fake_free(f);
  return captured(1);
}

/* Only the selected models of a process print. */
TEST(inputs_of_a_model_that_is_not_wanted) {
  char *text = inputs_beside("k");
  assert_has(text, "[  aoti_model_inputs - arg0_1  ]:\n");
  free(text);
  assert_equal_freed(inputs_beside("another"), "");
}

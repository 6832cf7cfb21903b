/* nan_launches.h - a model whose launches read and write NaN. */
#ifndef T_NAN_LAUNCHES_H
#define T_NAN_LAUNCHES_H

#include <math.h>

#include "shim.h"

static const aotigen_param log_params[] = {{.name = "arg0_1",
                                            .python_name = "args[0]",
                                            .dtype = "float32",
                                            .role = AOTIGEN_IN,
                                            .kind = AOTIGEN_INPUT},
                                           FLOAT32("buf0", AOTIGEN_OUT),
                                           FLOAT32("buf3", AOTIGEN_OUT)};
static const aotigen_param mm_params[] = {
    FLOAT32("buf1", AOTIGEN_OUT),
    FLOAT32("buf0", AOTIGEN_IN),
    {.name = "a_weight", .python_name = "a.weight", .role = AOTIGEN_IN, .kind = AOTIGEN_WEIGHT}};
static const aotigen_param sigmoid_params[] = {FLOAT32("buf2", AOTIGEN_INOUT)};
static const aotigen_param full_params[] = {
    FLOAT32("buf4", AOTIGEN_OUT), {.name = "n", .role = AOTIGEN_IN, .kind = AOTIGEN_SCALAR}};
static const aotigen_param op_params[] = {
    {.name = "buf5", .role = AOTIGEN_UNKNOWN, .kind = AOTIGEN_TENSOR},
    {.name = "buf6", .role = AOTIGEN_UNKNOWN, .kind = AOTIGEN_TENSOR}};
static const aotigen_param state_params[] = {
    FLOAT32("buf1", AOTIGEN_IN),
    {.name = "buf7", .role = AOTIGEN_OUT, .flags = AOTIGEN_UNASSERTED}};
static const aotigen_param maybe_params[] = {
    {.name = "buf0", .role = AOTIGEN_IN, .flags = AOTIGEN_MAYBE_WRITTEN},
    FLOAT32("buf3", AOTIGEN_OUT)};
static const aotigen_param into_params[] = {
    FLOAT32("buf0", AOTIGEN_IN),
    {.name = "buf9", .role = AOTIGEN_UNKNOWN, .flags = AOTIGEN_FRESH | AOTIGEN_UNWRITTEN}};
static const aotigen_text scatter_text = {.reached_by = 1, .stored = 1};
static const aotigen_param scatter_params[] = {
    FLOAT32("buf0", AOTIGEN_IN),
    {.name = "buf9",
     .role = AOTIGEN_INOUT,
     .flags = AOTIGEN_FRESH | AOTIGEN_UNWRITTEN,
     .text = &scatter_text},
    {.name = "buf3", .role = AOTIGEN_OUT, .text = &scatter_text}};
static const aotigen_param late_params[] = {
    FLOAT32("buf0", AOTIGEN_IN), {.name = "buf8", .role = AOTIGEN_OUT, .flags = AOTIGEN_LATE}};
static const aotigen_param made_params[] = {
    FLOAT32("buf0", AOTIGEN_IN),
    {.name = "buf10", .role = AOTIGEN_OUT, .flags = AOTIGEN_LATE | AOTIGEN_MADE_BY_LIBRARY}};
static const aotigen_param both_params[] = {
    FLOAT32("buf0", AOTIGEN_IN),
    {.name = "buf10", .role = AOTIGEN_OUT, .flags = AOTIGEN_LATE | AOTIGEN_MADE_BY_LIBRARY},
    FLOAT32("buf3", AOTIGEN_INOUT)};

enum { LOG, MM, SIGMOID, FULL, OP, STATE, MAYBE, LATE, MASK, INTO, SCATTER, MADE, BOTH, NSITES };
static const aotigen_site sites[] = {
    [LOG] = CPU_SITE("cpp_fused_log_sub_sum_0", log_params, 934,
                     .flags = AOTIGEN_KERNEL | AOTIGEN_NAMES_GUESSED, .nodes = "log, sub",
                     .aten = "aten.log, aten.sub"),
    [MM] = EXTERN_SITE("aoti_torch_cpu_mm_out", mm_params, 940, .nodes = "mm", .aten = "aten.mm"),
    [SIGMOID] = CPU_SITE("cpp_fused_sigmoid_1", sigmoid_params, 950),
    [FULL] = CPU_SITE("cpp_fused_full_2", full_params, 960),
    [OP] = PROXY_SITE("lab::op", op_params, 970),
    [STATE] = EXTERN_SITE("aoti_torch_cpu_state", state_params, 980),
    [MAYBE] = EXTERN_SITE("aoti_torch_cpu_maybe", maybe_params, 985),
    [LATE] = EXTERN_SITE("aoti_torch_cpu_late", late_params, 990),
    [INTO] = PROXY_SITE("lab::into", into_params, 996),
    [MADE] = PROXY_SITE("lab::made", made_params, 998),
    [BOTH] = PROXY_SITE("lab::both", both_params, 999),
    [SCATTER] = CPU_SITE("cpp_fused_index_put_4", scatter_params, 997),
    [MASK] = CPU_SITE("cpp_fused_where_3", sigmoid_params, 995,
                      .flags = AOTIGEN_KERNEL | AOTIGEN_MAKES_NEG_INF),
};
static const aotigen_input inputs[] = {{.name = "arg0_1", .python_name = "args[0]", .ndim = -1}};
static const int64_t shape[] = {2, 3}, stride[] = {3, 1};
static const aotigen_weight weights[] = {
    {"a_weight", "a.weight", "float32", NULL, shape, stride, 24, 2, 0, 0}};

static aotigen_model model;
static aotigen_run run;
static fake *arg, *weight, *b0, *b1, *b3;

BEFORE_EACH {
  model = MODEL(WITH(sites, sites), WITH(inputs, inputs), WITH(weights, weights), .nan_asserts = 1,
                .device = fake_device());
  arg = fake_new("float32", 2, 3, -1);
  weight = fake_new("float32", 2, 3, -1);
  b0 = fake_new("float32", 2, 3, -1);
  b1 = fake_new("float32", 2, 3, -1);
  b3 = fake_new("float32", -1);
}

AFTER_EACH {
  fake *all[] = {arg, weight, b0, b1, b3};
  for (int i = 0; i < 5; i++) fake_free(all[i]);
  environment("AOTIGEN_ON_FAULT", NULL);
  environment("AOTIGEN_LAUNCHES", NULL);
}

static inline void begin(void) {
  const void *handles[] = {arg};
  aotigen_value w[] = {handle(weight)};
  aotigen_run_begin(&run, &model, 0, NULL);
  aotigen_check_inputs(&run, handles);
  assert_null(aotigen_inputs_owned(&run));
  assert_null(aotigen_check_weights(&run, w, 1));
}

static inline void begin_captured(void) {
  capture(2);
  begin();
}

static inline void before(uint32_t site, size_t n, const aotigen_value *values) {
  ++run.launch;
  if (run.wanted[site])
    assert_null(aotigen_before(&run, site, values, n));
  else
    run.unseen = run.launch;
}
static inline void after(uint32_t site) {
  assert_null(run.wanted[site] ? aotigen_after(&run, site, NULL, 0) : NULL);
}
#define BEFORE(site, ...)                                                                          \
  before(site, sizeof((aotigen_value[]){__VA_ARGS__}) / sizeof(aotigen_value),                     \
         (aotigen_value[]){__VA_ARGS__})

static inline void launch_log(float value) {
  BEFORE(LOG, handle(arg), handle(b0), handle(b3));
  FLOATS(b0)[4] = value;
  after(LOG);
}
static inline void launch_mm(float value) {
  BEFORE(MM, handle(b1), handle(b0), handle(weight));
  FLOATS(b1)[5] = value;
  after(MM);
}

static inline char *end(void) {
  aotigen_run_end(&run, 0);
  return captured(2);
}

#endif

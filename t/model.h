/* model.h - what a wrapper tells of its model, made up: a unit says only what matters to it. All of
 * these are constants, and may initialise what is static.
 *
 *   static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_IN), ...};
 *   static const aotigen_site sites[] = {
 *       CPU_SITE("cpp_fused_log_0", params, 11, .nodes = "log"), ...};
 *   aotigen_model model = MODEL(WITH(sites, sites), .nan_asserts = 1);
 *
 * Whatever is named last counts. shim.h includes this header.
 */
#ifndef T_MODEL_H
#define T_MODEL_H

/* Defaults that are named again are overridden on purpose. */
#pragma GCC diagnostic ignored "-Woverride-init"

/* A field that is an array, and the field nFIELD beside it. */
#define WITH(field, array) .field = (array), .n##field = sizeof(array) / sizeof *(array)

/* A model on the CPU without sites, inputs or weights, whose levels are all off. */
#define MODEL(...)                                                                                 \
  (aotigen_model) {                                                                                \
    .abi = AOTIGEN_ABI, .kernels = "", .guard_buffers = "", .source = "model.cpp",                 \
    .device = "cpu", __VA_ARGS__                                                                   \
  }

/* A launch in line `at` of the wrapper, without source nodes and ATen ops: of a kernel that was
 * compiled for the CPU, of one that Triton compiled, of an operator of torch's C shim, and of a
 * custom operator by the proxy executor. */
#define CPU_SITE(name, list, at, ...)                                                              \
  SITE_OF(AOTIGEN_CPU, name, list, at, .flags = AOTIGEN_KERNEL, ##__VA_ARGS__)
#define TRITON_SITE(name, list, at, ...)                                                           \
  SITE_OF(AOTIGEN_TRITON, name, list, at, .flags = AOTIGEN_KERNEL, ##__VA_ARGS__)
#define EXTERN_SITE(name, list, at, ...)                                                           \
  SITE_OF(AOTIGEN_EXTERN, name, list, at, .flags = 0, ##__VA_ARGS__)
#define PROXY_SITE(name, list, at, ...)                                                            \
  SITE_OF(AOTIGEN_PROXY, name, list, at, .flags = 0, ##__VA_ARGS__)
#define SITE_OF(how, name, list, at, ...)                                                          \
  {                                                                                                \
    .function = "run_impl", .kernel = name, .nodes = "", .aten = "", WITH(params, list),           \
    .line = at, .form = how, __VA_ARGS__                                                           \
  }

/* A parameter of a site. */
#define FLOAT32(n, r)                                                                              \
  { .name = n, .role = r, .kind = AOTIGEN_TENSOR, .dtype = "float32" }

#endif

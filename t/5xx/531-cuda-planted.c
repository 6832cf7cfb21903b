/* 531-cuda-planted.c - real kernels on a GPU between the markers, with a fault planted in one of
 * them. It checks nothing: the library's reports go to stderr, what a marker wants thrown goes to
 * stdout, and the .t reads both.
 *
 *   fault nan|inf|assert|illegal LAUNCH STREAMS
 *     200 launches, the fault in one, on stream 1 of 1 or 2
 *   graph nan|illegal|none
 *     three replays, the fault in the second
 *   quiet LAUNCHES
 *     two threads, no fault; compares the outputs with those without the library
 *   ptx
 *     prints the kernels
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "shim.h"

#include "5xx/gpu.h"

enum { MANY = 200, ELEMENTS = 4096, SPOILT = 77, SPIN = 60000, THREADS = 256 };
enum { STEP, BAD, STRAY, FAIL, NKERNELS };
static const char *const kernel_names[NKERNELS] = {"step", "bad", "stray", "fail"};

/* As nvcc writes them. All take (out, in, n, spin, flag, value); *flag is the element to spoil, or
 * -1: then all do what step does. */
#define HEAD(name)                                                                                 \
  ".visible .entry " name "(.param .u64 p0, .param .u64 p1, .param .u32 p2, .param .u32 p3, "      \
  ".param .u64 p4, .param .f32 p5)\n"                                                              \
  "{\n"                                                                                            \
  ".reg .pred %p<6>; .reg .f32 %f<4>; .reg .b32 %r<10>; .reg .b64 %d<16>;\n"                       \
  "ld.param.u64 %d1, [p0]; ld.param.u64 %d2, [p1]; ld.param.u32 %r1, [p2]; ld.param.s32 %d3, "     \
  "[p3]; ld.param.u64 %d4, [p4]; ld.param.f32 %f3, [p5];\n"                                        \
  "cvta.to.global.u64 %d1, %d1; cvta.to.global.u64 %d2, %d2; cvta.to.global.u64 %d4, %d4;\n"       \
  "mov.u32 %r2, %ntid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r5, %r3, %r2, "   \
  "%r4;\n"                                                                                         \
  "ld.volatile.global.u32 %r6, [%d4];\n"                                                           \
  "mov.u64 %d5, %clock64;\n"                                                                       \
  "WAIT: mov.u64 %d6, %clock64; sub.s64 %d7, %d6, %d5; setp.lt.s64 %p1, %d7, %d3; @%p1 bra "       \
  "WAIT;\n"                                                                                        \
  "setp.ge.s32 %p2, %r5, %r1; @%p2 bra END;\n"                                                     \
  "mul.wide.s32 %d8, %r5, 4; add.s64 %d9, %d2, %d8; ld.global.f32 %f1, [%d9]; add.f32 %f2, %f1, "  \
  "0f3F800000; add.s64 %d10, %d1, %d8;\n"                                                          \
  "setp.lt.s32 %p3, %r6, 0;\n"
#define TAIL "STORE: st.global.f32 [%d10], %f2;\nEND: ret;\n}\n"

static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".extern .func __assertfail (.param .b64 a0, .param .b64 a1, .param .b32 a2, .param .b64 a3, "
    ".param .b64 a4);\n"
    ".global .align 1 .b8 said[8] = {112, 108, 97, 110, 116, 101, 100, 0};\n" HEAD("step")
        TAIL HEAD("bad") "setp.eq.s32 %p4, %r5, %r6; selp.f32 %f2, %f3, %f2, %p4;\n" TAIL HEAD(
            "stray") "@%p3 bra STORE;\nmov.u64 %d11, 16; mov.u32 %r7, 1065353216; "
                     "st.volatile.global.u32 [%d11], %r7;\n" TAIL HEAD(
                         "fail") "@%p3 bra STORE;\n"
                                 "mov.u64 %d11, said; cvta.global.u64 %d12, %d11;\n"
                                 "{\n.param .b64 b0; st.param.b64 [b0+0], %d12;\n.param .b64 "
                                 "b1; st.param.b64 [b1+0], %d12;\n.param .b32 b2; "
                                 "st.param.b32 [b2+0], 2;\n"
                                 ".param .b64 b3; st.param.b64 [b3+0], %d12;\n.param .b64 b4; "
                                 "st.param.b64 [b4+0], 1;\ncall.uni __assertfail, (b0, b1, "
                                 "b2, b3, b4);\n}\n" TAIL;

static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_IN), FLOAT32("buf1", AOTIGEN_OUT)};
#define SITE(name, at) TRITON_SITE(name, params, at, .nodes = "add", .aten = "aten.add")
static const aotigen_site sites[] = {[STEP] = SITE("step", 100),
                                     [BAD] = SITE("bad", 200),
                                     [STRAY] = SITE("stray", 300),
                                     [FAIL] = SITE("fail", 400)};
static aotigen_model model =
    MODEL(WITH(sites, sites), .nan_asserts = 3, .check_inputs = 2, .device = "cuda");

static void *functions[NKERNELS];
static int (*copy_back)(void *, uint64_t, size_t),
    (*instantiate)(void **, void *, unsigned long long), (*launch_graph)(void *, void *);

static void find(const char *name, void *to, size_t bytes) {
  void *found = dlsym(RTLD_DEFAULT, name);
  assert_non_null(found);
  memcpy(to, &found, bytes);
}

static void open_all(void) {
  void *module = NULL;
  if (gpu_open()) exit(2);
  gpu_ok(gpu.cuModuleLoadData(&module, ptx));
  for (int i = 0; i < NKERNELS; i++)
    gpu_ok(gpu.cuModuleGetFunction(&functions[i], module, kernel_names[i]));
  find("cuMemcpyDtoH_v2", &copy_back, sizeof copy_back);
  find("cuGraphInstantiateWithFlags", &instantiate, sizeof instantiate);
  find("cuGraphLaunch", &launch_graph, sizeof launch_graph);
}

/* ---- a model -------------------------------------------------------------------------------- */

static fake *device_tensor(void) {
  fake *f = fake_new("float32", ELEMENTS, -1);
  free(f->storage);
  f->storage = NULL;
  f->data = (void *)(uintptr_t)gpu_alloc(ELEMENTS * sizeof(float));
  f->device_type = FAKE_CUDA;
  f->device_index = 0;
  return f;
}

/* One thread's: bufs[0] is the input, the other two take turns. */
typedef struct lineup {
  pthread_t thread;
  void *stream;
  fake *bufs[3];
  uint64_t flag, no_flag;
  int where, kind;
  unsigned spin;
  float value;
  bool instrumented;
  int launches;
} lineup;

static void set_flag(uint64_t flag, int value) {
  gpu_ok(gpu.cuMemcpyHtoD(flag, &value, sizeof value));
}

static void line_up(lineup *l) {
  *l = (lineup){.stream = gpu_stream(),
                .flag = gpu_alloc(64),
                .no_flag = gpu_alloc(64),
                .spin = SPIN,
                .value = NAN,
                .instrumented = true,
                .launches = MANY};
  set_flag(l->flag, -1);
  set_flag(l->no_flag, -1);
  for (int i = 0; i < 3; i++) {
    l->bufs[i] = device_tensor();
    gpu_ok(gpu.cuMemsetD8Async((uint64_t)(uintptr_t)l->bufs[i]->data, 0, ELEMENTS * sizeof(float),
                               l->stream));
  }
  gpu_ok(gpu.cuStreamSynchronize(l->stream));
}

static fake *output_of(const lineup *l, int n) { return l->bufs[1 + n % 2]; }

/* Launch n, from 1. NULL, or what is to be thrown; what the driver says of the launch itself a
 * wrapper would meet too. */
static const char *launch(aotigen_run *run, lineup *l, int n) {
  int kernel = n == l->where ? l->kind : STEP;
  fake *in = n == 1 ? l->bufs[0] : output_of(l, n - 1), *out = output_of(l, n);
  aotigen_value v[] = {handle(in), handle(out)};
  uint64_t flag = n == l->where ? l->flag : l->no_flag;
  int elements = ELEMENTS;
  void *arguments[] = {&out->data, &in->data, &elements, &l->spin, &flag, &l->value};
  const char *fault = NULL;
  if (run) run->launch++;
  if (run && (fault = aotigen_before(run, (uint32_t)kernel, v, 2))) return fault;
  if (gpu.cuLaunchKernel(functions[kernel], ELEMENTS / THREADS, 1, 1, THREADS, 1, 1, 0, l->stream,
                         arguments, NULL))
    return run ? aotigen_run_failed(run, "CUDA driver error at a launch") : NULL;
  return run ? aotigen_after(run, (uint32_t)kernel, NULL, 0) : NULL;
}

/* A run function, and the caller's wait for its outputs. */
static void *run_model(void *of) {
  lineup *l = of;
  aotigen_run run;
  const char *fault = NULL;
  gpu_ok(gpu.cuCtxSetCurrent(gpu.context));
  if (l->instrumented) aotigen_run_begin(&run, &model, 0, l->stream);
  for (int n = 1; n <= l->launches && !fault; n++)
    fault = launch(l->instrumented ? &run : NULL, l, n);
  if (!fault && l->instrumented) fault = aotigen_before_outputs(&run);
  int error = gpu.cuStreamSynchronize(l->stream);
  if (l->instrumented && error && !fault)
    fault = aotigen_run_failed(&run, "CUDA driver error at the end");
  if (fault) printf("thrown on a stream whose launch is %d:\n%s", l->where, fault);
  if (l->instrumented) aotigen_run_end(&run, fault != NULL);
  return NULL;
}

/* ---- what is asked -------------------------------------------------------------------------- */

static int plant(const char *kind, int where, int streams) {
  static lineup l[2];
  line_up(&l[0]);
  line_up(&l[1]);
  l[0].where = where;
  l[0].kind = !strcmp(kind, "assert") ? FAIL : !strcmp(kind, "illegal") ? STRAY : BAD;
  if (!strcmp(kind, "inf")) l[0].value = INFINITY;
  set_flag(l[0].flag, SPOILT);
  for (int i = 0; i < streams; i++)
    assert_int_equal(pthread_create(&l[i].thread, NULL, run_model, &l[i]), 0);
  for (int i = 0; i < streams; i++) pthread_join(l[i].thread, NULL);
  return 0;
}

static void read_output(const lineup *l, int n, float to[ELEMENTS]) {
  gpu_ok(copy_back(to, (uint64_t)(uintptr_t)output_of(l, n)->data, ELEMENTS * sizeof(float)));
}

static int run_graph(const char *kind) {
  static lineup l;
  static float plain[ELEMENTS], instrumented[ELEMENTS];
  void *graph = NULL, *exec = NULL;
  aotigen_run run;
  line_up(&l);
  l.launches = 5;
  l.instrumented = false;
  run_model(&l);
  read_output(&l, 5, plain);
  l.instrumented = true;
  l.where = 3;
  l.kind = !strcmp(kind, "illegal") ? STRAY : BAD;
  run_model(&l);
  let_pass(100 * 1000); /* the answers of the device are read meanwhile */
  gpu_ok(gpu.cuStreamBeginCapture(l.stream, 0));
  aotigen_run_begin(&run, &model, 0, l.stream);
  for (int n = 1; n <= 5; n++) assert_null(launch(&run, &l, n));
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
  gpu_ok(gpu.cuStreamEndCapture(l.stream, &graph));
  gpu_ok(instantiate(&exec, graph, 0));
  for (int i = 1; i <= 3; i++) {
    set_flag(l.flag, i == 2 && strcmp(kind, "none") ? SPOILT : -1);
    gpu_ok(launch_graph(exec, l.stream));
    int error = gpu.cuStreamSynchronize(l.stream);
    printf("replay %d: %d\n", i, error);
    let_pass(200 * 1000); /* as above */
    if (error) return 0;
    read_output(&l, 5, instrumented);
    printf("outputs are %s\n", memcmp(plain, instrumented, sizeof plain) ? "others" : "the same");
  }
  return 0;
}

static int be_quiet(int launches) {
  static lineup l[2];
  static float plain[ELEMENTS], instrumented[ELEMENTS];
  for (int i = 0; i < 2; i++) {
    line_up(&l[i]);
    l[i].launches = launches;
    l[i].spin = 100;
    l[i].instrumented = false;
  }
  run_model(&l[0]);
  read_output(&l[0], launches, plain);
  for (int i = 0; i < 2; i++) {
    l[i].instrumented = true;
    assert_int_equal(pthread_create(&l[i].thread, NULL, run_model, &l[i]), 0);
  }
  for (int i = 0; i < 2; i++) {
    pthread_join(l[i].thread, NULL);
    read_output(&l[i], launches, instrumented);
    printf("outputs are %s\n", memcmp(plain, instrumented, sizeof plain) ? "others" : "the same");
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "ptx")) return fputs(ptx, stdout) < 0;
  if (argc < 3) return 2;
  open_all();
  if (!strcmp(argv[1], "fault") && argc == 5) return plant(argv[2], atoi(argv[3]), atoi(argv[4]));
  if (!strcmp(argv[1], "graph")) return run_graph(argv[2]);
  return strcmp(argv[1], "quiet") ? 2 : be_quiet(atoi(argv[2]));
}

/* host.c - runs of a model of a hundred launches on the tests' fake driver, for callgrind: host.py.
 *
 *   host names|default RUNS
 *
 * Before each marker the caches of the first level hold neither code nor data of the library, as
 * behind the work of a model. */
#include <string.h>
#include <sys/mman.h>

#include "5xx/fake_driver.h"
#include "shim.h"

enum { LAUNCHES = 120, ARGS = 6, LINE = 64, CACHE = 64 << 10 };

static aotigen_site sites[LAUNCHES];
static aotigen_param params[LAUNCHES][ARGS];
static aotigen_value values[LAUNCHES][ARGS];
static char names[LAUNCHES][64], tensors[LAUNCHES][ARGS][8];
static unsigned char *code;

static fake *new_tensor(void) {
  fake *f = fake_new("float32", 2, 3, 2, 2, -1);
  f->device_type = FAKE_CUDA;
  f->device_index = 0;
  return f;
}

/* Every third launch is an operator's; each reads what the one before it wrote, and weights. */
static void make_site(int i) {
  const int n = 3 + i % 4;
  const bool is_op = i % 3 == 0;
  for (int k = 0; k < n; k++) {
    snprintf(tensors[i][k], sizeof tensors[i][k], "buf%d", i * ARGS + k);
    params[i][k] = (aotigen_param){.name = tensors[i][k],
                                   .role = k + 1 < n ? AOTIGEN_IN : AOTIGEN_OUT,
                                   .kind = k && k + 1 < n ? AOTIGEN_WEIGHT : AOTIGEN_TENSOR,
                                   .dtype = "float32"};
    values[i][k] = handle(new_tensor());
  }
  if (i) values[i][0] = values[i - 1][sites[i - 1].nparams - 1];
  snprintf(names[i], sizeof names[i], "%s_%d",
           is_op ? "aoti_torch_cuda_convolution" : "triton_poi_fused_batch_norm_relu", i);
  sites[i] = (aotigen_site){.function = "run_impl",
                            .kernel = names[i],
                            .nodes = "relu",
                            .aten = "aten.relu",
                            .params = params[i],
                            .nparams = (uint16_t)n,
                            .line = 100 + i,
                            .number = (uint32_t)i + 1,
                            .form = is_op ? AOTIGEN_EXTERN : AOTIGEN_TRITON,
                            .flags = is_op ? 0 : AOTIGEN_KERNEL};
}

/* A jump in each line, to the next one. */
static bool make_code(void) {
  code = mmap(NULL, CACHE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return false;
  for (int i = 0; i + LINE < CACHE; i += LINE) memcpy(code + i, "\xeb\x3e", 2);
  code[CACHE - LINE] = 0xc3;
  return true;
}

static void empty_caches(void) {
  static volatile char data[CACHE];
  void (*run)(void);
  for (int i = 0; i < CACHE; i += LINE) data[i]++;
  memcpy(&run, &code, sizeof run);
  run();
}

static void run_once(aotigen_model *model) {
  static char stream;
  aotigen_run run;
  aotigen_run_begin(&run, model, 0, &stream);
  for (uint32_t i = 0; i < LAUNCHES; i++) {
    run.launch++;
    empty_caches();
    if (aotigen_before(&run, i, values[i], sites[i].nparams)) exit(1);
    empty_caches();
    if (aotigen_after(&run, i, NULL, 0)) exit(1);
  }
  aotigen_before_outputs(&run);
  aotigen_run_end(&run, 0);
  ag_evaluator_settle();
}

int main(int argc, char **argv) {
  if (argc != 3 || fake_open() || !make_code()) return 2;
  const bool alone = !strcmp(argv[1], "names");
  for (int i = 0; i < LAUNCHES; i++) make_site(i);
  aotigen_model model = MODEL(WITH(sites, sites), .printer = alone ? 3 : 0,
                              .nan_asserts = alone ? 0 : 1, .check_inputs = alone ? 0 : 3,
                              .device = "cuda");
  for (int i = 0; i < atoi(argv[2]); i++) run_once(&model);
  return 0;
}

/* unload_model.c - a model's shared object, to be unloaded while its answers and files are still to
 * come. */
#include <dlfcn.h>
#include <math.h>
#include <unistd.h>

#include "../shim.h"

static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_IN), FLOAT32("buf1", AOTIGEN_OUT)};
static const aotigen_site sites[] = {
    TRITON_SITE("step", params, 100, .nodes = "add", .aten = "aten.add")};
static aotigen_model models[2];

static void spoil(void *of) { **(float **)of = NAN; }

void run_model(void *stream);
void run_model(void *stream) {
  void (*late)(int), (*give)(void *, void (*)(void *), const void *, size_t);
  *(void **)&late = dlsym(RTLD_DEFAULT, "fake_late");
  *(void **)&give = dlsym(RTLD_DEFAULT, "fake_give");
  late(5000);
  for (uint8_t i = 0; i < 2; i++) {
    fake *in = fake_new("float32", 4, -1), *out = fake_new("float32", 4, -1);
    aotigen_value v[] = {handle(in), handle(out)};
    float *at = FLOATS(out);
    aotigen_run run;
    models[i] = MODEL(WITH(sites, sites), .nan_asserts = i ? 0 : 3, .printer = i, .device = "cuda");
    aotigen_run_begin(&run, &models[i], 0, stream);
    for (int n = 0; n < 5; n++) {
      run.launch++;
      aotigen_before(&run, 0, v, 2);
      give(stream, spoil, &at, sizeof at);
      aotigen_after(&run, 0, NULL, 0);
    }
    aotigen_run_end(&run, 0);
  }
}

/* unload.c - a model's shared object that is unloaded while its answers and files are still to come; with HOST, who loads it.
 *
 * Prints how many threads the process has when the object is gone. The fake's streams are one each: the model's, and for each loading
 * one that the library has aside.
 */
#ifdef HOST
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int threads(void) {
  int n = -2; /* . and .. */
  DIR *d = opendir("/proc/self/task");
  while (readdir(d)) n++;
  closedir(d);
  return n;
}

static int is_mapped(const char *name) {
  char line[1000];
  int found = 0;
  FILE *f = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, f)) found = found || strstr(line, name);
  fclose(f);
  return found;
}

int main(int argc, char **argv) {
  static char stream;
  void (*run)(void *) = NULL;
  if (argc != 3 || !dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)) return 2;
  for (int i = 0; i < 3; i++) {
    void *model = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    if (!model) return fprintf(stderr, "%s\n", dlerror()) < 0 ? 2 : 3;
    *(void **)&run = dlsym(model, "run_model");
    run(&stream);
    dlclose(model);
    printf("threads: %d, of streams: %d, mapped: %d\n", threads(), i + 2, is_mapped(argv[2]));
    usleep(50 * 1000); /* who is left in code that is gone falls now */
  }
  return 0;
}
#else
#include <dlfcn.h>
#include <math.h>
#include <unistd.h>

#include "../shim.h"

static const aotigen_param params[] = {FLOAT32("buf0", AOTIGEN_IN), FLOAT32("buf1", AOTIGEN_OUT)};
static const aotigen_site sites[] = {{"run_impl", "step", "add", "aten.add", params, 100, 2, AOTIGEN_TRITON, AOTIGEN_KERNEL}};
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
    models[i] = (aotigen_model){.abi = AOTIGEN_ABI, .nan_asserts = i ? 0 : 3, .printer = i, .kernels = "", .source = "model.cpp", .device = "cuda", .sites = sites, .nsites = 1};
    aotigen_run_begin(&run, &models[i], "run_impl", 0, stream);
    for (int n = 0; n < 5; n++) {
      run.launch++;
      aotigen_before(&run, 0, v, 2);
      give(stream, spoil, &at, sizeof at);
      aotigen_after(&run, 0, NULL, 0);
    }
    aotigen_run_end(&run, 0);
  }
}
#endif

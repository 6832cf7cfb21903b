/* torch.c - see torch.h. */
#include "host/torch.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

torch_functions torch;

static void *find(const char *before, const char *name) {
  char whole[128];
  snprintf(whole, sizeof whole, "%s%s", before, name);
  return dlsym(RTLD_DEFAULT, whole);
}

static bool find_function(void **to, const char *name, answer *out) {
  *to = find("aoti_torch_", name);
  if (!*to) answer_refuse(out, "this torch has no function 'aoti_torch_%s'", name);
  return *to;
}

/* libtorch.so needs the other ones. One for the CPU alone may lie there without it. */
static bool load_libraries(const char *directory, answer *to) {
  static const char *const names[] = {"libtorch_cpu.so", "libtorch.so"};
  char path[PATH_MAX];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", directory, names[i]);
    if ((i && access(path, F_OK) != 0) || dlopen(path, RTLD_NOW | RTLD_GLOBAL)) continue;
    answer_refuse(to, "torch cannot be loaded: %s", dlerror());
    return false;
  }
  return true;
}

/* Since torch 2.9. */
static void find_version(answer *to) {
  uint64_t (*get)(void);
  *(void **)&get = find("aoti_torch_", "abi_version");
  const uint64_t v = get ? get() : 0;
  if (v >> 56)
    snprintf(to->torch, sizeof to->torch, "%d.%d.%d", (int)(v >> 56), (int)(v >> 48 & 255),
             (int)(v >> 40 & 255));
}

bool torch_load(const char *directory, answer *to) {
  if (!load_libraries(directory, to)) return false;
#define TORCH_FIND(name, parameters)                                                               \
  if (!find_function((void **)&torch.name, #name, to)) return false;
  TORCH_EACH(TORCH_FIND)
#undef TORCH_FIND
  find_version(to);
  return true;
}

static int32_t ask(const char *before, const char *name, int32_t none) {
  void *found = find(before, name);
  int32_t (*number)(void);
  *(void **)&number = found;
  return found ? number() : none;
}

int32_t torch_device_type(const char *name) { return ask("aoti_torch_device_type_", name, -1); }

int32_t torch_dtype(const char *name, int32_t number) {
  return ask("aoti_torch_dtype_", name, number);
}

void *torch_stream(int32_t device_index) {
  int32_t (*get)(int32_t, void **);
  void *stream = NULL;
  *(void **)&get = find("aoti_torch_", "get_current_cuda_stream");
  return get && get(device_index, &stream) == 0 ? stream : NULL;
}

int torch_gpus(void) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  int (*init)(unsigned), (*count)(int *), n = 0;
  *(void **)&init = driver ? dlsym(driver, "cuInit") : NULL;
  *(void **)&count = driver ? dlsym(driver, "cuDeviceGetCount") : NULL;
  return init && count && init(0) == 0 && count(&n) == 0 ? n : 0;
}

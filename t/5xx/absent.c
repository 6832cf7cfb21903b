/* absent.c - a program that asks the CUDA backend one thing and prints the answer: for what needs a
 * process of its own.
 *
 *   none              is there a backend without a driver?
 *   stats LIBCUDA    the scan of a small tensor with a NaN in it, with this libcuda loaded
 *   stream LIBCUDA    torch's current stream, as the shim below gives it
 *   file PATH         check_kernel_file(), on any libcuda named by FAKE_CUDA
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/backend.h"

int32_t aoti_torch_get_current_cuda_stream(int32_t device_index, void **stream);
int32_t aoti_torch_device_type_cpu(void);

int32_t aoti_torch_get_current_cuda_stream(int32_t device_index, void **stream) {
  *stream = (void *)(uintptr_t)(0x1000 + device_index);
  return device_index == 9;
}

__attribute__((weak)) int32_t aoti_torch_device_type_cpu(void) { return 0; }

static const char *say(const char *why) { return why ? why : "no complaint"; }

static int stats(const ag_backend *b, void *library) {
  static const ag_dtype f = {"float32", 6, 4, AG_FLOATING, 8, 23, AG_IEEE};
  float data[] = {1, 2, 3, NAN, 5, NAN};
  ag_tensor t = {.data = data,
                 .dtype = &f,
                 .numel = 6,
                 .ndim = 1,
                 .device_type = 1,
                 .sizes = {6},
                 .strides = {1}};
  ag_stats h = {0};
  int64_t limits[3];
  void (*memory)(const void *, size_t);
  void *found = dlsym(library, "fake_memory");
  memcpy(&memory, &found, sizeof found);
  if (found) memory(data, sizeof data);
  printf("stats: %s; ", say(b->stats(&t, AG_WANT_BAD, NULL, &h)));
  printf("nan %lld at %lld\n", (long long)h.nan, (long long)h.first_nan);
  printf("sync: %s\n", say(b->sync(0, NULL)));
  printf("grid: %s\n", say(b->grid_limits(0, limits)));
  printf("capturing: %d\n", b->capturing(&t));
  return 0;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "", *name = argc > 2 ? argv[2] : NULL;
  const ag_backend *b;
  void *library = NULL;
  if (!strcmp(what, "file")) name = getenv("FAKE_CUDA");
  if (name && !(library = dlopen(name, RTLD_NOW | RTLD_GLOBAL))) {
    printf("%s\n", dlerror());
    return 1;
  }
  b = ag_backend_cuda();
  if (!b) {
    printf("no backend\n");
    return 0;
  }
  if (!strcmp(what, "stats")) return stats(b, library);
  if (!strcmp(what, "stream")) printf("%p %p\n", b->current_stream(3), b->current_stream(9));
  if (!strcmp(what, "file") && argc > 2) printf("%s\n", say(b->check_kernel_file(argv[2])));
  return 0;
}

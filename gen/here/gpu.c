/* gpu.c - see gpu.h. Knows the few functions of the driver that are called, by their ABI. */
#include "here/gpu.h"
#include "system/process.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 30, ANSWER_MAX = 64 << 10, GPUS_MAX = 64, NAME_SIZE = 128 };
enum { CC_MAJOR = 75, CC_MINOR = 76 };   /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_... */
enum { NO_MEMORY = 2, NO_DEVICE = 100 }; /* CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_NO_DEVICE */

/* ---- in the child */

typedef struct driver {
  int (*init)(unsigned);
  int (*version)(int *);
  int (*count)(int *);
  int (*get)(int *, int);
  int (*name)(char *, int, int);
  int (*attribute)(int *, int, int);
  int (*total)(size_t *, int);
  int (*retain)(void **, int);
  int (*push)(void *);
  int (*memory)(size_t *, size_t *);
} driver;

/* False if a function is missing that is not optional. */
static bool find_functions(driver *f, void *library) {
  const struct {
    const char *name;
    void *to;
    bool optional;
  } list[] = {
      {"cuInit", &f->init, false},
      {"cuDriverGetVersion", &f->version, false},
      {"cuDeviceGetCount", &f->count, false},
      {"cuDeviceGet", &f->get, false},
      {"cuDeviceGetName", &f->name, false},
      {"cuDeviceGetAttribute", &f->attribute, false},
      {"cuDeviceTotalMem_v2", &f->total, false},
      {"cuDevicePrimaryCtxRetain", &f->retain, true},
      {"cuCtxPushCurrent_v2", &f->push, true},
      {"cuMemGetInfo_v2", &f->memory, true},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    void *found = dlsym(library, list[i].name);
    if (!found && !list[i].optional) return false;
    memcpy(list[i].to, &found, sizeof found);
  }
  return true;
}

/* The free memory while this process has a context there, as the program that runs the model has. 0
 * if memory does not suffice for a context. -1: the driver does not tell. */
static long long find_free(const driver *f, int device) {
  void *context;
  size_t unused = 0, total = 0;
  if (!f->retain || !f->push || !f->memory) return -1;
  const int error = f->retain(&context, device);
  if (error == NO_MEMORY) return 0;
  if (error || f->push(context) != 0 || f->memory(&unused, &total) != 0) return -1;
  return (long long)unused;
}

static bool describe_gpu(const driver *f, int i, FILE *to) {
  int device, major, minor;
  size_t total = 0;
  char name[NAME_SIZE] = "";
  if (f->get(&device, i) != 0 || f->attribute(&major, CC_MAJOR, device) != 0 ||
      f->attribute(&minor, CC_MINOR, device) != 0 || f->total(&total, device) != 0 ||
      f->name(name, sizeof name - 1, device) != 0)
    return false;
  for (char *s = name; *s; s++)
    if (*s == '\n') *s = ' ';
  fprintf(to, "%d %d %zu %lld %s\n", major, minor, total, find_free(f, device), name);
  return true;
}

/* "driver 13000 2", and a line for each GPU; "none" without a driver; "old"; "error 802". */
static bool describe(void *data, FILE *to) {
  driver f;
  int version, count = 0;
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  (void)data;
  if (!library) return fputs("none\n", to) >= 0;
  if (!find_functions(&f, library)) return fputs("old\n", to) >= 0;
  int error = f.init(0);
  if (!error) error = f.version(&version);
  if (!error) error = f.count(&count);
  if (error) return fprintf(to, "error %d\n", error) > 0;
  fprintf(to, "driver %d %d\n", version, count);
  for (int i = 0; i < count && i < GPUS_MAX; i++)
    if (!describe_gpu(&f, i, to)) return false;
  return true;
}

/* ---- in this process */

static bool is_sane(const gpu *x) { return x->major && x->major < 100 && x->minor < 10; }

/* One line of a GPU. */
static bool read_gpu(gpus *g, const char *line, size_t n, arena *a) {
  gpu x = {0};
  unsigned long long total;
  long long unused;
  int name = 0;
  const char *text = arena_strndup(a, line, n);
  if (sscanf(text, "%u %u %llu %lld %n", &x.major, &x.minor, &total, &unused, &name) != 4 ||
      !name || !is_sane(&x))
    return false;
  x.total = total;
  x.tells_free = unused >= 0;
  x.free = x.tells_free ? (uint64_t)unused : 0;
  x.name = text + name;
  *arena_push(a, g) = x;
  return true;
}

static bool read_answer(gpus *g, const char *text, arena *a) {
  unsigned count;
  int error;
  if (!strcmp(text, "none\n")) {
    g->why = "no GPU driver here";
    return true;
  }
  if (!strcmp(text, "old\n")) {
    g->outdated = true;
    g->why = "the GPU driver here lacks what CUDA programs call";
    return true;
  }
  if (sscanf(text, "error %d", &error) == 1) {
    g->unknown = error != NO_DEVICE;
    g->why = g->unknown ? arena_printf(a, "the driver cannot be used: error %d", error)
                        : "the driver finds no GPU";
    return true;
  }
  if (sscanf(text, "driver %u %u", &g->driver, &count) != 2) return false;
  for (const char *s = strchr(text, '\n'); s && s[1]; s = strchr(s + 1, '\n'))
    if (!read_gpu(g, s + 1, strcspn(s + 1, "\n"), a)) return false;
  if (!g->n) g->why = "the driver finds no GPU";
  return g->n == (count < GPUS_MAX ? count : GPUS_MAX);
}

void gpu_ask(gpus *g, arena *a) {
  const process_setting how = {.seconds = SECONDS};
  process p;
  strbuf t = {0};
  *g = (gpus){.why = NULL};
  bool ok = process_answer(&p, describe, NULL, &how, ANSWER_MAX, process_take_text, &t);
  if (!ok || !t.at || !read_answer(g, t.at, a)) {
    *g = (gpus){.unknown = true};
    g->why = p.error == ETIMEDOUT ? "the driver did not answer in 30 seconds"
                                  : "the driver failed while it was asked";
  }
  strbuf_free(&t);
}

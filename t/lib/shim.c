/* shim.c - the fake torch. */
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../runtime/base/settings.h"
#include "../runtime/base/sink.h"

enum { FIRST_NUMBER = 60 };
int fake_copies;

/* Used where the library was built without nvcc: the fake libcuda reads only the magic. */
extern const unsigned char aotigen_stats_fatbin[4];
__attribute__((weak)) const unsigned char aotigen_stats_fatbin[4] = {0x50, 0xed, 0x55, 0xba};

static const char *const names[] = {
#define X(name, ...) #name,
#include "shared/dtypes.def"
#undef X
};
static const int64_t item_sizes[] = {
#define X(name, cls, size, ...) size,
#include "shared/dtypes.def"
#undef X
};

int32_t fake_dtype(const char *name) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], name)) return FIRST_NUMBER + (int32_t)i;
  return 7;
}

#define X(name, ...)                                                                               \
  int32_t aoti_torch_dtype_##name(void);                                                           \
  int32_t aoti_torch_dtype_##name(void) { return fake_dtype(#name); }
#include "shared/dtypes.def"
#undef X

static int64_t item_size(int32_t dtype) {
  return dtype >= FIRST_NUMBER ? item_sizes[dtype - FIRST_NUMBER] : 1;
}

const char *fake_device(void) {
  const char *s = getenv("FAKE_DEVICE");
  return s ? s : "cpu";
}

/* The fake libcuda knows which memory is a device's. */
static void on_device(fake *f, size_t bytes) {
  void (*fake_memory)(const void *, size_t);
  void *found = dlsym(RTLD_DEFAULT, "fake_memory");
  if (!strcmp(fake_device(), "cpu") || !found) return;
  memcpy(&fake_memory, &found, sizeof found);
  fake_memory(f->storage, bytes);
  f->device_type = FAKE_CUDA;
  f->device_index = 0;
}

static fake *make(int32_t dtype, int64_t ndim, const int64_t *sizes) {
  fake *f = calloc(1, sizeof *f);
  int64_t step = 1;
  f->ndim = ndim;
  for (int64_t i = ndim - 1; i >= 0; i--) {
    f->sizes[i] = sizes[i];
    f->strides[i] = step;
    step *= sizes[i] > 1 ? sizes[i] : 1;
  }
  for (int64_t i = 0; i < ndim; i++)
    if (!sizes[i]) step = 0;
  f->dtype = dtype;
  f->storage_size = step * item_size(dtype);
  f->storage = f->data = aligned_alloc(64, (size_t)(f->storage_size + 64) / 64 * 64);
  memset(f->storage, 0, (size_t)f->storage_size);
  f->device_index = -1;
  f->layout = FAKE_STRIDED;
  on_device(f, (size_t)(f->storage_size + 64) / 64 * 64);
  return f;
}

fake *fake_new(const char *dtype, ...) {
  int64_t sizes[AG_MAX_DIMS], n = 0;
  int size;
  va_list args;
  va_start(args, dtype);
  while ((size = va_arg(args, int)) >= 0) sizes[n++] = size;
  va_end(args);
  return make(fake_dtype(dtype), n, sizes);
}

void fake_free(fake *f) {
  free(f->storage);
  free(f);
}

#define GET(name, type, value)                                                                     \
  int32_t aoti_torch_get_##name(fake *f, type *ret);                                               \
  int32_t aoti_torch_get_##name(fake *f, type *ret) {                                              \
    *ret = value;                                                                                  \
    return 0;                                                                                      \
  }
/* As torch's: these throw on an undefined tensor, or on one without strides. */
#define GET_STRIDED(name, type, value)                                                             \
  int32_t aoti_torch_get_##name(fake *f, type *ret);                                               \
  int32_t aoti_torch_get_##name(fake *f, type *ret) {                                              \
    if (f->undefined || f->layout != FAKE_STRIDED) {                                               \
      fprintf(stderr, "Exception in aoti_torch: " #name "\n");                                     \
      return 1;                                                                                    \
    }                                                                                              \
    *ret = value;                                                                                  \
    return 0;                                                                                      \
  }
GET_STRIDED(data_ptr, void *, f->data)
GET_STRIDED(sizes, int64_t *, f->sizes)
GET_STRIDED(strides, int64_t *, f->strides)
GET_STRIDED(dim, int64_t, f->ndim)
GET_STRIDED(storage_offset, int64_t, f->offset)
GET_STRIDED(storage_size, int64_t, f->storage_size)
GET(dtype, int32_t, f->dtype)
GET(device_type, int32_t, f->device_type)
GET(device_index, int32_t, f->device_index)

bool fake_has_no_layout;

int32_t aoti_torch_get_layout(fake *f, int32_t *ret);
int32_t aoti_torch_get_layout(fake *f, int32_t *ret) {
  *ret = f->layout;
  return fake_has_no_layout;
}

int32_t aoti_torch_is_defined(fake *f, bool *ret);
int32_t aoti_torch_is_defined(fake *f, bool *ret) {
  *ret = !f->undefined;
  return 0;
}

#define CONSTANT(name, value)                                                                      \
  int32_t aoti_torch_##name(void);                                                                 \
  int32_t aoti_torch_##name(void) { return value; }
CONSTANT(layout_strided, FAKE_STRIDED)
CONSTANT(layout__mkldnn, FAKE_MKDNN)
CONSTANT(device_type_cpu, FAKE_CPU)
CONSTANT(device_type_cuda, FAKE_CUDA)
CONSTANT(device_type_xpu, FAKE_XPU)
CONSTANT(device_type_meta, FAKE_META)

int32_t aoti_torch_delete_tensor_object(fake *f);
int fake_deletions;

int32_t aoti_torch_delete_tensor_object(fake *f) {
  fake_deletions++;
  fake_free(f);
  return 0;
}

bool fake_has_no_memory;

int32_t aoti_torch_empty_strided(int64_t, const int64_t *, const int64_t *, int32_t, int32_t,
                                 int32_t, fake **);
int32_t aoti_torch_empty_strided(int64_t ndim, const int64_t *sizes, const int64_t *strides,
                                 int32_t dtype, int32_t type, int32_t index, fake **ret) {
  (void)strides;
  if (fake_has_no_memory) return 1;
  *ret = make(dtype, ndim, sizes);
  (*ret)->device_type = type;
  (*ret)->device_index = index;
  return 0;
}

int32_t aoti_torch__reinterpret_tensor(fake *, int64_t, const int64_t *, const int64_t *, int64_t,
                                       fake **);
int32_t aoti_torch__reinterpret_tensor(fake *self, int64_t ndim, const int64_t *sizes,
                                       const int64_t *strides, int64_t offset, fake **ret) {
  fake *f = calloc(1, sizeof *f);
  *f = *self;
  f->storage = NULL;
  f->ndim = ndim;
  memcpy(f->sizes, sizes, (size_t)ndim * sizeof *sizes);
  memcpy(f->strides, strides, (size_t)ndim * sizeof *strides);
  f->data = (char *)self->data + offset * item_size(self->dtype);
  *ret = f;
  return 0;
}

int32_t aoti_torch_copy_(fake *to, fake *from, int32_t non_blocking);
int32_t aoti_torch_copy_(fake *to, fake *from, int32_t non_blocking) {
  ag_tensor t = {.data = from->data, .ndim = (int32_t)from->ndim, .numel = 1};
  ag_dtype d = {.item_size = (uint8_t)item_size(from->dtype)};
  (void)non_blocking;
  t.dtype = &d;
  for (int64_t i = 0; i < from->ndim; i++) {
    t.sizes[i] = from->sizes[i];
    t.strides[i] = from->strides[i];
    t.numel *= from->sizes[i];
  }
  fake_copies++;
  return ag_backend_cpu.read(&t, 0, t.numel, NULL, to->data) != NULL;
}

aotigen_value handle(const fake *f) {
  return (aotigen_value){.v.handle = f, .kind = AOTIGEN_V_HANDLE};
}
aotigen_value integer(int64_t i) { return (aotigen_value){.v.i = i, .kind = AOTIGEN_V_INT}; }
aotigen_value nothing(void) { return (aotigen_value){.kind = AOTIGEN_V_NOTHING}; }

char *temporary(char *name, size_t room) {
  const char *dir = getenv("TMPDIR");
  snprintf(name, room, "%s/aotigen-XXXXXX", dir ? dir : "/tmp");
  return name;
}

static int saved[3], files[3];

void capture(int fd) {
  char name[512];
  fflush(NULL);
  files[fd] = mkstemp(temporary(name, sizeof name));
  unlink(name);
  saved[fd] = dup(fd);
  dup2(files[fd], fd);
}

static void replace(char *text, const char *old, const char *new) {
  size_t from = strlen(old), to = strlen(new);
  for (char *at = text; (at = strstr(at, old)); at += to) {
    memcpy(at, new, to);
    memmove(at + to, at + from, strlen(at + from) + 1);
  }
}

static void without_device(char *text) {
  if (!strcmp(fake_device(), "cpu")) return;
  replace(text, "cuda:0", "cpu");
  replace(text, "CUDA", "CPU");
}

char *captured(int fd) {
  struct stat s;
  ag_evaluator_settle();
  ag_async_saver_settle();
  fflush(NULL);
  dup2(saved[fd], fd);
  close(saved[fd]);
  fstat(files[fd], &s);
  char *text = calloc(1, (size_t)s.st_size + 1);
  if (pread(files[fd], text, (size_t)s.st_size, 0) != s.st_size) abort();
  close(files[fd]);
  without_device(text);
  return text;
}

char *captured_of(int fd, pid_t child) {
  char mark[32], *text = captured(fd);
  const size_t n = (size_t)snprintf(mark, sizeof mark, "[pid %d] ", (int)child);
  for (char *at = text; (at = strstr(at, mark));) memmove(at, at + n, strlen(at + n) + 1);
  return text;
}

static char log_name[512];

void begin_log(void) {
  close(mkstemp(temporary(log_name, sizeof log_name)));
  environment("AOTIGEN_LOG", log_name);
}

char *end_log(void) {
  struct stat s;
  int fd = open(log_name, O_RDONLY);
  environment("AOTIGEN_LOG", NULL);
  if (fstat(fd, &s)) abort();
  char *text = calloc(1, (size_t)s.st_size + 1);
  if (pread(fd, text, (size_t)s.st_size, 0) != s.st_size) abort();
  close(fd);
  unlink(log_name);
  return text;
}

bool is_written(int fd, const char *text) {
  static _Thread_local char all[1 << 16];
  ssize_t n = pread(fd, all, sizeof all - 1, 0);
  all[n < 0 ? 0 : n] = 0;
  return strstr(all, text) != NULL;
}

void await_written(int fd, const char *text) { AWAIT(is_written(fd, text)); }

int count(const char *text, const char *part) {
  int n = 0;
  for (; (text = strstr(text, part)); text++) n++;
  return n;
}

void assert_summary(const char *message, const char *written) {
  static const char end[] = "; the full report is on stderr";
  size_t n = strlen(message), k = sizeof end - 1;
  if (strchr(message, '\n') || n < k || strcmp(message + n - k, end) != 0)
    fail_msg("not one line that refers to the report: %s", message);
  for (const char *at = written; (at = strstr(at, "aotigen: ")); at++)
    if (strncmp(message, at, strcspn(at, "\n")) == 0) return;
  fail_msg("'%s' has not the head of a report in: %s", message, written);
}

char *end_with_report(aotigen_run *run, const char *message) {
  char *copy = message ? strdup(message) : NULL;
  aotigen_run_end(run, 0);
  char *text = captured(2);
  if (copy) {
    assert_summary(copy, text);
    free(copy);
    return text;
  }
  assert_string_equal(text, "");
  free(text);
  return NULL;
}

char *without_runs(char *text) {
  static const char hint[] = "  model line    not known";
  char *to = text;
  for (const char *at = text; *at;) {
    if (!strncmp(at, hint, sizeof hint - 1)) at += strcspn(at, "\n") + 1;
    bool is = !strncmp(at, "run ", 4) && at[4] >= '0' && at[4] <= '9';
    for (int i = 0; i < (is ? 4 : 1); i++) *to++ = *at++;
    while (is && *at >= '0' && *at <= '9') at++;
    if (is) *to++ = 'N';
  }
  *to = 0;
  return text;
}

void environment(const char *name, const char *value) {
  if (value)
    setenv(name, value, 1);
  else
    unsetenv(name);
  ag_settings_reload();
  ag_sink_reopen();
}

bool ag_torch_is_neg(fake *f) __asm__("_ZN2at4_ops6is_neg4callERKNS_6TensorE");
bool ag_torch_is_neg(fake *f) { return f->negated; }

bool ag_torch_is_conj(fake *f) __asm__("_ZN2at4_ops7is_conj4callERKNS_6TensorE");
bool ag_torch_is_conj(fake *f) { return f->conjugated; }

/* driver.c - libcuda by dlsym, contexts, workspaces, and errors. */
#define _GNU_SOURCE
#include "cuda/driver.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The thread's message (driver.h, Errors), which functions that fail return. */
static _Thread_local char message[512];

const char *ag_cuda_message(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(message, sizeof message, format, ap);
  va_end(ap);
  return message;
}

/* ---- the library ---------------------------------------------------------------------------- */

static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;
static ag_cuda_driver driver;
static const char *driver_lacks;
static atomic_bool driver_there;
static bool driver_up; /* under library_lock: cuInit succeeded */

static void resolve_functions(void *library) {
  void *found;
#define AG_CUDA_RESOLVE(name, symbol, parameters)                                                  \
  found = dlsym(library, symbol);                                                                  \
  if (!found && !driver_lacks) driver_lacks = symbol;                                              \
  memcpy(&driver.name, &found, sizeof found);
  AG_CUDA_FUNCTIONS(AG_CUDA_RESOLVE)
#undef AG_CUDA_RESOLVE
}

bool ag_cuda_loaded(void) {
  void *library;
  if (atomic_load_explicit(&driver_there, memory_order_acquire)) return true;
  library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return false;
  pthread_mutex_lock(&library_lock);
  if (!atomic_load_explicit(&driver_there, memory_order_relaxed)) {
    resolve_functions(library);
    atomic_store_explicit(&driver_there, true, memory_order_release);
  } else {
    dlclose(library);
  }
  pthread_mutex_unlock(&library_lock);
  return true;
}

/* The driver's functions; NULL, and in *why the reason, if it is not loaded or too old. */
static const ag_cuda_driver *find_driver(const char **why) {
  if (!ag_cuda_loaded())
    *why = ag_cuda_message("no CUDA driver is loaded ('libcuda.so.1')");
  else if (driver_lacks)
    *why = ag_cuda_message("the CUDA driver is too old: it has no '%s'", driver_lacks);
  else
    return &driver;
  return NULL;
}

/* ---- errors --------------------------------------------------------------------------------- */

static bool is_sticky(int error) {
  switch (error) {
    case AG_CU_DEINITIALIZED:
    case AG_CU_DEVICE_UNAVAILABLE:
    case AG_CU_ECC_UNCORRECTABLE:
    case AG_CU_NVLINK_UNCORRECTABLE:
    case AG_CU_CONTAINED:
    case AG_CU_ILLEGAL_ADDRESS:
    case AG_CU_LAUNCH_TIMEOUT:
    case AG_CU_CONTEXT_IS_DESTROYED:
    case AG_CU_ASSERT:
    case AG_CU_TENSOR_MEMORY_LEAK: return true;
    default: return error >= AG_CU_HARDWARE_STACK_ERROR && error <= AG_CU_LAUNCH_FAILED;
  }
}

static const char *describe_error(int32_t index, const char *call, int error) {
  const char *name = NULL, *text = NULL;
  if (driver.cuGetErrorName(error, &name)) name = NULL;
  if (driver.cuGetErrorString(error, &text)) text = NULL;
  return ag_cuda_message("'%s' on device 'cuda:%d': %s (%s, %d)", call, (int)index,
                         text ? text : "no description", name ? name : "unknown error", error);
}

/* Stores only the first sticky error: later ones repeat that the context is lost. */
static void keep_sticky_error(ag_cuda_device *d, const char *text) {
  pthread_mutex_lock(&d->lock);
  if (!atomic_load(&d->lost)) {
    snprintf(d->sticky_error, sizeof d->sticky_error, "%s", text);
    atomic_store(&d->lost, true);
    pthread_cond_broadcast(&d->space_given);
  }
  pthread_mutex_unlock(&d->lock);
}

const char *ag_cuda_failed(ag_cuda_scope *scope, const char *call, int error) {
  const char *text;
  if (!error) return NULL;
  text = describe_error(scope->device->index, call, error);
  if (!is_sticky(error)) return text;
  keep_sticky_error(scope->device, text);
  return ag_cuda_message("%s", scope->device->sticky_error);
}

/* ---- devices -------------------------------------------------------------------------------- */

static ag_cuda_device devices[AG_CUDA_DEVICES];
static pthread_once_t devices_once = PTHREAD_ONCE_INIT;

static void make_devices(void) {
  for (int i = 0; i < AG_CUDA_DEVICES; i++) {
    pthread_mutex_init(&devices[i].lock, NULL);
    pthread_cond_init(&devices[i].space_given, NULL);
    devices[i].index = i;
  }
}

/* Calls cuInit, and gets the device's handle. Torch has called cuInit, but repeating it is harmless
 * and cheap. */
static const char *find_device(int32_t index, int *device) {
  const char *why = NULL;
  const ag_cuda_driver *cu = find_driver(&why);
  int error = 0;
  if (!cu) return why;
  if (index < 0 || index >= AG_CUDA_DEVICES)
    return ag_cuda_message("no such device 'cuda:%d'", (int)index);
  pthread_mutex_lock(&library_lock);
  if (!driver_up) error = cu->cuInit(0);
  driver_up = error == 0;
  pthread_mutex_unlock(&library_lock);
  if (error) return describe_error(index, "cuInit", error);
  error = cu->cuDeviceGet(device, index);
  return error ? describe_error(index, "cuDeviceGet", error) : NULL;
}

const char *ag_cuda_attributes(int32_t device_index, int first, int n, int *values) {
  int device;
  const char *why = find_device(device_index, &device);
  for (int i = 0; !why && i < n; i++) {
    int error = driver.cuDeviceGetAttribute(&values[i], first + i, device);
    if (error) why = describe_error(device_index, "cuDeviceGetAttribute", error);
  }
  return why;
}

/* The caller holds d->lock. The context is retained for good, as torch's own reference is. */
static const char *open_device(ag_cuda_device *d) {
  unsigned flags = 0;
  int active = 0, error;
  const char *why = find_device(d->index, &d->device);
  if (why) return why;
  error = driver.cuDevicePrimaryCtxGetState(d->device, &flags, &active);
  if (error) return describe_error(d->index, "cuDevicePrimaryCtxGetState", error);
  if (!active)
    return ag_cuda_message("device 'cuda:%d' has no context: nothing was done on it yet",
                           (int)d->index);
  error = driver.cuDeviceGetAttribute(&d->sms, AG_CU_MULTIPROCESSOR_COUNT, d->device);
  if (!error)
    error = driver.cuDeviceGetAttribute(&d->major, AG_CU_COMPUTE_CAPABILITY_MAJOR, d->device);
  if (error) return describe_error(d->index, "cuDeviceGetAttribute", error);
  if (driver.cuDeviceGetName(d->name, sizeof d->name, d->device)) *d->name = '\0';
  error = driver.cuDevicePrimaryCtxRetain(&d->context, d->device);
  if (error) return describe_error(d->index, "cuDevicePrimaryCtxRetain", error);
  atomic_store(&d->opened, true);
  return NULL;
}

static const char *ready_device(int32_t index, ag_cuda_device **device) {
  const char *why = NULL;
  ag_cuda_device *d;
  if (!find_driver(&why)) return why;
  if (index < 0 || index >= AG_CUDA_DEVICES)
    return ag_cuda_message("no such device 'cuda:%d'", (int)index);
  d = *device = &devices[index];
  if (atomic_load(&d->lost)) return ag_cuda_message("%s", d->sticky_error);
  if (atomic_load(&d->opened)) return NULL;
  pthread_once(&devices_once, make_devices);
  pthread_mutex_lock(&d->lock);
  if (!atomic_load(&d->opened)) why = open_device(d);
  pthread_mutex_unlock(&d->lock);
  return why;
}

/* ---- the scope ------------------------------------------------------------------------------ */

static bool is_capture_error(int error) {
  return error >= AG_CU_STREAM_CAPTURE_UNSUPPORTED && error <= AG_CU_STREAM_CAPTURE_WRONG_THREAD;
}

const char *ag_cuda_enter_quick(ag_cuda_scope *scope, int32_t device_index, void *stream) {
  void *context = NULL;
  const char *why;
  scope->cu = &driver;
  scope->stream = stream;
  scope->capture_mode = AG_CU_CAPTURE_RELAXED;
  scope->pushed = false;
  why = ready_device(device_index, &scope->device);
  if (why) return why;
  if (!driver.cuCtxGetCurrent(&context) && context == scope->device->context) return NULL;
  why = ag_cuda_failed(scope, "cuCtxPushCurrent", driver.cuCtxPushCurrent(scope->device->context));
  scope->pushed = !why;
  return why;
}

const char *ag_cuda_enter_apart(ag_cuda_scope *scope, int32_t device_index) {
  const char *why = ag_cuda_enter_quick(scope, device_index, NULL);
  if (why) return why;
  /* The mode is the thread's, not the context's. If the exchange fails there is nothing to restore.
   */
  if (driver.cuThreadExchangeStreamCaptureMode(&scope->capture_mode))
    scope->capture_mode = AG_CU_CAPTURE_RELAXED;
  return NULL;
}

const char *ag_cuda_enter(ag_cuda_scope *scope, int32_t device_index, void *stream) {
  int status = 0, error;
  const char *why = ag_cuda_enter_apart(scope, device_index);
  if (why) return why;
  scope->stream = stream;
  error = driver.cuStreamIsCapturing(stream, &status);
  if (is_capture_error(error) || (!error && status))
    why = ag_cuda_message("the stream on device 'cuda:%d' is being captured into a graph",
                          (int)device_index);
  else
    why = ag_cuda_failed(scope, "cuStreamIsCapturing", error);
  if (why) ag_cuda_leave(scope);
  return why;
}

void ag_cuda_leave(ag_cuda_scope *scope) {
  void *context;
  if (scope->pushed) driver.cuCtxPopCurrent(&context);
  if (scope->capture_mode != AG_CU_CAPTURE_RELAXED)
    driver.cuThreadExchangeStreamCaptureMode(&scope->capture_mode);
}

const char *ag_cuda_sticky_error(int32_t device_index) {
  bool is_one = device_index >= 0 && device_index < AG_CUDA_DEVICES;
  return is_one && atomic_load(&devices[device_index].lost) ? devices[device_index].sticky_error
                                                            : NULL;
}

const char *ag_cuda_device_name(int32_t device_index) {
  bool is_one = device_index >= 0 && device_index < AG_CUDA_DEVICES;
  const ag_cuda_device *d = is_one ? &devices[device_index] : NULL;
  return d && atomic_load(&d->opened) && *d->name ? d->name : NULL;
}

int32_t ag_cuda_only_device(void) {
  int32_t only = -1;
  for (int i = 0; i < AG_CUDA_DEVICES; i++) {
    if (!atomic_load(&devices[i].opened)) continue;
    if (only >= 0) return -1;
    only = i;
  }
  return only < 0 ? 0 : only;
}

const char *ag_cuda_query(int32_t device_index, void *stream) {
  ag_cuda_scope scope;
  int error;
  if (ag_cuda_enter(&scope, device_index, stream))
    return ag_cuda_sticky_error(
        device_index); /* entering a lost context may have met and stored the error */
  error = driver.cuStreamQuery(stream);
  if (error != AG_CU_NOT_READY) ag_cuda_failed(&scope, "cuStreamQuery", error);
  ag_cuda_leave(&scope);
  return ag_cuda_sticky_error(device_index);
}

/* Queries in the context of each open device: a captured stream belongs to one. */
static int query_capture_elsewhere(void *stream, int *status) {
  int error = AG_CU_INVALID_CONTEXT;
  void *context;
  for (int i = 0; i < AG_CUDA_DEVICES && error; i++) {
    if (!atomic_load(&devices[i].opened) || atomic_load(&devices[i].lost)) continue;
    if (driver.cuCtxPushCurrent(devices[i].context)) continue;
    error = driver.cuStreamIsCapturing(stream, status);
    driver.cuCtxPopCurrent(&context);
  }
  return error;
}

bool ag_cuda_capturing(void *stream) {
  int status = 0, error;
  const char *why;
  if (!find_driver(&why)) return false;
  error = driver.cuStreamIsCapturing(stream, &status);
  if (error == AG_CU_INVALID_CONTEXT && stream) error = query_capture_elsewhere(stream, &status);
  return is_capture_error(error) || (!error && status);
}

/* ---- kernels -------------------------------------------------------------------------------- */

/* Stores a refusal: loading takes milliseconds, and the same image will be refused again. A lack of
 * memory is not stored. */
const char *ag_cuda_load(ag_cuda_scope *scope, const void *image, bool *usable) {
  ag_cuda_device *d = scope->device;
  int error;
  *usable = image != NULL;
  if (!image) return NULL;
  pthread_mutex_lock(&d->lock);
  error = d->module_error;
  if (!d->module && !error) {
    error = driver.cuModuleLoadData(&d->module, image);
    if (error) d->module = NULL;
    if (error != AG_CU_OUT_OF_MEMORY) d->module_error = error;
  }
  pthread_mutex_unlock(&d->lock);
  *usable = error == 0;
  return is_sticky(error) ? ag_cuda_failed(scope, "cuModuleLoadData", error) : NULL;
}

/* Without the lock, since each launch comes here. NULL if the kernel must be looked for. */
static void *find_known_kernel(const ag_cuda_device *d, const char *name) {
  for (int i = 0; i < AG_CUDA_KERNELS - 1; i++) {
    const char *known = atomic_load_explicit(&d->kernels[i].name, memory_order_acquire);
    if (known == name) return d->kernels[i].function;
    if (!known) return NULL;
  }
  return NULL;
}

static const char *find_kernel(ag_cuda_scope *scope, const char *name, void **function) {
  ag_cuda_device *d = scope->device;
  int i = 0, error = 0;
  if ((*function = find_known_kernel(d, name))) return NULL;
  pthread_mutex_lock(&d->lock);
  while (i < AG_CUDA_KERNELS - 1 && d->kernels[i].name && d->kernels[i].name != name) i++;
  if (d->kernels[i].name != name) {
    error = driver.cuModuleGetFunction(&d->kernels[i].function, d->module, name);
    d->kernels[i].name = error ? NULL : name;
  }
  *function = d->kernels[i].function;
  pthread_mutex_unlock(&d->lock);
  return ag_cuda_failed(scope, "cuModuleGetFunction", error);
}

const char *ag_cuda_ready_kernel(ag_cuda_scope *scope, const char *kernel) {
  void *function;
  return find_kernel(scope, kernel, &function);
}

const char *ag_cuda_launch(ag_cuda_scope *scope, ag_cuda_workspace *space, const char *kernel,
                           unsigned blocks, unsigned threads, void *argument) {
  void *arguments[] = {argument}, *function;
  const char *why = find_kernel(scope, kernel, &function);
  if (why) return why;
  int error = driver.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, scope->stream,
                                    arguments, NULL);
  if (!error && space) space->busy = true;
  return ag_cuda_failed(scope, "cuLaunchKernel", error);
}

const char *ag_cuda_launch_early(ag_cuda_scope *scope, const char *kernel, unsigned blocks,
                                 unsigned threads, void *argument) {
  const ag_cuda_launch_attribute early = {.id = AG_CU_LAUNCH_PROGRAMMATIC_STREAM_SERIALIZATION,
                                          .value.number = 1};
  const ag_cuda_launch_config config = {.grid = {blocks, 1, 1},
                                        .block = {threads, 1, 1},
                                        .stream = scope->stream,
                                        .attributes = &early,
                                        .nattributes = 1};
  void *arguments[] = {argument}, *function;
  if (scope->device->major < 9)
    return ag_cuda_launch(scope, NULL, kernel, blocks, threads, argument);
  const char *why = find_kernel(scope, kernel, &function);
  if (why) return why;
  return ag_cuda_failed(scope, "cuLaunchKernelEx",
                        driver.cuLaunchKernelEx(&config, function, arguments, NULL));
}

const char *ag_cuda_wait(ag_cuda_scope *scope, ag_cuda_workspace *space) {
  const char *why =
      ag_cuda_failed(scope, "cuStreamSynchronize", driver.cuStreamSynchronize(scope->stream));
  if (!why && space) {
    space->busy = false;
    space->zeroed = true;
  }
  return why;
}

void *ag_cuda_side_stream(ag_cuda_scope *scope) {
  ag_cuda_device *d = scope->device;
  pthread_mutex_lock(&d->lock);
  if (!d->side_stream && driver.cuStreamCreate(&d->side_stream, AG_CU_STREAM_NON_BLOCKING))
    d->side_stream = NULL;
  void *stream = d->side_stream;
  pthread_mutex_unlock(&d->lock);
  return stream;
}

/* Uses the side stream: the default stream would wait for all streams of the device. */
const char *ag_cuda_clear(ag_cuda_scope *scope, ag_cuda_address address, size_t bytes) {
  void *stream = ag_cuda_side_stream(scope);
  const char *why;
  if (!stream)
    return ag_cuda_message("device 'cuda:%d' has no stream to spare", (int)scope->device->index);
  why = ag_cuda_failed(scope, "cuMemsetD32Async",
                       driver.cuMemsetD32Async(address, 0, bytes / 4, stream));
  return why ? why
             : ag_cuda_failed(scope, "cuStreamSynchronize", driver.cuStreamSynchronize(stream));
}

/* ---- workspaces ----------------------------------------------------------------------------- */

/* The caller holds the device's lock. What was allocated before a failure is used by the next
 * attempt. */
static const char *make_workspace(ag_cuda_device *d, size_t bytes, ag_cuda_workspace **made,
                                  int *error) {
  ag_cuda_workspace *s = &d->spaces[d->made_spaces];
  if (!s->host &&
      (*error = driver.cuMemHostAlloc(&s->host, AG_CUDA_PINNED,
                                      AG_CU_HOSTALLOC_PORTABLE | AG_CU_HOSTALLOC_DEVICEMAP))) {
    s->host = NULL;
    return "cuMemHostAlloc";
  }
  if ((*error = driver.cuMemHostGetDevicePointer(&s->host_on_device, s->host, 0)))
    return "cuMemHostGetDevicePointer";
  if ((*error = driver.cuMemAlloc(&s->scratch, bytes))) return "cuMemAlloc";
  d->made_spaces++;
  *made = s;
  return NULL;
}

/* Zeroes a workspace once. Waits, so that no other thread gets one that is still being zeroed. */
static const char *zero_workspace(ag_cuda_scope *scope, ag_cuda_workspace *s, size_t bytes) {
  int error = driver.cuMemsetD32Async(s->scratch, 0, bytes / 4, scope->stream);
  s->busy = !error;
  return error ? ag_cuda_failed(scope, "cuMemsetD32Async", error) : ag_cuda_wait(scope, s);
}

const char *ag_cuda_take_workspace(ag_cuda_scope *scope, size_t bytes, ag_cuda_workspace **space) {
  ag_cuda_device *d = scope->device;
  ag_cuda_workspace *s = NULL;
  const char *call = NULL, *why = NULL;
  int error = 0;
  pthread_mutex_lock(&d->lock);
  while (!s && !call && !atomic_load(&d->lost) && d->lost_spaces < AG_CUDA_WORKSPACES) {
    s = d->free_spaces;
    if (s)
      d->free_spaces = s->next;
    else if (d->made_spaces < AG_CUDA_WORKSPACES)
      call = make_workspace(d, bytes, &s, &error);
    else
      pthread_cond_wait(&d->space_given, &d->lock);
  }
  pthread_mutex_unlock(&d->lock);
  if (call) return ag_cuda_failed(scope, call, error);
  if (!s)
    return ag_cuda_message("%s", atomic_load(&d->lost)
                                     ? d->sticky_error
                                     : "no scratch memory is left: too many passes failed");
  if (!s->zeroed) why = zero_workspace(scope, s, bytes);
  if (why) ag_cuda_give_workspace(scope, s);
  *space = s;
  return why;
}

void ag_cuda_give_workspace(ag_cuda_scope *scope, ag_cuda_workspace *space) {
  ag_cuda_device *d = scope->device;
  pthread_mutex_lock(&d->lock);
  if (space->busy) {
    d->lost_spaces++;
  } else {
    space->next = d->free_spaces;
    d->free_spaces = space;
  }
  if (d->lost_spaces == AG_CUDA_WORKSPACES)
    pthread_cond_broadcast(&d->space_given);
  else
    pthread_cond_signal(&d->space_given);
  pthread_mutex_unlock(&d->lock);
}

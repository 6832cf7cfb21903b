/* driver.h - the few functions of libcuda that the runtime calls, and the state of each device.
 *
 * Declares the driver's ABI itself and finds the functions with dlsym, so that neither the CUDA
 * toolkit nor the driver is needed to build, link or load a model for the CPU. Knows no tensor.
 *
 * Rules. These functions never load the driver into a process that has not loaded it, and never
 * make a context. They leave the calling thread's current context as it was. They never invalidate
 * another thread's stream capture: ag_cuda_enter() and ag_cuda_enter_apart() exchange the thread's
 * capture mode for the relaxed one until ag_cuda_leave(); between ag_cuda_enter_quick() and leave
 * the mode is the thread's own, so the caller must not allocate there. A function waits only for
 * the stream it is given, for a workspace that another thread has, and, while memory is cleared,
 * for the side stream, which is ours.
 *
 * Lost devices. After an error that CUDA calls sticky (an illegal address, a device assert) every
 * call on the device's context returns that error. The first one is kept as the device's
 * sticky_error; from then on all functions here return it from host memory, without calling the
 * driver.
 *
 * Errors. A function that can fail returns NULL or a message. The message is in a buffer of the
 * calling thread and stays valid until this thread's next call of such a function: copy it to keep
 * it. A sticky error's text, as ag_cuda_sticky_error() returns it, stays valid for good.
 */
#ifndef AOTIGEN_CUDA_DRIVER_H
#define AOTIGEN_CUDA_DRIVER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

typedef uint64_t ag_cuda_address; /* CUdeviceptr */

/* CUlaunchAttribute and CUlaunchConfig. */
typedef struct ag_cuda_launch_attribute {
  int id;
  union { /* 64 bytes, 8-byte aligned */
    uint64_t words[8];
    int number;
  } value;
} ag_cuda_launch_attribute;

typedef struct ag_cuda_launch_config {
  unsigned grid[3], block[3], shared;
  void *stream;
  const ag_cuda_launch_attribute *attributes;
  unsigned nattributes;
} ag_cuda_launch_config;

/* CUresult is an int; handles (CUcontext, CUstream, CUmodule, CUfunction) are void *; CUdevice is
 * an int. The name of the member, the exported symbol, the parameters. */
#define AG_CUDA_FUNCTIONS(X)                                                                       \
  X(cuInit, "cuInit", (unsigned flags))                                                            \
  X(cuDeviceGet, "cuDeviceGet", (int *device, int ordinal))                                        \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int *value, int attribute, int device))         \
  X(cuDeviceGetName, "cuDeviceGetName", (char *name, int n, int device))                           \
  X(cuDevicePrimaryCtxGetState, "cuDevicePrimaryCtxGetState",                                      \
    (int device, unsigned *flags, int *active))                                                    \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (void **context, int device))            \
  X(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (void *context))                                      \
  X(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (void **context))                                       \
  X(cuCtxGetCurrent, "cuCtxGetCurrent", (void **context))                                          \
  X(cuModuleLoadData, "cuModuleLoadData", (void **module, const void *image))                      \
  X(cuModuleGetFunction, "cuModuleGetFunction", (void **function, void *module, const char *name)) \
  X(cuLaunchKernel, "cuLaunchKernel",                                                              \
    (void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, \
     unsigned shared, void *stream, void **parameters, void **extra))                              \
  X(cuLaunchKernelEx, "cuLaunchKernelEx",                                                          \
    (const ag_cuda_launch_config *config, void *function, void **parameters, void **extra))        \
  X(cuMemAlloc, "cuMemAlloc_v2", (ag_cuda_address * address, size_t bytes))                        \
  X(cuMemHostAlloc, "cuMemHostAlloc", (void **address, size_t bytes, unsigned flags))              \
  X(cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2",                                     \
    (ag_cuda_address * address, void *host, unsigned flags))                                       \
  X(cuMemsetD32Async, "cuMemsetD32Async",                                                          \
    (ag_cuda_address to, unsigned value, size_t words, void *stream))                              \
  X(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2",                                                     \
    (ag_cuda_address to, const void *from, size_t bytes, void *stream))                            \
  X(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                                     \
    (void *to, ag_cuda_address from, size_t bytes, void *stream))                                  \
  X(cuPointerGetAttribute, "cuPointerGetAttribute",                                                \
    (void *value, int attribute, ag_cuda_address address))                                         \
  X(cuStreamSynchronize, "cuStreamSynchronize", (void *stream))                                    \
  X(cuStreamQuery, "cuStreamQuery", (void *stream))                                                \
  X(cuStreamCreate, "cuStreamCreate", (void **stream, unsigned flags))                             \
  X(cuStreamWriteValue32, "cuStreamWriteValue32_v2",                                               \
    (void *stream, ag_cuda_address to, uint32_t value, unsigned flags))                            \
  X(cuEventCreate, "cuEventCreate", (void **event, unsigned flags))                                \
  X(cuEventRecord, "cuEventRecord", (void *event, void *stream))                                   \
  X(cuEventQuery, "cuEventQuery", (void *event))                                                   \
  X(cuEventElapsedTime, "cuEventElapsedTime", (float *milliseconds, void *from, void *to))         \
  X(cuStreamIsCapturing, "cuStreamIsCapturing", (void *stream, int *status))                       \
  X(cuThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode", (int *mode))           \
  X(cuGetErrorName, "cuGetErrorName", (int error, const char **name))                              \
  X(cuGetErrorString, "cuGetErrorString", (int error, const char **text))

#define AG_CUDA_MEMBER(name, symbol, parameters) int(*name) parameters;
typedef struct ag_cuda_driver {
  AG_CUDA_FUNCTIONS(AG_CUDA_MEMBER)
} ag_cuda_driver;
#undef AG_CUDA_MEMBER

/* The values of these names in cuda.h; t/502 compares them. */
enum ag_cuda_numbers {
  AG_CU_INVALID_VALUE = 1,
  AG_CU_OUT_OF_MEMORY = 2,
  AG_CU_DEINITIALIZED = 4,
  AG_CU_DEVICE_UNAVAILABLE = 46,
  AG_CU_INVALID_CONTEXT = 201,
  AG_CU_ECC_UNCORRECTABLE = 214,
  AG_CU_NVLINK_UNCORRECTABLE = 220,
  AG_CU_CONTAINED = 226,
  AG_CU_NOT_READY = 600,
  AG_CU_ILLEGAL_ADDRESS = 700,
  AG_CU_LAUNCH_TIMEOUT = 702,
  AG_CU_CONTEXT_IS_DESTROYED = 709,
  AG_CU_ASSERT = 710,
  AG_CU_HARDWARE_STACK_ERROR = 714,
  AG_CU_LAUNCH_FAILED = 719,
  AG_CU_TENSOR_MEMORY_LEAK = 721,
  AG_CU_STREAM_CAPTURE_UNSUPPORTED = 900,
  AG_CU_STREAM_CAPTURE_WRONG_THREAD = 908,
  AG_CU_MAX_GRID_DIM_X = 5, /* Y and Z follow */
  AG_CU_MULTIPROCESSOR_COUNT = 16,
  AG_CU_COMPUTE_CAPABILITY_MAJOR = 75,
  AG_CU_LAUNCH_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
  AG_CU_POINTER_RANGE_START = 11, /* the size follows */
  AG_CU_POINTER_MAPPED = 13,
  AG_CU_STREAM_NON_BLOCKING = 1,
  AG_CU_WRITE_NO_BARRIER = 1,
  AG_CU_CAPTURE_RELAXED = 2,
  AG_CU_HOSTALLOC_PORTABLE = 1,
  AG_CU_HOSTALLOC_DEVICEMAP = 2
};

/* True if this process has loaded libcuda.so.1. Looks again at each call until it has. */
bool ag_cuda_loaded(void);

#define AG_CUDA_DEVICES 64
#define AG_CUDA_KERNELS 32
#define AG_CUDA_WORKSPACES 4
#define AG_CUDA_PINNED (256u << 10) /* bytes of a workspace's host memory */

/* What one blocking pass needs: device memory for a ticket and partial results (backend_cuda.c lays
 * it out), and host memory that the device writes. A device has at most AG_CUDA_WORKSPACES. They
 * are made when first needed and never freed: freeing would wait for the whole device. */
typedef struct ag_cuda_workspace {
  struct ag_cuda_workspace *next;
  ag_cuda_address scratch;
  void *host;
  ag_cuda_address host_on_device;
  bool zeroed; /* scratch was set to 0 once; kernels leave its ticket at 0 */
  bool busy;   /* something that uses the workspace was launched and not yet waited for */
} ag_cuda_workspace;

/* `lock` guards the fields that change: module, side_stream, the workspaces, kernels. A thread that
 * holds it takes no other lock but the library's own. The following may be read without it, since
 * they never change again: device, sms, major and context once `opened` is set, sticky_error once
 * `lost` is. */
typedef struct ag_cuda_device {
  pthread_mutex_t lock;
  pthread_cond_t space_given;
  atomic_bool opened, lost;
  int32_t index;
  int device, sms, major; /* major: of its compute capability */
  void *context, *module, *side_stream;
  int module_error;
  ag_cuda_workspace spaces[AG_CUDA_WORKSPACES];
  ag_cuda_workspace *free_spaces;
  int made_spaces, lost_spaces;
  struct {
    const char *_Atomic name; /* stored behind `function`; of all but the last entry, for good */
    void *function;
  } kernels[AG_CUDA_KERNELS];
  char sticky_error[256];
  char name[96]; /* "NVIDIA H200"; "": it is not told */
} ag_cuda_device;

/* A thread's access to a device between enter and leave: the device's primary context is current,
 * and, except after ag_cuda_enter_quick(), the thread's capture mode is relaxed. */
typedef struct ag_cuda_scope {
  const ag_cuda_driver *cu;
  ag_cuda_device *device;
  void *stream;
  int capture_mode; /* the thread's own, to be restored; AG_CU_CAPTURE_RELAXED: nothing to restore
                     */
  bool pushed;      /* the context was pushed, and leave pops it */
} ag_cuda_scope;

/* Fails if the device's context does not exist, if the device is lost, or if the stream is being
 * captured. After a failure there is nothing to leave. */
const char *ag_cuda_enter(ag_cuda_scope *scope, int32_t device_index, void *stream);
/* For a caller that only launches kernels and knows whether the stream is being captured: until
 * ag_cuda_leave() it must neither allocate nor wait. */
const char *ag_cuda_enter_quick(ag_cuda_scope *scope, int32_t device_index, void *stream);
/* For a caller that uses only the side stream, or none. */
const char *ag_cuda_enter_apart(ag_cuda_scope *scope, int32_t device_index);
void ag_cuda_leave(ag_cuda_scope *scope);

/* The scope's device's side stream, on which only the runtime's own work runs; NULL if it cannot be
 * made. */
void *ag_cuda_side_stream(ag_cuda_scope *scope);

/* Loads the kernels, once per device. image: the argument of cuModuleLoadData, or NULL. *usable:
 * false if image is NULL, or if this driver cannot run it on this device; neither counts as a
 * failure. */
const char *ag_cuda_load(ag_cuda_scope *scope, const void *image, bool *usable);

/* Has the driver load the kernel now: its first launch may be in a capture, where nothing may be
 * loaded. After ag_cuda_load(). kernel: its name, a literal; the address is the key of a cache. */
const char *ag_cuda_ready_kernel(ag_cuda_scope *scope, const char *kernel);

/* A workspace with `bytes` of scratch, the same number in every call. Waits for another thread's if
 * all are in use. */
const char *ag_cuda_take_workspace(ag_cuda_scope *scope, size_t bytes, ag_cuda_workspace **space);
/* Gives a workspace back. One that is still busy is never used again, since it is not known when
 * the device is done with it. */
void ag_cuda_give_workspace(ag_cuda_scope *scope, ag_cuda_workspace *space);

/* Sets new device memory to 0, and waits until it is. bytes: a multiple of 4. */
const char *ag_cuda_clear(ag_cuda_scope *scope, ag_cuda_address address, size_t bytes);

/* kernel: as for ag_cuda_ready_kernel(). argument: the kernel's one parameter, copied. space: the
 * workspace that it uses, or NULL. */
const char *ag_cuda_launch(ag_cuda_scope *scope, ag_cuda_workspace *space, const char *kernel,
                           unsigned blocks, unsigned threads, void *argument);

/* The same for a kernel that itself waits for the work before it on the stream
 * (griddepcontrol.wait): a device of compute capability 9 or later prepares it meanwhile
 * (programmatic stream serialization). Not while the stream is captured. */
const char *ag_cuda_launch_early(ag_cuda_scope *scope, const char *kernel, unsigned blocks,
                                 unsigned threads, void *argument);

/* Waits for the scope's stream. space: the workspace of the launch, or NULL. */
const char *ag_cuda_wait(ag_cuda_scope *scope, ag_cuda_workspace *space);

/* NULL if error is 0, else the message that `call` failed. Stores a sticky error as the device's
 * sticky_error. */
const char *ag_cuda_failed(ag_cuda_scope *scope, const char *call, int error);

/* The only device that was opened so far, 0 if none was; -1 if several were. */
int32_t ag_cuda_only_device(void);

/* The device's sticky error, from host memory, or NULL. Never changes once it is there. */
const char *ag_cuda_sticky_error(int32_t device_index);

/* The name of the device, once something was done on it; else NULL. */
const char *ag_cuda_device_name(int32_t device_index);

/* Queries the driver for an error on the stream, without waiting, unless the stream is being
 * captured. Returns the sticky error, or NULL. */
const char *ag_cuda_query(int32_t device_index, void *stream);

/* Attributes first .. first + n - 1 of a device. Needs no context. */
const char *ag_cuda_attributes(int32_t device_index, int first, int n, int *values);

/* True if the stream is being captured. NULL: the default stream of the thread's current
 * context. */
bool ag_cuda_capturing(void *stream);

/* Formats a message into the calling thread's buffer. */
const char *ag_cuda_message(const char *format, ...) __attribute__((format(printf, 1, 2))) AG_COLD;

#endif

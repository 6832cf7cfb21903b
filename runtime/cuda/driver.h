/* cuda_driver.h - the few functions of libcuda that the runtime calls, and one device's state.
 *
 * Knows the driver's ABI by its own prototypes and finds the functions with dlsym, so that neither
 * the CUDA toolkit nor the driver is needed to build, link or load a model for the CPU. Knows
 * nothing of tensors: that is cuda_tensor.c, and who looks at them backend_cuda.c and cuda_watch.c.
 *
 * Rules kept here for everyone above. The driver is never brought into a process that has not
 * loaded it, no context is made that did not exist, the calling thread's current context is the
 * same afterwards as before, and no call can invalidate another thread's stream capture (we
 * exchange the thread's capture mode for the relaxed one and back; who enters quickly must not
 * allocate, and so need not). Nothing waits but for the one stream that is given, for a slot in
 * other hands, and, where memory is made ready, for the side stream, which is ours.
 *
 * A dead context. After an error that CUDA calls sticky (an illegal address, a device assert) a
 * device's context gives that error for ever. The first such error is kept as the device's
 * sticky_error; from then on every call for this device returns it from host memory, without
 * calling the driver.
 *
 * Errors. Functions that can fail return NULL or a message, valid until the thread's next call of
 * one of them.
 */
#ifndef AOTIGEN_CUDA_DRIVER_H
#define AOTIGEN_CUDA_DRIVER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t ag_cuda_address; /* CUdeviceptr */

/* CUlaunchAttribute and CUlaunchConfig. */
typedef struct ag_cuda_launch_attribute {
  int id;
  union { /* of 64 bytes, 8-byte aligned */
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
  X(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2",                                                     \
    (void *to, ag_cuda_address from, size_t bytes, void *stream))                                  \
  X(cuPointerGetAttribute, "cuPointerGetAttribute",                                                \
    (void *value, int attribute, ag_cuda_address address))                                         \
  X(cuStreamSynchronize, "cuStreamSynchronize", (void *stream))                                    \
  X(cuStreamQuery, "cuStreamQuery", (void *stream))                                                \
  X(cuStreamCreate, "cuStreamCreate", (void **stream, unsigned flags))                             \
  X(cuStreamWriteValue32, "cuStreamWriteValue32_v2",                                               \
    (void *stream, ag_cuda_address to, uint32_t value, unsigned flags))                            \
  X(cuStreamIsCapturing, "cuStreamIsCapturing", (void *stream, int *status))                       \
  X(cuThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode", (int *mode))           \
  X(cuGetErrorName, "cuGetErrorName", (int error, const char **name))                              \
  X(cuGetErrorString, "cuGetErrorString", (int error, const char **text))

#define AG_CUDA_MEMBER(name, symbol, parameters) int(*name) parameters;
typedef struct ag_cuda_driver {
  AG_CUDA_FUNCTIONS(AG_CUDA_MEMBER)
} ag_cuda_driver;
#undef AG_CUDA_MEMBER

/* As cuda.h numbers them; t/502 compares. */
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

/* Whether this process has loaded libcuda.so.1: asked again each time until it has. */
bool ag_cuda_loaded(void);

/* The driver's functions, or NULL and in *why the reason: not loaded, or too old to have them all.
 */
const ag_cuda_driver *ag_cuda_driver_get(const char **why);

#define AG_CUDA_DEVICES 64
#define AG_CUDA_KERNELS 32
#define AG_CUDA_SLOTS 4
#define AG_CUDA_PINNED (256u << 10) /* bytes of a slot's host memory */

/* What one pass needs: a little device memory for partial results, and host memory that the device
 * writes into. At most AG_CUDA_SLOTS a device, made when first needed, never freed: freeing would
 * wait for the whole device. */
typedef struct ag_cuda_slot {
  struct ag_cuda_slot *next;
  ag_cuda_address scratch;
  void *host;
  ag_cuda_address host_on_device;
  bool zeroed; /* scratch was set to 0 once; kernels leave its ticket at 0 */
  bool busy;   /* something that uses the slot was launched and not yet waited for */
} ag_cuda_slot;

/* lock guards what changes: module, side_stream, slots and kernels. Under it no other is taken but
 * that of the library itself. Without it may be read, once `opened` is set: device, sms, major,
 * context; once `dead` is set: sticky_error. They never change again. */
typedef struct ag_cuda_device {
  pthread_mutex_t lock;
  pthread_cond_t slot_given;
  atomic_bool opened, dead;
  int32_t index;
  int device, sms, major; /* major: of its compute capability */
  void *context, *module, *side_stream;
  int module_error;
  ag_cuda_slot slots[AG_CUDA_SLOTS];
  ag_cuda_slot *free_slots;
  int made_slots, lost_slots;
  struct {
    const char *name;
    void *function;
  } kernels[AG_CUDA_KERNELS];
  char sticky_error[256];
} ag_cuda_device;

/* Between enter and leave: the device's primary context is current and, but for a quick one, the
 * capture mode relaxed. */
typedef struct ag_cuda_scope {
  const ag_cuda_driver *cu;
  ag_cuda_device *device;
  void *stream;
  int capture_mode;
  bool pushed;
} ag_cuda_scope;

/* Fails where the device's context does not exist or is dead, and where the stream is being
 * captured. After a failure there is nothing to leave. */
const char *ag_cuda_enter(ag_cuda_scope *scope, int32_t device_index, void *stream);
/* For who only launches, and has asked whether the stream is being captured: no memory may be had
 * in it, nothing waited for. */
const char *ag_cuda_enter_quick(ag_cuda_scope *scope, int32_t device_index, void *stream);
/* For what has to do with no stream of anybody's. */
const char *ag_cuda_enter_apart(ag_cuda_scope *scope, int32_t device_index);
void ag_cuda_leave(ag_cuda_scope *scope);

/* The side stream of the scope's device, on which nothing of anybody else's runs; NULL where it
 * cannot be had. */
void *ag_cuda_side_stream(ag_cuda_scope *scope);

/* Loads the kernels, once a device. image: what cuModuleLoadData takes, or NULL for none. *usable:
 * false where there are none, or none that this driver can run on this device: that is no failure.
 */
const char *ag_cuda_load(ag_cuda_scope *scope, const void *image, bool *usable);

/* A kernel by name, after they were loaded. name: a literal, kept by address. */
const char *ag_cuda_kernel(ag_cuda_scope *scope, const char *name, void **function);

/* A slot with `bytes` of scratch, the same number in every call; waits for another thread's where
 * all are taken. */
const char *ag_cuda_take_slot(ag_cuda_scope *scope, size_t bytes, ag_cuda_slot **slot);
/* A slot that is still busy is never used again: nobody knows when the device is done with it. */
void ag_cuda_give_slot(ag_cuda_scope *scope, ag_cuda_slot *slot);

/* Sets new device memory to 0, and waits until it is. bytes: a multiple of 4. */
const char *ag_cuda_clear(ag_cuda_scope *scope, ag_cuda_address address, size_t bytes);

/* One argument, a struct, by value. slot: what it uses, or NULL. */
const char *ag_cuda_launch(ag_cuda_scope *scope, ag_cuda_slot *slot, void *function,
                           unsigned blocks, unsigned threads, void *argument);

/* The same of a kernel that waits itself for what is before it on the stream (griddepcontrol.wait):
 * where the device can, it is made ready meanwhile. Not into a graph. */
const char *ag_cuda_launch_early(ag_cuda_scope *scope, void *function, unsigned blocks,
                                 unsigned threads, void *argument);

/* Waits for the scope's stream. slot: what was launched with it, or NULL. */
const char *ag_cuda_wait(ag_cuda_scope *scope, ag_cuda_slot *slot);

/* NULL where error is 0, else the message for a call that failed; a sticky error becomes the
 * device's sticky_error. */
const char *ag_cuda_failed(ag_cuda_scope *scope, const char *call, int error);

/* The one device that was opened so far, or the first where none was; -1 where there are more. */
int32_t ag_cuda_only_device(void);

/* A device's sticky_error, from host memory, or NULL. Never changes once it is there. */
const char *ag_cuda_sticky_error(int32_t device_index);

/* Takes the device's error if it has one, without waiting: the sticky_error, or NULL. Nothing is
 * asked where the stream is being captured. */
const char *ag_cuda_ask(int32_t device_index, void *stream);

/* Attributes first .. first + n - 1 of a device. Needs no context. */
const char *ag_cuda_attributes(int32_t device_index, int first, int n, int *values);

/* Whether the stream is being captured. NULL is the default stream of the thread's current context.
 */
bool ag_cuda_capturing(void *stream);

/* Formats the thread's message. */
const char *ag_cuda_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

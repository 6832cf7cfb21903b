/* backend.h - what a device must be able to do: one vtable a device type.
 *
 * A backend reads tensors and waits for streams; it never writes to a tensor, never allocates device memory per tensor, and
 * never throws. It knows nothing of sites, faults or messages. The CPU's is the reference: on the same elements every other
 * backend gives the same counts, the same first index and the same bits of min and max.
 */
#ifndef AOTIGEN_BACKEND_H
#define AOTIGEN_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AG_MAX_DIMS 64

enum ag_class { AG_OTHER, AG_BOOL, AG_SIGNED, AG_UNSIGNED, AG_FLOATING, AG_COMPLEX };

/* One element type. `number` is c10's ScalarType as the torch that is loaded numbers it. */
typedef struct ag_dtype {
  const char *name;  /* torch's: "float8_e4m3fn" */
  int32_t number;
  uint8_t item_size; /* bytes; of a complex type, of both parts */
  uint8_t cls;       /* enum ag_class */
  uint8_t exponent;  /* bits, of a floating type or of one part of a complex one */
  uint8_t mantissa;  /* bits */
  uint8_t special;   /* enum ag_special */
} ag_dtype;

/* How a floating type spells NaN and Inf. */
enum ag_special {
  AG_IEEE,      /* all ones in the exponent: Inf with an empty mantissa, else NaN */
  AG_FN,        /* float8_e4m3fn: NaN is all ones in exponent and mantissa, no Inf */
  AG_FNUZ,      /* float8_e4m3fnuz, float8_e5m2fnuz: NaN is 0x80 alone, no Inf, no negative zero */
  AG_E8M0       /* float8_e8m0fnu: NaN is 0xff, no sign, no zero, no Inf */
};

/* A strided tensor in some device's memory. Sizes and strides in elements. */
typedef struct ag_tensor {
  const void *data; /* first logical element */
  const ag_dtype *dtype;
  int64_t numel;
  int32_t ndim;
  int32_t device_type;  /* c10::DeviceType */
  int32_t device_index;
  int64_t sizes[AG_MAX_DIMS];
  int64_t strides[AG_MAX_DIMS];
} ag_tensor;

/* What one pass over the logical elements of a tensor finds. A complex element is NaN (Inf) where one of its parts is, and
 * has no min, max or sum. Indices are flat and logical, in row-major order of the sizes. */
typedef struct ag_health {
  int64_t nan, pos_inf, neg_inf, zero;
  int64_t subnormal; /* finite, not zero, exponent field 0. Not of complex, integers, bools; E8M0 has none */
  int64_t first_nan, first_pos_inf, first_neg_inf; /* -1 where there is none */
  double min, max, sum;          /* of the finite elements; 0 where there is none. Not for complex. A zero is +0 */
  double sum_squares;            /* likewise */
  int64_t int_min, int_max;      /* of integers and bools; uint64 as its bits */
  int64_t finite;                /* how many of the elements are finite */
} ag_health;

enum ag_want {
  AG_WANT_BAD = 1,     /* nan, pos_inf, neg_inf and the first of each: nothing else need be right */
  AG_WANT_SUMMARY = 2  /* everything */
};

/* Each function returns NULL, or in words what went wrong, valid until the thread's next call. `stream` is the device's own
 * handle of the stream that the launch ran on (NULL: the default stream). */
typedef struct ag_backend {
  const char *name;
  int32_t device_type;
  /* Waits for what `stream` was given so far, then looks at every logical element. */
  const char *(*health)(const ag_tensor *t, unsigned want, void *stream, ag_health *out);
  /* Copies `count` logical elements, from flat index `first` on, contiguously to host memory. Waits as health() does. */
  const char *(*read)(const ag_tensor *t, int64_t first, int64_t count, void *stream, void *to);
  /* Waits and takes the device's error, if there is one. */
  const char *(*sync)(int32_t device_index, void *stream);
  /* 1 where the stream is being captured into a graph: then nothing above may be called. */
  bool (*capturing)(void *stream);
  /* The largest grid: x, y, z. */
  const char *(*grid_limits)(int32_t device_index, int64_t limits[3]);
  /* The stream that torch launches on now, on this thread. */
  void *(*current_stream)(int32_t device_index);
  /* NULL, or why there is no file at `path` that this device can load a kernel from. */
  const char *(*check_kernel_file)(const char *path);
} ag_backend;

extern const ag_backend ag_backend_cpu;
/* NULL where no CUDA driver is loaded in this process; resolved by dlsym, so that a CPU model needs none. */
const ag_backend *ag_backend_cuda(void);

#endif

/* kernels.h - what the GPU may be asked: the kernels of health.cu, their arguments and their results.
 *
 * The choice. The kernels are plain `extern "C" __global__` functions. health.cu is compiled to a fatbin (SASS for sm_80,
 * sm_90 and sm_100, PTX of compute_80 for every other device), the fatbin is embedded into the library as bytes
 * (aotigen_health_fatbin), and runtime/backend_cuda.c loads it with cuModuleLoadData and launches by name. So neither a
 * compiler nor the CUDA runtime is linked into a model, and a model for the CPU carries bytes that nothing touches.
 *
 *   nvcc -std=c++17 -O3 -fatbin -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90
 *        -gencode arch=compute_100,code=sm_100 -gencode arch=compute_80,code=compute_80 -o health.fatbin health.cu
 *
 * Never --use_fast_math: subnormals are values. A driver that refuses the fatbin leaves the tensors to be looked at through a
 * copy on the host.
 *
 * Launch. One dimension of AGK_THREADS threads, at most `out.partials` blocks, no dynamic shared memory, one argument: the
 * struct named beside each kernel, by value. Every kernel reads the tensor's logical elements and nothing else of it,
 * writes only what `out` names, allocates nothing, traps nothing and never waits for the host.
 *
 * Addresses are device addresses. Sizes and strides count elements. Indices are flat and logical, in row-major order of
 * the sizes; 64 bits everywhere.
 */
#ifndef AOTIGEN_KERNELS_H
#define AOTIGEN_KERNELS_H

#include <stdint.h>

#include "decode.h"

#define AGK_THREADS 256
#define AGK_BLOCKS_PER_SM 4 /* what a grid should have at most, for all of it to be resident */
#define AGK_VECTORS 4       /* 16-byte loads a thread has under way */
#define AGK_MAX_DIMS 64

#define AGK_NONE UINT64_MAX /* a first index: there is none */

/* What a pass found. Counts are of elements; a complex element with one NaN part and one infinite part counts as both. */
typedef struct agk_result {
  uint64_t nan, pos_inf, neg_inf;
  uint64_t bad;  /* elements that are not finite */
  uint64_t zero; /* elements all of whose parts are zero */
  uint64_t first_nan, first_pos_inf, first_neg_inf;
  uint64_t min_key, max_key; /* agk_key() of the finite elements; min above max where there is none */
  double sum;                /* of the finite elements. The order of addition follows the grid alone */
} agk_result;

/* Where a pass leaves its result. The last block to finish gathers what the others left, in the order of the blocks: two
 * passes over the same elements with the same grid give the same bits. */
typedef struct agk_out {
  agk_result *partials; /* one for each block; unused if there is one block */
  uint32_t *ticket;     /* 0 before the launch, and again after it */
  agk_result *result;   /* may be mapped host memory: written once, with plain stores */
} agk_out;

/* Elements that lie one behind the other. `data` is a multiple of the element's size. */
typedef struct agk_dense {
  const void *data;
  int64_t numel;
  agk_format format;
  agk_words words; /* agk_words_of(format) */
  agk_out out;
} agk_dense;

/* Outermost dimension first. ndim may be 0: one element. */
typedef struct agk_layout {
  int64_t sizes[AGK_MAX_DIMS];
  int64_t strides[AGK_MAX_DIMS];
  int32_t ndim;
  int32_t bytewise; /* 1: elements are not aligned to their parts and must be read byte by byte */
} agk_layout;

typedef struct agk_strided {
  const void *data;
  int64_t numel;
  agk_format format;
  int32_t summary; /* 0: zero, min, max and sum are not wanted */
  agk_layout layout;
  agk_out out;
} agk_strided;

typedef struct agk_gather {
  const void *data;
  int64_t first, count; /* flat indices first .. first + count - 1 */
  void *to;             /* count elements, contiguous; a multiple of 16 */
  int32_t item_size;    /* bytes, any */
  agk_layout layout;
} agk_gather;

/* Only nan, pos_inf, neg_inf, bad and the firsts, for every floating and complex format. Takes agk_dense. */
#define AGK_BAD_DENSE "aotigen_bad_dense"
/* Everything, any format, any strides. Takes agk_strided. Slower than the others: an index is taken apart per element. */
#define AGK_STRIDED "aotigen_health_strided"
/* Copies elements out of a strided tensor. Takes agk_gather. */
#define AGK_GATHER "aotigen_gather"
/* Everything, one kernel a format: aotigen_summary_ and the name below. Takes agk_dense. A format that is not in the list
 * goes to AGK_STRIDED. Columns: name, class, bytes, exponent, mantissa, special. */
#define AGK_SUMMARY_FORMATS(X)                        \
  X(float8_e5m2, AGK_FLOATING, 1, 5, 2, AGK_IEEE)     \
  X(float8_e4m3fn, AGK_FLOATING, 1, 4, 3, AGK_FN)     \
  X(float8_e5m2fnuz, AGK_FLOATING, 1, 5, 2, AGK_FNUZ) \
  X(float8_e4m3fnuz, AGK_FLOATING, 1, 4, 3, AGK_FNUZ) \
  X(float8_e8m0fnu, AGK_FLOATING, 1, 8, 0, AGK_E8M0)  \
  X(float16, AGK_FLOATING, 2, 5, 10, AGK_IEEE)        \
  X(bfloat16, AGK_FLOATING, 2, 8, 7, AGK_IEEE)        \
  X(float32, AGK_FLOATING, 4, 8, 23, AGK_IEEE)        \
  X(float64, AGK_FLOATING, 8, 11, 52, AGK_IEEE)       \
  X(bool, AGK_BOOL, 1, 0, 0, AGK_IEEE)                \
  X(uint8, AGK_UNSIGNED, 1, 0, 0, AGK_IEEE)           \
  X(int8, AGK_SIGNED, 1, 0, 0, AGK_IEEE)              \
  X(uint16, AGK_UNSIGNED, 2, 0, 0, AGK_IEEE)          \
  X(int16, AGK_SIGNED, 2, 0, 0, AGK_IEEE)             \
  X(uint32, AGK_UNSIGNED, 4, 0, 0, AGK_IEEE)          \
  X(int32, AGK_SIGNED, 4, 0, 0, AGK_IEEE)             \
  X(uint64, AGK_UNSIGNED, 8, 0, 0, AGK_IEEE)          \
  X(int64, AGK_SIGNED, 8, 0, 0, AGK_IEEE)
#define AGK_SUMMARY_PREFIX "aotigen_summary_"

#endif

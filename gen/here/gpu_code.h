/* gpu_code.h - the GPUs that the bytes of a kernel are for: an ELF file of CUDA's (a cubin), a
 * fatbin of several, or PTX.
 *
 * The bytes are untrusted: nothing outside of them is read.
 */
#ifndef GEN_GPU_CODE_H
#define GEN_GPU_CODE_H

#include "base/arena.h"

enum gpu_code_kind {
  GPU_CODE_SASS, /* runs on GPUs of its major version, from its minor version on */
  GPU_CODE_PTX   /* the driver compiles it for GPUs of its version or a later one */
};

typedef struct gpu_code {
  enum gpu_code_kind kind;
  unsigned sm;  /* 90 */
  char variant; /* 'a': for this version alone; 'f': for its family; 0 */
} gpu_code;

typedef arena_list(gpu_code) gpu_codes; /* each once */

enum gpu_code_read {
  GPU_CODE_READ,
  GPU_CODE_OTHER,   /* not code of an NVIDIA GPU */
  GPU_CODE_DAMAGED, /* truncated, or its header makes no sense */
};

/* The target that this kernel is compiled for. */
enum gpu_code_read gpu_code_read(gpu_codes *codes, const char *at, size_t n, arena *a);

/* Adds a code, unless it is there already. */
void gpu_code_add(gpu_codes *codes, gpu_code code, arena *a);

/* True if code of that kind runs on a GPU of compute capability major.minor. */
bool gpu_code_runs(const gpu_code *code, unsigned major, unsigned minor);

/* "sm_90a", "PTX of 8.0" */
const char *gpu_code_name(const gpu_code *code, arena *a);

#endif

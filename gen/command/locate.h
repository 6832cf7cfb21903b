/* locate.h - where torch, Python's headers, CUDA and clang's own headers are on this machine.
 *
 * Looks at directories; runs nothing but `python3 -c` (by fork and exec, with a time limit, torch
 * is not imported), and that only where nothing else told.
 */
#ifndef GEN_LOCATE_H
#define GEN_LOCATE_H

#include "base/options.h"

typedef struct place {
  const char *torch;   /* ".../site-packages/torch" */
  const char *version; /* "2.11.0+cu130", or NULL where neither version.py nor a header says */
  const char *python;  /* the directory with Python.h that goes with it, or NULL */
} place;

/* By --torch, else the recorded directories (what stood in -I), else python3. False with an error
 * in `d` that says what was tried and what to do. */
bool locate_torch(place *p, const strings *recorded, const options *o, arena *a, diags *d);

/* The directory of Python.h for the torch found: beside it, or asked of python3. NULL where there
 * is none. */
const char *locate_python(const place *p, const options *o, arena *a);

/* The include directory with cuda.h: $CUDA_HOME, /usr/local/cuda, or the nvidia packages beside
 * torch. NULL: none. */
const char *locate_cuda(const place *p, const options *o, arena *a);

/* The include directory with crt/host_defines.h, which cuda_runtime_api.h wants and NVIDIA ships in
 * another package. NULL: none. */
const char *locate_cuda_crt(const place *p, arena *a);

/* The directories in which the linker finds libcudart and libcuda (its stub), likewise. */
void locate_cuda_libraries(strings *dirs, const place *p, const options *o, arena *a);

/* The headers that a clang brings with it (stddef.h), or NULL. */
const char *locate_clang_headers(arena *a);

/* The torch directory that an include or library directory belongs to ("X/torch/include/..." ->
 * "X/torch"), or NULL. */
const char *locate_torch_of(const char *dir, arena *a);

#endif

/* locate.h - where torch, the headers of Python, CUDA and clang, and CUDA's libraries are.
 *
 * Looks at directories. Where these do not tell, runs `python3 -c` by fork and exec, with a time
 * limit and without importing torch.
 */
#ifndef GEN_LOCATE_H
#define GEN_LOCATE_H

#include "base/options.h"

typedef struct place {
  const char *torch;   /* ".../site-packages/torch" */
  const char *version; /* "2.11.0+cu130", as version.py or a header says, or NULL */
  const char *python;  /* the directory of Python.h, as python3 says, or NULL */
  bool chosen;         /* by the user: --torch, or python3 */
} place;

/* The wrapper's statements about its torch. */
typedef struct locate_request {
  const char *known;       /* the torch to use, or NULL */
  const strings *recorded; /* include directories of its command */
  bool untrusted;          /* these count only where they belong to the system or the user */
} locate_request;

/* Finds torch: the known one, else the one of --torch, else of the recorded include directories,
 * else of python3. False where there is none: `d` says what was tried and what to do. */
bool locate_torch(place *p, const locate_request *request, const options *o, arena *a, diags *d);

/* The directory of Python.h that belongs to this torch: beside it, else of python3; NULL where
 * there is none. */
const char *locate_python(const place *p, const options *o, arena *a);

/* The directory of cuda.h: in $CUDA_HOME, /usr/local/cuda, the nvidia packages beside torch, or
 * /usr/include; NULL where there is none. */
const char *locate_cuda(const place *p, const options *o, arena *a);

/* The directory of crt/host_defines.h, which cuda_runtime_api.h includes and NVIDIA ships in
 * another package; NULL where there is none. */
const char *locate_cuda_crt(const place *p, arena *a);

/* Appends the directories in which the linker finds libcudart and the stub of libcuda. */
void locate_cuda_libraries(strings *dirs, const place *p, const options *o, arena *a);

/* The directory of clang's own headers (stddef.h), or NULL. */
const char *locate_clang_headers(arena *a);

/* The torch directory that an include or library directory belongs to: "X/torch" of
 * "X/torch/include/c"; NULL where it belongs to none. */
const char *locate_torch_of(const char *dir, arena *a);

#endif

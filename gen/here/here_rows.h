/* here_rows.h - the parts of the rows of `aotigen list --here`, each group in a file of its own.
 *
 * The package is untrusted: texts and ELF files are read, nothing is loaded or executed.
 */
#ifndef GEN_HERE_ROWS_H
#define GEN_HERE_ROWS_H

#include "base/options.h"
#include "here/find_library.h"
#include "here/gpu.h"
#include "here/gpu_code.h"
#include "here/here_table.h"
#include "model/custom_ops.h"

/* A kernel for the GPU: a member of the package, or linked into the '.so'. */
typedef struct gpu_kernel {
  const char *name;
  enum gpu_code_read read;
  gpu_codes codes;
} gpu_kernel;

typedef arena_list(gpu_kernel) gpu_kernels;

/* Members that torch's loader reads, besides the '.so'. */
typedef struct here_files {
  bool metadata;     /* what was noted of a '.cpp' */
  bool odd_metadata; /* that of the wrapper is no JSON */
  bool ops;          /* wrapper.json */
  bool object;       /* in a package of sources: the weights */
  bool flags;        /* in a package of sources: the compiler's flags */
  bool no_folder;    /* nothing stands around "data/" */
  bool directory;    /* a directory of the model is a member of its own */
} here_files;

typedef struct here_model {
  const options *o;
  arena *a;
  here_table *t;
  const char *source; /* the wrapper's text */
  size_t n;
  long device;          /* here_find_device() */
  const char *metadata; /* what torch wrote of the machine that compiled, as JSON, or NULL */
  strings words;        /* the recorded compile command; "-D X" is "-DX" */
  const char *so;       /* the model's '.so', unpacked, or NULL: a package of sources */
  const char *emitted;  /* "2.9 to 2.11": the versions of torch that can have emitted it, or NULL */
  bool mismatch;        /* the torch here is none of these */
  const char *torch, *torch_version; /* those of this machine, or NULL */
  const library_places *places;
  const gpus *gpus;
  gpu_kernels kernels;
  const custom_ops *custom; /* from wrapper.json */
  here_files files;
  const char *blob;   /* the name of a member with weights, or NULL */
  uint64_t blob_size; /* its bytes */
} here_model;

/* Processor and instructions. */
void here_add_processor(here_model *m);

/* The package's files: those that are damaged or missing, so that it cannot be loaded anywhere. */
void here_add_files(here_model *m);

/* torch and its ABI. */
void here_add_torch(here_model *m);

/* The libraries that the '.so' needs, their versions, and the functions that it looks up in
 * them. */
void here_add_libraries(here_model *m);

/* Device, GPU, driver, the architectures of the kernels. */
void here_add_gpu(here_model *m);

/* The libraries that the program has to load for the model's custom ops. */
void here_add_ops(here_model *m);

/* Adds the rows of the weights: where they are, and whether there is memory for them. */
void here_add_weights(here_model *m);

/* The device that the wrapper's text names by its number; -1 if it uses the one that it is loaded
 * for. */
long here_find_device(const here_model *m);

/* The GPU that the model runs on: the one that its text names, or the first. NULL if there is none
 * with that number. */
const gpu *here_gpu(const here_model *m);

/* A text of the metadata: "cpu" for AOTI_DEVICE_KEY; NULL if it has none. */
const char *here_metadata(const here_model *m, const char *key);

/* True if the recorded command has this word. */
bool here_has_word(const here_model *m, const char *word);

/* True if the model is one for an NVIDIA GPU. */
bool here_is_cuda(const here_model *m);

/* ---- the GPU's kernels that are linked into a '.so', between NAME_start and
 * NAME_end. */

/* Adds each kernel. Bytes that cannot be read, or are no code of a GPU, are skipped: the '.so' has
 * other symbols with such names. */
void embedded_codes_read(gpu_kernels *kernels, const char *so, arena *a);

#endif

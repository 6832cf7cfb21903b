/* capsule.h - what a capsule says of the run that it keeps, by its member NAME/capsule.json: which
 * model ran, on which device, what was found in its outputs, and which tensors are kept. The
 * tensors themselves are read by the host that runs the model (host.h).
 *
 * A capsule is a stranger's file: each text is of one line, each number in its range, and lists
 * have no more than CAPSULE_TENSORS elements.
 */
#ifndef GEN_CAPSULE_H
#define GEN_CAPSULE_H

#include "base/options.h"

enum { CAPSULE_FORMAT = 1, CAPSULE_TENSORS = 4096, CAPSULE_DIMENSIONS = 64 };

enum capsule_kept {
  CAPSULE_COPIED, /* its bytes before the run */
  CAPSULE_HELD,   /* its bytes when the capsule was written */
  CAPSULE_NOT_KEPT
};

/* Whether those of a held input are the values that its run began with. */
enum capsule_values {
  CAPSULE_VALUES_UNKNOWN,
  CAPSULE_UNCHANGED,
  CAPSULE_UNCHANGED_SAMPLE, /* of an eighth of it */
  CAPSULE_CHANGED
};

typedef struct capsule_tensor {
  const char *dtype, *device; /* "float32", "cuda:0" */
  const long long *sizes, *strides;
  size_t ndim;
  enum capsule_kept kept;
  enum capsule_values values;
  const char *why; /* it was not kept, or NULL */
} capsule_tensor;

typedef arena_list(capsule_tensor) capsule_tensors;

enum capsule_finding_kind {
  CAPSULE_BAD,   /* NaN or Inf */
  CAPSULE_LIMIT, /* a value beyond a limit of the user's */
  CAPSULE_DEAD   /* one value in all elements */
};

/* A weight that was updated since the load, or a buffer that the model writes to. */
typedef struct capsule_constant {
  const char *name; /* the original one */
  bool is_buffer;
  capsule_tensor tensor;
} capsule_constant;

typedef struct capsule_finding {
  enum capsule_finding_kind kind;
  long long output, nan, pos_inf, neg_inf;
  const char *first;              /* "[1, 2]": the index of the first such element, or NULL */
  const char *limit, *comparison; /* LIMIT: "|out| < 1e4", "<" */
  bool absolute;                  /* LIMIT: of absolute values */
  double bound;                   /* LIMIT: finite */
} capsule_finding;

typedef struct capsule {
  const char *path;
  const char *model;               /* as torch's loader names it */
  const char *package;             /* the path that the model was made of */
  const char *so_hash;             /* so_hash.h */
  long long run, pid, rank;        /* rank: -1 for none */
  const char *host, *gpu, *device; /* gpu: NULL for none */
  const char *torch;               /* "2.11.0"; NULL: not known */
  double time;                     /* in seconds since 1970; 0: not known */
  bool single_threaded;            /* it ran by RunSingleThreaded */
  bool updated;                    /* the weights had been, since the first run */
  bool updated_first;              /* they had been before it, maybe by the loader */
  const char *fault;               /* what ended the run, "exception"; NULL: it came to its end */
  const char *error;               /* what was said of the fault, or NULL */
  const char *omp_threads;         /* OMP_NUM_THREADS, a number; or NULL */
  capsule_tensors inputs, outputs;
  bool constants_known;      /* what is not in the list is as the package has it, */
  long long constants_more;  /* but for so many */
  const char *constants_why; /* why it is not known, or NULL */
  arena_list(capsule_constant) constants;
  arena_list(capsule_finding) findings;
} capsule;

/* Reads it. False with an error in `d`, also for a file that is none. */
bool capsule_read(capsule *c, const char *path, const options *o, arena *a, diags *d);

/* Reads the text of its description, which messages call `name`. */
bool capsule_read_text(capsule *c, const char *name, const char *text, size_t n, arena *a,
                       diags *d);

/* "output 0 had 3 NaN and 1 Inf, the first at [1, 2]". */
const char *capsule_describe_findings(const capsule *c, arena *a);

#endif

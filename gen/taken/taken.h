/* taken.h - the launch that a debug package has taken for `aotigen replay --launch`: its arguments
 * and the memory that they lie in, before it and after it (runtime/output/taken_launch.c).
 *
 * The process that wrote it ran a stranger's package: each number is in its range, each element
 * within its memory, and each file of the size that is told.
 */
#ifndef GEN_TAKEN_H
#define GEN_TAKEN_H

#include "base/options.h"
#include <stdint.h>

enum { TAKEN_MEMORIES = 256, TAKEN_ARGUMENTS = 1024, TAKEN_DIMENSIONS = 64 };

enum taken_kind { TAKEN_TENSOR, TAKEN_INT, TAKEN_UINT, TAKEN_FLOAT, TAKEN_BOOL };

typedef struct taken_memory {
  long long bytes;
  long long place; /* of its first byte, behind a multiple of 64 */
  bool written;    /* the launch may write to it */
} taken_memory;

typedef struct taken_argument {
  const char *name; /* in the wrapper: "buf0" */
  enum taken_kind kind;
  uint64_t bits; /* of a scalar, as int64_t, uint64_t or double */
  /* of a tensor: */
  const char *dtype;
  long long element; /* bytes of one */
  long long memory;  /* its index; -1: it has no elements */
  long long offset;  /* of the first element, in bytes */
  const long long *sizes, *strides;
  size_t ndim;
  bool written;
} taken_argument;

typedef struct taken {
  const char *dir;     /* its memories are memoryN.before and memoryN.after there */
  const char *kernel;  /* "cpp_fused_log_0" */
  bool is_cpp;         /* a kernel that Inductor generated for the CPU; else no more is told */
  const char *lack;    /* why it could not be taken, or NULL */
  const char *lacking; /* the argument that this is of */
  long long threads;   /* OpenMP's; 0: not known */
  bool returned;       /* the memories after it are there */
  arena_list(taken_memory) memories;
  arena_list(taken_argument) arguments;
} taken;

/* False where none was taken, with *why: NULL if the run had no such launch. */
bool taken_read(taken *t, const char *dir, const char **why, arena *a);

/* The same of the description's text; looks at no file. */
bool taken_read_text(taken *t, const char *text, const char **why, arena *a);

/* The name of a memory's file in `dir`: when: "before", "after". */
const char *taken_file(const char *dir, size_t memory, const char *when, arena *a);

#endif

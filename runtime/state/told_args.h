/* told_args.h - the arguments of the launch that a run is at, for who may read no record: a signal
 * handler, and the watchdog's thread. Inside the library only.
 *
 * The run's thread copies them when they are bound, into memory that is never freed. What it is
 * told of them may be torn where the launch goes on meanwhile: the reader asks afterwards.
 */
#ifndef AOTIGEN_TOLD_ARGS_H
#define AOTIGEN_TOLD_ARGS_H

#include <stdatomic.h>

#include "base/raw_text.h"
#include "state/launch_record.h"

enum { AG_TOLD_ARGS = 48, AG_TOLD_DIMS = 8 };

typedef struct ag_told_arg {
  const aotigen_param *param;
  const ag_dtype *dtype; /* NULL of what is no tensor, or none that could be read */
  uintptr_t data, begin, end;
  int64_t numel;
  int32_t ndim;
  bool contiguous;
  bool is_integer; /* a scalar: its value is `numel` */
  int64_t sizes[AG_TOLD_DIMS], strides[AG_TOLD_DIMS];
} ag_told_arg;

typedef struct ag_told_args {
  atomic_uint n;
  unsigned more; /* that found no room */
  ag_told_arg list[AG_TOLD_ARGS];
} ag_told_args;

/* On the run's thread. The first forgets those of the launch before. */
void ag_told_args_forget(ag_told_args *a);
void ag_told_args_copy(ag_told_args *a, const ag_record *r);

/* "buf3 (a.weight): float32 [64, 8]"; of an integer "ks0 = 64". */
void ag_told_arg_describe(const ag_told_arg *a, ag_raw_text *t);

/* Where the address lies, from the nearest tensor in main memory: ", 32 bytes behind the end of
 * buf3: float32 [64, 8], element 520 of 512". False where none is near. writes: the access was
 * surely a store. */
bool ag_told_args_explain(const ag_told_args *a, uintptr_t address, bool writes, ag_raw_text *t);
/* The tensor without elements that has the null pointer: ", which buf2 has: float32 [0, 4]". */
bool ag_told_args_explain_null(const ag_told_args *a, ag_raw_text *t);

#endif

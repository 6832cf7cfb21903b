/* args_snapshot.h - the arguments of a run's current launch, for signal handlers and the watchdog's
 * thread, which may not read the launch's record. Inside the library only.
 *
 * The run's thread copies them when they are bound, into memory that is never freed. If it goes on
 * to the next launch meanwhile, a reader may see parts of both: the watchdog tests afterwards if
 * the run was still there. */
#ifndef AOTIGEN_ARGS_SNAPSHOT_H
#define AOTIGEN_ARGS_SNAPSHOT_H

#include <stdatomic.h>

#include "base/raw_text.h"
#include "state/launch_record.h"

enum { AG_SNAPSHOT_ARGS = 48, AG_SNAPSHOT_DIMS = 8 };

typedef struct ag_arg_snapshot {
  const aotigen_param *param;
  const ag_dtype *dtype; /* NULL: not a tensor, or one that could not be read */
  uintptr_t data, begin, end;
  int64_t numel;
  int32_t ndim;
  bool contiguous;
  bool is_integer; /* a scalar: its value is `numel` */
  bool only_read;  /* the wrapper or the op's schema says that the launch does not write to it */
  int64_t sizes[AG_SNAPSHOT_DIMS], strides[AG_SNAPSHOT_DIMS];
} ag_arg_snapshot;

typedef struct ag_args_snapshot {
  atomic_uint n;
  unsigned more; /* arguments that the list has no room for */
  ag_arg_snapshot list[AG_SNAPSHOT_ARGS];
} ag_args_snapshot;

/* On the run's thread: at the start of a launch, and when its arguments are bound. */
void ag_args_snapshot_clear(ag_args_snapshot *a);
void ag_args_snapshot_take(ag_args_snapshot *a, const ag_record *record);

/* "buf3 (a.weight): float32 [64, 8]"; for an integer "ks0 = 64". */
void ag_arg_snapshot_describe(const ag_arg_snapshot *a, ag_raw_text *t);

/* Describes the address relative to the nearest tensor in main memory: ", 32 bytes behind the end
 * of buf3: float32 [64, 8], element 520 of 512". False if none is near. writes: the access was
 * surely a store. Then a tensor that the launch writes precedes one that it only reads, unless the
 * address is within or right next to the latter. */
bool ag_args_snapshot_explain(const ag_args_snapshot *a, uintptr_t address, bool writes,
                              ag_raw_text *t);
/* True if the address lies within one of the tensors. */
bool ag_args_snapshot_has(const ag_args_snapshot *a, uintptr_t address);
/* Names the tensor whose address is null: ", which is that of buf2: float32 [0, 4]". False if there
 * is none. */
bool ag_args_snapshot_explain_null(const ag_args_snapshot *a, ag_raw_text *t);

#endif

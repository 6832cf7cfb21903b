/* aotigen_watch.h - what a watched model has counted, for a host that reads no files.
 *
 * The function is one of the shared object that a watch package loads, beside the entries of
 * AOTInductor's C ABI. A host finds it by dlsym() on the handle of that object:
 *
 *   int (*read)(aotigen_watch_counts *) = dlsym(handle, "aotigen_watch_count");
 *   aotigen_watch_counts counts = {.size = sizeof counts};
 *   if (read && !read(&counts)) ...
 *
 * Fields are only ever added at the end. AOTIGEN_METRICS writes the same numbers to a file:
 * aotigen(7). */
#ifndef AOTIGEN_WATCH_H
#define AOTIGEN_WATCH_H

#include <stddef.h>
#include <stdint.h>

/* Since the model was first loaded in this process. A run that is going on may be in `runs` alone.
 * A finding is a run with something bad in it. */
typedef struct aotigen_watch_counts {
  size_t size;                 /* set by the caller: of this struct; then the bytes that are set */
  uint64_t runs;               /* of the model */
  uint64_t runs_watched;       /* whose outputs were looked at */
  uint64_t unwatched_every;    /* left out by AOTIGEN_EVERY */
  uint64_t unwatched_busy;     /* too many others were not over */
  uint64_t unwatched_capture;  /* captured into a CUDA graph */
  uint64_t unwatched_device;   /* the device did not do it */
  uint64_t unwatched_failed;   /* the run itself failed */
  uint64_t findings_nan;       /* the first bad output has a NaN */
  uint64_t findings_pos_inf;   /* it has a +Inf and no NaN */
  uint64_t findings_neg_inf;   /* it has a -Inf alone */
  uint64_t findings_exception; /* the run threw */
  uint64_t findings_device;    /* the device was lost in it */
  uint64_t findings_limit;     /* a value is beyond AOTIGEN_WATCH_LIMITS, and none is NaN or Inf */
  uint64_t findings_dead;      /* an output is dead, and nothing else is wrong */
  uint64_t findings_other;     /* a signal came in it */
  uint64_t capsules;           /* written */
  uint64_t uncapsuled_limit;   /* findings without one, by AOTIGEN_CAPSULES */
  uint64_t uncapsuled_failed;  /* findings whose capsule could not be written */
  uint64_t watch_ns; /* nanoseconds of the host, for keeping inputs and looking at outputs */
} aotigen_watch_counts;

/* Sets the fields that lie within counts->size. 0; 1 if that is too small for `runs`. Any thread
 * may call. */
int aotigen_watch_count(aotigen_watch_counts *counts);

#endif

/* watched_run.h - one run of a model that is watched: what was kept of its inputs, and the search
 * for bad values in its outputs. Inside the library only.
 *
 * A run is begun and launched on the thread that calls the model, and looked at there (on the CPU),
 * or by the watching thread once the device has scanned the outputs (watcher.h). Its handles are
 * released by a later call of the model. */
#ifndef AOTIGEN_WATCHED_RUN_H
#define AOTIGEN_WATCHED_RUN_H

#include <stdatomic.h>

#include "base/text.h"
#include "watch/counts.h"
#include "watch/kept_constants.h"

/* What ended a run before its end. */
enum ag_fault { AG_FAULT_NONE, AG_FAULT_EXCEPTION, AG_FAULT_DEVICE, AG_FAULT_CRASH };

enum ag_watched_stage {
  AG_WATCHED_FREE,
  AG_WATCHED_TAKEN,   /* a thread is running the model */
  AG_WATCHED_PENDING, /* the device is scanning the outputs */
  AG_WATCHED_OVER     /* it was looked at: its handles are to be released */
};

typedef struct ag_kept_list {
  ag_kept_tensor *list;
  size_t count, room;
} ag_kept_list;

/* What the device does for the run in one batch: it copies the small inputs and buffers before the
 * model runs, or scans the outputs after it. A target's tag is the tensor's number in its list;
 * buffers come behind the inputs. */
typedef struct ag_watched_batch {
  ag_scan_batch batch;
  ag_scan_target *targets;
  size_t count, room;
  ag_pinned memory; /* never freed; it grows */
} ag_watched_batch;

typedef struct ag_watched_run {
  _Atomic int stage; /* enum ag_watched_stage */
  uint64_t number;   /* in the process, from 1 */
  uint64_t turn;     /* among those that are watched */
  const char *entry; /* the entry point's name; static */
  const void *container;
  _Atomic int thread; /* that runs the model now; 0: none */
  uintptr_t stack[2]; /* its bounds; 0: not known */
  ag_kept_list inputs, outputs;
  ag_kept_buffers buffers;
  ag_host_copies copies; /* of inputs on the host */
  /* Of a run on a device that scans without waiting. */
  const ag_backend *backend; /* NULL: the outputs are scanned by the thread that looks at them */
  int32_t device_index;
  void *stream; /* the caller's */
  void *slot;   /* or NULL */
  ag_watched_batch copying, scanning;
  unsigned polls; /* since it was launched */
  enum ag_fault fault;
  const char *signal; /* of a crash: "SIGSEGV" */
  ag_text error; /* what torch or the driver said of the fault, in one line; empty: not known */
} ag_watched_run;

/* Before the run: keeps the inputs, and of `constants`, NULL if they are not known, the buffers
 * that the model writes to. is_first: of their container. False, with nothing kept, if its stream
 * is being captured into a CUDA graph: neither it nor a replay of the graph is looked at, which is
 * said once. */
bool ag_watched_begin(ag_watched_run *r, void *const *inputs, size_t n, void *stream,
                      ag_constants *constants, bool is_first);

/* After it, if it threw. error: what torch said; NULL: that is not known. True as of
 * ag_watched_launch(). */
bool ag_watched_fail(ag_watched_run *r, const char *error);

/* After it: holds the outputs, and has the device scan them. True if the
 * run can be looked at later, by ag_watched_is_scanned(); otherwise now. */
bool ag_watched_launch(ag_watched_run *r, void *const *outputs, size_t n);

/* True once a launched run can be looked at; also if its device is lost. */
bool ag_watched_is_scanned(ag_watched_run *r);

/* The process crashes while the model runs: reports that, and writes a capsule. On any thread but
 * the run's, which waits. cause: of the crash; may be empty. */
void ag_watched_crash(ag_watched_run *r, const char *cause);

/* Looks at the outputs. Reports what is bad in them, or the fault that ended the run, and writes a
 * capsule. True if something is bad. */
bool ag_watched_look(ag_watched_run *r);

/* Counts a run that is not looked at, and warns of it, once. */
void ag_watched_say_unseen(enum ag_count reason, const char *why);

/* Releases what the run holds, on a thread of the host's. */
void ag_watched_release(ag_watched_run *r);

#endif

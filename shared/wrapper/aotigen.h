/* aotigen.h - what an instrumented wrapper and the run-time library share.
 *
 * An instrumented wrapper includes this header, defines one static `aotigen_model` with tables of
 * its launch sites, inputs and weights, and calls the macros of aotigen_macros.h, which expand to
 * nothing where all levels are off. They call the functions declared here, which make all decisions
 * at run time. The functions are in libaotigen.a, which is linked into the model's shared object.
 *
 * Words. A *site* is a place in the source that launches something, counted from 1 in reports. The
 * markers and the tables name a site by its index in `sites`, from 0. A *launch* is one execution
 * of a site, counted from 1 within its run, filtered or not. A *run* is one call of the outermost
 * run function, counted from 1 in the process; constant folding is run 0.
 *
 * Ownership. No function takes ownership of a tensor, a string or a table. Tables and strings are
 * static; tensor handles and pointers must be valid from aotigen_before() to aotigen_after() of the
 * same launch.
 *
 * Threads. Any number of threads may run a model at the same time. An `aotigen_run` belongs to the
 * thread that began it.
 *
 * Errors. A function that finds a fault that must end the run writes it to stderr and to the log,
 * and returns a message of one line, else NULL. The message is valid until the next call with the
 * same run or on the same thread. The caller throws it as std::runtime_error; no C code unwinds. */
#ifndef AOTIGEN_H
#define AOTIGEN_H

#include <stddef.h>
#include <stdint.h>

#include "aotigen_tables.h"

/* A wrapper for another ABI ends in this error alone: without levels nothing of ours is used. */
#if defined(AOTIGEN_MADE_FOR) && AOTIGEN_MADE_FOR != AOTIGEN_ABI
#define AOTIGEN_OTHER_ABI_(made, here)                                                             \
  "the wrapper was made for ABI " #made " of libaotigen.a and compiled with ABI " #here            \
  ": make it again with this aotigen"
#define AOTIGEN_OTHER_ABI(made, here) AOTIGEN_OTHER_ABI_(made, here)
static_assert(AOTIGEN_MADE_FOR == AOTIGEN_ABI, AOTIGEN_OTHER_ABI(AOTIGEN_MADE_FOR, AOTIGEN_ABI));
#undef AOTIGEN_ON
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values that a marker passes --------------------------------------------------------------
 */

enum aotigen_value_kind {
  AOTIGEN_V_NOTHING, /* a LATE argument before the call, or a value that is not available */
  AOTIGEN_V_HANDLE,  /* handle: an AtenTensorHandle, NULL for a null optional */
  AOTIGEN_V_VIEW,    /* handle: the base; sizes, strides, ndim; offset: in elements, added to the
                        base's own offset */
  AOTIGEN_V_ARRAY,   /* an ArrayRefTensor; handle: its first element; sizes, strides, ndim;
                        item_size; arithmetic */
  AOTIGEN_V_INT,     /* i */
  AOTIGEN_V_UINT,    /* u */
  AOTIGEN_V_FLOAT,   /* f */
  AOTIGEN_V_BOOL     /* i */
};

typedef struct aotigen_value {
  union {
    const void *handle;
    int64_t i;
    uint64_t u;
    double f;
  } v;
  const int64_t *sizes;
  const int64_t *strides;
  int64_t offset;
  int32_t ndim;
  int16_t item_size;
  uint8_t kind;      /* enum aotigen_value_kind */
  int8_t arithmetic; /* V_ARRAY: 1 float, 2 signed, 3 unsigned, 4 bool, 0 unknown */
} aotigen_value;

enum { AOTIGEN_ROOM = 64 };

/* One run, on the stack of the run function. The macros use the first four fields, and those from
 * `error` on; the others are the library's. */
typedef struct aotigen_run {
  uint64_t launch;       /* the current launch's number */
  uint64_t unseen;       /* the last launch that was filtered out, 0 for none */
  const uint8_t *wanted; /* nsites flags; 0: aotigen_before() is not needed */
  aotigen_model *model;
  struct aotigen_run *outer; /* the enclosing run (ArrayRef interface), else NULL */
  struct aotigen_run_state *state;
  void *stream;
  void *passed_stream; /* of the launch, where its site is AOTIGEN_STREAM_PASSED */
  uint64_t number;
  uint32_t site; /* the index of the site between aotigen_before() and aotigen_after() */
  int32_t error; /* the launch's result, if the wrapper ignores it; 0: no error */
  uint32_t room; /* the room for tensors of an op beyond that of the wrapper's array: 0, or
                    AOTIGEN_ROOM */
  uint32_t more; /* how many tensors the op stored there */
} aotigen_run;

/* ---- the library ---------------------------------------------------------------------------- */

/* In the model's constructor: checks that the device is the one that the model was built for, that
 * the cubins exist, and that the linked weights have the size that the table gives. device: the
 * loader's argument ("cuda", "cuda:1"); cubin_dir: where the loader looks, or NULL for the recorded
 * paths; blob, blob_end: the linked weights, both NULL if the wrapper stores them elsewhere. */
const char *aotigen_load(aotigen_model *model, const char *device, const char *cubin_dir,
                         const void *blob, const void *blob_end);

/* Compares the registered op with that of a site. described: the result of torch's
 * OperatorEntry::dumpState(), with a line "schema: ...". Reports if the package was made for
 * another schema; aotigen_load() throws that. */
void aotigen_op_registered(aotigen_model *model, uint32_t site, const char *described);

/* Call it after weights were updated or swapped: discards the results of earlier scans. */
void aotigen_weights_changed(aotigen_model *model);

/* folding: 1 for constant folding; stream: the run's, or NULL. Never fails. */
void aotigen_run_begin(aotigen_run *run, aotigen_model *model, int folding, void *stream);

/* Behind a statement that orders streams: op: enum aotigen_stream_op; what it has not is NULL. */
void aotigen_stream_op(aotigen_run *run, uint32_t op, const void *stream, const void *event);

/* In a run function's handler of std::exception, before aotigen_run_end(). what: the exception's
 * text. Reports, once per run, if the run's device is lost, which is queried once and without
 * waiting, or if the exception came out of a checked launch or after one. Returns the message to
 * throw instead, one line of the report; `what` follows it if the device is lost. NULL: rethrow the
 * exception, because it is neither, `what` is a report already, or AOTIGEN_ON_FAULT is "report". */
const char *aotigen_run_failed(aotigen_run *run, const char *what);

/* unwinding: 1 if an exception is propagating. */
void aotigen_run_end(aotigen_run *run, int unwinding);

/* Called at the start and end of an entry point, on its thread: the result of the first is the
 * argument of the second. name: "AOTInductorModelContainerRun", which lives as long as the library.
 * unwinding: 1 if an exception is propagating. */
int aotigen_entry_begin(aotigen_model *model, const char *name);
void aotigen_entry_end(int place, int unwinding);

/* When an exception is about to leave an entry point of the model (AOTInductor*). what: the
 * exception's text, NULL if it has none. Writes what is known by then: waits, for at most 2 s,
 * until the results that have arrived are evaluated. If a device of the model is lost, which is
 * queried without waiting, writes the device error's report, once per device, and returns the
 * message to throw instead: one line of it and `what`. NULL if no device is lost, if `what` is a
 * report already, and with AOTIGEN_ON_FAULT=report: then the exception goes on unchanged. */
const char *aotigen_entry_failed(aotigen_model *model, const char *what);

/* Before an entry point deletes the model, since a destructor that throws ends the process. Waits,
 * for at most 2 s, for the results of runs that are over. If their device is lost, its report is
 * written by then. Never fails. */
void aotigen_entry_deletes(aotigen_model *model);

/* Checks the model's inputs before the wrapper takes them: writes one report of all violations.
 * Never throws, since the wrapper's own check has precedence; aotigen_inputs_owned() follows once
 * the handles have an owner. */
void aotigen_check_inputs(aotigen_run *run, const void *const *handles);
const char *aotigen_inputs_owned(aotigen_run *run);

/* Checks the run function's weights, in the order of the table. They are scanned once for each set
 * of weights and each concurrent run, and again after a fault. */
const char *aotigen_check_weights(aotigen_run *run, const aotigen_value *values, size_t n);

/* Constant folding as a part of a run. Torch's container loses its model if an exception leaves it,
 * and the next run waits for ever. So a fault of ours is stored, nothing is folded, and each run
 * with these weights throws the fault. weights: identifies one container's weights.
 * aotigen_folding_begin() forgets their fault. aotigen_folding_failed() returns 1 if it has stored
 * `what`, 0 for an exception that is not ours. aotigen_folding_fault() returns the message, or
 * NULL. */
void aotigen_folding_begin(aotigen_model *model, const void *weights);
int aotigen_folding_failed(aotigen_model *model, const void *weights, const char *what);
const char *aotigen_folding_fault(aotigen_run *run, const void *weights);

/* Around a launch. values: one for each parameter of the site. late: one for each LATE parameter,
 * in order.
 *
 * aotigen_before() copies what a compiled kernel both reads and overwrites, so that a NaN or Inf
 * can be explained: in a run that waits for each launch, arguments of at most 256 KiB, or 64 MiB if
 * the launch reads a NaN or Inf; and up to 64 MiB of those of a launch that AOTIGEN_EXPLAIN names.
 * Nothing is copied without --nan-asserts and AOTIGEN_EXPLAIN, or for a site that is filtered
 * out. */
const char *aotigen_before(aotigen_run *run, uint32_t site, const aotigen_value *values, size_t n);
const char *aotigen_after(aotigen_run *run, uint32_t site, const aotigen_value *late, size_t n);

/* True if torch's CPU allocator may be wrapped: the setting is given, it was not wrapped before,
 * and it has the virtual functions of torch 2.11's. table: that of the default allocator; simple:
 * the fourth of the six functions. */
int aotigen_counts_allocations(const void *table, const void *simple);
/* Not 0 if the thread is in the call of an operator. Then the second must be called when the memory
 * is freed, and sets *deleter to the function that frees it. Any thread. */
int aotigen_operator_allocated(void *at, size_t bytes, void (*deleter)(void *));
void aotigen_operator_freed(void *at, void (**deleter)(void *));

/* A tensor over memory of the library's, as DLPack describes one (dlpack.h 0.8, DLManagedTensor),
 * from which torch makes a tensor. The arrays are the library's, valid until the thread's next
 * call. */
typedef struct aotigen_memory {
  void *data;
  struct {
    int32_t type, index;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *sizes, *strides; /* in elements */
  uint64_t byte_offset;
  void *context;
  void (*deleter)(struct aotigen_memory *); /* NULL: `owner` is released by other means */
  void *owner;                              /* follows DLPack's fields: for aotigen_release() */
} aotigen_memory;

/* True if the run may use copies of the model's inputs, or of its weights. */
int aotigen_has_copies(const aotigen_run *run, int of_weights);

/* After the allocation of buffer `buffer`: `tensor` is new and unwritten. From nbuffers on,
 * `buffer` is a copy of the model's input `buffer - nbuffers` or, after all inputs, of a weight,
 * and `tensor` is the original. 1: the caller makes a tensor from *m to replace it, and calls
 * aotigen_release(m->owner) when that tensor's memory is no longer used. 0: the tensor stays. Never
 * throws. */
int aotigen_allocate(aotigen_run *run, uint32_t buffer, const void *tensor, aotigen_memory *m);
/* Any thread may call, also after the run. */
void aotigen_release(void *owner);

/* Copies an input or weight, counted as in aotigen_allocate() but from 0, to the tensor that was
 * made for it. 0: torch cannot. */
int aotigen_copy_given(aotigen_run *run, uint32_t given, const void *copy, const void *tensor);

/* Before `tensor`, an AtenTensorHandle, is handed over as an output of the model. Returns a handle
 * to a copy of it in torch's own memory, which the caller owns and hands over instead; NULL if the
 * tensor is not in guarded memory. Never throws. */
void *aotigen_hand_over(aotigen_run *run, const void *tensor);

/* Torch could make no tensor of the memory: releases it, and leaves the buffer unchanged. */
void aotigen_not_allocated(aotigen_run *run, uint32_t buffer, void *owner, const char *why);

/* Before cuLaunchKernel, on the thread of the launch: checks that the grid fits the device. A grid
 * with a 0 launches nothing. */
const char *aotigen_grid(const char *kernel, uint64_t x, uint64_t y, uint64_t z);

/* Before the first output is handed over: reports a lost device; with AOTIGEN_ON_FAULT=throw also a
 * fault that was found. */
const char *aotigen_before_outputs(aotigen_run *run);

#ifdef __cplusplus
}
#endif

/* ---- the macros of the inserted text, C++ --------------------------------------------------- */

#if defined(__cplusplus) && defined(AOTIGEN_ON)
#include "aotigen_macros.h"
#elif defined(__cplusplus)
#define AOTIGEN_OPENED()
#define AOTIGEN_LOADED(device, cubin_dir)
#define AOTIGEN_WEIGHTS_CHANGED()
#define AOTIGEN_RUN(stream)
#define AOTIGEN_FOLD(stream)
#define AOTIGEN_FOLDING(weights)
#define AOTIGEN_FOLDING_END(initialization, weights)
#define AOTIGEN_FOLDED(weights)
#define AOTIGEN_RUN_UNCAUGHT(folding, stream)
#define AOTIGEN_RUN_END()
#define AOTIGEN_ENTRY()
#define AOTIGEN_ENTRY_END()
#define AOTIGEN_ENTRY_DELETES()
#define AOTIGEN_CHECK_INPUTS_NOW(handles)
#define AOTIGEN_INPUTS_OWNED()
#define AOTIGEN_WEIGHTS_BOUND(...)
#define AOTIGEN_GUARD_WEIGHTS()
#define AOTIGEN_ALLOCATED(buffer, handle)
#define AOTIGEN_REUSED(buffer, object)
#define AOTIGEN_HANDED_OVER(object)
#define AOTIGEN_BEFORE(site, ...)
#define AOTIGEN_BEFORE_ON(site, stream, ...)
#define AOTIGEN_STREAM_OP(op, stream, event)
#define AOTIGEN_RESULT
#define AOTIGEN_WITH_ROOM(function) function
#define AOTIGEN_AFTER(site)
#define AOTIGEN_AFTER_MADE(site, ...)
#define AOTIGEN_GRID(kernel, x, y, z)
#define AOTIGEN_BEFORE_OUTPUTS()
#endif

#endif

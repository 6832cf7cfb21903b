/* entries.c - the entry points of AOTInductor's C ABI that a watch package's library looks into. It
 * alone is not in libaotigen.a: a debug model has entry points of its own.
 *
 * The library needs torch's own, which lies beside it, by DT_NEEDED: a loader that asks for any
 * other entry point gets torch's. Each function here calls torch's of the same name, which is the
 * next one in the search order. `aotigen watch` takes out of the library the names that torch's
 * lacks. Prototypes as in torch/csrc/inductor/aoti_runtime/interface.h of torch 2.6 to 2.15. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#include "tensor/shim.h"
#include "watch/constants.h"
#include "watch/counts.h"
#include "watch/crash.h"
#include "watch/debug_runs.h"
#include "watch/identity.h"
#include "watch/last_error.h"
#include "watch/watcher.h"

#define EXPORTED __attribute__((visibility("default")))

/* What an entry point returns: 0, or the number of an error. */
typedef int32_t entry_result;
enum { FAILED = 1 };

/* Torch's function of that name; NULL if its library lacks it. */
#define ORIGINAL(function, name) ((function *)dlsym(RTLD_NEXT, name))

/* ---- runs ----------------------------------------------------------------------------------- */

/* inputs: the handles are the function's from then on; outputs: set to handles that are the
 * caller's; the arrays stay the caller's. */
typedef entry_result run_function(void *container, AtenTensorHandle *inputs, size_t ninputs,
                                  AtenTensorHandle *outputs, size_t noutputs, void *stream,
                                  void *proxy_executor);

/* The caller takes no outputs from a run that failed. */
static void drop_outputs(AtenTensorHandle *outputs, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (outputs[i]) AOTIGEN_SHIM(delete_tensor_object)(outputs[i]);
    outputs[i] = NULL;
  }
}

/* What says of the thread's last failure. */
typedef entry_result error_function(const char **text);

/* What torch 2.13 and later keep of the thread's last failure; NULL: an earlier one wrote it to
 * standard error. */
static const char *find_error(const ag_debug_run *by) {
  if (by->container) return ag_debug_runs_error();
  error_function *get = ORIGINAL(error_function, "AOTInductorGetLastError");
  const char *text = NULL;
  return get && !get(&text) ? text : NULL;
}

/* The caller asks this library for it. */
static void pass_error(const ag_debug_run *by) {
  const char *text = by->container ? ag_debug_runs_error() : NULL;
  if (!text) return;
  ag_last_error_note(text);
  ag_last_error_raise();
}

#define RUN_ENTRY(name)                                                                            \
  EXPORTED run_function name;                                                                      \
  entry_result name(void *container, AtenTensorHandle *inputs, size_t ninputs,                     \
                    AtenTensorHandle *outputs, size_t noutputs, void *stream,                      \
                    void *proxy_executor) {                                                        \
    static _Atomic(run_function *) found;                                                          \
    run_function *original = found;                                                                \
    if (!original && !(original = found = ORIGINAL(run_function, #name))) return FAILED;           \
    const ag_debug_run by = ag_debug_runs_begin(container, #name);                                 \
    ag_watched_run *r =                                                                            \
        ag_watcher_begin(#name, container, (void *const *)inputs, ninputs, stream);                \
    run_function *function = by.container ? (run_function *)by.function : original;                \
    entry_result result = function(by.container ? by.container : container, inputs, ninputs,       \
                                   outputs, noutputs, stream, proxy_executor);                     \
    if (r && result) ag_watcher_fail(r, find_error(&by));                                          \
    if (result) pass_error(&by);                                                                   \
    ag_debug_runs_end(&by);                                                                        \
    if (!r || result || !ag_watcher_end(r, (void *const *)outputs, noutputs)) return result;       \
    drop_outputs(outputs, noutputs);                                                               \
    ag_last_error_raise();                                                                         \
    return FAILED;                                                                                 \
  }

RUN_ENTRY(AOTInductorModelContainerRun)
RUN_ENTRY(AOTInductorModelContainerRunSingleThreaded)

/* ---- what was counted ----------------------------------------------------------------------- */

EXPORTED int aotigen_watch_count(aotigen_watch_counts *counts);
int aotigen_watch_count(aotigen_watch_counts *counts) { return ag_counts_read(counts); }

/* ---- what ended a run ----------------------------------------------------------------------- */

/* Torch 2.13 and later ask for it where a call has failed, and put it into their exception. */
EXPORTED error_function AOTInductorGetLastError;
entry_result AOTInductorGetLastError(const char **text) {
  error_function *original = ORIGINAL(error_function, "AOTInductorGetLastError");
  const char *own = ag_last_error_take();
  if (!own) return original ? original(text) : FAILED;
  *text = own;
  return 0;
}

/* ---- the begin of a model -------------------------------------------------------------------- */

typedef entry_result create_function(void **container, size_t models, const char *device,
                                     const char *directory);
EXPORTED create_function AOTInductorModelContainerCreateWithDevice;
entry_result AOTInductorModelContainerCreateWithDevice(void **container, size_t models,
                                                       const char *device, const char *directory) {
  create_function *original =
      ORIGINAL(create_function, "AOTInductorModelContainerCreateWithDevice");
  entry_result result = original ? original(container, models, device, directory) : FAILED;
  if (!result) ag_debug_runs_note(*container, models, device, directory);
  return result;
}

/* ---- the end of a model --------------------------------------------------------------------- */

typedef entry_result delete_function(void *container);
EXPORTED delete_function AOTInductorModelContainerDelete;
entry_result AOTInductorModelContainerDelete(void *container) {
  delete_function *original = ORIGINAL(delete_function, "AOTInductorModelContainerDelete");
  ag_watcher_drain(container);
  ag_watch_crash_keep();
  ag_constants_forget(container);
  ag_debug_runs_forget(container);
  return original ? original(container) : FAILED;
}

/* ---- updates of weights --------------------------------------------------------------------- */

/* update: what is passed, for constants.h. */
#define UPDATE_ENTRY(name, parameters, arguments, ...)                                             \
  EXPORTED entry_result name parameters;                                                           \
  entry_result name parameters {                                                                   \
    typedef entry_result function parameters;                                                      \
    function *original = ORIGINAL(function, #name);                                                \
    ag_constants_update update = {__VA_ARGS__};                                                    \
    ag_debug_runs_begin_update();                                                                  \
    ag_constants_begin_update(container, update.swaps);                                            \
    entry_result result = original ? original arguments : FAILED;                                  \
    update.done = !result;                                                                         \
    ag_constants_end_update(container, &update);                                                   \
    ag_debug_runs_end_update();                                                                    \
    if (!result && !update.inactive) ag_watch_note_update(ag_watcher_has_run());                   \
    return result;                                                                                 \
  }

#define MAP_ENTRY(name)                                                                            \
  UPDATE_ENTRY(name, (void *container, void *map, bool inactive, bool full),                       \
               (container, map, inactive, full), .map = map, .inactive = inactive)
#define PAIRS_ENTRY(name)                                                                          \
  UPDATE_ENTRY(name, (void *container, const void *pairs, size_t n, bool inactive, bool full),     \
               (container, pairs, n, inactive, full), .entries = pairs, .n = n,                    \
               .inactive = inactive)

MAP_ENTRY(AOTInductorModelContainerUpdateConstantBuffer)
PAIRS_ENTRY(AOTInductorModelContainerUpdateConstantBufferPairs)
MAP_ENTRY(AOTInductorModelContainerUpdateConstantBufferFromCpu)
PAIRS_ENTRY(AOTInductorModelContainerUpdateConstantBufferFromCpuPairs)
MAP_ENTRY(AOTInductorModelContainerUpdateUserManagedConstantBuffer)
PAIRS_ENTRY(AOTInductorModelContainerUpdateUserManagedConstantBufferPairs)
UPDATE_ENTRY(AOTInductorModelContainerUpdateInactiveConstantBuffer, (void *container, void *map),
             (container, map), .map = map, .inactive = true)
UPDATE_ENTRY(AOTInductorModelContainerUpdateInactiveConstantBufferPairs,
             (void *container, const void *pairs, size_t n), (container, pairs, n),
             .entries = pairs, .n = n, .inactive = true)
UPDATE_ENTRY(AOTInductorModelContainerSwapConstantBuffer, (void *container), (container),
             .swaps = true)

/* It changes the table of constants, too. */
UPDATE_ENTRY(AOTInductorModelContainerRunConstantFolding,
             (void *container, bool inactive, void *stream, void *proxy_executor),
             (container, inactive, stream, proxy_executor), .inactive = true, .folds = true)

/* container_calls.c - see container_calls.h. */
#include "state/container_calls.h"

#include <stdatomic.h>
#include <string.h>

#include "base/sink.h"

/* A part of an entry point's name, and what its events are called. The first that fits counts. */
static const struct {
  const char *part, *call;
} calls[] = {
    {"ContainerCreate", "load"},
    {"UpdateConstantsFromBlob", "load_constants"},
    {"FromCpu", "update_constant_buffer_from_cpu"},
    {"FreeInactive", "free_inactive_buffer"},
    {"ContainerUpdate", "update_constant_buffer"},
    {"Swap", "swap_constant_buffer"},
    {"RunConstantFolding", "run_constant_folding"},
    {"ContainerRun", "inference"},
};

enum { CALLS = sizeof calls / sizeof *calls, INFERENCE = CALLS - 1 };

static atomic_ullong inferences; /* that have begun since the last event */
static atomic_bool gave_weights;

/* The outermost entry point of the thread. */
static _Thread_local struct {
  const aotigen_model *model;
  const char *name;
  int depth, call;
} here;

static int find_call(const char *name) {
  int i = 0;
  while (i < CALLS && !strstr(name, calls[i].part)) i++;
  return i;
}

static void begin_event(ag_text *t, const aotigen_model *model, int call) {
  ag_event_begin(t, EVENT_CONTAINER);
  ag_event_add_string(t, "source", model->source);
  ag_event_add_string(t, "call", call < CALLS ? calls[call].call : "delete");
}

static void write_inferences(const aotigen_model *model) {
  const unsigned long long n = atomic_exchange(&inferences, 0);
  ag_text t;
  if (!n) return;
  begin_event(&t, model, INFERENCE);
  ag_event_add_number(&t, "count", (int64_t)n);
  ag_event_end(&t);
}

/* failed: NULL when the call begins. */
static void write_call(const bool *failed) {
  ag_text t;
  if (!failed) write_inferences(here.model);
  begin_event(&t, here.model, here.call);
  ag_event_add_string(&t, "entry", here.name);
  ag_event_add_string(&t, "phase", failed ? "end" : "begin");
  if (failed) ag_event_add_string(&t, "ended", *failed ? "with an exception" : "well");
  ag_event_end(&t);
}

/* "ExtractConstantsMap", "UpdateConstantBuffer"; not "GetNumConstants". */
static void note_weights(const char *name) {
  const char *constant = strstr(name, "Constant");
  if (constant && !strstr(name, "Get")) atomic_store(&gave_weights, true);
}

bool ag_container_calls_gave_weights(void) { return atomic_load(&gave_weights); }

void ag_container_call_begin(const aotigen_model *model, const char *name) {
  note_weights(name);
  if (here.depth++) return;
  here.call = ag_sink_has_log() ? find_call(name) : CALLS;
  if (here.call == INFERENCE) atomic_fetch_add(&inferences, 1);
  if (here.call >= INFERENCE) return;
  here.model = model;
  here.name = name;
  write_call(NULL);
}

void ag_container_call_end(bool failed) {
  if (--here.depth == 0 && here.call < INFERENCE) write_call(&failed);
}

void ag_container_call_deletes(const aotigen_model *model) {
  ag_text t;
  if (!ag_sink_has_log()) return;
  write_inferences(model);
  begin_event(&t, model, CALLS);
  ag_event_end(&t);
}

/* load.c - what can be known to be wrong when a model is loaded, before anything crashes on it. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/finding.h"
#include "tensor/reader.h"
#include "base/sink.h"

static void violation(const aotigen_model *m, ag_text *t, const char *check, const char *expected,
                      const char *found) {
  ag_text event;
  if (!t->length) ag_addf(t, "aotigen: %s cannot be loaded like this\n", m->source);
  ag_addf(t, "  %-13s expected %s, found %s\n", check, expected, found);
  ag_event_begin(&event, "load");
  ag_event_string(&event, "source", m->source);
  ag_event_string(&event, "check", check);
  ag_event_string(&event, "expected", expected);
  ag_event_string(&event, "found", found);
  ag_event_end(&event);
}

/* "cuda:1" against "cuda". Returns the index, -1 where none is named. */
static int32_t check_device(const aotigen_model *m, ag_text *t, const char *device) {
  char expected[64], found[64];
  if (!device) return -1;
  size_t n = strcspn(device, ":");
  if (m->device && (strlen(m->device) != n || strncmp(device, m->device, n))) {
    snprintf(expected, sizeof expected, "'%s', which it was built for", m->device);
    snprintf(found, sizeof found, "'%s'", device);
    violation(m, t, "device", expected, found);
  }
  return device[n] == ':' && device[n + 1] >= '0' && device[n + 1] <= '9'
             ? (int32_t)strtol(device + n + 1, NULL, 10)
             : -1;
}

static void check_cubin(const aotigen_model *m, ag_text *t, const ag_backend *backend,
                        const char *path, const char *dir) {
  ag_text where = {0}, expected = {0};
  const char *base = strrchr(path, '/'), *why;
  if (dir)
    ag_addf(&where, "%s/%s", dir, base ? base + 1 : path);
  else
    ag_add(&where, path);
  why = backend->check_kernel_file(ag_text_string(&where));
  if (why) {
    ag_addf(&expected, "a kernel's file at '%s'", ag_text_string(&where));
    violation(m, t, "kernel file", ag_text_string(&expected), why);
  }
  ag_text_free(&where);
  ag_text_free(&expected);
}

/* The blob holds the weights one behind the other, in the order of the table, each padded or none.
 */
static void check_blob(const aotigen_model *m, ag_text *t, const char *begin, const char *end) {
  int64_t size = end - begin, sum = 0;
  ag_text expected = {0}, found = {0};
  if (!begin || !end || size <= 1)
    return; /* none linked in: emitted without, for whoever loads it to hand in */
  for (uint32_t i = 0; i < m->nweights; i++) {
    const aotigen_weight *w = &m->weights[i];
    if (w->from_folded || w->bytes < 0) continue;
    if (__builtin_add_overflow(sum, w->bytes, &sum)) return;
    if (sum <= size) continue;
    ag_addf(&expected, "%lld bytes up to the end of '%s'", (long long)sum,
            w->fqn ? w->fqn : w->name);
    ag_addf(&found, "%lld bytes", (long long)size);
    violation(m, t, "weights", ag_text_string(&expected), ag_text_string(&found));
    break;
  }
  ag_text_free(&expected);
  ag_text_free(&found);
}

const char *ag_refuse_abi(const aotigen_model *model) {
  static char message[160]; /* the same whoever writes it */
  static atomic_flag said = ATOMIC_FLAG_INIT;
  snprintf(message, sizeof message,
           "aotigen: the wrapper was made for ABI %u of libaotigen.a and linked with ABI %d: make "
           "it again with this aotigen\n",
           model->abi, AOTIGEN_ABI);
  if (!atomic_flag_test_and_set(&said)) ag_sink_err(message);
  return message;
}

const char *aotigen_load(aotigen_model *model, const char *device, const char *cubin_dir,
                         const void *blob, const void *blob_end) {
  static _Thread_local ag_text
      told; /* another thread may load the same model before this one has thrown */
  bool throws = false;
  if (model->abi != AOTIGEN_ABI) return ag_refuse_abi(model);
  ag_model_state *m = ag_model_state_of(model);
  if (!m) return NULL;
  pthread_mutex_lock(&m->lock);
  ag_text *t = &told;
  const ag_backend *backend = m->backend ? m->backend : &ag_backend_cpu;
  ag_text_clear(t);
  int32_t index = check_device(model, t, device);
  /* One shared object may be loaded twice, for two devices: then which a run is on is only seen by
   * its tensors. */
  m->device_index = m->loaded && m->device_index != index ? -1 : index;
  m->loaded = true;
  if (model->check_inputs) {
    for (uint32_t i = 0; i < model->ncubins; i++)
      check_cubin(model, t, backend, model->cubins[i], cubin_dir);
    check_blob(model, t, blob, blob_end);
  }
  if (t->length) {
    ag_report_write(t);
    throws = ag_get_settings()->on_fault != AG_FAULT_REPORT;
  }
  pthread_mutex_unlock(&m->lock);
  return throws ? ag_text_string(t) : NULL;
}

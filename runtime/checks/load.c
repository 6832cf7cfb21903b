/* load.c - checks what can be known to be wrong when a model is loaded, before it crashes. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "checks/kernel_list.h"
#include "checks/selection.h"
#include "state/crash_signals.h"
#include "state/model_state.h"
#include "state/in_flight.h"

/* Compares "cuda:1" with "cuda". Returns the index, -1 if none is named. */
static int32_t check_device(ag_finding *f, const char *device) {
  char expected[64], found[64];
  if (!device) return -1;
  size_t n = strcspn(device, ":");
  if (f->model->device && (strlen(f->model->device) != n || strncmp(device, f->model->device, n))) {
    snprintf(expected, sizeof expected, "'%s', which it was built for", f->model->device);
    snprintf(found, sizeof found, "'%s'", device);
    ag_finding_add(f, NULL, AG_CHECK_DEVICE, expected, found);
  }
  return device[n] == ':' && device[n + 1] >= '0' && device[n + 1] <= '9'
             ? (int32_t)strtol(device + n + 1, NULL, 10)
             : -1;
}

static void check_cubin(ag_finding *f, const ag_backend *backend, const char *path,
                        const char *dir) {
  ag_text where = {0}, expected = {0};
  const char *base = strrchr(path, '/'), *why;
  if (dir)
    ag_text_addf(&where, "%s/%s", dir, base ? base + 1 : path);
  else
    ag_text_add(&where, path);
  why = backend->check_kernel_file(ag_text_string(&where));
  if (why) {
    ag_text_addf(&expected, "a kernel's file at '%s'", ag_text_string(&where));
    ag_finding_add(f, NULL, AG_CHECK_KERNEL_FILE, ag_text_string(&expected), why);
  }
  ag_text_free(&where);
  ag_text_free(&expected);
}

/* Checks the blob, which holds the weights one after another, in the order of the table, each with
 * or without padding. */
static void check_blob(ag_finding *f, const char *begin, const char *end) {
  int64_t size = end - begin, sum = 0;
  ag_text expected = {0}, found = {0};
  if (!begin || !end || size <= 1)
    return; /* no weights are linked in: the host sets them after it loaded the model */
  for (uint32_t i = 0; i < f->model->nweights; i++) {
    const aotigen_weight *w = &f->model->weights[i];
    if (w->from_folded || w->bytes < 0) continue;
    if (__builtin_add_overflow(sum, w->bytes, &sum)) return;
    if (sum <= size) continue;
    ag_text_addf(&expected, "%lld bytes up to the end of '%s'", (long long)sum,
                 w->fqn ? w->fqn : w->name);
    ag_text_addf(&found, "%lld bytes", (long long)size);
    ag_finding_add(f, NULL, AG_CHECK_WEIGHTS, ag_text_string(&expected), ag_text_string(&found));
    break;
  }
  ag_text_free(&expected);
  ag_text_free(&found);
}

static void check_files(ag_finding *f, const ag_model_state *m, const char *cubin_dir) {
  const ag_backend *backend = m->device.backend ? m->device.backend : &ag_backend_cpu;
  for (uint32_t i = 0; i < f->model->ncubins; i++)
    check_cubin(f, backend, f->model->cubins[i], cubin_dir);
}

/* One shared object may be loaded twice, for two devices: then only its tensors tell which device a
 * run is on. */
static void set_device(ag_model_state *m, int32_t index) {
  m->device.index = m->loaded && m->device.index != index ? -1 : index;
  m->loaded = true;
}

const char *aotigen_load(aotigen_model *model, const char *device, const char *cubin_dir,
                         const void *blob, const void *blob_end) {
  /* Another thread may load the same model before this one has thrown. */
  static _Thread_local ag_text report, message;
  if (model->abi != AOTIGEN_ABI) return ag_model_state_refuse(model);
  ag_model_state *m = ag_model_state_of(model);
  if (!m) return NULL;
  ag_finding f = {.event = EVENT_LOAD, .model = model};
  const char *fault = NULL;
  if (m->anything) ag_crash_signals_install();
  if (m->anything) ag_in_flight_load(model);
  ag_selection_check_kernels(m);
  if (m->anything && ag_settings_get()->core_dump) ag_kernel_list_log(model);
  pthread_mutex_lock(&m->lock);
  set_device(m, check_device(&f, device));
  if (model->check_inputs) {
    check_files(&f, m, cubin_dir);
    check_blob(&f, blob, blob_end);
  }
  if (f.violations) {
    ag_text_clear(&report);
    ag_text_addf(&report, "aotigen: %s cannot be loaded like this\n", model->source);
    ag_finding_end(&f, &report);
    fault = ag_report_fault(model, &message, &report);
  } else if (m->ops.fault.length) {
    ag_text_clear(&message);
    ag_text_add(&message, ag_text_string(&m->ops.fault));
    fault = ag_text_string(&message);
  }
  pthread_mutex_unlock(&m->lock);
  return fault;
}

/* model.c - see model.h. */
#include "host/model.h"
#include "host/archive.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static bool find(void *library, const char *name, void **to, answer *out) {
  *to = dlsym(library, name);
  if (!*to) answer_fail(out, "the model has no function '%s'", name);
  return *to;
}

/* Loads the '.so'. NULL with an answer. */
static void *load_library(const request *r, answer *to) {
  char path[PATH_MAX];
  archive_bytes z;
  if (!archive_map(&z, r->package)) {
    answer_fail(to, "'%s' cannot be read: %s", r->package, strerror(errno));
    return NULL;
  }
  const char *why = archive_extract(z, r->directory, r->work);
  munmap((void *)(uintptr_t)z.at, z.n);
  if (why) {
    answer_fail(to, "the package cannot be unpacked to '%s': %s", r->work, why);
    return NULL;
  }
  snprintf(path, sizeof path, "%s/%s", r->work, r->library);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) answer_fail(to, "the model cannot be loaded: %s", dlerror());
  return library;
}

bool model_load(model *m, const request *r, int index, answer *to) {
  int32_t (*create)(void **, size_t, const char *, const char *);
  int32_t (*count)(void *, size_t *);
  char device[64];
  void *library = load_library(r, to);
  *m = (model){.entry = r->single_threaded ? "AOTInductorModelContainerRunSingleThreaded"
                                           : "AOTInductorModelContainerRun"};
  if (!library ||
      !find(library, "AOTInductorModelContainerCreateWithDevice", (void **)&create, to) ||
      !find(library, "AOTInductorModelContainerGetNumOutputs", (void **)&count, to) ||
      !find(library, "AOTInductorModelContainerDelete", (void **)&m->delete, to) ||
      !find(library, m->entry, (void **)&m->run, to))
    return false;
  snprintf(device, sizeof device, index < 0 ? "%s" : "%s:%d", r->device.name, index);
  m->began = true;
  if (create(&m->container, 1, device, r->work)) {
    answer_fail(to, "the model could not be made: its own message is above");
    return false;
  }
  if (!count(m->container, &m->noutputs)) return true;
  answer_fail(to, "the model does not tell the number of its outputs");
  return false;
}

/* model.h - the model of a package, loaded as torch's loader loads it: its members are written to a
 * directory, its '.so' is loaded from there, and a container of it made by AOTInductor's C ABI.
 */
#ifndef HOST_MODEL_H
#define HOST_MODEL_H

#include "host/request.h"
#include "host/torch.h"

typedef struct model {
  void *container;
  int32_t (*run)(void *container, torch_tensor *inputs, size_t ninputs, torch_tensor *outputs,
                 size_t noutputs, void *stream, void *proxy_executor);
  int32_t (*delete)(void *container);
  const char *entry; /* the name of `run` */
  size_t noutputs;
  bool began; /* code of its own has run */
} model;

/* `index`: of the GPU. False with an answer that says why. */
bool model_load(model *m, const request *r, int index, answer *to);

#endif

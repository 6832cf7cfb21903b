/* aotigen-replay-host REQUEST - runs the inputs of a capsule on a model for `aotigen replay`, on
 * torch's C ABI and without Python. gen/replay/host.py does the same with Python; both give the
 * same answer.
 */
#include "host/elements.h"
#include "host/model.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct replay {
  request r;
  answer to;
  model m;
  elements *inputs, *kept, *first; /* kept, first: of the outputs */
  size_t nfirst;
} replay;

static bool read_tensors(replay *p) {
  archive_bytes capsule;
  if (!archive_map(&capsule, p->r.capsule)) {
    answer_refuse(&p->to, "it cannot be read: %s", strerror(errno));
    return false;
  }
  p->inputs = calloc(p->r.ninputs + 1, sizeof *p->inputs);
  p->kept = calloc(p->r.noutputs + 1, sizeof *p->kept);
  for (size_t i = 0; p->inputs && p->kept && i < p->r.ninputs + p->r.noutputs; i++) {
    const bool is_input = i < p->r.ninputs;
    const size_t k = is_input ? i : i - p->r.ninputs;
    const request_tensor *t = is_input ? &p->r.inputs[k] : &p->r.outputs[k];
    const char *why =
        t->skipped ? NULL : elements_read(is_input ? &p->inputs[k] : &p->kept[k], t, capsule);
    if (!why) continue;
    answer_refuse(&p->to,
                  "the memory of %s %zu, '%s', %s: the capsule was changed after it was written",
                  is_input ? "input" : "output", k, t->member, why);
    return false;
  }
  return p->inputs && p->kept;
}

/* The index of this device here: of a GPU that is not here that of the first one. */
static bool find_device(const request_device *d, int *index, answer *to) {
  *index = -1;
  if (strcmp(d->name, "cuda") != 0) return true;
  const int n = torch_gpus();
  *index = d->index >= 0 && d->index < n ? d->index : 0;
  if (n && torch_device_type("cuda") >= 0) return true;
  answer_refuse(to,
                "this torch sees no GPU, and the run was on 'cuda:%d': name another torch with "
                "--torch=DIR",
                d->index < 0 ? 0 : d->index);
  return false;
}

static bool lay_input(replay *p, size_t i, torch_tensor *made) {
  const request_tensor *t = &p->r.inputs[i];
  char described[1600];
  int index;
  if (!find_device(&t->device, &index, &p->to)) return false;
  const char *why =
      elements_lay(&p->inputs[i], t->laid, torch_device_type(t->device.name), index, made);
  if (!why) return true;
  elements_describe(t->dtype, t->sizes, t->ndim, described, sizeof described);
  answer_refuse(&p->to, "input %zu, %s, cannot be made with its strides: %s", i, described, why);
  return false;
}

/* ---- one run */

/* Compares the outputs of a run with the capsule's, and with those of the first run. */
static void compare(replay *p, elements *made) {
  const bool is_first = !p->first;
  const size_t n = p->m.noutputs;
  answer_output *x = calloc(n + 1, sizeof *x), other;
  bool as_kept = true, alike = true;
  if (!x) exit(3);
  if (n != p->r.noutputs)
    snprintf(x->why, sizeof x->why, "the model has %zu outputs, and had %zu", n, p->r.noutputs);
  as_kept = n == p->r.noutputs;
  for (size_t i = 0; i < n && n == p->r.noutputs; i++) {
    if (p->r.outputs[i].skipped)
      x[i].skipped = p->r.outputs[i].skipped;
    else
      elements_compare(&x[i], &made[i], &p->kept[i]);
    as_kept = as_kept && (x[i].skipped || x[i].equal);
  }
  for (size_t i = 0; !is_first && i < n; i++) {
    elements_compare(&other, &made[i], &p->first[i]);
    alike = alike && other.equal;
  }
  p->to.runs++;
  p->to.alike += alike;
  p->to.as_kept += as_kept;
  if (!is_first) {
    free(x);
    return;
  }
  p->first = made;
  p->to.outputs = x;
  p->to.noutputs = n == p->r.noutputs ? n : 1;
}

/* Takes the outputs from torch. NULL with an answer. */
static elements *fetch(replay *p, torch_tensor *outputs) {
  elements *made = calloc(p->m.noutputs + 1, sizeof *made);
  const char *why = made ? NULL : "there is not enough memory";
  for (size_t i = 0; i < p->m.noutputs; i++) {
    if (!why) why = elements_fetch(&made[i], outputs[i]);
    torch.delete_tensor_object(outputs[i]);
  }
  if (!why) return made;
  answer_fail(&p->to, "an output cannot be read: %s", why);
  return NULL;
}

static bool run(replay *p, int index) {
  torch_tensor *inputs = calloc(p->r.ninputs + 1, sizeof *inputs),
               *outputs = calloc(p->m.noutputs + 1, sizeof *outputs);
  bool ok = inputs && outputs;
  for (size_t i = 0; ok && i < p->r.ninputs; i++) ok = lay_input(p, i, &inputs[i]);
  void *stream = index >= 0 ? torch_stream(index) : NULL;
  if (ok && p->m.run(p->m.container, inputs, p->r.ninputs, outputs, p->m.noutputs, stream, NULL)) {
    answer_fail(&p->to, "%s() failed, and says above why", p->m.entry);
    ok = false;
  }
  elements *made = ok ? fetch(p, outputs) : NULL;
  const bool is_first = !p->first;
  if (made) compare(p, made);
  if (made && !is_first) {
    for (size_t i = 0; i < p->m.noutputs; i++) elements_free(&made[i]);
    free(made);
  }
  free(inputs);
  free(outputs);
  return made;
}

static void run_all(replay *p) {
  int index;
  if (!torch_load(p->r.torch, &p->to) || !read_tensors(p) ||
      !find_device(&p->r.device, &index, &p->to) || !model_load(&p->m, &p->r, index, &p->to))
    return;
  for (long long i = 0; i < p->r.runs; i++)
    if (!run(p, index)) break;
  p->m.delete(p->m.container);
}

/* Nothing of the model has run. Returns where the other host is not there. */
static void become_other(const replay *p) {
  const char *why = p->to.failed ? p->to.failed : p->to.refused;
  if (p->r.tells) fprintf(stderr, "aotigen: a Python with torch runs the inputs: %s\n", why);
  fflush(NULL);
  execvp(p->r.otherwise[0], p->r.otherwise);
}

int main(int argc, char **argv) {
  static replay p;
  if (argc != 2 || !request_read(&p.r, argv[1])) {
    fprintf(stderr, "aotigen-replay-host: 'aotigen replay' runs it, with a file of its own\n");
    return 2;
  }
  run_all(&p);
  if ((p.to.failed || p.to.refused) && !p.m.began && *p.r.otherwise) become_other(&p);
  if (!answer_write(&p.to, p.r.result)) {
    fprintf(stderr, "aotigen-replay-host: '%s' cannot be written: %s\n", p.r.result,
            strerror(errno));
    return 1;
  }
  if (p.to.failed) fprintf(stderr, "aotigen-replay-host: %s\n", p.to.failed);
  return p.to.failed != NULL;
}

/* python_host.c - the host that is a script, host.py; see host_kinds.h. */
#include "replay/host_kinds.h"
#include "base/file.h"
#include "base/shown.h"
#include "command/locate.h"
#include "replay/constants.h"
#include "system/process.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 30, ANSWER_MOST = 4096 };

/* The scripts, embedded by the Makefile. */
extern const unsigned char host_script[], hosting_script[];
extern const size_t host_script_size, hosting_script_size;

/* ---- Python */

/* NULL, or why this interpreter cannot be the host. */
static const char *try_python(const char *python) {
  static char code[] = "import importlib.util, sys\n"
                       "sys.path = [p for p in sys.path if p]\n"
                       "sys.exit(3 if importlib.util.find_spec('torch') is None else 0)\n";
  char dash_c[] = "-c";
  char *argv[] = {(char *)python, dash_c, code, NULL};
  strbuf out = {0};
  process p;
  const bool ok = process_capture(&p, argv, SECONDS, ANSWER_MOST, &out);
  strbuf_free(&out);
  if (ok) return NULL;
  return p.error == ENOENT      ? "is not there"
         : p.error == ETIMEDOUT ? "did not answer in 30 seconds"
         : p.error              ? strerror(p.error)
                                : "has no torch";
}

/* The interpreter of the environment that this torch is installed in: PREFIX/bin/python3 of
 * PREFIX/lib/python3.11/site-packages/torch. NULL for none. */
static const char *find_beside(const char *torch, arena *a) {
  const char *prefix = torch;
  for (int i = 0; i < 4; i++) prefix = file_dir(a, prefix);
  const char *python = arena_printf(a, "%s/bin/python3", prefix);
  return access(python, X_OK) == 0 ? python : NULL;
}

/* *torch_failed: that of --torch is not there, which is said. */
static const char *guess(const options *o, arena *a, diags *d, bool *torch_failed) {
  const locate_request nothing_recorded = {.recorded = &(strings){0}};
  const char *python = o->env.python;
  place p;
  *torch_failed = !python && o->torch && !locate_torch(&p, &nothing_recorded, o, a, d);
  if (!python && o->torch && !*torch_failed) python = find_beside(p.torch, a);
  return python ? python : o->python;
}

const char *python_host_guess(const options *o, arena *a) {
  bool failed;
  return guess(o, a, diags_new(a), &failed);
}

const char *python_host_find(const char *what, const options *o, arena *a, diags *d) {
  bool failed;
  const char *python = guess(o, a, d, &failed), *why = failed ? NULL : try_python(python);
  if (failed) return NULL;
  if (!why) return python;
  diag_error(d, STATUS_INPUT, python,
             "%s: %s a Python that has torch: name one with $PYTHON, or its torch with --torch=DIR",
             why, what);
  return NULL;
}

/* ---- what it is told */

static cJSON *describe_sizes(const long long *at, size_t n) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < n; i++) cJSON_AddItemToArray(list, cJSON_CreateNumber((double)at[i]));
  return list;
}

static cJSON *describe_tensor(const capsule_tensor *t) {
  cJSON *one = cJSON_CreateObject();
  cJSON_AddStringToObject(one, "dtype", t->dtype);
  cJSON_AddStringToObject(one, "device", t->device);
  cJSON_AddItemToObject(one, "sizes", describe_sizes(t->sizes, t->ndim));
  cJSON_AddItemToObject(one, "strides", describe_sizes(t->strides, t->ndim));
  shown_add_json(one, "why", t->why);
  return one;
}

static cJSON *describe_tensors(const capsule_tensors *tensors) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < tensors->n; i++)
    cJSON_AddItemToArray(list, describe_tensor(&tensors->at[i]));
  return list;
}

/* Of those that are to be loaded. */
static cJSON *describe_constants(const capsule *c) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < c->constants.n; i++) {
    const capsule_constant *k = &c->constants.at[i];
    if (k->tensor.kept == CAPSULE_NOT_KEPT) continue;
    cJSON *one = describe_tensor(&k->tensor);
    cJSON_AddStringToObject(one, "name", k->name);
    cJSON_AddItemToArray(list, one);
  }
  return list;
}

/* What the host looks for in the outputs: a debug package looks for NaN and Inf alone. */
static cJSON *describe_checks(const capsule *c) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < c->findings.n; i++) {
    const capsule_finding *f = &c->findings.at[i];
    if (f->kind == CAPSULE_BAD) continue;
    cJSON *one = cJSON_CreateObject();
    cJSON_AddNumberToObject(one, "finding", (double)i);
    cJSON_AddNumberToObject(one, "output", (double)f->output);
    if (f->kind == CAPSULE_LIMIT) {
      cJSON_AddStringToObject(one, "comparison", f->comparison);
      cJSON_AddNumberToObject(one, "bound", f->bound);
      cJSON_AddBoolToObject(one, "absolute", f->absolute);
    }
    cJSON_AddItemToArray(list, one);
  }
  return list;
}

cJSON *python_host_describe_libraries(const options *o) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < o->replay.nlibraries; i++)
    cJSON_AddItemToArray(list, cJSON_CreateString(o->replay.libraries[i]));
  return list;
}

static cJSON *describe_request(const host *h, const host_request *r) {
  const capsule *c = r->c;
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "capsule", c->path);
  cJSON_AddStringToObject(json, "package", r->p->unwatched ? r->p->unwatched : r->p->package);
  cJSON_AddStringToObject(json, "model", c->model);
  cJSON_AddStringToObject(json, "device", c->device);
  cJSON_AddBoolToObject(json, "single_threaded", c->single_threaded);
  cJSON_AddNumberToObject(json, "runs", r->o->replay.repeat);
  cJSON_AddItemToObject(json, "inputs", describe_tensors(&c->inputs));
  cJSON_AddItemToObject(json, "outputs", describe_tensors(&c->outputs));
  cJSON_AddItemToObject(json, "checks", describe_checks(c));
  cJSON_AddItemToObject(json, "constants", describe_constants(c));
  cJSON_AddBoolToObject(json, "fresh", constants_need_fresh(c));
  cJSON_AddItemToObject(json, "libraries", python_host_describe_libraries(r->o));
  cJSON_AddStringToObject(json, "result", h->result);
  return json;
}

char **python_host_command(const char *python, const char *script, const char *request, arena *a) {
  const char *const all[] = {python, "-W", "ignore", script, request};
  const size_t n = sizeof all / sizeof *all;
  char **command = arena_alloc(a, (n + 1) * sizeof *command);
  for (size_t i = 0; i < n; i++) command[i] = arena_strdup(a, all[i]);
  command[n] = NULL;
  return command;
}

bool python_host_write_shared(const char *dir, arena *a, diags *d) {
  return host_write_file(arena_printf(a, "%s/hosting.py", dir), (const char *)hosting_script,
                         hosting_script_size, d);
}

char **python_host_write(const host *h, const char *python, const host_request *r) {
  const char *script = arena_printf(r->a, "%s/host.py", h->dir),
             *request = arena_printf(r->a, "%s/replay.json", h->dir);
  const bool ok = host_write_json(request, describe_request(h, r), r->d) &&
                  python_host_write_shared(h->dir, r->a, r->d) &&
                  host_write_file(script, (const char *)host_script, host_script_size, r->d);
  return ok ? python_host_command(python, script, request, r->a) : NULL;
}

char **python_host_make(const host *h, const host_request *r, char *const *written) {
  const char *python = python_host_find("a capsule's inputs are run by", r->o, r->a, r->d);
  if (!python || !written) return python ? python_host_write(h, python, r) : NULL;
  char **command = arena_alloc(r->a, 6 * sizeof *command);
  memcpy(command, written, 6 * sizeof *command);
  command[0] = arena_strdup(r->a, python);
  return command;
}

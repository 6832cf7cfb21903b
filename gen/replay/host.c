/* host.c - see host.h. */
#include "replay/host.h"
#include "base/file.h"
#include "base/shown.h"
#include "command/locate.h"
#include "system/cleanup.h"
#include "system/process.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 30, ANSWER_MOST = 4096, RESULT_MOST = 4 << 20 };

/* host.py, embedded by the Makefile. */
extern const unsigned char host_script[];
extern const size_t host_script_size;

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

static const char *find_python(const options *o, arena *a, diags *d) {
  const locate_request nothing_recorded = {.recorded = &(strings){0}};
  const char *python = o->env.python;
  place p;
  if (!python && o->torch) {
    if (!locate_torch(&p, &nothing_recorded, o, a, d)) return NULL;
    python = find_beside(p.torch, a);
  }
  if (!python) python = o->python;
  const char *why = try_python(python);
  if (!why) return python;
  diag_error(d, STATUS_INPUT, python,
             "%s: a capsule's inputs are run by a Python that has torch: name one with $PYTHON, or "
             "its torch with --torch=DIR",
             why);
  return NULL;
}

/* ---- what it is told */

static cJSON *describe_sizes(const long long *at, size_t n) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < n; i++) cJSON_AddItemToArray(list, cJSON_CreateNumber((double)at[i]));
  return list;
}

static cJSON *describe_tensors(const capsule_tensors *tensors) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < tensors->n; i++) {
    const capsule_tensor *t = &tensors->at[i];
    cJSON *one = cJSON_CreateObject();
    cJSON_AddStringToObject(one, "dtype", t->dtype);
    cJSON_AddStringToObject(one, "device", t->device);
    cJSON_AddItemToObject(one, "sizes", describe_sizes(t->sizes, t->ndim));
    cJSON_AddItemToObject(one, "strides", describe_sizes(t->strides, t->ndim));
    shown_add_json(one, "why", t->why);
    cJSON_AddItemToArray(list, one);
  }
  return list;
}

static cJSON *describe_request(const host *h, const capsule *c, const original *p,
                               const options *o) {
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "capsule", c->path);
  cJSON_AddStringToObject(json, "package", p->unwatched ? p->unwatched : p->package);
  cJSON_AddStringToObject(json, "model", c->model);
  cJSON_AddStringToObject(json, "device", c->device);
  cJSON_AddBoolToObject(json, "single_threaded", c->single_threaded);
  cJSON_AddNumberToObject(json, "runs", o->replay.repeat);
  cJSON_AddItemToObject(json, "inputs", describe_tensors(&c->inputs));
  cJSON_AddItemToObject(json, "outputs", describe_tensors(&c->outputs));
  cJSON_AddStringToObject(json, "result", h->result);
  return json;
}

static bool write_file(const char *path, const char *text, size_t n, diags *d) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool ok = fd >= 0 && file_write(fd, text, n);
  int error = errno;
  if (fd >= 0 && close(fd) != 0 && ok) {
    ok = false;
    error = errno;
  }
  if (!ok) diag_error(d, STATUS_INPUT, path, "cannot be written: %s", strerror(error));
  return ok;
}

bool host_make(host *h, const capsule *c, const original *p, const options *o, arena *a, diags *d) {
  static char dash_w[] = "-W", ignore[] = "ignore";
  const char *python = find_python(o, a, d), *dir = python ? cleanup_private_dir(d) : NULL;
  if (!dir) return false;
  const char *script = arena_printf(a, "%s/host.py", dir),
             *request = arena_printf(a, "%s/replay.json", dir);
  *h = (host){.command = arena_alloc(a, 6 * sizeof *h->command),
              .result = arena_printf(a, "%s/replayed.json", dir),
              .outputs = c->outputs.n};
  cJSON *json = describe_request(h, c, p, o);
  char *text = cJSON_PrintUnformatted(json);
  bool ok = text && write_file(script, (const char *)host_script, host_script_size, d) &&
            write_file(request, text, strlen(text), d);
  cJSON_free(text);
  cJSON_Delete(json);
  h->command[0] = arena_strdup(a, python);
  h->command[1] = dash_w;
  h->command[2] = ignore;
  h->command[3] = arena_strdup(a, script);
  h->command[4] = arena_strdup(a, request);
  return ok;
}

/* ---- what it tells */

static const char *get_text(const cJSON *in, const char *key, arena *a) {
  const cJSON *at = cJSON_GetObjectItemCaseSensitive(in, key);
  return cJSON_IsString(at) ? arena_strdup(a, at->valuestring) : NULL;
}

static long long get_number(const cJSON *in, const char *key) {
  const cJSON *at = cJSON_GetObjectItemCaseSensitive(in, key);
  const double x = cJSON_IsNumber(at) ? at->valuedouble : 0;
  return x > 0 && x < 1e15 ? (long long)x : 0;
}

/* "first at [1, 2], 3 of 6 elements: 1.5, and was 2.5". */
static const char *describe_difference(const cJSON *in, arena *a) {
  const cJSON *first = cJSON_GetObjectItemCaseSensitive(in, "first"), *at;
  const char *why = get_text(in, "why", a), *index = "";
  if (why) return why;
  cJSON_ArrayForEach(at, first)
      index = arena_printf(a, "%s%s%.0f", index, *index ? ", " : "", at->valuedouble);
  return arena_printf(a, "first at [%s], %lld of %lld elements: %s, and was %s", index,
                      get_number(in, "count"), get_number(in, "numel"), get_text(in, "now", a),
                      get_text(in, "kept", a));
}

static void read_outputs(host_result *r, const cJSON *in, arena *a) {
  const cJSON *at;
  cJSON_ArrayForEach(at, cJSON_GetObjectItemCaseSensitive(in, "outputs")) {
    const bool equal = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(at, "equal"));
    const char *skipped = get_text(at, "skipped", a);
    *arena_push(a, &r->outputs) =
        (host_output){.equal = equal,
                      .skipped = skipped,
                      .text = equal || skipped ? NULL : describe_difference(at, a)};
  }
}

bool host_read(host_result *r, const host *h, arena *a) {
  strbuf t = {0};
  *r = (host_result){0};
  cJSON *in = file_read(h->result, RESULT_MOST, &t) ? cJSON_Parse(t.at) : NULL;
  const bool ok = cJSON_IsObject(in);
  if (ok) {
    r->refused = get_text(in, "refused", a);
    r->failed = get_text(in, "failed", a);
    r->runs = get_number(in, "runs");
    r->alike = get_number(in, "alike");
    r->as_kept = get_number(in, "as_kept");
    read_outputs(r, in, a);
  }
  cJSON_Delete(in);
  strbuf_free(&t);
  return ok;
}

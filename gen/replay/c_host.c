/* c_host.c - the host that needs no Python, host/main.c; see host_kinds.h. */
#include "replay/host_kinds.h"
#include "base/file.h"
#include "command/locate.h"
#include "replay/stored.h"
#include "system/cleanup.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what it needs */

static const char *find_program(arena *a) {
  static const char *const places[] = {"", "../lib/aotigen/"};
  const char *home = file_program_dir(a);
  for (size_t i = 0; home && i < sizeof places / sizeof *places; i++) {
    const char *path = arena_printf(a, "%s/%saotigen-replay-host", home, places[i]);
    if (access(path, X_OK) == 0) return path;
  }
  return NULL;
}

/* The directory of torch's libraries: those of --torch, else of the Python that would be asked. */
static const char *find_torch(const options *o, arena *a) {
  const locate_request nothing_recorded = {.recorded = &(strings){0}};
  options asking = *o;
  place p;
  if (o->env.python) asking.python = o->env.python;
  if (!locate_torch(&p, &nothing_recorded, &asking, a, diags_new(a))) return NULL;
  const char *lib = arena_printf(a, "%s/lib", p.torch);
  return file_is_file(arena_printf(a, "%s/libtorch_cpu.so", lib)) ? lib : NULL;
}

static bool is_device(const char *name) {
  return !strcmp(name, "cpu") || !strcmp(name, "cuda") || text_begins(name, "cuda:");
}

/* It reads lines. */
static bool is_line(const char *text) { return !strchr(text, '\n'); }

static const char *explain_lack(const host_request *r) {
  const capsule_tensors *in = &r->c->inputs;
  if (r->o->replay.nlibraries) return "torch's Python is to load what --library names";
  if (r->p->left) return r->p->left;
  if (r->c->constants.n) return "torch's loader is to load weights or buffers of the capsule";
  if (!is_device(r->c->device)) return "it knows CPUs and GPUs of CUDA alone";
  for (size_t i = 0; i < in->n; i++)
    if (!is_device(in->at[i].device)) return "it knows CPUs and GPUs of CUDA alone";
  if (!is_line(r->c->path) || !is_line(r->p->package)) return "a name has several lines";
  return NULL;
}

/* ---- the capsule's tensors beside its description */

static const char *describe(const char *dtype, const long long *sizes, size_t n, arena *a) {
  const char *t = arena_printf(a, "%s [", dtype);
  for (size_t i = 0; i < n; i++) t = arena_printf(a, "%s%s%lld", t, i ? ", " : "", sizes[i]);
  return arena_printf(a, "%s]", t);
}

static bool refuse(const host_request *r, const char *why) {
  diag_error(r->d, STATUS_INPUT, r->c->path, "cannot be replayed: %s", why);
  return false;
}

static bool check_tensor(const host_request *r, const char *what, size_t i, const stored_tensor *t,
                         const capsule_tensor *told) {
  if (!t->dtype)
    return refuse(r, arena_printf(r->a,
                                  "%s %zu is no tensor: the capsule was changed after it was "
                                  "written",
                                  what, i));
  if (!strcmp(t->dtype, told->dtype) && t->ndim == told->ndim &&
      !memcmp(t->sizes, told->sizes, t->ndim * sizeof *t->sizes))
    return true;
  return refuse(r, arena_printf(r->a,
                                "%s %zu is %s, where the capsule's description has %s: it was "
                                "changed after it was written",
                                what, i, describe(t->dtype, t->sizes, t->ndim, r->a),
                                describe(told->dtype, told->sizes, told->ndim, r->a)));
}

static bool check_tensors(const host_request *r, const stored *s) {
  const capsule *c = r->c;
  bool ok = true;
  if (s->inputs.n != c->inputs.n || s->outputs.n != c->outputs.n)
    return refuse(r, arena_printf(r->a,
                                  "the capsule holds %zu inputs and %zu outputs, where its "
                                  "description has %zu and %zu: it was changed after it was "
                                  "written",
                                  s->inputs.n, s->outputs.n, c->inputs.n, c->outputs.n));
  for (size_t i = 0; ok && i < c->inputs.n; i++)
    ok = check_tensor(r, "input", i, &s->inputs.at[i], &c->inputs.at[i]);
  for (size_t i = 0; ok && i < c->outputs.n; i++)
    if (s->outputs.at[i].dtype)
      ok = check_tensor(r, "output", i, &s->outputs.at[i], &c->outputs.at[i]);
  return ok;
}

/* ---- what it is told: host/request.h */

static void add_numbers(strbuf *t, const long long *at, size_t n) {
  for (size_t i = 0; i < n; i++) strbuf_printf(t, " %lld", at[i]);
}

/* " cuda 1"; a device without an index is the first of its kind. */
static void add_device(strbuf *t, const char *device) {
  const char *colon = strchr(device, ':');
  strbuf_printf(t, " %.*s %d", (int)strcspn(device, ":"), device,
                colon                   ? atoi(colon + 1)
                : strcmp(device, "cpu") ? 0
                                        : -1);
}

static void add_stored(strbuf *t, const char *what, const stored_tensor *s) {
  strbuf_printf(t, "%s %s %zu", what, s->dtype, s->ndim);
  add_numbers(t, s->sizes, s->ndim);
  add_numbers(t, s->strides, s->ndim);
  strbuf_printf(t, " %lld", s->offset);
}

static void add_tensors(strbuf *t, const stored *s, const capsule *c) {
  for (size_t i = 0; i < c->inputs.n; i++) {
    add_stored(t, "input", &s->inputs.at[i]);
    add_numbers(t, c->inputs.at[i].strides, c->inputs.at[i].ndim);
    add_device(t, c->inputs.at[i].device);
    strbuf_printf(t, " %sdata/%s\n", s->root, s->inputs.at[i].member);
  }
  for (size_t i = 0; i < c->outputs.n; i++) {
    const char *why = c->outputs.at[i].why;
    if (s->outputs.at[i].dtype) {
      add_stored(t, "output", &s->outputs.at[i]);
      strbuf_printf(t, " %sdata/%s\n", s->root, s->outputs.at[i].member);
    } else {
      strbuf_printf(t, "skipped %s\n", why ? why : "the capsule does not have it");
    }
  }
}

/* `otherwise`: host.py's command. */
static bool write_request(const host *h, const host_request *r, const stored *s, const char *torch,
                          char *const *otherwise, const char *path) {
  const char *work = arena_printf(r->a, "%s/model", h->dir);
  strbuf t = {0};
  if (!cleanup_make_dir(work, r->d)) return false;
  strbuf_printf(&t, "torch %s\npackage %s\ndirectory %s\nlibrary %s\nwork %s\n", torch,
                r->p->unwatched ? r->p->unwatched : r->p->package, r->p->dir, r->p->so, work);
  strbuf_printf(&t, "capsule %s\nresult %s\nruns %u\nsingle_threaded %d\ndevice", r->c->path,
                h->result, r->o->replay.repeat, r->c->single_threaded);
  add_device(&t, r->c->device);
  strbuf_printf(&t, "\ntells %d\n", r->o->verbosity > 0);
  for (; otherwise && *otherwise; otherwise++) strbuf_printf(&t, "otherwise %s\n", *otherwise);
  add_tensors(&t, s, r->c);
  const bool ok = host_write_file(path, t.at, t.n, r->d);
  strbuf_free(&t);
  return ok;
}

char **c_host_make(const host *h, const host_request *r, char *const *otherwise, const char **why) {
  const char *program = find_program(r->a), *torch = NULL;
  stored s;
  *why = program ? explain_lack(r) : "aotigen-replay-host is not installed beside aotigen";
  if (!*why) *why = stored_read(&s, r->c->path, r->o, r->a);
  if (!*why && !check_tensors(r, &s)) return NULL;
  if (!*why && !(torch = find_torch(r->o, r->a)))
    *why = "no torch was found that has its libraries";
  if (*why) return NULL;
  const char *request = arena_printf(r->a, "%s/replay.txt", h->dir);
  if (!write_request(h, r, &s, torch, otherwise, request)) return NULL;
  char **command = arena_alloc(r->a, 3 * sizeof *command);
  command[0] = arena_strdup(r->a, program);
  command[1] = arena_strdup(r->a, request);
  return command;
}

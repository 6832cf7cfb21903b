/* capsule.c - see capsule.h. */
#define _GNU_SOURCE
#include "watch/capsule.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file_write.h"
#include "base/fork_lock.h"
#include "base/json.h"
#include "base/own_path.h"
#include "base/process_tag.h"
#include "base/settings.h"
#include "output/torch_archive.h"
#include "shared/version.h"
#include "watch/identity.h"

extern char **environ;

/* ---- the JSON text -------------------------------------------------------------------------- */

static void add_string(ag_text *t, const char *field, const char *value) {
  ag_json_add_name(t, field);
  ag_json_add_string(t, value);
}

static void add_device(ag_text *t, const ag_tensor *of) {
  ag_text device = {0};
  ag_device_describe(&device, of->device_type, of->device_index);
  add_string(t, "device", ag_text_string(&device));
  ag_text_free(&device);
}

static void add_tensor(ag_text *t, const ag_kept_tensor *k) {
  static const char *const how[] = {"not kept", "copied", "held"};
  ag_text_add(t, "{\"dtype\":");
  ag_json_add_string(t, k->view.t.dtype ? k->view.t.dtype->name : NULL);
  ag_json_add_name(t, "sizes");
  ag_json_add_list(t, k->view.t.sizes, k->view.t.ndim);
  ag_json_add_name(t, "strides");
  ag_json_add_list(t, k->view.t.strides, k->view.t.ndim);
  add_device(t, &k->view.t);
  add_string(t, "kept", how[k->how]);
  add_string(t, "why", k->how == AG_NOT_KEPT ? k->why : NULL);
  ag_text_add(t, "}");
}

static void add_tensors(ag_text *t, const char *field, const ag_kept_list *l) {
  ag_json_add_name(t, field);
  ag_text_add(t, "[");
  for (size_t i = 0; i < l->count; i++) {
    if (i) ag_text_add(t, ",");
    if (ag_view_is_described(&l->list[i].view)) {
      add_tensor(t, &l->list[i]);
    } else {
      ag_text_add(t, "{\"kept\":\"not kept\"");
      add_string(t, "why", "it is not a strided tensor");
      ag_text_add(t, "}");
    }
  }
  ag_text_add(t, "]");
}

/* The variables that the run may depend on. No other one: an environment has secrets. */
static void add_environment(ag_text *t) {
  static const char *const with[] = {
      "AOTIGEN_", "TORCH_", "CUDA_", "OMP_", "MKL_", "CUBLAS_", "NVIDIA_TF32_OVERRIDE="};
  const char *before = "";
  ag_json_add_name(t, "environment");
  ag_text_add(t, "{");
  for (char **v = environ; v && *v; v++) {
    const char *equals = strchr(*v, '=');
    bool taken = false;
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
      taken = taken || !strncmp(*v, with[i], strlen(with[i]));
    if (!equals || !taken) continue;
    ag_text name = {0};
    ag_text_add_bytes(&name, *v, (size_t)(equals - *v));
    ag_text_add(t, before);
    ag_json_add_string(t, ag_text_string(&name));
    ag_text_add(t, ":");
    ag_json_add_string(t, equals + 1);
    ag_text_free(&name);
    before = ",";
  }
  ag_text_add(t, "}");
}

static void add_process(ag_text *t) {
  char host[256] = "";
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  ag_json_add_name(t, "time");
  ag_text_addf(t, "%lld.%03ld", (long long)now.tv_sec, now.tv_nsec / 1000000);
  if (!gethostname(host, sizeof host - 1)) add_string(t, "host", host);
  ag_json_add_name(t, "pid");
  ag_json_add_number(t, getpid());
  ag_json_add_name(t, "rank");
  if (ag_process_tag_rank() >= 0)
    ag_json_add_number(t, ag_process_tag_rank());
  else
    ag_json_add_string(t, NULL);
}

static void describe(ag_text *t, const ag_watched_run *r, const char *findings) {
  ag_text_add(t, "{\"aotigen_capsule\":1");
  add_string(t, "aotigen", AOTIGEN_VERSION);
  add_process(t);
  ag_json_add_name(t, "model");
  ag_text_add(t, ag_watch_identity());
  ag_json_add_name(t, "run");
  ag_json_add_number(t, (int64_t)r->number);
  add_string(t, "entry", r->entry);
  add_string(t, "weights", ag_watch_weights());
  if (r->outputs.count && ag_view_is_described(&r->outputs.list[0].view))
    add_device(t, &r->outputs.list[0].view.t);
  ag_json_add_name(t, "findings");
  ag_text_addf(t, "[%s]", findings);
  add_tensors(t, "inputs", &r->inputs);
  add_tensors(t, "outputs", &r->outputs);
  add_environment(t);
  ag_text_add(t, "}");
}

/* ---- the archive ---------------------------------------------------------------------------- */

static void pickle_list(ag_text *t, const char *name, const ag_kept_list *l, size_t *number) {
  ag_pickle_string(t, name);
  ag_text_add(t, "](");
  for (size_t i = 0; i < l->count; i++) {
    const ag_view *view = ag_kept_tensor_view(&l->list[i]);
    if (view)
      ag_pickle_tensor(t, view, (*number)++);
    else
      ag_text_add(t, "N");
  }
  ag_text_add(t, "e");
}

/* The stream on which nothing else runs: what is read is complete. */
static void *reading_stream(const ag_view *view) {
  const ag_backend *b = ag_backend_of_device_type(view->t.device_type);
  return b && b->async ? b->async->device->side_stream(view->t.device_index) : NULL;
}

static void add_storages(ag_torch_archive *a, const ag_kept_list *l, size_t *number) {
  for (size_t i = 0; i < l->count && !a->why; i++) {
    const ag_view *view = ag_kept_tensor_view(&l->list[i]);
    ag_reader reader;
    if (!view) continue;
    a->why = ag_reader_open(&reader, view, reading_stream(view));
    if (a->why) break;
    ag_archive_add_storage(a, (*number)++, &reader, view);
    ag_reader_close(&reader);
  }
}

static const char *write_archive(int fd, const ag_watched_run *r, const char *findings) {
  ag_torch_archive a;
  ag_text json = {0}, pickle = {0};
  size_t number = 0;
  describe(&json, r, findings);
  ag_text_add(&pickle, AG_PICKLE_BEGIN "}(");
  ag_pickle_string(&pickle, "capsule");
  ag_pickle_string(&pickle, ag_text_string(&json));
  pickle_list(&pickle, "inputs", &r->inputs, &number);
  pickle_list(&pickle, "outputs", &r->outputs, &number);
  ag_text_add(&pickle, "u" AG_PICKLE_END);
  ag_archive_begin(&a, fd, "capsule");
  ag_archive_add(&a, "capsule.json", json.data, json.length);
  ag_archive_add(&a, "data.pkl", pickle.data, pickle.length);
  number = 0;
  add_storages(&a, &r->inputs, &number);
  add_storages(&a, &r->outputs, &number);
  ag_text_free(&json);
  ag_text_free(&pickle);
  return ag_archive_end(&a);
}

/* ---- the file ------------------------------------------------------------------------------- */

enum { SUFFIX_MOST = 10000 };
static unsigned
    newest; /* the suffix of the capsule that is replaced; 0: there is none. With `lock` */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
AG_FORK_LOCK(lock)

static void set_name(ag_text *t, unsigned suffix) {
  ag_text_clear(t);
  ag_text_add(t, ag_settings_get()->capsule);
  if (suffix > 1) ag_text_addf(t, ".%u", suffix);
}

/* Gives the file at `path` the first free name: another library of the process, or an earlier
 * process, may have the first ones. NULL, or why that failed. Where a file system has
 * no second names of a file, a name may be taken at the same moment by another process. */
static const char *give_free_name(ag_capsule *c, const char *path, unsigned *suffix) {
  for (*suffix = 1; *suffix <= SUFFIX_MOST; ++*suffix) {
    set_name(&c->file, *suffix);
    const char *name = ag_text_string(&c->file);
    if (!link(path, name)) return unlink(path) ? strerror(errno) : NULL;
    if (errno == EEXIST) continue;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS) return strerror(errno);
    if (access(name, F_OK)) return rename(path, name) ? strerror(errno) : NULL;
  }
  return "all names are taken";
}

static const char *give_name(ag_capsule *c, const char *path, bool replaces) {
  unsigned suffix;
  if (!replaces || !newest) {
    const char *why = give_free_name(c, path, &suffix);
    if (replaces && !why) newest = suffix;
    return why;
  }
  set_name(&c->file, newest);
  return rename(path, ag_text_string(&c->file)) ? strerror(errno) : NULL;
}

static void note_what_lacks(ag_text *t, const ag_kept_list *inputs) {
  for (size_t i = 0; i < inputs->count; i++) {
    const ag_kept_tensor *k = &inputs->list[i];
    if (k->how != AG_NOT_KEPT) continue;
    if (t->length) ag_text_add(t, "; ");
    ag_text_addf(t, "input %zu: %s", i, k->why ? k->why : "it is not a tensor");
  }
}

/* For tests: as in a process that has written none. */
void ag_capsule_forget(void);
void ag_capsule_forget(void) { newest = 0; }

void ag_capsule_write(ag_capsule *c, const ag_watched_run *r, bool replaces, const char *findings) {
  ag_text beside = {0};
  pthread_mutex_lock(&lock);
  set_name(&c->file, 1);
  ag_text_addf(&beside, "%s.%ld.%zx.part", ag_text_string(&c->file), (long)getpid(),
               (size_t)(uintptr_t)&newest); /* of this process and library alone */
  const char *path = ag_text_string(&beside);
  int fd = ag_own_path_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  const char *why = fd < 0 ? ag_own_path_error(errno) : write_archive(fd, r, findings);
  if (fd >= 0 && close(fd) && !why) why = strerror(errno);
  if (!why) why = give_name(c, path, replaces);
  if (why && fd >= 0) unlink(path);
  if (why) ag_text_addf(&c->failure, "'%s': %s", ag_text_string(&c->file), why);
  if (why)
    ag_text_clear(&c->file);
  else
    note_what_lacks(&c->not_kept, &r->inputs);
  ag_text_free(&beside);
  pthread_mutex_unlock(&lock);
}

void ag_capsule_free(ag_capsule *c) {
  ag_text_free(&c->file);
  ag_text_free(&c->not_kept);
  ag_text_free(&c->failure);
}

/* capsule.c - see capsule.h. */
#define _GNU_SOURCE
#include "watch/capsule.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
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
#include "tensor/element_hash.h"
#include "tensor/shim.h"
#include "watch/fault_report.h"
#include "watch/held_values.h"
#include "watch/identity.h"
#include "watch/left_files.h"

extern char **environ;

/* ---- the JSON text -------------------------------------------------------------------------- */

static void add_string(ag_text *t, const char *field, const char *value) {
  ag_json_add_name(t, field);
  ag_json_add_string(t, value);
}

/* of: NULL: that is not known, and need not be. */
static void add_device(ag_text *t, const ag_tensor *of) {
  ag_text device = {0};
  ag_device_describe(&device, of ? of->device_type : ag_backend_cpu.device_type,
                     of ? of->device_index : -1);
  add_string(t, "device", ag_text_string(&device));
  ag_text_free(&device);
}

/* Of what is read on the host, and nowhere else: null for others. */
static void add_hash(ag_text *t, const ag_kept_tensor *k) {
  const ag_view *view = ag_kept_tensor_view(k);
  char hash[20];
  const bool is_here = view && view->t.device_type == ag_backend_cpu.device_type &&
                       ag_view_is_readable(view);
  if (is_here)
    snprintf(hash, sizeof hash, "%016llx",
             (unsigned long long)ag_hash_part(&view->t, 0, view->t.numel));
  add_string(t, "hash", is_here ? hash : NULL);
}

/* The fields, without braces. */
static void add_tensor(ag_text *t, const ag_kept_tensor *k) {
  static const char *const how[] = {"not kept", "copied", "held"};
  const bool is_known = ag_view_is_described(&k->view);
  const ag_tensor *of = &k->view.t;
  ag_text_add(t, "\"dtype\":");
  ag_json_add_string(t, is_known ? of->dtype->name : "unknown");
  ag_json_add_name(t, "sizes");
  ag_json_add_list(t, of->sizes, is_known ? of->ndim : 0);
  ag_json_add_name(t, "strides");
  ag_json_add_list(t, of->strides, is_known ? of->ndim : 0);
  add_device(t, is_known ? of : NULL);
  add_string(t, "kept", how[k->how]);
  add_string(t, "why", k->how == AG_NOT_KEPT ? k->why : NULL);
  add_string(t, "values", ag_held_values_name(k));
  add_hash(t, k);
}

static void add_tensors(ag_text *t, const char *field, const ag_kept_list *l) {
  ag_json_add_name(t, field);
  ag_text_add(t, "[");
  for (size_t i = 0; i < l->count; i++) {
    ag_text_add(t, i ? ",{" : "{");
    add_tensor(t, &l->list[i]);
    ag_text_add(t, "}");
  }
  ag_text_add(t, "]");
}

/* null: nothing is known of them. */
static void add_constants(ag_text *t, const ag_kept_constants *constants) {
  ag_json_add_name(t, "constants");
  ag_text_add(t, constants->why ? "null" : "[");
  for (size_t i = 0; i < constants->count; i++) {
    const ag_kept_constant *k = &constants->list[i];
    ag_text_add(t, i ? ",{\"name\":" : "{\"name\":");
    ag_json_add_string(t, k->name);
    add_string(t, "is", k->is_buffer ? "buffer" : "weight");
    ag_text_add(t, ",");
    add_tensor(t, &k->tensor);
    ag_text_add(t, "}");
  }
  if (!constants->why) ag_text_add(t, "]");
  if (constants->why) add_string(t, "constants_why", constants->why);
  ag_json_add_name(t, "constants_more");
  ag_json_add_number(t, (int64_t)constants->more);
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

/* The first tensor that is not on the host says where the model runs. */
static const ag_tensor *device_of(const ag_watched_run *r) {
  const ag_kept_list *lists[] = {&r->outputs, &r->inputs};
  for (int l = 0; l < 2; l++)
    for (size_t i = 0; i < lists[l]->count; i++) {
      const ag_view *view = &lists[l]->list[i].view;
      if (ag_view_is_described(view) && view->t.device_type != ag_backend_cpu.device_type)
        return &view->t;
    }
  return NULL;
}

static void add_gpu(ag_text *t, const ag_tensor *of) {
  const ag_backend *b = of ? ag_backend_of_device_type(of->device_type) : NULL;
  const bool tells = b && b->async && b->async->device->name;
  add_string(t, "gpu", tells ? b->async->device->name(of->device_index) : NULL);
}

/* Torch before 2.9 does not tell it. */
static void add_torch(ag_text *t) {
  char version[48];
  const uint64_t v = AOTIGEN_SHIM(abi_version) ? AOTIGEN_SHIM(abi_version)() : 0;
  snprintf(version, sizeof version, "%d.%d.%d", (int)(v >> 56), (int)(v >> 48 & 255),
           (int)(v >> 40 & 255));
  add_string(t, "torch", v >> 56 ? version : NULL);
}

static void add_fault(ag_text *t, const ag_watched_run *r) {
  if (!r->fault) return;
  add_string(t, "fault", ag_fault_name(r));
  add_string(t, "error", r->error.length ? ag_text_string(&r->error) : NULL);
}

static void describe(ag_text *t, const ag_watched_run *r, const ag_kept_constants *constants,
                     const char *findings) {
  ag_text_add(t, "{\"aotigen_capsule\":1");
  add_string(t, "aotigen", AOTIGEN_VERSION);
  add_process(t);
  ag_json_add_name(t, "model");
  ag_text_add(t, ag_watch_identity());
  ag_json_add_name(t, "run");
  ag_json_add_number(t, (int64_t)r->number);
  add_string(t, "entry", r->entry);
  add_string(t, "weights", ag_watch_weights());
  add_device(t, device_of(r));
  add_gpu(t, device_of(r));
  add_torch(t);
  add_fault(t, r);
  ag_json_add_name(t, "findings");
  ag_text_addf(t, "[%s]", findings);
  add_tensors(t, "inputs", &r->inputs);
  add_tensors(t, "outputs", &r->outputs);
  add_constants(t, constants);
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

static void pickle_constants(ag_text *t, const ag_kept_constants *constants, size_t *number) {
  ag_pickle_string(t, "constants");
  ag_text_add(t, "}(");
  for (size_t i = 0; i < constants->count; i++) {
    const ag_view *view = ag_kept_tensor_view(&constants->list[i].tensor);
    if (!view) continue;
    ag_pickle_string(t, constants->list[i].name);
    ag_pickle_tensor(t, view, (*number)++);
  }
  ag_text_add(t, "u");
}

/* The stream on which nothing else runs: what is read is complete. */
static void *reading_stream(const ag_view *view) {
  const ag_backend *b = ag_backend_of_device_type(view->t.device_type);
  return b && b->async ? b->async->device->side_stream(view->t.device_index) : NULL;
}

static void add_storage(ag_torch_archive *a, const ag_kept_tensor *k, size_t *number) {
  const ag_view *view = ag_kept_tensor_view(k);
  ag_reader reader;
  if (!view || a->why) return;
  a->why = ag_reader_open(&reader, view, reading_stream(view));
  if (a->why) return;
  ag_archive_add_storage(a, (*number)++, &reader, view);
  ag_reader_close(&reader);
}

static void add_storages(ag_torch_archive *a, const ag_watched_run *r,
                         const ag_kept_constants *constants) {
  size_t number = 0;
  for (size_t i = 0; i < r->inputs.count; i++) add_storage(a, &r->inputs.list[i], &number);
  for (size_t i = 0; i < r->outputs.count; i++) add_storage(a, &r->outputs.list[i], &number);
  for (size_t i = 0; i < constants->count; i++) add_storage(a, &constants->list[i].tensor, &number);
}

static const char *write_archive(int fd, const ag_watched_run *r,
                                 const ag_kept_constants *constants, const char *findings) {
  ag_torch_archive a;
  ag_text json = {0}, pickle = {0};
  size_t number = 0;
  describe(&json, r, constants, findings);
  ag_text_add(&pickle, AG_PICKLE_BEGIN "}(");
  ag_pickle_string(&pickle, "capsule");
  ag_pickle_string(&pickle, ag_text_string(&json));
  pickle_list(&pickle, "inputs", &r->inputs, &number);
  pickle_list(&pickle, "outputs", &r->outputs, &number);
  pickle_constants(&pickle, constants, &number);
  ag_text_add(&pickle, "u" AG_PICKLE_END);
  ag_archive_begin(&a, fd, "capsule");
  ag_archive_add(&a, "capsule.json", json.data, json.length);
  ag_archive_add(&a, "data.pkl", pickle.data, pickle.length);
  add_storages(&a, r, constants);
  ag_text_free(&json);
  ag_text_free(&pickle);
  return ag_archive_end(&a);
}

/* ---- the file ------------------------------------------------------------------------------- */

enum { SUFFIX_MOST = 10000 };
static struct {
  pthread_mutex_t lock;
  pid_t process;    /* that wrote it: a child of fork() has none */
  unsigned suffix;  /* of the capsule that is replaced; 0: there is none */
  uint64_t bytes;   /* of that one */
  uint64_t staying; /* bytes of the others */
} newest = {.lock = PTHREAD_MUTEX_INITIALIZER};
AG_FORK_LOCK(newest.lock)

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

/* Locked. The first ones and the newest one stay: what has no room beside both takes the place of
 * the newest, and what has none beside the first ones is not written. */
static const char *find_room(ag_capsule *c, uint64_t bytes, bool *replaces) {
  const uint64_t most = ag_settings_get()->capsule_bytes,
                 left = most > newest.staying ? most - newest.staying : 0;
  if (bytes > left) return "it is beyond AOTIGEN_CAPSULE_BYTES";
  c->displaces = !*replaces && newest.suffix && newest.bytes > left - bytes;
  *replaces |= c->displaces;
  return NULL;
}

/* Locked. A name that could not be given may be another process's later. */
static const char *replace_newest(ag_capsule *c, const char *path) {
  unsigned suffix;
  if (!newest.suffix) {
    const char *why = give_free_name(c, path, &suffix);
    newest.suffix = why ? 0 : suffix;
    return why;
  }
  set_name(&c->file, newest.suffix);
  return rename(path, ag_text_string(&c->file)) ? strerror(errno) : NULL;
}

/* A child of fork() has written none. */
static void forget_parents(void) {
  if (newest.process != getpid()) newest.suffix = 0, newest.bytes = newest.staying = 0;
  newest.process = getpid();
}

static const char *give_name(ag_capsule *c, const char *path, bool replaces) {
  struct stat st;
  unsigned suffix;
  if (stat(path, &st)) return strerror(errno);
  const uint64_t bytes = (uint64_t)st.st_size;
  pthread_mutex_lock(&newest.lock);
  forget_parents();
  const char *why = find_room(c, bytes, &replaces);
  if (!why) why = replaces ? replace_newest(c, path) : give_free_name(c, path, &suffix);
  if (!why && replaces) newest.bytes = bytes;
  if (!why && !replaces) newest.staying += bytes;
  pthread_mutex_unlock(&newest.lock);
  return why;
}

/* A device, such as /dev/null, or a pipe is not given a file beside it. */
static const char *check_place(const char *name) {
  struct stat st;
  return !lstat(name, &st) && !S_ISREG(st.st_mode) ? "it is there, and is no regular file" : NULL;
}

static void note_inputs(ag_capsule *c, const ag_kept_list *inputs) {
  size_t copied = 0;
  for (size_t i = 0; i < inputs->count; i++) {
    const ag_kept_tensor *k = &inputs->list[i];
    ag_text *t = k->how == AG_KEPT_HELD ? &c->held[k->values] : &c->not_kept;
    if (ag_kept_tensor_can_copy(k, SIZE_MAX)) copied += ag_kept_tensor_room(k);
    if (k->how == AG_KEPT_COPIED) continue;
    if (k->how == AG_KEPT_HELD && k->values == AG_VALUES_CHANGED) c->copied_by = copied;
    if (t->length) ag_text_add(t, k->how == AG_KEPT_HELD ? ", " : "; ");
    ag_text_addf(t, "input %zu", i);
    if (k->how == AG_NOT_KEPT) ag_text_addf(t, ": %s", k->why ? k->why : "out of memory");
  }
}

/* True if one has, which the capsule that was just written does not say. */
static bool have_changed(const ag_watched_run *r) {
  bool changed = false;
  for (size_t i = 0; i < r->inputs.count; i++)
    changed |= ag_held_values_have_changed(&r->inputs.list[i], r->turn);
  return changed;
}

/* "updated weights: 3", and of those that are not in it "1 of 4 updated weights (4096 bytes): it is
 * beyond AOTIGEN_KEEP_BYTES". */
static void note_constants(ag_capsule *c, const ag_kept_constants *constants) {
  static const char *const words[] = {"updated weights", "buffers that the model writes to"};
  for (int is_buffer = 0; is_buffer < 2; is_buffer++) {
    size_t n = 0, missing = 0;
    uint64_t bytes = 0;
    const char *why = NULL;
    for (size_t i = 0; i < constants->count; i++) {
      const ag_kept_tensor *k = &constants->list[i].tensor;
      if (constants->list[i].is_buffer != is_buffer) continue;
      n++;
      if (k->how != AG_NOT_KEPT) continue;
      missing++;
      if (ag_view_is_described(&k->view))
        bytes += (uint64_t)k->view.t.numel * k->view.t.dtype->item_size;
      if (!why) why = k->why ? k->why : "out of memory";
    }
    if (n > missing)
      ag_text_addf(&c->constants, "%s%s: %zu", c->constants.length ? ", " : "", words[is_buffer],
                   n - missing);
    if (missing)
      ag_text_addf(&c->without, "%s%zu of %zu %s (%llu bytes): %s", c->without.length ? "; " : "",
                   missing, n, words[is_buffer], (unsigned long long)bytes, why);
  }
  if (constants->more)
    ag_text_addf(&c->without, "%s%zu more constants", c->without.length ? "; " : "",
                 constants->more);
}

/* For tests: as in a process that has written none. */
void ag_capsule_forget(void);
void ag_capsule_forget(void) { newest.process = 0; }

static const char *write_beside(const char *path, const ag_watched_run *r,
                                const ag_kept_constants *constants, const char *findings) {
  int fd = ag_own_path_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return ag_own_path_error(errno);
  const char *why;
  ag_left_files_hold(fd);
  have_changed(r);
  do {
    why = lseek(fd, 0, SEEK_SET) || ftruncate(fd, 0) ? strerror(errno)
                                                     : write_archive(fd, r, constants, findings);
  } while (!why && have_changed(r)); /* another thread wrote to it meanwhile */
  if (close(fd) && !why) why = strerror(errno);
  if (why) unlink(path);
  return why;
}

void ag_capsule_write(ag_capsule *c, const ag_watched_run *r, bool replaces, const char *findings) {
  ag_text beside = {0};
  set_name(&c->file, 1);
  ag_left_files_name(&beside, ag_text_string(&c->file));
  if (r->fault != AG_FAULT_CRASH) ag_left_files_remove(ag_text_string(&c->file));
  const char *path = ag_text_string(&beside), *why = check_place(ag_text_string(&c->file));
  ag_kept_constants constants;
  ag_kept_constants_begin(&constants, &r->buffers,
                          r->fault >= AG_FAULT_DEVICE ? "its device was lost" : NULL);
  if (!why) why = write_beside(path, r, &constants, findings);
  if (!why && (why = give_name(c, path, replaces))) unlink(path);
  if (why) ag_text_addf(&c->failure, "'%s': %s", ag_text_string(&c->file), why);
  if (why)
    ag_text_clear(&c->file);
  else
    note_inputs(c, &r->inputs);
  if (!why) note_constants(c, &constants);
  ag_kept_constants_end(&constants);
  ag_text_free(&beside);
}

void ag_capsule_free(ag_capsule *c) {
  ag_text_free(&c->file);
  ag_text_free(&c->not_kept);
  for (size_t i = 0; i < sizeof c->held / sizeof *c->held; i++) ag_text_free(&c->held[i]);
  ag_text_free(&c->constants);
  ag_text_free(&c->without);
  ag_text_free(&c->failure);
}

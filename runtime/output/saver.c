/* saver.c - printer level 1: which tensors become files, and under which names. The formats are
 * save_pt.c's and save_npy.c's.
 */
#define _GNU_SOURCE
#include "output/saver.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checks/finding.h"
#include "launch/launch_record.h"
#include "base/sink.h"
#include "output/async_saver.h"

enum { NAME_MOST = 200, SAME_NAMES_MOST = 10000 };

const char *ag_write_at(int fd, const void *bytes, size_t n, int64_t offset) {
  const char *p = bytes;
  while (n) {
    ssize_t done = pwrite(fd, p, n, (off_t)offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return strerror(done ? errno : ENOSPC);
    p += done;
    offset += done;
    n -= (size_t)done;
  }
  return NULL;
}

/* A name as a part of a file's name. */
static void add_name(ag_text *t, const char *name) {
  size_t n = 0;
  for (; *name && n < NAME_MOST / 2; name++, n++) {
    char c = isalnum((unsigned char)*name) || *name == '_' || *name == '.' || *name == '-' ? *name
                                                                                           : '_';
    ag_add_bytes(t, &c, 1);
  }
}

/* Creates directory and parents; the file that follows tells of what went wrong. */
static void make_directory(const char *path) {
  ag_text part = {0};
  for (const char *p = path; *p; p++) {
    if (*p == '/' && p > path) mkdir(ag_text_string(&part), 0777);
    ag_add_bytes(&part, p, 1);
  }
  mkdir(path, 0777);
  ag_text_free(&part);
}

/* A new file, never one that is there: the second of a name gets _2. */
static int create(ag_text *name, const char *suffix) {
  size_t stem = name->length;
  for (int k = 1; k <= SAME_NAMES_MOST; k++) {
    name->length = stem;
    if (k > 1) ag_addf(name, "_%d", k);
    ag_add(name, suffix);
    int fd = open(ag_text_string(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

static void cannot_save(const char *name, const char *why) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&said))
    ag_warn("cannot save '%s': %s; this is said once", name, why);
}

static void add_file_name(ag_text *t, const ag_saving *x) {
  const ag_settings *settings = ag_get_settings();
  ag_addf(t, "%s/run%04llu_launch%06llu_%s", settings->output_dir ? settings->output_dir : ".",
          (unsigned long long)x->run, (unsigned long long)x->launch, x->when);
  if (x->kernel) {
    ag_add(t, "_");
    add_name(t, x->kernel);
  }
  ag_add(t, "_");
  add_name(t, x->arg);
}

static void log_file(const ag_saving *x, const char *name) {
  aotigen_run run = {.model = x->model, .number = x->run};
  ag_text event;
  if (!ag_sink_logging()) return;
  ag_event_run(&event, "saved", &run);
  ag_event_number(&event, "launch", (int64_t)x->launch);
  ag_event_string(&event, "kernel", x->kernel);
  ag_event_string(&event, "arg", x->arg);
  ag_event_string(&event, "file", name);
  ag_event_end(&event);
}

void ag_save_file(const ag_saving *x, const ag_view *v, ag_reader *r) {
  const ag_settings *settings = ag_get_settings();
  ag_text name = {0}, suffix = {0};
  bool npy = settings->save_format == AG_SAVE_NPY;
  const char *why;
  make_directory(settings->output_dir ? settings->output_dir : ".");
  add_file_name(&name, x);
  if (npy && !ag_dtype_spelling(v->t.dtype)->numpy) ag_addf(&suffix, ".%s", v->t.dtype->name);
  ag_add(&suffix, npy ? ".npy" : ".pt");
  int fd = create(&name, ag_text_string(&suffix));
  why = fd < 0 ? strerror(errno) : npy ? ag_write_npy(fd, r, v) : ag_write_pt(fd, r, v);
  if (fd >= 0 && close(fd) && !why) why = strerror(errno);
  if (why && fd >= 0) unlink(ag_text_string(&name));
  if (why)
    cannot_save(ag_text_string(&name), why);
  else
    log_file(x, ag_text_string(&name));
  ag_text_free(&name);
  ag_text_free(&suffix);
}

/* Of a run that does not wait: the files come later. False where that cannot be. */
static bool spool(aotigen_run *run, const ag_saving *x, const ag_view *v) {
  const aotigen_run_state *s = run->state;
  bool in_memory = v->contiguous || (v->dense && ag_get_settings()->save_format == AG_SAVE_PT);
  if (s->mode != AG_PLANNING || v->t.device_type != s->model->backend->device_type ||
      v->t.device_index != s->async_run->device_index)
    return false;
  return !ag_async_save(x, v, in_memory, s->async_run->async, v->t.device_index,
                        ag_run_stream(run));
}

static void save(aotigen_run *run, const ag_view *v, const char *when, const char *kernel,
                 const char *arg) {
  const ag_saving x = {run->model, run->number, kernel ? run->launch : 0, when, kernel, arg};
  ag_reader r;
  if (run->state->mode == AG_PLANNING && run->state->async_run->captured) {
    cannot_save(arg, "the run goes into a graph, of which nothing is saved");
    return;
  }
  if (spool(run, &x, v)) return;
  const char *why = ag_reader_open(&r, v, ag_run_stream(run));
  if (why) {
    cannot_save(arg, why);
    return;
  }
  ag_save_file(&x, v, &r);
  ag_reader_close(&r);
}

void ag_save_launch(aotigen_run *run, bool after) {
  aotigen_run_state *s = run->state;
  for (size_t i = 0; i < s->nargs; i++) {
    const ag_arg *a = &s->args[i];
    bool unread = a->param->role == AOTIGEN_OUT || a->param->flags & (AOTIGEN_FRESH | AOTIGEN_LATE);
    bool kept = !ag_arg_writes(a) && !(a->param->flags & AOTIGEN_MAYBE_WRITTEN);
    if (a->view.state != AG_VIEW_OK || (after ? kept : unread)) continue;
    save(run, &a->view, after ? "after" : "before", ag_site(run)->kernel, a->param->name);
  }
}

void ag_save_input(aotigen_run *run, const aotigen_input *input, const ag_view *view) {
  save(run, view, "input", NULL, input->name);
}

/* saver.c - printer level 1: which tensors become files, and under which names. The formats are save_pt.c's and save_npy.c's.
 */
#define _GNU_SOURCE
#include "saver.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "sink.h"

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
    char c = isalnum((unsigned char)*name) || *name == '_' || *name == '.' || *name == '-' ? *name : '_';
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

static void cannot_save(aotigen_run *run, const char *name, const char *why) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  (void)run;
  if (!atomic_flag_test_and_set(&said)) ag_warn("cannot save '%s': %s; this is said once", name, why);
}

static void save(aotigen_run *run, const ag_view *v, const char *what, const char *kernel, const char *arg) {
  const ag_settings *settings = ag_get_settings();
  ag_text name = {0}, suffix = {0}, event;
  ag_reader r;
  bool npy = settings->save_format == AG_SAVE_NPY, opened = false;
  const char *why = NULL;
  make_directory(settings->output_dir ? settings->output_dir : ".");
  ag_addf(&name, "%s/run%04llu_launch%06llu_%s", settings->output_dir ? settings->output_dir : ".", (unsigned long long)run->number, (unsigned long long)(kernel ? run->launch : 0), what);
  if (kernel) {
    ag_add(&name, "_");
    add_name(&name, kernel);
  }
  ag_add(&name, "_");
  add_name(&name, arg);
  if (npy && !ag_dtype_spelling(v->t.dtype)->numpy) ag_addf(&suffix, ".%s", v->t.dtype->name);
  ag_add(&suffix, npy ? ".npy" : ".pt");
  int fd = create(&name, ag_text_string(&suffix));
  if (fd < 0) why = strerror(errno);
  if (!why) why = ag_reader_open(&r, v, ag_run_stream(run));
  opened = !why;
  if (!why) why = npy ? ag_write_npy(fd, &r, v) : ag_write_pt(fd, &r, v);
  if (opened) ag_reader_close(&r);
  if (fd >= 0 && close(fd) && !why) why = strerror(errno);
  if (why) {
    if (fd >= 0) unlink(ag_text_string(&name));
    cannot_save(run, ag_text_string(&name), why);
  } else if (ag_sink_logging()) {
    ag_event_run(&event, "saved", run);
    ag_event_number(&event, "launch", (int64_t)(kernel ? run->launch : 0));
    ag_event_string(&event, "kernel", kernel);
    ag_event_string(&event, "arg", arg);
    ag_event_string(&event, "file", ag_text_string(&name));
    ag_event_end(&event);
  }
  ag_text_free(&name);
  ag_text_free(&suffix);
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

void ag_save_input(aotigen_run *run, const aotigen_input *input, const ag_view *view) { save(run, view, "input", NULL, input->name); }

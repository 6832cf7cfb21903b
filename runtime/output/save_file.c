/* save_file.c - saves one tensor as one file: its name, its directory, and its event in the log. */
#define _GNU_SOURCE
#include "output/save_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_write.h"
#include "base/own_path.h"
#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "output/earlier_file.h"
#include "output/save_format.h"

enum { NAME_MOST = 200, SAME_NAMES_MOST = 10000, COPIED_AT_ONCE = 64 << 10 };

void ag_save_add_name(ag_text *t, const char *name) {
  size_t n = 0;
  for (; *name && n < NAME_MOST / 2; name++, n++) {
    char c = isalnum((unsigned char)*name) || *name == '_' || *name == '.' || *name == '-' ? *name
                                                                                           : '_';
    ag_text_add_bytes(t, &c, 1);
  }
}

/* The second file of a name gets _2. */
static const char *end_name(ag_text *name, size_t stem, const char *suffix, int k) {
  name->length = stem;
  if (k > 1) ag_text_addf(name, "_%d", k);
  ag_text_add(name, suffix);
  return ag_text_string(name);
}

/* Creates a new file, never an existing one. */
static int create_file(ag_text *name, const char *suffix) {
  const size_t stem = name->length;
  for (int k = 1; k <= SAME_NAMES_MOST; k++) {
    const char *path = end_name(name, stem, suffix, k);
    int fd = ag_own_path_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

/* A file that has all the names that it may have is one of many: the next one has room again. */
static void say_no_links(const char *name, int error) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  if (error == EMLINK || error == ENOSPC || error == EDQUOT || error == ENOENT) return;
  if (!atomic_flag_test_and_set(&said))
    ag_warn("'%s' has the bytes of an earlier file, and cannot be a hard link to it (%s): it is "
            "written, and so are others; this is said once",
            name, ag_own_path_error(error));
}

/* The same, as one more name of an earlier file. False, and the name as it was, if that fails. */
static bool link_file(ag_text *name, const char *suffix, int earlier) {
  const size_t stem = name->length;
  for (int k = 1; k <= SAME_NAMES_MOST; k++) {
    if (ag_earlier_file_link(earlier, end_name(name, stem, suffix, k))) return true;
    if (errno == EEXIST) continue;
    say_no_links(ag_text_string(name), errno);
    break;
  }
  name->length = stem;
  return false;
}

void ag_save_refuse(const char *name, const char *why) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&said))
    ag_warn("cannot save '%s': %s; this is said once", name, why);
}

/* The digit sorts the names in the order in which the files were made: "before" comes before
 * "after". */
static void add_file_name(ag_text *t, const ag_saving *saving) {
  static const char order[] = "iba"; /* the first letters of `when` */
  const ag_settings *settings = ag_settings_get();
  ag_text_addf(t, "%s/run%04llu_launch%06llu_%d_%s",
               settings->output_dir ? settings->output_dir : ".", (unsigned long long)saving->run,
               (unsigned long long)saving->launch, (int)(strchr(order, *saving->when) - order),
               saving->when);
  if (saving->kernel) {
    ag_text_add(t, "_");
    ag_save_add_name(t, saving->kernel);
  }
  ag_text_add(t, "_");
  ag_save_add_name(t, saving->arg);
}

static void log_file(const ag_saving *saving, const char *name) {
  ag_text event;
  if (!ag_sink_has_log()) return;
  ag_event_run(&event, EVENT_SAVED, saving->model, saving->run);
  ag_event_add_number(&event, "launch", (int64_t)saving->launch);
  ag_event_add_string(&event, "kernel", saving->kernel);
  ag_event_add_string(&event, "arg", saving->arg);
  ag_event_add_string(&event, "file", name);
  ag_event_end(&event);
}

static const char *write_file(ag_text *name, const char *suffix, const ag_view *view, bool npy,
                              const char *place, ag_reader *reader, ag_saved_file *saved) {
  int64_t data;
  int fd = create_file(name, suffix);
  if (fd < 0) return ag_own_path_error(errno);
  const char *why = npy ? ag_save_npy(fd, reader, view, &data)
                        : ag_save_pt(fd, reader, view, &data);
  if (!why) {
    ag_earlier_file_keep(view, npy, place, ag_text_string(name), fd, data);
    ag_saved_file_set(saved, ag_text_string(name), fd);
  }
  if (close(fd) && !why) why = strerror(errno);
  if (why) unlink(ag_text_string(name));
  return why;
}

/* The name without its end, and that end. Makes the directory. */
static void begin_name(const ag_saving *saving, const ag_view *view, ag_text *name,
                       ag_text *suffix) {
  const ag_settings *settings = ag_settings_get();
  const bool npy = settings->save_format == AG_SAVE_NPY;
  const char *dir = settings->output_dir ? settings->output_dir : ".";
  if (access(dir, F_OK)) ag_file_make_directories(dir);
  add_file_name(name, saving);
  if (npy && !ag_dtype_spelling(view->t.dtype)->numpy)
    ag_text_addf(suffix, ".%s", view->t.dtype->name);
  ag_text_add(suffix, npy ? ".npy" : ".pt");
}

static void end_save(const ag_saving *saving, ag_text *name, ag_text *suffix, const char *why) {
  if (why)
    ag_save_refuse(ag_text_string(name), why);
  else
    log_file(saving, ag_text_string(name));
  ag_text_free(name);
  ag_text_free(suffix);
}

/* What a name says of any run: all behind the run's number. */
static char *copy_place(const ag_text *name) {
  const char *at = ag_text_string(name), *last = strrchr(at, '/');
  const char *launch = strstr(last ? last : at, "_launch");
  return strdup(launch ? launch : at);
}

/* True if the tensor is one more name of an earlier file. */
static bool save_link(const ag_view *view, bool npy, const char *place, ag_text *name,
                      const char *suffix, ag_earlier_file *earlier, ag_saved_file *saved) {
  if (!ag_earlier_file_is_same(earlier)) return false;
  const struct ag_candidate *c = &earlier->found[0];
  if (!link_file(name, suffix, c->fd)) return false;
  ag_earlier_file_keep(view, npy, place, ag_text_string(name), c->fd, c->data);
  ag_saved_file_set(saved, ag_text_string(name), c->fd);
  return true;
}

void ag_save_file(const ag_saving *saving, const ag_view *view, ag_reader *reader,
                  ag_saved_file *saved) {
  ag_text name = {0}, suffix = {0};
  const bool npy = ag_settings_get()->save_format == AG_SAVE_NPY;
  ag_earlier_file earlier;
  const char *why = NULL;
  begin_name(saving, view, &name, &suffix);
  char *place = copy_place(&name);
  const char *known = place ? place : "";
  ag_earlier_file_open(&earlier, reader, view, npy, known);
  if (!save_link(view, npy, known, &name, ag_text_string(&suffix), &earlier, saved)) {
    ag_reader again = ag_earlier_file_reread(&earlier);
    why = write_file(&name, ag_text_string(&suffix), view, npy, known, &again, saved);
    if (why) ag_saved_file_set(saved, NULL, -1);
  }
  ag_earlier_file_close(&earlier);
  free(place);
  end_save(saving, &name, &suffix, why);
}

static const char *copy_bytes(int from, int to) {
  char bytes[COPIED_AT_ONCE];
  int64_t offset = 0;
  for (ssize_t n; (n = pread(from, bytes, sizeof bytes, offset)); offset += n) {
    const char *why = n < 0 ? strerror(errno) : ag_file_write_at(to, bytes, (size_t)n, offset);
    if (why) return why;
  }
  return NULL;
}

static const char *copy_file(ag_text *name, const char *suffix, int from, ag_saved_file *file) {
  int fd = create_file(name, suffix);
  if (fd < 0) return ag_own_path_error(errno);
  const char *why = copy_bytes(from, fd);
  if (!why) ag_saved_file_set(file, ag_text_string(name), fd);
  if (close(fd) && !why) why = strerror(errno);
  if (why) unlink(ag_text_string(name));
  return why;
}

bool ag_save_again(const ag_saving *saving, const ag_view *view, ag_saved_file *file) {
  ag_text name = {0}, suffix = {0};
  const char *why = NULL;
  const int fd = ag_saved_file_open(file);
  if (fd < 0) return false;
  begin_name(saving, view, &name, &suffix);
  if (!link_file(&name, ag_text_string(&suffix), fd))
    why = copy_file(&name, ag_text_string(&suffix), fd, file);
  close(fd);
  end_save(saving, &name, &suffix, why);
  return true;
}

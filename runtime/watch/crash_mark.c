/* crash_mark.c - see crash_mark.h. */
#define _GNU_SOURCE
#include "watch/crash_mark.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/own_path.h"
#include "base/raw_text.h"
#include "base/settings.h"
#include "watch/identity.h"

enum { TOLD_MOST = 120, NOBODY = -1 };

static char path[PATH_MAX];         /* "": there is none */
static atomic_int left_by = NOBODY; /* a thread; 0: a lost device */
static struct stat known;           /* the mark that was found, or left */

/* ---- its name -------------------------------------------------------------------------------- */

static bool is_hash(const char *text) {
  return text && strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
}

static void set_path(const char *hash) {
  const ag_settings *s = ag_settings_get();
  const char *slash = s->capsule ? strrchr(s->capsule, '/') : NULL;
  *path = '\0';
  if (s->after_crash && slash && is_hash(hash) &&
      snprintf(path, sizeof path, "%.*s/aotigen-%s.crashed", (int)(slash - s->capsule), s->capsule,
               hash) >= (int)sizeof path)
    *path = '\0';
}

static void find_path(void) {
  char *hash = ag_watch_identity_text("so_hash");
  set_path(hash);
  free(hash);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* For tests: as in a process with these settings, whose model has that hash. */
void ag_crash_mark_begin(const char *hash);
void ag_crash_mark_begin(const char *hash) {
  pthread_once(&once, find_path);
  set_path(hash);
  atomic_store(&left_by, NOBODY);
}

void ag_crash_mark_prepare(void) {
  if (ag_settings_get()->after_crash) pthread_once(&once, find_path);
}

/* ---- leaving it ------------------------------------------------------------------------------ */

void ag_crash_mark_leave(const char *fault, uint64_t run, int thread) {
  ag_raw_text t;
  if (!*path || atomic_load(&left_by) == thread) return; /* a host may handle a million */
  int fd = ag_own_path_open(
      path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0600);
  if (fd < 0) return;
  t.length = 0;
  ag_raw_add(&t, fault);
  ag_raw_add(&t, " in run ");
  ag_raw_add_number(&t, (int64_t)run);
  ag_raw_add(&t, " of process ");
  ag_raw_add_number(&t, getpid());
  ag_raw_add(&t, "\n");
  ag_raw_write(fd, &t);
  fstat(fd, &known);
  close(fd);
  atomic_store(&left_by, thread);
}

/* Another process of the model may have left a newer one. */
void ag_crash_mark_remove(void) {
  struct stat st;
  if (*path && !lstat(path, &st) && st.st_dev == known.st_dev && st.st_ino == known.st_ino &&
      st.st_mtim.tv_sec == known.st_mtim.tv_sec && st.st_mtim.tv_nsec == known.st_mtim.tv_nsec)
    unlink(path);
}

void ag_crash_mark_survive(void) {
  int thread = atomic_load(&left_by);
  if (thread <= 0 || thread != (int)syscall(SYS_gettid)) return;
  if (atomic_compare_exchange_strong(&left_by, &thread, NOBODY)) ag_crash_mark_remove();
}

/* ---- finding it ------------------------------------------------------------------------------ */

static void add_time(ag_text *told, const struct stat *st) {
  char day[32] = "";
  struct tm local;
  if (localtime_r(&st->st_mtim.tv_sec, &local) &&
      strftime(day, sizeof day, "%Y-%m-%d %H:%M:%S", &local))
    ag_text_addf(told, ", at %s", day);
}

/* Another user's is none: it would choose what the model runs as. */
bool ag_crash_mark_find(ag_text *told) {
  char line[TOLD_MOST + 1] = "";
  struct stat st;
  if (!*path) return false;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return false;
  const bool is_own = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid();
  const ssize_t n = is_own ? read(fd, line, TOLD_MOST) : 0;
  close(fd);
  if (!is_own) return false;
  known = st;
  line[n > 0 ? n : 0] = '\0';
  line[strcspn(line, "\n")] = '\0';
  for (char *c = line; *c; c++)
    if (!isprint((unsigned char)*c)) *c = '?';
  ag_text_add(told, *line ? line : "a crash");
  add_time(told, &st);
  return true;
}

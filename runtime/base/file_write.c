/* file_write.c - whole writes that raise no signal, and directories. */
#define _GNU_SOURCE
#include "base/file_write.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/own_path.h"
#include "base/text.h"

#ifndef RWF_NOSIGNAL
#define RWF_NOSIGNAL 0x00000100 /* Linux 6.18 */
#endif

enum { AT_POSITION = -1, ROOM_WAIT_MS = 1000 };

static bool probe_flag(void) {
  int ends[2];
  char byte = 0;
  struct iovec v = {&byte, 1};
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK)) return false;
  bool taken = pwritev2(ends[1], &v, 1, AT_POSITION, RWF_NOSIGNAL) == 1;
  close(ends[0]);
  close(ends[1]);
  return taken;
}

/* True if the kernel has RWF_NOSIGNAL. Two threads that ask first find the same. */
static bool has_flag(void) {
  enum { UNKNOWN, LACKS, HAS };
  static atomic_int flag;
  int is = atomic_load_explicit(&flag, memory_order_relaxed);
  if (is == UNKNOWN)
    atomic_store_explicit(&flag, is = probe_flag() ? HAS : LACKS, memory_order_relaxed);
  return is == HAS;
}

/* Blocks the two signals that a write raises on its own thread, and then removes those that this
 * write raised. A signal that was pending before stays pending. */
static ssize_t write_masked(int fd, const void *bytes, size_t n, int64_t offset) {
  static const struct timespec now = {0, 0};
  sigset_t raised, before, pending;
  sigemptyset(&raised);
  sigaddset(&raised, SIGPIPE);
  sigaddset(&raised, SIGXFSZ);
  sigemptyset(&pending);
  pthread_sigmask(SIG_BLOCK, &raised, &before);
  /* If both were unblocked, none can be pending. */
  if (sigismember(&before, SIGPIPE) || sigismember(&before, SIGXFSZ)) sigpending(&pending);
  ssize_t done = offset == AT_POSITION ? write(fd, bytes, n) : pwrite(fd, bytes, n, (off_t)offset);
  int error = errno;
  if (sigismember(&pending, SIGPIPE)) sigdelset(&raised, SIGPIPE);
  if (sigismember(&pending, SIGXFSZ)) sigdelset(&raised, SIGXFSZ);
  if (done < 0 && (error == EPIPE || error == EFBIG))
    while (sigtimedwait(&raised, NULL, &now) < 0 && errno == EINTR) continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return done;
}

/* With a limit, a write may raise SIGXFSZ, which the flag does not prevent. */
static bool has_size_limit(void) {
  struct rlimit most;
  return getrlimit(RLIMIT_FSIZE, &most) || most.rlim_cur != RLIM_INFINITY;
}

static _Thread_local unsigned many; /* how often ag_file_write_begin_many() was called */
static _Thread_local bool many_limited;

void ag_file_write_begin_many(void) {
  if (!many++) many_limited = has_size_limit();
}

void ag_file_write_end_many(void) { many--; }

static bool is_limited(void) { return many ? many_limited : has_size_limit(); }

/* Uses no masks if the kernel has the flag, since a kernel's name is printed at each launch. Some
 * character devices refuse the flag. */
static ssize_t write_at_position(int fd, const void *bytes, size_t n) {
  struct iovec v = {(void *)(uintptr_t)bytes, n};
  if (has_flag() && !is_limited()) {
    ssize_t done = pwritev2(fd, &v, 1, AT_POSITION, RWF_NOSIGNAL);
    if (done >= 0 || errno != EOPNOTSUPP) return done;
  }
  return write_masked(fd, bytes, n, AT_POSITION);
}

static bool wait_for_room(int fd) {
  struct pollfd p = {fd, POLLOUT, 0};
  int ready;
  do ready = poll(&p, 1, ROOM_WAIT_MS);
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

static const char *write_all(int fd, const char *bytes, size_t n, int64_t offset) {
  while (n) {
    ssize_t done = offset == AT_POSITION ? write_at_position(fd, bytes, n)
                                         : write_masked(fd, bytes, n, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EAGAIN && wait_for_room(fd)) continue;
    if (done <= 0) return strerror(done ? errno : ENOSPC);
    bytes += done;
    n -= (size_t)done;
    if (offset != AT_POSITION) offset += done;
  }
  return NULL;
}

const char *ag_file_write(int fd, const void *bytes, size_t n) {
  return write_all(fd, bytes, n, AT_POSITION);
}

const char *ag_file_write_at(int fd, const void *bytes, size_t n, int64_t offset) {
  return write_all(fd, bytes, n, offset);
}

void ag_file_make_directories(const char *path) {
  ag_text part = {0};
  if (!ag_own_path_is_own(path)) return;
  for (const char *p = path; *p; p++) {
    if (*p == '/' && p > path) mkdir(ag_text_string(&part), 0777);
    ag_text_add_bytes(&part, p, 1);
  }
  mkdir(path, 0777);
  ag_text_free(&part);
}

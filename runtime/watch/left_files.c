/* left_files.c - see left_files.h. A name is CAPSULE.PROCESS.LIBRARY.CALL.part. */
#define _GNU_SOURCE
#include "watch/left_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { AGE_S = 60 };

static _Atomic unsigned calls;

void ag_left_files_name(ag_text *to, const char *capsule) {
  ag_text_addf(to, "%s.%ld.%zx.%u.part", capsule, (long)getpid(), (size_t)(uintptr_t)&calls,
               ++calls);
}

void ag_left_files_hold(int fd) {
  while (flock(fd, LOCK_EX | LOCK_NB) && errno == EINTR) continue;
}

/* ---- whose name it is ------------------------------------------------------------------------ */

static bool is_number(const char *from, const char *to, int base) {
  if (from >= to) return false;
  for (; from < to; from++)
    if (!(base == 16 ? isxdigit((unsigned char)*from) : isdigit((unsigned char)*from)))
      return false;
  return true;
}

/* The dot before the part that ends at `end`; NULL: there is none. */
static const char *find_dot(const char *name, const char *end) {
  return memrchr(name, '.', (size_t)(end - name));
}

/* The capsule's name has the process that wrote it where ours has this one. */
static bool is_same_name(const char *name, size_t n, const char *own, long process) {
  char here[32], there[32];
  const int nhere = snprintf(here, sizeof here, "%ld", (long)getpid()),
            nthere = snprintf(there, sizeof there, "%ld", process);
  const char *end = name + n;
  for (; *own; own++) {
    const bool is_process = !strncmp(own, here, (size_t)nhere) && end - name >= nthere &&
                            !strncmp(name, there, (size_t)nthere);
    if (is_process) {
      name += nthere;
      own += nhere - 1;
    } else if (name >= end || *name++ != *own) {
      return false;
    }
  }
  return name == end;
}

/* own: what AOTIGEN_CAPSULE names in this process, without its directory. */
static bool is_of_capsule(const char *name, const char *own) {
  static const char ending[] = ".part";
  const size_t n = strlen(name), least = sizeof ending - 1;
  const char *end = name + n - least, *call, *library, *process;
  if (n <= least || strcmp(end, ending) != 0 || !(call = find_dot(name, end)) ||
      !(library = find_dot(name, call)) || !(process = find_dot(name, library)))
    return false;
  return is_number(call + 1, end, 10) && is_number(library + 1, call, 16) &&
         is_number(process + 1, library, 10) && library - process < 12 &&
         is_same_name(name, (size_t)(process - name), own, atol(process + 1));
}

/* ---- removing them --------------------------------------------------------------------------- */

static void remove_left(int dir, const char *name) {
  struct stat st, now;
  int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return;
  if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
      time(NULL) - st.st_mtim.tv_sec > AGE_S && !flock(fd, LOCK_EX | LOCK_NB) &&
      !fstatat(dir, name, &now, AT_SYMLINK_NOFOLLOW) && now.st_ino == st.st_ino &&
      now.st_dev == st.st_dev)
    unlinkat(dir, name, 0);
  close(fd);
}

static void remove_all(const char *path, const char *own) {
  DIR *d = opendir(path);
  for (struct dirent *e; d && (e = readdir(d));)
    if (is_of_capsule(e->d_name, own)) remove_left(dirfd(d), e->d_name);
  if (d) closedir(d);
}

/* For tests: as in a process that has written none. */
void ag_left_files_forget(void);
static atomic_flag done = ATOMIC_FLAG_INIT;
void ag_left_files_forget(void) { atomic_flag_clear(&done); }

void ag_left_files_remove(const char *capsule) {
  const char *slash = strrchr(capsule, '/');
  ag_text path = {0};
  if (!slash || atomic_flag_test_and_set(&done)) return;
  ag_text_add_bytes(&path, capsule, (size_t)(slash - capsule) + 1);
  const int saved = errno;
  remove_all(ag_text_string(&path), slash + 1);
  errno = saved;
  ag_text_free(&path);
}

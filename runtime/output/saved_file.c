/* saved_file.c - see saved_file.h. */
#define _GNU_SOURCE
#include "output/saved_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fork_lock.h"

enum stage { PENDING, WRITTEN, ABSENT };

struct ag_saved_file {
  atomic_uint references;
  enum stage stage; /* the rest is under the lock */
  char *name;
  struct stat as;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

AG_FORK_LOCK(lock)

ag_saved_file *ag_saved_file_create(void) {
  ag_saved_file *f = calloc(1, sizeof *f);
  if (f) atomic_init(&f->references, 1);
  return f;
}

ag_saved_file *ag_saved_file_share(ag_saved_file *f) {
  atomic_fetch_add(&f->references, 1);
  return f;
}

void ag_saved_file_release(ag_saved_file *f) {
  if (!f || atomic_fetch_sub(&f->references, 1) != 1) return;
  free(f->name);
  free(f);
}

void ag_saved_file_set(ag_saved_file *f, const char *name, int fd) {
  struct stat as;
  if (!f) return;
  char *copy = name && !fstat(fd, &as) ? strdup(name) : NULL;
  pthread_mutex_lock(&lock);
  char *old = f->name;
  f->name = copy;
  f->stage = copy ? WRITTEN : ABSENT;
  if (copy) f->as = as;
  pthread_mutex_unlock(&lock);
  free(old);
}

static bool is_unchanged(const struct stat *now, const struct stat *as) {
  return S_ISREG(now->st_mode) && now->st_dev == as->st_dev && now->st_ino == as->st_ino &&
         now->st_size == as->st_size && now->st_mtim.tv_sec == as->st_mtim.tv_sec &&
         now->st_mtim.tv_nsec == as->st_mtim.tv_nsec;
}

/* A copy of its name where it was written, else NULL. */
static char *copy_name(ag_saved_file *f, enum stage *stage, struct stat *as) {
  pthread_mutex_lock(&lock);
  char *name = f->stage == WRITTEN ? strdup(f->name) : NULL;
  *stage = f->stage;
  *as = f->as;
  pthread_mutex_unlock(&lock);
  return name;
}

bool ag_saved_file_may_be_linked(ag_saved_file *f) {
  struct stat as, now;
  enum stage stage;
  char *name = copy_name(f, &stage, &as);
  const bool there = name && !lstat(name, &now) && is_unchanged(&now, &as);
  free(name);
  return there || stage == PENDING;
}

int ag_saved_file_open(ag_saved_file *f) {
  struct stat as;
  enum stage stage;
  char *name = copy_name(f, &stage, &as);
  const int fd = name ? ag_saved_file_open_name(name, &as) : -1;
  free(name);
  return fd;
}

int ag_saved_file_open_name(const char *name, const struct stat *as) {
  struct stat now;
  const int fd = open(name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || (!fstat(fd, &now) && is_unchanged(&now, as))) return fd;
  close(fd);
  return -1;
}

/* staged.c - the memfd that the kernel copies from. */
#define _GNU_SOURCE
#include "state/staged.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_write.h"

/* A slot in the memfd: its bytes, and room for what is fetched. */
enum { STRIDE = AG_STAGED_SLOT + AG_STAGED_FETCHED, ALL = AG_STAGED_SLOTS * STRIDE };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* All are stored under the lock. */
static atomic_int memfd = -1;
static _Atomic(char *) memory; /* ALL bytes; the memfd has those of the slots with bytes */
static dev_t device;
static ino_t inode;
static bool has_bytes[AG_STAGED_SLOTS];

/* A number that a program gives out late: it may close all its descriptors, and the numbers that it
 * then takes are the lowest. */
static int raise_number(int fd) {
  enum { HIGH = 200 };
  int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
  if (high < 0) return fd;
  close(fd);
  return high;
}

/* True if the descriptor still is the memfd's. */
static bool is_own(void) {
  struct stat st;
  return memfd >= 0 && !fstat(memfd, &st) && st.st_dev == device && st.st_ino == inode;
}

void ag_staged_forget(void) {
  if (is_own()) close(memfd);
  if (memory) munmap(memory, ALL);
  memory = NULL;
  memfd = -1;
  memset(has_bytes, 0, sizeof has_bytes);
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* Where the host has closed the memfd, its memory stays: the slots there are in use until a copy of
 * them fails. */
static bool create(void) {
  struct stat st;
  memory = NULL;
  memset(has_bytes, 0, sizeof has_bytes);
  memfd = raise_number(memfd_create("aotigen", MFD_CLOEXEC));
  if (memfd < 0 || fstat(memfd, &st)) return false;
  device = st.st_dev;
  inode = st.st_ino;
  void *at = mmap(NULL, ALL, PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);
  if (at != MAP_FAILED) memory = at;
  return memory;
}

/* The memfd grows by writes that raise no signal, whatever the limit of a file's size. */
static char *find_slot(int slot) {
  static const char blank[STRIDE];
  if (!(memory && is_own()) && !create()) return NULL;
  if (!has_bytes[slot] && ag_file_write_at(memfd, blank, STRIDE, (int64_t)slot * STRIDE))
    return NULL;
  has_bytes[slot] = true;
  return memory + (size_t)slot * STRIDE;
}

char *ag_staged_slot(int slot) {
  pthread_mutex_lock(&lock);
  char *bytes = find_slot(slot);
  pthread_mutex_unlock(&lock);
  return bytes;
}

bool ag_staged_copy(void *to, const char *from, size_t n) {
  return pread(memfd, to, n, from - memory) == (ssize_t)n;
}

bool ag_staged_is(const char *mapped, int slot, const char *expected, size_t n) {
  const char *room = ag_staged_slot(slot);
  if (!room || n > AG_STAGED_FETCHED) return false;
  room += AG_STAGED_SLOT;
  return pwrite(memfd, mapped, n, room - memory) == (ssize_t)n && !memcmp(room, expected, n);
}

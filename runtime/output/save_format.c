/* save_format.c - what the formats share. */
#define _GNU_SOURCE
#include "output/save_format.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

const char *ag_save_bytes(int fd, const void *bytes, size_t n, int64_t offset) {
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

/* archive.c - see archive.h. */
#include "host/archive.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool archive_map(archive_bytes *z, const char *path) {
  struct stat s;
  void *at = MAP_FAILED;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  if (fstat(fd, &s) == 0 && s.st_size > 0)
    at = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (at == MAP_FAILED) return false;
  *z = (archive_bytes){at, (uint64_t)s.st_size};
  return true;
}

/* An empty member has its place in the archive, too. */
static bool take_bytes(archive_bytes z, const member *m, archive_bytes *bytes) {
  *bytes = member_bytes(z, m);
  return m->stored && (bytes->n || !m->size);
}

const char *archive_find(archive_bytes z, const char *name, archive_bytes *bytes) {
  member_walk w;
  member m;
  member_begin(&w, z);
  while (member_next(&w, &m))
    if (m.name_n == strlen(name) && !memcmp(m.name, name, m.name_n))
      return take_bytes(z, &m, bytes) ? NULL : "is compressed or cut";
  return "is not there";
}

static const char *write_file(const char *path, archive_bytes bytes) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
  if (fd < 0) return strerror(errno);
  while (bytes.n) {
    const ssize_t n = write(fd, bytes.at, bytes.n < 1 << 30 ? bytes.n : 1 << 30);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    bytes.at += n;
    bytes.n -= (uint64_t)n;
  }
  const int error = errno;
  if (close(fd) != 0) return strerror(errno);
  return bytes.n ? strerror(error) : NULL;
}

const char *archive_extract(archive_bytes z, const char *directory, const char *to) {
  const size_t n = strlen(directory);
  member_walk w;
  member m;
  member_begin(&w, z);
  while (member_next(&w, &m)) {
    archive_bytes bytes;
    char path[PATH_MAX];
    if (m.name_n <= n || memcmp(m.name, directory, n) || memchr(m.name + n, '/', m.name_n - n))
      continue;
    if (snprintf(path, sizeof path, "%s/%.*s", to, (int)(m.name_n - n), m.name + n) >=
        (int)sizeof path)
      return "a name is too long";
    if (!take_bytes(z, &m, &bytes)) return "a member is compressed or cut";
    const char *why = write_file(path, bytes);
    if (why) return why;
  }
  return NULL;
}

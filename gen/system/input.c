/* input.c - see input.h. */
#include "system/input.h"
#include "base/file.h"
#include "shared/wrapper/aotigen_tables.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_all(int fd, char *at, size_t n) {
  for (size_t done = 0; done < n;) {
    ssize_t got = read(fd, at + done, n - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      if (got == 0) errno = EIO; /* the file was truncated meanwhile */
      return false;
    }
    done += (size_t)got;
  }
  return true;
}

/* The reason why this cannot be a wrapper, or NULL. */
static const char *refuse_file(const struct stat *s) {
  if (S_ISDIR(s->st_mode)) return "is a directory: name the wrapper's '.cpp' file in it";
  if (!S_ISREG(s->st_mode)) return "is not a regular file";
  if (s->st_size == 0) return "is empty: not an AOTInductor wrapper";
  if ((size_t)s->st_size > INPUT_LIMIT)
    return "is too large to be an AOTInductor wrapper (more than 256 MiB)";
  return NULL;
}

void input_drop_mark(char *text, size_t *n) {
  static const char mark[] = "\xef\xbb\xbf";
  const size_t k = sizeof mark - 1;
  if (*n < k || memcmp(text, mark, k) != 0) return;
  *n -= k;
  memmove(text, text + k, *n + 1);
}

const char *input_read(const char *path, size_t *n, arena *a, diags *d) {
  struct stat s;
  char *at = NULL;
  const char *why = NULL;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || fstat(fd, &s) != 0) {
    diag_error(d, STATUS_INPUT, path, "cannot be read: %s", strerror(errno));
    goto out;
  }
  why = refuse_file(&s);
  if (!why) {
    *n = (size_t)s.st_size;
    at = arena_alloc(a, *n + 1);
    if (!read_all(fd, at, *n)) {
      diag_error(d, STATUS_INPUT, path, "cannot be read: %s", strerror(errno));
      at = NULL;
    } else if (memchr(at, '\0', *n)) {
      why = "is binary: give the wrapper's C++ source";
    } else {
      input_drop_mark(at, n);
    }
  }
  if (why) diag_error(d, STATUS_INPUT, path, "%s", why);
out:
  if (fd >= 0) close(fd);
  return why ? NULL : at;
}

const char *input_read_beside(const char *path, arena *a, diags *d) {
  size_t n;
  return path ? input_read(path, &n, a, d) : NULL;
}

static bool is_rewritten(const char *source) {
  static const char mark[] = "// Instrumented by aotigen ";
  return strncmp(source, mark, sizeof mark - 1) == 0;
}

bool input_is_original(const char *path, const char *source, diags *d) {
  if (!is_rewritten(source)) return true;
  diag_error_at(d, STATUS_INPUT, path, 1, 1,
                "is instrumented already: give the wrapper, or the package, that it was made from");
  return false;
}

bool input_is_of_abi(const char *path, const char *source, size_t n, diags *d) {
  static const char mark[] = "\n#define AOTIGEN_MADE_FOR ";
  if (!is_rewritten(source)) return true;
  const char *found = memmem(source, n, mark, sizeof mark - 1);
  char abi[24] = "17 or less"; /* of wrappers that do not name it */
  if (found) snprintf(abi, sizeof abi, "%lu", strtoul(found + sizeof mark - 1, NULL, 10));
  if (found && strtoul(abi, NULL, 10) == AOTIGEN_ABI) return true;
  diag_error(d, STATUS_INPUT, path,
             "the wrapper was made for ABI %s of libaotigen.a and would be linked with ABI %d: "
             "make it again with this aotigen",
             abi, AOTIGEN_ABI);
  return false;
}

const char *input_sibling(const char *path, const char *const *names, arena *a) {
  const char *base = file_name(path), *dot = strrchr(base, '.');
  const char *dir = arena_strndup(a, path, (size_t)(base - path)); /* with its slash, or "" */
  const char *stem = dot ? arena_strndup(a, base, (size_t)(dot - base)) : base;
  size_t n = strlen(stem);
  if (n > 8 && strcmp(stem + n - 8, ".wrapper") == 0) stem = arena_strndup(a, stem, n - 8);
  for (; *names; names++) {
    const char *name = strncmp(*names, "%s", 2) == 0
                           ? arena_printf(a, "%s%s%s", dir, stem, *names + 2)
                           : arena_printf(a, "%s%s", dir, *names);
    struct stat s;
    if (strcmp(name, path) != 0 && stat(name, &s) == 0 && S_ISREG(s.st_mode)) return name;
  }
  return NULL;
}

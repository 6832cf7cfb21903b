/* atomic_output.c - see atomic_output.h. Knows files; the temporary one is registered with
 * cleanup.h. */
#include "system/atomic_output.h"
#include "base/file.h"
#include "system/cleanup.h"
#include "system/own_path.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool check_directory(const char *target, diags *d) {
  char dir[PATH_MAX];
  struct stat st;
  file_copy_dir(dir, sizeof dir, target);
  if (stat(dir, &st) != 0)
    diag_error(d, STATUS_INPUT, target, "cannot be written: directory '%s': %s", dir,
               strerror(errno));
  else if (!S_ISDIR(st.st_mode))
    diag_error(d, STATUS_INPUT, target, "cannot be written: '%s' is not a directory", dir);
  else if (access(dir, W_OK | X_OK) != 0)
    diag_error(d, STATUS_INPUT, target, "cannot be written: directory '%s': %s", dir,
               strerror(errno));
  else
    return true;
  return false;
}

/* Refuses a link that another user has laid, and what would hand the result to one. st: that of the
 * target, or NULL for none. */
static bool check_owners(const char *target, const struct stat *st, char *real, diags *d) {
  char odd[PATH_MAX];
  bool known = own_path_follow(target, real, odd);
  if (!known && errno == EPERM) {
    diag_error(d, STATUS_INPUT, target, "cannot be written: '%s' is a link of another user's", odd);
    return false;
  }
  if (!known) snprintf(real, PATH_MAX, "%s", target);
  if (!st || S_ISREG(st->st_mode) || own_path_trusts(st->st_uid)) return true;
  diag_error(d, STATUS_INPUT, target, "cannot be written: it is another user's");
  return false;
}

bool atomic_output_check(const char *target, const char *input, diags *d) {
  char real[PATH_MAX];
  struct stat to, from;
  if (!strcmp(target, "-")) return true;
  if (!*target || strlen(target) > PATH_MAX - 32) {
    diag_error(d, STATUS_INPUT, target, "cannot be written: %s",
               *target ? strerror(ENAMETOOLONG) : "the name of the output is empty");
    return false;
  }
  bool there = stat(target, &to) == 0;
  if (!check_owners(target, there ? &to : NULL, real, d)) return false;
  if (there && S_ISDIR(to.st_mode)) {
    diag_error(d, STATUS_INPUT, target, "cannot be written: it is a directory");
    return false;
  }
  if (there && input && stat(input, &from) == 0 && to.st_dev == from.st_dev &&
      to.st_ino == from.st_ino) {
    diag_error(d, STATUS_INPUT, target, "the output is the input '%s' itself: name another file",
               input);
    return false;
  }
  if (there && access(target, W_OK) != 0) {
    diag_error(d, STATUS_INPUT, target, "cannot be written: %s", strerror(errno));
    return false;
  }
  return (there && !S_ISREG(to.st_mode)) || check_directory(target, d);
}

typedef struct resolved {
  bool there; /* with its `st` */
  struct stat st;
  char real[PATH_MAX]; /* the name to write to */
} resolved;

/* Leaves the error in errno, too. */
static bool report_failure(const char *target, int error, diags *d) {
  diag_error(d, STATUS_INPUT, strcmp(target, "-") ? target : "(standard output)",
             "cannot be written: %s", strerror(error));
  errno = error;
  return false;
}

static bool write_in_place(const char *target, const char *at, size_t n, diags *d) {
  int fd = strcmp(target, "-") ? open(target, O_WRONLY | O_CLOEXEC | O_NOCTTY) : dup(STDOUT_FILENO);
  if (fd < 0) return report_failure(target, errno, d);
  bool ok = file_write(fd, at, n);
  int error = errno;
  if (close(fd) != 0 && ok) {
    ok = false;
    error = errno;
  }
  return ok || report_failure(target, error, d);
}

/* Makes a temporary file in the directory of `real`. */
static int open_beside(const char *real) {
  char dir[PATH_MAX], name[PATH_MAX];
  file_copy_dir(dir, sizeof dir, real);
  int n = snprintf(name, sizeof name, "%s/.aotigen-XXXXXX", dir);
  if (n >= 0 && (size_t)n < sizeof name) return cleanup_make_file(name);
  errno = ENAMETOOLONG;
  return -1;
}

/* Renames the closed temporary file to `real`; removes it if `ok` is false or that fails. Keeps
 * errno. */
static bool rename_or_remove(const char *real, bool ok) {
  int error = errno;
  if (ok) return cleanup_release_file(real);
  cleanup_release_file(NULL);
  errno = error;
  return false;
}

/* Closes the temporary file, then renames it to `real`. */
static bool finish_file(int fd, const char *real, mode_t mode, bool ok) {
  int error = errno;
  if (ok && (fchmod(fd, mode) != 0 || fsync(fd) != 0)) {
    ok = errno == EINVAL; /* a file system that cannot sync */
    error = errno;
  }
  if (close(fd) != 0 && ok) {
    ok = false;
    error = errno;
  }
  errno = error;
  return rename_or_remove(real, ok);
}

/* Nobody else may write to a result in a directory that users share. */
static mode_t default_mode(const char *real) {
  char dir[PATH_MAX];
  mode_t mask = umask(0);
  umask(mask);
  file_copy_dir(dir, sizeof dir, real);
  return 0666 & ~mask & (own_path_is_shared(dir) ? ~(mode_t)022 : ~(mode_t)0);
}

/* A result keeps the mode of the user's own file that it replaces. */
static mode_t find_mode(const resolved *r) {
  return r->there && r->st.st_uid == geteuid() ? r->st.st_mode & 0777 : default_mode(r->real);
}

/* Follows the links of a path: all of them lie in directories of the user's, or are trusted. A link
 * to nothing is replaced. False with an error. */
static bool resolve_target(resolved *r, const char *target, diags *d) {
  struct stat link;
  r->there = stat(target, &r->st) == 0;
  if (!check_owners(target, r->there ? &r->st : NULL, r->real, d)) {
    errno = EPERM;
    return false;
  }
  if (!r->there && lstat(target, &link) == 0) snprintf(r->real, PATH_MAX, "%s", target);
  return true;
}

bool atomic_output_write(const char *target, const char *at, size_t n, diags *d) {
  resolved r;
  if (!strcmp(target, "-")) return write_in_place(target, at, n, d);
  if (!resolve_target(&r, target, d)) return false;
  if (r.there && S_ISDIR(r.st.st_mode)) return report_failure(target, EISDIR, d);
  if (r.there && !S_ISREG(r.st.st_mode)) return write_in_place(target, at, n, d);
  int fd = open_beside(r.real);
  if (fd < 0) return report_failure(target, errno, d);
  bool ok = file_write(fd, at, n);
  return finish_file(fd, r.real, find_mode(&r), ok) || report_failure(target, errno, d);
}

static bool copy_file(int from, int to) {
  char buffer[64 * 1024];
  for (ssize_t n; (n = read(from, buffer, sizeof buffer)) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || !file_write(to, buffer, (size_t)n)) return false;
  }
  return true;
}

bool atomic_output_move(const char *from, const char *target, diags *d) {
  resolved r;
  struct stat st;
  if (!resolve_target(&r, target, d)) return false;
  const bool device = r.there && !S_ISREG(r.st.st_mode);
  int in = open(from, O_RDONLY | O_CLOEXEC);
  if (in < 0 || fstat(in, &st) != 0) {
    int error = errno;
    if (in >= 0) close(in);
    return report_failure(target, error, d);
  }
  if (!device && rename(from, r.real) == 0) {
    close(in);
    return true;
  }
  int out = device ? open(target, O_WRONLY | O_CLOEXEC) : open_beside(r.real);
  if (out < 0) {
    int error = errno;
    close(in);
    return report_failure(target, error, d);
  }
  bool ok = copy_file(in, out);
  int error = errno;
  close(in);
  errno = error;
  if (device) {
    ok = close(out) == 0 && ok;
  } else {
    ok = finish_file(out, r.real, st.st_mode & 0777, ok);
  }
  if (!ok) return report_failure(target, errno, d);
  unlink(from);
  return true;
}

bool atomic_output_check_regular(const char *target, diags *d) {
  struct stat st;
  if (stat(target, &st) != 0 || S_ISREG(st.st_mode)) return true;
  diag_error(d, STATUS_INPUT, target, "cannot be written: the output must be a regular file");
  return false;
}

bool atomic_output_open(atomic_output *f, const char *target, diags *d) {
  resolved r;
  *f = (atomic_output){.target = target};
  if (!resolve_target(&r, target, d) || !atomic_output_check_regular(target, d)) return false;
  strcpy(f->real, r.real);
  f->mode = find_mode(&r);
  int fd = open_beside(f->real);
  f->stream = fd < 0 ? NULL : fdopen(fd, "w+");
  if (f->stream) return true;
  int error = errno;
  if (fd >= 0) finish_file(fd, f->real, 0600, false);
  return report_failure(target, error, d);
}

bool atomic_output_close(atomic_output *f, bool ok, diags *d) {
  if (!f->stream) return false;
  bool written = ok && fchmod(fileno(f->stream), f->mode) == 0;
  if (fclose(f->stream) != 0) written = false;
  f->stream = NULL;
  written = rename_or_remove(f->real, written);
  return written || (ok && report_failure(f->target, errno, d));
}

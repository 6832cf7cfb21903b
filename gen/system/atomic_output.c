/* output.c - see output.h. Knows files and signals; nothing of what is written.
 *
 * The signal handler uses nothing but async-signal-safe calls: the register is of fixed size, and a
 * directory is emptied through getdents64 rather than readdir.
 */
#include "system/atomic_output.h"
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT};
enum { CAUGHT = sizeof caught / sizeof *caught, CHILDREN = 64 };

static struct {
  char file[PATH_MAX]; /* the temporary file beside the target, or "" */
  char dir[PATH_MAX];  /* the private directory, or "" */
  char tmpdir[PATH_MAX];
  volatile pid_t child[CHILDREN]; /* process groups, 0 where free */
  pid_t owner;                    /* a forked child must not clean up */
} reg;

/* ---- cleaning up: async-signal-safe */

struct entry {
  uint64_t inode;
  int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[];
};

/* Empties the directory behind `fd`, and closes it. What is nested deeper than a compiler makes it
 * stays. */
static void empty(int fd, int depth) {
  _Alignas(8) char buffer[4096];
  for (bool removed = true; removed && lseek(fd, 0, SEEK_SET) == 0;) {
    removed = false;
    for (long n; (n = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0;)
      for (long at = 0; at < n;) {
        struct entry *e = (struct entry *)(buffer + at);
        at += e->size;
        if (!strcmp(e->name, ".") || !strcmp(e->name, "..")) continue;
        if (unlinkat(fd, e->name, 0) == 0)
          removed = true;
        else if (depth > 0) {
          int inner = openat(fd, e->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
          if (inner >= 0) empty(inner, depth - 1);
          if (unlinkat(fd, e->name, AT_REMOVEDIR) == 0) removed = true;
        }
      }
  }
  close(fd);
}

static void end_children(void) {
  for (int i = 0; i < CHILDREN; i++) {
    pid_t child = reg.child[i];
    if (child > 0) kill(-child, SIGKILL);
  }
  for (int i = 0; i < CHILDREN; i++) {
    pid_t child = reg.child[i];
    if (child > 0) waitpid(child, NULL, 0);
  }
}

void output_clean_up(void) {
  if (reg.owner != getpid()) return;
  end_children();
  if (reg.file[0]) unlink(reg.file);
  reg.file[0] = '\0';
  int fd = reg.dir[0] ? open(reg.dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
  if (fd >= 0) empty(fd, 4);
  if (reg.dir[0]) rmdir(reg.dir);
  reg.dir[0] = '\0';
}

static void die_of(int sig) {
  output_clean_up();
  signal(sig, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, sig);
  raise(sig);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* ---- the register */

/* What was registered before a fork is the parent's to remove. */
static void own(void) {
  pid_t self = getpid(), before = reg.owner;
  if (before == self) return;
  if (before) {
    reg.file[0] = reg.dir[0] = '\0';
    for (int i = 0; i < CHILDREN; i++) reg.child[i] = 0;
  }
  reg.owner = self;
  if (!before) atexit(output_clean_up);
}

void output_catch_signals(void) {
  own();
  struct sigaction act = {.sa_handler = die_of};
  sigemptyset(&act.sa_mask);
  for (int i = 0; i < CAUGHT; i++) sigaddset(&act.sa_mask, caught[i]);
  for (int i = 0; i < CAUGHT; i++) {
    struct sigaction old;
    if (sigaction(caught[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(caught[i], &act, NULL);
  }
  signal(SIGXFSZ, SIG_IGN); /* a limit on file size is an error of write(), told like a full disk */
}

void output_hold_signals(sigset_t *before) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < CAUGHT; i++) sigaddset(&set, caught[i]);
  sigprocmask(SIG_BLOCK, &set, before);
}

void output_release_signals(const sigset_t *before) { sigprocmask(SIG_SETMASK, before, NULL); }

bool output_child_began(pid_t group) {
  own();
  for (int i = 0; i < CHILDREN; i++)
    if (reg.child[i] == 0) {
      reg.child[i] = group;
      return true;
    }
  return false;
}

void output_child_ended(pid_t group) {
  for (int i = 0; i < CHILDREN; i++)
    if (reg.child[i] == group) reg.child[i] = 0;
}

void output_use_tmpdir(const char *dir) {
  if (dir && strlen(dir) < sizeof reg.tmpdir - 32) strcpy(reg.tmpdir, dir);
}

const char *output_private_dir(diags *d) {
  own();
  if (reg.dir[0]) return reg.dir;
  char name[PATH_MAX];
  int n = snprintf(name, sizeof name, "%s/aotigen-XXXXXX", reg.tmpdir[0] ? reg.tmpdir : "/tmp");
  sigset_t before;
  output_hold_signals(&before);
  bool made = n > 0 && (size_t)n < sizeof name && mkdtemp(name) && strlen(name) < sizeof reg.dir;
  int error = errno;
  if (made) strcpy(reg.dir, name);
  output_release_signals(&before);
  if (made) return reg.dir;
  diag_error(d, STATUS_INPUT, reg.tmpdir[0] ? reg.tmpdir : "/tmp", 0, 0,
             "cannot make a temporary directory here: %s; name another with $TMPDIR",
             strerror(error));
  return NULL;
}

/* ---- files */

/* The directory part of a path, "." where it has none. */
static void directory_of(const char *path, char *dir, size_t size) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    snprintf(dir, size, ".");
  else if (slash == path)
    snprintf(dir, size, "/");
  else
    snprintf(dir, size, "%.*s", (int)(slash - path), path);
}

static bool check_directory(const char *target, diags *d) {
  char dir[PATH_MAX];
  struct stat st;
  directory_of(target, dir, sizeof dir);
  if (stat(dir, &st) != 0)
    diag_error(d, STATUS_INPUT, target, 0, 0, "cannot be written: directory '%s': %s", dir,
               strerror(errno));
  else if (!S_ISDIR(st.st_mode))
    diag_error(d, STATUS_INPUT, target, 0, 0, "cannot be written: '%s' is not a directory", dir);
  else if (access(dir, W_OK | X_OK) != 0)
    diag_error(d, STATUS_INPUT, target, 0, 0, "cannot be written: directory '%s': %s", dir,
               strerror(errno));
  else
    return true;
  return false;
}

bool output_check(const char *target, const char *input, diags *d) {
  struct stat to, from;
  if (!strcmp(target, "-")) return true;
  if (!*target || strlen(target) > PATH_MAX - 32) {
    diag_error(d, STATUS_INPUT, target, 0, 0, "cannot be written: %s",
               *target ? strerror(ENAMETOOLONG) : "the name of the output is empty");
    return false;
  }
  bool there = stat(target, &to) == 0;
  if (there && S_ISDIR(to.st_mode)) {
    diag_error(d, STATUS_INPUT, target, 0, 0, "cannot be written: it is a directory");
    return false;
  }
  if (there && input && stat(input, &from) == 0 && to.st_dev == from.st_dev &&
      to.st_ino == from.st_ino) {
    diag_error(d, STATUS_INPUT, target, 0, 0,
               "the output is the input '%s' itself: name another file", input);
    return false;
  }
  if (there && access(target, W_OK) != 0) {
    diag_error(d, STATUS_INPUT, target, 0, 0, "cannot be written: %s", strerror(errno));
    return false;
  }
  return (there && !S_ISREG(to.st_mode)) || check_directory(target, d);
}

static bool failed(const char *target, int error, diags *d) {
  diag_error(d, STATUS_INPUT, strcmp(target, "-") ? target : "(standard output)", 0, 0,
             "cannot be written: %s", strerror(error));
  return false;
}

static bool write_in_place(const char *target, const char *at, size_t n, diags *d) {
  int fd = strcmp(target, "-") ? open(target, O_WRONLY | O_CLOEXEC | O_NOCTTY) : dup(STDOUT_FILENO);
  if (fd < 0) return failed(target, errno, d);
  bool ok = file_write(fd, at, n);
  int error = errno;
  if (close(fd) != 0 && ok) {
    ok = false;
    error = errno;
  }
  return ok || failed(target, error, d);
}

/* Opens a temporary file in the directory of `real`, and enters it into the register. */
static int open_beside(const char *real) {
  char dir[PATH_MAX], name[PATH_MAX];
  directory_of(real, dir, sizeof dir);
  int n = snprintf(name, sizeof name, "%s/.aotigen-XXXXXX", dir);
  if (n < 0 || (size_t)n >= sizeof name) {
    errno = ENAMETOOLONG;
    return -1;
  }
  own();
  sigset_t before;
  output_hold_signals(&before);
  int fd = mkostemp(name, O_CLOEXEC), error = errno;
  if (fd >= 0) strcpy(reg.file, name);
  output_release_signals(&before);
  errno = error;
  return fd;
}

/* Renames the temporary file, which is closed; on an error nothing is left. */
static bool put_in_place(const char *real, bool ok) {
  int error = errno;
  sigset_t before;
  output_hold_signals(&before);
  if (ok && rename(reg.file, real) != 0) {
    ok = false;
    error = errno;
  }
  if (!ok) unlink(reg.file);
  reg.file[0] = '\0';
  output_release_signals(&before);
  errno = error;
  return ok;
}

/* Closes the temporary file and renames it. */
static bool finish(int fd, const char *real, mode_t mode, bool ok) {
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
  return put_in_place(real, ok);
}

static mode_t default_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/* What a target comes to: `real` is the name behind symbolic links, `mode` that of the file it
 * replaces. */
static bool resolve(const char *target, char *real, struct stat *st) {
  bool there = stat(target, st) == 0;
  if (!there || !realpath(target, real)) snprintf(real, PATH_MAX, "%s", target);
  return there;
}

bool output_write(const char *target, const char *at, size_t n, diags *d) {
  char real[PATH_MAX];
  struct stat st;
  if (!strcmp(target, "-")) return write_in_place(target, at, n, d);
  bool there = resolve(target, real, &st);
  if (there && S_ISDIR(st.st_mode)) return failed(target, EISDIR, d);
  if (there && !S_ISREG(st.st_mode)) return write_in_place(target, at, n, d);
  int fd = open_beside(real);
  if (fd < 0) return failed(target, errno, d);
  bool ok = file_write(fd, at, n);
  return finish(fd, real, there ? st.st_mode & 0777 : default_mode(), ok) ||
         failed(target, errno, d);
}

static bool copy_all(int from, int to) {
  char buffer[64 * 1024];
  for (ssize_t n; (n = read(from, buffer, sizeof buffer)) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || !file_write(to, buffer, (size_t)n)) return false;
  }
  return true;
}

bool output_move(const char *from, const char *target, diags *d) {
  char real[PATH_MAX];
  struct stat st, to;
  bool there = resolve(target, real, &to), device = there && !S_ISREG(to.st_mode);
  int in = open(from, O_RDONLY | O_CLOEXEC);
  if (in < 0 || fstat(in, &st) != 0) {
    int error = errno;
    if (in >= 0) close(in);
    return failed(target, error, d);
  }
  if (!device && rename(from, real) == 0) {
    close(in);
    return true;
  }
  int out = device ? open(real, O_WRONLY | O_CLOEXEC) : open_beside(real);
  if (out < 0) {
    int error = errno;
    close(in);
    return failed(target, error, d);
  }
  bool ok = copy_all(in, out);
  int error = errno;
  close(in);
  errno = error;
  if (device) {
    ok = close(out) == 0 && ok;
  } else {
    ok = finish(out, real, st.st_mode & 0777, ok);
  }
  if (!ok) return failed(target, errno, d);
  unlink(from);
  return true;
}

bool output_check_regular(const char *target, diags *d) {
  struct stat st;
  if (stat(target, &st) != 0 || S_ISREG(st.st_mode)) return true;
  diag_error(d, STATUS_INPUT, target, 0, 0, "cannot be written: the output must be a regular file");
  return false;
}

bool output_open(output_file *f, const char *target, diags *d) {
  struct stat st;
  *f = (output_file){.target = target};
  bool there = resolve(target, f->real, &st);
  if (!output_check_regular(target, d)) return false;
  f->mode = there ? st.st_mode & 0777 : default_mode();
  int fd = open_beside(f->real);
  f->stream = fd < 0 ? NULL : fdopen(fd, "w+");
  if (f->stream) return true;
  int error = errno;
  if (fd >= 0) finish(fd, f->real, 0600, false);
  return failed(target, error, d);
}

bool output_close(output_file *f, bool ok, diags *d) {
  if (!f->stream) return false;
  bool written = ok && fchmod(fileno(f->stream), f->mode) == 0;
  if (fclose(f->stream) != 0) written = false;
  f->stream = NULL;
  written = put_in_place(f->real, written);
  return written || (ok && failed(f->target, errno, d));
}

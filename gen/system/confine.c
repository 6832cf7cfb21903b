/* confine.c - see confine.h. The kernel's structs are defined here: the header of Debian 12 has
 * only those of Linux 6.1, and a newer kernel accepts the shorter ones as well. */
#define _GNU_SOURCE
#include "system/confine.h"
#include "base/file.h"
#include "system/syscall_filter.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- files: Landlock ------------------------------------------------------------------------ */

/* struct landlock_ruleset_attr of Landlock 6 (Linux 6.12), and its bits that the header lacks. */
typedef struct ruleset_attributes {
  uint64_t files, network, scoped;
} ruleset_attributes;

enum {
  FILES_1 = (1 << 13) - 1, /* Landlock 1: execute to make_sym */
  FILE_REFER = 1 << 13,    /* 2 */
  FILE_TRUNCATE = 1 << 14, /* 3 */
  FILE_IOCTL = 1 << 15,    /* 5 */
  NETWORK_TCP = 3,         /* 4: bind, connect */
  SCOPED = 3               /* 6: abstract UNIX sockets and signals beyond the child's own */
};

static const uint64_t reads = LANDLOCK_ACCESS_FS_READ_FILE, of_dirs = LANDLOCK_ACCESS_FS_READ_DIR,
                      writes = LANDLOCK_ACCESS_FS_WRITE_FILE | FILE_TRUNCATE,
                      makes = LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
                              LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                              FILE_REFER;

int confine_kernel_version(void) {
  long version =
      syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? (int)version : 0;
}

static uint64_t handled_files(int version) {
  return (uint64_t)FILES_1 | (version >= 2 ? FILE_REFER : 0) | (version >= 3 ? FILE_TRUNCATE : 0) |
         (version >= 5 ? FILE_IOCTL : 0);
}

static int make_ruleset(int version) {
  const ruleset_attributes attributes = {.files = handled_files(version),
                                         .network = version >= 4 ? NETWORK_TCP : 0,
                                         .scoped = version >= 6 ? SCOPED : 0};
  size_t size = version >= 6   ? sizeof attributes
                : version >= 4 ? 2 * sizeof(uint64_t)
                               : sizeof(uint64_t);
  if (!version) return -1;
  return (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0U);
}

/* Allows those of `bits` that the rules decide on; for a file, without the bits that only apply to
 * directories. */
static bool add_path(int ruleset, const char *path, uint64_t bits) {
  struct stat s;
  int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return errno != EMFILE && errno != ENFILE && errno != ENOMEM;
  if (fstat(fd, &s) != 0 || !S_ISDIR(s.st_mode)) bits &= ~(makes | of_dirs);
  const struct landlock_path_beneath_attr rule = {.allowed_access = bits, .parent_fd = fd};
  bool ok = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0U) == 0;
  int error = errno;
  close(fd);
  errno = error;
  return ok;
}

bool confine_allow(confine *c, const char *path, unsigned access) {
  uint64_t bits = reads | of_dirs;
  if (access & CONFINE_EXECUTE) bits |= LANDLOCK_ACCESS_FS_EXECUTE;
  if (access & CONFINE_WRITE) bits |= writes | makes;
  return c->ruleset < 0 || add_path(c->ruleset, path, bits & c->files);
}

bool confine_outputs(confine *c, const confine *from, const char *dir) {
  *c = *from;
  if (from->ruleset < 0) return true;
  const ruleset_attributes attributes = {.files = (writes | makes) & from->files};
  c->outputs = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof(uint64_t), 0U);
  if (c->outputs < 0) return false;
  if (add_path(c->outputs, dir, attributes.files) &&
      add_path(c->outputs, "/dev/null", attributes.files))
    return true;
  confine_end_outputs(c);
  return false;
}

void confine_end_outputs(confine *c) {
  int error = errno;
  if (c->outputs >= 0) close(c->outputs);
  c->outputs = -1;
  errno = error;
}

/* ---- limits --------------------------------------------------------------------------------- */

/* `more`: how far the hard limit is above it. */
static bool set_limit(__rlimit_resource_t what, uint64_t value, uint64_t more) {
  struct rlimit now;
  if (!value) return true;
  if (getrlimit(what, &now) != 0) return false;
  if (now.rlim_cur != RLIM_INFINITY && now.rlim_cur < value) value = now.rlim_cur;
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < value + more) more = now.rlim_max - value;
  return setrlimit(what, &(struct rlimit){value, value + more}) == 0;
}

static bool set_limits(const confine_limits *l) {
  static const struct rlimit none = {0, 0};
  /* SIGXCPU comes a second before SIGKILL, so that the parent knows the cause. */
  return set_limit(RLIMIT_CPU, l->cpu_seconds, 1) && set_limit(RLIMIT_AS, l->memory_bytes, 0) &&
         set_limit(RLIMIT_DATA, l->data_bytes, 0) && set_limit(RLIMIT_FSIZE, l->file_bytes, 0) &&
         set_limit(RLIMIT_NPROC, l->processes, 0) && setrlimit(RLIMIT_CORE, &none) == 0;
}

/* The directory of a process's threads belongs to its user, and has a link for each of them. */
uint64_t confine_own_processes(void) {
  uint64_t count = 0;
  DIR *all = opendir("/proc");
  for (struct dirent *e; all && (e = readdir(all));) {
    char name[sizeof e->d_name + sizeof "/task"];
    struct stat s;
    snprintf(name, sizeof name, "%s/task", e->d_name);
    if (*e->d_name >= '1' && *e->d_name <= '9' && fstatat(dirfd(all), name, &s, 0) == 0 &&
        s.st_uid == getuid() && s.st_nlink > 2)
      count += s.st_nlink - 2;
  }
  if (all) closedir(all);
  return count;
}

uint64_t confine_own_data(void) {
  strbuf t = {0};
  unsigned long data = 0; /* pages */
  bool known = file_read("/proc/self/statm", 4096, &t) &&
               sscanf(t.at, "%*u %*u %*u %*u %*u %lu", &data) == 1;
  strbuf_free(&t);
  return known ? (uint64_t)data * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* ---- all ------------------------------------------------------------------------------------ */

bool confine_begin(confine *c, const confine_limits *limits, bool alone, arena *a, diags *d) {
  int version = confine_kernel_version();
  *c = (confine){.ruleset = make_ruleset(version),
                 .outputs = -1,
                 .files = handled_files(version),
                 .limits = *limits};
  if (c->ruleset < 0 && version) {
    diag_error(d, STATUS_BUG, NULL, "Landlock refuses a set of rules: %s", strerror(errno));
    return false;
  }
  int error = syscall_filter_make(&c->filter, &c->nfilter, alone, a);
  if (error) {
    diag_error(d, STATUS_BUG, NULL, "libseccomp cannot make the filter of system calls: %s",
               strerror(-error));
    confine_end(c);
    return false;
  }
  if (confine_allow(c, "/dev/null", CONFINE_WRITE)) return true;
  diag_error(d, STATUS_BUG, NULL, "Landlock refuses a set of rules: %s", strerror(errno));
  confine_end(c);
  return false;
}

void confine_begin_limits(confine *c, const confine_limits *limits) {
  *c = (confine){.ruleset = -1, .outputs = -1, .limits = *limits};
}

bool confine_enter(const confine *c) {
  const struct sock_fprog program = {c->nfilter, c->filter};
  return set_limits(&c->limits) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         (c->ruleset < 0 || syscall(SYS_landlock_restrict_self, c->ruleset, 0U) == 0) &&
         (c->outputs < 0 || syscall(SYS_landlock_restrict_self, c->outputs, 0U) == 0) &&
         (!c->filter || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

void confine_end(confine *c) {
  if (c->ruleset >= 0) close(c->ruleset);
  c->ruleset = -1;
}

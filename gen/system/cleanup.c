/* cleanup.c - see cleanup.h. The signal handler makes async-signal-safe calls only: it empties a
 * directory through getdents64, because readdir() allocates. */
#include "system/cleanup.h"
#include "system/keeper.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const int caught[] = {SIGINT,  SIGTERM, SIGHUP,  SIGPIPE, SIGQUIT,  SIGALRM,
                             SIGUSR1, SIGUSR2, SIGXCPU, SIGPROF, SIGVTALRM};
enum { CAUGHT = sizeof caught / sizeof *caught, CHILDREN = CLEANUP_CHILDREN };

typedef struct entries {
  char file[PATH_MAX]; /* the temporary file, or "" */
  char dir[PATH_MAX];  /* the private directory, or "" */
  char tmpdir[PATH_MAX];
  volatile pid_t child[CHILDREN]; /* process groups, 0 where free */
  volatile pid_t program;         /* that uses the private directory, and is not killed; or 0 */
  pid_t owner;                    /* the process that registered the entries */
} entries;

static entries own, *reg = &own; /* in main() they lie in memory that the keeper sees, too */
static pid_t keeper;             /* or 0 */

/* ---- cleaning up: async-signal-safe */

/* struct linux_dirent64 */
struct entry {
  uint64_t inode;
  int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[];
};

typedef struct removal {
  int top;         /* the private directory */
  unsigned number; /* the number of the next directory that is moved there */
} removal;

/* "d" and the number. */
static void name_moved(char name[16], unsigned number) {
  char *to = name;
  *to++ = 'd';
  for (unsigned left = number; left || to == name + 1; left /= 16)
    *to++ = "0123456789abcdef"[left % 16];
  *to = '\0';
}

/* Calls `f` for each entry of the directory, again after each pass that changed something, because
 * removing entries may let getdents64 skip others. */
static void walk_directory(removal *r, int fd, bool (*f)(removal *, int, const char *)) {
  _Alignas(8) char buffer[4096];
  for (bool changed = true; changed && lseek(fd, 0, SEEK_SET) == 0;) {
    changed = false;
    for (long n; (n = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0;)
      for (long at = 0; at < n;) {
        struct entry *e = (struct entry *)(buffer + at);
        at += e->size;
        if (strcmp(e->name, ".") != 0 && strcmp(e->name, "..") != 0 && f(r, fd, e->name))
          changed = true;
      }
  }
}

/* Moves a directory into the private directory: however deep they are nested, only two are open. */
static bool remove_or_move(removal *r, int dir, const char *name) {
  char moved[16];
  if (unlinkat(dir, name, 0) == 0 || unlinkat(dir, name, AT_REMOVEDIR) == 0) return true;
  fchmodat(dir, name, 0700,
           AT_SYMLINK_NOFOLLOW); /* a directory without write permission cannot be moved */
  for (;;) {
    name_moved(moved, r->number++);
    if (renameat(dir, name, r->top, moved) == 0) return true;
    if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR) return false;
  }
}

static bool remove_entry(removal *r, int dir, const char *name) {
  if (unlinkat(dir, name, 0) == 0) return true;
  fchmodat(dir, name, 0700, AT_SYMLINK_NOFOLLOW);
  int inner = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inner >= 0) {
    walk_directory(r, inner, remove_or_move);
    close(inner);
  }
  return unlinkat(dir, name, AT_REMOVEDIR) == 0;
}

static void print_text(const char *s) {
  if (write(STDERR_FILENO, s, strlen(s)) < 0) return;
}

static void remove_directory(const char *path) {
  chmod(path, 0700);
  removal r = {.top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
  if (r.top >= 0) {
    walk_directory(&r, r.top, remove_entry);
    close(r.top);
  }
  if (rmdir(path) == 0 || errno == ENOENT) return;
  print_text(path);
  print_text(": warning: ");
  print_text("this temporary directory cannot be removed whole\n");
}

static void kill_children(void) {
  for (int i = 0; i < CHILDREN; i++) {
    pid_t child = reg->child[i];
    if (child > 0 && kill(-child, SIGKILL) != 0) kill(child, SIGKILL); /* it has no group yet */
  }
  for (int i = 0; i < CHILDREN; i++) {
    pid_t child = reg->child[i];
    if (child > 0) waitpid(child, NULL, 0);
    while (child > 0 && waitpid(-child, NULL, 0) > 0) continue;
  }
}

static void remove_files(void) {
  if (reg->file[0]) unlink(reg->file);
  reg->file[0] = '\0';
  if (reg->dir[0]) remove_directory(reg->dir);
  reg->dir[0] = '\0';
}

/* In the keeper: the owner was killed. A child without a group of its own dies with the owner. */
static void clean_up_after_owner(void) {
  for (int i = 0; i < CHILDREN; i++)
    if (reg->child[i] > 0) keeper_end_group(reg->child[i]);
  if (reg->program > 0) keeper_await(reg->program);
  remove_files();
}

void cleanup_run(void) {
  if (reg->owner != getpid()) return;
  kill_children();
  remove_files();
  if (keeper) keeper_stop(keeper);
  keeper = 0;
}

static void die_of_signal(int sig) {
  cleanup_run();
  signal(sig, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, sig);
  raise(sig);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* ---- signals */

static struct sigaction child_before, size_before; /* for SIGCHLD and SIGXFSZ */

/* A forked child begins with an empty register, since the entries belong to its parent. */
static void claim_register(void) {
  pid_t self = getpid(), before = reg->owner;
  if (before == self) return;
  if (before) {
    const entries *of_parent = reg;
    if (reg != &own) strcpy(own.tmpdir, of_parent->tmpdir);
    reg = &own;
    reg->file[0] = reg->dir[0] = '\0';
    for (int i = 0; i < CHILDREN; i++) reg->child[i] = 0;
    reg->program = keeper = 0;
  }
  reg->owner = self;
  if (!before) atexit(cleanup_run);
}

/* Called before anything is registered. */
static void prepare_register(void) {
  claim_register();
  if (reg != &own && !keeper) keeper = keeper_start(clean_up_after_owner);
}

/* Lays the register into memory that a keeper shares. */
static void share_register(void) {
  void *at = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return;
  reg = memcpy(at, &own, sizeof own);
}

void cleanup_catch_signals(void) {
  claim_register();
  if (reg == &own) share_register();
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0,
        0); /* waits also for processes that a killed child had started */
  struct sigaction act = {.sa_handler = die_of_signal};
  sigemptyset(&act.sa_mask);
  for (int i = 0; i < CAUGHT; i++) sigaddset(&act.sa_mask, caught[i]);
  for (int i = 0; i < CAUGHT; i++) {
    struct sigaction old;
    if (sigaction(caught[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
      sigaction(caught[i], &act, NULL);
  }
  /* If SIGCHLD is ignored, a child is gone before it is waited for. */
  sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, &child_before);
  /* write() then fails with EFBIG, which is reported like a full disk. */
  sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, &size_before);
}

void cleanup_give_signals_back(void) {
  sigaction(SIGCHLD, &child_before, NULL);
  sigaction(SIGXFSZ, &size_before, NULL);
}

void cleanup_block_signals(sigset_t *before) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < CAUGHT; i++) sigaddset(&set, caught[i]);
  sigprocmask(SIG_BLOCK, &set, before);
}

void cleanup_restore_signals(const sigset_t *before) { sigprocmask(SIG_SETMASK, before, NULL); }

/* ---- the register */

bool cleanup_add_child(pid_t group) {
  prepare_register();
  for (int i = 0; i < CHILDREN; i++)
    if (reg->child[i] == 0) {
      reg->child[i] = group;
      return true;
    }
  return false;
}

void cleanup_remove_child(pid_t group) {
  for (int i = 0; i < CHILDREN; i++)
    if (reg->child[i] == group) reg->child[i] = 0;
}

void cleanup_note_program(pid_t program) { reg->program = program; }

int cleanup_make_file(char *name) {
  if (strlen(name) >= sizeof reg->file) {
    errno = ENAMETOOLONG;
    return -1;
  }
  prepare_register();
  sigset_t before;
  cleanup_block_signals(&before);
  int fd = mkostemp(name, O_CLOEXEC), error = errno;
  if (fd >= 0) strcpy(reg->file, name);
  cleanup_restore_signals(&before);
  errno = error;
  return fd;
}

bool cleanup_release_file(const char *target) {
  sigset_t before;
  cleanup_block_signals(&before);
  bool ok = !target || rename(reg->file, target) == 0;
  int error = errno;
  if (!target || !ok) unlink(reg->file);
  reg->file[0] = '\0';
  cleanup_restore_signals(&before);
  errno = error;
  return ok;
}

void cleanup_use_tmpdir(const char *dir) {
  if (dir && strlen(dir) < sizeof reg->tmpdir - 32) strcpy(reg->tmpdir, dir);
}

const char *cleanup_private_dir(diags *d) {
  prepare_register();
  if (reg->dir[0]) return reg->dir;
  char name[PATH_MAX];
  const char *tmpdir = reg->tmpdir[0] ? reg->tmpdir : "/tmp";
  int n = snprintf(name, sizeof name, "%s/aotigen-XXXXXX", tmpdir);
  sigset_t before;
  cleanup_block_signals(&before);
  bool made = n > 0 && (size_t)n < sizeof name && mkdtemp(name);
  int error = errno;
  if (made) strcpy(reg->dir, name);
  cleanup_restore_signals(&before);
  if (made) return reg->dir;
  diag_error(d, STATUS_INPUT, tmpdir,
             "cannot make a temporary directory here: %s; name another with $TMPDIR",
             strerror(error));
  return NULL;
}

bool cleanup_make_dir(const char *dir, diags *d) {
  if (mkdir(dir, 0700) == 0) return true;
  diag_error(d, STATUS_INPUT, dir,
             "this directory for temporary files cannot be made: %s; name another with $TMPDIR",
             strerror(errno));
  return false;
}

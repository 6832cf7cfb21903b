/* syscall_filter.c - see syscall_filter.h. A refused call fails with EPERM, one that a program has
 * another for with ENOSYS. */
#define _GNU_SOURCE
#include "system/syscall_filter.h"
#include <asm/ioctls.h>
#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Being another user; other processes; and leaving the process group, which is killed as a whole.
 * Without tgkill() abort() ends by a trap. */
static const int of_processes[] = {SCMP_SYS(setuid),
                                   SCMP_SYS(setgid),
                                   SCMP_SYS(setreuid),
                                   SCMP_SYS(setregid),
                                   SCMP_SYS(setresuid),
                                   SCMP_SYS(setresgid),
                                   SCMP_SYS(setfsuid),
                                   SCMP_SYS(setfsgid),
                                   SCMP_SYS(setgroups),
                                   SCMP_SYS(capset),
                                   SCMP_SYS(setsid),
                                   SCMP_SYS(setpgid),
                                   SCMP_SYS(ptrace),
                                   SCMP_SYS(process_vm_readv),
                                   SCMP_SYS(process_vm_writev),
                                   SCMP_SYS(process_madvise),
                                   SCMP_SYS(process_mrelease),
                                   SCMP_SYS(pidfd_open),
                                   SCMP_SYS(pidfd_getfd),
                                   SCMP_SYS(pidfd_send_signal),
                                   SCMP_SYS(kill),
                                   SCMP_SYS(tkill),
                                   SCMP_SYS(tgkill),
                                   SCMP_SYS(rt_sigqueueinfo),
                                   SCMP_SYS(rt_tgsigqueueinfo),
                                   SCMP_SYS(kcmp),
                                   SCMP_SYS(move_pages),
                                   SCMP_SYS(migrate_pages),
                                   SCMP_SYS(setpriority),
                                   SCMP_SYS(ioprio_set),
                                   SCMP_SYS(sched_setparam),
                                   SCMP_SYS(sched_setscheduler),
                                   SCMP_SYS(sched_setattr),
                                   SCMP_SYS(sched_setaffinity),
                                   SCMP_SYS(unshare),
                                   SCMP_SYS(setns)};

/* Sockets, and what else two processes share. */
static const int of_channels[] = {
    SCMP_SYS(socket),       SCMP_SYS(socketpair),   SCMP_SYS(connect),      SCMP_SYS(bind),
    SCMP_SYS(shmget),       SCMP_SYS(shmat),        SCMP_SYS(shmctl),       SCMP_SYS(msgget),
    SCMP_SYS(msgsnd),       SCMP_SYS(msgrcv),       SCMP_SYS(msgctl),       SCMP_SYS(semget),
    SCMP_SYS(semop),        SCMP_SYS(semtimedop),   SCMP_SYS(semctl),       SCMP_SYS(mq_open),
    SCMP_SYS(mq_unlink),    SCMP_SYS(memfd_create), SCMP_SYS(inotify_init), SCMP_SYS(inotify_init1),
    SCMP_SYS(fanotify_init)};

/* What of a file Landlock does not decide on: its owner, mode, times and attributes; its length,
 * before Linux 6.2; a lock, which its user would wait for. */
static const int of_files[] = {SCMP_SYS(chown),
                               SCMP_SYS(fchown),
                               SCMP_SYS(lchown),
                               SCMP_SYS(fchownat),
                               SCMP_SYS(chmod),
                               SCMP_SYS(fchmod),
                               SCMP_SYS(fchmodat),
                               SCMP_SYS(utime),
                               SCMP_SYS(utimes),
                               SCMP_SYS(futimesat),
                               SCMP_SYS(utimensat),
                               SCMP_SYS(setxattr),
                               SCMP_SYS(lsetxattr),
                               SCMP_SYS(fsetxattr),
                               SCMP_SYS(getxattr),
                               SCMP_SYS(lgetxattr),
                               SCMP_SYS(fgetxattr),
                               SCMP_SYS(listxattr),
                               SCMP_SYS(llistxattr),
                               SCMP_SYS(flistxattr),
                               SCMP_SYS(flock),
                               SCMP_SYS(removexattr),
                               SCMP_SYS(lremovexattr),
                               SCMP_SYS(fremovexattr),
                               SCMP_SYS(truncate),
                               SCMP_SYS(mknod),
                               SCMP_SYS(mknodat),
                               SCMP_SYS(open_by_handle_at),
                               SCMP_SYS(name_to_handle_at)};

/* Mounts, and the kernel itself. */
static const int of_the_system[] = {SCMP_SYS(mount),
                                    SCMP_SYS(umount2),
                                    SCMP_SYS(pivot_root),
                                    SCMP_SYS(chroot),
                                    SCMP_SYS(move_mount),
                                    SCMP_SYS(open_tree),
                                    SCMP_SYS(fsopen),
                                    SCMP_SYS(fsmount),
                                    SCMP_SYS(fspick),
                                    SCMP_SYS(fsconfig),
                                    SCMP_SYS(mount_setattr),
                                    SCMP_SYS(bpf),
                                    SCMP_SYS(perf_event_open),
                                    SCMP_SYS(userfaultfd),
                                    SCMP_SYS(io_uring_setup),
                                    SCMP_SYS(io_uring_enter),
                                    SCMP_SYS(io_uring_register),
                                    SCMP_SYS(add_key),
                                    SCMP_SYS(request_key),
                                    SCMP_SYS(keyctl),
                                    SCMP_SYS(init_module),
                                    SCMP_SYS(finit_module),
                                    SCMP_SYS(delete_module),
                                    SCMP_SYS(kexec_load),
                                    SCMP_SYS(kexec_file_load),
                                    SCMP_SYS(reboot),
                                    SCMP_SYS(swapon),
                                    SCMP_SYS(swapoff),
                                    SCMP_SYS(acct),
                                    SCMP_SYS(sethostname),
                                    SCMP_SYS(setdomainname),
                                    SCMP_SYS(settimeofday),
                                    SCMP_SYS(clock_settime),
                                    SCMP_SYS(clock_adjtime),
                                    SCMP_SYS(adjtimex),
                                    SCMP_SYS(syslog),
                                    SCMP_SYS(quotactl),
                                    SCMP_SYS(quotactl_fd),
                                    SCMP_SYS(modify_ldt),
                                    SCMP_SYS(memfd_secret),
                                    SCMP_SYS(iopl),
                                    SCMP_SYS(ioperm),
                                    SCMP_SYS(vhangup)};

/* What a process needs that starts others. */
static const int of_starting[] = {SCMP_SYS(clone), SCMP_SYS(fork), SCMP_SYS(vfork),
                                  SCMP_SYS(execve), SCMP_SYS(execveat)};

/* libseccomp's own macros leave a field out, which clang warns of. */
#define WHERE(n, how, a, b)                                                                        \
  (struct scmp_arg_cmp) { .arg = (n), .op = (how), .datum_a = (a), .datum_b = (b) }

/* The kernel looks at the lower half alone: what stands above it must not hide a value. */
#define WHERE_IS(n, value) WHERE(n, SCMP_CMP_MASKED_EQ, UINT32_MAX, value)

static int refuse(scmp_filter_ctx x, int call) {
  return seccomp_rule_add(x, SCMP_ACT_ERRNO(EPERM), call, 0);
}

static int refuse_all(scmp_filter_ctx x, const int *calls, size_t n) {
  int error = 0;
  for (size_t i = 0; i < n && !error; i++) error = refuse(x, calls[i]);
  return error;
}

#define REFUSE_ALL(x, calls) refuse_all(x, calls, sizeof(calls) / sizeof *(calls))

/* clone() may start a process, but no name space. */
static int refuse_namespaces(scmp_filter_ctx x) {
  enum { NEW_NAMESPACES = 0x7e020000 | 0x80 }; /* CLONE_NEW* */
  int error = 0;
  for (unsigned bit = 7; bit < 31 && !error; bit++)
    if (NEW_NAMESPACES >> bit & 1)
      error =
          seccomp_rule_add(x, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                           WHERE(0, SCMP_CMP_MASKED_EQ, UINT64_C(1) << bit, UINT64_C(1) << bit));
  return error;
}

/* A call with one value of an argument. */
typedef struct refused_value {
  int call;
  unsigned argument, value;
} refused_value;

static const refused_value refused_values[] = {
    /* A descriptor's owner gets a signal once there is something to read. */
    {SCMP_SYS(fcntl), 1, F_SETOWN},
    {SCMP_SYS(fcntl), 1, F_SETOWN_EX},
    {SCMP_SYS(ioctl), 1, FIOSETOWN},
    {SCMP_SYS(ioctl), 1, SIOCSPGRP},
    /* What is typed at a terminal, and how it is read. */
    {SCMP_SYS(ioctl), 1, TIOCSTI},
    {SCMP_SYS(ioctl), 1, TIOCLINUX},
    {SCMP_SYS(ioctl), 1, TIOCSETD},
    {SCMP_SYS(ioctl), 1, TIOCSCTTY},
    /* A file that cannot be removed: these are calls of its file system, not of a device. */
    {SCMP_SYS(ioctl), 1, FS_IOC_SETFLAGS},
    {SCMP_SYS(ioctl), 1, FS_IOC32_SETFLAGS},
    {SCMP_SYS(ioctl), 1, FS_IOC_FSSETXATTR},
    /* Outliving its parent. */
    {SCMP_SYS(prctl), 0, PR_SET_PDEATHSIG}};

static int refuse_values(scmp_filter_ctx x) {
  int error = 0;
  for (size_t i = 0; i < sizeof refused_values / sizeof *refused_values && !error; i++) {
    const refused_value *v = &refused_values[i];
    error = seccomp_rule_add(x, SCMP_ACT_ERRNO(EPERM), v->call, 1, WHERE_IS(v->argument, v->value));
  }
  return error;
}

/* Landlock lets through what asks for neither reading nor writing: the access mode 3, which is for
 * ioctl() on a device, and before Landlock 3 a truncation. */
static int refuse_odd_opens(scmp_filter_ctx x) {
  static const struct {
    int call;
    unsigned flags; /* the number of the argument with the flags */
  } calls[] = {{SCMP_SYS(open), 1}, {SCMP_SYS(openat), 2}};
  int error = 0;
  for (size_t i = 0; i < sizeof calls / sizeof *calls && !error; i++) {
    error = seccomp_rule_add(x, SCMP_ACT_ERRNO(EPERM), calls[i].call, 1,
                             WHERE(calls[i].flags, SCMP_CMP_MASKED_EQ, O_ACCMODE, O_ACCMODE));
    if (!error)
      error = seccomp_rule_add(
          x, SCMP_ACT_ERRNO(EPERM), calls[i].call, 1,
          WHERE(calls[i].flags, SCMP_CMP_MASKED_EQ, O_ACCMODE | O_TRUNC, O_RDONLY | O_TRUNC));
  }
  /* Its flags stand in memory. */
  return error ? error : seccomp_rule_add(x, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0);
}

/* Memory that RLIMIT_DATA does not count. */
static int refuse_uncounted_memory(scmp_filter_ctx x) {
  static const unsigned flags[] = {MAP_SHARED | MAP_ANONYMOUS, MAP_GROWSDOWN};
  int error = 0;
  for (size_t i = 0; i < sizeof flags / sizeof *flags && !error; i++)
    error = seccomp_rule_add(x, SCMP_ACT_ERRNO(ENOMEM), SCMP_SYS(mmap), 1,
                             WHERE(3, SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
  return error;
}

/* A confined process may set only the limit of its stack, which compilers raise. */
static int refuse_limits(scmp_filter_ctx x) {
  int error = seccomp_rule_add(x, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(setrlimit), 1,
                               WHERE(0, SCMP_CMP_NE, RLIMIT_STACK, 0));
  for (unsigned i = 0; i < 2 && !error; i++)
    error = seccomp_rule_add(x, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 2,
                             WHERE(i, SCMP_CMP_NE, i ? RLIMIT_STACK : 0, 0),
                             WHERE(2, SCMP_CMP_NE, 0, 0));
  return error;
}

/* What came to Linux after 6.5: fchmodat2() and others. A program takes an older one for it. */
static int refuse_new(scmp_filter_ctx x) {
  enum { FIRST = 452, END = 512 };
  int error = 0;
  for (int call = FIRST; call < END && !error; call++)
    error = seccomp_rule_add(x, SCMP_ACT_ERRNO(ENOSYS), call, 0);
  return error;
}

static int add_rules(scmp_filter_ctx x, bool alone) {
  int error = REFUSE_ALL(x, of_processes);
  if (!error) error = REFUSE_ALL(x, of_channels);
  if (!error) error = REFUSE_ALL(x, of_files);
  if (!error) error = REFUSE_ALL(x, of_the_system);
  if (!error) error = alone ? REFUSE_ALL(x, of_starting) : refuse_namespaces(x);
  /* Its flags stand in memory: libc takes clone() in its place. */
  if (!error) error = seccomp_rule_add(x, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  if (!error && alone) error = refuse_uncounted_memory(x);
  if (!error) error = refuse_odd_opens(x);
  if (!error) error = refuse_values(x);
  if (!error) error = refuse_limits(x);
  return error ? error : refuse_new(x);
}

/* libseccomp writes its program to a descriptor only. A pipe's content has no limit of the user's,
 * which would cut it off. */
static int export_filter(struct sock_filter **filter, uint16_t *n, scmp_filter_ctx x, arena *a) {
  enum { SIZE_MAX_OF_PIPE = 64 << 10 };
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -errno;
  int error = seccomp_export_bpf(x, ends[1]);
  close(ends[1]);
  *filter = arena_alloc(a, SIZE_MAX_OF_PIPE);
  ssize_t size = error ? 0 : read(ends[0], *filter, SIZE_MAX_OF_PIPE);
  if (!error && (size <= 0 || (size_t)size % sizeof **filter)) error = -EIO;
  *n = error ? 0 : (uint16_t)((size_t)size / sizeof **filter);
  close(ends[0]);
  return error;
}

int syscall_filter_make(struct sock_filter **filter, uint16_t *n, bool alone, arena *a) {
  scmp_filter_ctx x = seccomp_init(SCMP_ACT_ALLOW);
  int error = x ? seccomp_attr_set(x, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) : -ENOMEM;
  if (!error) error = add_rules(x, alone);
  if (!error) error = export_filter(filter, n, x, a);
  if (x) seccomp_release(x);
  return error;
}

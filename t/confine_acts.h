/* confine_acts.h - what a confined child tries: acts that it may not do. */
#ifndef T_CONFINE_ACTS_H
#define T_CONFINE_ACTS_H

#include "system/confine.h"
#include "machine.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/xattr.h>

/* System calls that the headers of Debian 12 lack. */
enum { CALL_FCHMODAT2 = 452, CALL_REMOVEXATTRAT = 466 };

/* The paths and processes that the acts use. */
static struct {
  const char *inside, *outside, *output; /* directories; `output` is within `inside` */
  pid_t other;                           /* a process of the same user */
  int socket;                            /* as the one that a confined parser answers on */
  int shared;                            /* memory of System V */
} scene;

static const char *path_in(const char *dir, const char *name) {
  static char paths[8][4200];
  static int next;
  char *to = paths[next++ % 8];
  snprintf(to, sizeof paths[0], "%s/%s", dir, name);
  return to;
}

/* True where it can be done. */
typedef struct act {
  const char *what;
  bool (*does)(void);
} act;

static bool opens(const char *path, int flags) {
  int fd = open(path, flags, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

static bool runs(const char *program) {
  pid_t child = fork();
  if (child == 0) {
    execl(program, program, "--version", (char *)NULL);
    _exit(77);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status != 77 << 8;
}

/* ---- what it may not ------------------------------------------------------------------------ */

#define ACT(name, expression)                                                                      \
  static bool name(void) { return expression; }

ACT(reads_passwd, opens("/etc/passwd", O_RDONLY))
ACT(reads_outside, opens(path_in(scene.outside, "secret"), O_RDONLY))
ACT(reads_by_climbing, opens(path_in(scene.inside, "../outside/secret"), O_RDONLY))
ACT(reads_by_link, opens(path_in(scene.inside, "link"), O_RDONLY))
ACT(reads_own_maps, opens("/proc/self/maps", O_RDONLY))
ACT(reads_own_environment, opens("/proc/self/environ", O_RDONLY))
ACT(reads_root_of_self, opens("/proc/self/root/etc/passwd", O_RDONLY))
ACT(reads_root_of_thread, opens("/proc/thread-self/root/etc/passwd", O_RDONLY))
ACT(lists_processes, opens("/proc", O_RDONLY | O_DIRECTORY))
ACT(lists_tasks, opens("/proc/self/task", O_RDONLY | O_DIRECTORY))
ACT(lists_root, opens("/", O_RDONLY | O_DIRECTORY))
ACT(lists_outside, opens(scene.outside, O_RDONLY | O_DIRECTORY))
ACT(lists_devices, opens("/dev", O_RDONLY | O_DIRECTORY))
ACT(reads_sys, opens("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY))
ACT(opens_zero, opens("/dev/zero", O_RDONLY))
ACT(opens_memory, opens("/dev/mem", O_RDWR) || opens("/dev/kmsg", O_RDONLY))
ACT(opens_terminal, opens("/dev/ptmx", O_RDWR))
/* For ioctl() alone: Landlock is not asked. */
ACT(opens_zero_for_control, opens("/dev/zero", O_ACCMODE))
ACT(opens_terminal_for_control, opens("/dev/tty", O_ACCMODE) || errno != EPERM)
ACT(opens_proc_for_control, opens("/proc/self/environ", O_ACCMODE))
ACT(opens_by_memory, syscall(SYS_openat2, AT_FDCWD, "/", NULL, 0) >= 0 || errno != ENOSYS)
ACT(types_at_terminal, ioctl(0, TIOCSTI, "x") == 0 || errno != EPERM)
ACT(writes_outside, opens(path_in(scene.outside, "secret"), O_WRONLY))
ACT(truncates_outside, truncate(path_in(scene.outside, "secret"), 0) == 0)
ACT(truncates_by_opening, opens(path_in(scene.outside, "secret"), O_ACCMODE | O_TRUNC))
ACT(truncates_what_it_reads,
    opens(path_in(scene.inside, "own"), O_RDONLY | O_TRUNC) || errno != EPERM)
ACT(makes_outside, opens(path_in(scene.outside, "new"), O_WRONLY | O_CREAT))
ACT(makes_in_tmp, opens("/tmp/aotigen-confine-test", O_WRONLY | O_CREAT))
ACT(makes_directory_outside, mkdir(path_in(scene.outside, "d"), 0700) == 0)
ACT(makes_link_outside, symlink("/", path_in(scene.outside, "l")) == 0)
ACT(makes_link_inside, symlink("/etc/passwd", path_in(scene.inside, "l")) == 0)
ACT(makes_pipe_inside, mkfifo(path_in(scene.inside, "p"), 0600) == 0)
ACT(removes_outside, unlink(path_in(scene.outside, "secret")) == 0)
ACT(renames_out, rename(path_in(scene.inside, "own"), path_in(scene.outside, "own")) == 0)
ACT(renames_in, rename(path_in(scene.outside, "secret"), path_in(scene.inside, "in")) == 0)
ACT(links_in, link(path_in(scene.outside, "secret"), path_in(scene.inside, "in")) == 0)
ACT(runs_shell, runs("/bin/sh"))
ACT(runs_perl, runs("/usr/bin/perl"))
ACT(runs_what_it_wrote, runs(path_in(scene.inside, "program")))
ACT(kills_other, kill(scene.other, 0) == 0 || kill(scene.other, SIGTERM) == 0)
ACT(kills_all, kill(-1, 0) == 0)
ACT(aborts_other, syscall(SYS_tgkill, scene.other, scene.other, SIGABRT) == 0)
ACT(attaches_shared_memory, shmat(scene.shared, NULL, SHM_RDONLY) != (void *)-1)
ACT(limits_other, prlimit(scene.other, RLIMIT_STACK, &(struct rlimit){4096, 4096}, NULL) == 0)
ACT(signals_other, syscall(SYS_tgkill, scene.other, scene.other, SIGTERM) == 0)
ACT(traces_other, ptrace(PTRACE_ATTACH, scene.other, NULL, NULL) == 0)
ACT(traces_itself, ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
ACT(mounts, mount("none", scene.inside, "tmpfs", 0, NULL) == 0)
ACT(unmounts, umount2(scene.inside, MNT_DETACH) == 0 || errno != EPERM)
ACT(changes_root, chroot(scene.inside) == 0)
ACT(makes_user_namespace, unshare(CLONE_NEWUSER) == 0)
ACT(makes_mount_namespace, unshare(CLONE_NEWNS) == 0)
ACT(makes_socket, socket(AF_INET, SOCK_STREAM, 0) >= 0)
ACT(makes_packet_socket, socket(AF_INET, SOCK_DGRAM, 0) >= 0)
ACT(makes_local_socket, socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
ACT(makes_netlink_socket, socket(AF_NETLINK, SOCK_RAW, 0) >= 0)
ACT(makes_ring, syscall(SYS_io_uring_setup, 8, NULL) >= 0 || errno != EPERM)
ACT(loads_bpf, syscall(SYS_bpf, 0, NULL, 0) >= 0 || errno != EPERM)
ACT(makes_shared_memory, shmget(IPC_PRIVATE, 4096, 0600) >= 0)
ACT(changes_owner, chown(path_in(scene.inside, "own"), 1, 1) == 0)
ACT(sets_the_clock, settimeofday(&(struct timeval){1, 0}, NULL) == 0)
ACT(opens_by_handle, syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, 0) >= 0 || errno != EPERM)
ACT(changes_priority, setpriority(PRIO_PROCESS, 0, -5) == 0)
ACT(lifts_its_limit, setrlimit(RLIMIT_FSIZE, &(struct rlimit){1u << 30, 1u << 30}) == 0)

static bool reads_other_memory(void) {
  char to[8];
  struct iovec local = {to, sizeof to}, remote = {(void *)&scene, sizeof to};
  return process_vm_readv(scene.other, &local, 1, &remote, 1, 0) > 0;
}

static bool clones_into_namespace(void) {
  long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
  if (pid == 0) _exit(0);
  if (pid > 0) waitpid((pid_t)pid, NULL, 0);
  return pid > 0;
}

static bool reads_system_files(void) {
  return opens("/etc/shadow", O_RDONLY) || opens("/etc/hostname", O_RDONLY);
}

static bool writes_a_large_file(void) {
  int fd = open(path_in(scene.inside, "large"), O_WRONLY | O_CREAT, 0600);
  signal(SIGXFSZ, SIG_IGN);
  bool ok = fd >= 0 && pwrite(fd, "x", 1, 2 << 20) == 1;
  if (fd >= 0) close(fd);
  return ok;
}

ACT(makes_session, setsid() >= 0)

/* Acts on a file that Landlock does not decide on. */
ACT(changes_mode, chmod(path_in(scene.outside, "secret"), 0666) == 0)
ACT(changes_mode_at, fchmodat(AT_FDCWD, path_in(scene.outside, "secret"), 0666, 0) == 0)
ACT(changes_mode_anew, syscall(CALL_FCHMODAT2, AT_FDCWD, path_in(scene.outside, "secret"), 0666,
                               AT_SYMLINK_NOFOLLOW) == 0)
ACT(changes_times, utimensat(AT_FDCWD, path_in(scene.outside, "secret"), NULL, 0) == 0)
ACT(changes_times_as_of_old, utimes(path_in(scene.outside, "secret"), NULL) == 0)
ACT(sets_attribute, setxattr(path_in(scene.outside, "secret"), "user.x", "y", 1, 0) == 0)
ACT(reads_attribute,
    getxattr(path_in(scene.inside, "own"), "user.x", NULL, 0) >= 0 || errno != EPERM)
ACT(locks_a_file, flock(open(path_in(scene.inside, "own"), O_RDONLY), LOCK_EX) == 0)
ACT(outlives_its_parent, prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0) == 0)
ACT(removes_attribute,
    removexattr(path_in(scene.outside, "secret"), "user.x") == 0 || errno != EPERM)
ACT(removes_attribute_anew,
    syscall(CALL_REMOVEXATTRAT, AT_FDCWD, "", 0, "") == 0 || errno != ENOSYS)

ACT(changes_times_as_of_oldest, syscall(SYS_utime, path_in(scene.outside, "secret"), NULL) == 0)
ACT(hangs_up, vhangup() == 0 || errno != EPERM)
ACT(becomes_a_user, setresuid(9, 9, 9) == 0 || setuid(getuid()) == 0 || setgid(getgid()) == 0)

/* Calls that came to Linux after fchmodat2: open_tree_attr, listmount, setxattrat, file_setattr. */
static bool finds_newer_calls(void) {
  for (long call = CALL_FCHMODAT2; call < 480; call++)
    if (syscall(call, -1, NULL, NULL, 0, 0, 0) >= 0 || errno != ENOSYS) return true;
  return false;
}

static int open_own(void) { return open(path_in(scene.inside, "own"), O_RDONLY); }

ACT(makes_a_file_that_stays, ioctl(open_own(), FS_IOC_SETFLAGS, &(int){0}) == 0 || errno != EPERM)
ACT(changes_mode_of_open, fchmod(open_own(), 0666) == 0)
ACT(changes_times_of_open, futimens(open_own(), NULL) == 0)

/* A signal to the owner of a descriptor, where there is something to read. */
ACT(signals_by_descriptor, fcntl(scene.socket, F_SETOWN, scene.other) == 0)
ACT(signals_by_owner,
    fcntl(scene.socket, F_SETOWN_EX, &(struct f_owner_ex){F_OWNER_PID, scene.other}) == 0)
ACT(signals_by_socket, ioctl(scene.socket, FIOSETOWN, &scene.other) == 0)
ACT(signals_by_group_of_socket, ioctl(scene.socket, SIOCSPGRP, &scene.other) == 0)
ACT(adjusts_the_clock, clock_adjtime(CLOCK_REALTIME, &(struct timex){0}) >= 0)
ACT(compares_processes, syscall(SYS_kcmp, getpid(), scene.other, 0, 0, 0) >= 0)
ACT(moves_pages_of_other, syscall(SYS_move_pages, scene.other, 0L, NULL, NULL, NULL, 0) >= 0)
ACT(migrates_other, syscall(SYS_migrate_pages, scene.other, 0L, NULL, NULL) >= 0)

static bool leaves_its_group(void) {
  pid_t child = fork();
  if (child == 0) _exit(setpgid(0, 0) == 0);
  int status = 0;
  return waitpid(child, &status, 0) == child && status != 0;
}

static bool takes_memory(void) { return malloc((size_t)2 << 30) != NULL; }

#define FORBIDDEN(name)                                                                            \
  { #name, name }
static const act by_reading[] = {FORBIDDEN(reads_passwd),
                                 FORBIDDEN(reads_outside),
                                 FORBIDDEN(reads_by_climbing),
                                 FORBIDDEN(reads_by_link),
                                 FORBIDDEN(reads_own_maps),
                                 FORBIDDEN(reads_own_environment),
                                 FORBIDDEN(reads_root_of_self),
                                 FORBIDDEN(reads_root_of_thread),
                                 FORBIDDEN(lists_processes),
                                 FORBIDDEN(lists_tasks),
                                 FORBIDDEN(lists_root),
                                 FORBIDDEN(lists_outside),
                                 FORBIDDEN(lists_devices),
                                 FORBIDDEN(reads_sys),
                                 FORBIDDEN(opens_zero),
                                 FORBIDDEN(opens_memory),
                                 FORBIDDEN(opens_terminal),
                                 FORBIDDEN(opens_zero_for_control),
                                 FORBIDDEN(opens_terminal_for_control),
                                 FORBIDDEN(opens_proc_for_control),
                                 FORBIDDEN(opens_by_memory),
                                 FORBIDDEN(types_at_terminal)};

static const act by_writing[] = {
    FORBIDDEN(writes_outside),       FORBIDDEN(truncates_outside),
    FORBIDDEN(truncates_by_opening), FORBIDDEN(truncates_what_it_reads),
    FORBIDDEN(reads_attribute),      FORBIDDEN(locks_a_file),
    FORBIDDEN(outlives_its_parent),  FORBIDDEN(makes_outside),
    FORBIDDEN(makes_in_tmp),         FORBIDDEN(makes_link_outside),
    FORBIDDEN(makes_link_inside),    FORBIDDEN(makes_pipe_inside),
    FORBIDDEN(removes_outside),      FORBIDDEN(renames_out),
    FORBIDDEN(renames_in),           FORBIDDEN(links_in)};

static const act others[] = {FORBIDDEN(runs_shell),
                             FORBIDDEN(runs_perl),
                             FORBIDDEN(runs_what_it_wrote),
                             FORBIDDEN(aborts_other),
                             FORBIDDEN(attaches_shared_memory),
                             FORBIDDEN(limits_other),
                             FORBIDDEN(kills_other),
                             FORBIDDEN(kills_all),
                             FORBIDDEN(signals_other),
                             FORBIDDEN(traces_other),
                             FORBIDDEN(traces_itself),
                             FORBIDDEN(mounts),
                             FORBIDDEN(unmounts),
                             FORBIDDEN(changes_root),
                             FORBIDDEN(makes_user_namespace),
                             FORBIDDEN(makes_mount_namespace),
                             FORBIDDEN(makes_socket),
                             FORBIDDEN(makes_packet_socket),
                             FORBIDDEN(makes_local_socket),
                             FORBIDDEN(makes_netlink_socket),
                             FORBIDDEN(makes_ring),
                             FORBIDDEN(loads_bpf),
                             FORBIDDEN(makes_shared_memory),
                             FORBIDDEN(changes_owner),
                             FORBIDDEN(sets_the_clock),
                             FORBIDDEN(opens_by_handle),
                             FORBIDDEN(changes_priority),
                             FORBIDDEN(reads_other_memory),
                             FORBIDDEN(clones_into_namespace),
                             FORBIDDEN(reads_system_files),
                             FORBIDDEN(lifts_its_limit),
                             FORBIDDEN(writes_a_large_file),
                             FORBIDDEN(takes_memory)};

static const act of_files[] = {FORBIDDEN(changes_mode),          FORBIDDEN(changes_mode_at),
                               FORBIDDEN(changes_mode_anew),     FORBIDDEN(changes_mode_of_open),
                               FORBIDDEN(changes_times),         FORBIDDEN(changes_times_as_of_old),
                               FORBIDDEN(changes_times_of_open), FORBIDDEN(sets_attribute),
                               FORBIDDEN(removes_attribute),     FORBIDDEN(removes_attribute_anew)};

static const act of_processes[] = {FORBIDDEN(makes_session),
                                   FORBIDDEN(signals_by_descriptor),
                                   FORBIDDEN(signals_by_owner),
                                   FORBIDDEN(signals_by_socket),
                                   FORBIDDEN(signals_by_group_of_socket),
                                   FORBIDDEN(adjusts_the_clock),
                                   FORBIDDEN(compares_processes),
                                   FORBIDDEN(moves_pages_of_other),
                                   FORBIDDEN(migrates_other),
                                   FORBIDDEN(leaves_its_group)};

static const act more[] = {FORBIDDEN(makes_directory_outside),
                           FORBIDDEN(changes_times_as_of_oldest),
                           FORBIDDEN(hangs_up),
                           FORBIDDEN(becomes_a_user),
                           FORBIDDEN(finds_newer_calls),
                           FORBIDDEN(makes_a_file_that_stays)};

#endif

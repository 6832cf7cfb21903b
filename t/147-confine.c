/* 147-confine.c - a confined child tries what it may and what it may not. Each act is tried by the
 * child itself, without any check of a text before it. */
#include "system/confine.h"
#include "machine.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
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

/* What the acts are about. */
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
ACT(writes_outside, opens(path_in(scene.outside, "secret"), O_WRONLY))
ACT(truncates_outside, truncate(path_in(scene.outside, "secret"), 0) == 0)
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

/* What of a file Landlock does not decide on. */
ACT(changes_mode, chmod(path_in(scene.outside, "secret"), 0666) == 0)
ACT(changes_mode_at, fchmodat(AT_FDCWD, path_in(scene.outside, "secret"), 0666, 0) == 0)
ACT(changes_mode_anew, syscall(CALL_FCHMODAT2, AT_FDCWD, path_in(scene.outside, "secret"), 0666,
                               AT_SYMLINK_NOFOLLOW) == 0)
ACT(changes_times, utimensat(AT_FDCWD, path_in(scene.outside, "secret"), NULL, 0) == 0)
ACT(changes_times_as_of_old, utimes(path_in(scene.outside, "secret"), NULL) == 0)
ACT(sets_attribute, setxattr(path_in(scene.outside, "secret"), "user.x", "y", 1, 0) == 0)
ACT(removes_attribute,
    removexattr(path_in(scene.outside, "secret"), "user.x") == 0 || errno != EPERM)
ACT(removes_attribute_anew,
    syscall(CALL_REMOVEXATTRAT, AT_FDCWD, "", 0, "") == 0 || errno != ENOSYS)

ACT(changes_times_as_of_oldest, syscall(SYS_utime, path_in(scene.outside, "secret"), NULL) == 0)
ACT(hangs_up, vhangup() == 0 || errno != EPERM)
ACT(becomes_a_user, setresuid(9, 9, 9) == 0 || setuid(getuid()) == 0 || setgid(getgid()) == 0)

/* What came to Linux after fchmodat2: open_tree_attr, listmount, setxattrat, file_setattr. */
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
static const act forbidden[] = {FORBIDDEN(reads_passwd),
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
                                FORBIDDEN(writes_outside),
                                FORBIDDEN(truncates_outside),
                                FORBIDDEN(makes_outside),
                                FORBIDDEN(makes_in_tmp),
                                FORBIDDEN(makes_directory_outside),
                                FORBIDDEN(makes_link_outside),
                                FORBIDDEN(makes_link_inside),
                                FORBIDDEN(makes_pipe_inside),
                                FORBIDDEN(removes_outside),
                                FORBIDDEN(renames_out),
                                FORBIDDEN(renames_in),
                                FORBIDDEN(links_in),
                                FORBIDDEN(runs_shell),
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

static const act of_files[] = {FORBIDDEN(changes_mode),
                               FORBIDDEN(changes_mode_at),
                               FORBIDDEN(changes_mode_anew),
                               FORBIDDEN(changes_mode_of_open),
                               FORBIDDEN(changes_times),
                               FORBIDDEN(changes_times_as_of_old),
                               FORBIDDEN(changes_times_of_open),
                               FORBIDDEN(sets_attribute),
                               FORBIDDEN(removes_attribute),
                               FORBIDDEN(removes_attribute_anew),
                               FORBIDDEN(changes_times_as_of_oldest),
                               FORBIDDEN(makes_a_file_that_stays)};

static const act of_processes[] = {FORBIDDEN(makes_session),
                                   FORBIDDEN(signals_by_descriptor),
                                   FORBIDDEN(signals_by_owner),
                                   FORBIDDEN(signals_by_socket),
                                   FORBIDDEN(signals_by_group_of_socket),
                                   FORBIDDEN(adjusts_the_clock),
                                   FORBIDDEN(compares_processes),
                                   FORBIDDEN(moves_pages_of_other),
                                   FORBIDDEN(migrates_other),
                                   FORBIDDEN(leaves_its_group),
                                   FORBIDDEN(hangs_up),
                                   FORBIDDEN(becomes_a_user),
                                   FORBIDDEN(finds_newer_calls)};

/* ---- what it may ---------------------------------------------------------------------------- */

ACT(reads_inside, opens(path_in(scene.inside, "own"), O_RDONLY))
ACT(writes_inside, opens(path_in(scene.inside, "made"), O_WRONLY | O_CREAT))
ACT(replaces_inside, rename(path_in(scene.inside, "made"), path_in(scene.inside, "own")) == 0)
ACT(makes_directory, mkdir(path_in(scene.inside, "dir"), 0700) == 0)
ACT(removes_inside, rmdir(path_in(scene.inside, "dir")) == 0)
ACT(reads_library, opens("/lib/x86_64-linux-gnu", O_RDONLY) || opens("/lib", O_RDONLY))
ACT(opens_null, opens("/dev/null", O_RDWR))
ACT(runs_allowed, runs("/bin/true"))
ACT(takes_some_memory, malloc((size_t)64 << 20) != NULL)

#define ALLOWED(name)                                                                              \
  { #name, name }
static const act allowed[] = {
    ALLOWED(reads_inside),    ALLOWED(writes_inside),  ALLOWED(replaces_inside),
    ALLOWED(makes_directory), ALLOWED(removes_inside), ALLOWED(reads_library),
    ALLOWED(opens_null),      ALLOWED(runs_allowed),   ALLOWED(takes_some_memory)};

/* ---- where it may write to one directory within the allowed one -------------------------------
 */

ACT(makes_beside, opens(path_in(scene.inside, "object"), O_WRONLY | O_CREAT))
ACT(writes_beside, opens(path_in(scene.inside, "own"), O_WRONLY))
ACT(truncates_beside, opens(path_in(scene.inside, "own"), O_WRONLY | O_TRUNC))
ACT(removes_beside, unlink(path_in(scene.inside, "own")) == 0)
ACT(renames_beside, rename(path_in(scene.output, "made"), path_in(scene.inside, "own")) == 0)
ACT(takes_from_beside, rename(path_in(scene.inside, "own"), path_in(scene.output, "own")) == 0)
ACT(links_from_beside, link(path_in(scene.inside, "own"), path_in(scene.output, "own")) == 0)
ACT(makes_directory_beside, mkdir(path_in(scene.inside, "beside"), 0700) == 0)
ACT(renames_its_directory, rename(scene.output, path_in(scene.inside, "moved")) == 0)
ACT(writes_output, opens(path_in(scene.output, "made"), O_WRONLY | O_CREAT))
ACT(replaces_output, rename(path_in(scene.output, "made"), path_in(scene.output, "x.o")) == 0)

static const act beside[] = {FORBIDDEN(makes_beside),          FORBIDDEN(writes_beside),
                             FORBIDDEN(truncates_beside),      FORBIDDEN(removes_beside),
                             FORBIDDEN(renames_beside),        FORBIDDEN(takes_from_beside),
                             FORBIDDEN(links_from_beside),     FORBIDDEN(makes_directory_beside),
                             FORBIDDEN(renames_its_directory), FORBIDDEN(reads_outside),
                             FORBIDDEN(makes_outside)};
static const act within[] = {ALLOWED(writes_output), ALLOWED(replaces_output),
                             ALLOWED(writes_output), ALLOWED(reads_inside),
                             ALLOWED(opens_null),    ALLOWED(runs_allowed)};

/* ---- where it may start no process ------------------------------------------------------------
 */

static bool forks(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return child > 0;
}

ACT(executes, execl("/bin/true", "true", (char *)NULL) == 0)

static void *do_nothing(void *data) { return data; }

static bool makes_thread(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, do_nothing, NULL) == 0;
}

static const act by_starting[] = {FORBIDDEN(forks),        FORBIDDEN(executes),
                                  FORBIDDEN(makes_thread), FORBIDDEN(runs_allowed),
                                  FORBIDDEN(reads_passwd), FORBIDDEN(makes_socket)};

/* ---- the tests ------------------------------------------------------------------------------ */

static void begin(machine *m, confine *c, bool alone) {
  static const confine_limits limits = {
      .cpu_seconds = 20, .memory_bytes = 1 << 30, .file_bytes = 1 << 20};
  machine_file(m, "inside/own", "mine");
  machine_file(m, "inside/program", "#!/bin/sh\n");
  machine_file(m, "outside/secret", "secret");
  scene.inside = machine_path(m, "inside");
  scene.outside = machine_path(m, "outside");
  scene.output = machine_path(m, "inside/output");
  mkdir(scene.output, 0700);
  chmod(path_in(scene.inside, "program"), 0700);
  assert_int_equal(symlink("../outside/secret", path_in(scene.inside, "link")), 0);
  scene.shared = shmget(IPC_PRIVATE, 4096, 0600);
  assert_true(scene.shared >= 0);
  int ends[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  scene.socket = ends[0];
  close(ends[1]);
  scene.other = fork();
  if (scene.other == 0)
    for (;;) pause();
  assert_true(confine_begin(c, &limits, alone, m->a, m->d));
  assert_true(confine_allow(c, scene.inside, CONFINE_WRITE));
  assert_true(confine_allow(c, "/bin/true", CONFINE_EXECUTE));
  const char *const libraries[] = {"/lib", "/lib64", "/usr/lib", "/etc/ld.so.cache"};
  for (size_t i = 0; i < 4; i++) assert_true(confine_allow(c, libraries[i], CONFINE_READ));
  assert_true(confine_allow(c, "/lib64/ld-linux-x86-64.so.2", CONFINE_EXECUTE));
  assert_true(confine_allow(c, "/lib/ld-linux-aarch64.so.1", CONFINE_EXECUTE));
}

/* The names of the acts that went otherwise than `wanted`, each tried in a child of its own. */
static char *try_acts(machine *m, const confine *c, const act *acts, size_t n, bool wanted) {
  strbuf wrong = {0};
  for (size_t i = 0; i < n; i++) {
    pid_t child = fork();
    if (child == 0) {
      if (!freopen("/dev/null", "w", stdout)) _exit(9);
      if (!confine_enter(c)) _exit(9);
      alarm(10);
      _exit(acts[i].does() ? 1 : 0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != wanted)
      strbuf_printf(&wrong, "%s (%x) ", acts[i].what, (unsigned)status);
  }
  char *names = arena_strdup(m->a, wrong.at ? wrong.at : "");
  strbuf_free(&wrong);
  return names;
}

static void end(confine *c) {
  confine_end(c);
  close(scene.socket);
  shmctl(scene.shared, IPC_RMID, NULL);
  kill(scene.other, SIGKILL);
  waitpid(scene.other, NULL, 0);
}

static bool can_run(void) {
#ifdef __SANITIZE_ADDRESS__
  return false; /* its shadow memory is above the limit */
#else
  return confine_kernel_version() > 0;
#endif
}

static void test_acts(void **state) {
  machine *m = *state;
  confine c;
  begin(m, &c, false);
  /* Without the rules most can be done: the test can fail. */
  assert_true(reads_outside() && makes_socket() && opens_zero() && reads_own_maps());
  if (can_run()) {
    assert_string_equal(try_acts(m, &c, forbidden, sizeof forbidden / sizeof *forbidden, false),
                        "");
    assert_string_equal(try_acts(m, &c, of_files, sizeof of_files / sizeof *of_files, false), "");
    assert_string_equal(
        try_acts(m, &c, of_processes, sizeof of_processes / sizeof *of_processes, false), "");
    assert_string_equal(try_acts(m, &c, allowed, sizeof allowed / sizeof *allowed, true), "");
  }
  end(&c);
  assert_true(reads_outside());
}

static void test_outputs(void **state) {
  machine *m = *state;
  confine c, narrow;
  begin(m, &c, false);
  assert_true(confine_outputs(&narrow, &c, scene.output));
  if (can_run()) {
    assert_string_equal(try_acts(m, &narrow, beside, sizeof beside / sizeof *beside, false), "");
    assert_string_equal(try_acts(m, &narrow, within, sizeof within / sizeof *within, true), "");
    assert_string_equal(try_acts(m, &c, &(act)ALLOWED(makes_beside), 1, true), "");
  }
  confine_end_outputs(&narrow);
  end(&c);
}

static void test_alone(void **state) {
  machine *m = *state;
  confine c;
  begin(m, &c, true);
  assert_true(forks());
  if (can_run()) {
    assert_string_equal(
        try_acts(m, &c, by_starting, sizeof by_starting / sizeof *by_starting, false), "");
    assert_string_equal(try_acts(m, &c, &(act)ALLOWED(reads_inside), 1, true), "");
  }
  end(&c);
}

enum { PROCESSES = 20 };

/* How many of many processes can be started; all are ended with the group. */
static int fork_many(void) {
  int n = 0;
  while (n < 10 * PROCESSES) {
    pid_t child = fork();
    if (child == 0)
      for (;;) pause();
    if (child < 0) break;
    n++;
  }
  return n;
}

static void test_processes(void **state) {
  machine *m = *state;
  confine c;
  begin(m, &c, false);
  assert_true(confine_own_processes() > 0);
  c.limits.processes = PROCESSES + (geteuid() ? confine_own_processes() : 0);
  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    if (geteuid() == 0 && setuid(54321) != 0) _exit(99);
    if (!confine_enter(&c)) _exit(98);
    _exit(fork_many());
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  kill(-child, SIGKILL);
  assert_true(WIFEXITED(status));
  if (can_run() && WEXITSTATUS(status) > PROCESSES)
    fail_msg("%d processes, where %d may be", WEXITSTATUS(status), PROCESSES);
  end(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_acts, machine_begin, machine_end),
      cmocka_unit_test_setup_teardown(test_outputs, machine_begin, machine_end),
      cmocka_unit_test_setup_teardown(test_alone, machine_begin, machine_end),
      cmocka_unit_test_setup_teardown(test_processes, machine_begin, machine_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

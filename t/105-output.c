/* 105-output.c - results that are there whole or not at all. */
#include "system/atomic_output.h"
#include "system/process.h"
#include "unit.h"
#include "system/cleanup.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

typedef struct fixture {
  arena *a;
  diags *d;
  const char *dir;
} fixture;

BEFORE_EACH {
  static fixture f;
  f.a = arena_new();
  f.d = diags_new(f.a);
  f.dir = unit_tempdir();
  *state = &f;
}

AFTER_EACH {
  fixture *f = *state;
  unit_remove(f->dir);
  arena_free(f->a);
}

static const char *in(const fixture *f, const char *name) {
  return arena_printf(f->a, "%s/%s", f->dir, name);
}

static size_t entries(const char *dir) {
  DIR *d = opendir(dir);
  size_t n = 0;
  assert_non_null(d);
  while (readdir(d)) n++;
  closedir(d);
  return n - 2;
}

static void holds(const char *path, const char *expected) {
  char buffer[64] = "";
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  buffer[fread(buffer, 1, sizeof buffer - 1, f)] = '\0';
  fclose(f);
  assert_string_equal(buffer, expected);
}

TEST(a_file_is_written_whole) {
  fixture *f = *state;
  const char *path = in(f, "x");
  mode_t mask = umask(022);
  assert_true(atomic_output_write(path, "abc", 3, f->d));
  struct stat st;
  assert_int_equal(stat(path, &st), 0);
  assert_int_equal(st.st_mode & 0777, 0644);
  holds(path, "abc");
  chmod(path, 0600);
  assert_true(atomic_output_write(path, "", 0, f->d));
  holds(path, "");
  assert_int_equal(stat(path, &st), 0);
  assert_int_equal(st.st_mode & 0777, 0600);
  assert_int_equal(entries(f->dir), 1);
  umask(mask);
}

TEST(a_link_is_followed) {
  fixture *f = *state;
  unit_spew(in(f, "x"), "old");
  assert_int_equal(symlink("x", in(f, "link")), 0);
  assert_true(atomic_output_write(in(f, "link"), "new", 3, f->d));
  holds(in(f, "x"), "new");
  struct stat st;
  assert_int_equal(lstat(in(f, "link"), &st), 0);
  assert_true(S_ISLNK(st.st_mode));
}

/* What another user has put into a directory that both write to. */
TEST(what_another_user_laid_is_not_followed) {
  fixture *f = *state;
  struct stat st;
  enum { OTHER = 12345 };
  if (geteuid() != 0) skip();
  unit_spew(in(f, "victim"), "old");
  assert_true(mkdir(in(f, "dir"), 0755) == 0 && mkdir(in(f, "shared"), 0755) == 0);
  assert_int_equal(chmod(in(f, "shared"), 01777), 0);
  const char *const links[][2] = {{"shared/file", "../victim"},
                                  {"shared/nothing", "../nothing"},
                                  {"shared/dir", "../dir"},
                                  {"own", "shared/file"}};
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    assert_int_equal(symlink(links[i][1], in(f, links[i][0])), 0);
    if (i < 3) assert_int_equal(lchown(in(f, links[i][0]), OTHER, OTHER), 0);
  }
  static const char *const targets[] = {"shared/file", "shared/nothing", "shared/dir/x",
                                        "shared/dir/../victim", "own"};
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    const char *target = in(f, targets[i]);
    atomic_output out;
    f->d = diags_new(f->a); /* it shows twenty errors */
    assert_false(atomic_output_check(target, NULL, f->d));
    unit_says(f->d, " is a link of another user's");
    assert_false(atomic_output_write(target, "new", 3, f->d));
    unit_says(f->d, " is a link of another user's");
    assert_false(atomic_output_open(&out, target, f->d));
    unit_says(f->d, " is a link of another user's");
    unit_spew(in(f, "made"), "new");
    assert_false(atomic_output_move(in(f, "made"), target, f->d));
    unit_says(f->d, " is a link of another user's");
  }
  holds(in(f, "victim"), "old");
  assert_int_equal(entries(in(f, "dir")), 0);
  assert_int_not_equal(lstat(in(f, "nothing"), &st), 0);
  assert_int_equal(mkfifo(in(f, "shared/fifo"), 0666), 0);
  assert_int_equal(chown(in(f, "shared/fifo"), OTHER, OTHER), 0);
  assert_false(atomic_output_check(in(f, "shared/fifo"), NULL, f->d));
  unit_says(f->d, "it is another user's");
}

TEST(a_mode_is_not_taken_from_another_users_file) {
  fixture *f = *state;
  struct stat st;
  const char *path = in(f, "x");
  if (geteuid() != 0) skip();
  mode_t mask = umask(022);
  unit_spew(path, "theirs");
  assert_true(chmod(path, 0666) == 0 && chown(path, 12345, 12345) == 0);
  assert_true(atomic_output_write(path, "abc", 3, f->d));
  assert_int_equal(stat(path, &st), 0);
  assert_int_equal(st.st_uid, 0);
  assert_int_equal(st.st_mode & 0777, 0644);
  umask(0);
  assert_int_equal(unlink(path), 0);
  assert_true(atomic_output_write(path, "abc", 3, f->d));
  assert_int_equal(stat(path, &st), 0);
  assert_int_equal(st.st_mode & 0777, 0666);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(chmod(f->dir, 01777), 0);
  assert_true(atomic_output_write(path, "abc", 3, f->d));
  assert_int_equal(stat(path, &st), 0);
  assert_int_equal(st.st_mode & 0777, 0644);
  umask(mask);
}

TEST(a_full_disk_is_told) {
  fixture *f = *state;
  char *big = calloc(1, 1 << 20);
  assert_false(atomic_output_write("/dev/full", big, 1 << 20, f->d));
  unit_says(f->d, "/dev/full: error: cannot be written: No space left on device");
  assert_true(atomic_output_write("/dev/null", big, 1 << 20, f->d));
  struct stat st;
  assert_int_equal(stat("/dev/null", &st), 0);
  assert_true(S_ISCHR(st.st_mode));
  free(big);
}

TEST(what_cannot_be_a_target_is_refused) {
  fixture *f = *state;
  unit_spew(in(f, "m.cpp"), "x");
  assert_int_equal(link(in(f, "m.cpp"), in(f, "hard")), 0);
  assert_int_equal(symlink("m.cpp", in(f, "soft")), 0);
  const char *const targets[][2] = {{"m.cpp", "the output is the input"},
                                    {"hard", "the output is the input"},
                                    {"soft", "the output is the input"},
                                    {".", "it is a directory"},
                                    {"no/x", "No such file"},
                                    {"m.cpp/x", "not a directory"}};
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    assert_false(atomic_output_check(in(f, targets[i][0]), in(f, "m.cpp"), f->d));
    unit_says(f->d, targets[i][1]);
  }
  assert_false(atomic_output_check("", in(f, "m.cpp"), f->d));
  assert_int_equal(diags_status(f->d), STATUS_INPUT);
  assert_true(atomic_output_check(in(f, "y"), in(f, "m.cpp"), f->d));
  assert_true(atomic_output_check("-", in(f, "m.cpp"), f->d));
  assert_true(atomic_output_check("/dev/null", in(f, "m.cpp"), f->d));
  holds(in(f, "m.cpp"), "x");
}

TEST(a_failed_write_leaves_the_old_file) {
  fixture *f = *state;
  unit_spew(in(f, "x"), "old");
  assert_false(atomic_output_write(in(f, "no/x"), "new", 3, f->d));
  assert_false(atomic_output_write(f->dir, "new", 3, f->d));
  holds(in(f, "x"), "old");
  assert_int_equal(entries(f->dir), 1);
}

TEST(a_file_is_moved) {
  fixture *f = *state;
  unit_spew(in(f, "from"), "abc");
  unit_spew(in(f, "to"), "old");
  assert_true(atomic_output_move(in(f, "from"), in(f, "to"), f->d));
  holds(in(f, "to"), "abc");
  assert_int_equal(entries(f->dir), 1);
  assert_false(atomic_output_move(in(f, "gone"), in(f, "to"), f->d));
  holds(in(f, "to"), "abc");
  assert_false(atomic_output_move(in(f, "to"), in(f, "no/x"), f->d));
  holds(in(f, "to"), "abc");
  if (access("/dev/shm", W_OK) == 0) { /* another file system */
    const char *other = arena_printf(f->a, "/dev/shm/aotigen-unit-%d", (int)getpid());
    unit_spew(other, "far");
    chmod(other, 0755);
    assert_true(atomic_output_move(other, in(f, "to"), f->d));
    holds(in(f, "to"), "far");
    assert_int_equal(access(in(f, "to"), X_OK), 0);
    assert_int_equal(access(other, F_OK), -1);
  }
}

/* Deep ones, longer than a path may be, and those that their owner may not enter. */
static bool nest_directories(const char *dir, arena *in_arena) {
  int fd = open(dir, O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < 1500 && fd >= 0; i++) {
    int inner = mkdirat(fd, "d0", 0700) == 0 ? openat(fd, "d0", O_RDONLY | O_DIRECTORY) : -1;
    int file = inner >= 0 ? openat(inner, "d1", O_WRONLY | O_CREAT, 0600) : -1;
    if (file >= 0) close(file);
    if (i % 100 == 99 && inner >= 0) fchmod(fd, 0500);
    close(fd);
    fd = inner;
  }
  if (fd < 0) return false;
  bool ok = mkdirat(fd, "closed", 0) == 0;
  close(fd);
  return ok && mkdir(arena_printf(in_arena, "%s/closed", dir), 0) == 0 && chmod(dir, 0500) == 0;
}

/* A child makes a private directory with files in it and a running program, and ends by `how`: 0
 * exit, else a signal. */
static void ends(fixture *f, int how) {
  int pipe_[2];
  assert_int_equal(pipe(pipe_), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    close(pipe_[0]);
    cleanup_use_tmpdir(f->dir);
    cleanup_catch_signals();
    const char *dir = cleanup_private_dir(f->d);
    if (!dir || cleanup_private_dir(f->d) != dir) _exit(9);
    unit_mkdirs(arena_printf(f->a, "%s/a/b/c", dir));
    for (int i = 0; i < 300; i++)
      unit_spew(arena_printf(f->a, "%s/a/b/file-with-a-rather-long-name-%d", dir, i), "x");
    if ((how == 0 || how == SIGTERM) && !nest_directories(dir, f->a)) _exit(6);
    char sleep_[] = "sleep", time_[] = "1000", *argv[] = {sleep_, time_, NULL};
    process p;
    if (!process_start(&p, argv, arena_printf(f->a, "%s/log", dir),
                       &(process_setting){.tmpdir = dir}))
      _exit(8);
    int pid = (int)p.pid;
    if (write(pipe_[1], &pid, sizeof pid) != sizeof pid) _exit(7);
    if (how == 0) exit(5);
    for (;;) pause();
  }
  int grandchild = 0, status;
  close(pipe_[1]);
  assert_int_equal(read(pipe_[0], &grandchild, sizeof grandchild), sizeof grandchild);
  close(pipe_[0]);
  if (how) kill(child, how);
  assert_int_equal(waitpid(child, &status, 0), child);
  if (how)
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == how);
  else
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 5);
  if (how == SIGKILL) { /* a process of its own is at it */
    AWAIT(entries(f->dir) == 0);
    AWAIT(kill(grandchild, 0) != 0);
  }
  assert_int_equal(entries(f->dir), 0);
  assert_int_equal(kill(grandchild, 0), -1);
  assert_int_equal(errno, ESRCH);
}

TEST(nothing_is_left_at_the_end) {
  static const int how[] = {0,       SIGINT,  SIGTERM, SIGHUP,    SIGPIPE, SIGQUIT, SIGALRM,
                            SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGKILL};
  for (size_t i = 0; i < sizeof how / sizeof *how; i++) ends(*state, how[i]);
}

TEST(an_ignored_signal_stays_ignored) {
  fixture *f = *state;
  pid_t child = fork();
  if (child == 0) {
    signal(SIGHUP, SIG_IGN);
    cleanup_catch_signals();
    cleanup_use_tmpdir(f->dir);
    if (!cleanup_private_dir(f->d)) _exit(9);
    raise(SIGHUP);
    exit(6);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 6);
}

TEST(a_private_directory_that_cannot_be_made_is_told) {
  fixture *f = *state;
  pid_t child = fork();
  if (child == 0) {
    cleanup_use_tmpdir("/nonexistent/dir");
    if (cleanup_private_dir(f->d)) _exit(9);
    unit_says(f->d, "/nonexistent/dir: error: cannot make a temporary directory");
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

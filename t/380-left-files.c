/* 380-left-files - what a process that is killed while it writes a capsule leaves, and who removes
 * it. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "watched.h"

void ag_left_files_forget(void);

/* A capsule is written where its file is truncated first. */
static int hangs_at; /* a pipe that is told of it */
int ftruncate(int fd, off_t size) {
  if (hangs_at && write(hangs_at, "", 1) == 1)
    for (;;) pause();
  return (int)syscall(SYS_ftruncate, fd, size);
}

static void write_capsule(void) {
  FLOATS(out)[0] = NAN;
  ag_output_report_forget();
  free(run_once(1, 1));
}

/* The file that is being written; false: there is none. */
static bool find_part(char path[1024]) {
  bool found = false;
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));) {
    if (!strstr(e->d_name, ".part")) continue;
    snprintf(path, 1024, "%s/%s", dir, e->d_name);
    found = true;
  }
  if (d) closedir(d);
  return found;
}

static void make_old(const char *path, int seconds) {
  struct timeval now, both[2];
  gettimeofday(&now, NULL);
  both[0] = both[1] = (struct timeval){now.tv_sec - seconds, 0};
  assert_int_equal(utimes(path, both), 0);
}

static pid_t start_writer(char path[1024]) {
  int ends[2];
  char told;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (!child) {
    alarm(60);
    hangs_at = ends[1];
    write_capsule();
    _exit(0);
  }
  close(ends[1]);
  assert_int_equal(read(ends[0], &told, 1), 1);
  close(ends[0]);
  assert_true(find_part(path));
  return child;
}

TEST(what_a_killed_writer_leaves_is_removed) {
  char path[1024];
  int status;
  ag_left_files_forget();
  pid_t child = start_writer(path);
  make_old(path, 120);
  write_capsule();
  assert_int_equal(access(path, F_OK), 0); /* it is in use */
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  write_capsule();
  assert_int_equal(access(path, F_OK), 0); /* the process has looked before */
  ag_left_files_forget();
  write_capsule();
  assert_int_equal(access(path, F_OK), -1);
  assert_int_equal(access(capsule, F_OK), 0);
}

static bool stays(const char *name, int seconds) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  int fd = open(path, O_WRONLY | O_CREAT, 0600);
  assert_return_code(fd, 0);
  close(fd);
  make_old(path, seconds);
  ag_left_files_forget();
  write_capsule();
  return !unlink(path);
}

TEST(only_files_of_that_name_are) {
  static const char *const others[] = {"c.12.ab.1.part.txt", "c.12.xy.1.part", "c.12.ab.part",
                                       "d.12.ab.1.part",     "c.ab.12.1.part", "12.ab.1.part",
                                       "cc.12.ab.1.part",    ".12.ab.1.part",  "c.12.ab..part",
                                       "c.2.12.ab.1.part",   ".part",          "c.12.ab.1.PART"};
  assert_false(stays("c.12.ab.1.part", 120));
  assert_true(stays("c.12.ab.1.part", 30));
  assert_true(stays("c.12.ab.1.part", -120));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_true(stays(others[i], 120));
}

TEST(a_name_with_the_process_in_it) {
  char name[700];
  snprintf(name, sizeof name, "%s/c-%%p-%%p.x", dir);
  environment("AOTIGEN_CAPSULE", name);
  assert_false(stays("c-12-12.x.12.ab.1.part", 120));
  assert_true(stays("c-12-13.x.12.ab.1.part", 120));
  assert_true(stays("c-12-12.x.1.ab.1.part", 120));
  assert_true(stays("c-12-12.y.12.ab.1.part", 120));
}

TEST(no_link_is_followed_and_no_directory_removed) {
  char target[1024], link[1024], folder[1024];
  snprintf(target, sizeof target, "%s/target", dir);
  snprintf(link, sizeof link, "%s/c.12.ab.1.part", dir);
  snprintf(folder, sizeof folder, "%s/c.13.ab.1.part", dir);
  close(open(target, O_WRONLY | O_CREAT, 0600));
  make_old(target, 120);
  assert_int_equal(symlink(target, link), 0);
  assert_int_equal(mkdir(folder, 0700), 0);
  make_old(folder, 120);
  ag_left_files_forget();
  write_capsule();
  struct stat st;
  assert_int_equal(lstat(link, &st), 0);
  assert_int_equal(access(target, F_OK), 0);
  assert_int_equal(rmdir(folder), 0);
}

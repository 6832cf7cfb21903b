/* 381-crash-mark - AOTIGEN_AFTER_CRASH: which process leaves a mark, and which finds one. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "../runtime/watch/crash_mark.h"
#include "watched.h"

void ag_crash_mark_begin(const char *hash); /* the library's hook for tests */

static const char hash[] = "0123456789abcdef";
static char mark[700];

static void begin(const char *after_crash) {
  snprintf(mark, sizeof mark, "%s/aotigen-%s.crashed", dir, hash);
  environment("AOTIGEN_AFTER_CRASH", after_crash);
  ag_crash_mark_begin(hash);
}

static bool is_left(void) { return access(mark, F_OK) == 0; }

static volatile size_t nowhere = 16;
static void fault(void) { *(volatile int *)nowhere = 0; }

static ag_watched_run *begin_run(void) {
  void *inputs[] = {in};
  ag_watched_run *r = ag_watcher_begin("AOTInductorModelContainerRun", NULL, inputs, 1, NULL);
  if (!r) _exit(20);
  return r;
}

static int in_child(void (*act)(void)) {
  static const int all[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  const struct rlimit none = {0, 0};
  int status;
  fflush(NULL);
  capture(2);
  pid_t child = fork();
  if (!child) {
    alarm(60);
    setrlimit(RLIMIT_CORE, &none);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) signal(all[i], SIG_DFL);
    environment("AOTIGEN_SIGNALS", NULL);
    ag_crash_mark_begin(hash);
    act();
    _exit(7);
  }
  waitpid(child, &status, 0);
  free(captured(2));
  return status;
}

static int raised;
static void crash_in_run(void) {
  begin_run();
  raise(raised);
}

static void crash_outside(void) {
  void *outputs[] = {out};
  ag_watcher_end(begin_run(), outputs, 1);
  fault();
}

TEST(a_crash_in_a_run_leaves_it) {
  static const int all[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  static const char *const names[] = {"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT"};
  begin("debug");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char expected[64];
    ag_text told = {0};
    raised = all[i];
    const int status = in_child(crash_in_run);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == raised);
    assert_true(ag_crash_mark_find(&told));
    snprintf(expected, sizeof expected, "%s in run ", names[i]);
    assert_has(ag_text_string(&told), expected);
    assert_has(ag_text_string(&told), " of process ");
    assert_has(ag_text_string(&told), ", at 20");
    ag_text_free(&told);
    ag_crash_mark_remove();
    assert_false(is_left());
  }
}

TEST(no_other_crash_does) {
  begin("debug");
  assert_true(WIFSIGNALED(in_child(crash_outside)));
  assert_false(is_left());
  raised = SIGTERM;
  assert_true(WIFSIGNALED(in_child(crash_in_run)));
  assert_false(is_left());
}

TEST(unless_it_is_asked_for) {
  begin(NULL);
  raised = SIGSEGV;
  assert_true(WIFSIGNALED(in_child(crash_in_run)));
  assert_false(is_left());
}

static sigjmp_buf back;
static void jump_back(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

static void host_handles(void) {
  void *outputs[] = {out};
  signal(SIGSEGV, jump_back);
  for (volatile int i = 0; i < 3; i++) {
    ag_watched_run *r = begin_run();
    if (is_left()) _exit(21);
    if (!sigsetjmp(back, 1)) fault();
    if (!is_left()) _exit(22);
    ag_watcher_end(r, outputs, 1);
  }
  begin_run();
}

TEST(a_host_that_survives_has_none) {
  begin("debug");
  const int status = in_child(host_handles);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 7);
  assert_false(is_left());
}

/* No thread crashed: that a run begins does not tell that the process has survived. */
TEST(a_lost_device_leaves_it) {
  ag_text told = {0};
  begin("debug");
  ag_crash_mark_leave("a device error", 3, 0);
  assert_true(ag_crash_mark_find(&told));
  assert_has(ag_text_string(&told), "a device error in run 3 of process ");
  ag_crash_mark_survive();
  assert_true(is_left());
  ag_text_free(&told);
  ag_crash_mark_remove();
  assert_false(is_left());
}

/* What another file of that name is. */
TEST(what_is_found) {
  ag_text told = {0};
  begin("debug");
  assert_false(ag_crash_mark_find(&told));
  int fd = open(mark, O_WRONLY | O_CREAT, 0600);
  assert_true(ag_crash_mark_find(&told)); /* the disk was full */
  assert_has(ag_text_string(&told), "a crash, at ");
  ag_text_clear(&told);
  assert_int_equal(write(fd, "SIG\x1b[31m\nx", 10), 10);
  close(fd);
  assert_true(ag_crash_mark_find(&told));
  assert_has(ag_text_string(&told), "SIG?[31m, at ");
  unlink(mark);
  assert_int_equal(symlink("/dev/null", mark), 0);
  assert_false(ag_crash_mark_find(&told));
  unlink(mark);
  assert_int_equal(mkdir(mark, 0700), 0);
  assert_false(ag_crash_mark_find(&told));
  assert_int_equal(rmdir(mark), 0);
  ag_text_free(&told);
}

TEST(a_model_without_a_hash_has_none) {
  static const char *const bad[] = {NULL, "", "?", "0123456789abcdeg", "../../../../etc/x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    begin("debug");
    ag_crash_mark_begin(bad[i]);
    ag_crash_mark_leave("SIGSEGV", 1, 0);
    assert_int_equal(count_files(), 0);
  }
}

/* 109-process.c - programs run by fork and exec. */
#include "system/process.h"
#include "system/progress.h"
#include "machine.h"
#include <sys/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const process_setting plain;

/* A shell is what is run here, named as such: process.c starts none of its own. */
static char **script(machine *m, const char *what) {
  char **argv = arena_alloc(m->a, 4 * sizeof *argv);
  argv[0] = arena_strdup(m->a, "/bin/sh");
  argv[1] = arena_strdup(m->a, "-c");
  argv[2] = arena_strdup(m->a, what);
  return argv;
}

TEST(output_and_status_come_back) {
  machine *m = *state;
  process p;
  strbuf out = {0};
  const char *log = machine_path(m, "log");
  assert_true(process_start(&p, script(m, "echo out; echo err >&2; cat; echo $TMPDIR"), log,
                            &(process_setting){.tmpdir = "/some/where"}));
  assert_true(process_wait(&p));
  assert_true(process_capture(&p, script(m, arena_printf(m->a, "cat %s", log)), 10, 1000, &out));
  assert_string_equal(out.at, "out\nerr\n/some/where\n");
  strbuf_free(&out);
  assert_true(process_start(&p, script(m, "exit 3"), log, &plain));
  assert_false(process_wait(&p));
  assert_true(WIFEXITED(p.status) && WEXITSTATUS(p.status) == 3);
  assert_true(process_start(&p, script(m, "kill -9 $$"), log, &plain));
  assert_false(process_wait(&p));
  assert_true(WIFSIGNALED(p.status));
  assert_false(process_wait(&p)); /* nothing is running */
}

TEST(a_closed_program_gets_few_variables) {
  machine *m = *state;
  process p;
  strbuf out = {0};
  const process_setting closed = {.closed = true, .tmpdir = "/some/where"};
  const char *log = machine_path(m, "log");
  setenv("CPATH", "/cpath", 1);
  setenv("DEPENDENCIES_OUTPUT", machine_path(m, "depends"), 1);
  setenv("LC_ALL", "fr_FR.UTF-8", 1);
  setenv("LANGUAGE", "fr", 1);
  assert_true(process_start(&p,
                            script(m, "echo $CPATH $DEPENDENCIES_OUTPUT $LC_ALL $LANGUAGE "
                                      "$TMPDIR"),
                            log, &closed));
  assert_true(process_wait(&p));
  assert_true(process_capture(&p, script(m, arena_printf(m->a, "cat %s; echo $CPATH", log)), 10,
                              1000, &out));
  assert_string_equal(out.at, "C.UTF-8 /some/where\n/cpath\n");
  strbuf_free(&out);
}

TEST(time_and_processes_end) {
  machine *m = *state;
  process p;
  strbuf out = {0};
  const process_setting second = {.seconds = 1}, many = {.seconds = 100};
  const char *log = machine_path(m, "log");
  assert_true(process_start(&p, script(m, "sleep 100"), log, &second));
  assert_false(process_wait(&p));
  assert_int_equal(p.error, ETIMEDOUT);
  /* what it leaves running ends with it, and has ended where main() asked to be told */
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  assert_true(process_start(&p, script(m, "(sleep 100 & sleep 100) & sleep 100 &"), log, &many));
  assert_true(process_wait(&p));
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
  assert_true(process_start(&p, script(m, "sleep 100 & echo $!"), log, &many));
  assert_true(process_wait(&p));
  const char *ended = "for i in 1 2 3 4 5 6 7 8 9; do "
                      "grep -qs '^State:.[SR]' /proc/$(cat %s)/status || { echo gone; exit; }; "
                      "sleep 1; done";
  assert_true(process_capture(&p, script(m, arena_printf(m->a, ended, log)), 20, 1000, &out));
  assert_string_equal(out.at, "gone\n");
  strbuf_free(&out);
}

TEST(words_reach_the_program_as_they_are) {
  machine *m = *state;
  process p;
  strbuf out = {0};
  char *argv[] = {(char[]){"printf"},
                  (char[]){"%s|"},
                  (char[]){"a b"},
                  (char[]){"$HOME"},
                  (char[]){"`id`; *"},
                  (char[]){""},
                  NULL};
  (void)m;
  assert_true(process_capture(&p, argv, 10, 1000, &out));
  assert_string_equal(out.at, "a b|$HOME|`id`; *||");
  strbuf_free(&out);
}

TEST(what_cannot_be_started_is_told) {
  machine *m = *state;
  process p;
  char *argv[] = {(char[]){"no-such-program-here"}, NULL};
  assert_false(process_start(&p, argv, machine_path(m, "log"), &plain));
  assert_int_equal(p.error, ENOENT);
  argv[0] = (char *)machine_file(m, "file", "x");
  assert_false(process_start(&p, argv, machine_path(m, "log"), &plain));
  assert_int_equal(p.error, EACCES);
  assert_false(process_start(&p, script(m, "true"), machine_path(m, "no/log"), &plain));
  assert_int_equal(p.error, ENOENT);
  char *huge = malloc(1 << 20);
  memset(huge, 'a', 1 << 20);
  huge[(1 << 20) - 1] = '\0';
  char *too_long[] = {(char[]){"true"}, huge, NULL};
  assert_false(process_start(&p, too_long, machine_path(m, "log"), &plain));
  assert_int_equal(p.error, E2BIG);
  free(huge);
}

TEST(patience_ends) {
  machine *m = *state;
  process p;
  strbuf out = {0};
  time_t from = time(NULL);
  assert_false(process_capture(&p, script(m, "sleep 100 & echo x; sleep 100"), 1, 1000, &out));
  assert_int_equal(p.error, ETIMEDOUT);
  assert_false(process_capture(&p, script(m, "yes"), 30, 1000, &out));
  assert_int_equal(p.error, EFBIG);
  assert_true(time(NULL) - from < 20);
  strbuf_free(&out);
}

/* The second at which a test's clock stands; 0: it goes. */
static long second;

int clock_gettime(clockid_t clock, struct timespec *to) {
  int result = (int)syscall(SYS_clock_gettime, clock, to);
  if (second) *to = (struct timespec){.tv_sec = second};
  return result;
}

/* Standard error, while the program's steps are told, is no terminal. */
TEST(a_long_wait_says_what_it_is_at) {
  machine *m = *state;
  process p;
  progress told, quiet;
  strbuf out = {0};
  const char *log = machine_path(m, "log"), *err = machine_path(m, "err");
  int before = dup(2), file = open(err, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  assert_true(before >= 0 && file >= 0 && dup2(file, 2) == 2);
  second = 1000;
  progress_begin(&told, 0);
  progress_step(&told, "model: compile");
  progress_tick();
  second = 1011;
  progress_tick();
  progress_tick();
  second = 1031;
  assert_true(process_start(&p, script(m, "true"), log, &plain)); /* has no limit of time */
  assert_true(process_wait(&p));
  progress_step(&told, "model: link");
  second = 1052;
  assert_true(process_capture(&p, script(m, "true"), 10, 1000, &out));
  progress_step(&told, NULL);
  second = 1099;
  progress_tick();
  progress_begin(&quiet, -1);
  progress_step(&quiet, "model: rewrite");
  second = 1199;
  progress_tick();
  second = 0;
  assert_int_equal(dup2(before, 2), 2);
  close(before);
  close(file);
  assert_true(process_capture(&p, script(m, arena_printf(m->a, "cat %s", err)), 10, 1000, &out));
  assert_string_equal(out.at, "aotigen: model: compile, after 11 s\n"
                              "aotigen: model: compile, after 31 s\n"
                              "aotigen: model: link, after 52 s\n");
  strbuf_free(&out);
}

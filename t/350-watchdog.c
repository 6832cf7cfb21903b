/* 350-watchdog - AOTIGEN_WATCHDOG: a launch that does not end, and a thread that waits between
 * launches, are named once; and nothing that gets on is. */
#include <dlfcn.h>
#include <stdatomic.h>

#include "../runtime/state/entries.h"
#include "crashing.h"

/* ---- launches ------------------------------------------------------------------------------- */

static void until_it_is_named(void) { await_written(2, "C stack"); }

void spins(void); /* the loader knows its name */
void spins(void) {
  for (volatile int i = 0; i % 1000000 || !is_written(2, "innermost"); i++) continue;
}

TEST(hang_is_named) {
  environment("AOTIGEN_WATCHDOG", "0.3");
  environment("AOTIGEN_LOG", log_name);
  in_launch = until_it_is_named;
  ending e = end_of(load_and_run);
  assert_exited(&e, 7);
  assert_has(e.err, "aotigen: hang in run 1, launch 2: quote\"d\n"
                    "  launched at   model.cpp:22, in run_impl\n"
                    "  for           0.");
  assert_has(e.err, " s: it has not returned\n"
                    "  argument      buf0: float32 [4]\n"
                    "  thread        ");
  assert_has(e.err, "  C stack of thread ");
  assert_has(e.err, "\n    #0 ");
  assert_int_equal(count(e.err, "aotigen: "), 1);
  free(e.err);
  char log[1 << 14] = "";
  int fd = open(log_name, O_RDONLY);
  assert_true(read(fd, log, sizeof log - 1) > 0);
  close(fd);
  assert_int_equal(count(log, "\"event\":\"hang\""), 1);
  assert_has(log, "\"launch\":2,\"site\":2,");
  assert_has(log, "\"at\":\"launched\",\"milliseconds\":");
  in_launch = spins;
  e = end_of(load_and_run);
  assert_exited(&e, 7);
  assert_has(e.err, ", which runs\n");
  assert_has(e.err, "spins");
  free(e.err);
}

/* It hangs on: once is enough. */
static void hangs_for_long(void) {
  until_it_is_named();
  let_pass(500 * 1000); /* five times what a launch has */
}

TEST(once_a_launch) {
  environment("AOTIGEN_WATCHDOG", "0.1");
  in_launch = hangs_for_long;
  ending e = end_of(load_and_run);
  assert_exited(&e, 7);
  assert_int_equal(count(e.err, "aotigen: hang in "), 1);
  free(e.err);
}

TEST(without_signals) {
  environment("AOTIGEN_WATCHDOG", ".1");
  environment("AOTIGEN_SIGNALS", "0");
  in_launch = until_it_is_named;
  ending e = end_of(load_and_run);
  assert_exited(&e, 7);
  assert_has(e.err, "  C stack       not read: AOTIGEN_SIGNALS is 0\n");
  free(e.err);
}

static void blocks_all(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  load_and_run();
}

TEST(all_signals_blocked) {
  environment("AOTIGEN_WATCHDOG", "0.1");
  in_launch = until_it_is_named;
  ending e = end_of(blocks_all);
  assert_exited(&e, 7);
  assert_has(e.err, "not read: no real-time signal is free that the thread does not block\n");
  free(e.err);
}

/* Nothing of the host's is changed: a read goes on, and no handler is left. */
static int ends[2];

static void reads_a_pipe(void) {
  char byte;
  if (read(ends[0], &byte, 1) != 1 || byte != 'x') _exit(8);
}

static void *writes_it(void *none) {
  until_it_is_named();
  if (write(ends[1], "x", 1) != 1) _exit(9);
  return none;
}

static void waits_for_a_pipe(void) {
  pthread_t other;
  struct sigaction now;
  if (pipe(ends) || pthread_create(&other, NULL, writes_it, NULL)) _exit(9);
  load_and_run();
  pthread_join(other, NULL);
  for (int s = SIGRTMIN; s <= SIGRTMAX; s++)
    if (sigaction(s, NULL, &now) || now.sa_handler != SIG_DFL) _exit(10);
}

TEST(system_calls_go_on) {
  environment("AOTIGEN_WATCHDOG", "0.1");
  in_launch = reads_a_pipe;
  ending e = end_of(waits_for_a_pipe);
  assert_exited(&e, 7);
  assert_has(e.err, ", which sleeps\n");
  assert_has(e.err, "read+0x");
  free(e.err);
}

/* ---- between launches ----------------------------------------------------------------------- */

static void waits_between(void) {
  aotigen_run run;
  begin_between_launches(&run);
  until_it_is_named();
  aotigen_run_end(&run, 0);
}

TEST(waits_are_named) {
  environment("AOTIGEN_WATCHDOG", "0.1");
  unsetenv("LAUNCHES");
  ending e = end_of(waits_between);
  assert_exited(&e, 7);
  assert_has(e.err, "aotigen: hang in run 1, before its first checked launch\n"
                    "  model         model.cpp\n");
  assert_has(e.err, " s: the thread has come to no other launch\n  thread ");
  free(e.err);
  setenv("LAUNCHES", "0", 1);
  e = end_of(waits_between);
  assert_exited(&e, 7);
  assert_has(e.err, "aotigen: hang in run 1, after launch 4: cpp_fused_add_0\n");
  free(e.err);
  setenv("LAUNCHES", "3", 1);
  e = end_of(waits_between);
  assert_exited(&e, 7);
  assert_has(e.err, "aotigen: hang in run 1, at or after launch 7, which the filter leaves out\n"
                    "  last checked  launch 4: cpp_fused_add_0\n");
  free(e.err);
}

/* ---- before a run --------------------------------------------------------------------------- */

static const char *entry_point = "AOTInductorModelContainerRun";

/* As a thread waits in the container for the model that another one's run has. */
static void *waits_for_a_run(void *none) {
  int entry = aotigen_entry_begin(&model, entry_point);
  await_written(2, "end what that run waits for");
  aotigen_entry_end(entry, 0);
  return none;
}

static pthread_t waiting;

static void another_waits(void) {
  pthread_create(&waiting, NULL, waits_for_a_run, NULL);
  pthread_join(waiting, NULL);
}

static void in_an_entry(void) {
  int entry = aotigen_entry_begin(&model, entry_point);
  load_and_run();
  aotigen_entry_end(entry, 0);
}

TEST(wait_for_a_run_is_named) {
  char log[1 << 14] = "";
  environment("AOTIGEN_WATCHDOG", "0.2");
  environment("AOTIGEN_LOG", log_name);
  in_launch = another_waits;
  ending e = end_of(in_an_entry);
  assert_exited(&e, 7);
  assert_has(e.err, "aotigen: hang in run 1, launch 2: quote\"d\n");
  assert_has(e.err, "aotigen: hang before a run: thread ");
  assert_has(e.err, " waits in AOTInductorModelContainerRun\n"
                    "  model         model.cpp\n"
                    "  for           0.");
  assert_has(e.err, " s: the container has given the thread no model\n"
                    "  behind        run 1 of thread ");
  assert_int_equal(count(e.err, "aotigen: "), 2);
  free(e.err);
  int fd = open(log_name, O_RDONLY);
  assert_true(read(fd, log, sizeof log - 1) > 0);
  close(fd);
  assert_has(log, "\"at\":\"entry\",\"entry\":\"AOTInductorModelContainerRun\",\"milliseconds\":");
  assert_has(log, ",\"behind_run\":1}");
}

/* ---- what gets on --------------------------------------------------------------------------- */

static void takes_a_while(void) { let_pass(100 * 1000); /* a tenth of what it has */ }

/* Together much longer than the time that a launch has. */
static void many_launches(void) {
  load_and_run();
  for (int i = 0; i < 20; i++) run_model();
}

/* A run of launches that the filter leaves out. */
static void launches_left_out(void) {
  aotigen_run run;
  aotigen_load(&model, "cpu", NULL, NULL, NULL);
  aotigen_run_begin(&run, &model, 0, NULL);
  for (int i = 0; i < 20; i++, run.launch++) takes_a_while();
  aotigen_run_end(&run, 0);
}

/* A thread whose turn comes late. */
static void *is_in_entry(void *name) {
  int entry = aotigen_entry_begin(&model, name);
  let_pass(1500 * 1000); /* longer than a launch has */
  aotigen_entry_end(entry, 0);
  return NULL;
}

static void others_wait(void) {
  static char run[] = "AOTInductorModelContainerRun";
  pthread_t late;
  pthread_create(&late, NULL, is_in_entry, run);
  many_launches();
  pthread_join(late, NULL);
}

static void idles(void) {
  load_and_run();
  let_pass(1200 * 1000); /* longer than a launch has */
}

static void silent(void (*host)(void)) {
  ending e = end_of(host);
  assert_exited(&e, 7);
  assert_string_equal(e.err, "");
  free(e.err);
}

TEST(slow_models) {
  environment("AOTIGEN_WATCHDOG", "1");
  in_launch = takes_a_while;
  silent(many_launches);
  silent(launches_left_out);
  silent(others_wait);
  in_launch = NULL;
  silent(idles);
}

/* The process is stopped for longer than a launch has. */
static void is_stopped(void) {
  const pid_t host = getpid();
  if (!fork()) {
    let_pass(1500 * 1000); /* as long */
    kill(host, SIGCONT);
    _exit(0);
  }
  raise(SIGSTOP);
}

TEST(stopped_process) {
  environment("AOTIGEN_WATCHDOG", "1");
  in_launch = is_stopped;
  silent(load_and_run);
}

/* ---- the thread ----------------------------------------------------------------------------- */

static int count_threads(void) {
  char line[128];
  int n = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f)) sscanf(line, "Threads: %d", &n);
  if (f) fclose(f);
  return n;
}

static void has_no_thread(void) {
  load_and_run();
  if (count_threads() != 1) _exit(8);
}

static void begins_with_a_run(void) {
  aotigen_load(&model, "cpu", NULL, NULL, NULL);
  if (count_threads() != 1) _exit(8);
  run_model();
  if (count_threads() != 2) _exit(9);
}

/* Forks in the midst of a launch that the parent's watchdog looks at. */
static void forks_often(void) {
  for (int i = 0; i < 200; i++) {
    int status;
    pid_t child = fork();
    if (!child) {
      alarm(10);
      in_launch = NULL;
      run_model();
      exit(count_threads() == 1 ? 7 : 8);
    }
    waitpid(child, &status, 0);
    if (status != 7 << 8) _exit(11);
  }
}

TEST(the_thread) {
  in_launch = NULL;
  silent(has_no_thread);
  environment("AOTIGEN_WATCHDOG", "20");
  silent(begins_with_a_run);
  environment("AOTIGEN_WATCHDOG", "0.01");
  in_launch = forks_often;
  ending e = end_of(load_and_run);
  assert_exited(&e, 7);
  free(e.err);
}

static void deletes_within_a_launch(void) {
  aotigen_entry_deletes(&model); /* another container's */
  if (count_threads() != 2) _exit(12);
}

/* Until the next run, which may be one that hangs. */
static void ends_with_the_model(void) {
  in_launch = deletes_within_a_launch;
  load_and_run();
  for (int i = 0; i < 3; i++) {
    aotigen_entry_deletes(&model);
    if (count_threads() != 1) _exit(13);
    in_launch = i < 2 ? NULL : until_it_is_named;
    run_model();
    if (count_threads() != 2) _exit(14);
  }
}

TEST(the_thread_rests) {
  environment("AOTIGEN_WATCHDOG", "0.1");
  ending e = end_of(ends_with_the_model);
  assert_exited(&e, 7);
  assert_int_equal(count(e.err, "aotigen: hang in "), 1);
  free(e.err);
}

static void takes_long(void) { let_pass(400 * 1000); /* four times what it has */ }

/* The thread waits for room in a pipe that nothing reads: the host is not to wait with it. */
static void deletes_while_it_reports(void) {
  int full[2];
  if (pipe2(full, O_NONBLOCK)) _exit(15);
  while (write(full[1], "x", 1) == 1) continue;
  fcntl(full[1], F_SETFL, 0);
  dup2(full[1], 2);
  in_launch = takes_long;
  load_and_run();
  aotigen_entry_deletes(&model);
  if (count_threads() != 2) _exit(16);
  in_launch = NULL;
  run_model();
  _exit(7);
}

TEST(the_thread_cannot_rest) {
  environment("AOTIGEN_WATCHDOG", "0.1");
  ending e = end_of(deletes_while_it_reports);
  assert_exited(&e, 7);
  free(e.err);
}

static void *exits(void *none) {
  until_it_is_named();
  exit(7);
  return none;
}

/* Ends the process while its launch still hangs. */
static void ends_while_it_hangs(void) {
  pthread_t other;
  pthread_create(&other, NULL, exits, NULL);
  pause();
  pause();
  _exit(8);
}

TEST(the_process_ends) {
  environment("AOTIGEN_WATCHDOG", "0.1");
  in_launch = ends_while_it_hangs;
  ending e = end_of(load_and_run);
  assert_exited(&e, 7);
  assert_int_equal(count(e.err, "aotigen: hang in "), 1);
  free(e.err);
}

static atomic_bool no_threads;

int pthread_create(pthread_t *t, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *of) {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (no_threads) return EAGAIN;
  *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
  return create(t, attributes, body, of);
}

static void without_threads(void) {
  no_threads = true;
  load_and_run();
}

/* The model runs on, and its user knows that nothing watches it. */
TEST(the_thread_cannot_begin) {
  environment("AOTIGEN_WATCHDOG", "0.1");
  in_launch = NULL;
  ending e = end_of(without_threads);
  assert_exited(&e, 7);
  assert_has(e.err, "aotigen: warning: AOTIGEN_WATCHDOG watches nothing: ");
  assert_int_equal(count(e.err, "aotigen: "), 1);
  free(e.err);
}

TEST(values_refused) {
  static const char *const bad[] = {"x", "0", "-1", "1s", "0.0000001", ".", "1e3", "99999999999"};
  in_launch = NULL;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    capture(2);
    environment("AOTIGEN_WATCHDOG", bad[i]);
    char *err = captured(2), expected[128];
    snprintf(expected, sizeof expected,
             "aotigen: ignoring AOTIGEN_WATCHDOG='%s': expected seconds such as 30 or 0.5\n",
             bad[i]);
    assert_string_equal(err, expected);
    assert_int_equal(ag_settings_get()->watchdog_us, 0);
    free(err);
  }
  environment("AOTIGEN_WATCHDOG", "1.25");
  assert_int_equal(ag_settings_get()->watchdog_us, 1250000);
}

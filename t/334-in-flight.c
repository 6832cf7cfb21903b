/* 334-in-flight - what a process leaves in the log that crashes or is killed within a launch. */
#include <sys/resource.h>

#include "crashing.h"

/* ---- the log -------------------------------------------------------------------------------- */

static char *read_log(void) {
  static char text[1 << 16];
  int fd = open(log_name, O_RDONLY);
  ssize_t n = read(fd, text, sizeof text - 1);
  assert_true(n >= 0);
  text[n] = 0;
  close(fd);
  return text;
}

static void killed_now(void) { kill(getpid(), SIGKILL); }

TEST(log_of_a_crash) {
  environment("AOTIGEN_LOG", log_name);
  in_launch = killed_now;
  ending e = end_of(load_and_run);
  assert_killed(&e, SIGKILL);
  assert_string_equal(e.err, "");
  free(e.err);
  char *log = read_log();
  assert_int_equal(count(log, "\n"), 1);
  assert_has(log, "{\"event\":\"in_flight\",");
  assert_has(log, "       2,\"site\":");
  assert_has(log, "\"launched\",\"kernel\":");
  assert_has(log, "\"quote?d ");
  assert_has(log, "\"model.cpp ");
  in_launch = segv;
  e = end_of(load_and_run);
  free(e.err);
  log = read_log();
  assert_int_equal(count(log, "\n"), 3);
  assert_int_equal(count(log, "\"launched\",\"kernel\":"), 2);
  assert_has(log, "{\"event\":\"signal\",\"time\":");
  assert_has(log, ",\"source\":\"model.cpp\",\"run\":1,\"device\":\"cpu\",\"launch\":2,\"site\":2,"
                  "\"line\":22,\"kernel\":\"quote?d\",\"nodes\":\"\",\"at\":\"launched\","
                  "\"signal\":\"SIGSEGV\",\"signal_thread\":");
  assert_null(strstr(log, "\"guards\""));
  model.guard = AOTIGEN_GUARD_PAGE_BEFORE | AOTIGEN_GUARD_OPS;
  unlink(log_name);
  e = end_of(load_and_run);
  free(e.err);
  assert_has(read_log(), ",\"guards\":\"page-before,ops\"");
  model.guard = AOTIGEN_GUARD_PAGE;
  model.guard_buffers = "buf3";
  unlink(log_name);
  e = end_of(load_and_run);
  free(e.err);
  assert_has(read_log(), ",\"guards\":\"page:NAMES\"");
  model.guard_buffers = "";
  model.guard = 0;
}

static void *crash(void *nothing) {
  segv();
  return nothing;
}

static void another_thread_crashes_after_the_run(void) {
  pthread_t other;
  in_launch = NULL;
  load_and_run();
  pthread_create(&other, NULL, crash, NULL);
  pthread_join(other, NULL);
}

static void handled(int signal) { (void)signal; }

/* As a virtual machine does. */
static void the_host_handles_a_hundred(void) {
  signal(SIGTERM, handled);
  in_launch = NULL;
  load_and_run();
  for (int i = 0; i < 100; i++) raise(SIGTERM);
}

TEST(signals_outside_of_all_runs) {
  environment("AOTIGEN_LOG", log_name);
  unlink(log_name);
  ending e = end_of(another_thread_crashes_after_the_run);
  assert_killed(&e, SIGSEGV);
  assert_string_equal(e.err, "");
  free(e.err);
  char *log = read_log();
  assert_int_equal(count(log, "\n"), 2);
  assert_has(log, "{\"event\":\"signal\",\"time\":");
  assert_has(log, ",\"signal\":\"SIGSEGV\",\"signal_thread\":");
  assert_null(strstr(strstr(log, "\"signal\""), "\"run\""));
  unlink(log_name);
  e = end_of(the_host_handles_a_hundred);
  assert_exited(&e, 7);
  free(e.err);
  assert_int_equal(count(read_log(), "\"SIGTERM\""), 64);
}

static void only_loads(void) { aotigen_load(&model, "cpu", NULL, NULL, NULL); }

TEST(log_from_the_load_on) {
  unlink(log_name);
  environment("AOTIGEN_LOG", log_name);
  ending e = end_of(only_loads);
  free(e.err);
  char *log = read_log();
  assert_int_equal(count(log, "\n"), 1);
  assert_has(log, "\"loaded  \"");
  in_launch = NULL;
  e = end_of(load_and_run);
  free(e.err);
  assert_has(read_log(), "\"run over\"");
  unlink(log_name);
  environment("AOTIGEN_SIGNALS", "0");
  e = end_of(load_and_run);
  free(e.err);
  assert_string_equal(read_log(), "");
}

/* Its file cannot become as large as the line of the launch in flight: no signal of that reaches
 * the host. */
static void runs_without_room(void) {
  const struct rlimit most = {256, 256};
  in_launch = NULL;
  if (setrlimit(RLIMIT_FSIZE, &most)) _exit(9);
  load_and_run();
  run_model();
}

TEST(a_log_without_room) {
  environment("AOTIGEN_LOG", log_name);
  unlink(log_name);
  ending e = end_of(runs_without_room);
  assert_exited(&e, 7);
  assert_has(e.err, "aotigen: cannot write the log '");
  assert_int_equal(count(e.err, ": File too large\n"), 1);
  assert_int_equal(count(e.err, "\n"), 1);
  free(e.err);
}

/* The host, or a rotation of logs, truncates the file. */
static void truncates_it(void) {
  if (truncate(log_name, 0)) _exit(9);
}
static void truncates_before_a_run(void) {
  in_launch = NULL;
  load_and_run();
  truncates_it();
  run_model();
}

TEST(a_log_that_is_truncated) {
  environment("AOTIGEN_LOG", log_name);
  in_launch = truncates_it;
  ending e = end_of(load_and_run);
  assert_exited(&e, 7);
  assert_string_equal(e.err, "");
  free(e.err);
  assert_string_equal(read_log(), "");
  e = end_of(truncates_before_a_run);
  assert_exited(&e, 7);
  free(e.err);
  char *log = read_log();
  assert_int_equal(count(log, "\n"), 1);
  assert_has(log, "\"run over\"");
}

/* The host sets its own handler of SIGBUS after the load. */
static void ends_at_sigbus(int signal) { _exit(signal + 30); }
static void handles_and_truncates(void) {
  signal(SIGBUS, ends_at_sigbus);
  truncates_it();
}
static void truncates_between_events(void) {
  handles_and_truncates();
  for (int i = 0; i < 40; i++) {
    aotigen_load(&model, "cpu", NULL, NULL, NULL);
    if (i % 10 == 9) truncates_it();
  }
}

TEST(a_log_that_is_truncated_as_the_host_handles_sigbus) {
  static void (*const hosts[])(void) = {handles_and_truncates, truncates_between_events};
  environment("AOTIGEN_LOG", log_name);
  for (int i = 0; i < 2; i++) {
    in_launch = hosts[i];
    ending e = end_of(load_and_run);
    assert_exited(&e, 7);
    assert_string_equal(e.err, "");
    free(e.err);
  }
  in_launch = killed_now;
  ending e = end_of(load_and_run);
  free(e.err);
  assert_int_equal(count(read_log(), "\"launched\""), 1);
}

/* As a daemon does: what it opens next gets the lowest numbers. */
static void closes_all(void) {
  for (int fd = 0; fd < 1024; fd++) close(fd);
}
static void closes_all_and_runs(void) {
  in_launch = closes_all;
  load_and_run();
  in_launch = killed_now;
  run_model();
}

TEST(a_host_that_closes_all_descriptors) {
  environment("AOTIGEN_LOG", log_name);
  ending e = end_of(closes_all_and_runs);
  assert_killed(&e, SIGKILL);
  free(e.err);
  char *log = read_log();
  assert_int_equal(count(log, "\n"), 1);
  assert_int_equal(count(log, "\"launched\""), 1);
}

static void forks_within_a_launch(void) {
  int status;
  pid_t child = fork();
  if (!child) {
    in_launch = NULL;
    run_model();
    _exit(7);
  }
  waitpid(child, &status, 0);
  if (status != 7 << 8) _exit(8);
  killed_now();
}

TEST(a_child_has_its_own_line) {
  environment("AOTIGEN_LOG", log_name);
  in_launch = forks_within_a_launch;
  ending e = end_of(load_and_run);
  assert_killed(&e, SIGKILL);
  free(e.err);
  char *log = read_log();
  assert_int_equal(count(log, "\n"), 2);
  assert_int_equal(count(log, "\"launched\""), 1);
  assert_int_equal(count(log, "\"run over\""), 1);
}

/* ---- at any moment -------------------------------------------------------------------------- */

/* A flat object of JSON at *s, which moves past it and the newline. */
static bool skip_object(const char **s) {
  const char *p = *s;
  if (*p++ != '{') return false;
  for (;;) {
    if (*p != '"' || !(p = strchr(p + 1, '"')) || *++p != ':') return false;
    p += 1 + strspn(p + 1, " ");
    size_t n = *p == '"' ? strcspn(p + 1, "\"\\\n") + 2 : strspn(p, "0123456789.");
    if (!n || (*p == '"' && p[n - 1] != '"')) return false;
    if (*p == '0' && n > 1 && p[1] != '.') return false;
    p += n;
    p += strspn(p, " ");
    if (*p == '}') break;
    if (*p++ != ',') return false;
  }
  p += 1 + strspn(p + 1, " ");
  *s = p + 1;
  return *p == '\n';
}

/* The lines of the log, each an object or blank: how many objects; or -1, with *wrong at a line
 * that is neither. */
static int find_objects(const char **wrong) {
  int n = 0;
  for (const char *at = read_log(); *at;) {
    *wrong = at;
    at += strspn(at, " ");
    if (*at == '\n')
      at++;
    else if (skip_object(&at))
      n++;
    else
      return -1;
  }
  return n;
}

static int count_objects(void) {
  const char *wrong;
  int n = find_objects(&wrong);
  if (n < 0) fail_msg("no JSON: '%.500s'", wrong);
  return n;
}

/* A line that a process lays out just now may be read in part: later ones are not. */
static bool are_laid_out(int objects) {
  const char *wrong;
  return find_objects(&wrong) >= objects;
}

static void runs_forever(void) {
  in_launch = NULL;
  for (;;) load_and_run();
}

/* Killed after so many microseconds, and read meanwhile. */
TEST(valid_when_killed) {
  environment("AOTIGEN_LOG", log_name);
  for (int i = 0; i < 20; i++) {
    pid_t children[3];
    for (int k = 0; k < 3; k++) {
      children[k] = fork();
      if (children[k]) continue;
      reset_signals();
      alarm(20);
      runs_forever();
    }
    AWAIT(are_laid_out(3 * i + 3));
    for (int k = 0; k < 20; k++) count_objects();
    let_pass(i * 37); /* another moment each time */
    for (int k = 0; k < 3; k++) kill(children[k], SIGKILL);
    for (int k = 0; k < 3; k++) waitpid(children[k], NULL, 0);
    assert_int_equal(count_objects(), 3 * i + 3);
  }
}

/* It has no place for a line that is overwritten. */
TEST(a_log_that_is_no_file) {
  in_launch = NULL;
  environment("AOTIGEN_LOG", "/dev/null");
  ending e = end_of(load_and_run);
  assert_exited(&e, 7);
  assert_string_equal(e.err, "");
  free(e.err);
}

TEST(a_crash_in_a_loop) {
  static const aotigen_scope loop = {AOTIGEN_WHILE, 8, NULL, NULL, 1},
                             branch = {AOTIGEN_IF, 9, "true_graph_0", &loop, 0};
  const aotigen_site in_loop[] = {CPU_SITE("head", params, 11, .scope = &loop, .heads = 1),
                                  CPU_SITE("body", params, 22, .number = 7, .scope = &branch)};
  environment("AOTIGEN_LOG", log_name);
  model.sites = in_loop;
  in_launch = segv;
  ending e = end_of(load_and_run);
  assert_has(e.err, "aotigen: SIGSEGV in run 1, launch 2: body, launched at model.cpp:22 (site 7), "
                    "in iteration 1 of the while_loop at line 8" AT_NOWHERE);
  free(e.err);
  assert_has(read_log(), "\"launch\":2,\"site\":7,\"iteration\":1,\"line\":22,");
}

/* The end of a path names the file. */
TEST(a_source_that_is_long) {
  static char source[600];
  memset(source, 'd', sizeof source);
  strcpy(source + sizeof source - sizeof "/model.cpp", "/model.cpp");
  environment("AOTIGEN_LOG", log_name);
  in_launch = segv;
  for (size_t cut = 0; cut < 600; cut += 200) {
    model.source = source + cut;
    ending e = end_of(load_and_run);
    assert_has(e.err, cut == 400 ? ", launched at ddd" : ", launched at ...ddd");
    assert_has(e.err, "/model.cpp:22; address ");
    free(e.err);
  }
  char *log = read_log();
  assert_int_equal(count(log, "\n"), 6);
  assert_int_equal(count(log, "\"...ddd"), 4);
  assert_int_equal(count(log, "\"ddd"), 2);
  assert_int_equal(count(log, "d/model.cpp"), 6);
}

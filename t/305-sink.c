/* 305-sink - the only writer: whole messages, the log, what cannot be written, and that no signal
 * of a write reaches the host. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../runtime/base/file_write.h"
#include "../runtime/base/settings.h"
#include "../runtime/base/sink.h"
#include "shim.h"

static void clear(void) { environment("AOTIGEN_LOG", NULL); }

BEFORE_EACH { clear(); }

AFTER_EACH { clear(); }

/* Stands in for libc's: as on a kernel, or a device, that does not know the flag. */
static bool refuses_flag;
ssize_t pwritev2(int fd, const struct iovec *v, int n, off_t offset, int flags) {
  if (!refuses_flag || !flags)
    return syscall(SYS_pwritev2, fd, v, n, (long)offset, (long)(offset >> 32), flags);
  errno = EOPNOTSUPP;
  return -1;
}

enum { MESSAGES = 200, LENGTH = 9000 };

static void *shout(void *p) {
  char *message = malloc(LENGTH + 2);
  memset(message, *(char *)p, LENGTH);
  strcpy(message + LENGTH, "\n");
  for (int i = 0; i < MESSAGES; i++) ag_sink_write_stdout(message);
  free(message);
  return NULL;
}

TEST(threads_do_not_mix) {
  pthread_t threads[4];
  char letters[] = "abcd";
  capture(1);
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, shout, &letters[i]);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  char *text = captured(1);
  int lines = 0;
  for (char *line = text; *line; line += LENGTH + 1, lines++)
    if (strspn(line, (char[]){*line, 0}) != LENGTH || line[LENGTH] != '\n')
      fail_msg("line %d is mixed", lines);
  assert_int_equal(lines, 4 * MESSAGES);
  free(text);
}

TEST(full_disk) {
  int full = open("/dev/full", O_WRONLY), saved = dup(1);
  capture(2);
  fflush(NULL);
  dup2(full, 1);
  ag_sink_reopen();
  ag_sink_write_stdout("lost\n");
  ag_sink_write_stdout("lost\n");
  dup2(saved, 1);
  assert_equal_freed(captured(2),
                     "aotigen: cannot write to standard output: No space left on device\n");
  close(full);
  close(saved);
}

static int broken_pipe(void) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  close(ends[0]);
  return ends[1];
}

/* The status of a child that ran `host`, with SIGPIPE as a C program has it at its start. */
static int ended(void (*host)(void)) {
  int status;
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    alarm(10);
    signal(SIGPIPE, SIG_DFL);
    host();
    _exit(7);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

/* A host whose standard output becomes a broken pipe right after it was a file. */
static void loses_its_reader(void) {
  char name[512];
  sigset_t mask, none;
  int file = mkstemp(temporary(name, sizeof name)), broken = broken_pipe();
  unlink(name);
  dup2(file, 1);
  ag_sink_write_stdout("a file\n");
  dup2(broken, 1);
  ag_sink_write_stdout("lost\n");
  dup2(broken, 2);
  ag_sink_write_stderr("lost\n");
  sigpending(&none);
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  if (sigismember(&none, SIGPIPE) || sigismember(&mask, SIGPIPE)) _exit(8);
}

/* A host that holds a SIGPIPE of its own back: it is still there afterwards. */
static void holds_one_back(void) {
  sigset_t pipe, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, NULL);
  dup2(broken_pipe(), 1);
  ag_sink_write_stdout("lost\n");
  sigpending(&pending);
  if (sigismember(&pending, SIGPIPE)) _exit(8);
  if (write(1, "", 1) >= 0) _exit(9);
  ag_sink_write_stdout("lost\n");
  sigpending(&pending);
  if (!sigismember(&pending, SIGPIPE)) _exit(10);
}

/* A host's own write raises SIGPIPE as ever. */
static void writes_itself(void) {
  dup2(broken_pipe(), 1);
  ag_sink_write_stdout("lost\n");
  if (write(1, "", 1) >= 0) _exit(9);
}

TEST(broken_pipes) {
  for (int old = 0; old < 2; old++) {
    refuses_flag = old;
    capture(2);
    int lost = ended(loses_its_reader), held = ended(holds_one_back), own = ended(writes_itself);
    char *text = captured(2);
    assert_true(WIFEXITED(lost) && WEXITSTATUS(lost) == 7);
    assert_true(WIFEXITED(held) && WEXITSTATUS(held) == 7);
    assert_true(WIFSIGNALED(own) && WTERMSIG(own) == SIGPIPE);
    assert_int_equal(count(text, "aotigen: cannot write to standard output: Broken pipe\n"), 3);
    free(text);
  }
  refuses_flag = false;
}

/* A file that grows beyond the process's limit. */
static void grows(bool at_position) {
  char name[512];
  const struct rlimit limit = {4096, 4096};
  static const char bytes[8192];
  int file = mkstemp(temporary(name, sizeof name));
  unlink(name);
  setrlimit(RLIMIT_FSIZE, &limit);
  const char *why = at_position ? ag_file_write(file, bytes, sizeof bytes)
                                : ag_file_write_at(file, bytes, sizeof bytes, 0);
  if (!why || strcmp(why, "File too large")) _exit(8);
}

static void grows_too_large(void) { grows(false); }
static void grows_too_large_at_its_position(void) { grows(true); }

TEST(size_limits) {
  for (int i = 0; i < 2; i++) {
    int status = ended(i ? grows_too_large_at_its_position : grows_too_large);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
}

static void one_event(enum event_kind event, const char *value) {
  ag_text t;
  static const int64_t list[] = {1, -2};
  ag_event_begin(&t, event);
  ag_event_add_string(&t, "kernel", value);
  ag_event_add_string(&t, "none", NULL);
  ag_event_add_number(&t, "launch", 12);
  ag_event_add_list(&t, "first_index", list, 2);
  ag_event_end(&t);
}

TEST(log_lines) {
  char name[512], line[1024];
  close(mkstemp(temporary(name, sizeof name)));
  environment("AOTIGEN_LOG", name);
  one_event(EVENT_BORN, "a\"b\\c\n\x01\xc3\xa4\xff");
  one_event(EVENT_BORN, "x");
  FILE *f = fopen(name, "r");
  assert_non_null(fgets(line, sizeof line, f));
  assert_has(line, "{\"event\":\"born\",\"time\":");
  assert_has(line, ",\"pid\":");
  assert_has(line, ",\"kernel\":\"a\\\"b\\\\c\\u000a\\u0001\xc3\xa4\\ufffd\",\"none\":null,"
                   "\"launch\":12,\"first_index\":[1,-2]}\n");
  assert_non_null(fgets(line, sizeof line, f));
  assert_null(fgets(line, sizeof line, f));
  fclose(f);
  unlink(name);
}

/* A killed process left the start of an event. */
TEST(log_that_ends_within_an_event) {
  char name[512], line[1024];
  int fd = mkstemp(temporary(name, sizeof name));
  assert_int_equal(write(fd, "{\"event\":\"bo", 12), 12);
  close(fd);
  environment("AOTIGEN_LOG", name);
  one_event(EVENT_BORN, "x");
  FILE *f = fopen(name, "r");
  assert_non_null(fgets(line, sizeof line, f));
  assert_string_equal(line, "{\"event\":\"bo\n");
  assert_non_null(fgets(line, sizeof line, f));
  assert_has(line, "{\"event\":\"born\",\"time\":");
  assert_null(fgets(line, sizeof line, f));
  fclose(f);
  unlink(name);
}

/* Output of the program to a descriptor that it has closed does not go into the log. */
TEST(log_beside_closed_streams) {
  char name[512], line[1024];
  int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);
  close(mkstemp(temporary(name, sizeof name)));
  environment("AOTIGEN_LOG", name);
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  one_event(EVENT_BORN, "x");
  bool printed = write(STDIN_FILENO, "printed", 7) > 0 || write(STDOUT_FILENO, "printed", 7) > 0;
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  close(in);
  close(out);
  assert_false(printed);
  assert_true(ag_sink_log_fd() > STDERR_FILENO);
  FILE *f = fopen(name, "r");
  assert_non_null(fgets(line, sizeof line, f));
  assert_has(line, "{\"event\":\"born\",\"time\":");
  assert_null(fgets(line, sizeof line, f));
  fclose(f);
  unlink(name);
}

static int count_descriptors(void) {
  int n = 0;
  for (int fd = 0; fd < 256; fd++) n += fcntl(fd, F_GETFD) >= 0;
  return n;
}

/* A host that loads and unloads models keeps no descriptor of theirs; what comes later is logged.
 */
TEST(log_that_is_closed) {
  char name[512], line[1024];
  const int before = count_descriptors();
  close(mkstemp(temporary(name, sizeof name)));
  environment("AOTIGEN_LOG", name);
  one_event(EVENT_BORN, "x");
  assert_int_equal(count_descriptors(), before + 1);
  ag_sink_close_log();
  assert_int_equal(count_descriptors(), before);
  one_event(EVENT_BORN, "y");
  ag_sink_close_log();
  assert_true(ag_sink_log_fd() > STDERR_FILENO);
  one_event(EVENT_BORN, "z");
  assert_int_equal(count_descriptors(), before + 1);
  FILE *f = fopen(name, "r");
  for (int i = 0; i < 3; i++) assert_non_null(fgets(line, sizeof line, f));
  assert_null(fgets(line, sizeof line, f));
  fclose(f);
  unlink(name);
}

/* As a daemon does: the number of the log's descriptor is then that of a file of the program's, and
 * the log's relative name is laid to another directory. */
TEST(program_closes_the_log) {
  char log[512], own[512], text[256];
  int here = open(".", O_RDONLY);
  close(mkstemp(temporary(log, sizeof log)));
  assert_int_equal(chdir(dirname(strcpy(text, log))), 0);
  environment("AOTIGEN_LOG", strrchr(log, '/') + 1);
  one_event(EVENT_SAVED, "1");
  assert_int_equal(chdir("/"), 0);
  int fd = ag_sink_log_fd();
  close(fd);
  assert_int_equal(mkstemp(temporary(own, sizeof own)), fd); /* the lowest that is free */
  one_event(EVENT_SAVED, "2");
  assert_int_not_equal(ag_sink_log_fd(), fd);
  ag_sink_close_log();
  assert_int_equal(write(fd, "mine", 4), 4);
  assert_int_equal(pread(fd, text, sizeof text, 0), 4);
  close(fd);
  FILE *f = fopen(log, "r");
  for (int i = 1; i <= 2; i++) {
    assert_non_null(fgets(text, sizeof text, f));
    assert_has(text, i == 1 ? "\"kernel\":\"1\"" : "\"kernel\":\"2\"");
  }
  fclose(f);
  unlink(log);
  unlink(own);
  assert_int_equal(fchdir(here), 0);
  close(here);
}

TEST(log_that_cannot_be) {
  static char fifo[64];
  static const struct {
    const char *name, *why;
  } cases[] = {{"/nonexistent/log", "No such file or directory"},
               {"/dev/full", "No space left on device"},
               {fifo, "no process reads it"}};
  assert_non_null(mkdtemp(temporary(fifo, sizeof fifo)));
  strcat(fifo, "/fifo");
  assert_int_equal(mkfifo(fifo, 0600), 0);
  for (int i = 0; i < 3; i++) {
    environment("AOTIGEN_LOG", cases[i].name);
    capture(2);
    one_event(EVENT_BORN, "x");
    one_event(EVENT_BORN, "y");
    char *text = captured(2), expected[256];
    snprintf(expected, sizeof expected, "aotigen: cannot write the log '%s': %s\n", cases[i].name,
             cases[i].why);
    assert_string_equal(text, expected);
    free(text);
  }
}

/* As root, in a directory that others write to. */
TEST(log_that_another_user_laid) {
  enum { OTHER = 12345 };
  static char dir[64];
  char names[5][96], victim[96], expected[640];
  struct stat st;
  static const char *const ends[] = {"shared/link", "shared/dir/log", "shared/nothing",
                                     "shared/file", "shared/own"};
  static const char *const links[] = {"../victim", "..", "../made", NULL, "../victim"};
  if (geteuid()) skip();
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  snprintf(names[0], sizeof names[0], "%s/shared", dir);
  assert_true(!mkdir(names[0], 0755) && !chmod(names[0], 01777));
  snprintf(victim, sizeof victim, "%s/victim", dir);
  assert_true(!close(open(victim, O_WRONLY | O_CREAT, 0600)));
  for (int i = 0; i < 5; i++) {
    snprintf(names[i], sizeof names[i], "%s/%s", dir, i == 1 ? "shared/dir" : ends[i]);
    if (links[i])
      assert_int_equal(symlink(links[i], names[i]), 0);
    else
      close(open(names[i], O_WRONLY | O_CREAT, 0666));
    if (i < 4) assert_int_equal(lchown(names[i], OTHER, OTHER), 0);
    snprintf(names[i], sizeof names[i], "%s/%s", dir, ends[i]);
    environment("AOTIGEN_LOG", names[i]);
    capture(2);
    one_event(EVENT_BORN, "x");
    char *text = captured(2);
    snprintf(expected, sizeof expected, "aotigen: cannot write the log '%s': %s\n", names[i],
             i == 3 ? "Permission denied"
                    : "its path has a link of another user's, or too many links");
    assert_string_equal(text, i < 4 ? expected : "");
    free(text);
    assert_true(!stat(victim, &st) && (st.st_size > 0) == (i == 4));
  }
}

TEST(no_log) {
  assert_false(ag_sink_has_log());
  capture(2);
  one_event(EVENT_BORN, "x");
  assert_equal_freed(captured(2), "");
}

TEST(numbers) {
  static const struct {
    double x;
    const char *g, *shortest;
  } cases[] = {{836.0028076171875, "836.003", "836.0028076171875"},
               {1e30f, "1e+30", "1.0000000150474662e+30"},
               {0.1, "0.1", "0.1"},
               {0, "0", "0"},
               {3, "3", "3"},
               {-2.5, "-2.5", "-2.5"},
               {100000, "100000", "100000"},
               {1e-5, "1e-05", "1e-05"},
               {0.0001, "0.0001", "0.0001"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ag_text t = {0};
    ag_text_add_g(&t, cases[i].x);
    assert_string_equal(ag_text_string(&t), cases[i].g);
    ag_text_clear(&t);
    ag_text_add_shortest(&t, cases[i].x);
    assert_string_equal(ag_text_string(&t), cases[i].shortest);
    ag_text_free(&t);
  }
}

static void *speak_up(void *nothing) {
  static const char long_one[1 << 17] = {[0 ...(1 << 17) - 2] = 'x'};
  ag_sink_write_stdout(long_one);
  return nothing;
}

/* A child that is forked while another thread is writing a message can write too. */
TEST(child_of_a_speaker) {
  int pipes[2], status, saved = dup(1);
  pthread_t speaker;
  assert_int_equal(pipe(pipes), 0);
  dup2(pipes[1], 1);
  pthread_create(&speaker, NULL, speak_up, NULL);
  AWAIT(ag_sink_is_writing() && !poll(&(struct pollfd){1, POLLOUT, 0}, 1, 0)); /* it is full */
  pid_t child = fork();
  if (!child) {
    alarm(10);
    ag_sink_write_stderr("");
    _exit(7);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  for (size_t left = (1 << 17) - 1; left;) {
    char some[4096];
    ssize_t n = read(pipes[0], some, sizeof some);
    assert_true(n > 0);
    left -= (size_t)n;
  }
  pthread_join(speaker, NULL);
  dup2(saved, 1);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

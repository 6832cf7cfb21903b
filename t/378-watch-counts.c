/* 378-watch-counts - what a watched model counts, the file of it, the event of a finding, and a
 * container's termination message. t/273 has a host that loads the library. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../runtime/watch/counts.h"
#include "../runtime/watch/metrics.h"
#include "../runtime/watch/watcher.h"
#include "shim.h"

/* The library's hooks for tests. */
void ag_output_report_forget(void);
void ag_capsule_forget(void);

static char dir[512], capsule[600], metrics[600], message[600];
static fake *in, *out;
static aotigen_watch_counts before;

int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **own);
int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **own) {
  *own = malloc(sizeof **own);
  **own = *tensor;
  (*own)->storage = NULL; /* the other handle's */
  return 0;
}

static aotigen_watch_counts read_counts(void) {
  aotigen_watch_counts counts = {.size = sizeof counts};
  assert_int_equal(ag_counts_read(&counts), 0);
  assert_int_equal(counts.size, sizeof counts);
  return counts;
}

static void remove_all(void) {
  char path[1024];
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));) {
    snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
    unlink(path);
  }
  if (d) closedir(d);
  rmdir(dir);
}

/* The library's thread writes to the end, which comes before what was asked for before it began. */
BEFORE_ALL {
  atexit(remove_all);
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  snprintf(capsule, sizeof capsule, "%s/c", dir);
  snprintf(metrics, sizeof metrics, "%s/%%h-%%p.prom", dir);
  snprintf(message, sizeof message, "%s/message", dir);
}

BEFORE_EACH {
  environment("AOTIGEN_CAPSULE", capsule);
  environment("AOTIGEN_METRICS", metrics);
  ag_output_report_forget();
  ag_capsule_forget();
  in = fake_new("float32", 2, 3, -1);
  out = fake_new("float32", 2, 3, -1);
  before = read_counts();
}

/* AOTIGEN_METRICS stays: the thread of a run that is over may read it for the first time. */
AFTER_EACH {
  const char *const names[] = {
      "AOTIGEN_CAPSULE", "AOTIGEN_CAPSULES", "AOTIGEN_EVERY", "AOTIGEN_TERMINATION_LOG",
      "AOTIGEN_REPORTS", "AOTIGEN_ON_FAULT", "AOTIGEN_LOG"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) environment(names[i], NULL);
  fake_free(in);
  fake_free(out);
}

static char *run_once(void) {
  void *inputs[] = {in}, *outputs[] = {out};
  capture(2);
  ag_watched_run *r = ag_watcher_begin("AOTInductorModelContainerRun", NULL, inputs, 1, NULL);
  if (r) ag_watcher_end(r, outputs, 1);
  ag_watcher_drain(NULL);
  return captured(2);
}

static char *read_text(const char *name) {
  int fd = open(name, O_RDONLY);
  char *text = calloc(1, 1 << 16);
  if (fd >= 0) assert_in_range(read(fd, text, (1 << 16) - 1), 0, 1 << 16);
  if (fd >= 0) close(fd);
  return text;
}

/* The file of this process. */
static const char *metrics_file(void) {
  static char name[1024];
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  snprintf(name, sizeof name, "%s/%s-%ld.prom", dir, host, (long)getpid());
  return name;
}

#define GREW(field, by) assert_int_equal(read_counts().field - before.field, by)

TEST(runs_and_findings_are_counted) {
  free(run_once());
  GREW(runs, 1);
  GREW(runs_watched, 1);
  GREW(findings_nan, 0);
  assert_true(read_counts().watch_ns > before.watch_ns);
  FLOATS(out)[1] = INFINITY;
  free(run_once());
  FLOATS(out)[1] = -INFINITY;
  free(run_once());
  FLOATS(out)[0] = NAN;
  free(run_once());
  GREW(runs, 4);
  GREW(runs_watched, 4);
  GREW(findings_nan, 1);
  GREW(findings_pos_inf, 1);
  GREW(findings_neg_inf, 1);
  GREW(findings_other, 0);
  GREW(capsules, 3); /* of the 1st, 2nd, and 3rd, of four that are written */
}

TEST(limits_and_dead_outputs_have_kinds_of_their_own) {
  environment("AOTIGEN_WATCH_LIMITS", "|out| < 2");
  FLOATS(out)[0] = 3;
  free(run_once());
  GREW(findings_limit, 1);
  environment("AOTIGEN_WATCH_LIMITS", NULL);
  environment("AOTIGEN_WATCH_DEAD", "1");
  for (int i = 0; i < 6; i++) FLOATS(out)[i] = 1;
  free(run_once());
  GREW(findings_dead, 1);
  environment("AOTIGEN_WATCH_DEAD", NULL);
  GREW(findings_other, 0);
}

TEST(capsules_that_are_not_written) {
  FLOATS(out)[0] = NAN;
  environment("AOTIGEN_CAPSULES", "0");
  free(run_once());
  GREW(uncapsuled_limit, 1);
  environment("AOTIGEN_CAPSULES", NULL);
  environment("AOTIGEN_CAPSULE", "/nowhere/at/all");
  free(run_once());
  GREW(uncapsuled_limit, 1);
  GREW(uncapsuled_failed, 1);
  GREW(capsules, 0);
}

TEST(runs_that_are_not_watched) {
  void *inputs[] = {in}, *outputs[] = {out};
  environment("AOTIGEN_EVERY", "4");
  for (int i = 0; i < 8; i++) free(run_once());
  GREW(unwatched_every, 6);
  GREW(runs_watched, 2);
  environment("AOTIGEN_EVERY", NULL);
  ag_watched_run *all[40];
  capture(2);
  for (int i = 0; i < 40; i++)
    all[i] = ag_watcher_begin("AOTInductorModelContainerRun", NULL, inputs, 1, NULL);
  for (int i = 0; i < 40; i++)
    if (all[i]) ag_watcher_end(all[i], outputs, 1);
  ag_watcher_drain(NULL);
  free(captured(2));
  GREW(unwatched_busy, 40 - 32);
  GREW(runs_watched, 2 + 32);
  ag_watched_run *r = ag_watcher_begin("AOTInductorModelContainerRun", NULL, inputs, 1, NULL);
  ag_watcher_fail(r, NULL);
  ag_watcher_drain(NULL);
  GREW(unwatched_failed, 1);
  GREW(runs_watched, 2 + 32);
  GREW(runs, 8 + 40 + 1);
}

/* A host of an earlier or later version has a shorter or longer struct. */
TEST(the_struct_has_a_size) {
  struct {
    aotigen_watch_counts counts;
    uint64_t more;
  } longer = {.counts.size = sizeof longer, .more = 7};
  aotigen_watch_counts shorter = {.size = offsetof(aotigen_watch_counts, runs_watched),
                                  .runs_watched = 7};
  free(run_once());
  assert_int_equal(ag_counts_read(&longer.counts), 0);
  assert_int_equal(longer.counts.size, sizeof(aotigen_watch_counts));
  assert_int_equal(longer.more, 7);
  assert_int_equal(ag_counts_read(&shorter), 0);
  assert_int_equal(shorter.size, offsetof(aotigen_watch_counts, runs_watched));
  assert_int_equal(shorter.runs, longer.counts.runs);
  assert_int_equal(shorter.runs_watched, 7);
  shorter.size = sizeof shorter.size;
  assert_int_equal(ag_counts_read(&shorter), 1);
}

/* The thread writes it, once a second at most: the caller waits for no file. */
TEST(the_file_has_the_counts) {
  char line[2000], host[256] = "";
  gethostname(host, sizeof host - 1);
  FLOATS(out)[0] = NAN;
  free(run_once());
  ag_metrics_write(true);
  char *text = read_text(metrics_file());
  snprintf(line, sizeof line,
           "# HELP aotigen_watch_runs_total Runs of the model.\n"
           "# TYPE aotigen_watch_runs_total counter\n"
           "aotigen_watch_runs_total{model=\"?\",package=\"?\",device=\"%s\",host=\"%s\","
           "pid=\"%ld\"} %llu\n# HELP ",
           strcmp(fake_device(), "cpu") ? "cuda:0" : "cpu", host, (long)getpid(),
           (unsigned long long)read_counts().runs);
  assert_has(text, line);
  assert_has(text, "reason=\"capture\"} 0\n");
  assert_has(text, "kind=\"nan\"} ");
  assert_int_equal(count(text, "# TYPE aotigen_watch_findings_total counter\n"), 1);
  assert_true(text[strlen(text) - 1] == '\n');
  free(text);
  struct stat st;
  assert_int_equal(stat(metrics_file(), &st), 0);
  assert_int_equal(st.st_mode & 0777, 0644);
}

static bool file_says(void) {
  char part[64], *text = read_text(metrics_file());
  snprintf(part, sizeof part, "\"} %llu\n# HELP aotigen_watch_runs_watched_total",
           (unsigned long long)read_counts().runs);
  bool says = strstr(text, part) != NULL;
  free(text);
  return says;
}

TEST(the_thread_writes_it) {
  for (int i = 0; i < 2; i++) {
    free(run_once());
    AWAIT(file_says());
  }
}

/* Nothing is written where nothing has changed: a reader by time sees that. */
TEST(it_is_not_written_again) {
  struct stat first, second;
  free(run_once());
  ag_metrics_write(true);
  assert_int_equal(stat(metrics_file(), &first), 0);
  ag_metrics_write(true);
  assert_int_equal(stat(metrics_file(), &second), 0);
  assert_int_equal(first.st_ino, second.st_ino);
  unlink(metrics_file());
  ag_metrics_write(true);
  assert_int_equal(stat(metrics_file(), &second), 0);
}

TEST(a_file_that_cannot_be_written_is_said_once) {
  unlink(metrics_file());
  assert_int_equal(mkdir(metrics_file(), 0700), 0);
  free(run_once());
  capture(2);
  for (int i = 0; i < 3; i++) ag_metrics_write(true);
  char *text = captured(2);
  assert_int_equal(count(text, "warning: AOTIGEN_METRICS is not written: "), 1);
  assert_has(text, ": it is there, and is no regular file\n");
  free(text);
  rmdir(metrics_file());
  ag_metrics_write(true);
  assert_int_equal(access(metrics_file(), F_OK), 0);
}

/* It counts for itself, into a file of its own, by a thread of its own. */
TEST(a_child_begins_anew) {
  free(run_once());
  capture(2);
  pid_t child = fork();
  if (!child) {
    aotigen_watch_counts counts = read_counts();
    if (counts.runs) _exit(2);
    free(run_once());
    AWAIT(file_says());
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  free(captured_of(2, child));
  if (!strcmp(fake_device(), "cpu")) assert_int_equal(status, 0);
  GREW(runs, 1);
}

/* ---- the log */

TEST(a_finding_is_an_event) {
  char part[800];
  FLOATS(out)[0] = NAN;
  begin_log();
  free(run_once());
  char *log = end_log();
  assert_has(log, "{\"event\":\"finding\",");
  assert_has(log, "\"kind\":\"NaN\",\"output\":0,\"capsule\":\"");
  snprintf(part, sizeof part, "%s", capsule);
  assert_has(log, part);
  free(log);
  environment("AOTIGEN_CAPSULE", "/nowhere/at/all");
  begin_log();
  free(run_once());
  log = end_log();
  assert_has(log, "\"capsule\":null,\"no_capsule\":\"'/nowhere/at/all': No such file or ");
  free(log);
}

/* ---- a container's termination message */

static void write_text(const char *name, const char *text) {
  FILE *f = fopen(name, "wb");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

TEST(the_message_is_the_report) {
  struct stat first, second;
  write_text(message, "what another has left, which is longer than nothing\n");
  assert_int_equal(stat(message, &first), 0);
  environment("AOTIGEN_TERMINATION_LOG", message);
  free(run_once());
  assert_has_freed(read_text(message), "what another");
  FLOATS(out)[0] = NAN;
  char *report = run_once(), *text = read_text(message);
  assert_int_equal(strncmp(report, "aotigen: ", 9), 0);
  assert_memory_equal(text, report, strcspn(report, "\n")); /* below a device may have a name */
  assert_has(text, "  try next      where it was born: aotigen replay ");
  free(report);
  free(run_once()); /* a line more on stderr */
  assert_equal_freed(read_text(message), text);
  assert_int_equal(stat(message, &second), 0);
  assert_int_equal(first.st_ino, second.st_ino); /* it is bound into a container */
  free(text);
  unlink(message);
}

/* Nothing that is not a regular file is opened, and none is made. */
TEST(the_message_has_its_file) {
  char other[700];
  FLOATS(out)[0] = NAN;
  environment("AOTIGEN_TERMINATION_LOG", message);
  assert_has_freed(run_once(), "warning: AOTIGEN_TERMINATION_LOG is not written: '");
  assert_int_equal(access(message, F_OK), -1);
  snprintf(other, sizeof other, "%s/other", dir);
  write_text(other, "another's");
  assert_int_equal(symlink(other, message), 0);
  ag_output_report_forget();
  free(run_once());
  assert_equal_freed(read_text(other), "another's");
  unlink(message);
  unlink(other);
  assert_int_equal(mkfifo(message, 0600), 0);
  ag_output_report_forget();
  free(run_once());
  unlink(message);
}

void ag_outlet_terminate(const char *text);

TEST(the_message_is_bounded) {
  char *lines = calloc(1, 20001);
  write_text(message, "");
  environment("AOTIGEN_TERMINATION_LOG", message);
  for (int i = 0; i < 200; i++) sprintf(lines + i * 100, "%099d\n", i);
  ag_outlet_terminate(lines);
  char *text = read_text(message);
  assert_int_equal(strlen(text), 4000);
  free(text);
  memset(lines, 'x', 20000);
  ag_outlet_terminate(lines);
  text = read_text(message);
  assert_int_equal(strlen(text), 4096);
  free(text);
  free(lines);
  unlink(message);
}

/* 379-watch-diagnosis - AOTIGEN_ON_FAULT=diagnose: which program is run of a capsule, with what,
 * and what comes of it. The program is a script that tells what it sees; t/488 has aotigen. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../runtime/watch/counts.h"
#include "../runtime/watch/diagnosis.h"
#include "../runtime/watch/watcher.h"
#include "shim.h"

/* The library's hooks for tests. */
void ag_output_report_forget(void);
void ag_capsule_forget(void);
extern int64_t ag_diagnosis_limit_us;

static char dir[512], capsule[600], program[600], message[600];
static fake *in, *out;

int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **own);
int32_t aoti_torch_new_tensor_handle(fake *tensor, fake **own) {
  *own = malloc(sizeof **own);
  **own = *tensor;
  (*own)->storage = NULL; /* the other handle's */
  return 0;
}

static void remove_all(void) {
  char path[1024];
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d));) {
    snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
    if (e->d_name[0] != '.') unlink(path);
  }
  if (d) closedir(d);
}

static void remove_dir(void) {
  remove_all();
  rmdir(dir);
}

static void write_text(const char *name, const char *text, mode_t mode) {
  FILE *f = fopen(name, "wb");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  assert_int_equal(chmod(name, mode), 0);
}

static char *read_text(const char *name) {
  int fd = open(name, O_RDONLY);
  char *text = calloc(1, 1 << 18);
  if (fd >= 0) assert_in_range(read(fd, text, (1 << 18) - 1), 0, 1 << 18);
  if (fd >= 0) close(fd);
  return text;
}

BEFORE_ALL {
  atexit(remove_dir);
  assert_non_null(mkdtemp(temporary(dir, sizeof dir)));
  snprintf(capsule, sizeof capsule, "%s/c", dir);
  snprintf(program, sizeof program, "%s/program", dir);
  snprintf(message, sizeof message, "%s/message", dir);
}

/* The last diagnosis was long ago. */
static void forget(void) {
  AWAIT(!atomic_load(&ag_counts_table()->diagnosing));
  atomic_store(&ag_counts_table()->diagnosed, 0);
}

BEFORE_EACH {
  environment("AOTIGEN_CAPSULE", capsule);
  environment("AOTIGEN_ON_FAULT", "diagnose");
  environment("AOTIGEN_PROGRAM", program);
  ag_output_report_forget();
  ag_capsule_forget();
  in = fake_new("float32", 2, 3, -1);
  out = fake_new("float32", 2, 3, -1);
  FLOATS(out)[0] = NAN;
}

AFTER_EACH {
  forget();
  const char *const names[] = {"AOTIGEN_CAPSULE", "AOTIGEN_PROGRAM", "AOTIGEN_TERMINATION_LOG",
                               "AOTIGEN_ON_FAULT", "AOTIGEN_LOG"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) environment(names[i], NULL);
  fake_free(in);
  fake_free(out);
  remove_all();
}

static void run_once(void) {
  void *inputs[] = {in}, *outputs[] = {out};
  ag_watched_run *r = ag_watcher_begin("AOTInductorModelContainerRun", NULL, inputs, 1, NULL);
  if (r) ag_watcher_end(r, outputs, 1);
  ag_watcher_drain(NULL);
}

/* What is written of one run until the diagnosis is over. */
static char *diagnosed(void) {
  capture(2);
  run_once();
  AWAIT(!atomic_load(&ag_counts_table()->diagnosing));
  return captured(2);
}

TEST(the_report_goes_everywhere) {
  char line[2000], file[700];
  write_text(program, "#!/bin/sh\necho \"told of $*\"\necho and more >&2\n", 0755);
  write_text(message, "", 0600);
  environment("AOTIGEN_TERMINATION_LOG", message);
  begin_log();
  char *text = diagnosed();
  snprintf(line, sizeof line,
           "aotigen: diagnosis of %s; it stands in %s.txt\ntold of replay %s\nand more\n", capsule,
           capsule, capsule);
  assert_has(text, line);
  free(text);
  char *log = end_log();
  assert_has(log, "{\"event\":\"diagnosis\",");
  assert_has(log, "\"failure\":null,\"report\":\"told of replay ");
  free(log);
  snprintf(line, sizeof line, "told of replay %s\nand more\n", capsule);
  assert_equal_freed(read_text(message), line);
  snprintf(file, sizeof file, "%s.txt", capsule);
  assert_equal_freed(read_text(file), line);
}

/* Nothing of the host's reaches it, and it takes the processor from nobody. */
TEST(what_it_gets) {
  setenv("LD_PRELOAD", "", 1);
  write_text(program,
             "#!/bin/bash\nenv | grep -c ^AOTIGEN_\necho fds $(cd /proc/self/fd; echo *)\n"
             "readlink /proc/self/fd/0\nnice\ntest $$ = $(ps -o pgid= $$) && echo leader\n"
             "grep ^SigBlk: /proc/self/status\ncat /proc/self/oom_score_adj\nchrt -p $$\n",
             0755);
  int kept = open("/dev/null", O_RDONLY);
  char *text = diagnosed();
  close(kept);
  unsetenv("LD_PRELOAD");
  assert_has(text, ".txt\n0\nfds 0 1 2 3\n/dev/null\n19\nleader\n");
  assert_has(text, "leader\nSigBlk:\t0000000000000000\n1000\n");
  if (!strstr(text, "chrt: ")) assert_has(text, "SCHED_IDLE");
  free(text);
}

/* The one that takes long ends; all that it started does. */
TEST(its_time_is_bounded) {
  write_text(program, "#!/bin/sh\necho begun\nsleep 1000\n", 0755);
  const int64_t limit = ag_diagnosis_limit_us;
  ag_diagnosis_limit_us = 200 * 1000;
  char *text = diagnosed();
  ag_diagnosis_limit_us = limit;
  assert_has(text, "aotigen: no diagnosis of ");
  assert_has(text, ": it took more than 0 s; it stands in ");
  assert_has(text, "\nbegun\n");
  free(text);
}

TEST(how_it_fails) {
  write_text(program, "#!/bin/sh\necho why\nexit 3\n", 0755);
  char *text = diagnosed();
  assert_has(text, ": it ended with exit status 3; it stands in ");
  assert_has(text, "\nwhy\n");
  free(text);
  forget();
  write_text(program, "#!/bin/sh\nkill -9 $$\n", 0755);
  assert_has_freed(diagnosed(), ": it was ended by signal 9; ");
  forget();
  write_text(program, "no program", 0755);
  assert_has_freed(diagnosed(), "': Exec format error\n");
}

/* Another user must not choose what is run. */
TEST(which_program_is_not_run) {
  static const struct {
    mode_t mode;
    const char *why;
  } modes[] = {{0777, "others may write to it"},
               {0775, "others may write to it"},
               {0644, "Permission denied"}};
  char line[900];
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    write_text(program, "#!/bin/sh\necho ran\n", modes[i].mode);
    char *text = diagnosed();
    snprintf(line, sizeof line, "aotigen: no diagnosis of %s%s: '", capsule,
             !i       ? ""
             : i == 1 ? ".2"
                      : ".3");
    assert_has(text, line);
    assert_has(text, modes[i].why);
    assert_lacks(text, "\nran\n");
    free(text);
    forget();
  }
  write_text(program, "#!/bin/sh\necho ran\n", 0755);
  assert_int_equal(chmod(dir, 0777), 0);
  assert_has_freed(diagnosed(), "': others may write to its directory\n");
  assert_int_equal(chmod(dir, 0700), 0);
  forget();
  ag_output_report_forget();
  unlink(program);
  assert_has_freed(diagnosed(), ": the program of AOTIGEN_PROGRAM was not found\n");
}

/* One a minute; and none without a capsule. */
TEST(they_are_few) {
  write_text(program, "#!/bin/sh\necho ran\n", 0755);
  free(diagnosed());
  for (int i = 0; i < 5; i++) {
    char *text = diagnosed();
    assert_lacks(text, "diagnosis of");
    free(text);
  }
  forget();
  environment("AOTIGEN_CAPSULES", "0");
  char *text = diagnosed();
  assert_lacks(text, "diagnosis of");
  free(text);
  environment("AOTIGEN_CAPSULES", NULL);
}

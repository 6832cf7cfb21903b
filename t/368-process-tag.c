/* 368-process-tag - which process wrote a report, where several share one stderr. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../runtime/base/settings.h"
#include "../runtime/base/sink.h"
#include "shim.h"

/* Several processes may share one stderr: the first line of a report says which one wrote it. */
TEST(ranks_are_told) {
  static const char *const given[][3] = {{"RANK", "3", "[rank 3] "},
                                         {"LOCAL_RANK", "1", "[rank 1] "},
                                         {"OMPI_COMM_WORLD_RANK", "12", "[rank 12] "},
                                         {"PMI_RANK", "0", "[rank 0] "},
                                         {"SLURM_PROCID", "7", "[rank 7] "},
                                         {"RANK", "", ""},
                                         {"RANK", "a\nb", ""},
                                         {"RANK", "1234567890", ""}};
  char expected[64];
  for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
    setenv(given[i][0], given[i][1], 1);
    ag_settings_reload();
    capture(2);
    ag_sink_write_stderr("aotigen: NaN born\n  line\n");
    ag_sink_write_stderr("[  before ]:\n");
    snprintf(expected, sizeof expected, "aotigen: %sNaN born\n  line\n[  before ]:\n", given[i][2]);
    assert_equal_freed(captured(2), expected);
    unsetenv(given[i][0]);
  }
  setenv("LOCAL_RANK", "1", 1);
  setenv("RANK", "5", 1);
  ag_settings_reload();
  capture(2);
  ag_sink_write_stderr("aotigen: NaN born\n");
  assert_equal_freed(captured(2), "aotigen: [rank 5] NaN born\n");
  unsetenv("LOCAL_RANK");
  unsetenv("RANK");
  ag_settings_reload();
}

/* In a child. apart: it has another stderr than its parent. */
static void report_in_child(bool apart, char *expected, size_t room) {
  int file = apart ? dup(2) : -1; /* what the test captures */
  char name[] = "/tmp/unit-sink-XXXXXX";
  int other = apart ? mkstemp(name) : -1;
  if (apart) dup2(other, 2);
  const pid_t child = fork();
  if (!child) {
    if (apart) dup2(file, 2);
    ag_sink_write_stderr("aotigen: NaN born\n");
    _exit(0);
  }
  waitpid(child, NULL, 0);
  if (apart) {
    dup2(file, 2);
    close(file);
    close(other);
    unlink(name);
  }
  snprintf(expected, room, apart ? "aotigen: NaN born\n" : "aotigen: [pid %d] NaN born\n",
           (int)child);
}

/* Under `aotigen run` the command's own process has no mark, and any other that shares its stderr
 * has. */
TEST(processes_of_a_run_are_told) {
  char text[32], expected[64];
  const int runs[] = {(int)getpid(), (int)getppid()};
  for (int i = 0; i < 2; i++) {
    snprintf(text, sizeof text, "%d", runs[i]);
    setenv("AOTIGEN_RUN_BY", text, 1);
    ag_settings_reload();
    capture(2);
    ag_sink_write_stderr("aotigen: NaN born\n");
    snprintf(expected, sizeof expected, i ? "aotigen: NaN born\n" : "aotigen: [pid %d] NaN born\n",
             (int)getpid());
    assert_equal_freed(captured(2), expected);
  }
  setenv("AOTIGEN_RUN_BY", "none", 1);
  ag_settings_reload();
  capture(2);
  ag_sink_write_stderr("aotigen: NaN born\n");
  assert_equal_freed(captured(2), "aotigen: NaN born\n");
  unsetenv("AOTIGEN_RUN_BY");
  ag_settings_reload();
}

TEST(children_are_told) {
  char expected[64];
  for (int apart = 0; apart < 2; apart++) {
    capture(2);
    report_in_child(apart, expected, sizeof expected);
    assert_equal_freed(captured(2), expected);
  }
}

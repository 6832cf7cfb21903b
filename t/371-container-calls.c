/* 371-container-calls - what the host asks a container for stands in the log, in order with what
 * runs report; runs are counted. */
#include <stdio.h>
#include <stdlib.h>

#include "nan_launches.h"

static void call(const char *name, int unwinding) {
  aotigen_entry_end(aotigen_entry_begin(&model, name), unwinding);
}

static void infer(float value) {
  const int entry = aotigen_entry_begin(&model, "AOTInductorModelContainerRun");
  begin();
  launch_log(value);
  aotigen_run_end(&run, 0);
  aotigen_entry_end(entry, 0);
}

/* Of each line of a call or a birth the event, and what follows the name of the call. */
static char *summary(char *log) {
  static char text[4096];
  size_t n = 0;
  for (char *line = strtok(log, "\n"); line; line = strtok(NULL, "\n")) {
    const char *call = strstr(line, "\"call\":");
    if (strstr(line, "{\"event\":\"born\"") || call)
      n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", call ? call : "born");
  }
  free(log);
  return text;
}

TEST(in_order_with_reports) {
  capture(2);
  begin_log();
  call("AOTInductorModelContainerCreateWithDevice", 0);
  infer(1);
  infer(NAN);
  const int fold = aotigen_entry_begin(&model, "AOTInductorModelContainerRunConstantFolding");
  begin();
  launch_log(NAN);
  aotigen_run_end(&run, 0);
  aotigen_entry_end(fold, 0);
  call("AOTInductorModelContainerGetNumInputs", 0);
  call("AOTInductorModelContainerUpdateInactiveConstantBufferPairs", 1);
  infer(1);
  call("AOTInductorModelContainerSwapConstantBuffer", 0);
  aotigen_entry_deletes(&model);
  char *text = summary(end_log());
  free(captured(2));
  assert_string_equal(
      text,
      "\"call\":\"load\",\"entry\":\"AOTInductorModelContainerCreateWithDevice\","
      "\"phase\":\"begin\"}\n"
      "\"call\":\"load\",\"entry\":\"AOTInductorModelContainerCreateWithDevice\","
      "\"phase\":\"end\",\"ended\":\"well\"}\n"
      "born\n"
      "\"call\":\"inference\",\"count\":2}\n"
      "\"call\":\"run_constant_folding\",\"entry\":"
      "\"AOTInductorModelContainerRunConstantFolding\",\"phase\":\"begin\"}\n"
      "born\n"
      "\"call\":\"run_constant_folding\",\"entry\":"
      "\"AOTInductorModelContainerRunConstantFolding\",\"phase\":\"end\",\"ended\":\"well\"}\n"
      "\"call\":\"update_constant_buffer\",\"entry\":"
      "\"AOTInductorModelContainerUpdateInactiveConstantBufferPairs\",\"phase\":\"begin\"}\n"
      "\"call\":\"update_constant_buffer\",\"entry\":"
      "\"AOTInductorModelContainerUpdateInactiveConstantBufferPairs\",\"phase\":\"end\","
      "\"ended\":\"with an exception\"}\n"
      "\"call\":\"inference\",\"count\":1}\n"
      "\"call\":\"swap_constant_buffer\",\"entry\":"
      "\"AOTInductorModelContainerSwapConstantBuffer\",\"phase\":\"begin\"}\n"
      "\"call\":\"swap_constant_buffer\",\"entry\":"
      "\"AOTInductorModelContainerSwapConstantBuffer\",\"phase\":\"end\",\"ended\":\"well\"}\n"
      "\"call\":\"delete\"}\n");
}

/* What torch 2.15's observer calls each of them. */
TEST(each_has_its_name) {
  static const char *const names[][2] = {
      {"AOTInductorModelContainerCreate", "load"},
      {"AOTInductorModelContainerCreateWithExternalConstants", "load"},
      {"AOTInductorModelUpdateConstantsFromBlob", "load_constants"},
      {"AOTInductorModelContainerUpdateConstantBuffer", "update_constant_buffer"},
      {"AOTInductorModelContainerUpdateUserManagedConstantBuffer", "update_constant_buffer"},
      {"AOTInductorModelContainerUpdateConstantBufferFromCpuPairs",
       "update_constant_buffer_from_cpu"},
      {"AOTInductorModelContainerFreeInactiveConstantBuffer", "free_inactive_buffer"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char expected[64];
    begin_log();
    const int outer = aotigen_entry_begin(&model, names[i][0]);
    call("AOTInductorModelContainerUpdateConstantBuffer", 0); /* a part of it */
    aotigen_entry_end(outer, 0);
    char *log = end_log();
    snprintf(expected, sizeof expected, "\"call\":\"%s\",", names[i][1]);
    assert_int_equal(count(log, "\n"), 2);
    assert_int_equal(count(log, expected), 2);
    free(log);
  }
}

TEST(nothing_without_a_log) {
  capture(2);
  call("AOTInductorModelContainerSwapConstantBuffer", 0);
  infer(1);
  begin_log();
  call("AOTInductorModelContainerSwapConstantBuffer", 0);
  char *log = end_log();
  assert_int_equal(count(log, "inference"), 0);
  assert_int_equal(count(log, "swap_constant_buffer"), 2);
  free(log);
  free(captured(2));
}

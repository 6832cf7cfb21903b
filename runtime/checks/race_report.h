/* race_report.h - what the checks of races between two launches of a run have in common: a launch
 * that has no order with an earlier one which uses the same memory. */
#ifndef AOTIGEN_RACE_REPORT_H
#define AOTIGEN_RACE_REPORT_H

#include "base/text.h"
#include "shared/checks.h"
#include "shared/wrapper/aotigen.h"
#include "state/launch.h"

typedef struct ag_launch_race {
  const ag_arg *arg; /* of the launch in progress */
  struct {           /* the earlier launch, and its argument with that memory */
    uint64_t launch;
    uint32_t site;
    uint16_t param;
  } earlier;
  const char *label; /* of its line: "collective" */
  enum ag_check check;
  const char *missing;  /* "no wait_tensor that completes it came before" */
  const char *expected; /* for the event */
} ag_launch_race;

/* Completes the run's report, which has its head, and tells it. how: what both launches do to the
 * memory. Frees `how`. Returns what is to be thrown: NULL unless AOTIGEN_ON_FAULT is "throw". */
const char *ag_race_report(aotigen_run *run, const ag_launch_race *race, ag_text *how);

#endif

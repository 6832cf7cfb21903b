/* race_report.c - see race_report.h. */
#define _GNU_SOURCE
#include "checks/race_report.h"

#include "base/settings.h"
#include "checks/finding.h"
#include "state/run_state.h"

const char *ag_race_report(aotigen_run *run, const ag_launch_race *race, ag_text *how) {
  ag_run_texts *texts = &run->state->texts;
  ag_text *t = &texts->report, line = {0}, found = {0};
  const aotigen_site *site = &run->model->sites[race->earlier.site];
  const ag_finding f = {.launch = &run->state->record->launch};
  const ag_item item = {.arg = race->arg};
  ag_report_site(t, f.launch);
  ag_report_arg(&line, race->arg);
  ag_text_add_line(t, "argument", "%s", ag_text_string(&line));
  ag_text_add_line(t, "", "%s", ag_text_string(how));
  ag_text_addf(&found, "launch %llu: %s (line %d), as '%s'",
               (unsigned long long)race->earlier.launch, ag_site_name(site), site->line,
               site->params[race->earlier.param].name);
  ag_text_add_line(t, race->label, "%s", ag_text_string(&found));
  ag_text_add_line(t, "", "%s", race->missing);
  ag_finding_log(&f, EVENT_RACE, &item, race->check, race->expected, ag_text_string(&found));
  ag_report_tell(run->state->model, t);
  ag_text_free(&line);
  ag_text_free(&found);
  ag_text_free(how);
  if (ag_settings_get()->on_fault != AG_FAULT_THROW) return NULL;
  ag_report_summarize(&texts->message, ag_text_string(t));
  return ag_text_string(&texts->message);
}

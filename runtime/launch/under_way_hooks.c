/* under_way_hooks.c - a run's place in the table of what is under way, and those who look at it:
 * the handlers of signals, and the watchdog. The markers say what the run is at (run.c). */
#include "base/settings.h"
#include "launch/explain_crash.h"
#include "launch/watchdog.h"
#include "state/crash_signals.h"
#include "state/launch_hooks.h"
#include "state/under_way.h"

static void begin_run(aotigen_run *run) {
  ag_crash_signals_install();
  run->state->under_way = ag_under_way_begin(run->model, run, ag_explain_crash);
  if (run->state->under_way && ag_settings_get()->watchdog_us) ag_watchdog_begin();
}

static void launch(aotigen_run *run) { ag_under_way_launch(run->state->under_way); }

static void end_run(aotigen_run *run, bool unwinding) {
  (void)unwinding;
  ag_under_way_end(run->state->under_way);
}

static bool is_wanted(const ag_model_state *m) { return m->anything; }

AG_LAUNCH_HOOKS(under_way) = {
    .wanted = is_wanted, .begin_run = begin_run, .launching = launch, .end_run = end_run};

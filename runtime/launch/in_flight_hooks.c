/* in_flight_hooks.c - the hook that puts a run into the table of what is in flight, and starts its
 * readers: the handlers of signals, and the watchdog. The markers update the entry (run.c). */
#include "base/settings.h"
#include "launch/explain_crash.h"
#include "launch/watchdog.h"
#include "state/crash_signals.h"
#include "state/launch_hooks.h"
#include "state/in_flight.h"

static void begin_run(aotigen_run *run) {
  ag_crash_signals_install();
  run->state->in_flight = ag_in_flight_begin(run->model, run, ag_explain_crash);
  if (run->state->in_flight && ag_settings_get()->watchdog_us) ag_watchdog_begin();
}

static void launch(aotigen_run *run) { ag_in_flight_launch(run->state->in_flight); }

static void end_run(aotigen_run *run, bool unwinding) {
  (void)unwinding;
  ag_in_flight_end(run->state->in_flight);
}

static bool is_wanted(const ag_model_state *m) { return m->anything; }

AG_LAUNCH_HOOKS(in_flight) = {
    .wanted = is_wanted,
    .begin_run = begin_run,
    .begin_unchecked = begin_run,
    .launching = launch,
    .end_run = end_run,
    .end_unchecked = end_run};

/* graph_replay.c - the records of a graph, evaluated once for each replay. */
#define _GNU_SOURCE
#include "launch/graph_replay.h"

#include "checks/finding.h"
#include "launch/evaluate_async.h"
#include "launch/hooks.h"
#include "launch/marks.h"

bool ag_graph_replay_add(aotigen_run *run, bool unwinding) {
  aotigen_run_state *s = run->state;
  ag_async_run *d = s->async_run;
  ag_async_run_thrown(s);
  d->captured.run = d->number;
  const char *why = unwinding ? "an exception ended it"
                              : d->async->replay->end(d->place.slot, ag_run_stream(run),
                                                      ag_hooks_want_values(s->model));
  if (why) {
    ag_async_run_say_captured(run, d->place.device_index, ag_not_scanned, why);
    return false;
  }
  ag_ranges_copy(&s->covered.inputs, &s->evaluation.known.inputs);
  ag_ranges_copy(&s->covered.weights, &s->evaluation.known.weights);
  return true;
}

static void begin_replay(ag_async_run *d, uint32_t replay) {
  aotigen_run_state *s = d->state;
  ag_async_run_enter_replay(d, replay);
  ag_evaluation_clear(&s->evaluation);
  ag_ranges_copy(&s->evaluation.known.inputs, &s->covered.inputs);
  ag_ranges_copy(&s->evaluation.known.weights, &s->covered.weights);
}

static void evaluate_graph_record(ag_async_run *d, ag_record *record) {
  ag_record_evaluate(d, record, atomic_load(&record->stage) != AG_LAUNCHED);
  for (int when = 0; when < 2; when++) d->async->batch->release(&record->batch[when]);
}

static void say_missed(ag_async_run *d, uint32_t missed) {
  if (missed == d->captured.missed) return;
  ag_warn("run %llu of %s is a graph: other replays of it had bad values meanwhile; they are not "
          "reported",
          (unsigned long long)d->captured.run, d->owner->model->source);
  d->captured.missed = missed;
}

bool ag_graph_replay_step(ag_async_run *d) {
  uint32_t missed = 0, replay = d->async->replay->next(d->place.slot, &missed);
  unsigned n = atomic_load(&d->queue.published);
  if (!replay) return false;
  begin_replay(d, replay);
  d->number = ag_run_next_number();
  for (unsigned i = 0; i < n; i++) evaluate_graph_record(d, d->queue.records[i]);
  ag_record_evaluate_end(d);
  d->async->replay->release(d->place.slot);
  say_missed(d, missed);
  return true;
}

/* The report of the lost device has already given the replay its number. */
void ag_graph_replay_cut(ag_async_run *d) {
  uint32_t replay = d->async->replay->running(d->place.slot);
  unsigned n = atomic_load(&d->queue.published);
  if (!replay || atomic_exchange(&d->lost, true)) return;
  begin_replay(d, replay);
  for (unsigned i = 0; i < n && ag_record_is_over(d, d->queue.records[i]); i++)
    evaluate_graph_record(d, d->queue.records[i]);
  ag_record_evaluate_end(d);
}

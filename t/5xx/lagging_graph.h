/* lagging_graph.h - a run of lagging.h that is captured into a graph, and its replays. */
#ifndef AOTIGEN_T_LAGGING_GRAPH_H
#define AOTIGEN_T_LAGGING_GRAPH_H

#include <math.h>

#include "5xx/lagging.h"

/* The element that each launch of a graph spoils, or -1. */
static atomic_int bad_now[4] = {-1, -1, -1, -1};

/* A run before the capture, as torch makes one: it allocates what scanning the graph needs. */
static inline uint64_t warm_up(const lineup *l) {
  uint64_t number = whole_run(&model, l, 3, 0, -1, 0);
  ag_evaluator_settle();
  return number;
}

/* Three launches, each of which spoils what bad_now says; with a gate a fourth, in which a replay
 * stands until that is set. */
static inline uint64_t capture_gated_graph(const lineup *l, const atomic_int *gate) {
  aotigen_run run;
  fake_capture(l->stream, 1);
  begin(&run, &model, l);
  for (int i = 1; i <= 3; i++) {
    kernel k = {
        .out = FLOATS(l->bufs[i]), .value = (float)i, .poison = NAN, .bad_now = &bad_now[i]};
    assert_null(launch_kernel(&run, l, i % 2 ? STEP : ODD, l->bufs[i - 1], &k, l->bufs[i]));
  }
  if (gate)
    assert_null(launch_kernel(&run, l, ODD, l->bufs[0],
                              &(kernel){.out = FLOATS(l->bufs[1]), .bad = -1, .gate = gate},
                              l->bufs[1]));
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
  fake_capture(NULL, 0);
  return run.number;
}

static inline uint64_t capture_graph(const lineup *l) { return capture_gated_graph(l, NULL); }

/* To its end, and until it was evaluated; launch_number: which spoils element `bad`, or 0. */
static inline void replay(const lineup *l, int launch_number, int bad) {
  atomic_store(&bad_now[launch_number], bad);
  fake_replay_on(l->stream);
  fake_wait(l->stream);
  ag_evaluator_settle();
  atomic_store(&bad_now[launch_number], -1);
}

#endif

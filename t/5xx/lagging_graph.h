/* lagging_graph.h - a run of lagging.h that is captured into a graph, and its replays. */
#ifndef AOTIGEN_T_LAGGING_GRAPH_H
#define AOTIGEN_T_LAGGING_GRAPH_H

#include <math.h>

#include "5xx/lagging.h"

static atomic_int bad_now[4] = {-1, -1, -1, -1};

/* Three launches, each of which spoils what bad_now says. */
static inline void graph_launches(aotigen_run *run, const lineup *l) {
  for (int i = 1; i <= 3; i++) {
    kernel k = {.out = FLOATS(l->bufs[i]), .value = (float)i, .poison = NAN, .bad_now = &bad_now[i]};
    assert_null(launch_kernel(run, l, i % 2 ? STEP : ODD, l->bufs[i - 1], &k, l->bufs[i]));
  }
}

static inline uint64_t graph_run(const lineup *l) {
  aotigen_run run;
  begin(&run, &model, l);
  graph_launches(&run, l);
  assert_null(aotigen_before_outputs(&run));
  aotigen_run_end(&run, 0);
  return run.number;
}

static inline uint64_t capture_graph(const lineup *l) {
  fake_capture(l->stream, 1);
  uint64_t number = graph_run(l);
  fake_capture(NULL, 0);
  return number;
}

static inline void replay(const lineup *l, int launch_number, int bad) {
  atomic_store(&bad_now[launch_number], bad);
  fake_replay_on(l->stream);
  fake_wait(l->stream);
  ag_desk_settle();
  atomic_store(&bad_now[launch_number], -1);
}

#endif

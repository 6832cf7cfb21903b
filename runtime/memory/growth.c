/* growth.c - see growth.h. An operator may retain a buffer for good, such as a cache. Growth is one
 * more retained buffer after each of several runs. */
#define _GNU_SOURCE
#include "memory/growth.h"

#include <stdlib.h>
#include <string.h>

#include "base/sink.h"
#include "checks/finding.h"
#include "state/buffers.h"

enum { RUNS = AG_GROWTH_RUNS, PARTS = 4, RUNS_OF_PART = RUNS / PARTS };

/* The growth of one entry of the model's buffers. */
typedef struct ag_growth {
  size_t held[RUNS + 1]; /* the buffers retained after each of the last runs, the newest last; 0
                            before the first run */
  unsigned runs;         /* the last runs, none of which retained fewer than the one before */
  bool reported;
} ag_growth;

/* "launch 2: lab::keeps, launch 6: lab::reads" */
static void add_launches(ag_text *t, const aotigen_run *run, const ag_given_to *by) {
  for (unsigned i = 0; i < by->n; i++)
    ag_text_addf(t, "%slaunch %llu: %s", i ? ", " : "", (unsigned long long)by->at[i].launch,
                 run->model->sites[by->at[i].site].kernel);
  if (by->more) ag_text_add(t, " and others");
}

static void log_growth(const aotigen_run *run, const char *of, size_t bytes,
                       const ag_given_to *by) {
  ag_text event, launches = {0};
  if (!ag_sink_has_log()) return;
  ag_event_run(&event, EVENT_GROWTH, run->model, run->number);
  ag_event_add_string(&event, "of", of);
  ag_event_add_number(&event, "bytes", (int64_t)bytes);
  if (!ag_given_to_has_suspect(by, run->model)) {
    ag_event_end(&event);
    return;
  }
  if (by->n == 1) {
    ag_event_add_number(&event, "launch", (int64_t)by->at[0].launch);
    ag_event_add_string(&event, "kernel", run->model->sites[by->at[0].site].kernel);
  } else {
    add_launches(&launches, run, by);
    ag_event_add_string(&event, "kernels", ag_text_string(&launches));
  }
  ag_text_free(&launches);
  ag_event_end(&event);
}

void ag_growth_end_report(aotigen_run *run, const char *of, size_t bytes, const ag_given_to *by) {
  ag_text *t = &run->state->texts.report;
  ag_text_add_line(t, "cure", "look for what %s keeps: in a list, a cache or a closure",
                   !ag_given_to_has_suspect(by, run->model) ? "an operator, or the program,"
                   : by->n > 1                              ? "one of these operators"
                                                            : "the operator");
  log_growth(run, of, bytes, by);
  ag_report_write(t);
}

void ag_growth_report(aotigen_run *run, const char *name, const char *how,
                      const ag_buffers_held *held, bool is_made) {
  const ag_given_to *by = &held->given_to;
  ag_text *t = &run->state->texts.report;
  ag_text_clear(t);
  ag_text_addf(t, "aotigen: memory grows from run to run of %s: '%s' stays\n", run->model->source,
               name);
  ag_text_add_line(t, "buffer", "%s, %s", name, how);
  ag_text_add_line(t, "", "%zu of them are still held, %zu bytes; the last is that of run %llu",
                   held->n, held->bytes, (unsigned long long)held->run);
  for (unsigned i = 0; i < by->n; i++)
    ag_text_add_line(t, is_made && !i ? "made by" : "given to", "launch %llu of its run: %s",
                     (unsigned long long)by->at[i].launch,
                     ag_site_name(&run->model->sites[by->at[i].site]));
  if (by->more) ag_text_add_line(t, "", "and other operators");
  ag_growth_end_report(run, name, held->bytes, by);
}

static void report(aotigen_run *run, uint32_t row, const ag_buffers_held *held) {
  const aotigen_buffer *b = &run->model->buffers[row];
  ag_text how = {0};
  ag_text_addf(&how, "allocated at %s:%d", run->model->source, b->line);
  ag_growth_report(run, b->name, ag_text_string(&how), held, false);
  ag_text_free(&how);
}

/* True if no run retained fewer than the one before, and in each part of the runs at least every
 * second one retained one more. A cache that is full does not grow. One that takes as many runs to
 * fill looks like an operator that retains everything. */
static bool grows(ag_growth *g, size_t held) {
  if (held < g->held[RUNS] || !held)
    g->runs = 0;
  else if (g->runs < RUNS)
    g->runs++;
  memmove(g->held, g->held + 1, RUNS * sizeof *g->held);
  g->held[RUNS] = held;
  if (g->runs < RUNS || g->reported) return false;
  for (int i = 0; i < PARTS; i++) {
    const size_t *part = &g->held[i * RUNS_OF_PART];
    if ((part[RUNS_OF_PART] - part[0]) * 2 < RUNS_OF_PART) return false;
  }
  return true;
}

/* The caller holds the model's lock. Leaves in `held` only the entries that are to be reported. */
static void check_rows(const aotigen_run *run, ag_growth *rows, ag_buffers_held *held) {
  ag_buffers_count_held(run->model, run->number, held);
  for (uint32_t i = 0; i < run->model->nbuffers; i++) {
    const bool now = grows(&rows[i], held[i].n);
    rows[i].reported = rows[i].reported || now;
    if (!now) held[i] = (ag_buffers_held){.n = 0};
  }
}

void ag_growth_end_run(aotigen_run *run) {
  ag_model_state *m = run->state->model;
  const size_t n = m->model->nbuffers;
  ag_buffers_held *held = n ? calloc(n, sizeof *held) : NULL;
  if (!held) return;
  pthread_mutex_lock(&m->lock);
  if (!m->memory.growth) m->memory.growth = calloc(n, sizeof *m->memory.growth);
  if (m->memory.growth) check_rows(run, m->memory.growth, held);
  pthread_mutex_unlock(&m->lock);
  for (uint32_t i = 0; i < n; i++)
    if (held[i].n) report(run, i, &held[i]);
  free(held);
}

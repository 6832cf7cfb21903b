/* growth.c - see growth.h. A first run leaves much that stays: caches, compiled code. Growth is
 * what each of several runs adds to. */
#define _GNU_SOURCE
#include "memory/growth.h"

#include <stdlib.h>

#include "base/sink.h"
#include "checks/finding.h"
#include "state/buffers.h"

enum {
  BUFFER_RUNS = 3, /* that left a buffer each */
  CALL_RUNS = 6,   /* in each of which a call left something on the heap */
  LEAST = 512      /* bytes that count as something */
};

/* Under the lock of the model. */
typedef struct ag_growth {
  struct {
    size_t stay; /* of these buffers, when the last run was over */
    unsigned runs;
    bool said;
  } * rows;
  struct {
    size_t bytes, all; /* of this run, of the runs in question */
    uint64_t launch;   /* of this run */
    unsigned runs;
    bool said;
  } * sites;
} ag_growth;

/* With the model's lock held. */
static ag_growth *growth_of(ag_model_state *m) {
  if (m->growth) return m->growth;
  ag_growth *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  g->rows = calloc((size_t)m->model->nbuffers + 1, sizeof *g->rows);
  g->sites = calloc((size_t)m->model->nsites + 1, sizeof *g->sites);
  if (g->rows && g->sites) return m->growth = g;
  free(g->rows);
  free(g->sites);
  free(g);
  return NULL;
}

void ag_growth_note_call(const aotigen_run *run, size_t bytes) {
  ag_model_state *m = run->state->model;
  pthread_mutex_lock(&m->lock);
  ag_growth *g = growth_of(m);
  if (g) {
    g->sites[run->site].bytes += bytes;
    g->sites[run->site].launch = run->launch;
  }
  pthread_mutex_unlock(&m->lock);
}

/* ---- buffers -------------------------------------------------------------------------------- */

static void log_growth(const aotigen_run *run, const char *name, size_t bytes, uint64_t launch) {
  ag_text event;
  if (!ag_sink_has_log()) return;
  ag_event_run(&event, "growth", run->model, run->number);
  ag_event_add_string(&event, "of", name);
  ag_event_add_number(&event, "bytes", (int64_t)bytes);
  ag_event_add_number(&event, "launch", (int64_t)launch);
  ag_event_end(&event);
}

static void report_row(aotigen_run *run, uint32_t row, const ag_buffers_left *left) {
  const aotigen_buffer *b = &run->model->buffers[row];
  ag_text *t = &run->state->texts.report;
  ag_text_clear(t);
  ag_text_addf(t, "aotigen: memory grows from run to run of %s: '%s' stays\n", run->model->source,
               b->name);
  ag_text_add_line(t, "buffer", "%s, allocated at %s:%d", b->name, run->model->source, b->line);
  ag_text_add_line(t, "", "%zu of them are still held, %zu bytes; the last is that of run %llu",
                   left->n, left->bytes, (unsigned long long)left->run);
  if (left->given)
    ag_text_add_line(t, "given to", "launch %llu of its run: %s", (unsigned long long)left->given,
                     run->model->sites[left->given_to].kernel);
  ag_text_add_line(t, "cure", "look for what the operator keeps: in a list, a cache or a closure");
  log_growth(run, b->name, left->bytes, left->given);
  ag_report_write(t);
}

static bool row_grows(ag_growth *g, uint32_t row, const ag_buffers_left *left) {
  bool more = left->n > g->rows[row].stay;
  g->rows[row].stay = left->n;
  g->rows[row].runs = more ? g->rows[row].runs + 1 : 0;
  return g->rows[row].runs >= BUFFER_RUNS && !g->rows[row].said;
}

/* ---- operators ------------------------------------------------------------------------------ */

static void report_site(aotigen_run *run, uint32_t site, size_t bytes, uint64_t launch) {
  ag_text *t = &run->state->texts.report;
  const ag_launch l = {.model = run->model, .run = run->number, .number = launch, .site = site};
  ag_text_clear(t);
  ag_report_head(t, &l, "memory grows");
  ag_report_site(t, &l);
  ag_text_add_line(
      t, "heap",
      "it grew in each of the last %d runs in its calls, by %zu bytes beside its results",
      CALL_RUNS, bytes);
  ag_text_add_line(t, "cure", "look for what the operator keeps: in a list, a cache or a closure");
  log_growth(run, run->model->sites[site].kernel, bytes, launch);
  ag_report_write(t);
}

static bool site_grows(ag_growth *g, uint32_t site) {
  size_t bytes = g->sites[site].bytes;
  bool more = bytes >= LEAST;
  g->sites[site].bytes = 0;
  g->sites[site].runs = more ? g->sites[site].runs + 1 : 0;
  g->sites[site].all = more ? g->sites[site].all + bytes : 0;
  return g->sites[site].runs >= CALL_RUNS && !g->sites[site].said;
}

void ag_growth_end_run(aotigen_run *run) {
  ag_model_state *m = run->state->model;
  pthread_mutex_lock(&m->lock);
  ag_growth *g = growth_of(m);
  for (uint32_t i = 0; g && i < m->model->nbuffers; i++) {
    const ag_buffers_left left =
        ag_buffers_count_left(m->model, &m->model->buffers[i], run->number);
    if (!row_grows(g, i, &left)) continue;
    g->rows[i].said = true;
    report_row(run, i, &left);
  }
  for (uint32_t i = 0; g && i < m->model->nsites; i++) {
    if (!site_grows(g, i)) continue;
    g->sites[i].said = true;
    report_site(run, i, g->sites[i].all, g->sites[i].launch);
  }
  pthread_mutex_unlock(&m->lock);
}

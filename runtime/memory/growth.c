/* growth.c - see growth.h. A first run leaves much that stays: caches, compiled code. Growth is
 * what each of several runs adds to. */
#define _GNU_SOURCE
#include "memory/growth.h"

#include <stdlib.h>

#include "base/sink.h"
#include "checks/finding.h"
#include "state/buffers.h"

enum { BUFFER_RUNS = 3 }; /* that left a buffer each */

/* Under the lock of the model. */
typedef struct ag_growth {
  struct {
    size_t stay; /* of these buffers, when the last run was over */
    unsigned runs;
    bool said;
  } * rows;
} ag_growth;

/* With the model's lock held. */
static ag_growth *growth_of(ag_model_state *m) {
  if (m->growth) return m->growth;
  ag_growth *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  g->rows = calloc((size_t)m->model->nbuffers + 1, sizeof *g->rows);
  if (g->rows) return m->growth = g;
  free(g);
  return NULL;
}

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
  pthread_mutex_unlock(&m->lock);
}

/* usage.c - see usage.h. */
#define _GNU_SOURCE
#include "memory/usage.h"

#include <stdlib.h>

#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "memory/growth.h"
#include "memory/op_allocations.h"
#include "state/launch_hooks.h"

/* One allocation of the run. */
typedef struct allocation {
  uint32_t row;
  uintptr_t data;
  size_t bytes;
  uint64_t after; /* allocated after this launch; 0: before the first */
  bool is_released;
  uint64_t released; /* after this launch; 0: before the first */
  bool at_peak;
  size_t kept; /* the number, from 1, of the previous one whose release is not seen; 0: none */
} allocation;

typedef struct ag_usage {
  allocation *list;
  size_t n, room;
  size_t kept;          /* the last one whose release is not seen */
  size_t now, peak;     /* bytes */
  uint64_t peak_launch; /* the last launch before the peak */
  uint32_t peak_site;
} ag_usage;

bool ag_usage_is_on(void) { return ag_settings_get()->memory; }

/* ---- allocations ---------------------------------------------------------------------------- */

static void log_allocation(const aotigen_run *run, uint32_t row, size_t bytes) {
  ag_text t;
  if (!ag_sink_has_log()) return;
  ag_event_run(&t, EVENT_ALLOCATION, run->model, run->number);
  ag_event_add_string(&t, "buffer", run->model->buffers[row].name);
  ag_event_add_number(&t, "line", run->model->buffers[row].line);
  ag_event_add_number(&t, "after_launch", (int64_t)run->launch);
  ag_event_add_number(&t, "bytes", (int64_t)bytes);
  ag_event_end(&t);
}

static void note_peak(aotigen_run *run, ag_usage *u) {
  u->peak = u->now;
  u->peak_launch = run->launch;
  u->peak_site = run->site;
  for (size_t i = 0; i < u->n; i++) u->list[i].at_peak = !u->list[i].is_released;
}

static void note_release(const aotigen_run *run, ag_usage *u, allocation *x) {
  x->is_released = true;
  x->released = run->launch;
  u->now -= x->bytes;
}

/* Ends an allocation whose memory is reused: a loop replaces what it carries to its next iteration,
 * and hands over the last. */
static void note_reused(const aotigen_run *run, ag_usage *u, uintptr_t data, size_t bytes) {
  for (size_t *at = &u->kept; *at;) {
    allocation *x = &u->list[*at - 1];
    if (x->data < data + bytes && data < x->data + x->bytes) {
      note_release(run, u, x);
      *at = x->kept;
    } else {
      at = &x->kept;
    }
  }
}

void ag_usage_allocated(aotigen_run *run, uint32_t row, const void *data, size_t bytes,
                        bool is_ours) {
  aotigen_run_state *s = run->state;
  if (!s->memory.usage) s->memory.usage = calloc(1, sizeof *s->memory.usage);
  ag_usage *u = s->memory.usage;
  if (!u || !ag_list_grow((void **)&u->list, &u->room, u->n, sizeof *u->list)) return;
  note_reused(run, u, (uintptr_t)data, bytes);
  allocation *x = &u->list[u->n++];
  *x = (allocation){.row = row, .data = (uintptr_t)data, .bytes = bytes, .after = run->launch};
  if (run->model->buffers[row].handed_over && !is_ours) {
    x->kept = u->kept;
    u->kept = u->n;
  }
  u->now += bytes;
  if (u->now > u->peak) note_peak(run, u);
  log_allocation(run, row, bytes);
}

void ag_usage_released(aotigen_run *run, const ag_buffer *b) {
  ag_usage *u = run->state ? run->state->memory.usage : NULL;
  for (size_t i = u ? u->n : 0; i-- > 0;) {
    allocation *x = &u->list[i];
    if (&run->model->buffers[x->row] != b->row || x->is_released || x->after != b->launch) continue;
    note_release(run, u, x);
    return;
  }
}

/* ---- a launch ------------------------------------------------------------------------------- */

/* True for a call that can retain a tensor: a compiled kernel has only addresses. */
static bool is_operator(const aotigen_run *run) {
  const aotigen_site *s = &run->model->sites[run->site];
  return s->form == AOTIGEN_EXTERN || ag_site_is_dispatched(s);
}

/* Notes the call of an operator in the buffers that it is given. */
static void note_call(aotigen_run *run) {
  const ag_record *r = run->state->record;
  if (!r || !is_operator(run)) return;
  for (size_t i = 0; i < r->nargs; i++) {
    ag_buffer *b = ag_buffers_find(run, &r->args[i].view);
    if (b) ag_given_to_note(&b->given_to, run);
  }
  if (ag_site_is_of_library(&run->model->sites[run->site])) ag_op_allocations_begin_call(run);
}

static const char *end_call(aotigen_run *run) {
  if (is_operator(run)) ag_op_allocations_end_call(run);
  return NULL;
}

/* ---- the report ----------------------------------------------------------------------------- */

static void add_bytes(ag_text *t, size_t bytes) {
  if (bytes < 10000)
    ag_text_addf(t, "%zu bytes", bytes);
  else if (bytes < 10000000)
    ag_text_addf(t, "%zu kB", bytes / 1000);
  else
    ag_text_addf(t, "%zu MB", bytes / 1000000);
}

static void add_allocation(ag_text *t, const aotigen_run *run, const allocation *x) {
  const aotigen_buffer *row = &run->model->buffers[x->row];
  ag_text_addf(t, "  %c %-11s ", x->at_peak ? '*' : ' ', row->name);
  add_bytes(t, x->bytes);
  ag_text_addf(t, ", allocated at line %d, ", row->line);
  ag_report_after_launch(t, x->after);
  if (x->is_released) {
    ag_text_add(t, ", released ");
    ag_report_after_launch(t, x->released);
    ag_text_add(t, "\n");
  } else {
    ag_text_add(t, row->handed_over ? ", an output of the model\n" : ", not released in its run\n");
  }
}

static void report_peak(aotigen_run *run, const ag_usage *u) {
  enum { SHOWN = 40 };
  ag_text *t = &run->state->texts.report;
  ag_text_clear(t);
  ag_text_addf(t, "aotigen: memory of run %llu of %s: at most ", (unsigned long long)run->number,
               run->model->source);
  add_bytes(t, u->peak);
  if (u->peak_launch)
    ag_text_addf(t, ", from launch %llu on: %s\n", (unsigned long long)u->peak_launch,
                 ag_site_name(&run->model->sites[u->peak_site]));
  else
    ag_text_add(t, ", before the first launch\n");
  for (size_t i = 0; i < u->n && i < SHOWN; i++) add_allocation(t, run, &u->list[i]);
  if (u->n > SHOWN) ag_text_addf(t, "    and %zu more allocations\n", u->n - SHOWN);
  ag_text_add(t, "  (* was there at that time; what operators allocate is not among them)\n");
  ag_sink_write_stderr(ag_text_string(t));
}

/* Reports the memory of the run, if its peak is the highest so far, and what grows from run to run
 * (growth.h). */
static void end_run(aotigen_run *run, bool unwinding) {
  ag_usage *u = run->state->memory.usage;
  if (u && u->n && !unwinding && run->state->model->memory.peak < u->peak) {
    run->state->model->memory.peak = u->peak;
    report_peak(run, u);
  }
  if (!unwinding) ag_growth_end_run(run);
  ag_op_allocations_end_run(run);
  if (u) u->n = u->now = u->peak = u->kept = 0;
}

static bool is_wanted(const ag_model_state *m) {
  (void)m;
  return ag_usage_is_on();
}

AG_LAUNCH_HOOKS(usage) = {
    .wanted = is_wanted, .launching = note_call, .after = end_call, .end_run = end_run};

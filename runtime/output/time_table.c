/* time_table.c - AOTIGEN_TIME: how long the launches took, as tables on stderr or in a file, and as
 * events of the log, when the process exits or the model is unloaded. */
#define _GNU_SOURCE
#include "output/time_table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "state/launch.h"
#include "state/launch_times.h"

enum { SHOWN = 40 }; /* rows of each table on stderr; a file has all */

/* A row of a table. */
typedef struct {
  const ag_launch_time *launch; /* NULL of a group */
  const char *name;             /* a group's */
  int line;                     /* of `name`, where that is a file; else 0 */
  uint64_t count;
  int64_t total, median; /* nanoseconds; a group's median is the sum over its launches */
} line;

typedef struct {
  line *lines;
  size_t n;
  int64_t total;
} table;

static const aotigen_site *site_of(const ag_launch_times *t, const ag_launch_time *r) {
  return &t->model->sites[r->site];
}

/* The line of the model that is told of a site, as in a ledger; or NULL. */
static const aotigen_line *model_line(const aotigen_site *s) {
  return s->nlines ? &s->lines[s->nlines - 1] : NULL;
}

/* Where a launch was made once, that one is all there is. */
static int64_t total_of(const ag_launch_time *r) { return r->count ? r->total : r->first; }
static uint64_t count_of(const ag_launch_time *r) { return r->count ? r->count : 1; }

static int compare(const void *a, const void *b) {
  const line *x = a, *y = b;
  if (x->total != y->total) return x->total < y->total ? 1 : -1;
  return x->launch && y->launch && x->launch->launch > y->launch->launch ? 1 : -1;
}

/* ---- groups --------------------------------------------------------------------------------- */

enum group { BY_KERNEL, BY_MODULE, BY_LINE, GROUPS };

/* False if it belongs to none. */
static bool name_group(const aotigen_site *s, enum group by, line *x) {
  const aotigen_line *l = model_line(s);
  x->line = by == BY_LINE && l ? l->line : 0;
  x->name = by == BY_KERNEL ? s->kernel : !l ? NULL : by == BY_MODULE ? l->module : l->file;
  return x->name && *x->name;
}

static line *find_group(table *t, const line *like) {
  for (size_t i = 0; i < t->n; i++)
    if (t->lines[i].line == like->line && !strcmp(t->lines[i].name, like->name))
      return &t->lines[i];
  t->lines[t->n] = (line){.name = like->name, .line = like->line};
  return &t->lines[t->n++];
}

static table group(const ag_launch_times *times, const table *launches, enum group by) {
  table t = {.lines = calloc(launches->n + 1, sizeof *t.lines), .total = launches->total};
  for (size_t i = 0; t.lines && i < launches->n; i++) {
    const line *x = &launches->lines[i];
    line like;
    if (!name_group(site_of(times, x->launch), by, &like)) continue;
    line *to = find_group(&t, &like);
    to->count += x->count;
    to->total += x->total;
    to->median += x->median;
  }
  if (t.lines) qsort(t.lines, t.n, sizeof *t.lines, compare);
  return t;
}

static table by_launch(ag_launch_times *times) {
  table t = {.lines = calloc(times->n + 1, sizeof *t.lines)};
  for (size_t i = 0; t.lines && i < times->n; i++) {
    ag_launch_time *r = &times->rows[i];
    t.lines[t.n++] = (line){.launch = r,
                            .count = count_of(r),
                            .total = total_of(r),
                            .median = ag_launch_time_median(r)};
    t.total += total_of(r);
  }
  if (t.lines) qsort(t.lines, t.n, sizeof *t.lines, compare);
  return t;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void add_us(ag_text *t, int64_t ns, int width) {
  ag_text_add_double(t, (double)ns / 1000, "%.2f", width);
}

static void add_share(ag_text *t, const line *x, const table *of) {
  ag_text_add_double(t, of->total ? 100 * (double)x->total / (double)of->total : 0, "%.1f", 6);
  ag_text_add(t, "%");
}

static void add_launch(ag_text *t, const ag_launch_times *times, const line *x, const table *of) {
  const ag_launch_time *r = x->launch;
  const aotigen_site *s = site_of(times, r);
  const aotigen_line *l = model_line(s);
  if (r->launch)
    ag_text_addf(t, "  %6llu ", (unsigned long long)r->launch);
  else
    ag_text_addf(t, "  %6s ", "more");
  ag_text_addf(t, "%8llu ", (unsigned long long)x->count);
  add_us(t, r->first, 11);
  add_us(t, x->median, 11);
  add_us(t, r->count ? r->min : r->first, 11);
  add_us(t, x->total, 13);
  add_share(t, x, of);
  ag_text_addf(t, "  %s", ag_site_name(s));
  if (*s->nodes) ag_text_addf(t, " (%s)", s->nodes);
  if (l) ag_text_addf(t, " %s:%d", l->file, l->line);
  if (l && l->module && *l->module) ag_text_addf(t, " in %s", l->module);
  ag_text_add(t, "\n");
}

static void add_group(ag_text *t, const line *x, const table *of) {
  ag_text_addf(t, "  %8llu ", (unsigned long long)x->count);
  add_us(t, x->median, 11);
  add_us(t, x->total, 13);
  add_share(t, x, of);
  ag_text_addf(t, "  %s", ag_short_name(x->name));
  if (x->line) ag_text_addf(t, ":%d", x->line);
  ag_text_add(t, "\n");
}

static void add_more(ag_text *t, size_t n, const char *what) {
  if (n > SHOWN)
    ag_text_addf(t, "  and %zu more %s: AOTIGEN_TIME=FILE writes all\n", n - SHOWN, what);
}

static void add_groups(ag_text *t, const ag_launch_times *times, const table *launches,
                       bool whole) {
  static const char *const names[] = {"kernel", "module", "line of the model"};
  for (enum group by = 0; by < GROUPS; by++) {
    table groups = group(times, launches, by);
    if (groups.n)
      ag_text_addf(t, "  %8s %10s %12s %6s   %s\n", "launches", "a run", "total", "share",
                   names[by]);
    for (size_t i = 0; i < groups.n && (whole || i < SHOWN); i++)
      add_group(t, &groups.lines[i], &groups);
    if (!whole) add_more(t, groups.n, "of them");
    free(groups.lines);
  }
}

/* What the times do not have, and what they have too much. */
static void add_notes(ag_text *t, const ag_launch_times *times) {
  static const char *const why[] = {
      [AG_UNTIMED_CAPTURED] = "they were captured into a graph",
      [AG_UNTIMED_ROOM] = "too many others had not ended",
      [AG_UNTIMED_DEVICE] = "they failed, or the device's events did",
  };
  for (int i = 0; i < AG_UNTIMED_KINDS; i++)
    if (times->untimed[i])
      ag_text_addf(t, "  %llu launches were not timed: %s\n", (unsigned long long)times->untimed[i],
                   why[i]);
  if (times->late)
    ag_text_addf(t, "  %llu times include a wait for the host, which took long for the launch\n",
                 (unsigned long long)times->late);
  if (!times->empty_ns) return;
  ag_text_add(t, "  (");
  add_us(t, times->empty_ns, 0);
  ag_text_add(t, " us were subtracted of each: what two events with nothing between them take)\n");
}

static void add_tables(ag_text *t, ag_launch_times *times, const table *launches, bool whole) {
  ag_text_addf(t,
               "aotigen: time by launch of %s, %llu run%s, in microseconds; the first of each "
               "launch stands apart\n",
               times->model->source, (unsigned long long)times->runs, times->runs == 1 ? "" : "s");
  ag_text_addf(t, "  %6s %8s %10s %10s %10s %12s %6s   %s\n", "launch", "times", "first", "median",
               "least", "total", "share", "kernel");
  for (size_t i = 0; i < launches->n && (whole || i < SHOWN); i++)
    add_launch(t, times, &launches->lines[i], launches);
  if (!whole) add_more(t, launches->n, "launches");
  add_groups(t, times, launches, whole);
  add_notes(t, times);
}

/* ---- the log -------------------------------------------------------------------------------- */

static void log_launch(const ag_launch_times *times, const line *x) {
  const ag_launch_time *r = x->launch;
  const aotigen_site *s = site_of(times, r);
  const aotigen_line *l = model_line(s);
  ag_text t;
  ag_event_begin(&t, EVENT_TIMED);
  ag_event_add_string(&t, "source", times->model->source);
  ag_event_add_number(&t, "launch", (int64_t)r->launch);
  ag_event_add_number(&t, "site", s->number);
  ag_event_add_string(&t, "kernel", s->kernel);
  ag_event_add_string(&t, "nodes", s->nodes);
  ag_event_add_string(&t, "file", l ? l->file : NULL);
  ag_event_add_number(&t, "line", l ? l->line : 0);
  ag_event_add_string(&t, "module", l ? l->module : NULL);
  ag_event_add_number(&t, "count", (int64_t)r->count);
  ag_event_add_number(&t, "first_ns", r->first);
  ag_event_add_number(&t, "median_ns", x->median);
  ag_event_add_number(&t, "least_ns", r->count ? r->min : r->first);
  ag_event_add_number(&t, "total_ns", x->total);
  ag_event_end(&t);
}

/* ---- at the end ----------------------------------------------------------------------------- */

static void write_tables(ag_launch_times *times, const table *launches) {
  const char *file = ag_settings_get()->time;
  ag_text t = {0};
  add_tables(&t, times, launches, *file);
  if (*file)
    ag_sink_write_file(file, ag_text_string(&t));
  else
    ag_sink_write_stderr(ag_text_string(&t));
  ag_text_free(&t);
}

static void tell(ag_launch_times *times) {
  table launches = by_launch(times);
  if (launches.n || times->untimed[AG_UNTIMED_CAPTURED]) write_tables(times, &launches);
  for (size_t i = 0; i < launches.n && ag_sink_has_log(); i++)
    log_launch(times, &launches.lines[i]);
  free(launches.lines);
}

void ag_time_table_write(void) {
  for (ag_launch_times *t = ag_launch_times_all(); t; t = t->next) {
    if (t->process != getpid() || !ag_settings_get()->time || pthread_mutex_trylock(&t->lock))
      continue;
    tell(t);
    pthread_mutex_unlock(&t->lock);
  }
}

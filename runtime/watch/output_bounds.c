/* output_bounds.c - see output_bounds.h. */
#include "watch/output_bounds.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/fork_lock.h"
#include "base/json.h"
#include "base/settings.h"
#include "base/value_limits.h"
#include "checks/finding.h"
#include "tensor/layout.h"

enum { DEAD_OUTPUTS = 256, GATHERED = 256 }; /* outputs, elements */

/* ---- what is asked for ---------------------------------------------------------------------- */

/* The limits of the output alone. */
static size_t find_limits(size_t output, ag_value_limits *l) {
  const char *text = ag_settings_get()->watch_limits;
  size_t where, n = 0;
  l->n = 0;
  if (!text || ag_value_limits_read(l, text, &where)) return 0;
  for (size_t i = 0; i < l->n; i++)
    if (l->at[i].output < 0 || (size_t)l->at[i].output == output) l->at[n++] = l->at[i];
  return l->n = n;
}

static bool is_watched_for_death(size_t output) {
  return ag_settings_get()->watch_dead && output < DEAD_OUTPUTS;
}

bool ag_output_bounds_are_set(void) {
  const ag_settings *s = ag_settings_get();
  return s->watch_limits || s->watch_dead;
}

unsigned ag_output_want(const ag_view *view, size_t output) {
  ag_value_limits limits;
  const bool is_ordered = view->t.dtype->cls != AG_COMPLEX;
  const unsigned want = view->floating ? AG_WANT_BAD : 0;
  if (!is_ordered || (!is_watched_for_death(output) && !find_limits(output, &limits))) return want;
  return want | AG_WANT_SUMMARY;
}

/* ---- what the statistics say ---------------------------------------------------------------- */

/* An integer's, exact. */
static long double read_extreme(const ag_dtype *d, const ag_stats *s, bool most) {
  const int64_t integer = most ? s->int_max : s->int_min;
  if (ag_dtype_is_floating(d)) return most ? s->max : s->min;
  return d->cls == AG_UNSIGNED ? (long double)(uint64_t)integer : (long double)integer;
}

static bool is_beyond(const ag_value_limit *l, const ag_dtype *d, const ag_stats *s) {
  return s->finite && (ag_value_limit_excludes(l, read_extreme(d, s, false)) ||
                       ag_value_limit_excludes(l, read_extreme(d, s, true)));
}

static bool has_one_value(const ag_dtype *d, const ag_stats *s) {
  return s->finite && !(s->nan + s->pos_inf + s->neg_inf) &&
         read_extreme(d, s, false) == read_extreme(d, s, true);
}

bool ag_output_is_suspect(const ag_view *view, size_t output, const ag_stats *s) {
  ag_value_limits limits;
  const ag_dtype *d = view->t.dtype;
  if (s->nan + s->pos_inf + s->neg_inf) return true;
  if (!(ag_output_want(view, output) & AG_WANT_SUMMARY)) return false;
  if (is_watched_for_death(output) && has_one_value(d, s)) return true;
  find_limits(output, &limits);
  for (size_t i = 0; i < limits.n; i++)
    if (is_beyond(&limits.at[i], d, s)) return true;
  return false;
}

/* ---- limits --------------------------------------------------------------------------------- */

/* The elements beyond a limit, of a tensor that is read in place. */
typedef struct found_elements {
  int64_t count, first; /* count: -1: the tensor is on a device */
  double value;         /* of the first */
} found_elements;

static found_elements find_elements(const ag_view *view, const ag_value_limit *limit) {
  char gathered[GATHERED * 16];
  const ag_tensor *t = &view->t;
  found_elements found = {.count = -1};
  if (t->device_type != ag_backend_cpu.device_type) return found;
  found.count = 0;
  for (int64_t i = 0; i < t->numel; i += GATHERED) {
    const int64_t n = t->numel - i < GATHERED ? t->numel - i : GATHERED;
    if (ag_backend_cpu.read(t, i, n, NULL, gathered)) break;
    for (int64_t k = 0; k < n; k++) {
      const double x = ag_dtype_decode(t->dtype, gathered + k * t->dtype->item_size);
      if (!isfinite(x) || !ag_value_limit_excludes(limit, x)) continue;
      if (found.count++) continue;
      found.first = i + k;
      found.value = x;
    }
  }
  return found;
}

static void add_number(ag_text *t, const char *field, double x) {
  ag_json_add_name(t, field);
  ag_text_add_shortest(t, x);
}

static void add_limit_json(ag_text *t, size_t output, const ag_value_limit *limit,
                           const ag_stats *s, const ag_tensor *of, const found_elements *found) {
  int64_t index[AG_MAX_DIMS];
  ag_text text = {0};
  ag_text_add_bytes(&text, limit->text, limit->length);
  ag_text_addf(t, "%s{\"output\":%zu,\"kind\":\"limit\"", t->length ? "," : "", output);
  ag_json_add_name(t, "limit");
  ag_json_add_string(t, ag_text_string(&text));
  ag_text_free(&text);
  ag_json_add_name(t, "absolute");
  ag_text_add(t, limit->is_absolute ? "true" : "false");
  ag_json_add_name(t, "comparison");
  ag_json_add_string(t, ag_value_limit_comparison(limit));
  add_number(t, "bound", limit->bound);
  add_number(t, "least", s->min);
  add_number(t, "most", s->max);
  if (found->count > 0) {
    ag_json_add_name(t, "count");
    ag_json_add_number(t, found->count);
    ag_layout_index(of->ndim, of->sizes, found->first, index);
    ag_json_add_name(t, "first");
    ag_json_add_list(t, index, of->ndim);
  }
  ag_text_add(t, "}");
}

static void add_limit_lines(ag_text *t, const ag_value_limit *limit, const ag_stats *s,
                            const ag_tensor *of, const found_elements *found) {
  ag_text_addf(t, "                beyond %.*s: ", (int)limit->length, limit->text);
  if (found->count > 0) {
    ag_text_addf(t, "%lld of %lld elements; the first at ", (long long)found->count,
                 (long long)of->numel);
    ag_tensor_describe_index(t, of, found->first);
    ag_text_addf(t, " (index %lld): ", (long long)found->first);
    ag_text_add_g(t, found->value);
    ag_text_add(t, "; ");
  }
  ag_text_add(t, "the least of all is ");
  ag_text_add_g(t, s->min);
  ag_text_add(t, ", the most ");
  ag_text_add_g(t, s->max);
  ag_text_add(t, "\n");
}

static void report_limit(ag_output_report *report, const ag_watched_run *r, size_t output,
                         const ag_stats *s, const ag_value_limit *limit) {
  const ag_view *of = &r->outputs.list[output].view;
  const found_elements found = find_elements(of, limit);
  ag_output_report_note(report, r, output, AG_OUTPUT_BEYOND, "a value beyond its limit");
  add_limit_lines(&report->lines, limit, s, &of->t, &found);
  add_limit_json(&report->findings, output, limit, s, &of->t, &found);
}

/* ---- dead outputs --------------------------------------------------------------------------- */

static struct {
  pthread_mutex_t lock;
  struct {
    long double value;
    uint64_t runs; /* in a row, in which it was this one */
  } at[DEAD_OUTPUTS];
} dead = {.lock = PTHREAD_MUTEX_INITIALIZER};
AG_FORK_LOCK(dead.lock)

/* The number of runs in a row, this one included, in which the output had one value, the same. */
static uint64_t count_runs(size_t output, bool has_one, long double value) {
  pthread_mutex_lock(&dead.lock);
  const bool goes_on = has_one && dead.at[output].runs && dead.at[output].value == value;
  dead.at[output].runs = goes_on ? dead.at[output].runs + 1 : has_one;
  dead.at[output].value = value;
  const uint64_t runs = dead.at[output].runs;
  pthread_mutex_unlock(&dead.lock);
  return runs;
}

/* For tests: as in a process that has not run. */
void ag_output_bounds_forget(void);
void ag_output_bounds_forget(void) {
  for (size_t i = 0; i < DEAD_OUTPUTS; i++) dead.at[i].runs = 0;
}

/* Told once, when the output has had the value in so many runs: it may have it for good. */
static void report_dead(ag_output_report *report, const ag_watched_run *r, size_t output,
                        const ag_stats *s) {
  const ag_view *of = &r->outputs.list[output].view;
  const uint64_t most = ag_settings_get()->watch_dead;
  const uint64_t runs =
      count_runs(output, has_one_value(of->t.dtype, s), read_extreme(of->t.dtype, s, false));
  if (runs != most) return;
  ag_output_report_note(report, r, output, AG_OUTPUT_DEAD,
                        s->min == 0 ? "only zeros" : "only one value");
  ag_text *t = &report->lines;
  ag_text_add(t, "                each element is ");
  ag_text_add_g(t, s->min);
  ag_text_addf(t, ", in %llu run%s in a row\n", (unsigned long long)runs, runs == 1 ? "" : "s");
  t = &report->findings;
  ag_text_addf(t, "%s{\"output\":%zu,\"kind\":\"dead\"", t->length ? "," : "", output);
  add_number(t, "value", s->min);
  ag_json_add_name(t, "runs");
  ag_json_add_number(t, (int64_t)runs);
  ag_text_add(t, "}");
}

void ag_output_bounds_check(size_t outputs) {
  static atomic_flag checked = ATOMIC_FLAG_INIT;
  const char *text = ag_settings_get()->watch_limits;
  ag_value_limits l;
  size_t where;
  if (!text || atomic_flag_test_and_set(&checked) || ag_value_limits_read(&l, text, &where)) return;
  for (size_t i = 0; i < l.n; i++)
    if (l.at[i].output >= 0 && (size_t)l.at[i].output >= outputs)
      ag_warn("the limit '%.*s' of AOTIGEN_WATCH_LIMITS applies to no output: the model has %zu, "
              "from output 0 on",
              (int)l.at[i].length, l.at[i].text, outputs);
}

void ag_output_bounds_report(ag_output_report *report, const ag_watched_run *r, size_t output,
                             const ag_stats *stats) {
  ag_value_limits limits;
  const ag_view *of = &r->outputs.list[output].view;
  if (!(ag_output_want(of, output) & AG_WANT_SUMMARY)) return;
  find_limits(output, &limits);
  for (size_t i = 0; i < limits.n; i++)
    if (is_beyond(&limits.at[i], of->t.dtype, stats))
      report_limit(report, r, output, stats, &limits.at[i]);
  if (is_watched_for_death(output)) report_dead(report, r, output, stats);
}

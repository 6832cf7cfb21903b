/* selection.c - see selection.h. Compares what was asked for with the sites and launches of a
 * model. */
#define _GNU_SOURCE
#include "checks/selection.h"

#include <string.h>
#include <unistd.h>

#include "shared/filter.h"
#include "shared/nearest.h"
#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "shared/variables.h"
#include "state/launch_hooks.h"

static const char by_build[] = "--kernels";

static const char *by_environment(void) { return variable_name(VARIABLE_AOTIGEN_KERNELS); }

static void log_selection(const aotigen_model *model, const char *check, const char *found) {
  ag_text t;
  if (!ag_sink_has_log()) return;
  ag_event_begin(&t, EVENT_SELECTION);
  ag_event_add_string(&t, "source", model->source);
  ag_event_add_string(&t, "check", check);
  ag_event_add_string(&t, "expected", "a launch to check");
  ag_event_add_string(&t, "found", found);
  ag_event_end(&t);
}

/* Frees the message. */
static void write_warning(const aotigen_model *model, const char *check, ag_text *message) {
  ag_warn("%s", ag_text_string(message));
  log_selection(model, check, ag_text_string(message));
  ag_text_free(message);
}

/* ---- patterns ------------------------------------------------------------------------------- */

static bool selects_any(const aotigen_model *m, const char *list) {
  for (uint32_t i = 0; i < m->nsites; i++)
    if (ag_filter_selects(list, &m->sites[i])) return true;
  return false;
}

/* Each name of a list such as "aten.mm, aten.add". */
static void add_names(ag_nearest *s, const char *names) {
  while (names && *names) {
    names += strspn(names, ", ");
    size_t n = strcspn(names, ",");
    ag_nearest_add(s, names, n);
    names += n;
  }
}

static void add_modules(ag_nearest *s, const aotigen_site *site) {
  for (uint16_t i = 0; i < site->nlines; i++)
    if (site->lines[i].module)
      ag_nearest_add(s, site->lines[i].module, strlen(site->lines[i].module));
}

/* A kernel's name, or a part of a list of names. */
static void add_near(ag_text *t, const char *separator, const char *name, size_t n) {
  ag_text whole = {0};
  ag_text_add_bytes(&whole, name, n);
  ag_text_addf(t, "%s '%s'", separator, ag_short_name(ag_text_string(&whole)));
  ag_text_free(&whole);
}

static void add_nearest(ag_text *t, const aotigen_model *m, const char *pattern, size_t n) {
  ag_nearest near;
  ag_nearest_begin(&near, pattern, n);
  for (uint32_t i = 0; i < m->nsites; i++) {
    add_names(&near, m->sites[i].nodes);
    add_names(&near, m->sites[i].aten);
    add_modules(&near, &m->sites[i]);
    if (m->sites[i].kernel) ag_nearest_add(&near, m->sites[i].kernel, strlen(m->sites[i].kernel));
  }
  for (int i = 0; i < near.count; i++) {
    if (!i) ag_text_addf(t, "; nearest to '%.*s':", (int)n, pattern);
    add_near(t, i ? "," : "", near.best[i].name, near.best[i].length);
  }
}

/* The first patterns of a list that do not exclude. */
static void add_nearest_of(ag_text *t, const aotigen_model *m, const char *list) {
  const char *pattern;
  size_t n;
  bool excludes;
  for (int shown = 0; shown < 3 && ag_filter_next(&list, &pattern, &n, &excludes);)
    if (n && !excludes) {
      add_nearest(t, m, pattern, n);
      shown++;
    }
}

static void say_unmatched(const aotigen_model *m, const char *what, const char *list) {
  ag_text t = {0};
  ag_text_addf(&t, "%s='%s'%s selects none of the %u sites of %s: no launch of it is checked", what,
               list, what == by_build ? ", given when building," : "", m->nsites, m->source);
  add_nearest_of(&t, m, list);
  write_warning(m, what, &t);
}

void ag_selection_check_kernels(ag_model_state *s) {
  const aotigen_model *m = s->model;
  const char *given = ag_settings_get()->kernels;
  ag_text t = {0};
  if (!s->anything || !m->nsites || s->wanted != s->none) return;
  if (atomic_exchange(&s->selection.said_kernels, true)) return;
  bool built = selects_any(m, m->kernels), now = selects_any(m, given);
  if (!built) say_unmatched(m, by_build, m->kernels);
  if (!now) say_unmatched(m, by_environment(), given);
  if (!built || !now) return;
  ag_text_addf(&t,
               "%s='%s' and %s='%s', given when building, select no site of %s together: no launch "
               "of it is checked",
               by_environment(), given, by_build, m->kernels, m->source);
  write_warning(m, by_environment(), &t);
}

/* ---- launches and runs ---------------------------------------------------------------------- */

static void add_number_list(ag_text *t, const ag_number_list *list) {
  for (int i = 0; i < list->count; i++) {
    uint64_t first = list->ranges[i].first, last = list->ranges[i].last;
    ag_text_addf(t, "%s%llu", i ? "," : "", (unsigned long long)first);
    if (last == UINT64_MAX) ag_text_add(t, "-");
    if (last != first && last != UINT64_MAX) ag_text_addf(t, "-%llu", (unsigned long long)last);
  }
}

/* Launches are counted from 1; 0 stands for the inputs of the model. */
static bool selects_up_to(const ag_number_list *list, uint64_t most) {
  for (int i = 0; i < list->count; i++)
    if (list->ranges[i].first <= most && list->ranges[i].last) return true;
  return false;
}

static void say_unselected(const aotigen_run *run, const ag_number_list *launches) {
  ag_text t = {0};
  bool some = selects_up_to(launches, run->launch);
  if (launches->count) ag_text_addf(&t, "%s=", variable_name(VARIABLE_AOTIGEN_LAUNCHES));
  add_number_list(&t, launches);
  ag_text_add(&t, !launches->count ? "the filter of kernels selects"
                  : some           ? " and the filter of kernels together select"
                                   : " selects");
  ag_text_addf(&t, " none of the %llu launches of run %llu of %s: nothing of it is checked",
               (unsigned long long)run->launch, (unsigned long long)run->number,
               run->model->source);
  write_warning(
      run->model,
      variable_name(launches->count ? VARIABLE_AOTIGEN_LAUNCHES : VARIABLE_AOTIGEN_KERNELS), &t);
}

/* True if a filter may leave out launches of the runs that are checked. */
static bool is_filtered(const ag_model_state *m) {
  return ag_settings_get()->launches.count || *ag_settings_get()->kernels ||
         (m->model->kernels && *m->model->kernels);
}

/* A run that AOTIGEN_RUNS leaves out tells nothing, nor does constant folding. */
static bool is_expected_to_select(const aotigen_run *run, const ag_number_list *launches) {
  const ag_model_state *m = run->state->model;
  bool prints = ag_model_prints_values(m->model),
       inputs = prints && launches->count && ag_number_list_has(launches, 0);
  return is_filtered(m) && m->anything && run->number && run->launch && run->wanted != m->none &&
         !inputs;
}

/* Constant folding is none of the runs that are counted. */
static void count_launches(const aotigen_run *run) {
  ag_model_state *m = run->state->model;
  const uint64_t selected = run->state->progress.selected;
  if (!run->number || !m->selection.is_listed || run->launch < selected) return;
  atomic_fetch_add_explicit(&m->selection.launches, run->launch, memory_order_relaxed);
  atomic_fetch_add_explicit(&m->selection.left_out, run->launch - selected, memory_order_relaxed);
}

/* AOTIGEN_LAUNCHES, alone or with the patterns, selected none of the run's launches. */
static void check_launches(aotigen_run *run, bool unwinding) {
  ag_model_state *m = run->state->model;
  const ag_number_list *launches = &ag_settings_get()->launches;
  count_launches(run);
  if (unwinding) return;
  if (run->state->progress.selected) {
    if (!m->selection.has_selected) m->selection.has_selected = true;
    return;
  }
  if (m->selection.has_selected || !is_expected_to_select(run, launches)) return;
  if (!atomic_exchange(&m->selection.said_launches, true)) say_unselected(run, launches);
}

/* The models that ran with a filter, for the end. */
static _Atomic(ag_model_state *) ran;

static void list_model(ag_model_state *m) {
  if (m->selection.is_listed || atomic_exchange(&m->selection.is_listed, true)) return;
  m->selection.next_ran = atomic_load(&ran);
  while (!atomic_compare_exchange_weak(&ran, &m->selection.next_ran, m)) continue;
}

static void begin_run(aotigen_run *run) {
  ag_model_state *m = run->state->model;
  const ag_number_list *runs = &ag_settings_get()->runs;
  ag_selection_check_kernels(m);
  if (!run->number || (!runs->count && !is_filtered(m) && ag_settings_get()->every == 1)) return;
  list_model(m);
  if (atomic_exchange(&m->selection.process, getpid()) != getpid())
    m->selection.launches = m->selection.left_out = 0;
  if (!runs->count) return;
  atomic_fetch_add_explicit(&m->selection.runs, 1, memory_order_relaxed);
  if (ag_number_list_has(runs, run->number))
    atomic_store_explicit(&m->selection.has_run, true, memory_order_relaxed);
}

static void end_unchecked(aotigen_run *run, bool unwinding) {
  (void)unwinding;
  count_launches(run);
}

static bool is_wanted(const ag_model_state *m) { return m->anything; }

AG_LAUNCH_HOOKS(selection) = {
    .wanted = is_wanted,
    .begin_run = begin_run,
    .end_run = check_launches,
    .end_unchecked = end_unchecked};

static void log_left_out(const ag_model_state *m) {
  ag_text t;
  if (!m->selection.left_out || m->selection.process != getpid() || !ag_sink_has_log()) return;
  ag_event_begin(&t, EVENT_LEFT_OUT);
  ag_event_add_string(&t, "source", m->model->source);
  ag_event_add_number(&t, "launches", (int64_t)m->selection.launches);
  ag_event_add_number(&t, "count", (int64_t)m->selection.left_out);
  ag_event_end(&t);
}

/* If AOTIGEN_RUNS selected no run, the warning is written now. */
static void check_runs(const ag_model_state *m) {
  const ag_number_list *runs = &ag_settings_get()->runs;
  ag_text t = {0};
  if (m->selection.has_run || !runs->count || !m->selection.runs) return;
  ag_text_addf(&t, "%s=", variable_name(VARIABLE_AOTIGEN_RUNS));
  add_number_list(&t, runs);
  ag_text_addf(&t, " selected none of the %llu runs of %s: nothing of it was checked",
               (unsigned long long)m->selection.runs, m->model->source);
  write_warning(m->model, variable_name(VARIABLE_AOTIGEN_RUNS), &t);
}

/* When the process exits, or the model is unloaded. */
__attribute__((destructor)) static void end_models(void) {
  for (const ag_model_state *m = ran; m; m = m->selection.next_ran) {
    check_runs(m);
    log_left_out(m);
  }
}

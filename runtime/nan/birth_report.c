/* birth_report.c - see birth_report.h. */
#define _GNU_SOURCE
#include "nan/birth_report.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/sink.h"
#include "checks/bad_values.h"
#include "checks/finding.h"
#include "checks/model_lines.h"
#include "explain/explain.h"
#include "nan/cause.h"
#include "nan/infinity.h"
#include "nan/origins.h"
#include "nan/pattern_read.h"
#include "nan/reach.h"
#include "nan/report_args.h"
#include "state/model_state.h"

enum {
  SUMMARY_UP_TO = 1 << 26,
  EXPLAINED_MOST = 8,
  EXPLAINED_FOR = 200 /* ms, after which none is begun */
};

/* ", 1 to 36". An input that holds an Inf is not called clean, even if Inf is not checked. */
static void add_range(ag_text *t, ag_evaluation *e, const ag_arg *a) {
  ag_stats h;
  if (a->view.t.numel > SUMMARY_UP_TO || a->view.t.dtype->cls != AG_FLOATING ||
      !e->results->probe(e, a, &h) || !h.finite)
    return;
  const int64_t inf = h.pos_inf + h.neg_inf;
  if (inf > 0 && !((a->values.found.bad | a->values.found.intended) & AG_INF))
    ag_text_addf(t, " of NaN, %lld Inf, else ", (long long)inf);
  else
    ag_text_add(t, ", ");
  ag_text_add_g(t, h.min);
  ag_text_add(t, " to ");
  ag_text_add_g(t, h.max);
}

/* True if an input still holds what it held before the launch. */
static bool is_intact(const ag_arg *a) {
  return !ag_param_is_overwritten(a->param) && !a->values.asserted_after;
}

/* Describes an input. One that the launch did not write still holds what it held before. */
static void add_input(ag_text *t, ag_evaluation *e, const ag_arg *a, const ag_arg *output,
                      int64_t first) {
  unsigned char element[16] = {0};
  bool intact = is_intact(a);
  ag_text_add(t, "  input         ");
  ag_report_arg(t, a);
  ag_text_add(t, "\n                ");
  if (!a->values.found.scanned)
    ag_text_add(t, "not scanned");
  else if (a->values.found.bad | a->values.found.intended)
    ag_text_addf(t, "with %s%s", ag_kinds_name(a->values.found.bad | a->values.found.intended),
                 a->values.found.bad ? "" : " that was perhaps put there on purpose");
  else
    ag_text_add(t, !intact && a->values.found.unchecked ? "clean of NaN, with Inf," : "clean");
  if (!intact) {
    ag_text_add(t, " before the launch, which wrote it\n");
    return;
  }
  add_range(t, e, a);
  int64_t index = output && a->view.t.numel ? ag_reach_match(&output->view.t, first, &a->view.t)
                                            : -1;
  if (index >= 0) {
    ag_text_add(t, "; at ");
    ag_tensor_describe_index(t, &a->view.t, index);
    ag_text_add(t, ": ");
    ag_bad_values_add(
        t, a->view.t.dtype,
        e->results->element_matching(e, a, index, &output->values.after, first, element), element,
        false);
  }
  ag_text_add(t, "\n");
}

/* True if argument number i holds what is reported. */
static bool is_reported(const ag_evaluation *e, size_t i, unsigned kinds) {
  return e->record->args[i].values.asserted_after && e->record->args[i].values.own & kinds;
}

/* True if what is reported may be uninitialised memory of argument number i. */
static bool is_unwritten(const ag_evaluation *e, size_t i, unsigned kinds) {
  for (size_t k = 0; k < e->record->nargs; k++)
    if (is_reported(e, k, kinds) && ag_reach_is_unwritten(e->record, i, k)) return true;
  return false;
}

/* True if argument number i is reported and is memory that a library's operator allocated. */
static bool is_made_by_library(const ag_evaluation *e, size_t i, unsigned kinds) {
  return is_reported(e, i, kinds) && e->record->args[i].param->flags & AOTIGEN_MADE_BY_LIBRARY;
}

/* True if argument number i is reported and surely written: it is not uninitialised memory. */
static bool is_surely_written(const ag_evaluation *e, size_t i, unsigned kinds) {
  return is_reported(e, i, kinds) && !is_made_by_library(e, i, kinds) &&
         !ag_reach_has_unwritten(e->record, i);
}

static bool is_any(const ag_evaluation *e, unsigned kinds, ag_arg_test *is) {
  for (size_t i = 0; i < e->record->nargs; i++)
    if (is(e, i, kinds)) return true;
  return false;
}

/* "; reached by arg0_1 with NaN, buf3 with NaN": what explains an output that is not reported. */
static void add_explanation(ag_text *t, const ag_evaluation *e, size_t out, unsigned kinds) {
  const ag_record *r = e->record;
  unsigned slot = kinds & AG_NAN ? AG_NAN : AG_INF;
  int n = 0;
  if (!(r->args[out].values.left.bad & kinds)) {
    ag_text_add(t, "; perhaps there on purpose");
    return;
  }
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *a = &r->args[i];
    enum ag_reach reach = ag_reach_find_bad(r, i, a->values.found.bad & slot, out);
    if (!a->values.reads || !(a->values.found.bad & slot) || reach == AG_REACHES_NOT) continue;
    ag_text_addf(t, "%s%s with %s",
                 n++                   ? ", "
                 : reach == AG_REACHES ? "; reached by "
                                       : "; perhaps reached by ",
                 a->param->name, ag_kinds_name(a->values.found.bad & slot));
  }
}

/* True if an Inf that the launch read reaches argument number `out`. */
static bool is_reached_by_infinity(const ag_evaluation *e, size_t out) {
  const ag_record *r = e->record;
  for (size_t i = 0; i < r->nargs; i++)
    if (ag_cause_is(r, i, AG_INF, out)) return true;
  return false;
}

static void add_output(ag_text *t, ag_evaluation *e, size_t i, unsigned kinds, bool of_infinity) {
  const ag_arg *a = &e->record->args[i];
  ag_text_add(t, "  output        ");
  ag_report_arg(t, a);
  ag_text_add(t, "\n                ");
  if (ag_kinds_of(&a->values.after) & kinds)
    ag_bad_values_add_findings(t, e, a, &a->values.after, kinds);
  else
    ag_text_addf(t, "no %s", ag_kinds_name(kinds));
  if (ag_kinds_of(&a->values.after) & kinds && !is_reported(e, i, kinds))
    add_explanation(t, e, i, kinds);
  else if (of_infinity && is_reported(e, i, kinds) && !is_reached_by_infinity(e, i))
    ag_text_add(t, "; born here, no Inf reaches it");
  else if (is_reported(e, i, kinds) && !is_surely_written(e, i, kinds) &&
           is_any(e, kinds, is_surely_written))
    ag_text_add(t, "; perhaps left unwritten");
  ag_text_add(t, "\n");
}

/* First those that were surely born, then others that are reported: what is thrown has the first
 * finding of the report. of_infinity: the report says that the NaN are made of Inf. */
static void add_outputs(ag_text *t, ag_evaluation *e, unsigned kinds, bool of_infinity) {
  for (int rank = 2; rank >= 0; rank--)
    for (size_t i = 0; i < e->record->nargs; i++)
      if (e->record->args[i].values.asserted_after &&
          is_reported(e, i, kinds) + is_surely_written(e, i, kinds) == rank &&
          !ag_report_args_has_output(e, i, kinds, is_reported))
        add_output(t, e, i, kinds, of_infinity);
}

/* True if argument number i may have decided what is reported. */
static bool reaches_reported(const ag_evaluation *e, size_t i, unsigned kinds) {
  for (size_t k = 0; k < e->record->nargs; k++)
    if (is_reported(e, k, kinds) && ag_reach_find(e->record, i, k) != AG_REACHES_NOT) return true;
  return false;
}

/* A bad input that did not decide what is reported. */
static void add_unrelated(ag_text *t, const ag_evaluation *e, const ag_arg *a, unsigned kinds) {
  int n = 0;
  ag_text_add(t, "  input         ");
  ag_report_arg(t, a);
  ag_text_addf(t, "\n                with %s, which does not reach ",
               ag_kinds_name(a->values.found.bad));
  for (size_t i = 0; i < e->record->nargs; i++)
    if (is_reported(e, i, kinds))
      ag_text_addf(t, "%s%s", n++ ? ", " : "", e->record->args[i].param->name);
  ag_text_add(t, "\n");
}

/* Lists the inputs that may have decided what is reported, and the others that are bad. */
static void add_inputs(ag_text *t, ag_evaluation *e, unsigned kinds, const ag_arg *first) {
  bool any = false;
  for (size_t i = 0; i < e->record->nargs; i++) {
    const ag_arg *a = &e->record->args[i];
    if (!a->values.reads || a->view.state != AG_VIEW_OK) continue;
    any = true;
    if (ag_report_args_has_input(e, i, kinds, reaches_reported)) continue;
    if (reaches_reported(e, i, kinds))
      add_input(t, e, a, first, ag_kinds_first(&first->values.after, kinds));
    else if (a->values.found.bad)
      add_unrelated(t, e, a, kinds);
  }
  if (!any) ag_text_add_line(t, "inputs", "none of floating point");
}

/* "'buf3', 'buf4'", with this quote around each. */
static void add_names(ag_text *t, const ag_evaluation *e, unsigned kinds, ag_arg_test *is,
                      const char *quote) {
  int n = 0;
  for (size_t i = 0; i < e->record->nargs; i++)
    if (is(e, i, kinds))
      ag_text_addf(t, "%s%s%s%s", n++ ? ", " : "", quote, e->record->args[i].param->name, quote);
}

static bool is_left_unwritten(const ag_evaluation *e, size_t i, unsigned kinds) {
  return is_unwritten(e, i, kinds) || is_made_by_library(e, i, kinds);
}

static void add_unwritten(ag_text *t, const ag_evaluation *e, unsigned kinds) {
  ag_text given = {0}, made = {0};
  add_names(&given, e, kinds, is_unwritten, "'");
  add_names(&made, e, kinds, is_made_by_library, "'");
  if (given.length)
    ag_text_addf(t, "  born here, or left unwritten: nothing wrote to %s before this launch\n",
                 ag_text_string(&given));
  if (made.length)
    ag_text_addf(t,
                 "  born here, or left unwritten: the operator allocated %s, and need not have "
                 "written all of it\n",
                 ag_text_string(&made));
  ag_text_free(&given);
  ag_text_free(&made);
}

/* "the Inf of launch 3 (lab::scale, buf2), which it read as buf2" */
static void add_read_infinity(ag_text *t, const ag_evaluation *e, const ag_arg *a) {
  ag_text_add(t, "the");
  if (a->values.found.bad & AG_INF)
    ag_origin_add_name(t, e, &e->origins.list[a->values.found.origin[AG_INF_ORIGIN]]);
  else
    ag_text_addf(t, " %s that was perhaps put there on purpose",
                 ag_kinds_name(a->values.found.intended & AG_INF));
  ag_text_addf(t, ", which it read as %s", a->param->name);
}

/* A weight in a layout of its own, as Inductor freezes weights: where the launch read what explains
 * the value, it needs no second cause. */
static bool is_packed(const ag_arg *a) {
  return a->param->kind == AOTIGEN_WEIGHT && a->view.state == AG_VIEW_OPAQUE;
}

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- how it was computed -------------------------------------------------------------------- */

/* The context in which an explanation reads elements. */
typedef struct explained {
  ag_evaluation *e;
  const ag_arg *out;
  int64_t first; /* its element */
} explained;

static bool read_recorded(void *data, const ag_arg *a, int64_t flat, void *to) {
  const explained *x = data;
  bool kept = a->values.reads && !a->values.asserted_after &&
              ag_reach_match(&x->out->view.t, x->first, &a->view.t) == flat;
  return kept &&
         x->e->results->element_matching(x->e, a, flat, &x->out->values.after, x->first, to);
}

static const char *read_now(void *data, const ag_arg *a, int64_t at, size_t size, void *to,
                            bool *late) {
  const explained *x = data;
  return x->e->results->bytes(x->e, a, at, size, to, late);
}

static bool read_stored(void *data, const ag_arg *a, int64_t flat, void *to) {
  const explained *x = data;
  return x->e->results->element(x->e, a, AG_AFTER, flat, to);
}

static ag_explained add_computation(ag_text *t, ag_evaluation *e, size_t i, unsigned kinds) {
  const ag_arg *out = &e->record->args[i];
  explained x = {.e = e, .out = out, .first = ag_kinds_first(&out->values.after, kinds)};
  const ag_element_source from = {
      .recorded = read_recorded, .read = read_now, .stored = read_stored, .data = &x};
  return ag_explain_add_from(t, e->record, &from, i, x.first);
}

/* Explains how the first bad element was computed, for the first outputs that are reported.
 * *shown: what is shown first. Returns what is shown of `first`. */
static ag_explained add_computations(ag_text *t, ag_evaluation *e, unsigned kinds,
                                     const ag_arg *first, ag_explained *shown) {
  const ag_record *r = e->record;
  int64_t begin = now_ms();
  int n = 0;
  ag_explained of_first = AG_NOT_EXPLAINED;
  for (size_t i = 0; i < r->nargs && n < EXPLAINED_MOST && now_ms() - begin < EXPLAINED_FOR; i++)
    if (is_reported(e, i, kinds) && ag_kinds_of(&r->args[i].values.after) & kinds) {
      const ag_explained x = add_computation(t, e, i, kinds);
      if (&r->args[i] == first) of_first = x;
      if (!shown->is_known) *shown = x;
      n++;
    }
  return of_first;
}

/* Returns a reported argument, preferably one that was surely written. */
static const ag_arg *find_first(const ag_evaluation *e, unsigned kinds) {
  const ag_arg *first = NULL;
  for (size_t i = 0; i < e->record->nargs; i++) {
    if (is_surely_written(e, i, kinds)) return &e->record->args[i];
    if (is_reported(e, i, kinds) && !first) first = &e->record->args[i];
  }
  return first;
}

/* Causes of the values other than the launch itself. */
typedef struct other_causes {
  const ag_arg *unseen;    /* it could not be scanned; or NULL */
  const ag_arg *infinity;  /* an Inf that the launch read, and may have made a NaN of; or NULL */
  const ag_arg *unchecked; /* like `infinity`, of an argument that was not checked for Inf */
  bool unwritten;          /* all that is reported may have stood in memory that nothing wrote */
} other_causes;

/* An input that the launch overwrote comes first: of another one the report shows the values. */
static const ag_arg *find_unchecked(const ag_evaluation *e, unsigned kinds) {
  const ag_arg *intact = NULL;
  for (size_t i = 0; i < e->record->nargs && kinds & AG_NAN; i++) {
    const ag_arg *a = &e->record->args[i];
    if (!a->values.reads || !a->values.found.unchecked || !reaches_reported(e, i, kinds)) continue;
    if (!is_intact(a)) return a;
    if (!intact) intact = a;
  }
  return intact;
}

static void add_unchecked(ag_text *t, const ag_arg *a) {
  ag_text_addf(t, "an Inf that '%s' held before this launch, which was not searched for",
               a->was ? a->was : a->param->name);
}

/* Adds the Inf that the launch may have made a NaN of; nothing if there is none. It may have come
 * through several arguments, and the NaN may have another cause at the same element. */
static void add_suspect(ag_text *t, const ag_evaluation *e, const other_causes *d) {
  if (d->infinity) add_read_infinity(t, e, d->infinity);
  if (d->unchecked) add_unchecked(t, d->unchecked);
}

static other_causes find_other_causes(ag_evaluation *e, unsigned kinds, const ag_arg *unseen) {
  bool sure = false;
  other_causes d = {.unseen = unseen, .infinity = ag_infinity_find(e, kinds, is_reported, &sure)};
  if (unseen && is_packed(unseen) && d.infinity && sure) d.unseen = NULL;
  d.unwritten = !is_any(e, kinds, is_surely_written);
  if (d.unseen) d.infinity = NULL;
  if (!d.unseen && !d.infinity) d.unchecked = find_unchecked(e, kinds);
  return d;
}

static void add_head(ag_text *t, ag_evaluation *e, unsigned kinds, const other_causes *d) {
  char what[32];
  snprintf(what, sizeof what, "%s %s", ag_kinds_name(kinds),
           d->infinity                 ? "perhaps made of Inf"
           : d->unseen || d->unwritten ? "found"
                                       : cause_what(CAUSE_BORN));
  ag_report_head(t, &e->launch, what);
  if (d->unseen && d->unseen->writing.launch)
    ag_text_addf(t,
                 "  born here, or read from '%s', which launch %llu writes, and no wait for it "
                 "came before\n",
                 d->unseen->param->name, (unsigned long long)d->unseen->writing.launch);
  else if (d->unseen)
    ag_text_addf(t, "  born here, or brought by '%s', which could not be scanned\n",
                 d->unseen->param->name);
  if (d->unwritten) add_unwritten(t, e, kinds);
}

/* *withheld: is given the event where it is not written yet; else NULL. */
static void log_birth(ag_evaluation *e, const ag_arg *first, const other_causes *d, unsigned kinds,
                      ag_text *withheld) {
  ag_text t, names = {0}, suspect = {0};
  if (!ag_bad_values_begin_event(&t, e, d->unseen || d->unwritten ? EVENT_UNKNOWN : EVENT_BORN,
                                 first, &first->values.after, kinds))
    return;
  if (d->unwritten) {
    add_names(&names, e, kinds, is_left_unwritten, "");
    ag_event_add_string(&t, "unwritten", ag_text_string(&names));
  }
  if (d->unseen) ag_event_add_string(&t, "unscanned", d->unseen->param->name);
  add_suspect(&suspect, e, d);
  if (suspect.length) ag_event_add_string(&t, "made_of", ag_text_string(&suspect));
  ag_event_add_how(&t, ag_text_string(&e->report));
  ag_text_free(&names);
  ag_text_free(&suspect);
  if (withheld)
    *withheld = t;
  else
    ag_event_end(&t);
}

/* The values hold the bits of other memory: the launch read them there. */
static void write_pattern_read(ag_evaluation *e, const ag_arg *first, const ag_pattern_read *p,
                               unsigned kinds) {
  ag_text *t = &e->report;
  ag_report_head(t, &e->launch, ag_pattern_read_name(p));
  ag_report_site(t, &e->launch);
  ag_pattern_read_add(t, e, p, false);
  add_outputs(t, e, kinds, false);
  add_inputs(t, e, kinds, first);
  ag_pattern_read_log(e, first, p);
}

static void write_birth(ag_evaluation *e, const ag_arg *first, const ag_pattern_read *p,
                        other_causes *d, unsigned kinds, ag_text *withheld) {
  ag_text *t = &e->report;
  ag_text how = {0};
  ag_explained shown = AG_NOT_EXPLAINED;
  const ag_explained computed = add_computations(&how, e, kinds, first, &shown);
  e->launch.lines = ag_model_lines_of(ag_launch_site(&e->launch), computed.operation,
                                      (size_t)(first - e->record->args));
  if (d->unchecked && is_intact(d->unchecked) &&
      !ag_infinity_is_taken(e, d->unchecked, &shown, is_reported))
    d->unchecked = NULL;
  if (kinds & AG_NAN && !d->unseen) ag_infinity_decide(e, &computed, &d->infinity);
  const ag_arg *infinity = d->infinity;
  if (infinity) ag_origin_release(e, infinity->values.found.origin[AG_INF_ORIGIN]);
  add_head(t, e, kinds, d);
  ag_report_site(t, &e->launch);
  if (infinity || d->unchecked) {
    ag_text_add(t, "  perhaps of    ");
    add_suspect(t, e, d);
    ag_text_add(t, "\n");
  }
  ag_pattern_read_add(t, e, p, kinds & AG_NAN && !d->unseen && !is_any(e, kinds, is_unwritten));
  add_outputs(t, e, kinds, infinity && infinity->values.found.bad & AG_INF);
  add_inputs(t, e, kinds, first);
  ag_text_add(t, ag_text_string(&how));
  log_birth(e, first, d, kinds, withheld);
  ag_text_free(&how);
  e->launch.lines = 0;
}

void ag_birth_report_write(ag_evaluation *e, uint16_t origin, unsigned kinds,
                           const ag_arg *unseen) {
  const ag_arg *first = find_first(e, kinds);
  const bool is_withheld = kinds & ag_kinds_withheld(e->launch.model);
  ag_pattern_read pattern = {0};
  ag_text event = {0};
  if (!first || (is_withheld && origin == AG_NO_ORIGIN)) return;
  if (origin != AG_NO_ORIGIN) e->origins.list[origin].bad |= (uint8_t)kinds;
  if (kinds & AG_NAN) pattern = ag_pattern_read_find(e, first);
  ag_text_clear(&e->report);
  if (ag_pattern_read_any(&pattern)) {
    write_pattern_read(e, first, &pattern, kinds);
  } else {
    other_causes d = find_other_causes(e, kinds, unseen);
    write_birth(e, first, &pattern, &d, kinds, is_withheld ? &event : NULL);
  }
  if (is_withheld) {
    ag_origin_withhold(e, origin, &e->report, &event);
    return;
  }
  bool folded = !ag_bad_values_write(e, &e->report);
  if (origin != AG_NO_ORIGIN) e->origins.list[origin].folded = folded;
}

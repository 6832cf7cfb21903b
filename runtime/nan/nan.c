/* nan.c - the NaN assert: what a launch's scan results mean.
 *
 * What a launch reads is known before it; what it wrote is scanned after it; a bad value was either
 * read, or has its origin in the launch. Elements are scanned once after each write and not again:
 * the evaluation's tables remember what was found. An input is scanned when a launch first reads
 * it, a weight once for each set of weights; a weight that went bad in between is caught when an
 * output is bad, since it still holds what the launch read.
 *
 * This file decides where each bad value comes from. It reads values only through ag_scan_results,
 * and writes no report: birth_report.c and origins.c do. */
#define _GNU_SOURCE
#include <string.h>

#include "checks/bad_values.h"
#include "checks/op_effects.h"
#include "nan/birth_report.h"
#include "nan/cause.h"
#include "nan/held_values.h"
#include "nan/infinity.h"
#include "nan/known_bytes.h"
#include "nan/origin_path.h"
#include "nan/origins.h"
#include "nan/pattern_read.h"
#include "nan/reach.h"
#include "nan/received.h"
#include "state/launch_hooks.h"

/* Scans the whole input or weight of which `a` is a slice, so that the next slice and the next run
 * need no scan. */
static bool whole_is_clean(ag_evaluation *e, ag_arg *a, ag_ranges *table) {
  ag_stats h;
  ag_range *x = ag_known_bytes_whole(table, a, &e->view);
  if (!x || !e->results->scan(e, a, &e->view, AG_BEFORE, &h) ||
      ag_kinds_of(&h) & ag_kinds_wanted(e->launch.model))
    return false;
  x->found = ag_found_clean;
  x->seen = e->launch.number;
  return true;
}

/* Finds the unscanned launches that may have brought the values: those since the elements were last
 * known. */
static void find_between(const ag_evaluation *e, const ag_known *known, uint64_t *first,
                         uint64_t *last) {
  uint64_t unscanned = e->launch.unscanned;
  *first = 1;
  *last = unscanned;
  if (known->last && known->last->launch && known->seen > unscanned) {
    *first = *last = known->last->launch;
  } else if (known->last) {
    *first = known->found.scanned || known->seen ? known->seen + 1 : 1;
    if (*first > *last) *first = *last;
  }
}

/* A buffer of the model that holds -inf, and no other bad value. */
static bool is_mask(const ag_evaluation *e, const ag_arg *a, unsigned kinds) {
  const aotigen_model *m = e->launch.model;
  return a->values.source == AG_FROM_WEIGHT && a->values.index < m->nweights &&
         m->weights[a->values.index].is_buffer && kinds == AG_NEG_INF && !a->values.before.nan;
}

static uint8_t list_unchecked(const ag_evaluation *e, const ag_stats *counted) {
  return (uint8_t)(ag_kinds_of(counted) & ~ag_kinds_wanted(e->launch.model));
}

/* Sorts what was counted in `a` before the launch: propagated from a known origin, intended, or
 * new. */
static void explain_input(ag_evaluation *e, ag_arg *a, const ag_known *known) {
  static const unsigned slots[] = {AG_NAN, AG_INF};
  unsigned kinds = ag_kinds_of(&a->values.before) & ag_kinds_wanted(e->launch.model);
  uint64_t first, last;
  a->values.found = ag_found_clean;
  a->values.found.unchecked = list_unchecked(e, &a->values.before);
  a->values.found.intended = (uint8_t)(kinds & known->found.intended);
  if (is_mask(e, a, kinds)) a->values.found.intended |= AG_NEG_INF;
  a->values.found.bad = (uint8_t)(kinds & ~(unsigned)a->values.found.intended);
  a->values.found.uncertain = a->values.found.bad & known->found.uncertain;
  a->values.found.mixed = a->values.found.bad & known->found.mixed;
  for (int i = 0; i < AG_ORIGINS; i++) {
    unsigned mine = a->values.found.bad & slots[i],
             any = mine ? mine : a->values.found.intended & slots[i];
    if (any)
      a->values.found.first_address[i] =
          ag_reach_address(&a->view.t, ag_kinds_first(&a->values.before, any));
    if (!mine) continue;
    a->values.found.origin[i] = known->found.bad & slots[i] ? known->found.origin[i] : AG_NO_ORIGIN;
    if (a->values.found.origin[i] != AG_NO_ORIGIN) continue;
    find_between(e, known, &first, &last);
    a->values.found.origin[i] = ag_origin_before(e, a, mine, first, last);
  }
}

/* Reports where the argument's bad values came from, unless they may be unused. */
static void report_input(ag_evaluation *e, const ag_arg *a) {
  ag_pattern_note_given(e, a);
  for (int i = 0; i < AG_ORIGINS; i++) {
    unsigned kinds = a->values.found.bad & (i == AG_NAN_ORIGIN ? AG_NAN : AG_INF);
    if (kinds && !ag_held_values_may_be_unused(e, a, kinds))
      ag_origin_release(e, a->values.found.origin[i]);
  }
}

/* True if the argument was probed. Handles an argument without a scan result, such as a part of a
 * bad tensor that an async run took for clean. It was probed afterwards if it could affect the
 * launch's outputs; otherwise it counts as bad as the whole. */
static bool use_probe(ag_evaluation *e, ag_arg *a, const ag_known *known) {
  if (!ag_arg_is_written(a) && e->results->probe(e, a, &a->values.before)) return true;
  if (known->covered && known->found.bad) {
    a->values.found = known->found;
    a->values.found.scanned = 1;
  }
  return false;
}

/* True if what is known of the argument is what it holds. For a slice, all of an input or weight is
 * scanned. */
static bool is_known(ag_evaluation *e, ag_arg *a, ag_ranges *table, ag_known *known) {
  bool weight = a->values.source == AG_FROM_WEIGHT;
  if (known->found.scanned && weight) /* a weight that is written cannot be scanned again later */
    return a->values.lazy = !ag_arg_may_be_written(a);
  if (known->found.scanned && known->seen > e->launch.unscanned) return true;
  if (!table || table == &e->known.written || known->exact || !whole_is_clean(e, a, table))
    return false;
  known->found.bad = known->found.intended = 0;
  return true;
}

/* True if the argument must be scanned although it is known, to be compared with what it holds
 * afterwards. */
static bool is_compared(const ag_arg *a, const ag_known *known) {
  bool unsure = a->param->role == AOTIGEN_UNKNOWN || a->param->flags & AOTIGEN_MAYBE_WRITTEN;
  return unsure && (known->found.bad || known->found.intended);
}

/* Stores what was found, for the next launch that reads it. */
static void remember_input(ag_evaluation *e, const ag_arg *a, const ag_ranges *table,
                           ag_known *known) {
  ag_known_bytes_add_unattributed(&e->known, &e->launch, a, known);
  if (!known->exact || !table) return;
  known->exact->found = a->values.found;
  known->exact->seen = e->launch.number;
  if (table == &e->known.weights && a->values.found.bad) e->knows_bad_weights = true;
}

/* True if the launch may fill what it reads here: the value from before the launch proves
 * nothing. */
static bool is_filled(const ag_evaluation *e, const ag_arg *a) {
  return (a->values.source == AG_FROM_LAUNCH || a->values.source == AG_FROM_NOWHERE) &&
         ag_reach_is_filled(e->record, (size_t)(a - e->record->args));
}

/* Finds what the elements hold that the launch is about to read. */
static void find_input(ag_evaluation *e, ag_arg *a) {
  ag_known known;
  ag_ranges *table = ag_known_bytes_find(&e->known, &e->launch, a, &known);
  if (a->param->role == AOTIGEN_UNKNOWN && a->values.source == AG_FROM_NOWHERE)
    return; /* no launch wrote it: it is an output */
  a->values.reads = true;
  if (!a->view.t.numel) {
    a->values.found.scanned = 1;
    return;
  }
  if (is_known(e, a, table, &known) && !is_compared(a, &known)) {
    a->values.found = known.found;
    a->values.found.scanned = 1;
    return;
  }
  if (is_filled(e, a)) { /* the parts that earlier launches wrote */
    a->values.found = known.found;
    a->values.found.scanned = !known.any || known.seen > e->launch.unscanned;
    return;
  }
  if (!e->results->scan(e, a, &a->view, AG_BEFORE, &a->values.before) && !use_probe(e, a, &known))
    return;
  a->values.counted = true;
  explain_input(e, a, &known);
  remember_input(e, a, table, &known);
}

static void learn_input(ag_evaluation *e, ag_arg *a) {
  find_input(e, a);
  report_input(e, a);
}

static void evaluate_before(ag_evaluation *e) {
  ag_record *r = e->record;
  for (size_t i = 0; i < r->nargs; i++) {
    ag_arg *a = &r->args[i];
    enum ag_reading reading = ag_arg_reading(a);
    if (a->view.state == AG_VIEW_OK && a->param->flags & AOTIGEN_FRESH && !ag_arg_is_late(a))
      ag_ranges_forget(&e->known.written, &a->view);
    a->values.reads = reading == AG_READ_HIDDEN;
    if (reading == AG_READ_SCANNED) learn_input(e, a);
  }
}

/* ---- after the launch ----------------------------------------------------------------------- */

enum verdict { UNDECIDED, PASSED, INTENDED, NEW_BORN, NEW_UNKNOWN };

/* What one output holds of one kind, and its cause. */
typedef struct verdict_of {
  uint8_t kind;    /* enum verdict */
  ag_cause passed; /* for PASSED; its origin is also used for what is new */
  const ag_arg *unseen;
} verdict_of;

typedef struct verdicts {
  uint16_t origin[AG_ORIGINS]; /* by slot: the origin of the new values */
  const ag_arg *unseen;
  uint8_t fresh; /* the kinds that have their origin in this launch */
  bool rechecked;
} verdicts;

static bool has_floating_input(const ag_record *record) {
  for (size_t i = 0; i < record->nargs; i++)
    if (record->args[i].values.reads) return true;
  return false;
}

/* True if weights may have changed since the run took them for clean. */
static bool weights_may_have_changed(const ag_evaluation *e) {
  return atomic_load(&e->model->generation) != e->weights_generation;
}

/* Scans the weights that were taken for clean again, because an output is bad. */
static void rescan_weights(ag_evaluation *e) {
  ag_record *r = e->record;
  ag_known known;
  for (size_t i = 0; i < r->nargs; i++) {
    ag_arg *a = &r->args[i];
    if (!a->values.lazy || ag_arg_is_written(a)) continue;
    a->values.lazy = false;
    bool late;
    if (!e->results->rescan(e, a, &a->values.before, &late)) continue;
    bool bad = ag_kinds_of(&a->values.before) & ag_kinds_wanted(e->launch.model);
    if (bad) ag_ranges_mark_uncertain(&e->known.weights, &a->view, 0, 0, 0);
    if (late && (bad || weights_may_have_changed(e))) { /* its state at the launch is not known */
      a->values.found.scanned = 0;
      continue;
    }
    if (!bad) continue;
    a->values.counted = true;
    ag_ranges_query(&e->known.weights, &a->view, &known);
    explain_input(e, a, &known);
    report_input(e, a);
  }
}

/* True if the launch may have written the argument and it is known what it held before. */
static bool is_comparable(const ag_arg *a) {
  bool known = a->values.counted ||
               (a->values.found.scanned && !a->values.found.bad && !a->values.found.intended);
  return (a->param->role == AOTIGEN_UNKNOWN || a->param->flags & AOTIGEN_MAYBE_WRITTEN) && known;
}

/* True if the argument holds exactly what it held: it was only read. */
static bool is_untouched(const ag_arg *a) {
  const ag_stats *before = a->values.counted ? &a->values.before : &ag_nothing_bad,
                 *after = &a->values.after;
  return is_comparable(a) && before->nan == after->nan && before->pos_inf == after->pos_inf &&
         before->neg_inf == after->neg_inf && before->first_nan == after->first_nan &&
         before->first_pos_inf == after->first_pos_inf &&
         before->first_neg_inf == after->first_neg_inf;
}

static bool is_intended(ag_evaluation *e, unsigned kind, size_t out) {
  const ag_record *r = e->record;
  if (kind == AG_NAN &&
      ag_pattern_is_unwritten(e, &r->args[out], AG_AFTER, &r->args[out].values.after))
    return true;
  const aotigen_text *text = r->args[out].param->text;
  if (text && text->constants & kind) return true;
  bool told = text && text->stored;
  if (!told && kind != AG_NAN &&
      ag_launch_site(&e->launch)->flags &
          (kind == AG_NEG_INF ? AOTIGEN_MAKES_NEG_INF : AOTIGEN_MAKES_POS_INF))
    return true;
  for (size_t i = 0; i < r->nargs; i++)
    if (r->args[i].values.reads && r->args[i].values.found.intended & kind &&
        ag_reach_find(r, i, out) != AG_REACHES_NOT)
      return true;
  return kind != AG_NAN && !has_floating_input(r);
}

static verdict_of decide_output(ag_evaluation *e, unsigned kind, size_t out, verdicts *j) {
  ag_record *r = e->record;
  verdict_of v = {.passed = {.origin = AG_NO_ORIGIN}};
  if (!j->rechecked) rescan_weights(e);
  j->rechecked = true;
  bool unwritten = ag_reach_has_unwritten(r, out);
  v.kind = unwritten ? NEW_UNKNOWN : NEW_BORN;
  if (ag_cause_find(e, kind & AG_NAN ? AG_NAN : AG_INF, kind, out, &v.passed)) {
    v.kind = PASSED;
    if (unwritten && v.passed.certainty == AG_SURE) v.passed.certainty = AG_MAY_BE_OWN;
    return v;
  }
  if (is_intended(e, kind, out)) {
    v.kind = INTENDED;
    return v;
  }
  for (size_t i = 0; i < r->nargs && !v.unseen; i++)
    if (r->args[i].values.reads && !r->args[i].values.found.scanned &&
        ag_reach_find(r, i, out) != AG_REACHES_NOT)
      v.unseen = &r->args[i];
  if (v.unseen) v.kind = NEW_UNKNOWN;
  return v;
}

/* Adds a new value of an output to the one origin that all outputs of the launch share. */
static uint16_t add_fresh(ag_evaluation *e, unsigned kind, uint16_t param, const verdict_of *of,
                          verdicts *j) {
  int slot = ag_origin_slot(kind);
  if (j->origin[slot] == AG_NO_ORIGIN)
    j->origin[slot] = ag_origin_after(e, of->kind == NEW_BORN ? AG_BORN : AG_UNKNOWN, kind,
                                      &e->record->args[param]);
  if (!j->unseen) j->unseen = of->unseen;
  j->fresh |= (uint8_t)kind;
  e->record->args[param].values.own |= (uint8_t)kind;
  return j->origin[slot];
}

/* True if what the output holds of the kind's slot has no other origin. */
static bool is_only(ag_evaluation *e, size_t out, unsigned kind, uint16_t origin) {
  return ag_cause_is_only(e->record, out, kind, origin) ||
         (kind & AG_INF && ag_infinity_is_passed(e, out, origin));
}

/* Splits what was found in an output: `left` gets what remained from before, with its origins. */
static void sort_output(ag_evaluation *e, uint16_t param, verdicts *j) {
  ag_arg *a = &e->record->args[param];
  unsigned kinds = ag_kinds_of(&a->values.after) & ag_kinds_wanted(e->launch.model);
  ag_findings *f = &a->values.left;
  *f = ag_found_clean;
  f->unchecked = list_unchecked(e, &a->values.after);
  for (unsigned kind = AG_NAN; kind <= AG_NEG_INF; kind <<= 1) {
    if (!(kinds & kind)) continue;
    int slot = ag_origin_slot(kind);
    verdict_of v = decide_output(e, kind, param, j);
    if (v.kind == INTENDED) {
      f->intended |= (uint8_t)kind;
      continue;
    }
    if (v.kind != PASSED) v.passed.origin = add_fresh(e, kind, param, &v, j);
    if (v.kind == PASSED && v.passed.certainty != AG_SURE) f->uncertain |= (uint8_t)kind;
    if (v.kind == PASSED && !is_only(e, param, kind, v.passed.origin)) f->mixed |= (uint8_t)kind;
    if (v.kind == PASSED) {
      a->values.certainties[ag_kind_index(kind)] = (uint8_t)v.passed.certainty;
      a->values.passed[ag_kind_index(kind)] = v.passed.origin;
    }
    if (kind == AG_NEG_INF && f->bad & AG_POS_INF && f->origin[slot] != v.passed.origin)
      f->uncertain |= AG_INF;
    f->bad |= (uint8_t)kind;
    f->origin[slot] = v.passed.origin;
    f->first_address[slot] = ag_reach_address(
        &a->view.t, ag_kinds_first(&a->values.after, f->bad & (kind & AG_NAN ? AG_NAN : AG_INF)));
  }
}

static void learn_output(ag_evaluation *e, uint16_t param, verdicts *j) {
  ag_arg *a = &e->record->args[param];
  a->values.asserted_after = ag_arg_is_asserted(a) &&
                             e->results->scan(e, a, &a->view, AG_AFTER, &a->values.after);
  a->values.untouched = a->values.asserted_after && is_untouched(a);
  if (a->values.asserted_after && !a->values.untouched && is_comparable(a))
    ag_op_effects_check_counts(e, param);
  if (a->values.untouched && !ag_cause_meets_other(e, AG_NAN, param) &&
      !ag_cause_meets_other(e, AG_INF, param))
    a->values.asserted_after = false;
  if (a->values.asserted_after) sort_output(e, param, j);
}

/* Lowers the certainty of a propagated value: it may be at the same element as one that has its
 * origin in this launch, as another output has. */
static void doubt_passed(ag_evaluation *e, size_t out, unsigned kind) {
  ag_record *r = e->record;
  ag_arg *a = &r->args[out];
  unsigned slot_kinds = kind & AG_NAN ? AG_NAN : AG_INF;
  if (!ag_origin_is_passed(a, kind) || a->values.certainties[ag_kind_index(kind)] != AG_SURE)
    return;
  for (size_t i = 0; i < r->nargs; i++) {
    if (!(r->args[i].values.own & slot_kinds) || !ag_reach_is_shared(r, i, out)) continue;
    for (size_t in = 0; in < r->nargs; in++)
      if (ag_cause_is(r, in, slot_kinds, out) &&
          !ag_cause_may_be_selected(r, in, slot_kinds, out) &&
          ag_reach_is_seen(e, in, slot_kinds, out, kind))
        return;
    a->values.certainties[ag_kind_index(kind)] = AG_MAY_BE_OWN;
    a->values.left.uncertain |= (uint8_t)kind;
    return;
  }
}

/* Stores what the launch wrote, for those that read it. */
static void remember_output(ag_evaluation *e, uint16_t param) {
  const ag_arg *a = &e->record->args[param];
  if (a->values.untouched && !a->values.asserted_after) return;
  ag_ranges_mark_uncertain(&e->known.weights, &a->view, 0, 0, 0);
  ag_ranges_write(&e->known.written, &a->view, e->launch.number, e->launch.site, param,
                  a->values.asserted_after ? &a->values.left : &ag_unscanned);
}

static void evaluate_after(ag_evaluation *e) {
  ag_record *r = e->record;
  if (ag_site_waits(ag_launch_site(&e->launch))) {
    ag_received_evaluate(e);
    return;
  }
  if (ag_site_is_collective(ag_launch_site(&e->launch))) ag_received_note(e);
  verdicts j = {.origin = {AG_NO_ORIGIN, AG_NO_ORIGIN}};
  for (size_t i = 0; i < r->nargs; i++)
    if (r->args[i].view.state == AG_VIEW_OK && ag_arg_may_be_written(&r->args[i]))
      learn_output(e, (uint16_t)i, &j);
  for (size_t i = 0; i < r->nargs && j.fresh; i++) {
    if (!r->args[i].values.asserted_after) continue;
    for (unsigned kind = AG_NAN; kind <= AG_NEG_INF; kind <<= 1)
      if (j.fresh & (kind & AG_NAN ? AG_NAN : AG_INF)) doubt_passed(e, i, kind);
  }
  for (size_t i = 0; i < r->nargs; i++) {
    ag_known_bytes_refuse(&e->known, &e->launch, &r->args[i], (uint16_t)i);
    if (r->args[i].view.state == AG_VIEW_OK && ag_arg_may_be_written(&r->args[i]))
      remember_output(e, (uint16_t)i);
  }
  ag_origin_add_steps(e);
  if (j.fresh & AG_NAN) ag_birth_report_write(e, j.origin[AG_NAN_ORIGIN], AG_NAN, j.unseen);
  if (j.fresh & AG_INF)
    ag_birth_report_write(e, j.origin[AG_INF_ORIGIN], j.fresh & AG_INF, j.unseen);
}

static bool is_wanted(const ag_model_state *m) { return m->model->nan_asserts; }

AG_LAUNCH_HOOKS(nan) = {.wanted = is_wanted,
                        .evaluate_before = evaluate_before,
                        .evaluate_after = evaluate_after,
                        .evaluate_end = ag_origin_report_paths};

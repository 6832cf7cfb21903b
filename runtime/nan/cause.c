/* cause.c - see cause.h. */
#define _GNU_SOURCE
#include "nan/cause.h"

#include "checks/bad_values.h"
#include "explain/explain.h"
#include "explain/work.h"
#include "nan/origins.h"
#include "nan/reach.h"

bool ag_cause_is(const ag_record *record, size_t in, unsigned kinds, size_t out) {
  return record->args[in].values.reads && record->args[in].values.found.bad & kinds &&
         ag_reach_find(record, in, out) != AG_REACHES_NOT;
}

bool ag_cause_is_only(const ag_record *record, size_t out, unsigned kind, uint16_t origin) {
  const unsigned slot_kinds = kind & AG_NAN ? AG_NAN : AG_INF;
  if (!ag_reach_is_moved(record, out)) return false;
  for (size_t i = 0; i < record->nargs; i++) {
    const ag_findings *f = &record->args[i].values.found;
    if (ag_cause_is(record, i, slot_kinds, out) &&
        (f->origin[ag_origin_slot(kind)] != origin ||
         (f->uncertain | f->mixed | f->intended) & slot_kinds))
      return false;
  }
  return true;
}

/* Tells whether bad values of the slot's kinds in input number `in` reach the output. A kernel that
 * only moves elements has read what is bad there, whatever it selects. */
static enum ag_reach find_reach(const ag_record *record, size_t in, unsigned slot_kinds,
                                size_t out) {
  unsigned kinds = record->args[in].values.found.bad & slot_kinds;
  return ag_reach_is_moved(record, out) ? ag_reach_find(record, in, out)
                                        : ag_reach_find_bad(record, in, kinds, out);
}

bool ag_cause_may_be_selected(const ag_record *record, size_t in, unsigned slot_kinds, size_t out) {
  return ag_reach_find(record, in, out) == AG_REACHES &&
         ag_reach_find_bad(record, in, record->args[in].values.found.bad & slot_kinds, out) ==
             AG_MAY_REACH;
}

/* The first input that holds the slot's kinds and surely reaches the output, else the first that
 * may; nargs where there is none. */
static size_t find_cause(const ag_record *record, unsigned slot_kinds, size_t out) {
  size_t found = record->nargs;
  for (size_t i = 0; i < record->nargs; i++) {
    if (!ag_cause_is(record, i, slot_kinds, out)) continue;
    if (find_reach(record, i, slot_kinds, out) == AG_REACHES) return i;
    if (found == record->nargs) found = i;
  }
  return found;
}

/* Tells what other than input number `cause` may have made the values of the output. */
static enum ag_certainty doubt_cause(const ag_record *record, size_t cause, unsigned slot_kinds,
                                     size_t out) {
  int slot = ag_origin_slot(slot_kinds);
  bool kernel = ag_launch_site(&record->launch)->flags & AOTIGEN_KERNEL;
  bool may = find_reach(record, cause, slot_kinds, out) == AG_MAY_REACH;
  enum ag_certainty from = may ? AG_MAY_BE_OWN : AG_SURE;
  for (size_t i = 0; i < record->nargs && from == AG_SURE; i++) {
    const ag_findings *found = &record->args[i].values.found;
    if (ag_cause_is(record, i, slot_kinds, out) &&
        found->origin[slot] != record->args[cause].values.found.origin[slot])
      from = AG_MAY_BE_OTHER;
    else if (kernel && slot_kinds & AG_NAN && !(found->bad & AG_NAN) &&
             ag_cause_is(record, i, AG_INF, out))
      from = AG_MAY_BE_OWN;
  }
  return from;
}

/* True if, for each input of that origin that reaches the output of a kernel, the elements show
 * that it is not the cause. */
static bool is_apart(ag_evaluation *e, size_t cause, unsigned slot_kinds, unsigned kind,
                     size_t out) {
  const ag_record *r = e->record;
  int slot = ag_origin_slot(slot_kinds);
  if (!(ag_launch_site(&r->launch)->flags & AOTIGEN_KERNEL)) return false;
  for (size_t i = 0; i < r->nargs; i++)
    if (ag_cause_is(r, i, slot_kinds, out) &&
        r->args[i].values.found.origin[slot] == r->args[cause].values.found.origin[slot] &&
        !ag_reach_is_apart(e, i, slot_kinds, out, kind))
      return false;
  return true;
}

/* True if a value of another origin is at the same element: in the output itself before the launch,
 * or in another input of an operator, which may select either. */
static bool is_aliased(ag_evaluation *e, size_t cause, unsigned slot_kinds, unsigned kind,
                       size_t out) {
  const ag_record *r = e->record;
  int slot = ag_origin_slot(slot_kinds);
  bool kernel = ag_launch_site(&r->launch)->flags & AOTIGEN_KERNEL;
  for (size_t i = 0; i < r->nargs; i++)
    if (ag_cause_is(r, i, slot_kinds, out) &&
        r->args[i].values.found.origin[slot] != r->args[cause].values.found.origin[slot] &&
        (!kernel || i == out) && ag_reach_is_seen(e, i, slot_kinds, out, kind))
      return true;
  return false;
}

/* True if the elements show that an Inf of the output is one that was read. A kernel may also make
 * an Inf of its own. In a reduction, an Inf in the same row counts. */
static bool is_infinity_shown(ag_evaluation *e, size_t cause, unsigned kind, size_t out) {
  const ag_record *r = e->record;
  uint16_t origin = r->args[cause].values.found.origin[AG_INF_ORIGIN];
  if (!(ag_launch_site(&r->launch)->flags & AOTIGEN_KERNEL) || ag_reach_is_moved(r, out))
    return true;
  for (size_t i = 0; i < r->nargs; i++) {
    bool reduced = r->args[i].view.t.ndim > r->args[out].view.t.ndim;
    if (ag_cause_is(r, i, AG_INF, out) && r->args[i].values.found.origin[AG_INF_ORIGIN] == origin &&
        (ag_reach_is_seen(e, i, AG_INF, out, kind) ||
         (reduced && ag_reach_is_in_row(e, i, AG_INF, out, kind))))
      return true;
  }
  return false;
}

bool ag_cause_meets_other(ag_evaluation *e, unsigned slot_kinds, size_t out) {
  const ag_record *r = e->record;
  const ag_findings *f = &r->args[out].values.found;
  int slot = ag_origin_slot(slot_kinds);
  for (size_t i = 0; i < r->nargs && f->bad & slot_kinds; i++)
    if (i != out && ag_cause_is(r, i, slot_kinds, out) &&
        r->args[i].values.found.origin[slot] != f->origin[slot] &&
        ag_reach_stood_there(e, i, slot_kinds, out))
      return true;
  return false;
}

/* Reports the origins of all that may have reached a bad output. */
static void release_causes(ag_evaluation *e, unsigned slot_kinds, size_t out) {
  const ag_record *r = e->record;
  for (size_t i = 0; i < r->nargs; i++)
    if (ag_cause_is(r, i, slot_kinds, out))
      ag_origin_release(e, r->args[i].values.found.origin[ag_origin_slot(slot_kinds)]);
}

/* True if the launch writes to what it reads: what the memory holds now may be the kernel's own. */
static bool is_in_place(const ag_record *r) {
  for (size_t i = 0; i < r->nargs; i++)
    for (size_t k = 0; k < r->nargs && r->args[i].values.reads; k++)
      if (ag_arg_may_be_written(&r->args[k]) &&
          (k == i || ag_view_overlaps(&r->args[i].view, &r->args[k].view)))
        return true;
  return false;
}

/* Finds the input whose bad value the kernel stored as the first one of the output, as its graph
 * decides for that element: the row that a reduction reads holds a NaN, or where() selects it.
 * nargs where it is not known, and of a kernel that works in place. */
static size_t decide_by_graph(ag_evaluation *e, unsigned slot_kinds, unsigned kind, size_t out) {
  enum { OUTPUT_MOST = AG_WORK_MOST / 10, RUN_MOST = AG_WORK_MOST };
  const ag_record *r = e->record;
  if (!ag_launch_site(&r->launch)->graph || e->decided >= RUN_MOST || is_in_place(r))
    return r->nargs;
  uint64_t left = OUTPUT_MOST;
  int source =
      ag_explain_find_source(r, out, ag_kinds_first(&r->args[out].values.after, kind), &left);
  e->decided += OUTPUT_MOST - left;
  bool found = source >= 0 && (size_t)source < r->nargs &&
               ag_cause_is(r, (size_t)source, slot_kinds, out);
  return found ? (size_t)source : r->nargs;
}

bool ag_cause_find(ag_evaluation *e, unsigned slot_kinds, unsigned kind, size_t out,
                   ag_cause *found) {
  const ag_record *r = e->record;
  release_causes(e, slot_kinds, out);
  size_t cause = find_cause(r, slot_kinds, out);
  if (cause == r->nargs) return false;
  found->certainty = doubt_cause(r, cause, slot_kinds, out);
  if (found->certainty == AG_SURE && is_apart(e, cause, slot_kinds, kind, out))
    found->certainty = AG_MAY_BE_OWN;
  if (found->certainty == AG_SURE && slot_kinds & AG_INF && !is_infinity_shown(e, cause, kind, out))
    found->certainty = AG_MAY_BE_OWN;
  for (size_t i = 0; i < r->nargs && found->certainty != AG_SURE; i++) {
    if (ag_reach_is_same(r, i, out) || !ag_cause_is(r, i, slot_kinds, out) ||
        ag_cause_may_be_selected(r, i, slot_kinds, out) ||
        !ag_reach_is_seen(e, i, slot_kinds, out, kind))
      continue;
    cause = i;
    found->certainty = AG_SURE;
  }
  size_t decided = found->certainty == AG_SURE ? r->nargs
                                               : decide_by_graph(e, slot_kinds, kind, out);
  if (decided < r->nargs) {
    cause = decided;
    found->certainty = AG_SURE;
  } else if (found->certainty == AG_SURE && is_aliased(e, cause, slot_kinds, kind, out)) {
    found->certainty = AG_MAY_BE_OTHER;
  }
  if (r->args[out].values.untouched && ag_cause_is(r, out, slot_kinds, out)) {
    cause = out;
    found->certainty = ag_cause_meets_other(e, slot_kinds, out) ? AG_MAY_BE_OTHER : AG_SURE;
  }
  if (found->certainty == AG_SURE && r->args[cause].values.found.uncertain & slot_kinds)
    found->certainty = AG_MAY_BE_BEFORE;
  found->origin = r->args[cause].values.found.origin[ag_origin_slot(slot_kinds)];
  return true;
}

/* nan.c - the NaN assert: what a launch reads is known before it, what it wrote is looked at after
 * it, and a bad value is either passed on from something that was bad already, or has its origin
 * here. Knows no device and says nothing itself.
 *
 * Reading memory is the cost, so elements are read once after each write and not again: ranges.h
 * remembers what was found. An input is read when a launch first takes it, a weight once for each
 * set of weights; a weight that turned bad in between is caught when an output does, for it still
 * holds then what the launch read.
 */
#define _GNU_SOURCE
#include <string.h>

#include "launch/scan.h"
#include "checks/provenance.h"

/* Who last wrote the elements of `a`, and what is known of them. */
static ag_ranges *look_up(aotigen_run *run, ag_arg *a, ag_known *known) {
  aotigen_run_state *s = run->state;
  ag_ranges *tables[] = {&s->inputs, &s->weights};
  static const int sources[] = {AG_FROM_INPUT, AG_FROM_WEIGHT};
  ag_known mine;
  ag_ranges_query(&s->written, &a->view, known);
  a->source = known->any ? AG_FROM_LAUNCH : AG_FROM_NOWHERE;
  if (known->covered) return &s->written;
  for (int i = 0; i < 2; i++) {
    /* An input's memory may be another buffer's by now, written by a launch that nobody batch_done.
     */
    if (i == 0 && run->unseen && !a->param->python_name) continue;
    ag_ranges_query(tables[i], &a->view, &mine);
    if (!mine.covered) continue;
    /* A weight of which a launch wrote a part: both together say nothing for sure. */
    if (known->any) return NULL;
    *known = mine;
    a->source = sources[i];
    a->index = mine.last->site;
    return tables[i];
  }
  if (!known->any && (a->param->kind == AOTIGEN_INPUT || a->param->kind == AOTIGEN_WEIGHT)) {
    a->source = a->param->kind == AOTIGEN_INPUT ? AG_FROM_INPUT : AG_FROM_WEIGHT;
    a->index = UINT32_MAX;
  }
  return NULL;
}

static const char *written_name(const aotigen_run *run, const ag_known *known) {
  const aotigen_site *site = known->last && known->last->site < run->model->nsites
                                 ? &run->model->sites[known->last->site]
                                 : NULL;
  return site && known->last->param < site->nparams ? site->params[known->last->param].name : NULL;
}

/* Is the range still memory of the storage that the view is of: an input's may have been given back
 * and taken by another. */
static bool in_storage(const ag_view *v, const ag_range *x) {
  uintptr_t begin = (uintptr_t)v->t.data - (uintptr_t)v->first_byte;
  return v->storage_bytes >= 0 && x->begin >= begin &&
         x->end <= begin + (uintptr_t)v->storage_bytes;
}

/* A slice of a weight: looks at the whole weight, so that the next slice and the next run need not.
 * A plan asks for both: which is needed shows when the whole is known. */
static bool whole_is_clean(aotigen_run *run, ag_arg *a, ag_ranges *table) {
  ag_view *whole = &run->state->view;
  for (size_t i = 0; i < table->count; i++) {
    ag_range *x = &table->list[i];
    if (x->begin > ag_view_begin(&a->view) || x->end < ag_view_end(&a->view) ||
        x->dtype != a->view.t.dtype || !x->param)
      continue;
    if (x->device_type != a->view.t.device_type || x->device_index != a->view.t.device_index ||
        !in_storage(&a->view, x))
      continue;
    if (!ag_backend_of(x->device_type)) return false;
    ag_stats h;
    whole->state = AG_VIEW_OK;
    whole->t = (ag_tensor){.data = (const void *)x->begin,
                           .dtype = x->dtype,
                           .ndim = 1,
                           .device_type = x->device_type,
                           .device_index = x->device_index};
    whole->t.sizes[0] = (int64_t)((x->end - x->begin) / x->dtype->item_size);
    whole->t.strides[0] = 1;
    ag_view_measure(whole);
    if (!ag_look(run, a, whole, AG_BEFORE, &h) || ag_kinds_of(&h) & ag_kinds_wanted(run->model)) {
      if (table == &run->state->weights)
        run->state->weights_suspect = true; /* a plan took it for clean */
      return false;
    }
    x->found = ag_found_clean;
    x->seen = run->launch;
    if (run->state->mode == AG_PLANNING) ag_look(run, a, &a->view, AG_BEFORE, &h);
    x->planned = run->state->mode == AG_PLANNING;
    return true;
  }
  return false;
}

/* The launches that may have brought what was found: those that nobody batch_done since the
 * elements were last known. */
static void between(const aotigen_run *run, const ag_known *known, uint64_t *first,
                    uint64_t *last) {
  *first = 1;
  *last = run->unseen;
  if (known->last && known->last->launch && known->seen > run->unseen) {
    *first = *last = known->last->launch;
  } else if (known->last) {
    *first = known->found.scanned || known->seen ? known->seen + 1 : 1;
    if (*first > *last) *first = *last;
  }
}

/* A buffer of the model that holds -inf, and nothing else that is bad. */
static bool is_mask(const aotigen_run *run, const ag_arg *a, unsigned kinds) {
  return a->source == AG_FROM_WEIGHT && a->index < run->model->nweights &&
         run->model->weights[a->index].is_buffer && kinds == AG_NEG_INF && !a->before.nan;
}

/* Sorts what was counted in `a` before the launch: passed on from an origin that is known, meant,
 * or new. */
static void explain(aotigen_run *run, ag_arg *a, const ag_known *known) {
  static const unsigned slots[] = {AG_NAN, AG_INF};
  unsigned kinds = ag_kinds_of(&a->before) & ag_kinds_wanted(run->model);
  uint64_t first, last;
  a->found = ag_found_clean;
  a->found.intended = (uint8_t)(kinds & known->found.intended & AG_INF);
  if (is_mask(run, a, kinds)) a->found.intended |= AG_NEG_INF;
  a->found.bad = (uint8_t)(kinds & ~(unsigned)a->found.intended);
  for (int i = 0; i < AG_ORIGINS; i++) {
    unsigned mine = a->found.bad & slots[i];
    if (!mine) continue;
    a->found.origin[i] = known->found.bad & slots[i] ? known->found.origin[i] : AG_NO_ORIGIN;
    if (a->found.origin[i] != AG_NO_ORIGIN) continue;
    between(run, known, &first, &last);
    a->found.origin[i] = ag_origin_before(run, a, mine, first, last);
  }
}

/* A part of something bad was not looked at when it was read: a plan knows of nothing bad. If that
 * mattered to what the launch wrote, then it was looked at afterwards; else it is taken for as bad
 * as the whole. */
static bool recall(aotigen_run *run, ag_arg *a, const ag_known *known) {
  if (!ag_arg_writes(a) && ag_look_back(run, a, &a->before)) return true;
  if (known->covered && known->found.bad) {
    a->found = known->found;
    a->found.scanned = 1;
  }
  return false;
}

/* May what is known of it be taken for what is in it. For the sake of a slice all of an input or
 * weight is looked at. */
static bool is_known(aotigen_run *run, ag_arg *a, ag_ranges *table, ag_known *known) {
  bool weight = a->source == AG_FROM_WEIGHT;
  if (known->planned) return false;
  if (known->found.scanned && weight)
    return a->lazy =
               !ag_arg_writes(a) &&
               !(a->param->flags &
                 AOTIGEN_MAYBE_WRITTEN); /* of one that is written nothing tells after the launch */
  if (known->found.scanned && known->seen > run->unseen) return true;
  if (!table || table == &run->state->written || known->exact || !whole_is_clean(run, a, table))
    return false;
  known->found.bad = known->found.intended = 0;
  return true;
}

/* Must it be looked at although it is known: to be compared with what it holds afterwards; and in a
 * plan, which does not know yet whether something is bad, also since of a part of it that the
 * launch overwrites nothing tells afterwards. */
static bool is_wanted_still(const aotigen_run *run, const ag_arg *a, const ag_known *known) {
  bool compared = a->param->role == AOTIGEN_UNKNOWN || a->param->flags & AOTIGEN_MAYBE_WRITTEN;
  if (run->state->mode == AG_PLANNING)
    return compared || (ag_arg_writes(a) && (!known->exact || known->exact->patched));
  return compared && (known->found.bad || known->found.intended);
}

/* What was found is known to the next who reads it. */
static void remember(aotigen_run *run, const ag_arg *a, const ag_ranges *table, ag_known *known) {
  aotigen_run_state *s = run->state;
  /* Somebody wrote it that nobody batch_done: told once, not again by the next who reads it. */
  if (!known->any && a->source == AG_FROM_NOWHERE) {
    ag_ranges_write(&s->written, &a->view, 0, UINT32_MAX, 0, &a->found);
    ag_ranges_query(&s->written, &a->view, known);
    if (known->exact) known->exact->seen = run->launch;
  }
  if (a->source == AG_FROM_WEIGHT && a->found.bad) s->weights_suspect = true;
  if (!known->exact || !table) return;
  known->exact->found = a->found;
  known->exact->seen = run->launch;
  /* Origins are a run's, weights are not: a bad one is looked at again, and reported, in each run.
   */
  if (table == &s->weights && a->found.bad) known->exact->found = ag_unscanned;
}

/* What is in the elements that the launch is about to read. */
static void learn(aotigen_run *run, ag_arg *a) {
  ag_known known;
  ag_ranges *table = look_up(run, a, &known);
  const char *name = a->source == AG_FROM_LAUNCH ? written_name(run, &known) : NULL;
  if (name && strcmp(name, a->param->name))
    __atomic_store_n(&a->was, name, __ATOMIC_RELAXED); /* a post-mortem may read it */
  if (a->param->role == AOTIGEN_UNKNOWN && a->source == AG_FROM_NOWHERE)
    return; /* nothing wrote it: an output */
  a->reads = true;
  if (!a->view.t.numel) {
    a->found.scanned = 1;
    return;
  }
  if (is_known(run, a, table, &known) && !is_wanted_still(run, a, &known)) {
    a->found = known.found;
    a->found.scanned = 1;
    return;
  }
  if (!ag_look(run, a, &a->view, AG_BEFORE, &a->before) &&
      !(run->state->mode == AG_JUDGING && recall(run, a, &known))) {
    if (a->source == AG_FROM_WEIGHT)
      run->state->weights_suspect = true; /* a plan took it for clean */
    return;
  }
  a->counted = true;
  explain(run, a, &known);
  remember(run, a, table, &known);
}

void ag_nan_before(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  for (size_t i = 0; i < s->nargs; i++) {
    ag_arg *a = &s->args[i];
    unsigned flags = a->param->flags;
    if (a->view.state != AG_VIEW_OK || flags & AOTIGEN_LATE) {
      /* Something that may hold floats and cannot be looked at: no birth can be told beside it. */
      bool hidden =
          a->view.state == AG_VIEW_OPAQUE ||
          (a->param->kind == AOTIGEN_POINTER && ag_dtype_floats(ag_dtype_of_name(a->param->dtype)));
      a->reads = hidden && (a->param->role == AOTIGEN_IN || a->param->role == AOTIGEN_INOUT);
      continue;
    }
    if (flags & AOTIGEN_FRESH) ag_ranges_forget(&s->written, &a->view);
    if (!ag_view_floats(&a->view) || flags & AOTIGEN_FRESH || a->param->role == AOTIGEN_OUT)
      continue;
    if (flags & AOTIGEN_UNASSERTED) {
      a->reads = a->param->role != AOTIGEN_UNKNOWN;
      continue;
    }
    learn(run, a);
  }
}

/* ---- after the launch ----------------------------------------------------------------------- */

enum verdict { UNDECIDED, PASSED, INTENDED, NEW_BORN, NEW_UNKNOWN };

typedef struct verdicts {
  uint8_t of[8];               /* enum verdict, by kind */
  uint16_t origin[AG_ORIGINS]; /* by slot */
  const ag_arg *unseen;
  uint8_t fresh;  /* kinds that have their origin in this launch */
  uint8_t passed; /* kinds of which the path has this launch already, by slot */
  bool rechecked;
} verdicts;

static bool has_floating_input(const aotigen_run_state *s) {
  for (size_t i = 0; i < s->nargs; i++)
    if (s->args[i].reads) return true;
  return false;
}

/* The weights that were trusted: do they still deserve it. */
static void recheck(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  ag_known known;
  for (size_t i = 0; i < s->nargs; i++) {
    ag_arg *a = &s->args[i];
    if (!a->lazy || ag_arg_writes(a)) continue;
    a->lazy = false;
    bool late;
    if (!ag_look_again(run, a, &a->before, &late) ||
        !(ag_kinds_of(&a->before) & ag_kinds_wanted(run->model)))
      continue;
    s->weights_suspect = true;
    ag_ranges_doubt(&s->weights, &a->view, 0, 0, 0);
    if (late) { /* it may have been written since: the next run will look before it is read */
      a->found.scanned = 0;
      continue;
    }
    a->counted = true;
    ag_ranges_query(&s->weights, &a->view, &known);
    explain(run, a, &known);
  }
}

/* Was a value of this slot read, and from which origin. */
static bool was_read(const aotigen_run_state *s, unsigned slot_kinds, uint16_t *origin) {
  for (size_t i = 0; i < s->nargs; i++) {
    const ag_arg *a = &s->args[i];
    if (!a->reads || !(a->found.bad & slot_kinds)) continue;
    *origin = a->found.origin[ag_origin_slot(slot_kinds & AG_NAN ? AG_NAN : AG_INF)];
    return true;
  }
  return false;
}

static bool is_intended(const aotigen_run *run, unsigned kind) {
  const aotigen_run_state *s = run->state;
  if (kind == AG_NAN) return false;
  if (ag_site(run)->flags & (kind == AG_NEG_INF ? AOTIGEN_MAKES_NEG_INF : AOTIGEN_MAKES_POS_INF))
    return true;
  for (size_t i = 0; i < s->nargs; i++)
    if (s->args[i].reads && s->args[i].found.intended & kind) return true;
  return !has_floating_input(s);
}

static enum verdict judge(aotigen_run *run, unsigned kind, verdicts *j) {
  aotigen_run_state *s = run->state;
  unsigned slot = kind & AG_NAN ? AG_NAN : AG_INF;
  int number = ag_origin_slot(kind);
  if (j->of[kind]) return j->of[kind];
  if (!j->rechecked) recheck(run);
  j->rechecked = true;
  if (was_read(s, slot, &j->origin[number])) return j->of[kind] = PASSED;
  if (is_intended(run, kind)) return j->of[kind] = INTENDED;
  for (size_t i = 0; i < s->nargs && !j->unseen; i++)
    if (s->args[i].reads && !s->args[i].found.scanned) j->unseen = &s->args[i];
  return j->of[kind] = j->unseen ? NEW_UNKNOWN : NEW_BORN;
}

/* What was found in an output, with its origins. */
static ag_findings sort_output(aotigen_run *run, uint16_t param, verdicts *j) {
  ag_arg *a = &run->state->args[param];
  unsigned kinds = ag_kinds_of(&a->after) & ag_kinds_wanted(run->model);
  ag_findings f = ag_found_clean;
  for (unsigned kind = AG_NAN; kind <= AG_NEG_INF; kind <<= 1) {
    if (!(kinds & kind)) continue;
    int slot = ag_origin_slot(kind);
    enum verdict v = judge(run, kind, j);
    if (v == INTENDED) {
      f.intended |= (uint8_t)kind;
      continue;
    }
    if (v != PASSED) {
      if (j->origin[slot] == AG_NO_ORIGIN)
        j->origin[slot] = ag_origin_after(run, v == NEW_BORN ? AG_BORN : AG_UNKNOWN, kind, a);
      j->fresh |= (uint8_t)kind;
    } else if (!(j->passed & 1 << slot)) {
      j->passed |= (uint8_t)(1 << slot);
      ag_origin_passed(run, j->origin[slot], param);
    }
    f.bad |= (uint8_t)kind;
    f.origin[slot] = j->origin[slot];
  }
  return f;
}

/* An argument that the launch may have written, and that holds just what it held: it was only read.
 */
static bool untouched(const ag_arg *a) {
  const ag_stats *before = a->counted ? &a->before : &ag_nothing_bad, *after = &a->after;
  bool known = a->counted || (a->found.scanned && !a->found.bad && !a->found.intended);
  return (a->param->role == AOTIGEN_UNKNOWN || a->param->flags & AOTIGEN_MAYBE_WRITTEN) && known &&
         before->nan == after->nan && before->pos_inf == after->pos_inf &&
         before->neg_inf == after->neg_inf && before->first_nan == after->first_nan &&
         before->first_pos_inf == after->first_pos_inf &&
         before->first_neg_inf == after->first_neg_inf;
}

static void plan_ranges(aotigen_run_state *s, const ag_view *view) {
  ag_ranges *tables[] = {&s->written, &s->inputs, &s->weights};
  for (int i = 0; i < 3; i++) ag_ranges_plan(tables[i], view);
}

static void wrote(aotigen_run *run, uint16_t param, verdicts *j) {
  aotigen_run_state *s = run->state;
  ag_arg *a = &s->args[param];
  ag_findings found = ag_unscanned;
  a->asserted_after = ag_view_floats(&a->view) && !(a->param->flags & AOTIGEN_UNASSERTED) &&
                      ag_look(run, a, &a->view, AG_AFTER, &a->after);
  if (a->asserted_after && untouched(a)) {
    if (s->mode == AG_PLANNING)
      plan_ranges(s, &a->view); /* a part that was written after all would be a range of its own */
    a->asserted_after = false;
    return;
  }
  if (ag_ranges_doubt(&s->weights, &a->view, 0, 0, 0)) s->weights_suspect = true;
  if (a->asserted_after) found = sort_output(run, param, j);
  ag_ranges_write(&s->written, &a->view, run->launch, run->site, param, &found);
}

void ag_nan_after(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  verdicts j = {.origin = {AG_NO_ORIGIN, AG_NO_ORIGIN}};
  for (size_t i = 0; i < s->nargs; i++) {
    ag_arg *a = &s->args[i];
    if (a->view.state != AG_VIEW_OK) continue;
    if (ag_arg_writes(a) || a->param->flags & AOTIGEN_MAYBE_WRITTEN) wrote(run, (uint16_t)i, &j);
  }
  if (j.fresh & AG_NAN) ag_origin_report_after(run, j.origin[AG_NAN_ORIGIN], AG_NAN, j.unseen);
  if (j.fresh & AG_INF)
    ag_origin_report_after(run, j.origin[AG_INF_ORIGIN], j.fresh & AG_INF, j.unseen);
}

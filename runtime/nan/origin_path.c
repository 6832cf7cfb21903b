/* origin_path.c - see origin_path.h. */
#define _GNU_SOURCE
#include "nan/origin_path.h"

#include <stdio.h>

#include "base/sink.h"
#include "checks/bad_values.h"
#include "checks/finding.h"
#include "nan/origins.h"
#include "nan/reach.h"
#include "state/model_state.h"

/* Only the first and the last steps of a long path are reported. */
enum { PATH_HEAD = 16, PATH_TAIL = 8 };

/* The step of the launch being evaluated, if the origin's path already has it. */
static ag_step *find_step(const ag_evaluation *e, uint16_t origin) {
  for (size_t i = e->origins.nsteps; i-- > 0;) {
    ag_step *step = &e->origins.steps[i];
    if (step->launch != e->launch.number) return NULL;
    if (step->origin == origin) return step;
  }
  return NULL;
}

static void describe_doubt(ag_step *step, const ag_arg *a, unsigned kinds) {
  ag_text t = {0};
  ag_bad_values_add_place(&t, a, &a->values.after, kinds);
  snprintf(step->also, sizeof step->also, "%s", ag_text_string(&t));
  ag_text_free(&t);
}

/* True if the first bad element of an output is where the output held one before the launch. */
static bool is_left(const ag_arg *a, unsigned kinds) {
  int slot = ag_origin_slot(kinds);
  return a->values.reads && a->values.found.bad & kinds &&
         a->values.found.first_address[slot] == a->values.left.first_address[slot];
}

void ag_origin_add_step(ag_evaluation *e, uint16_t origin, const ag_arg *a, uint16_t param,
                        unsigned kinds, enum ag_certainty certainty) {
  ag_text t;
  bool doubted = certainty != AG_SURE && certainty != AG_MAY_BE_BEFORE;
  bool beside = find_step(e, origin);
  if (origin >= e->origins.count || (beside && (!doubted || is_left(a, kinds))) ||
      !ag_list_grow((void **)&e->origins.steps, &e->origins.steps_room, e->origins.nsteps,
                    sizeof *e->origins.steps))
    return;
  ag_step *step = &e->origins.steps[e->origins.nsteps++];
  ag_origin *o = &e->origins.list[origin];
  if (!beside) o->passed++;
  if (certainty == AG_SURE) o->surely++;
  *step = (ag_step){.launch = e->launch.number,
                    .site = e->launch.site,
                    .origin = origin,
                    .param = param,
                    .certainty = certainty,
                    .beside = beside};
  if (doubted) describe_doubt(step, a, kinds);
  if (!ag_sink_has_log() || ag_origin_is_withheld(e, o)) return;
  ag_event_launch(&t, EVENT_PASSED, &e->launch, a);
  ag_event_add_string(&t, "check", o->bad & AG_NAN ? "nan" : "inf");
  ag_event_add_number(&t, "origin_launch", (int64_t)o->launch);
  if (certainty == AG_MAY_BE_OWN) ag_event_add_string(&t, "perhaps_born", step->also);
  if (certainty == AG_MAY_BE_OTHER) ag_event_add_string(&t, "perhaps_other", step->also);
  if (certainty == AG_MAY_BE_RANK) ag_event_add_string(&t, "perhaps_rank", step->also);
  ag_event_end(&t);
}

/* The same for an output of the launch's own record. */
static void add_step(ag_evaluation *e, uint16_t origin, uint16_t param, unsigned kinds,
                     enum ag_certainty certainty) {
  ag_origin_add_step(e, origin, &e->record->args[param], param, kinds, certainty);
}

/* The kinds that one step reports: this one, and the other Inf if it has the same origin. If only
 * one of them is certain, that one; both if neither is. */
static unsigned find_passed_alike(const ag_arg *a, unsigned kind, enum ag_certainty *certainty) {
  unsigned other = kind & AG_NAN ? 0 : kind ^ AG_INF;
  int i = ag_kind_index(kind), k = ag_kind_index(other);
  *certainty = a->values.certainties[i];
  if (!other || !ag_origin_is_passed(a, other) || a->values.passed[i] != a->values.passed[k])
    return kind;
  if (a->values.certainties[k] == AG_SURE) return *certainty == AG_SURE ? AG_INF : kind;
  if (*certainty != AG_SURE) return AG_INF;
  *certainty = a->values.certainties[k];
  return other;
}

/* True if the output's value may be of another origin: an operator may select one of two values,
 * and a launch that changes an argument may leave what it held. Then both paths get the launch. */
static bool may_select(const ag_record *record, size_t out) {
  return !(ag_launch_site(&record->launch)->flags & AOTIGEN_KERNEL) ||
         (record->args[out].values.reads && record->args[out].values.found.bad);
}

/* Adds the step to the paths of the other origins that the value may have. */
static void add_aliases(ag_evaluation *e, size_t out, unsigned kinds, uint16_t origin) {
  const ag_record *r = e->record;
  unsigned slot_kinds = kinds & AG_NAN ? AG_NAN : AG_INF;
  for (size_t i = 0; i < r->nargs; i++) {
    uint16_t other = r->args[i].values.found.origin[ag_origin_slot(slot_kinds)];
    if (other != origin && r->args[i].values.reads && r->args[i].values.found.bad & slot_kinds &&
        ag_reach_find(r, i, out) != AG_REACHES_NOT)
      add_step(e, other, (uint16_t)out, kinds, AG_MAY_BE_OTHER);
  }
}

/* The step of a path is named after an output that surely has the value from there. */
void ag_origin_add_steps(ag_evaluation *e) {
  ag_record *r = e->record;
  for (int sure = 1; sure >= 0; sure--)
    for (size_t i = 0; i < r->nargs; i++) {
      const ag_arg *a = &r->args[i];
      for (unsigned kind = AG_NAN; kind <= AG_NEG_INF && a->values.asserted_after; kind <<= 1) {
        enum ag_certainty certainty;
        if (!ag_origin_is_passed(a, kind)) continue;
        unsigned kinds = find_passed_alike(a, kind, &certainty);
        if ((certainty == AG_SURE) != sure) continue;
        uint16_t origin = a->values.passed[ag_kind_index(kind)];
        if (!a->values.untouched) add_step(e, origin, (uint16_t)i, kinds, certainty);
        if (certainty == AG_MAY_BE_OTHER && may_select(r, i)) add_aliases(e, i, kinds, origin);
      }
    }
}

static void write_step(ag_text *t, const ag_evaluation *e, const ag_step *step) {
  const aotigen_site *site = &e->launch.model->sites[step->site];
  const char *of = step->certainty == AG_MAY_BE_OWN    ? "its own"
                   : step->certainty == AG_MAY_BE_RANK ? "another rank"
                                                       : "another origin";
  if (step->beside) {
    ag_text_addf(t, "                %s is bad too, perhaps of %s: %s\n",
                 site->params[step->param].name, of, step->also);
    return;
  }
  ag_text_addf(t, "  launch %-6llu %s, %sto %s", (unsigned long long)step->launch,
               ag_site_name(site), step->certainty == AG_SURE ? "" : "perhaps ",
               site->params[step->param].name);
  ag_text_addf(t, "%s%s%s\n", *site->nodes ? " (" : "", site->nodes, *site->nodes ? ")" : "");
  if (step->certainty == AG_MAY_BE_RANK)
    ag_text_addf(
        t, "                from this rank's input, which held it, or from another rank: %s\n",
        step->also);
  else if (*step->also)
    ag_text_addf(t, "                also bad there, perhaps of %s: %s\n", of, step->also);
}

static void add_path(ag_text *t, const ag_evaluation *e, uint16_t origin) {
  const ag_origin *o = &e->origins.list[origin];
  uint32_t k = 0;
  ag_text_addf(t, "aotigen: run %llu:", (unsigned long long)e->launch.run);
  ag_origin_add_name(t, e, o);
  ag_text_addf(t, " %spropagated through %u launch%s\n", o->surely ? "" : "perhaps ", o->passed,
               o->passed == 1 ? "" : "es");
  for (size_t i = 0; i < e->origins.nsteps; i++) {
    if (e->origins.steps[i].origin != origin) continue;
    k += !e->origins.steps[i].beside;
    if (!e->origins.steps[i].beside && o->passed > PATH_HEAD + PATH_TAIL && k == PATH_HEAD + 1)
      ag_text_addf(t, "  ... %u more ...\n", o->passed - PATH_HEAD - PATH_TAIL);
    if (o->passed > PATH_HEAD + PATH_TAIL && k > PATH_HEAD && k <= o->passed - PATH_TAIL) continue;
    write_step(t, e, &e->origins.steps[i]);
  }
}

void ag_origin_report_paths(ag_evaluation *e) {
  for (size_t i = 0; i < e->origins.count; i++) {
    const ag_origin *o = &e->origins.list[i];
    if (!o->passed || o->folded || ag_origin_is_withheld(e, o)) continue;
    ag_text_clear(&e->report);
    add_path(&e->report, e, (uint16_t)i);
    if (o->deferred)
      ag_report_tell(e->model, &e->report);
    else
      ag_sink_write_stderr(ag_text_string(&e->report));
  }
}

/* origins.c - origins, and the reports of those that existed before a launch. birth_report.c
 * reports what a launch made; nan.c decides what is reported. */
#define _GNU_SOURCE
#include "nan/origins.h"

#include <string.h>

#include "base/sink.h"
#include "checks/bad_values.h"
#include "checks/finding.h"
#include "checks/given_index.h"
#include "nan/reach.h"
#include "state/model_state.h"

static uint16_t add_origin(ag_evaluation *e, const ag_origin *o) {
  if (e->origins.count >= AG_NO_ORIGIN || !ag_list_grow((void **)&e->origins.list, &e->origins.room,
                                                        e->origins.count, sizeof *e->origins.list))
    return AG_NO_ORIGIN;
  e->origins.list[e->origins.count] = *o;
  return (uint16_t)e->origins.count++;
}

static bool is_folded(const aotigen_model *m, const ag_origin *o) {
  return o->source == AG_FROM_WEIGHT && o->index < m->nweights && m->weights[o->index].from_folded;
}

/* "input", "folded constant" or "weight". */
static const char *name_source(const aotigen_model *m, const ag_origin *o) {
  return o->source == AG_FROM_INPUT ? "input" : is_folded(m, o) ? "folded constant" : "weight";
}

/* Says where an argument's values from before the launch came from: one of the launches from..to,
 * where 0 stands for none. */
static void format_before(ag_evaluation *e, const ag_arg *a, const ag_origin *o,
                          unsigned long long from, unsigned long long to) {
  bool written = a->values.source == AG_FROM_LAUNCH, arrived = o->how == AG_ARRIVED;
  bool is_read = ag_reach_is_read(e->record, (size_t)(a - e->record->args));
  ag_text *t = &e->report;
  const char *kind = ag_kinds_name(o->bad);
  unsigned long long number = e->launch.run, launch = e->launch.number;
  ag_text_clear(t);
  if (arrived) {
    ag_text_addf(t, "aotigen: %s arrived in run %llu with the %s '%s', %s launch %llu: %s\n", kind,
                 number, name_source(e->launch.model, o), o->name, is_read ? "read by" : "given to",
                 launch, ag_site_name(ag_launch_site(&e->launch)));
    if (is_folded(e->launch.model, o))
      ag_text_add_line(t, "it came", "from constant folding, which is run 0");
  } else {
    ag_text_addf(t, "aotigen: %s found in run %llu, before launch %llu: %s\n", kind, number, launch,
                 ag_site_name(ag_launch_site(&e->launch)));
    if (!to)
      ag_text_add_line(t, "it came", "from before launch %llu: no scanned launch wrote it", launch);
    else if (!written && to == 1)
      ag_text_add_line(
          t, "it came",
          "with an input of the model, or from launch 1, whose result was not scanned");
    else if (!written)
      ag_text_add_line(t, "it came",
                       "with an input of the model, or from one of launches 1 to %llu, some of "
                       "which were not scanned",
                       to);
    else if (from == to)
      ag_text_add_line(t, "it came", "from launch %llu, whose result was not scanned", from);
    else
      ag_text_add_line(t, "it came",
                       "from one of launches %llu to %llu, some of which were not scanned", from,
                       to);
  }
  ag_report_site(t, &e->launch);
  ag_text_add(t, is_read ? "  read as       " : "  given as      ");
  ag_report_arg(t, a);
  ag_text_add(t, "\n                ");
  ag_bad_values_add_findings(t, e, a, &a->values.before, o->bad);
  ag_text_add(t, "\n");
  ag_given_index_add(t, e, a, ag_kinds_first(&a->values.before, o->bad));
}

/* Makes the report and the event of an origin before the launch, for ag_origin_release(). */
static void report_before(ag_evaluation *e, const ag_arg *a, ag_origin *o, uint64_t first,
                          uint64_t last) {
  bool arrived = o->how == AG_ARRIVED;
  if (arrived) first = last = 0;
  format_before(e, a, o, first, last);
  ag_text_add(&o->report, ag_text_string(&e->report));
  o->deferred = true;
  if (!ag_bad_values_begin_event(&o->event, e, arrived ? EVENT_ARRIVED : EVENT_UNKNOWN, a,
                                 &a->values.before, o->bad) ||
      !last)
    return;
  ag_event_add_number(&o->event, "between_first", (int64_t)first);
  ag_event_add_number(&o->event, "between_last", (int64_t)last);
}

bool ag_origin_is_withheld(const ag_evaluation *e, const ag_origin *o) {
  return o->deferred && o->bad & ag_kinds_withheld(e->launch.model);
}

void ag_origin_withhold(ag_evaluation *e, uint16_t origin, const ag_text *report, ag_text *event) {
  ag_origin *o = &e->origins.list[origin];
  ag_text_add(&o->report, ag_text_string(report));
  o->event = *event;
  *event = (ag_text){0};
  o->deferred = true;
}

void ag_origin_release(ag_evaluation *e, uint16_t origin) {
  if (origin < e->origins.count && !ag_origin_is_withheld(e, &e->origins.list[origin]))
    ag_origin_release_withheld(e, origin);
}

void ag_origin_release_withheld(ag_evaluation *e, uint16_t origin) {
  ag_origin *o = origin < e->origins.count ? &e->origins.list[origin] : NULL;
  if (!o || !o->deferred) return;
  o->deferred = false;
  if (o->event.length) ag_event_end(&o->event);
  o->event = (ag_text){0};
  o->folded = !ag_bad_values_write(e, &o->report);
}

void ag_origin_release_suspected(ag_evaluation *e, uint16_t origin) {
  ag_text *event = &e->origins.list[origin].event;
  if (event->length) ag_event_add_number(event, "suspected_by", (int64_t)e->launch.number);
  ag_origin_release_withheld(e, origin);
}

static const char *name_origin(const aotigen_model *m, const ag_arg *a) {
  if (a->values.source == AG_FROM_INPUT && a->values.index < m->ninputs) {
    const aotigen_input *in = &m->inputs[a->values.index];
    return in->python_name ? in->python_name : in->name;
  }
  if (a->values.source == AG_FROM_WEIGHT && a->values.index < m->nweights) {
    const aotigen_weight *w = &m->weights[a->values.index];
    return w->fqn ? w->fqn : w->name;
  }
  return a->values.index == UINT32_MAX && a->param->python_name ? a->param->python_name
                                                                : a->param->name;
}

/* An input or a weight is one origin, however many launches read it. Other values are of one origin
 * if one launch reads them in two arguments, such as two views of a buffer. */
static bool is_same_origin(const ag_origin *o, const ag_origin *of) {
  if (o->how != of->how || o->source != of->source ||
      ag_origin_slot(o->bad) != ag_origin_slot(of->bad))
    return false;
  if (o->how == AG_ARRIVED) return o->index == of->index;
  return o->launch == of->launch && !strcmp(o->name, of->name);
}

static void drop_report(ag_origin *o) {
  ag_text_free(&o->report);
  ag_text_free(&o->event);
}

uint16_t ag_origin_before(ag_evaluation *e, const ag_arg *a, unsigned kinds, uint64_t first,
                          uint64_t last) {
  bool arrived = a->values.source == AG_FROM_INPUT || a->values.source == AG_FROM_WEIGHT;
  ag_origin o = {.how = arrived ? AG_ARRIVED : AG_UNKNOWN,
                 .before = !arrived,
                 .bad = (uint8_t)kinds,
                 .launch = e->launch.number,
                 .site = e->launch.site,
                 .name = arrived ? name_origin(e->launch.model, a) : a->param->name,
                 .source = a->values.source,
                 .index = a->values.index};
  for (size_t i = 0; i < e->origins.count; i++)
    if (is_same_origin(&e->origins.list[i], &o)) return (uint16_t)i;
  report_before(e, a, &o, first, last);
  uint16_t origin = add_origin(e, &o);
  if (origin == AG_NO_ORIGIN) drop_report(&o);
  return origin;
}

uint16_t ag_origin_after(ag_evaluation *e, int how, unsigned kinds, const ag_arg *output) {
  const ag_origin o = {.how = how == AG_BORN || how == AG_RECEIVED ? how : AG_UNKNOWN,
                       .bad = (uint8_t)kinds,
                       .launch = e->launch.number,
                       .site = e->launch.site,
                       .name = output->param->name,
                       .source = AG_FROM_LAUNCH};
  return add_origin(e, &o);
}

void ag_origin_add_name(ag_text *t, const ag_evaluation *e, const ag_origin *o) {
  ag_text_addf(t, " %s", ag_kinds_name(o->bad));
  if (o->how == AG_RECEIVED)
    ag_text_addf(t, " that came with launch %llu (%s, %s)", (unsigned long long)o->launch,
                 ag_site_name(&e->launch.model->sites[o->site]), o->name);
  else if (o->how == AG_ARRIVED)
    ag_text_addf(t, " of the %s '%s'", name_source(e->launch.model, o), o->name);
  else
    ag_text_addf(t, " %s launch %llu (%s, %s)", o->before ? "found before" : "of",
                 (unsigned long long)o->launch, ag_site_name(&e->launch.model->sites[o->site]),
                 o->name);
}

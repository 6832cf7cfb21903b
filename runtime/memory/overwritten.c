/* overwritten.c - see overwritten.h. As hooks, the same before a launch and after it. */
#define _GNU_SOURCE
#include "memory/overwritten.h"

#include <string.h>

#include "base/sink.h"
#include "checks/bad_values.h"
#include "checks/finding.h"
#include "memory/zone_report.h"
#include "state/launch_hooks.h"

/* What was found in a red zone, in elements of the buffer. */
typedef struct overwritten {
  const ag_zone *zone;
  int64_t first; /* counted from the buffer's first element: negative before it */
  int64_t count;
  unsigned char element[16]; /* or what was read of it */
  int width, offset;         /* bytes that were read, and where in the element they stand */
} overwritten;

static int64_t divide_down(int64_t a, int64_t b) { return a / b - (a % b < 0); }

static overwritten read_zone(const ag_zone *z, const ag_stats *found,
                             const unsigned char element[4]) {
  int64_t item = z->buffer.dtype->item_size, width = z->t.dtype->item_size;
  int64_t at = z->behind ? z->buffer.extent * item + found->first_nan * width
                         : (found->first_nan - z->t.numel) * width;
  overwritten o = {.zone = z,
                   .first = divide_down(at, item),
                   .count = (found->nan * width + item - 1) / item,
                   .width = (int)width};
  o.offset = (int)(at - o.first * item);
  memcpy(o.element, element, (size_t)width);
  return o;
}

/* ---- the report ----------------------------------------------------------------------------- */

static void add_place(ag_text *t, const overwritten *o) {
  const ag_zone *z = o->zone;
  ag_text_add_line(
      t, "", "%lld element%s %s (elements 0 to %lld) %s overwritten, the first at element %lld",
      (long long)o->count, o->count == 1 ? "" : "s",
      z->behind ? "behind its end" : "before its begin", (long long)z->buffer.extent - 1,
      o->count == 1 ? "was" : "were", (long long)o->first);
}

/* Zones are read in units of 4 bytes at most: of a longer element it is a part. */
static void add_value(ag_text *t, const overwritten *o) {
  uint32_t bits;
  if (o->width == o->zone->buffer.dtype->item_size) {
    ag_bad_values_add(t, o->zone->buffer.dtype, true, o->element, true);
    return;
  }
  memcpy(&bits, o->element, sizeof bits);
  ag_text_addf(t, "0x%08x in bytes %d to %d of it", (unsigned)bits, o->offset,
               o->offset + o->width - 1);
}

static void add_value_line(ag_text *t, const overwritten *o) {
  ag_text value = {0};
  add_value(&value, o);
  ag_text_add_line(t, "", "there stands %s", ag_text_string(&value));
  ag_text_free(&value);
}

/* True if the red zone was compared after each launch, so that the last one wrote there. */
static bool is_sure(const ag_zone *z) { return z->span.since + 1 >= z->span.until; }

/* The launch as whose work the red zone was compared: the record's own, or the one before. */
static ag_launch launch_of(const ag_evaluation *e, const ag_zone *z) {
  ag_launch l = e->launch;
  l.number = z->span.until;
  l.site = z->span.site;
  return l;
}

/* One of the launches that may have written there. */
static void add_launch(ag_text *t, const aotigen_model *m, uint64_t number, uint32_t site,
                       const char *label) {
  const aotigen_site *s = &m->sites[site];
  ag_text_add_line(t, label, "launch %llu: %s, launched at %s:%d", (unsigned long long)number,
                   ag_site_name(s), m->source, s->line);
}

/* The launches that may have written there: it was intact after `since`. */
static void add_launches(ag_text *t, const ag_launch *l, const ag_zone *z) {
  unsigned long long since = z->span.since;
  if (is_sure(z)) {
    ag_text_add_line(t, "written by", "launch %llu: intact after launch %llu",
                     (unsigned long long)l->number, (unsigned long long)l->number - 1);
    return;
  }
  for (unsigned i = 0; i < z->span.n; i++)
    add_launch(t, l->model, z->span.launches[i].number, z->span.launches[i].site,
               i ? "" : "written by");
  if (l->number - since > z->span.n)
    ag_text_add_line(t, "", "or by another one since launch %llu", since);
  if (since) ag_text_add_line(t, "", "intact after launch %llu", since);
}

static void add_arguments(ag_text *t, const ag_record *record) {
  static const char *const labels[] = {"input", "output", "in and out", "argument"};
  ag_text line = {0};
  for (size_t i = 0; i < record->nargs; i++) {
    const ag_arg *a = &record->args[i];
    if (a->view.state == AG_VIEW_NONE) continue;
    ag_text_clear(&line);
    ag_report_arg(&line, a);
    ag_text_add_line(t, labels[a->param->role], "%s", ag_text_string(&line));
  }
  ag_text_free(&line);
}

/* The launches in question: "brk::mut, brk::many", their numbers, and those of their sites. */
static void log_launches(ag_text *event, const ag_launch *l, const ag_zone *z) {
  ag_text names = {0};
  int64_t launches[AG_ZONE_LAUNCHES], sites[AG_ZONE_LAUNCHES];
  for (unsigned i = 0; i < z->span.n; i++) {
    const aotigen_site *s = &l->model->sites[z->span.launches[i].site];
    ag_text_addf(&names, "%s%s", i ? ", " : "", s->kernel);
    launches[i] = (int64_t)z->span.launches[i].number;
    sites[i] = s->number;
  }
  ag_event_add_number(event, "seen_after", (int64_t)l->number);
  ag_event_add_list(event, "launches", launches, z->span.n);
  ag_event_add_list(event, "sites", sites, z->span.n);
  ag_event_add_string(event, "kernels", ag_text_string(&names));
  ag_text_free(&names);
}

static void log_zone(const ag_launch *l, const overwritten *o) {
  ag_text event, found = {0};
  if (is_sure(o->zone)) {
    ag_event_launch(&event, EVENT_MEMORY, l, NULL);
  } else {
    ag_event_run(&event, EVENT_MEMORY, l->model, l->run);
    log_launches(&event, l, o->zone);
  }
  ag_event_add_string(&event, "check", o->zone->behind ? "overrun" : "underrun");
  ag_event_add_string(&event, "buffer", o->zone->buffer.row->name);
  ag_event_add_number(&event, "element", o->first);
  ag_event_add_number(&event, "elements", o->zone->buffer.extent);
  ag_event_add_number(&event, "count", o->count);
  ag_event_add_number(&event, "since", (int64_t)o->zone->span.since);
  add_value(&found, o);
  ag_event_add_string(&event, "found", ag_text_string(&found));
  ag_event_end(&event);
  ag_text_free(&found);
}

static void report(ag_evaluation *e, const overwritten *o) {
  ag_text *t = &e->report;
  const ag_launch l = launch_of(e, o->zone);
  ag_text_clear(t);
  if (is_sure(o->zone)) {
    ag_report_head(t, &l, cause_what(CAUSE_MEMORY));
    ag_report_site(t, &l);
  } else {
    ag_text_addf(t, "aotigen: memory overwritten in run %llu, by one of launches %llu to %llu\n",
                 (unsigned long long)l.run, (unsigned long long)o->zone->span.since + 1,
                 (unsigned long long)l.number);
  }
  ag_zone_report_buffer(t, e->launch.model, o->zone);
  add_place(t, o);
  add_value_line(t, o);
  add_launches(t, &l, o->zone);
  if (is_sure(o->zone) && l.number == e->launch.number) add_arguments(t, e->record);
  log_zone(&l, o);
  ag_bad_values_write(e, t);
}

void ag_overwritten_check(ag_evaluation *e, enum ag_when when) {
  for (unsigned i = 0; i < e->record->nzones[when]; i++) {
    const ag_zone *z = &e->record->zones[when][i];
    ag_stats found = ag_nothing_bad;
    unsigned char element[4] = {0};
    if (!z->red || !e->results->zone(e, when, i, &found, element) || !found.nan ||
        !ag_zone_report_is_first(e, z))
      continue;
    overwritten o = read_zone(z, &found, element);
    report(e, &o);
  }
}

static void check_before(ag_evaluation *e) { ag_overwritten_check(e, AG_BEFORE); }
static void check_after(ag_evaluation *e) { ag_overwritten_check(e, AG_AFTER); }

AG_LAUNCH_HOOKS(overwritten) = {
    .wanted = ag_wants_memory, .evaluate_before = check_before, .evaluate_after = check_after};

/* provenance.c - origins and their reports. nan.c decides what is reported. */
#define _GNU_SOURCE
#include "checks/provenance.h"

#include <stdio.h>
#include <string.h>

#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "checks/nan.h"
#include "checks/reach.h"
#include "checks/report_args.h"
#include "checks/weight_index.h"
#include "state/model_state.h"
#include "tensor/layout.h"

enum { SUMMARY_UP_TO = 1 << 26 };

unsigned ag_kinds_wanted(const aotigen_model *model) {
  return (model->nan_asserts & 1 ? AG_NAN : 0u) | (model->nan_asserts & 2 ? AG_INF : 0u);
}

unsigned ag_kinds_of(const ag_stats *h) {
  return (h->nan ? AG_NAN : 0u) | (h->pos_inf ? AG_POS_INF : 0u) | (h->neg_inf ? AG_NEG_INF : 0u);
}

const char *ag_kinds_name(unsigned kinds) {
  return kinds & AG_NAN        ? "NaN"
         : kinds == AG_POS_INF ? "+Inf"
         : kinds == AG_NEG_INF ? "-Inf"
                               : "Inf";
}

int64_t ag_kinds_count(const ag_stats *h, unsigned kinds) {
  return (kinds & AG_NAN ? h->nan : 0) + (kinds & AG_POS_INF ? h->pos_inf : 0) +
         (kinds & AG_NEG_INF ? h->neg_inf : 0);
}

static void add_value(ag_text *t, const ag_dtype *d, bool had, const unsigned char element[16],
                      bool bits) {
  if (!had) {
    ag_text_add(t, "?");
    return;
  }
  if (d->cls == AG_COMPLEX) ag_text_add(t, "(");
  ag_text_add_g(t, ag_dtype_decode(d, element));
  if (d->cls == AG_COMPLEX) {
    ag_text_add(t, ", ");
    ag_text_add_g(t, ag_dtype_decode(d, element + d->item_size / 2));
    ag_text_add(t, ")");
  }
  if (!bits) return;
  ag_text_add(t, ", bits 0x");
  for (int i = d->item_size; i-- > 0;) ag_text_addf(t, "%02x", element[i]);
}

static enum ag_when when_of(const ag_arg *a, const ag_stats *h) {
  return h == &a->after ? AG_AFTER : AG_BEFORE;
}

/* The first element of these kinds. */
static bool get_first(ag_evaluation *e, const ag_arg *a, const ag_stats *h, unsigned kinds,
                      unsigned char element[16]) {
  return e->results->element(e, a, when_of(a, h), ag_reach_first(h, kinds), element);
}

/* "NaN in 21 of 36 elements, the first at [0, 0] (index 0): -nan, bits 0xffc00000; +Inf in 2" */
static void add_findings(ag_text *t, ag_evaluation *e, const ag_arg *a, const ag_stats *h,
                         unsigned kinds) {
  int64_t first = ag_reach_first(h, kinds);
  unsigned char element[16] = {0};
  ag_text_addf(t, "%s in %lld of %lld elements, the first at ",
               ag_kinds_name(kinds & ag_kinds_of(h)), (long long)ag_kinds_count(h, kinds),
               (long long)a->view.t.numel);
  ag_tensor_describe_index(t, &a->view.t, first);
  ag_text_addf(t, " (index %lld): ", (long long)first);
  add_value(t, a->view.t.dtype, get_first(e, a, h, kinds, element), element, true);
  unsigned others = ag_kinds_of(h) & ~kinds;
  for (unsigned k = AG_NAN; k <= AG_NEG_INF; k <<= 1)
    if (others & k)
      ag_text_addf(t, "; %s in %lld", ag_kinds_name(k), (long long)ag_kinds_count(h, k));
}

/* What an input was like. One that the launch did not write still holds what it held before. */
static void add_input(ag_text *t, ag_evaluation *e, const ag_arg *a, const ag_arg *output,
                      int64_t first) {
  ag_stats h;
  unsigned char element[16] = {0};
  bool kept = a->param->role != AOTIGEN_OUT && a->param->role != AOTIGEN_INOUT &&
              !a->asserted_after;
  ag_text_add(t, "  input         ");
  ag_report_arg(t, a);
  ag_text_add(t, "\n                ");
  if (!a->found.scanned)
    ag_text_add(t, "not scanned");
  else if (a->found.bad | a->found.intended)
    ag_text_addf(t, "with %s%s", ag_kinds_name(a->found.bad | a->found.intended),
                 a->found.bad ? "" : " that was perhaps put there on purpose");
  else
    ag_text_add(t, "clean");
  if (!kept) {
    ag_text_add(t, " before the launch, which wrote it\n");
    return;
  }
  if (a->view.t.numel <= SUMMARY_UP_TO && e->results->probe(e, a, &h) && h.finite &&
      a->view.t.dtype->cls == AG_FLOATING) {
    ag_text_add(t, ", ");
    ag_text_add_g(t, h.min);
    ag_text_add(t, " to ");
    ag_text_add_g(t, h.max);
  }
  int64_t index = output && a->view.t.numel ? ag_reach_match(&output->view.t, first, &a->view.t)
                                            : -1;
  if (index >= 0) {
    ag_text_add(t, "; at ");
    ag_tensor_describe_index(t, &a->view.t, index);
    ag_text_add(t, ": ");
    add_value(t, a->view.t.dtype,
              e->results->element_beside(e, a, index, &output->after, first, element), element,
              false);
  }
  ag_text_add(t, "\n");
}

static uint16_t add_origin(ag_evaluation *e, const ag_origin *o) {
  if (e->origins.count >= AG_NO_ORIGIN || !ag_list_grow((void **)&e->origins.list, &e->origins.room,
                                                        e->origins.count, sizeof *e->origins.list))
    return AG_NO_ORIGIN;
  e->origins.list[e->origins.count] = *o;
  return (uint16_t)e->origins.count++;
}

/* Written, and kept for aotigen_before_outputs() where a fault is to end the run. */
static void write_report(ag_evaluation *e, ag_text *t) {
  ag_text *pending = &e->pending;
  ag_report_write(t);
  if (ag_settings_get()->on_fault == AG_FAULT_THROW && !pending->length)
    ag_report_summarize(pending, ag_text_string(t));
}

/* The event of a finding; false where there is no log. */
static bool begin_event(ag_text *t, ag_evaluation *e, const char *event, const ag_arg *a,
                        const ag_stats *h, unsigned kinds) {
  ag_text value = {0};
  unsigned char element[16] = {0};
  int64_t at[AG_MAX_DIMS], flat = ag_reach_first(h, kinds);
  if (!ag_sink_has_log()) return false;
  ag_event_launch(t, event, &e->launch, a);
  ag_event_add_string(t, "check", kinds & AG_NAN ? "nan" : "inf");
  ag_event_add_string(t, "expected", "finite");
  add_value(&value, a->view.t.dtype, get_first(e, a, h, kinds, element), element, false);
  ag_event_add_string(t, "found", ag_text_string(&value));
  ag_event_add_number(t, "count", ag_kinds_count(h, kinds));
  ag_event_add_number(t, "numel", a->view.t.numel);
  ag_layout_index(a->view.t.ndim, a->view.t.sizes, flat, at);
  ag_event_add_list(t, "first_index", at, a->view.t.ndim);
  ag_text_free(&value);
  return true;
}

static void log_birth(ag_evaluation *e, bool born, const ag_arg *a, unsigned kinds) {
  ag_text t;
  if (begin_event(&t, e, born ? "born" : "unknown", a, &a->after, kinds)) ag_event_end(&t);
}

static bool is_folded(const aotigen_model *m, const ag_origin *o) {
  return o->source == AG_FROM_WEIGHT && o->index < m->nweights && m->weights[o->index].from_folded;
}

/* What an input or weight is called. */
static const char *name_source(const aotigen_model *m, const ag_origin *o) {
  return o->source == AG_FROM_INPUT ? "input" : is_folded(m, o) ? "folded constant" : "weight";
}

/* Where values that a launch was given came from: one of the launches from..to; 0 is no launch. */
static void format_before(ag_evaluation *e, const ag_arg *a, const ag_origin *o,
                          unsigned long long from, unsigned long long to) {
  bool written = a->source == AG_FROM_LAUNCH, arrived = o->how == AG_ARRIVED;
  bool is_read = ag_reach_is_read(e->record, (size_t)(a - e->record->args));
  ag_text *t = &e->report;
  const char *kind = ag_kinds_name(o->bad);
  unsigned long long number = e->launch.run, launch = e->launch.number;
  ag_text_clear(t);
  if (arrived) {
    ag_text_addf(t, "aotigen: %s arrived in run %llu with the %s '%s', %s launch %llu: %s\n", kind,
                 number, name_source(e->launch.model, o), o->name, is_read ? "read by" : "given to",
                 launch, ag_launch_site(&e->launch)->kernel);
    if (is_folded(e->launch.model, o))
      ag_text_add_line(t, "it came", "from constant folding, which is run 0");
  } else {
    ag_text_addf(t, "aotigen: %s found in run %llu, before launch %llu: %s\n", kind, number, launch,
                 ag_launch_site(&e->launch)->kernel);
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
  add_findings(t, e, a, &a->before, o->bad);
  ag_text_add(t, "\n");
  ag_weight_index_add(t, e, a, ag_reach_first(&a->before, o->bad));
}

/* Makes the report and the event of an origin before the launch, for ag_origin_release(). */
static void report_before(ag_evaluation *e, const ag_arg *a, ag_origin *o, uint64_t first,
                          uint64_t last) {
  bool arrived = o->how == AG_ARRIVED;
  if (arrived) first = last = 0;
  format_before(e, a, o, first, last);
  ag_text_add(&o->report, ag_text_string(&e->report));
  o->deferred = true;
  if (!begin_event(&o->event, e, arrived ? "arrived" : "unknown", a, &a->before, o->bad) || !last)
    return;
  ag_event_add_number(&o->event, "between_first", (int64_t)first);
  ag_event_add_number(&o->event, "between_last", (int64_t)last);
}

void ag_origin_release(ag_evaluation *e, uint16_t origin) {
  ag_origin *o = origin < e->origins.count ? &e->origins.list[origin] : NULL;
  if (!o || !o->deferred) return;
  o->deferred = false;
  if (o->event.length) ag_event_end(&o->event);
  o->event = (ag_text){0};
  write_report(e, &o->report);
}

static const char *name_origin(const aotigen_model *m, const ag_arg *a) {
  if (a->source == AG_FROM_INPUT && a->index < m->ninputs) {
    const aotigen_input *in = &m->inputs[a->index];
    return in->python_name ? in->python_name : in->name;
  }
  if (a->source == AG_FROM_WEIGHT && a->index < m->nweights) {
    const aotigen_weight *w = &m->weights[a->index];
    return w->fqn ? w->fqn : w->name;
  }
  return a->index == UINT32_MAX && a->param->python_name ? a->param->python_name : a->param->name;
}

/* An input or a weight is one origin, however many launches read it; values of another origin are
 * one where one launch reads them in two arguments, as of two views of a buffer. */
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
  bool arrived = a->source == AG_FROM_INPUT || a->source == AG_FROM_WEIGHT;
  ag_origin o = {.how = arrived ? AG_ARRIVED : AG_UNKNOWN,
                 .before = !arrived,
                 .bad = (uint8_t)kinds,
                 .launch = e->launch.number,
                 .site = e->launch.site,
                 .name = arrived ? name_origin(e->launch.model, a) : a->param->name,
                 .source = a->source,
                 .index = a->index};
  for (size_t i = 0; i < e->origins.count; i++)
    if (is_same_origin(&e->origins.list[i], &o)) return (uint16_t)i;
  report_before(e, a, &o, first, last);
  uint16_t origin = add_origin(e, &o);
  if (origin == AG_NO_ORIGIN) drop_report(&o);
  return origin;
}

uint16_t ag_origin_after(ag_evaluation *e, int how, unsigned kinds, const ag_arg *output) {
  const ag_origin o = {.how = how == AG_BORN ? AG_BORN : AG_UNKNOWN,
                       .bad = (uint8_t)kinds,
                       .launch = e->launch.number,
                       .site = e->launch.site,
                       .name = output->param->name,
                       .source = AG_FROM_LAUNCH};
  return add_origin(e, &o);
}

void ag_origin_add_name(ag_text *t, const ag_evaluation *e, const ag_origin *o) {
  ag_text_addf(t, " %s", ag_kinds_name(o->bad));
  if (o->how == AG_ARRIVED)
    ag_text_addf(t, " of the %s '%s'", name_source(e->launch.model, o), o->name);
  else
    ag_text_addf(t, " %s launch %llu (%s, %s)", o->before ? "found before" : "of",
                 (unsigned long long)o->launch, e->launch.model->sites[o->site].kernel, o->name);
}

/* Does argument number i hold what is reported. */
static bool is_reported(const ag_evaluation *e, size_t i, unsigned kinds) {
  return e->record->args[i].asserted_after && e->record->args[i].own & kinds;
}

/* "; reached by arg0_1 with NaN, buf3 with NaN": what explains an output that is not reported. */
static void add_explanation(ag_text *t, const ag_evaluation *e, size_t out, unsigned kinds) {
  const ag_record *r = e->record;
  unsigned slot = kinds & AG_NAN ? AG_NAN : AG_INF;
  int n = 0;
  if (!(r->args[out].left.bad & kinds)) {
    ag_text_add(t, "; perhaps there on purpose");
    return;
  }
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *a = &r->args[i];
    enum ag_reach reach = ag_reach_find_bad(r, i, a->found.bad & slot, out);
    if (!a->reads || !(a->found.bad & slot) || reach == AG_REACHES_NOT) continue;
    ag_text_addf(t, "%s%s with %s",
                 n++                   ? ", "
                 : reach == AG_REACHES ? "; reached by "
                                       : "; perhaps reached by ",
                 a->param->name, ag_kinds_name(a->found.bad & slot));
  }
}

/* Does an Inf that the launch read reach argument number `out`. */
static bool is_reached_by_infinity(const ag_evaluation *e, size_t out) {
  const ag_record *r = e->record;
  for (size_t i = 0; i < r->nargs; i++)
    if (r->args[i].reads && r->args[i].found.bad & AG_INF &&
        ag_reach_find(r, i, out) != AG_REACHES_NOT)
      return true;
  return false;
}

static void add_output(ag_text *t, ag_evaluation *e, size_t i, unsigned kinds, bool of_infinity) {
  const ag_arg *a = &e->record->args[i];
  ag_text_add(t, "  output        ");
  ag_report_arg(t, a);
  ag_text_add(t, "\n                ");
  if (ag_kinds_of(&a->after) & kinds)
    add_findings(t, e, a, &a->after, kinds);
  else
    ag_text_addf(t, "no %s", ag_kinds_name(kinds));
  if (ag_kinds_of(&a->after) & kinds && !is_reported(e, i, kinds))
    add_explanation(t, e, i, kinds);
  else if (of_infinity && is_reported(e, i, kinds) && !is_reached_by_infinity(e, i))
    ag_text_add(t, "; born here, no Inf reaches it");
  ag_text_add(t, "\n");
}

/* The reported ones first: what is thrown has the first finding of the report. of_infinity: the
 * report says that the NaN are made of Inf. */
static void add_outputs(ag_text *t, ag_evaluation *e, unsigned kinds, bool of_infinity) {
  for (int reported = 1; reported >= 0; reported--)
    for (size_t i = 0; i < e->record->nargs; i++)
      if (e->record->args[i].asserted_after && is_reported(e, i, kinds) == reported &&
          !ag_report_args_has_output(e, i, kinds, is_reported))
        add_output(t, e, i, kinds, of_infinity);
}

/* May argument number i have decided what is reported. */
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
  ag_text_addf(t, "\n                with %s, which does not reach ", ag_kinds_name(a->found.bad));
  for (size_t i = 0; i < e->record->nargs; i++)
    if (is_reported(e, i, kinds))
      ag_text_addf(t, "%s%s", n++ ? ", " : "", e->record->args[i].param->name);
  ag_text_add(t, "\n");
}

/* Is the Inf of argument number `in` beside the NaN of an output, and surely makes it bad: what a
 * call of one op makes of an Inf needs no such sign. */
static bool shows_infinity(ag_evaluation *e, size_t in) {
  const ag_record *r = e->record;
  unsigned kinds = r->args[in].found.bad & AG_INF;
  if (!(ag_launch_site(&e->launch)->flags & AOTIGEN_KERNEL)) return true;
  for (size_t k = 0; k < r->nargs; k++)
    if (is_reported(e, k, AG_NAN) && ag_reach_find_bad(r, in, kinds, k) == AG_REACHES)
      return ag_reach_is_seen(e, in, AG_INF, k, AG_NAN) ||
             ag_reach_is_in_row(e, in, AG_INF, k, AG_NAN);
  return false;
}

/* The argument with the Inf of which the launch made a NaN, as Inf - Inf, or may have; or NULL. */
static const ag_arg *find_infinity(ag_evaluation *e, unsigned kinds, bool *sure) {
  const ag_arg *found = NULL;
  *sure = false;
  for (size_t i = 0; i < e->record->nargs && kinds & AG_NAN && !*sure; i++) {
    const ag_arg *a = &e->record->args[i];
    uint16_t origin = a->found.origin[AG_INF_ORIGIN];
    if (!a->reads || a->view.state != AG_VIEW_OK || !(a->found.bad & AG_INF) ||
        origin >= e->origins.count || !reaches_reported(e, i, kinds))
      continue;
    *sure = !(a->found.perhaps & AG_INF) && shows_infinity(e, i);
    if (*sure || !found) found = a;
  }
  return found || !(kinds & AG_NAN) ? found : ag_report_args_find_intended(e, is_reported);
}

/* Those that may have decided what is reported; of the others, those that are bad. */
static void add_inputs(ag_text *t, ag_evaluation *e, unsigned kinds, const ag_arg *first) {
  bool any = false;
  for (size_t i = 0; i < e->record->nargs; i++) {
    const ag_arg *a = &e->record->args[i];
    if (!a->reads || a->view.state != AG_VIEW_OK) continue;
    any = true;
    if (ag_report_args_has_input(e, i, kinds, reaches_reported)) continue;
    if (reaches_reported(e, i, kinds))
      add_input(t, e, a, first, ag_reach_first(&first->after, kinds));
    else if (a->found.bad)
      add_unrelated(t, e, a, kinds);
  }
  if (!any) ag_text_add_line(t, "inputs", "none of floating point");
}

/* May what is reported be what argument number i held by chance. */
static bool is_unwritten(const ag_evaluation *e, size_t i, unsigned kinds) {
  for (size_t k = 0; k < e->record->nargs; k++)
    if (is_reported(e, k, kinds) && ag_reach_is_unwritten(e->record, i, k)) return true;
  return false;
}

static void add_unwritten(ag_text *t, const ag_evaluation *e, unsigned kinds) {
  ag_text names = {0};
  for (size_t i = 0; i < e->record->nargs; i++)
    if (is_unwritten(e, i, kinds))
      ag_text_addf(&names, "%s'%s'", names.length ? ", " : "", e->record->args[i].param->name);
  if (names.length)
    ag_text_addf(t, "  born here, or left unwritten: nothing wrote to %s before this launch\n",
                 ag_text_string(&names));
  ag_text_free(&names);
}

/* The line below the head that names the Inf. It may have come through several arguments. */
static void add_infinity(ag_text *t, const ag_evaluation *e, const ag_arg *a, bool sure) {
  ag_text_add(t, sure ? "  made of       the" : "  perhaps of    the");
  if (a->found.bad & AG_INF)
    ag_origin_add_name(t, e, &e->origins.list[a->found.origin[AG_INF_ORIGIN]]);
  else
    ag_text_addf(t, " %s that was perhaps put there on purpose",
                 ag_kinds_name(a->found.intended & AG_INF));
  ag_text_addf(t, ", which it read as %s\n", a->param->name);
}

/* A weight in a layout of its own, as Inductor freezes weights: where the launch read what explains
 * the value, it needs no second cause. */
static bool is_packed(const ag_arg *a) {
  return a->param->kind == AOTIGEN_WEIGHT && a->view.state == AG_VIEW_OPAQUE;
}

void ag_origin_report_after(ag_evaluation *e, uint16_t origin, unsigned kinds,
                            const ag_arg *unseen) {
  ag_text *t = &e->report;
  const ag_arg *first = NULL;
  char what[32];
  bool born, sure = false;
  const ag_arg *infinity = find_infinity(e, kinds, &sure);
  if (unseen && is_packed(unseen) && infinity && sure) unseen = NULL;
  born = !unseen;
  for (size_t i = 0; i < e->record->nargs; i++) {
    if (!first && is_reported(e, i, kinds)) first = &e->record->args[i];
    born = born && !is_unwritten(e, i, kinds);
  }
  if (!first) return;
  if (origin != AG_NO_ORIGIN) e->origins.list[origin].bad |= (uint8_t)kinds;
  if (unseen) infinity = NULL;
  sure = sure && born;
  if (infinity) ag_origin_release(e, infinity->found.origin[AG_INF_ORIGIN]);
  ag_text_clear(t);
  snprintf(what, sizeof what, "%s%s", ag_kinds_name(kinds),
           infinity && sure ? " made of Inf"
           : infinity       ? " perhaps made of Inf"
           : born           ? " born"
                            : " found");
  ag_report_head(t, &e->launch, what);
  if (unseen)
    ag_text_addf(t, "  born here, or brought by '%s', which could not be scanned\n",
                 unseen->param->name);
  add_unwritten(t, e, kinds);
  ag_report_site(t, &e->launch);
  if (infinity) add_infinity(t, e, infinity, sure);
  add_outputs(t, e, kinds, infinity && infinity->found.bad & AG_INF);
  add_inputs(t, e, kinds, first);
  log_birth(e, born, first, kinds);
  write_report(e, t);
}

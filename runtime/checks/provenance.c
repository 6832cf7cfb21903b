/* provenance.c - origins, their reports, and the path of a bad value. nan.c decides what is
 * reported. */
#define _GNU_SOURCE
#include "checks/provenance.h"

#include <stdio.h>
#include <string.h>

#include "base/settings.h"
#include "base/sink.h"
#include "checks/finding.h"
#include "checks/nan.h"
#include "checks/reach.h"
#include "checks/weight_index.h"
#include "state/model_state.h"

enum { SUMMARY_UP_TO = 1 << 26, PATH_HEAD = 16, PATH_TAIL = 8 };

unsigned ag_kinds_wanted(const aotigen_model *model) {
  return (model->nan_asserts & 1 ? AG_NAN : 0u) | (model->nan_asserts & 2 ? AG_INF : 0u);
}

unsigned ag_kinds_of(const ag_stats *h) {
  return (h->nan ? AG_NAN : 0u) | (h->pos_inf ? AG_POS_INF : 0u) | (h->neg_inf ? AG_NEG_INF : 0u);
}

static const char *kind_name(unsigned kinds) {
  return kinds & AG_NAN        ? "NaN"
         : kinds == AG_POS_INF ? "+Inf"
         : kinds == AG_NEG_INF ? "-Inf"
                               : "Inf";
}

static int64_t count_of(const ag_stats *h, unsigned kinds) {
  return (kinds & AG_NAN ? h->nan : 0) + (kinds & AG_POS_INF ? h->pos_inf : 0) +
         (kinds & AG_NEG_INF ? h->neg_inf : 0);
}

static int64_t first_of(const ag_stats *h, unsigned kinds) {
  int64_t first = kinds & AG_NAN ? h->first_nan : -1;
  if (kinds & AG_POS_INF && h->first_pos_inf >= 0 && (first < 0 || h->first_pos_inf < first))
    first = h->first_pos_inf;
  if (kinds & AG_NEG_INF && h->first_neg_inf >= 0 && (first < 0 || h->first_neg_inf < first))
    first = h->first_neg_inf;
  return first;
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

/* "NaN in 21 of 36 elements, the first at [0, 0] (index 0): -nan, bits 0xffc00000; +Inf in 2" */
static void add_findings(ag_text *t, ag_evaluation *e, const ag_arg *a, const ag_stats *h,
                         unsigned kinds) {
  int64_t first = first_of(h, kinds);
  unsigned char element[16] = {0};
  ag_text_addf(t, "%s in %lld of %lld elements, the first at ", kind_name(kinds & ag_kinds_of(h)),
               (long long)count_of(h, kinds), (long long)a->view.t.numel);
  ag_tensor_describe_index(t, &a->view.t, first);
  ag_text_addf(t, " (index %lld): ", (long long)first);
  add_value(t, a->view.t.dtype, e->results->element(e, a, when_of(a, h), first, element), element,
            true);
  unsigned others = ag_kinds_of(h) & ~kinds;
  for (unsigned k = AG_NAN; k <= AG_NEG_INF; k <<= 1)
    if (others & k) ag_text_addf(t, "; %s in %lld", kind_name(k), (long long)count_of(h, k));
}

/* The index in `a` that belongs to index `flat` of `output`, as broadcasting has it; -1 where there
 * is none. */
static int64_t matching_index(const ag_tensor *output, int64_t flat, const ag_tensor *a) {
  int64_t index = 0, weight = 1;
  if (a->ndim > output->ndim) return -1;
  for (int32_t i = 0; i < output->ndim; i++) {
    int64_t size = output->sizes[output->ndim - 1 - i], at = flat % size;
    flat /= size;
    if (i >= a->ndim) continue;
    int64_t mine = a->sizes[a->ndim - 1 - i];
    if (mine != size && mine != 1) return -1;
    index += (mine == 1 ? 0 : at) * weight;
    weight *= mine;
  }
  return index;
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
    ag_text_addf(t, "with %s%s", kind_name(a->found.bad | a->found.intended),
                 a->found.bad ? "" : " that was put there on purpose");
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
  int64_t index = output && a->view.t.numel ? matching_index(&output->view.t, first, &a->view.t)
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

/* A bad input that did not decide what is reported. */
static void add_unrelated(ag_text *t, const ag_arg *a) {
  ag_text_add(t, "  input         ");
  ag_report_arg(t, a);
  ag_text_addf(t, "\n                with %s, which does not reach the output\n",
               kind_name(a->found.bad));
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

static void log_finding(ag_evaluation *e, const char *event, const ag_arg *a, const ag_stats *h,
                        unsigned kinds, uint64_t first, uint64_t last) {
  ag_text t, value = {0};
  unsigned char element[16] = {0};
  int64_t at[AG_MAX_DIMS], flat = first_of(h, kinds);
  if (!ag_sink_has_log()) return;
  ag_event_launch(&t, event, &e->launch, a);
  ag_event_add_string(&t, "check", kinds & AG_NAN ? "nan" : "inf");
  ag_event_add_string(&t, "expected", "finite");
  add_value(&value, a->view.t.dtype, e->results->element(e, a, when_of(a, h), flat, element),
            element, false);
  ag_event_add_string(&t, "found", ag_text_string(&value));
  ag_event_add_number(&t, "count", count_of(h, kinds));
  ag_event_add_number(&t, "numel", a->view.t.numel);
  for (int32_t i = a->view.t.ndim - 1; i >= 0; i--) {
    at[i] = flat % a->view.t.sizes[i];
    flat /= a->view.t.sizes[i];
  }
  ag_event_add_list(&t, "first_index", at, a->view.t.ndim);
  if (last) {
    ag_event_add_number(&t, "between_first", (int64_t)first);
    ag_event_add_number(&t, "between_last", (int64_t)last);
  }
  ag_text_free(&value);
  ag_event_end(&t);
}

static void report_before(ag_evaluation *e, const ag_arg *a, const ag_origin *o, uint64_t first,
                          uint64_t last) {
  bool written = a->source == AG_FROM_LAUNCH, arrived = o->how == AG_ARRIVED;
  ag_text *t = &e->report;
  const char *kind = kind_name(o->bad);
  unsigned long long number = e->launch.run, launch = e->launch.number, from = arrived ? 0 : first,
                     to = arrived ? 0 : last;
  ag_text_clear(t);
  if (arrived) {
    ag_text_addf(t, "aotigen: %s arrived in run %llu with the %s '%s', read by launch %llu: %s\n",
                 kind, number, o->source == AG_FROM_INPUT ? "input" : "weight", o->name, launch,
                 ag_launch_site(&e->launch)->kernel);
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
  ag_text_add(t, "  read as       ");
  ag_report_arg(t, a);
  ag_text_add(t, "\n                ");
  add_findings(t, e, a, &a->before, o->bad);
  ag_text_add(t, "\n");
  ag_weight_index_add(t, e, a, first_of(&a->before, o->bad));
  log_finding(e, arrived ? "arrived" : "unknown", a, &a->before, o->bad, from, to);
  write_report(e, t);
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

uint16_t ag_origin_before(ag_evaluation *e, const ag_arg *a, unsigned kinds, uint64_t first,
                          uint64_t last) {
  bool arrived = a->source == AG_FROM_INPUT || a->source == AG_FROM_WEIGHT;
  const ag_origin o = {.how = arrived ? AG_ARRIVED : AG_UNKNOWN,
                       .bad = (uint8_t)kinds,
                       .launch = e->launch.number,
                       .site = e->launch.site,
                       .name = arrived ? name_origin(e->launch.model, a) : a->param->name,
                       .source = a->source,
                       .index = a->index};
  for (size_t i = 0; i < e->origins.count; i++)
    if (is_same_origin(&e->origins.list[i], &o)) return (uint16_t)i;
  report_before(e, a, &o, first, last);
  return add_origin(e, &o);
}

uint16_t ag_origin_after(ag_evaluation *e, int how, unsigned kinds, const ag_arg *output) {
  ag_origin o = {how == AG_BORN ? AG_BORN : AG_UNKNOWN,
                 (uint8_t)kinds,
                 e->launch.number,
                 e->launch.site,
                 output->param->name,
                 AG_FROM_LAUNCH,
                 0,
                 0};
  return add_origin(e, &o);
}

/* " +Inf of launch 3 (KERNEL, buf3)", " NaN of the weight 'a.weight'" */
static void add_origin_name(ag_text *t, const ag_evaluation *e, const ag_origin *o) {
  ag_text_addf(t, " %s", kind_name(o->bad));
  if (o->how == AG_ARRIVED)
    ag_text_addf(t, " of the %s '%s'", o->source == AG_FROM_INPUT ? "input" : "weight", o->name);
  else
    ag_text_addf(t, " of launch %llu (%s, %s)", (unsigned long long)o->launch,
                 e->launch.model->sites[o->site].kernel, o->name);
}

/* Does argument number i hold what is reported. */
static bool is_reported(const ag_evaluation *e, size_t i, unsigned kinds, uint64_t outputs) {
  const ag_arg *a = &e->record->args[i];
  return a->asserted_after && ag_kinds_of(&a->after) & kinds && (i >= 64 || outputs >> i & 1);
}

static void add_outputs(ag_text *t, ag_evaluation *e, unsigned kinds, uint64_t outputs) {
  for (size_t i = 0; i < e->record->nargs; i++) {
    ag_arg *a = &e->record->args[i];
    if (!a->asserted_after) continue;
    ag_text_add(t, "  output        ");
    ag_report_arg(t, a);
    ag_text_add(t, "\n                ");
    if (ag_kinds_of(&a->after) & kinds)
      add_findings(t, e, a, &a->after, kinds);
    else
      ag_text_addf(t, "no %s", kind_name(kinds));
    if (ag_kinds_of(&a->after) & kinds && !is_reported(e, i, kinds, outputs))
      ag_text_add(t, "; not of this origin");
    ag_text_add(t, "\n");
  }
}

/* May argument number i have decided what is reported. */
static bool reaches_reported(const ag_evaluation *e, size_t i, unsigned kinds, uint64_t outputs) {
  for (size_t k = 0; k < e->record->nargs; k++)
    if (is_reported(e, k, kinds, outputs) && ag_reach_find(e->record, i, k) != AG_REACHES_NOT)
      return true;
  return false;
}

/* A NaN that the launch made of an Inf it read, as Inf - Inf: the origin of that Inf, or NULL. */
static const ag_origin *find_infinity(const ag_evaluation *e, unsigned kinds, uint64_t outputs) {
  for (size_t i = 0; i < e->record->nargs && kinds & AG_NAN; i++) {
    const ag_arg *a = &e->record->args[i];
    uint16_t origin = a->found.origin[AG_INF_ORIGIN];
    if (a->reads && a->view.state == AG_VIEW_OK && a->found.bad & AG_INF &&
        origin < e->origins.count && reaches_reported(e, i, kinds, outputs))
      return &e->origins.list[origin];
  }
  return NULL;
}

/* Those that may have decided what is reported; of the others, those that are bad. */
static void add_inputs(ag_text *t, ag_evaluation *e, unsigned kinds, uint64_t outputs,
                       const ag_arg *first) {
  bool any = false;
  for (size_t i = 0; i < e->record->nargs; i++) {
    const ag_arg *a = &e->record->args[i];
    if (!a->reads || a->view.state != AG_VIEW_OK) continue;
    any = true;
    if (reaches_reported(e, i, kinds, outputs))
      add_input(t, e, a, first, first_of(&first->after, kinds));
    else if (a->found.bad)
      add_unrelated(t, a);
  }
  if (!any) ag_text_add_line(t, "inputs", "none of floating point");
}

/* May what is reported be what argument number i held by chance. */
static bool is_unwritten(const ag_evaluation *e, size_t i, unsigned kinds, uint64_t outputs) {
  for (size_t k = 0; k < e->record->nargs; k++)
    if (is_reported(e, k, kinds, outputs) && ag_reach_is_unwritten(e->record, i, k)) return true;
  return false;
}

static void add_unwritten(ag_text *t, const ag_evaluation *e, unsigned kinds, uint64_t outputs) {
  ag_text names = {0};
  for (size_t i = 0; i < e->record->nargs; i++)
    if (is_unwritten(e, i, kinds, outputs))
      ag_text_addf(&names, "%s'%s'", names.length ? ", " : "", e->record->args[i].param->name);
  if (names.length)
    ag_text_addf(t, "  born here, or left unwritten: nothing wrote to %s before this launch\n",
                 ag_text_string(&names));
  ag_text_free(&names);
}

void ag_origin_report_after(ag_evaluation *e, uint16_t origin, unsigned kinds, uint64_t outputs,
                            const ag_arg *unseen) {
  ag_text *t = &e->report;
  const ag_arg *first = NULL;
  char what[32];
  bool born = !unseen;
  for (size_t i = 0; i < e->record->nargs; i++) {
    if (!first && is_reported(e, i, kinds, outputs)) first = &e->record->args[i];
    born = born && !is_unwritten(e, i, kinds, outputs);
  }
  if (!first) return;
  if (origin != AG_NO_ORIGIN) e->origins.list[origin].bad |= (uint8_t)kinds;
  ag_text_clear(t);
  const ag_origin *infinity = born ? find_infinity(e, kinds, outputs) : NULL;
  strcpy(what, kind_name(kinds));
  strcat(what, infinity ? " made of Inf" : born ? " born" : " found");
  ag_report_head(t, &e->launch, what);
  if (unseen)
    ag_text_addf(t, "  born here, or brought by '%s', which could not be scanned\n",
                 unseen->param->name);
  add_unwritten(t, e, kinds, outputs);
  ag_report_site(t, &e->launch);
  if (infinity) {
    ag_text_add(t, "  made of       the");
    add_origin_name(t, e, infinity);
    ag_text_add(t, ", which it read\n");
  }
  add_outputs(t, e, kinds, outputs);
  add_inputs(t, e, kinds, outputs, first);
  log_finding(e, born ? "born" : "unknown", first, &first->after, kinds, 0, 0);
  write_report(e, t);
}

/* The step of the launch that is evaluated, where the origin's path has it already. */
static ag_step *find_step(const ag_evaluation *e, uint16_t origin) {
  for (size_t i = e->origins.nsteps; i-- > 0;) {
    ag_step *step = &e->origins.steps[i];
    if (step->launch != e->launch.number) return NULL;
    if (step->origin == origin) return step;
  }
  return NULL;
}

/* "+Inf in 2 of 16 elements, the first at [3] (index 3)" */
static void describe_own(ag_step *step, const ag_arg *a, unsigned kinds) {
  ag_text t = {0};
  int64_t first = first_of(&a->after, kinds);
  ag_text_addf(&t, "%s in %lld of %lld elements, the first at ", kind_name(kinds),
               (long long)count_of(&a->after, kinds), (long long)a->view.t.numel);
  ag_tensor_describe_index(&t, &a->view.t, first);
  snprintf(step->also, sizeof step->also, "%s", ag_text_string(&t));
  ag_text_free(&t);
}

void ag_origin_passed(ag_evaluation *e, uint16_t origin, uint16_t param, unsigned own) {
  ag_text t;
  if (origin >= e->origins.count || find_step(e, origin) ||
      !ag_list_grow((void **)&e->origins.steps, &e->origins.steps_room, e->origins.nsteps,
                    sizeof *e->origins.steps))
    return;
  ag_step *step = &e->origins.steps[e->origins.nsteps++];
  e->origins.list[origin].passed++;
  *step = (ag_step){
      .launch = e->launch.number, .site = e->launch.site, .origin = origin, .param = param};
  if (own) describe_own(step, &e->record->args[param], own);
  if (!ag_sink_has_log()) return;
  ag_event_launch(&t, "passed", &e->launch, &e->record->args[param]);
  ag_event_add_string(&t, "check", e->origins.list[origin].bad & AG_NAN ? "nan" : "inf");
  ag_event_add_number(&t, "origin_launch", (int64_t)e->origins.list[origin].launch);
  if (own) ag_event_add_string(&t, "perhaps_born", step->also);
  ag_event_end(&t);
}

static void add_path(ag_text *t, const ag_evaluation *e, uint16_t origin) {
  const ag_origin *o = &e->origins.list[origin];
  uint32_t k = 0;
  ag_text_addf(t, "aotigen: run %llu:", (unsigned long long)e->launch.run);
  add_origin_name(t, e, o);
  ag_text_addf(t, " passed on by %u launch%s\n", o->passed, o->passed == 1 ? "" : "es");
  for (size_t i = 0; i < e->origins.nsteps; i++) {
    const ag_step *step = &e->origins.steps[i];
    const aotigen_site *site = &e->launch.model->sites[step->site];
    if (step->origin != origin) continue;
    k++;
    if (o->passed > PATH_HEAD + PATH_TAIL && k == PATH_HEAD + 1)
      ag_text_addf(t, "  ... %u more ...\n", o->passed - PATH_HEAD - PATH_TAIL);
    if (o->passed > PATH_HEAD + PATH_TAIL && k > PATH_HEAD && k <= o->passed - PATH_TAIL) continue;
    ag_text_addf(t, "  launch %-6llu %s, to %s", (unsigned long long)step->launch, site->kernel,
                 site->params[step->param].name);
    ag_text_addf(t, "%s%s%s\n", *site->nodes ? " (" : "", site->nodes, *site->nodes ? ")" : "");
    if (*step->also)
      ag_text_addf(t, "                also bad there, perhaps of its own: %s\n", step->also);
  }
}

void ag_nan_run_end(ag_evaluation *e) {
  for (size_t i = 0; i < e->origins.count; i++) {
    if (!e->origins.list[i].passed) continue;
    ag_text_clear(&e->report);
    add_path(&e->report, e, (uint16_t)i);
    ag_sink_write_stderr(ag_text_string(&e->report));
  }
}

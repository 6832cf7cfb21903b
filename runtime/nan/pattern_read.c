/* pattern_read.c - see pattern_read.h. */
#define _GNU_SOURCE
#include "nan/pattern_read.h"

#include "base/sink.h"
#include "checks/bad_values.h"
#include "checks/finding.h"
#include "tensor/pattern.h"

/* The guards that use each pattern. */
static const unsigned guards[] = {[AG_PATTERN_UNWRITTEN] = AOTIGEN_GUARD_POISON,
                                  [AG_PATTERN_ZONE] = AOTIGEN_GUARD_CANARY | AOTIGEN_GUARD_PAGE |
                                                      AOTIGEN_GUARD_PAGE_BEFORE};

static bool holds_pattern(ag_evaluation *e, const ag_arg *a, enum ag_when when,
                          const ag_stats *found, enum ag_pattern which) {
  unsigned char element[16];
  return e->launch.model->guard & guards[which] && found->nan && a->view.t.dtype->item_size > 1 &&
         e->results->element(e, a, when, found->first_nan, element) &&
         ag_pattern_is(a->view.t.dtype, which, element);
}

bool ag_pattern_is_unwritten(ag_evaluation *e, const ag_arg *a, enum ag_when when,
                             const ag_stats *found) {
  return holds_pattern(e, a, when, found, AG_PATTERN_UNWRITTEN);
}

void ag_pattern_note_given(ag_evaluation *e, const ag_arg *a) {
  bool given = a->values.source == AG_FROM_INPUT || a->values.source == AG_FROM_WEIGHT;
  if (!given || !((a->values.found.bad | a->values.found.intended) & AG_NAN)) return;
  /* The bits of a weight that an earlier run found bad are not read again. */
  bool unread = !a->values.counted && a->values.source == AG_FROM_WEIGHT;
  if (unread || ag_pattern_is_unwritten(e, a, AG_BEFORE, &a->values.before)) e->pattern_read = true;
}

/* True if an unscanned argument may have held the pattern: then an earlier launch read it. */
static bool may_be_copied(const ag_evaluation *e) {
  const ag_record *r = e->record;
  bool unseen = e->launch.unscanned != 0;
  for (size_t i = 0; i < r->nargs && !unseen; i++)
    unseen = r->args[i].values.reads && !r->args[i].values.found.scanned;
  return unseen;
}

ag_pattern_read ag_pattern_read_find(ag_evaluation *e, const ag_arg *output) {
  ag_pattern_read r = {.n = 0};
  unsigned char element[16];
  if (!output->values.after.nan ||
      !e->results->element(e, output, AG_AFTER, output->values.after.first_nan, element))
    return r;
  r.n =
      ag_released_buffers_find(e->released, output->view.t.dtype, element, r.of, AG_RELEASED_SHOWN);
  r.by_numbers = output->view.t.device_type == 0 &&
                 ag_pattern_is_default_nan(output->view.t.dtype, element);
  r.beside = !r.n && !may_be_copied(e) &&
             holds_pattern(e, output, AG_AFTER, &output->values.after, AG_PATTERN_ZONE);
  return r;
}

const char *ag_pattern_read_name(const ag_pattern_read *read) {
  return read->n ? cause_what(CAUSE_RELEASED) : cause_what(CAUSE_BESIDE);
}

/* ---- the report ----------------------------------------------------------------------------- */

static void add_released(ag_text *t, const ag_evaluation *e, const ag_released_buffer *b) {
  const aotigen_model *m = e->launch.model;
  ag_text line = {0};
  ag_text_addf(&line, "%s, allocated at %s:%d, ", b->row->name, m->source, b->row->line);
  if (b->written)
    ag_text_addf(&line, "written by launch %llu (%s), ", (unsigned long long)b->written,
                 ag_site_name(&m->sites[b->writer]));
  ag_text_add(&line, "released ");
  ag_report_after_launch(&line, b->released);
  ag_text_add_line(t, "released", "%s", ag_text_string(&line));
  ag_text_free(&line);
}

void ag_pattern_read_add(ag_text *t, const ag_evaluation *e, const ag_pattern_read *r, bool born) {
  if (r->beside)
    ag_text_add_line(t, "read",
                     "the output holds the bits that stand before and behind each guarded buffer: "
                     "look at the indices of this launch");
  else if (!r->n && born && !r->by_numbers && e->launch.model->guard & (guards[0] | guards[1]) &&
           ag_site_is_dispatched(ag_launch_site(&e->launch)))
    ag_text_add_line(t, "perhaps of",
                     "memory beside a buffer, or released: --guard puts NaN there");
  if (!r->n) return;
  for (size_t i = 0; i < r->n && i < AG_RELEASED_SHOWN; i++) add_released(t, e, &r->of[i]);
  if (r->n > AG_RELEASED_SHOWN)
    ag_text_add_line(t, "", "or one of %zu others", r->n - AG_RELEASED_SHOWN);
  ag_text_add_line(t, "", "%s memory holds these bits since: the launch read %s",
                   r->n == 1 ? "its" : "their", r->n == 1 ? "it" : "one of them");
}

void ag_pattern_read_log(ag_evaluation *e, const ag_arg *output, const ag_pattern_read *read) {
  ag_text t;
  if (!ag_bad_values_begin_event(&t, e, read->n ? EVENT_RELEASED : EVENT_BESIDE, output,
                                 &output->values.after, AG_NAN))
    return;
  if (read->n) {
    ag_event_add_string(&t, "buffer", read->of[0].row->name);
    ag_event_add_number(&t, "buffers", (int64_t)read->n);
    ag_event_add_number(&t, "written_by", (int64_t)read->of[0].written);
    ag_event_add_number(&t, "released_after", (int64_t)read->of[0].released);
  }
  ag_event_end(&t);
}

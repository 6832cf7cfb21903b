/* released_read.c - see released_read.h. */
#define _GNU_SOURCE
#include "checks/released_read.h"

#include "base/sink.h"
#include "checks/bad_values.h"
#include "checks/finding.h"

ag_released_read ag_released_read_find(ag_evaluation *e, const ag_arg *output) {
  ag_released_read r = {.n = 0};
  unsigned char element[16];
  if (e->released && output->after.nan &&
      e->results->element(e, output, AG_AFTER, output->after.first_nan, element))
    r.n = ag_released_buffers_find(e->released, output->view.t.dtype, element, r.of,
                                   AG_RELEASED_SHOWN);
  return r;
}

static void add_buffer(ag_text *t, const ag_evaluation *e, const ag_released_buffer *b) {
  const aotigen_model *m = e->launch.model;
  ag_text line = {0};
  ag_text_addf(&line, "%s, allocated at %s:%d, ", b->row->name, m->source, b->row->line);
  if (b->written)
    ag_text_addf(&line, "written by launch %llu (%s), ", (unsigned long long)b->written,
                 m->sites[b->writer].kernel);
  ag_text_addf(&line, "released after launch %llu", (unsigned long long)b->released);
  ag_text_add_line(t, "released", "%s", ag_text_string(&line));
  ag_text_free(&line);
}

void ag_released_read_add(ag_text *t, const ag_evaluation *e, const ag_released_read *r) {
  for (size_t i = 0; i < r->n && i < AG_RELEASED_SHOWN; i++) add_buffer(t, e, &r->of[i]);
  if (r->n > AG_RELEASED_SHOWN)
    ag_text_add_line(t, "", "or one of %zu others", r->n - AG_RELEASED_SHOWN);
  ag_text_add_line(t, "", "%s memory holds these bits since: the launch read %s",
                   r->n == 1 ? "its" : "their", r->n == 1 ? "it" : "one of them");
}

void ag_released_read_log(ag_evaluation *e, const ag_arg *output, const ag_released_read *r) {
  ag_text t;
  if (!ag_bad_values_begin_event(&t, e, "released", output, &output->after, AG_NAN)) return;
  ag_event_add_string(&t, "buffer", r->of[0].row->name);
  ag_event_add_number(&t, "buffers", (int64_t)r->n);
  ag_event_add_number(&t, "written_by", (int64_t)r->of[0].written);
  ag_event_add_number(&t, "released_after", (int64_t)r->of[0].released);
  ag_event_end(&t);
}

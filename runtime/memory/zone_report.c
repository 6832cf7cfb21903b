/* zone_report.c - see zone_report.h. */
#define _GNU_SOURCE
#include "memory/zone_report.h"

#include "checks/finding.h"
#include "state/model_state.h"

void ag_zone_report_buffer(ag_text *t, const aotigen_model *model, const ag_zone *z) {
  ag_text shape = {0};
  ag_text_addf(&shape, "%s ", z->buffer.dtype->name);
  ag_text_add_list(&shape, z->buffer.sizes, z->buffer.ndim, "[", ", ", "]");
  ag_text_add(&shape, " on ");
  ag_device_describe(&shape, z->buffer.device_type, z->buffer.device_index);
  ag_text_add_line(t, "buffer", "%s: %s", z->buffer.row->name, ag_text_string(&shape));
  if (z->buffer.row->given) {
    ag_text_add_line(t, "", "this run's copy of '%s'", z->buffer.row->given);
    ag_text_free(&shape);
    return;
  }
  ag_text when = {0};
  ag_report_after_launch(&when, z->buffer.allocated);
  ag_text_add_line(t, "", "allocated at %s:%d, %s%s", model->source, z->buffer.row->line,
                   ag_text_string(&when), z->released ? ", and released since" : "");
  ag_text_free(&when);
  ag_text_free(&shape);
}

bool ag_zone_report_is_first(ag_evaluation *e, const ag_zone *z) {
  const ag_reported_zone now = {z->buffer.row, z->buffer.allocated, z->behind, !!z->red};
  for (size_t i = 0; i < e->reported.count; i++) {
    const ag_reported_zone *x = &e->reported.list[i];
    if (x->row == z->buffer.row && x->allocated == z->buffer.allocated && x->behind == z->behind &&
        x->red == z->red)
      return false;
  }
  if (ag_list_grow((void **)&e->reported.list, &e->reported.room, e->reported.count,
                   sizeof *e->reported.list))
    e->reported.list[e->reported.count++] = now;
  return true;
}

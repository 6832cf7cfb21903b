/* op_effects.c - see op_effects.h. */
#define _GNU_SOURCE
#include "checks/op_effects.h"

#include <stdio.h>
#include <string.h>

#include "base/sink.h"
#include "checks/bad_values.h"
#include "checks/finding.h"
#include "checks/op_registered.h"

static bool is_result(const ag_arg *a) { return a->param->role == AOTIGEN_OUT; }

bool ag_op_must_keep(const ag_model_state *m, const ag_record *r, size_t arg) {
  const ag_op_facts *op = ag_op_registered_find(m, r->launch.site);
  const ag_arg *a = &r->args[arg];
  if (!ag_op_only_reads(op, arg) || a->view.state != AG_VIEW_OK || !a->view.t.numel || is_result(a))
    return false;
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *other = &r->args[i];
    if (i != arg && other->view.state == AG_VIEW_OK && !is_result(other) &&
        !ag_op_only_reads(op, i) && ag_view_overlaps(&a->view, &other->view))
      return false;
  }
  return true;
}

void ag_op_contents_count(ag_contents *x, const ag_arg *a) {
  size_t item = a->view.t.dtype->item_size, n = (size_t)a->view.t.numel;
  const unsigned char *was = x->before.bytes, *is = x->after.bytes;
  x->changed = 0;
  if (!memcmp(was, is, n * item)) return;
  for (size_t i = 0; i < n; i++) {
    if (!memcmp(was + i * item, is + i * item, item)) continue;
    if (x->changed++) continue;
    x->first = (int64_t)i;
    memcpy(x->was, was + i * item, item);
    memcpy(x->is, is + i * item, item);
  }
}

/* ---- the report ----------------------------------------------------------------------------- */

static void begin(ag_evaluation *e, const char *what, const ag_arg *a) {
  ag_text *t = &e->report, line = {0};
  ag_text_clear(t);
  ag_report_head(t, &e->launch, what);
  ag_report_site(t, &e->launch);
  ag_report_arg(&line, a);
  ag_text_add_line(t, is_result(a) ? "output" : "input", "%s", ag_text_string(&line));
  ag_text_free(&line);
}

static void end(ag_evaluation *e) {
  const ag_op_facts *op = ag_op_registered_find(e->model, e->launch.site);
  ag_text_add_line(&e->report, "schema", "%s", op->schema);
  ag_bad_values_write(e, &e->report);
}

static void log_changed(ag_evaluation *e, const ag_arg *a, const char *expected,
                        const char *found) {
  ag_text event;
  if (!ag_sink_has_log()) return;
  ag_event_launch(&event, "operator", &e->launch, a);
  ag_event_add_string(&event, "check", "content");
  ag_event_add_string(&event, "expected", expected);
  ag_event_add_string(&event, "found", found);
  ag_event_end(&event);
}

static void report_changed(ag_evaluation *e, const ag_contents *x) {
  const ag_arg *a = &e->record->args[x->before.arg];
  ag_text was = {0}, is = {0}, at = {0};
  ag_bad_values_add(&was, a->view.t.dtype, true, x->was, false);
  ag_bad_values_add(&is, a->view.t.dtype, true, x->is, false);
  ag_tensor_describe_index(&at, &a->view.t, x->first);
  begin(e, "read-only input changed", a);
  ag_text_add_line(&e->report, "",
                   "%lld of %lld elements changed, the first at %s: it was %s, and is %s",
                   (long long)x->changed, (long long)a->view.t.numel, ag_text_string(&at),
                   ag_text_string(&was), ag_text_string(&is));
  log_changed(e, a, ag_text_string(&was), ag_text_string(&is));
  end(e);
  ag_text_free(&was);
  ag_text_free(&is);
  ag_text_free(&at);
}

static bool has_arrived(const ag_arg_copy *c) {
  return c->bytes && (!c->arrived || __atomic_load_n(c->arrived, __ATOMIC_ACQUIRE));
}

static void check_contents(ag_evaluation *e) {
  for (unsigned i = 0; i < e->record->ncontents; i++) {
    ag_contents *x = &e->record->contents[i];
    if (x->changed < 0 && has_arrived(&x->before) && has_arrived(&x->after))
      ag_op_contents_count(x, &e->record->args[x->before.arg]);
    if (x->changed > 0) report_changed(e, x);
  }
}

/* ---- results that share memory -------------------------------------------------------------- */

static bool shares_storage(const ag_view *a, const ag_view *b) {
  if (a->state != AG_VIEW_OK || b->state != AG_VIEW_OK || a->storage_bytes <= 0 ||
      b->storage_bytes <= 0 || a->t.device_type != b->t.device_type ||
      a->t.device_index != b->t.device_index)
    return false;
  uintptr_t begin = (uintptr_t)a->t.data - (uintptr_t)a->first_byte,
            other = (uintptr_t)b->t.data - (uintptr_t)b->first_byte;
  return begin < other + (uintptr_t)b->storage_bytes && other < begin + (uintptr_t)a->storage_bytes;
}

static void check_result(ag_evaluation *e, const ag_arg *out) {
  for (size_t i = 0; i < e->record->nargs; i++) {
    const ag_arg *in = &e->record->args[i];
    ag_text name = {0};
    if (is_result(in) || !shares_storage(&out->view, &in->view)) continue;
    ag_report_arg_name(&name, in);
    begin(e, "output shares memory with an input", out);
    ag_text_add_line(&e->report, "", "memory: expected memory of its own, found that of '%s'",
                     ag_text_string(&name));
    log_changed(e, out, "memory of its own", ag_text_string(&name));
    end(e);
    ag_text_free(&name);
    return;
  }
}

void ag_op_effects_check(ag_evaluation *e) {
  const ag_op_facts *op = ag_op_registered_find(e->model, e->launch.site);
  if (!op || !(e->launch.model->guard & AOTIGEN_GUARD_OPS)) return;
  check_contents(e);
  for (size_t i = 0; op->makes_new_memory && i < e->record->nargs; i++)
    if (is_result(&e->record->args[i])) check_result(e, &e->record->args[i]);
}

void ag_op_effects_counts_changed(ag_evaluation *e, size_t arg) {
  const ag_arg *a = &e->record->args[arg];
  const ag_stats *before = a->counted ? &a->before : &ag_nothing_bad, *after = &a->after;
  char line[160];
  if (e->launch.model->guard & AOTIGEN_GUARD_OPS || !ag_op_must_keep(e->model, e->record, arg))
    return;
  begin(e, "read-only input changed", a);
  snprintf(line, sizeof line,
           "it held %lld NaN and %lld Inf before the call, and %lld and %lld after",
           (long long)before->nan, (long long)(before->pos_inf + before->neg_inf),
           (long long)after->nan, (long long)(after->pos_inf + after->neg_inf));
  ag_text_add_line(&e->report, "", "%s", line);
  log_changed(e, a, "as before the call", line);
  end(e);
}

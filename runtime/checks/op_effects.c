/* op_effects.c - see op_effects.h. */
#define _GNU_SOURCE
#include "checks/op_effects.h"

#include <stdio.h>
#include <string.h>

#include "base/sink.h"
#include "checks/bad_values.h"
#include "checks/finding.h"
#include "checks/op_registered.h"
#include "checks/shared_memory.h"
#include "state/launch_hooks.h"
#include "tensor/layout.h"

static bool is_result(const ag_arg *a) { return a->param->role == AOTIGEN_OUT; }

bool ag_op_must_keep(const ag_model_state *m, const ag_record *record, size_t arg) {
  const ag_op_facts *op = ag_op_registered_find(m, record->launch.site);
  const ag_arg *a = &record->args[arg];
  if (!ag_op_only_reads(op, arg) || a->view.state != AG_VIEW_OK || !a->view.t.numel || is_result(a))
    return false;
  for (size_t i = 0; i < record->nargs; i++) {
    const ag_arg *other = &record->args[i];
    if (i != arg && other->view.state == AG_VIEW_OK && !is_result(other) &&
        !ag_op_only_reads(op, i) && ag_view_overlaps(&a->view, &other->view))
      return false;
  }
  return true;
}

void ag_op_contents_count(ag_contents *contents, const ag_arg *a) {
  size_t item = a->view.t.dtype->item_size, n = (size_t)a->view.t.numel;
  const unsigned char *was = contents->before.bytes, *is = contents->after.bytes;
  contents->changed = 0;
  if (!memcmp(was, is, n * item)) return;
  for (size_t i = 0; i < n; i++) {
    if (!memcmp(was + i * item, is + i * item, item)) continue;
    if (contents->changed++) continue;
    contents->first = (int64_t)i;
    memcpy(contents->was, was + i * item, item);
    memcpy(contents->is, is + i * item, item);
  }
}

/* ---- the report ----------------------------------------------------------------------------- */

static void begin(ag_evaluation *e, const char *what) {
  ag_text_clear(&e->report);
  ag_report_head(&e->report, &e->launch, what);
  ag_report_site(&e->report, &e->launch);
}

static void begin_changed(ag_evaluation *e, const ag_arg *a) {
  ag_text line = {0};
  begin(e, "read-only input changed");
  ag_report_arg(&line, a);
  ag_text_add_line(&e->report, "input", "%s", ag_text_string(&line));
  ag_text_free(&line);
}

static void end(ag_evaluation *e) {
  const ag_op_facts *op = ag_op_registered_find(e->model, e->launch.site);
  ag_text_add_line(&e->report, "schema", "%s", op->schema);
  ag_bad_values_write(e, &e->report);
}

/* contents: the elements that changed, NULL where they are not known. */
static void log_changed(const ag_evaluation *e, const ag_arg *a, const ag_contents *contents,
                        const char *expected, const char *found) {
  ag_text t;
  int64_t at[AG_MAX_DIMS];
  if (!ag_sink_has_log()) return;
  ag_event_launch(&t, EVENT_OPERATOR, &e->launch, a);
  ag_event_add_string(&t, "check", "content");
  ag_event_add_string(&t, "expected", expected);
  ag_event_add_string(&t, "found", found);
  if (contents) {
    ag_event_add_number(&t, "count", contents->changed);
    ag_event_add_number(&t, "numel", a->view.t.numel);
    ag_layout_index(a->view.t.ndim, a->view.t.sizes, contents->first, at);
    ag_event_add_list(&t, "first_index", at, a->view.t.ndim);
  }
  ag_event_end(&t);
}

static void report_changed(ag_evaluation *e, const ag_contents *contents) {
  const ag_arg *a = &e->record->args[contents->before.arg];
  ag_text was = {0}, is = {0}, at = {0};
  ag_bad_values_add(&was, a->view.t.dtype, true, contents->was, false);
  ag_bad_values_add(&is, a->view.t.dtype, true, contents->is, false);
  ag_tensor_describe_index(&at, &a->view.t, contents->first);
  begin_changed(e, a);
  ag_text_add_line(&e->report, "",
                   "%lld of %lld elements changed, the first at %s: it was %s, and is %s",
                   (long long)contents->changed, (long long)a->view.t.numel, ag_text_string(&at),
                   ag_text_string(&was), ag_text_string(&is));
  if (contents->moved)
    ag_text_add_line(&e->report, "", "the call gave the tensor other memory, as set_() does");
  log_changed(e, a, contents, ag_text_string(&was), ag_text_string(&is));
  end(e);
  ag_text_free(&was);
  ag_text_free(&is);
  ag_text_free(&at);
}

static void check_contents(ag_evaluation *e) {
  for (unsigned i = 0; i < e->record->ncontents; i++) {
    ag_contents *x = &e->record->contents[i];
    if (x->changed < 0 && ag_arg_copy_is_there(&x->before) && ag_arg_copy_is_there(&x->after))
      ag_op_contents_count(x, &e->record->args[x->before.arg]);
    if (x->changed > 0) report_changed(e, x);
  }
}

/* ---- results that share memory -------------------------------------------------------------- */

static void report_shared(ag_evaluation *e, const ag_arg *out, const ag_arg *other) {
  ag_finding f = {.event = EVENT_OPERATOR, .model = e->launch.model, .launch = &e->launch};
  const ag_item item = {.label = "output", .arg = out};
  ag_text name = {0};
  ag_report_arg_name(&name, other);
  begin(e, is_result(other) ? "output shares memory with another output"
                            : "output shares memory with an input");
  ag_shared_memory_add(&f, &item, ag_text_string(&name));
  ag_finding_end(&f, &e->report);
  end(e);
  ag_text_free(&name);
}

/* True if outputs have an element in common. Parts of one storage without one cannot change each
 * other. */
static bool shares(const ag_arg *out, const ag_arg *other) {
  if (is_result(other)) return other < out && ag_view_overlaps(&out->view, &other->view);
  return ag_view_shares_storage(&out->view, &other->view);
}

static void check_result(ag_evaluation *e, const ag_arg *out) {
  for (size_t i = 0; i < e->record->nargs; i++) {
    const ag_arg *other = &e->record->args[i];
    if (!shares(out, other)) continue;
    report_shared(e, out, other);
    return;
  }
}

static void check_effects(ag_evaluation *e) {
  const ag_op_facts *op = ag_op_registered_find(e->model, e->launch.site);
  if (!op) return;
  check_contents(e);
  for (size_t i = 0; op->makes_new_memory && i < e->record->nargs; i++)
    if (is_result(&e->record->args[i])) check_result(e, &e->record->args[i]);
}

static bool is_wanted(const ag_model_state *m) { return m->model->guard & AOTIGEN_GUARD_OPS; }

AG_LAUNCH_HOOKS(op_effects) = {.wanted = is_wanted, .evaluate_after = check_effects};

void ag_op_effects_check_counts(ag_evaluation *e, size_t arg) {
  const ag_arg *a = &e->record->args[arg];
  const ag_stats *before = a->values.counted ? &a->values.before : &ag_nothing_bad,
                 *after = &a->values.after;
  char line[160];
  if (e->launch.model->guard & AOTIGEN_GUARD_OPS || !ag_op_must_keep(e->model, e->record, arg))
    return;
  begin_changed(e, a);
  snprintf(line, sizeof line,
           "it held %lld NaN and %lld Inf before the call, and %lld and %lld after",
           (long long)before->nan, (long long)(before->pos_inf + before->neg_inf),
           (long long)after->nan, (long long)(after->pos_inf + after->neg_inf));
  ag_text_add_line(&e->report, "", "%s", line);
  log_changed(e, a, NULL, "as before the call", line);
  end(e);
}

/* output_report.c - see output_report.h.
 *
 * The first finding of a process is told in full, each other one that is the 2nd, 4th, 8th, ... in
 * a line, as those of a debug model are (checks/again.h); so is one that has a capsule. */
#include "watch/output_report.h"

#include <stdatomic.h>

#include "base/json.h"
#include "base/settings.h"
#include "base/sink.h"
#include "tensor/layout.h"
#include "tensor/reader.h"
#include "watch/capsule.h"
#include "watch/diagnosis.h"
#include "watch/identity.h"
#include "watch/last_error.h"
#include "watch/outlets.h"

static _Atomic uint64_t findings; /* runs with one, in this process */

static int64_t first_of(const ag_stats *s) {
  int64_t first = -1, all[] = {s->first_nan, s->first_pos_inf, s->first_neg_inf};
  for (int i = 0; i < 3; i++)
    if (all[i] >= 0 && (first < 0 || all[i] < first)) first = all[i];
  return first;
}

static const char *name_first(const ag_stats *s, int64_t first) {
  return first == s->first_nan ? "nan" : first == s->first_pos_inf ? "inf" : "-inf";
}

static void add_json(ag_text *t, const ag_watched_run *r, size_t output, const ag_stats *s) {
  const ag_tensor *of = &r->outputs.list[output].view.t;
  int64_t index[AG_MAX_DIMS], first = first_of(s);
  ag_layout_index(of->ndim, of->sizes, first, index);
  ag_text_addf(t, "%s{\"output\":%zu", t->length ? "," : "", output);
  ag_json_add_name(t, "nan");
  ag_json_add_number(t, s->nan);
  ag_json_add_name(t, "pos_inf");
  ag_json_add_number(t, s->pos_inf);
  ag_json_add_name(t, "neg_inf");
  ag_json_add_number(t, s->neg_inf);
  ag_json_add_name(t, "first");
  ag_json_add_list(t, index, of->ndim);
  ag_json_add_name(t, "value");
  ag_json_add_string(t, name_first(s, first));
  ag_text_add(t, "}");
}

/* The worst kind, for the head. */
static const char *name_kinds(const ag_stats *s) {
  return s->nan ? "NaN" : s->pos_inf ? "+Inf" : "-Inf";
}

/* "2 bad of 6 elements: 1 NaN, 1 -Inf; the first at " */
static void add_counts(ag_text *t, const ag_stats *s, int64_t numel) {
  const int64_t counts[] = {s->nan, s->pos_inf, s->neg_inf};
  static const char *const names[] = {"NaN", "+Inf", "-Inf"};
  const char *before = ": ";
  ag_text_addf(t, "                %lld bad of %lld elements",
               (long long)(s->nan + s->pos_inf + s->neg_inf), (long long)numel);
  for (int i = 0; i < 3; i++) {
    if (!counts[i]) continue;
    ag_text_addf(t, "%s%lld %s", before, (long long)counts[i], names[i]);
    before = ", ";
  }
  ag_text_add(t, "; the first at ");
}

static void add_lines(ag_text *t, const ag_watched_run *r, size_t output, const ag_stats *s) {
  const ag_view *of = &r->outputs.list[output].view;
  ag_text described = {0};
  ag_view_describe(&described, of);
  ag_text_add_line(t, "output", "%zu: %s", output, ag_text_string(&described));
  ag_text_free(&described);
  add_counts(t, s, of->t.numel);
  ag_tensor_describe_index(t, &of->t, first_of(s));
  ag_text_addf(t, " (index %lld): %s\n", (long long)first_of(s), name_first(s, first_of(s)));
}

void ag_output_report_add(ag_output_report *report, const ag_watched_run *r, size_t output,
                          const ag_stats *stats) {
  if (!report->count++) {
    report->kind = name_kinds(stats);
    report->output = output;
  }
  add_lines(&report->lines, r, output, stats);
  add_json(&report->findings, r, output, stats);
}

/* For tests: as in a process that has found nothing. */
void ag_output_report_forget(void);
void ag_output_report_forget(void) { atomic_store(&findings, 0); }

static void add_again(ag_text *t, uint64_t which, const ag_capsule *capsule) {
  ag_text_addf(t, "; again: in %llu runs so far", (unsigned long long)which);
  if (capsule->file.length) ag_text_addf(t, "; capsule %s", ag_text_string(&capsule->file));
  if (capsule->failure.length)
    ag_text_addf(t, "; no capsule: %s", ag_text_string(&capsule->failure));
  ag_text_add(t, "\n");
}

static void add_held(ag_text *t, const ag_capsule *capsule) {
  static const char *const how[] = {"with the values that it has after the run",
                                    "unchanged since the run began",
                                    "unchanged since the run began in the eighth of it that was "
                                    "compared",
                                    "changed since the run began: the run had other values"};
  for (size_t i = 0; i < sizeof how / sizeof *how; i++)
    if (capsule->held[i].length)
      ag_text_add_line(t, "held", "%s: %s", ag_text_string(&capsule->held[i]), how[i]);
  if (capsule->copied_by)
    ag_text_add_line(t, "try next", "the values that the run had: AOTIGEN_COPY_BYTES=%zu",
                     capsule->copied_by);
}

static void add_capsule(ag_text *t, const ag_capsule *capsule) {
  const char *file = ag_text_string(&capsule->file);
  if (!capsule->file.length) {
    const bool failed = capsule->failure.length != 0;
    ag_text_add_line(t, "no capsule", "%s",
                     failed ? ag_text_string(&capsule->failure) : "AOTIGEN_CAPSULES=0");
    return;
  }
  ag_text_add_line(t, "capsule", "%s", file);
  add_held(t, capsule);
  if (capsule->constants.length)
    ag_text_add_line(t, "constants", "%s", ag_text_string(&capsule->constants));
  if (capsule->without.length)
    ag_text_add_line(t, "without", "%s: replay has the package's",
                     ag_text_string(&capsule->without));
  if (capsule->not_kept.length)
    ag_text_add_line(t, "not kept", "%s: it cannot be replayed",
                     ag_text_string(&capsule->not_kept));
  else
    ag_text_add_line(t, "try next", "where it was born: aotigen replay %s", file);
}

static bool is_told_in_full(uint64_t which) {
  return which == 1 || ag_settings_get()->reports == UINT64_MAX;
}

static void tell(const ag_output_report *report, const ag_watched_run *r, uint64_t which,
                 const ag_capsule *capsule) {
  ag_text t = {0};
  ag_text_addf(&t, "aotigen: %s in output %zu of run %llu, of a watched model", report->kind,
               report->output, (unsigned long long)r->number);
  if (!is_told_in_full(which)) {
    add_again(&t, which, capsule);
  } else {
    ag_text_add(&t, "\n");
    ag_text_add_line(&t, "model", "%s", ag_watch_identity_name());
    ag_text_add(&t, ag_text_string(&report->lines));
    add_capsule(&t, capsule);
  }
  ag_sink_write_stderr(ag_text_string(&t));
  if (which == 1) ag_outlet_terminate(ag_text_string(&t));
  ag_text_free(&t);
}

static void note(const ag_output_report *report, const ag_watched_run *r,
                 const ag_capsule *capsule) {
  ag_text thrown = {0};
  ag_text_addf(&thrown, "aotigen: %s in output %zu of run %llu, of a watched model", report->kind,
               report->output, (unsigned long long)r->number);
  if (capsule->file.length) ag_text_addf(&thrown, "; capsule %s", ag_text_string(&capsule->file));
  ag_last_error_note(ag_text_string(&thrown));
  ag_text_free(&thrown);
  ag_outlet_log(r, report->kind, (int64_t)report->output, capsule);
  ag_count_finding(report->kind);
  ag_count(capsule->file.length      ? AG_COUNT_CAPSULES
           : capsule->failure.length ? AG_COUNT_UNWRITTEN
                                     : AG_COUNT_LIMIT,
           1);
}

bool ag_output_report_end(ag_output_report *report, const ag_watched_run *r) {
  if (!report->count) return false;
  uint64_t which = atomic_fetch_add(&findings, 1) + 1, most = ag_settings_get()->capsules;
  bool is_power = !(which & (which - 1));
  ag_capsule capsule = {0};
  const bool has_capsule = which < most || (most && is_power);
  if (has_capsule) ag_capsule_write(&capsule, r, which >= most, ag_text_string(&report->findings));
  note(report, r, &capsule);
  if (has_capsule || is_power || is_told_in_full(which)) tell(report, r, which, &capsule);
  if (capsule.file.length) ag_diagnosis_ask(ag_text_string(&capsule.file));
  ag_capsule_free(&capsule);
  ag_text_free(&report->lines);
  ag_text_free(&report->findings);
  return true;
}

/* output_report.c - see output_report.h.
 *
 * The first finding of a kind is told in full, each other one that is the 2nd, 4th, 8th, ... of its
 * kind in a line, as those of a debug model are (checks/again.h); so is one that has a capsule. A
 * caller that passes wrong inputs all the time hides no NaN. */
#include "watch/output_report.h"

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

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

/* The kinds of findings: those in outputs, and the faults. */
enum { KINDS = AG_OUTPUT_KINDS + AG_FAULT_CRASH };

static _Atomic uint64_t values;       /* runs with bad outputs, in this process */
static _Atomic uint64_t kinds[KINDS]; /* runs with a finding, by its kind, or by the worst */
static _Atomic uint64_t kept;         /* capsules that are not replaced */

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
  add_counts(t, s, of->t.numel);
  ag_tensor_describe_index(t, &of->t, first_of(s));
  ag_text_addf(t, " (index %lld): %s\n", (long long)first_of(s), name_first(s, first_of(s)));
}

void ag_output_report_note(ag_output_report *report, const ag_watched_run *r, size_t output,
                           enum ag_output_kind which, const char *kind) {
  if (!report->count++ || which < report->worst) {
    report->worst = which;
    report->kind = kind;
    report->output = output;
  }
  if (report->named == output + 1) return;
  report->named = output + 1;
  ag_text described = {0};
  ag_view_describe(&described, &r->outputs.list[output].view);
  ag_text_add_line(&report->lines, "output", "%zu: %s", output, ag_text_string(&described));
  ag_text_free(&described);
}

void ag_output_report_add(ag_output_report *report, const ag_watched_run *r, size_t output,
                          const ag_stats *stats) {
  ag_output_report_note(report, r, output, AG_OUTPUT_BAD, name_kinds(stats));
  add_lines(&report->lines, r, output, stats);
  add_json(&report->findings, r, output, stats);
}

/* As in a process that has found nothing: a child of fork(), and a test. */
void ag_output_report_forget(void);
void ag_output_report_forget(void) {
  for (int i = 0; i < KINDS; i++) atomic_store(&kinds[i], 0);
  atomic_store(&values, 0);
  atomic_store(&kept, 0);
}

__attribute__((constructor(101))) static void set_up(void) {
  pthread_atfork(NULL, NULL, ag_output_report_forget);
}

/* What the runs had in common: the values may differ, and the outputs. */
static void add_again(ag_text *t, const ag_output_report *report, uint64_t which,
                      const ag_capsule *capsule) {
  static const char *const what[] = {"a bad value", "a value beyond a limit", "a dead output"};
  ag_text_addf(t, "; %s in %llu runs so far", report->fault ? report->kind : what[report->worst],
               (unsigned long long)which);
  if (capsule->file.length) ag_text_addf(t, "; capsule %s", ag_text_string(&capsule->file));
  if (capsule->failure.length)
    ag_text_addf(t, "; no capsule: %s", ag_text_string(&capsule->failure));
  ag_text_add(t, "\n");
}

static void add_held(ag_text *t, const ag_capsule *capsule) {
  static const char *const how[] = {"with the values that it has after the run",
                                    "unchanged since the run began",
                                    ("unchanged since the run began in the eighth of it that was "
                                     "compared"),
                                    "changed since the run began: the run had other values"};
  for (size_t i = 0; i < sizeof how / sizeof *how; i++)
    if (capsule->held[i].length)
      ag_text_add_line(t, "held", "%s: %s", ag_text_string(&capsule->held[i]), how[i]);
  if (capsule->copied_by)
    ag_text_add_line(t, "try next", "the values that the run had: AOTIGEN_COPY_BYTES=%zu",
                     capsule->copied_by);
}

/* A word as a shell reads it. */
static void add_word(ag_text *t, const char *word) {
  bool bare = *word != '\0';
  for (const char *c = word; *c && bare; c++)
    bare = isalnum((unsigned char)*c) || strchr("@%+=:,./-_", *c);
  if (bare) {
    ag_text_add(t, word);
    return;
  }
  ag_text_add(t, "'");
  for (const char *c = word; *c; c++)
    if (*c == '\'')
      ag_text_add(t, "'\\''");
    else
      ag_text_add_bytes(t, c, 1);
  ag_text_add(t, "'");
}

static void add_try(ag_text *t, const char *file, const ag_output_report *report) {
  ag_text command = {0};
  add_word(&command, file);
  ag_text_add_line(t, "try next", "%s: aotigen replay %s",
                   report->fault                    ? "what a debug package says of it"
                   : report->worst == AG_OUTPUT_BAD ? "where it was born"
                                                    : "the same inputs again",
                   ag_text_string(&command));
  ag_text_free(&command);
}

static void add_capsule(ag_text *t, const ag_capsule *capsule, const ag_output_report *report) {
  const char *file = ag_text_string(&capsule->file);
  if (!capsule->file.length) {
    const bool failed = capsule->failure.length != 0;
    ag_text_add_line(t, "no capsule", "%s",
                     failed                        ? ag_text_string(&capsule->failure)
                     : ag_settings_get()->capsules ? "AOTIGEN_CAPSULES are written"
                                                   : "AOTIGEN_CAPSULES=0");
    return;
  }
  ag_text_add_line(t, "capsule", "%s", file);
  if (capsule->displaces)
    ag_text_add_line(t, "removed", "the newest capsule before this one, by AOTIGEN_CAPSULE_BYTES");
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
    add_try(t, file, report);
}

static bool is_power(uint64_t n) { return !(n & (n - 1)); }

static bool is_told_in_full(uint64_t which) {
  return which == 1 || ag_settings_get()->reports == UINT64_MAX;
}

static void add_head(ag_text *t, const ag_output_report *report, const ag_watched_run *r) {
  if (report->fault)
    ag_text_addf(t, "aotigen: %s in run %llu, of a watched model", report->kind,
                 (unsigned long long)r->number);
  else
    ag_text_addf(t, "aotigen: %s in output %zu of run %llu, of a watched model", report->kind,
                 report->output, (unsigned long long)r->number);
}

static void tell(const ag_output_report *report, const ag_watched_run *r, uint64_t which,
                 const ag_capsule *capsule) {
  ag_text t = {0};
  add_head(&t, report, r);
  if (!is_told_in_full(which)) {
    add_again(&t, report, which, capsule);
  } else {
    ag_text_add(&t, "\n");
    ag_text_add_line(&t, "model", "%s", ag_watch_identity_name());
    ag_text_add(&t, ag_text_string(&report->lines));
    add_capsule(&t, capsule, report);
  }
  ag_sink_write_stderr(ag_text_string(&t));
  if (which == 1) ag_outlet_terminate(ag_text_string(&t));
  ag_text_free(&t);
}

static void note(const ag_output_report *report, const ag_watched_run *r,
                 const ag_capsule *capsule) {
  ag_text thrown = {0};
  add_head(&thrown, report, r);
  if (capsule->file.length) ag_text_addf(&thrown, "; capsule %s", ag_text_string(&capsule->file));
  ag_last_error_note(ag_text_string(&thrown));
  ag_text_free(&thrown);
  ag_outlet_log(r, report->kind, report->fault ? -1 : (int64_t)report->output, capsule);
  if (report->fault || report->worst == AG_OUTPUT_BAD)
    ag_count_finding(report->kind);
  else
    ag_count(report->worst == AG_OUTPUT_BEYOND ? AG_COUNT_BEYOND : AG_COUNT_DEAD, 1);
  ag_count(capsule->file.length      ? AG_COUNT_CAPSULES
           : capsule->failure.length ? AG_COUNT_UNWRITTEN
                                     : AG_COUNT_LIMIT,
           1);
}

/* True if the finding has a capsule. The first ones stay, but the faults of a kind have half of
 * them at most; the last one is of the newest finding, or the first of a kind. */
static bool is_kept(enum ag_fault fault, uint64_t of_kind, bool *replaces) {
  const uint64_t most = ag_settings_get()->capsules;
  const uint64_t value = fault ? 0 : atomic_fetch_add(&values, 1) + 1;
  *replaces = false;
  if (most > 1 && (!fault || of_kind == 1 || of_kind <= most / 2) &&
      atomic_fetch_add(&kept, 1) < most - 1)
    return true;
  *replaces = true;
  return most && (of_kind == 1 || (!fault && is_power(value)));
}

bool ag_output_report_end(ag_output_report *report, const ag_watched_run *r) {
  if (!report->count) return false;
  const int kind = report->fault ? AG_OUTPUT_KINDS + (int)report->fault - 1 : (int)report->worst;
  const uint64_t of_kind = atomic_fetch_add(&kinds[kind], 1) + 1;
  bool replaces;
  ag_capsule capsule = {0};
  const bool has_capsule = is_kept(report->fault, of_kind, &replaces);
  if (has_capsule) ag_capsule_write(&capsule, r, replaces, ag_text_string(&report->findings));
  note(report, r, &capsule);
  if (has_capsule || is_power(of_kind) || is_told_in_full(of_kind))
    tell(report, r, of_kind, &capsule);
  if (capsule.file.length && report->fault != AG_FAULT_CRASH)
    ag_diagnosis_ask(ag_text_string(&capsule.file));
  ag_capsule_free(&capsule);
  ag_text_free(&report->lines);
  ag_text_free(&report->findings);
  return true;
}

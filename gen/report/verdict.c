/* verdict.c - see verdict.h. */
#include "report/verdict.h"
#include "base/file.h"
#include "base/shown.h"
#include <math.h>
#include <string.h>

enum bad_kind { BAD_NAN, BAD_POS_INF, BAD_NEG_INF, BAD_KINDS };

/* Where a kind of bad value was seen first. */
typedef struct sighting {
  const recorded_run *run; /* NULL: nowhere */
  const recorded_launch *launch;
  const ledger_arg *arg;
  bool written;
  size_t runs; /* in which it was seen */
} sighting;

typedef struct verdict_maker {
  const recording *of;
  sighting seen[BAD_KINDS];
  verdict *to;
  arena *a;
} verdict_maker;

__attribute__((format(printf, 3, 4))) static verdict_line *say(verdict_maker *m,
                                                               enum verdict_kind kind,
                                                               const char *format, ...) {
  va_list args;
  va_start(args, format);
  verdict_line *line = arena_push(m->a, m->to);
  *line = (verdict_line){.kind = kind, .text = arena_vprintf(m->a, format, args)};
  va_end(args);
  return line;
}

static const char *count_of(size_t n, const char *one, const char *more, arena *a) {
  return arena_printf(a, "%zu %s", n, n == 1 ? one : more);
}

static const char *runs_of(size_t n, arena *a) { return count_of(n, "run", "runs", a); }

/* ---- what is seen --------------------------------------------------------------------------- */

static int64_t count_bad(const ledger_arg *x, enum bad_kind kind) {
  if (x->kind == LEDGER_SCALAR) {
    const double value = recorded_scalar(x);
    return kind == BAD_NAN       ? isnan(value)
           : kind == BAD_POS_INF ? value == INFINITY
                                 : value == -INFINITY;
  }
  if (!(x->has & LEDGER_HAS_SUMMARY)) return 0;
  return kind == BAD_NAN ? x->nan : kind == BAD_POS_INF ? x->pos_inf : x->neg_inf;
}

static const ledger_arg *find_bad(const recorded_args *list, enum bad_kind kind) {
  for (size_t i = 0; i < list->n; i++)
    if (count_bad(list->at[i], kind)) return list->at[i];
  return NULL;
}

static bool was_all_scanned(const recorded_args *list) {
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i]->kind == LEDGER_TENSOR && !(list->at[i]->has & LEDGER_HAS_SUMMARY))
      return false;
  return true;
}

static void look_for(verdict_maker *m, const recorded_run *run, enum bad_kind kind) {
  sighting *s = &m->seen[kind];
  for (size_t i = 0; i < run->launches.n; i++) {
    const recorded_launch *l = &run->launches.at[i];
    const ledger_arg *read = find_bad(&l->before, kind);
    const ledger_arg *x = read ? read : find_bad(&l->after, kind);
    if (!l->site || !x) continue;
    if (!s->runs++) *s = (sighting){run, l, x, !read, 1};
    return;
  }
}

/* ---- what is said --------------------------------------------------------------------------- */

static const char *what_it_read(const sighting *s) {
  if (!s->launch->has_before || !was_all_scanned(&s->launch->before))
    return "; not all that it read was scanned";
  return ", and read none";
}

/* "cpp_fused_3; gpt2.py:24, h.0.attn" */
static const char *site_text(const recorded_site *s, arena *a) {
  const char *line = shown_text(file_name(s->model_line), a), *module = shown_text(s->module, a);
  return arena_printf(a, "%s%s%s%s%s", shown_name(s->kernel, a), *line ? "; " : "", line,
                      *line && *module ? ", " : "", *line ? module : "");
}

static const char *param_text(const recorded_param *p, arena *a) {
  const char *name = shown_text(p->name, a);
  return *p->given_name ? arena_printf(a, "%s (%s)", name, shown_text(p->given_name, a)) : name;
}

static void say_seen(verdict_maker *m, enum bad_kind kind) {
  static const struct {
    const char *name;
    enum verdict_kind kind;
    const char *remark;
  } rows[] = {[BAD_NAN] = {"NaN", VERDICT_BAD, ""},
              [BAD_POS_INF] = {"+Inf", VERDICT_WARNING, ""},
              [BAD_NEG_INF] = {"-Inf", VERDICT_NOTE, "; a mask may hold it on purpose"}};
  const sighting *s = &m->seen[kind];
  if (!s->runs) return;
  const recorded_site *site = s->launch->site;
  verdict_line *line = say(
      m, rows[kind].kind, "%s in %zu of %s, first in run %llu: launch %llu (%s) %s %lld in %s%s%s",
      rows[kind].name, s->runs, runs_of(m->of->runs.n, m->a), (unsigned long long)s->run->number,
      (unsigned long long)s->launch->number, site_text(site, m->a), s->written ? "wrote" : "read",
      (long long)count_bad(s->arg, kind), param_text(&site->params[s->arg->param], m->a),
      s->written ? what_it_read(s) : "", rows[kind].remark);
  line->launch = s->launch;
  line->run = s->run;
}

static void say_values(verdict_maker *m) {
  for (size_t i = 0; i < m->of->runs.n; i++)
    for (enum bad_kind kind = 0; kind < BAD_KINDS; kind++) look_for(m, &m->of->runs.at[i], kind);
  if (!m->of->runs.n)
    say(m, VERDICT_NOTE, "no run is in this recording");
  else if (!m->seen[BAD_NAN].runs)
    say(m, VERDICT_GOOD, "no NaN %sin %s", m->seen[BAD_POS_INF].runs ? "" : "or +Inf ",
        runs_of(m->of->runs.n, m->a));
  for (enum bad_kind kind = 0; kind < BAD_KINDS; kind++) say_seen(m, kind);
}

static const recorded_launch *last_of(const recorded_run *run) {
  return run->launches.n ? &run->launches.at[run->launches.n - 1] : NULL;
}

/* A run that is not over may go on, or its process has died. */
static void say_unended(verdict_maker *m) {
  size_t n = 0;
  const recorded_run *last = NULL;
  for (size_t i = 0; i < m->of->runs.n; i++)
    if (!m->of->runs.at[i].is_over) {
      last = &m->of->runs.at[i];
      n++;
    }
  if (n > 1) say(m, VERDICT_NOTE, "%zu runs are not over in this recording", n);
  const recorded_launch *l = n ? last_of(last) : NULL;
  if (!l || !l->site) return;
  verdict_line *line = say(m, VERDICT_NOTE, "run %llu is not over: launch %llu (%s) %s",
                           (unsigned long long)last->number, (unsigned long long)l->number,
                           shown_name(l->site->kernel, m->a),
                           l->is_over ? "is the last that ended" : "did not end");
  line->launch = l;
  line->run = last;
}

static void say_unscanned(verdict_maker *m, const launch_table *t) {
  size_t n = 0;
  for (size_t i = 0; i < t->rows.n; i++)
    for (size_t k = 0; k < t->rows.at[i].args.n; k++)
      n += t->rows.at[i].args.at[k].all.scanned < t->rows.at[i].args.at[k].runs;
  if (n)
    say(m, VERDICT_NOTE, "%s not scanned in each run, and may hold NaN or Inf",
        count_of(n, "argument was", "arguments were", m->a));
}

static void say_missing(verdict_maker *m, const launch_table *t) {
  const recording *r = t->of;
  if (r->header->oldest)
    say(m, VERDICT_NOTE, "the recording is full: its oldest runs have made room for later ones");
  if (r->is_torn) say(m, VERDICT_NOTE, "it is torn: what follows the last whole entry is left out");
  if (r->header->lost)
    say(m, VERDICT_NOTE,
        "%llu launches or names had no room: AOTIGEN_RECORD_BYTES is the file's size",
        (unsigned long long)r->header->lost);
  if (r->unnamed)
    say(m, VERDICT_NOTE, "%s left out, whose names had no room: AOTIGEN_RECORD_BYTES is too small",
        count_of(r->unnamed, "launch is", "launches are", m->a));
  if (t->left_out)
    say(m, VERDICT_NOTE, "%s not shown, since a report has at most %d launches and %d arguments",
        count_of(t->left_out, "launch is", "launches are", m->a), REPORT_ROWS, REPORT_ARGS);
}

const verdict *verdict_make(const launch_table *t, arena *a) {
  verdict_maker m = {.of = t->of, .to = arena_alloc(a, sizeof *m.to), .a = a};
  say_values(&m);
  say_unended(&m);
  say_unscanned(&m, t);
  say_missing(&m, t);
  return m.to;
}

/* ---- two recordings ------------------------------------------------------------------------- */

enum { ALSO_MOST = 8 };

static void say_notes(verdict_maker *m, const difference_notes *list) {
  for (size_t i = 0; i < list->n; i++)
    say(m, VERDICT_NOTE, "%s: %s", list->at[i].label, list->at[i].text);
}

static void say_first(verdict_maker *m, const difference *d) {
  const launch_pair *first = difference_first(d);
  verdict_line *line = say(m, VERDICT_BAD, "%s", difference_what(d, first, m->a));
  if (first) line->launch = first->a;
  line->run = d->shown.a;
  difference_notes doubts = {0};
  if (first && first->a && first->b) difference_add_doubts(first, &doubts, m->a);
  say_notes(m, &doubts);
}

static void say_also(verdict_maker *m, const difference *d) {
  const launch_pair *first = difference_first(d);
  size_t n = 0;
  for (size_t i = 0; i < d->shown.launches.n; i++) {
    const launch_pair *p = &d->shown.launches.at[i];
    if (p == first || !p->a || !p->b || !difference_has_cause(p) || n++ >= ALSO_MOST) continue;
    verdict_line *line =
        say(m, VERDICT_WARNING, "%s %s", difference_launch(p->a, m->a), difference_cause(p, m->a));
    line->launch = p->a;
    line->run = d->shown.a;
  }
  if (n > ALSO_MOST) say(m, VERDICT_WARNING, "%zu more launches", n - ALSO_MOST);
}

/* Within the comparison NaN are a remark. */
static void say_of(verdict_maker *m, const char *name, const launch_table *t, bool is_a) {
  const verdict *of = verdict_make(t, m->a);
  for (size_t i = 0; i < of->n; i++) {
    const verdict_line *x = &of->at[i];
    const enum verdict_kind kind = x->kind == VERDICT_BAD ? VERDICT_WARNING : VERDICT_NOTE;
    verdict_line *line = say(m, kind, "%s: %s", name, x->text);
    line->launch = is_a ? x->launch : NULL;
    line->run = x->run;
  }
}

const verdict *verdict_compare(const pairing *p, arena *a) {
  verdict_maker m = {.to = arena_alloc(a, sizeof *m.to), .a = a};
  difference_notes notes = {0};
  if (p->of->differ) {
    say_first(&m, p->of);
    say_also(&m, p->of);
  } else {
    say(&m, VERDICT_GOOD, "%s", difference_agreement(p->of));
  }
  difference_add_notes(p->of, &notes, a);
  say_notes(&m, &notes);
  say_of(&m, "A", p->a, true);
  say_of(&m, "B", p->b, false);
  return m.to;
}

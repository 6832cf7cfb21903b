/* suspect.c - see suspect.h. */
#define _GNU_SOURCE
#include "launch/suspect.h"

#include "checks/finding.h"
#include "launch/marks.h"

enum { ARGUMENTS = 64 };

/* Makes the graph's records those of the replay in flight, which is a run of its own. False if
 * there is none. */
static bool enter_replay(ag_async_run *d) {
  uint32_t replay = d->async->replay->running(d->place.slot);
  if (!replay) return false;
  if (replay != d->captured.replay) d->number = ag_run_next_number();
  ag_async_run_enter_replay(d, replay);
  return true;
}

static bool is_inputs(const ag_async_run *d, unsigned at) {
  return ag_async_run_at(d, at)->launch.site == AG_NO_SITE;
}

/* True if the launch waits for one before it, which another stream has not ended. */
static bool waits_for_another(const ag_async_run *d, unsigned from, unsigned at) {
  const ag_record *r = ag_async_run_at(d, at);
  for (; from != at && atomic_load(&r->place.known); from++) {
    const ag_record *x = ag_async_run_at(d, from);
    if (x->launch.stream != r->launch.stream && ag_stream_place_is_behind(&r->place, &x->place) &&
        !ag_record_is_over(d, x))
      return true;
  }
  return false;
}

/* True if the scan before the launch has not ended, or the launch waits for another stream. */
static bool has_not_begun(const ag_async_run *d, unsigned from, unsigned at) {
  const ag_scan_batch *before = &ag_async_run_at(d, at)->batch[AG_BEFORE];
  return (before->done && !d->async->batch->is_done(before)) || waits_for_another(d, from, at);
}

/* The index of the first record of its stream that is not over, from `at` on; `end` if all are.
 * Passes over the streams of `seen`, which has room for one more: it becomes the stream's. */
static unsigned find_next(const ag_async_run *d, unsigned at, unsigned end, const void **seen,
                          unsigned *nseen) {
  for (; at != end; at++) {
    const ag_record *r = ag_async_run_at(d, at);
    bool passed = is_inputs(d, at) || ag_record_is_over(d, r);
    for (unsigned i = 0; i < *nseen; i++) passed = passed || seen[i] == r->launch.stream;
    if (passed) continue;
    seen[(*nseen)++] = r->launch.stream;
    return at;
  }
  return end;
}

/* The index of the suspect; `end` if there is none. */
static unsigned find_first(const ag_async_run *d, unsigned at, unsigned end) {
  const void *seen[AG_SIDE_STREAMS + 1];
  unsigned nseen = 0, first = find_next(d, at, end, seen, &nseen);
  if (!d->place.nsides) return first;
  for (unsigned i = first; i != end && nseen <= d->place.nsides;
       i = find_next(d, at, end, seen, &nseen))
    if (!has_not_begun(d, at, i)) return i;
  return first;
}

/* True if the model's inputs, which the run scans first of all, were not scanned before `at`. */
static bool is_behind_inputs(const ag_async_run *d, unsigned from, unsigned at) {
  for (; from != at; from++)
    if (is_inputs(d, from) && !ag_record_is_over(d, ag_async_run_at(d, from)) &&
        ag_async_run_at(d, from)->launch.stream == ag_async_run_at(d, at)->launch.stream)
      return true;
  return false;
}

bool ag_suspect_peek(ag_async_run *d, ag_suspect_place *p) {
  unsigned from = atomic_load(&d->queue.evaluated), end = atomic_load(&d->queue.published);
  uint32_t entered = d->captured.replay;
  *p = (ag_suspect_place){.order = atomic_load(&d->place.order)};
  if (d->is_captured) {
    p->replay = d->async->replay->running(d->place.slot);
    if (!p->replay) return false;
    ag_async_run_enter_replay(d, p->replay);
    d->captured.replay = entered; /* it has no number yet */
  }
  unsigned at = find_first(d, from, end);
  if (at == end || atomic_load(&ag_async_run_at(d, at)->stage) == AG_LAUNCHING) return false;
  p->is_behind = is_behind_inputs(d, from, at) || has_not_begun(d, from, at);
  p->launch = at;
  return true;
}

/* True if the launch is on that stream and not known to be over. */
static bool may_be_unfinished(const ag_async_run *d, unsigned at, const void *stream) {
  return ag_async_run_at(d, at)->launch.stream == stream && !is_inputs(d, at) &&
         !ag_record_is_over(d, ag_async_run_at(d, at));
}

/* The launches from `at` on of which the device may have failed in each: up to the first whose end
 * is told by itself, or by the scan before the next one. Returns their number. */
static unsigned find_interval(const ag_async_run *d, unsigned at, unsigned end, unsigned *last) {
  const void *stream = ag_async_run_at(d, at)->launch.stream;
  unsigned n = 0;
  for (*last = at; at != end; at++) {
    const ag_record *r = ag_async_run_at(d, at), *before = ag_async_run_at(d, *last);
    if (!may_be_unfinished(d, at, stream)) continue;
    if (n && atomic_load(&before->told_by) == &r->batch[AG_BEFORE]) break;
    *last = at;
    n++;
    if (atomic_load(&r->end) == AG_END_OWN) break;
  }
  return n;
}

/* Fills the suspect from record `at`. */
static void describe(ag_async_run *d, unsigned from, unsigned at, unsigned end, ag_suspect *s) {
  const void *stream = ag_async_run_at(d, at)->launch.stream;
  *s = (ag_suspect){.d = d, .thread = atomic_load(&d->place.thread)};
  const ag_finished *last = ag_async_run_finished(d, stream);
  if (last) s->finished = *last;
  for (unsigned i = from; i != at; i++) {
    const ag_record *r = ag_async_run_at(d, i);
    if (!is_inputs(d, i) && r->launch.stream == stream && ag_record_is_over(d, r))
      s->finished = (ag_finished){r->launch.number, r->launch.site};
  }
  s->at = at;
  s->of = find_interval(d, at, end, &s->until);
  s->record = ag_async_run_at(d, at);
  s->is_behind = is_behind_inputs(d, from, at) || has_not_begun(d, from, at);
  s->more = end - at - 1;
  s->last = ag_async_run_at(d, end - 1)->launch.number;
  s->launch = s->record->launch;
  s->launch.run = d->number;
  s->launch.replay = d->is_captured ? d->captured.replay : 0;
  s->launch.captured_run = d->captured.run;
}

bool ag_suspect_advance(ag_suspect *s) {
  const unsigned from = s->at;
  while (s->at != s->until) {
    s->at++;
    if (!may_be_unfinished(s->d, s->at, s->launch.stream)) continue;
    s->record = ag_async_run_at(s->d, s->at);
    s->launch.number = s->record->launch.number;
    s->launch.site = s->record->launch.site;
    s->more -= s->at - from;
    return true;
  }
  return false;
}

bool ag_suspect_find(ag_async_run *d, ag_suspect *s) {
  unsigned from = atomic_load(&d->queue.evaluated), end = atomic_load(&d->queue.published);
  if (d->is_captured && !enter_replay(d)) return false;
  unsigned at = find_first(d, from, end);
  if (at == end) return false;
  describe(d, from, at, end, s);
  return true;
}

unsigned ag_suspect_find_others(ag_async_run *d, const ag_suspect *first, ag_suspect *others) {
  unsigned from = atomic_load(&d->queue.evaluated), end = atomic_load(&d->queue.published);
  const void *seen[AG_SIDE_STREAMS + 1] = {first->launch.stream};
  unsigned n = 0, nseen = 1;
  while (nseen <= d->place.nsides) {
    unsigned at = find_next(d, from, end, seen, &nseen);
    if (at == end) break;
    if (!has_not_begun(d, from, at)) describe(d, from, at, end, &others[n++]);
  }
  return n;
}

static const char as_far_as_known[] = ", as far as is known";

static void add_launch(ag_text *t, const char *label, const aotigen_model *model, uint64_t launch,
                       uint32_t site, bool perhaps) {
  ag_text_add_line(t, label, "launch %llu: %s%s", (unsigned long long)launch,
                   ag_site_name(&model->sites[site]), perhaps ? as_far_as_known : "");
}

/* Adds only the names, if nothing else of the launch was wanted. */
static void add_names(ag_text *t, const aotigen_site *site) {
  for (int i = 0; i < site->nparams && i < ARGUMENTS; i++) {
    ag_text_add(t, i ? ", " : "  arguments     ");
    ag_report_two_names(t, site->params[i].python_name, site->params[i].name);
  }
  if (site->nparams) ag_text_add(t, "\n");
}

/* True if the run's thread may be binding this argument again, since a call may have resized it. */
static bool is_unsettled(const ag_arg *a, uint8_t form) {
  return (form == AOTIGEN_EXTERN || form == AOTIGEN_PROXY) && a->param->role != AOTIGEN_IN;
}

static void add_arguments(ag_text *t, const ag_record *record, uint8_t form) {
  bool after = atomic_load(&record->stage) != AG_LAUNCHING;
  for (size_t i = 0; i < record->nargs && i < ARGUMENTS; i++) {
    const ag_arg *a = &record->args[i];
    bool settled = after || !is_unsettled(a, form);
    if ((!after && ag_arg_is_late(a)) || (settled && a->view.state == AG_VIEW_NONE)) continue;
    ag_text_add(t, "  argument      ");
    if (settled)
      ag_report_arg(t, a);
    else
      ag_report_arg_name(t, a);
    if (settled && a->view.state == AG_VIEW_OK && a->view.t.numel)
      ag_text_addf(t, ", at 0x%zx to 0x%zx", (size_t)a->view.begin, (size_t)a->view.end);
    ag_text_add(t, "\n");
  }
}

void ag_suspect_add_finished(ag_text *t, const ag_suspect *s) {
  if (s->finished.launch)
    add_launch(t, "last finished", s->launch.model, s->finished.launch, s->finished.site,
               s->of > 1);
  else
    ag_text_add_line(t, "last finished", "none of this run that was scanned%s",
                     s->of > 1 ? as_far_as_known : "");
}

void ag_suspect_add_unfinished(ag_text *t, const ag_suspect *s) {
  add_launch(t, "not finished", s->launch.model, s->launch.number, s->launch.site, s->of > 1);
}

void ag_suspect_add_behind(ag_text *t, const ag_suspect *s) {
  if (s->more)
    ag_text_add_line(t, "behind it", "%u more, up to launch %llu", s->more,
                     (unsigned long long)s->last);
}

void ag_suspect_add_arguments(ag_text *t, const ag_suspect *s) {
  if (s->d->owner->launch_work)
    add_arguments(t, s->record, ag_launch_site(&s->launch)->form);
  else
    add_names(t, ag_launch_site(&s->launch));
}

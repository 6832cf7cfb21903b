/* collective_races.c - a launch that uses memory of a collective before a wait.
 *
 * A collective returns before it is complete. Until a wait for what it writes has returned, a
 * launch that uses that memory, or writes what the collective reads, has no order with it, whatever
 * came of it this time. launch/completion.c keeps which memory that is. Another collective is not
 * reported: those of one group may run in the order of their calls, as on one stream of NCCL's.
 * Memory is compared that has no gaps: of other views, elements of the other one may lie between.
 */
#define _GNU_SOURCE
#include "checks/finding.h"
#include "checks/race_report.h"
#include "state/launch_hooks.h"

static bool is_compared(const ag_arg *a) {
  return !ag_arg_is_late(a) && ag_view_is_described(&a->view) && a->view.dense;
}

static bool races(const ag_pending *p, const ag_arg *a) {
  const ag_view *view = &a->view;
  return p->dense && p->begin < view->end && view->begin < p->end &&
         p->device_type == view->t.device_type && p->device_index == view->t.device_index &&
         (!p->only_read || ag_param_is_overwritten(a->param));
}

/* The last collective that the launch's use of the argument has no order with, or NULL. */
static const ag_pending *find_race(const aotigen_run_state *s, const ag_arg *a) {
  for (size_t i = s->pending.count; i-- > 0;)
    if (races(&s->pending.list[i], a)) return &s->pending.list[i];
  return NULL;
}

static const char *name_use(const ag_arg *a) {
  switch (a->param->role) {
    case AOTIGEN_IN: return "reads";
    case AOTIGEN_OUT: return "overwrites";
    default: return "reads and may overwrite";
  }
}

static const char *report(aotigen_run *run, const ag_arg *a, const ag_pending *p) {
  const ag_launch *l = &run->state->record->launch;
  ag_text *t = &run->state->texts.report, how = {0};
  const ag_launch_race race = {
      .arg = a,
      .earlier = {p->writing.launch, p->writing.site, p->writing.param},
      .label = "collective",
      .check = AG_CHECK_COLLECTIVE,
      .missing = "no wait_tensor that completes it came before",
      .expected = "a wait_tensor before the launch",
  };
  ag_text_clear(t);
  ag_report_head(t, l, cause_what(CAUSE_COLLECTIVE));
  ag_text_addf(&how, "this launch %s it, which the collective may still be %s", name_use(a),
               p->only_read ? "reading" : "writing");
  return ag_race_report(run, &race, &how);
}

/* Reports the first argument that the launch uses too early. */
static const char *check(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  const aotigen_site *site = &run->model->sites[run->site];
  if (!s->record || !s->pending.count || ag_site_waits(site) || ag_site_is_collective(site))
    return NULL;
  for (size_t i = 0; i < s->record->nargs; i++) {
    const ag_arg *a = &s->record->args[i];
    const ag_pending *p = is_compared(a) ? find_race(s, a) : NULL;
    if (p) return report(run, a, p);
  }
  return NULL;
}

static bool is_wanted(const ag_model_state *m) {
  return ag_wants_guard(m) && ag_has_site(m, ag_site_is_collective);
}

AG_LAUNCH_HOOKS(collective_races) = {.wanted = is_wanted, .before = check};

/* completion.c - which memory a collective is still using.
 *
 * A collective of torch's functional namespaces returns before it is complete; a wait for the
 * memory that it writes makes it so, for the host or for the stream. In between no feature may read
 * that memory: the arguments that have it are AG_VIEW_PENDING. What the collective wrote is an
 * output of the wait's record: nan/received.c finds it there, and lays it to the collective. What a
 * collective reads may be read meanwhile: it is kept for checks/collective_races.c. Memory that was
 * allocated meanwhile is nobody else's. */
#define _GNU_SOURCE
#include "launch/bind.h"
#include "state/launch_hooks.h"

static bool is_used(const ag_pending *p, const ag_view *view) {
  return p->begin < view->end && view->begin < p->end && p->device_type == view->t.device_type &&
         p->device_index == view->t.device_index;
}

static bool is_written(const ag_pending *p, const ag_view *view) {
  return !p->only_read && is_used(p, view);
}

static void begin_use(aotigen_run_state *s, const ag_view *view, ag_writing by, bool only_read) {
  if (!ag_list_grow((void **)&s->pending.list, &s->pending.room, s->pending.count,
                    sizeof *s->pending.list))
    return;
  s->pending.list[s->pending.count++] = (ag_pending){.begin = view->begin,
                                                     .end = view->end,
                                                     .device_type = view->t.device_type,
                                                     .device_index = view->t.device_index,
                                                     .writing = by,
                                                     .only_read = only_read,
                                                     .dense = view->dense};
}

/* A collective that has ended has ended to read, too. */
static void end_reading(aotigen_run_state *s, uint64_t collective) {
  for (size_t i = 0; i < s->pending.count; i++) {
    ag_pending *p = &s->pending.list[i];
    p->ended = p->ended || (p->only_read && p->writing.launch == collective);
  }
}

static void remove_ended(aotigen_run_state *s) {
  size_t left = 0;
  for (size_t i = 0; i < s->pending.count; i++)
    if (!s->pending.list[i].ended) s->pending.list[left++] = s->pending.list[i];
  s->pending.count = left;
}

/* Nothing is writing the memory of the view any more. */
static void end_writing(aotigen_run_state *s, const ag_view *view) {
  for (size_t i = 0; i < s->pending.count; i++) {
    ag_pending *p = &s->pending.list[i];
    if (!is_written(p, view)) continue;
    p->ended = true;
    end_reading(s, p->writing.launch);
  }
  remove_ended(s);
}

/* The memory of the view was allocated just now. */
static void forget(aotigen_run_state *s, const ag_view *view) {
  for (size_t i = 0; i < s->pending.count; i++)
    s->pending.list[i].ended = is_used(&s->pending.list[i], view);
  remove_ended(s);
}

/* The collective that is writing memory of the view; `launch` is 0 if there is none. */
static ag_writing find_writing(const aotigen_run_state *s, const ag_view *view) {
  for (size_t i = s->pending.count; i-- > 0;)
    if (is_written(&s->pending.list[i], view)) return s->pending.list[i].writing;
  return (ag_writing){0};
}

/* Changes the argument's state from here on; until now it was `before`. */
static void change(ag_record *record, ag_arg *a, enum ag_view_state before,
                   enum ag_view_state now) {
  ag_view view = a->earlier ? *a->earlier : a->view;
  view.state = before;
  a->view.state = now;
  ag_bind_keep_views(record, a, &view);
}

static const char *hide(aotigen_run *run) {
  const aotigen_run_state *s = run->state;
  bool waits = ag_site_waits(&run->model->sites[run->site]);
  if (!s->record || (!waits && !s->pending.count)) return NULL;
  for (size_t i = 0; i < s->record->nargs; i++) {
    ag_arg *a = &s->record->args[i];
    if (a->view.state != AG_VIEW_OK) continue;
    if (a->param->flags & AOTIGEN_FRESH && !ag_arg_is_late(a)) forget(run->state, &a->view);
    a->writing = find_writing(s, &a->view);
    if (waits || a->writing.launch) a->view.state = AG_VIEW_PENDING;
  }
  return NULL;
}

static ag_writing name_use(const aotigen_run *run, const ag_arg *a) {
  return (ag_writing){run->launch, run->site, (uint16_t)(a - run->state->record->args)};
}

/* From here on, the launch writes the argument, and has not ended when it returns. An argument that
 * is changed in place may be given twice, and is the result, too. */
static void begin_writing(aotigen_run *run, ag_arg *a) {
  aotigen_run_state *s = run->state;
  a->writing = find_writing(s, &a->view);
  if (a->writing.launch == run->launch) return;
  a->writing = name_use(run, a);
  begin_use(s, &a->view, a->writing, false);
}

/* The wait has returned: the arguments are there, the tensors that it made among them. */
static void show(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  for (size_t i = 0; i < s->record->nargs; i++) {
    ag_arg *a = &s->record->args[i];
    if (ag_arg_is_late(a) && a->view.state == AG_VIEW_OK) a->writing = find_writing(s, &a->view);
    if (!ag_arg_is_late(a) && (a->view.state == AG_VIEW_PENDING || a->view.state == AG_VIEW_OK))
      change(s->record, a, AG_VIEW_PENDING, AG_VIEW_OK);
  }
  for (size_t i = 0; i < s->record->nargs; i++)
    if (s->record->args[i].view.state == AG_VIEW_OK) end_writing(s, &s->record->args[i].view);
}

/* An argument whose memory a collective is writing when the launch has returned. The call may have
 * bound it again, or made it. */
static void hide_after(aotigen_run *run, ag_arg *a) {
  bool collective = ag_site_is_collective(&run->model->sites[run->site]),
       begins = collective && ag_arg_may_be_written(a);
  if (collective && !begins) begin_use(run->state, &a->view, name_use(run, a), true);
  if (begins)
    begin_writing(run, a);
  else if (ag_arg_is_late(a))
    a->writing = find_writing(run->state, &a->view);
  if (a->writing.launch)
    change(run->state->record, a, begins ? AG_VIEW_OK : AG_VIEW_PENDING, AG_VIEW_PENDING);
}

static const char *after(aotigen_run *run) {
  const aotigen_site *site = &run->model->sites[run->site];
  aotigen_run_state *s = run->state;
  if (!s->record) return NULL;
  if (ag_site_waits(site)) {
    show(run);
  } else if (ag_site_is_collective(site) || s->pending.count) {
    for (size_t i = 0; i < s->record->nargs; i++)
      if (s->record->args[i].view.state == AG_VIEW_OK) hide_after(run, &s->record->args[i]);
  }
  return NULL;
}

static bool takes_part(const aotigen_site *site) {
  return ag_site_is_collective(site) || ag_site_waits(site);
}

static bool is_wanted(const ag_model_state *m) {
  return ag_wants_launches(m) && ag_has_site(m, takes_part);
}

AG_LAUNCH_HOOKS(completion) = {.wanted = is_wanted, .before = hide, .after = after};

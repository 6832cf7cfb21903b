/* stream_races.c - two launches on different streams that use one memory, one of which writes it,
 * without an event between them: they have no order, whatever came of it this time.
 *
 * Only a matrix product is known to use each element, and one of the two has to be one: two kernels
 * may use different parts of a tensor. What cannot be judged orders all: any call but a product or
 * a kernel may wait for the device. Memory is compared that has no gaps: of other views, elements
 * of the other one may lie between. What a launch only may write is taken to be read. Memory that
 * torch's allocator hands out again while another stream still uses it is not seen. */
#define _GNU_SOURCE
#include "checks/finding.h"
#include "checks/race_report.h"
#include "state/launch_hooks.h"
#include "state/stream_order.h"

static bool is_wanted(const ag_model_state *m) {
  return m->has_streams && m->model->marks_order && !m->model->nleft_alone && ag_wants_guard(m);
}

static void begin(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  if (!s->streams) s->streams = ag_stream_order_create();
  if (s->streams) ag_stream_order_clear(s->streams);
}

void aotigen_stream_op(aotigen_run *run, uint32_t op, const void *stream, const void *event) {
  ag_stream_order *o = run->state ? run->state->streams : NULL;
  if (!o) return;
  switch (op) {
    case AOTIGEN_STREAM_RECORDS: ag_stream_order_records(o, stream, event); break;
    case AOTIGEN_STREAM_WAITS: ag_stream_order_waits(o, stream, event); break;
    case AOTIGEN_HOST_WAITS: ag_stream_order_host_waits(o, stream); break;
    case AOTIGEN_HOST_WAITS_FOR: ag_stream_order_host_waits_for(o, event); break;
    default: ag_stream_order_host_waits_for_all(o); break;
  }
}

static ag_stream_use use_of(const aotigen_run *run, const ag_arg *a, unsigned index) {
  return (ag_stream_use){
      .begin = a->view.begin,
      .end = a->view.end,
      .device_type = a->view.t.device_type,
      .device_index = a->view.t.device_index,
      .writes = ag_param_is_overwritten(a->param) || ag_arg_is_late(a),
      .whole = (run->model->sites[run->site].stream_kind & AOTIGEN_STREAM_PRODUCT) != 0,
      .param = (uint16_t)(a - run->state->record->args),
      .site = run->site,
      .launch = run->launch,
      .index = index};
}

static bool is_compared(const ag_arg *a) {
  return a->view.state == AG_VIEW_OK && a->view.dense && a->view.t.numel && a->view.t.device_type;
}

/* ---- the report ----------------------------------------------------------------------------- */

static const char *report(aotigen_run *run, const ag_arg *a, const ag_stream_use *earlier,
                          bool writes) {
  const ag_launch *l = &run->state->record->launch;
  ag_text *t = &run->state->texts.report, how = {0};
  const ag_launch_race race = {
      .arg = a,
      .earlier = {earlier->launch, earlier->site, earlier->param},
      .label = "other",
      .check = AG_CHECK_STREAM,
      .missing = "no event that the wrapper records and waits for orders them",
      .expected = "an event between the two launches",
  };
  ag_text_clear(t);
  ag_report_head(t, l, cause_what(CAUSE_STREAM));
  ag_text_addf(&how, "this launch %s it, which another one %s on %s", writes ? "writes" : "reads",
               earlier->writes ? "writes" : "reads", l->model->sites[earlier->site].stream);
  return ag_race_report(run, &race, &how);
}

/* ---- the launch ----------------------------------------------------------------------------- */

static bool is_product(const aotigen_site *site) {
  return site->stream_kind & AOTIGEN_STREAM_PRODUCT;
}

static bool may_wait(const aotigen_site *site) {
  return site->form != AOTIGEN_TRITON && !is_product(site);
}

/* Only the first argument without an order is told. A launch that a filter leaves out may have
 * waited. */
static const char *check(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  const aotigen_site *site = &run->model->sites[run->site];
  if (!s->record || !s->streams || !site->stream) return NULL;
  if (run->unseen || may_wait(site)) ag_stream_order_host_waits_for_all(s->streams);
  unsigned index = ag_stream_order_step(s->streams, s->record->launch.stream);
  const ag_stream_use *earlier = NULL;
  const ag_arg *first = NULL;
  bool writes = false;
  if (index == AG_STREAMS) return NULL;
  ag_stream_order_place(s->streams, index, &s->record->place);
  for (size_t i = 0; i < s->record->nargs && !earlier; i++) {
    const ag_arg *a = &s->record->args[i];
    if (ag_arg_is_late(a) || !is_compared(a)) continue;
    ag_stream_use use = use_of(run, a, index);
    if (a->param->flags & AOTIGEN_FRESH) ag_stream_order_forget(s->streams, &use);
    earlier = ag_stream_order_find(s->streams, &use);
    first = a;
    writes = use.writes;
  }
  return earlier ? report(run, first, earlier, writes) : NULL;
}

/* From here on the launch has used its arguments, and what it made. */
static const char *note(aotigen_run *run) {
  aotigen_run_state *s = run->state;
  const aotigen_site *site = &run->model->sites[run->site];
  if (!s->record || !s->streams || !site->stream) return NULL;
  unsigned index = ag_stream_order_index(s->streams, s->record->launch.stream);
  for (size_t i = 0; i < s->record->nargs && index < AG_STREAMS; i++) {
    const ag_arg *a = &s->record->args[i];
    if (!is_compared(a)) continue;
    ag_stream_use use = use_of(run, a, index);
    if (ag_arg_is_late(a)) ag_stream_order_forget(s->streams, &use);
    ag_stream_order_add(s->streams, &use);
  }
  if (may_wait(site)) ag_stream_order_host_waits_for_all(s->streams);
  return NULL;
}

AG_LAUNCH_HOOKS(stream_races) = {
    .wanted = is_wanted, .begin_run = begin, .before = check, .after = note};

/* unwritten.c - see unwritten.h. */
#define _GNU_SOURCE
#include "memory/unwritten.h"

#include <string.h>

#include "base/sink.h"
#include "checks/bad_values.h"
#include "checks/finding.h"
#include "memory/zone_report.h"
#include "nan/held_values.h"
#include "nan/known_bytes.h"
#include "nan/reach.h"
#include "state/launch_hooks.h"
#include "tensor/dtype.h"
#include "tensor/pattern.h"

/* Elements that hold the pattern, and the first of them. */
typedef struct unwritten {
  const ag_zone *zone;
  int64_t count, first;
} unwritten;

/* A two-byte number may equal the pattern by chance: it counts only if all of them do. */
static unwritten read_zone(ag_evaluation *e, enum ag_when when, unsigned zone) {
  const ag_zone *z = &e->record->zones[when][zone];
  unwritten u = {.zone = z};
  ag_stats h = ag_nothing_bad;
  unsigned char element[4];
  if (!e->results->zone(e, when, zone, &h, element)) return u;
  int64_t width = z->t.dtype->item_size, item = z->buffer.dtype->item_size;
  if (item == 2 && z->buffer.dtype->cls != AG_FLOATING && h.nan < z->t.numel) return u;
  u.count = h.nan * width / item;
  u.first = h.first_nan * width / item;
  return u;
}

static int64_t count_all(const ag_zone *z) {
  return z->t.numel * z->t.dtype->item_size / z->buffer.dtype->item_size;
}

static bool is_operator(const ag_record *record) {
  return !(ag_launch_site(&record->launch)->flags & AOTIGEN_KERNEL);
}

bool ag_unwritten_must_show(const ag_record *record, size_t arg) {
  return is_operator(record) ? ag_outputs_may_show(record)
                             : ag_held_values_may_be_left_out(record, arg, AG_NAN);
}

static bool must_show(const ag_evaluation *e, const ag_zone *z) {
  return z->arg >= 0 && ag_unwritten_must_show(e->record, (size_t)z->arg);
}

/* True if it may be a workspace, of which an operator reads only the valid part. */
static bool may_be_workspace(const ag_evaluation *e, const unwritten *u) {
  return u->zone->arg >= 0 && is_operator(e->record) && u->count < count_all(u->zone);
}

static void add_elements(ag_text *t, const ag_evaluation *e, const unwritten *u) {
  const ag_zone *z = u->zone;
  int64_t all = count_all(z);
  ag_tensor buffer = {.ndim = z->buffer.ndim};
  memcpy(buffer.sizes, z->buffer.sizes, (size_t)z->buffer.ndim * sizeof *z->buffer.sizes);
  if (u->count == all) {
    ag_text_add_line(t, "", "none of its %lld elements was written since it was allocated",
                     (long long)all);
  } else {
    ag_text_add_line(t, "", "%lld of %lld elements were not written since it was allocated",
                     (long long)u->count, (long long)all);
    ag_text_add(t, "                the first at ");
    ag_tensor_describe_index(t, z->arg >= 0 ? &e->record->args[z->arg].view.t : &buffer, u->first);
    ag_text_addf(t, " (index %lld)\n", (long long)u->first);
  }
  if ((z->buffer.dtype->cls != AG_FLOATING && z->buffer.dtype->cls != AG_COMPLEX) ||
      z->buffer.dtype->item_size == 2)
    ag_text_add_line(t, "", "a launch may have stored that number: 0x%x stands in such memory",
                     (unsigned)(ag_pattern_word(z->buffer.dtype, AG_PATTERN_UNWRITTEN) &
                                (z->buffer.dtype->item_size == 2 ? 0xffff : ~0u)));
}

/* The last launch that had the buffer as an output only; if none did, the last one that was given
 * it to write. A launch that changes it in place leaves unwritten what was unwritten. */
static const char *find_writer(const ag_evaluation *e, const ag_zone *z, uint64_t *launch) {
  *launch = z->writers.filled ? z->writers.filled : z->writers.written;
  return *launch ? e->launch.model->sites[z->writers.filled ? z->writers.filler : z->writers.writer]
                       .kernel
                 : NULL;
}

static void add_writer(ag_text *t, const ag_evaluation *e, const ag_zone *z) {
  uint64_t launch;
  const char *writer = find_writer(e, z, &launch);
  if (!writer) {
    ag_text_add_line(t, "written by", "no launch before this one");
    return;
  }
  ag_text_add_line(t, "written by", "launch %llu (%s), the last launch that should have written it",
                   (unsigned long long)launch, ag_short_name(writer));
  if (launch != z->writers.written)
    ag_text_add_line(t, "", "launch %llu (%s) may have changed it since, in place",
                     (unsigned long long)z->writers.written,
                     ag_site_name(&e->launch.model->sites[z->writers.writer]));
}

/* An output's event names the launch that left it unwritten, and not the run's last launch. */
static void begin_event(ag_text *event, const ag_evaluation *e, const ag_zone *z, uint64_t writer) {
  ag_launch left = {.model = e->launch.model, .run = e->launch.run, .number = writer};
  left.site = z->writers.filled ? z->writers.filler : z->writers.writer;
  if (z->arg >= 0)
    ag_event_launch(event, EVENT_MEMORY, &e->launch, &e->record->args[z->arg]);
  else if (writer)
    ag_event_launch(event, EVENT_MEMORY, &left, NULL);
  else
    ag_event_run(event, EVENT_MEMORY, e->launch.model, e->launch.run);
}

static void log_unwritten(const ag_evaluation *e, const unwritten *u) {
  ag_text event;
  uint64_t launch;
  const ag_zone *z = u->zone;
  const char *writer = find_writer(e, z, &launch);
  begin_event(&event, e, z, launch);
  ag_event_add_string(&event, "check", EVENT_UNWRITTEN);
  ag_event_add_string(&event, "buffer", z->buffer.row->name);
  ag_event_add_number(&event, "count", u->count);
  ag_event_add_number(&event, "element", u->first);
  ag_event_add_number(&event, "elements", z->buffer.extent);
  ag_event_add_number(&event, "written_by", (int64_t)launch);
  if (writer) ag_event_add_string(&event, "writer", writer);
  ag_event_end(&event);
}

static void report(ag_evaluation *e, const unwritten *u) {
  const ag_zone *z = u->zone;
  ag_text *t = &e->report;
  ag_text_clear(t);
  if (z->arg >= 0) {
    ag_report_head(t, &e->launch, cause_what(CAUSE_UNWRITTEN));
    ag_report_site(t, &e->launch);
    ag_text_add(t, "  read as       ");
    ag_report_arg(t, &e->record->args[z->arg]);
    ag_text_add(t, "\n");
  } else {
    ag_text_addf(t, "aotigen: unwritten memory in an output of run %llu\n",
                 (unsigned long long)e->launch.run);
  }
  ag_zone_report_buffer(t, e->launch.model, z);
  add_elements(t, e, u);
  add_writer(t, e, z);
  log_unwritten(e, u);
  ag_bad_values_write(e, t);
  if (z->arg >= 0 && ag_dtype_is_floating(z->buffer.dtype)) e->pattern_read = true;
}

/* Arithmetic passes the pattern's bits on: since a launch read them, what a launch wrote may hold
 * them. */
static bool may_be_passed_on(const ag_evaluation *e, const ag_zone *z) {
  return e->pattern_read && z->writers.written && ag_dtype_is_floating(z->buffer.dtype);
}

/* A launch that was left out may have written the buffer, or passed the pattern on. */
static bool is_known(const ag_evaluation *e, const ag_zone *z) {
  return e->launch.unscanned <= (ag_dtype_is_floating(z->buffer.dtype) ? 0 : z->buffer.allocated);
}

static void report_first(ag_evaluation *e, const unwritten *u) {
  if (u->count && !may_be_passed_on(e, u->zone) && is_known(e, u->zone) &&
      ag_zone_report_is_first(e, u->zone))
    report(e, u);
}

/* Before the launch: checks what it reads. If the kernel's text says that it may omit the elements,
 * reports nothing yet. */
static void check_before(ag_evaluation *e) {
  for (unsigned i = 0; i < e->record->nzones[AG_BEFORE]; i++) {
    const ag_zone *z = &e->record->zones[AG_BEFORE][i];
    if (z->red || must_show(e, z)) continue;
    unwritten u = read_zone(e, AG_BEFORE, i);
    if (!may_be_workspace(e, &u)) report_first(e, &u);
  }
}

/* True if an output holds NaN that may come from the argument. An output into which the kernel
 * stores an intended NaN proves nothing, such as that of torch's circular pad, which then fills the
 * borders. */
static bool shows(const ag_record *record, size_t arg) {
  for (size_t i = 0; i < record->nargs; i++) {
    const ag_arg *a = &record->args[i];
    bool constant = a->param->text && a->param->text->constants & AG_NAN;
    if (a->values.asserted_after && a->values.after.nan && !constant &&
        ag_reach_find(record, arg, i) != AG_REACHES_NOT)
      return true;
  }
  return false;
}

/* Checks what the launch may omit, if an output of it is NaN. */
static void check_after(ag_evaluation *e) {
  for (unsigned i = 0; i < e->record->nzones[AG_BEFORE]; i++) {
    const ag_zone *z = &e->record->zones[AG_BEFORE][i];
    if (z->red || !must_show(e, z)) continue;
    const bool asserted = ag_kinds_wanted(e->launch.model) & AG_NAN;
    if (asserted && !shows(e->record, (size_t)z->arg)) continue;
    unwritten u = read_zone(e, AG_BEFORE, i);
    if (asserted)
      report_first(e, &u);
    else
      e->pattern_read = e->pattern_read || u.count; /* no output shows if it was read */
  }
}

void ag_unwritten_check_outputs(ag_evaluation *e) {
  for (unsigned i = 0; i < e->record->nzones[AG_AFTER]; i++) {
    const ag_zone *z = &e->record->zones[AG_AFTER][i];
    if (z->red || z->residue) continue;
    unwritten u = read_zone(e, AG_AFTER, i);
    report_first(e, &u);
  }
}

static void check_unwritten(ag_evaluation *e) {
  check_after(e);
  ag_unwritten_check_outputs(e);
}

/* Stores the findings in the buffers that the launch wrote, for the launch that reads them. */
static void keep_residues(ag_evaluation *e) {
  const ag_record *r = e->record;
  for (unsigned i = 0; i < r->nzones[AG_AFTER]; i++) {
    const ag_zone *z = &r->zones[AG_AFTER][i];
    ag_residue residue = {
        .row = z->buffer.row, .allocated = z->buffer.allocated, .launch = z->span.until};
    unsigned char element[4];
    if (!z->residue) continue;
    residue.found = ag_nothing_bad;
    residue.failed = !e->results->zone(e, AG_AFTER, i, &residue.found, element);
    if (ag_list_grow((void **)&e->residues.list, &e->residues.room, e->residues.count,
                     sizeof *e->residues.list))
      e->residues.list[e->residues.count++] = residue;
  }
}

AG_LAUNCH_HOOKS(residues) = {.wanted = ag_wants_memory, .evaluate_after = keep_residues};
AG_LAUNCH_HOOKS(unwritten) = {.wanted = ag_wants_memory, .evaluate_before = check_before};
AG_LAUNCH_HOOKS(unwritten_left) = {.wanted = ag_wants_memory, .evaluate_after = check_unwritten};

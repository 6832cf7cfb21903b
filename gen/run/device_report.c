/* device_report.c - see diagnosis_parts.h. */
#include "run/diagnosis_parts.h"
#include "base/file.h"
#include <string.h>

enum { NAMED = 6 }; /* launches */

bool device_report_is_late(const evidence *e, const event *x) {
  return x->cause == CAUSE_DEVICE && x->place.run >= 0 && e->has_gpu_cores;
}

/* True for a kernel of aotigen's own. A scan reads only what launches are passed, so it was running
 * when the error of an earlier launch came. */
static bool is_own(const core_dump *c) { return c->kernel && !strncmp(c->kernel, "aotigen_", 8); }

/* ---- the launches of the dump's kernel */

/* Replaces the site's number by that of its launch, if that is known. x: the event, which has both
 * numbers for another site of the same model; or NULL. */
static void number_launch(kernel_site *s, const event *x) {
  if (!s->copies || !s->once) return;
  s->once = x && x->place.launch > 0 && x->place.site > 0 && x->place.source &&
            !strcmp(x->place.source, s->source) && s->number > x->place.site - x->place.launch;
  if (s->once) s->number -= x->place.site - x->place.launch;
}

/* The sites that may have the error. In the first run, none is later than the launch at which it
 * was seen. */
static kernel_sites find_sites(const evidence *e, const event *x, arena *a) {
  const core_dump *c = e->core;
  kernel_sites found = {0};
  if (!c->exception || is_own(c)) return found;
  kernel_sites all = kernel_list_find(&e->log->kernels, c->kernel, a);
  for (size_t i = 0; i < all.n; i++) {
    number_launch(&all.at[i], x);
    if (!x || x->place.run > 1 || x->place.launch < 0 || !all.at[i].once ||
        all.at[i].number <= x->place.launch)
      *arena_push(a, &found) = all.at[i];
  }
  return found;
}

static const char *name_number(const kernel_site *s) { return s->once ? "launch" : "site"; }

/* "launch 3", "one of launches 3, 7, 9"; NULL for none, and for many. */
static const char *format_sites(const kernel_sites *list, arena *a) {
  if (!list->n || list->n > NAMED) return NULL;
  const kernel_site *first = &list->at[0];
  if (list->n == 1) return arena_printf(a, "%s %lld", name_number(first), first->number);
  const char *t =
      arena_printf(a, "one of %s %lld", first->once ? "launches" : "sites", first->number);
  for (size_t i = 1; i < list->n; i++) t = arena_printf(a, "%s, %lld", t, list->at[i].number);
  return t;
}

static void say_site(screen *s, const core_dump *c, const kernel_site *site) {
  const char *arguments = kernel_list_describe(site, c->text, s->a);
  screen_say(s, "launched at", "%s:%lld", file_name(site->source), site->line);
  if (arguments) screen_say(s, "arguments", "%s", arguments);
}

bool device_report_knows_launch(const evidence *e, const event *x, arena *a) {
  return find_sites(e, x, a).n == 1;
}

/* ---- the report */

/* In a later run than the first, the launch may belong to the run before. */
static void say_what(screen *s, const evidence *e, const event *x, const char *launches) {
  const core_dump *c = e->core;
  const bool known = c->kernel && !is_own(c);
  if (launches && x->place.run == 1)
    screen_say(s, "what", "device error in run 1, %s: %s", launches,
               kernel_or_unknown(c->kernel, s->a));
  else if (launches)
    screen_say(s, "what", "device error in %s: %s", launches, kernel_or_unknown(c->kernel, s->a));
  else
    screen_say(s, "what", "device error in run %lld, at launch %lld or before it%s%s", x->place.run,
               x->place.launch, known ? ": " : "", known ? shown_name(c->kernel, s->a) : "");
}

void device_report_say_late(screen *s, const evidence *e, const event *x) {
  kernel_sites sites = find_sites(e, x, s->a);
  say_what(s, e, x, format_sites(&sites, s->a));
  if (sites.n == 1) say_site(s, e->core, &sites.at[0]);
  screen_say(s, "seen at", "run %lld, launch %lld: %s", x->place.run, x->place.launch,
             kernel_or_unknown(x->place.kernel, s->a));
  if (x->value.found) screen_say(s, "found", "%s", x->value.found);
}

void device_report_say_core(screen *s, const evidence *e, bool alone) {
  const core_dump *c = e->core;
  if (!c->exception) return;
  screen_say(s, alone ? "what" : "on the GPU", "%s in %s, block %s, thread %s%s%s%s", c->exception,
             kernel_or_unknown(c->kernel, s->a), c->block, c->thread, c->grid ? " of grid " : "",
             c->grid ? c->grid : "",
             is_own(c) ? ": a check of aotigen's, behind the launch that failed" : "");
  if (c->place)
    screen_say(s, "kernel line", "%s%s%s", c->place, c->text ? "  " : "", c->text ? c->text : "");
  if (!alone) return;
  kernel_sites sites = find_sites(e, NULL, s->a);
  const char *launches = format_sites(&sites, s->a);
  if (launches) screen_say(s, "launch", "%s of the model", launches);
  if (sites.n == 1) say_site(s, c, &sites.at[0]);
}

const char *device_report_explain_late(const evidence *e) {
  return e->core->kernel
             ? "while the driver writes a core dump, launches behind the one that failed end, and "
               "the error is seen later; the dump names the kernel"
             : "while the driver writes a core dump, launches behind the one that failed end, and "
               "the error is seen later";
}

const char *device_report_explain_alone(const evidence *e, arena *a) {
  return find_sites(e, NULL, a).n
             ? "the driver's core dump names the kernel; no report has the launch"
             : "the driver's core dump says so; no launch is known";
}

/* int32.c - see int32.h. */
#include "checks/int32.h"

#include <stdio.h>

#include "base/sink.h"
#include "state/launch_hooks.h"

/* Eager torch refuses such a number for a tensor of int32, and wraps it where the model asks for
 * that: the kernel is the same. */
static void warn_converted(const aotigen_run *run, const ag_finding *f, const ag_item *item,
                           const char *found) {
  const aotigen_site *site = &run->model->sites[run->site];
  atomic_uchar *said = &run->state->model->said.arguments[run->site];
  if (atomic_fetch_or(said, AG_SAID_CONVERTED) & AG_SAID_CONVERTED) return;
  ag_warn("run %llu: argument '%s' of %s (%s:%d) is %s, and the kernel converts it to 32 bits: "
          "eager torch refuses it, unless the model asks for what is left of it",
          (unsigned long long)run->number, item->arg->param->name, ag_site_name(site),
          run->model->source, site->line, found);
  ag_finding_log(f, EVENT_WARNING, item, AG_CHECK_VALUE, "what 32 bits hold", found);
}

void ag_int32_check(const aotigen_run *run, ag_finding *f, const ag_arg *a) {
  const aotigen_value *v = &a->value;
  const ag_item item = {.label = "argument", .arg = a};
  char found[32];
  if (!(a->param->flags & (AOTIGEN_INT32 | AOTIGEN_CONVERTS32))) return;
  if (v->kind == AOTIGEN_V_INT && (v->v.i < INT32_MIN || v->v.i > INT32_MAX))
    snprintf(found, sizeof found, "%lld", (long long)v->v.i);
  else if (v->kind == AOTIGEN_V_UINT && v->v.u > INT32_MAX)
    snprintf(found, sizeof found, "%llu", (unsigned long long)v->v.u);
  else
    return;
  if (a->param->flags & AOTIGEN_INT32)
    ag_finding_add(f, &item, AG_CHECK_VALUE, "what the kernel's 32 bits hold", found);
  else
    warn_converted(run, f, &item, found);
}

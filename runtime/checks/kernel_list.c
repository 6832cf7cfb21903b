/* kernel_list.c - see kernel_list.h. */
#include "checks/kernel_list.h"

#include <stdbool.h>

#include "base/json.h"
#include "base/sink.h"

enum { SITES = 256, LENGTH = 512 << 10 }; /* per event: a reader takes a line of at most 1 MiB */

/* Sites of constant folding have no launch of a run. */
static bool is_listed(const aotigen_site *s) { return s->form == AOTIGEN_TRITON && s->number; }

/* [["in_ptr0","arg0_1"],["out_ptr0","buf0"]] */
static void add_arguments(ag_text *t, const aotigen_site *s) {
  const char *separator = "";
  ag_json_add_name(t, "args");
  ag_text_add(t, "[");
  for (int i = 0; i < s->nparams; i++) {
    const aotigen_param *p = &s->params[i];
    if (!p->parameter || p->kind == AOTIGEN_SCALAR) continue;
    ag_text_addf(t, "%s[", separator);
    ag_json_add_string(t, p->parameter);
    ag_text_add(t, ",");
    ag_json_add_string(t, p->name);
    ag_text_add(t, "]");
    separator = ",";
  }
  ag_text_add(t, "]");
}

static void add_site(ag_text *t, const aotigen_site *s) {
  ag_text_addf(t, "{\"site\":%u", s->number);
  ag_json_add_name(t, "line");
  ag_json_add_number(t, s->line);
  ag_json_add_name(t, "kernel");
  ag_json_add_string(t, s->kernel);
  add_arguments(t, s);
  ag_text_add(t, "}");
}

/* Without sites in loops and branches each site is launched once. Those that copy an input where it
 * is not aligned stand first: without them, too, a site's number is that of its launch. */
typedef struct scoped {
  int64_t in_branches, copies;
} scoped;

static scoped count_scoped(const aotigen_model *model) {
  scoped n = {0, 0};
  for (uint32_t i = 0; i < model->nsites; i++) {
    const aotigen_scope *scope = model->sites[i].scope;
    if (!scope) continue;
    if (scope->kind == AOTIGEN_COPY_IF && !scope->outer)
      n.copies++;
    else
      n.in_branches++;
  }
  return n;
}

/* Logs the sites from `begin` on; returns where the next event begins. */
static uint32_t log_sites(const aotigen_model *model, scoped sites, uint32_t begin) {
  ag_text event;
  int n = 0;
  ag_event_begin(&event, EVENT_KERNELS);
  ag_event_add_string(&event, "source", model->source);
  ag_event_add_number(&event, "in_branches", sites.in_branches);
  ag_event_add_number(&event, "copies", sites.copies);
  ag_json_add_name(&event, "sites");
  ag_text_add(&event, "[");
  for (; begin < model->nsites && n < SITES && event.length < LENGTH; begin++) {
    if (!is_listed(&model->sites[begin])) continue;
    if (n++) ag_text_add(&event, ",");
    add_site(&event, &model->sites[begin]);
  }
  ag_text_add(&event, "]");
  ag_event_end(&event);
  return begin;
}

void ag_kernel_list_log(const aotigen_model *model) {
  const scoped sites = count_scoped(model);
  uint32_t at = 0;
  while (ag_sink_has_log() && at < model->nsites) at = log_sites(model, sites, at);
}

/* print.c - the findings of a check, for people and as JSON: see check.h. */
#include "base/shown.h"
#include "check/check.h"
#include <cjson/cJSON.h>
#include <stdlib.h>

static const char *const verdict_names[] = {"proved", "refuted", "not decided"};

static void print_finding(const finding *f, const model *m, FILE *to) {
  const site *s = &m->sites.at[f->site];
  fprintf(to, "%s: launch %u, %s", verdict_names[f->verdict], s->number, s->kernel);
  if (f->line) fprintf(to, ", line %u", f->line);
  fputs("\n", to);
  if (f->access) fprintf(to, "  %-13s %s\n", "access", f->access);
  if (f->argument) fprintf(to, "  %-13s %s", "memory", f->argument);
  if (f->argument && f->elements) fprintf(to, ", %s elements", f->elements);
  if (f->argument) fputs("\n", to);
  if (f->low && f->high) fprintf(to, "  %-13s %s to %s\n", "index", f->low, f->high);
  if (f->why)
    fprintf(to, "  %-13s %s\n", f->verdict == VERDICT_REFUTED ? "example" : "why", f->why);
  if (f->would) fprintf(to, "  %-13s %s\n", "would decide", f->would);
}

static void add(cJSON *o, const char *key, const char *text) {
  if (text)
    cJSON_AddStringToObject(o, key, text);
  else
    cJSON_AddNullToObject(o, key);
}

static void print_json(const finding *f, const model *m, FILE *to) {
  static const char *const kinds[] = {"access", "term", "kernel", "effect", "grid", "lifetime"};
  const site *s = &m->sites.at[f->site];
  cJSON *o = cJSON_CreateObject();
  add(o, "type", kinds[f->is]);
  add(o, "verdict", verdict_names[f->verdict]);
  cJSON_AddNumberToObject(o, "site", s->number);
  add(o, "kernel", s->kernel);
  cJSON_AddNumberToObject(o, "line", f->line);
  add(o, "access", f->access);
  add(o, "argument", f->argument);
  add(o, "elements", f->elements);
  add(o, "low", f->low);
  add(o, "high", f->high);
  add(o, f->verdict == VERDICT_REFUTED ? "example" : "why", f->why);
  add(o, "would_decide", f->would);
  char *text = cJSON_PrintUnformatted(o);
  if (text) fprintf(to, "%s\n", text);
  free(text);
  cJSON_Delete(o);
}

void check_print(const check *c, const model *m, const options *o, const char *name, FILE *to) {
  for (size_t i = 0; i < c->findings.n; i++) {
    const finding *f = &c->findings.at[i];
    if (o->json)
      print_json(f, m, to);
    else if (f->verdict != VERDICT_PROVED || o->verbosity > 0)
      print_finding(f, m, to);
  }
  if (o->json) return;
  size_t all = c->counts[0] + c->counts[1] + c->counts[2];
  if (name) fprintf(to, "%s: ", name);
  fprintf(to, "%zu accesses of %zu kernel launches: %zu proved, %zu refuted, %zu not decided\n",
          all, c->kernels, c->counts[VERDICT_PROVED], c->counts[VERDICT_REFUTED],
          c->counts[VERDICT_UNDECIDED]);
}

/* print.c - the findings of a check, for people and as JSON: see check.h. */
#include "base/shown.h"
#include "check/check.h"
#include "shared/name_cut.h"
#include <string.h>

static const char *const verdict_names[] = {"proved", "refuted", "not decided"};

/* What is proved of a launch apart from its accesses. */
static const char *const claims[FINDING_COUNT] = {
    [FINDING_TWICE] = "each element is stored once",
    [FINDING_OVERLAP] = "no iteration stores what another one needs",
    [FINDING_UNWRITTEN] = "what is read was written before",
    [FINDING_ALIGNMENT] = "what a kernel takes for a multiple of 16 is one",
    [FINDING_VIEW] = "a view that an operator is passed stays within its memory",
    [FINDING_PENDING] = "the memory of a collective is used behind its wait_tensor",
    [FINDING_ORDER] = "launches on other streams that use its memory are ordered with it"};

static void print_finding(const finding *f, const model *m, FILE *to) {
  const site *s = &m->sites.at[f->site];
  char cut[AG_NAME_SHOWN + 1];
  fprintf(to, "%s: launch %u, %s", verdict_names[f->verdict], s->number,
          ag_name_cut(cut, s->kernel) ? cut : s->kernel);
  if (f->line) fprintf(to, ", line %u", f->line);
  fputs("\n", to);
  if (claims[f->kind]) fprintf(to, "  %-13s %s\n", "claim", claims[f->kind]);
  if (f->access) fprintf(to, "  %-13s %s\n", "access", f->access);
  if (f->argument) fprintf(to, "  %-13s %s", "memory", f->argument);
  if (f->argument && f->elements) fprintf(to, ", %s elements", f->elements);
  if (f->argument) fputs("\n", to);
  if (f->low && f->high) fprintf(to, "  %-13s %s to %s\n", "index", f->low, f->high);
  if (f->why)
    fprintf(to, "  %-13s %s\n", f->verdict == VERDICT_REFUTED ? "example" : "why", f->why);
  if (f->scalar) fprintf(to, "  %-13s %s\n", "scalar", f->scalar);
  if (f->cause) fprintf(to, "  %-13s %s\n", "cause", f->cause);
  if (f->would) fprintf(to, "  %-13s %s\n", "would decide", f->would);
}

static void print_json(const finding *f, const model *m, FILE *to) {
  static const char *const kinds[] = {"access",    "term",      "kernel",  "effect",
                                      "grid",      "lifetime",  "overlap", "twice",
                                      "unwritten", "alignment", "view",    "pending", "order"};
  const site *s = &m->sites.at[f->site];
  cJSON *o = cJSON_CreateObject();
  shown_add_json(o, "type", kinds[f->kind]);
  shown_add_json(o, "verdict", verdict_names[f->verdict]);
  cJSON_AddNumberToObject(o, "site", s->number);
  shown_add_json(o, "kernel", s->kernel);
  cJSON_AddNumberToObject(o, "line", f->line);
  shown_add_json(o, "access", f->access);
  shown_add_json(o, "argument", f->argument);
  shown_add_json(o, "elements", f->elements);
  shown_add_json(o, "low", f->low);
  shown_add_json(o, "high", f->high);
  shown_add_json(o, f->verdict == VERDICT_REFUTED ? "example" : "why", f->why);
  shown_add_json(o, "would_decide", f->would);
  shown_add_json(o, "scalar", f->scalar);
  if (f->cause) shown_add_json(o, "cause", f->cause);
  shown_print_json(o, to);
}

static void print_kinds(const check *c, FILE *to) {
  for (int kind = 0; kind < FINDING_COUNT; kind++) {
    const size_t *n = c->by_kind[kind];
    if (claims[kind] && n[VERDICT_PROVED] + n[VERDICT_REFUTED] + n[VERDICT_UNDECIDED])
      fprintf(to, "  %s: %zu proved, %zu refuted, %zu not decided\n", claims[kind],
              n[VERDICT_PROVED], n[VERDICT_REFUTED], n[VERDICT_UNDECIDED]);
  }
}

void check_print(void *printer, const finding *list, size_t n) {
  const check_printer *p = printer;
  for (size_t i = 0; i < n; i++) { /* an empty list is NULL, of which no end is computed */
    const finding *f = &list[i];
    if (p->o->json)
      print_json(f, p->m, p->to);
    else if (f->verdict != VERDICT_PROVED || p->o->verbosity > 0)
      print_finding(f, p->m, p->to);
  }
}

void check_print_sums(const check *c, const options *o, const char *name, FILE *to) {
  if (o->json) return;
  size_t all = c->counts[0] + c->counts[1] + c->counts[2];
  if (name) fprintf(to, "%s: ", name);
  fprintf(to, "%zu accesses of %zu kernel launches: %zu proved, %zu refuted, %zu not decided\n",
          all, c->kernels, c->counts[VERDICT_PROVED], c->counts[VERDICT_REFUTED],
          c->counts[VERDICT_UNDECIDED]);
  print_kinds(c, to);
}

/* "0 to s77 - 1 of the s77 elements of buf0" */
static void print_bounds(const finding *f, FILE *to) {
  fprintf(to, "%s to %s", f->low ? f->low : "?", f->high ? f->high : "?");
  if (f->argument)
    fprintf(to, " of the %s elements of %s", f->elements ? f->elements : "?", f->argument);
}

void check_print_accesses(void *printer, const finding *list, size_t n) {
  const check_printer *p = printer;
  for (const finding *f = list; f < list + n; f++) {
    const site *s = &p->m->sites.at[f->site];
    if (f->kind != FINDING_ACCESS || strcmp(s->kernel, p->o->kernel) != 0) continue;
    if (p->o->json) {
      print_json(f, p->m, p->to);
      continue;
    }
    fprintf(p->to, "%4u  line %-4u %s\n      %-11s ", s->number, f->line, f->access,
            verdict_names[f->verdict]);
    print_bounds(f, p->to);
    fprintf(p->to, f->why ? ": %s\n" : "\n", f->why);
  }
}

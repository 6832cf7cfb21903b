/* diagnosis_json.c - see diagnosis_json.h. */
#include "run/diagnosis_json.h"
#include "run/diagnosis_parts.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* ---- the event that the verdict is of */

static void add_number(cJSON *to, const char *name, long long n, long long none) {
  if (n != none) cJSON_AddNumberToObject(to, name, (double)n);
}

static void add_text(cJSON *to, const char *name, const char *text) {
  if (text) shown_add_json(to, name, text);
}

static void add_texts(cJSON *to, const char *name, const strings *texts) {
  cJSON *list = texts->n ? cJSON_AddArrayToObject(to, name) : NULL;
  for (size_t i = 0; i < texts->n; i++)
    cJSON_AddItemToArray(list, cJSON_CreateString(texts->at[i]));
}

/* "2,3" as [2, 3]. */
static void add_index(cJSON *to, const char *index) {
  cJSON *list = index ? cJSON_AddArrayToObject(to, "first_index") : NULL;
  for (const char *p = index; p && *p; p += *p == ',') {
    char *end;
    const long long n = strtoll(p, &end, 10);
    if (end == p) break;
    cJSON_AddItemToArray(list, cJSON_CreateNumber((double)n));
    p = end;
  }
}

static void add_time(cJSON *to, double time) {
  if (time < HUGE_VAL) cJSON_AddNumberToObject(to, "time", time);
}

static cJSON *describe_event(const event *x) {
  cJSON *to = cJSON_CreateObject();
  add_time(to, x->time);
#define NUMBER(name, field) add_number(to, name, x->field, -1);
#define TEXT(name, field) add_text(to, name, x->field);
#include "run/event_fields.def"
  add_number(to, "element", x->memory.element, EVENT_NO_ELEMENT);
  add_index(to, x->value.index);
  add_texts(to, "model_lines", &x->place.model_lines);
  add_texts(to, "how_steps", &x->value.how_steps);
  if (x->place.names_guessed) cJSON_AddTrueToObject(to, "names_guessed");
  if (x->place.lines_guessed) cJSON_AddTrueToObject(to, "lines_guessed");
  return to;
}

static cJSON *describe_in_flight(const in_flight *u) {
  cJSON *to = cJSON_CreateObject();
  add_time(to, u->time);
  add_number(to, "pid", u->pid, -1);
  add_number(to, "thread", u->thread, -1);
  add_number(to, "run", u->run, -1);
  add_number(to, "launch", u->launch, -1);
  add_number(to, "line", u->line, -1);
  add_text(to, "source", u->source);
  add_text(to, "kernel", u->kernel);
  add_text(to, "at", u->at);
  return to;
}

/* ---- the verdict */

static const char *const causes[] = {
#define CAUSE(NAME, ...) #NAME,
#include "shared/causes.def"
};

/* "unwritten" for UNWRITTEN. */
static const char *name_cause(int cause, arena *a) {
  char *name = arena_strdup(a, causes[cause]);
  for (char *c = name; *c; c++) *c = (char)tolower((unsigned char)*c);
  return name;
}

static void add_verdict(cJSON *to, const evidence *e, const verdict *v, arena *a) {
  if (v->cause == CAUSE_NONE)
    cJSON_AddNullToObject(to, "cause");
  else
    cJSON_AddStringToObject(to, "cause", name_cause(v->cause, a));
  if (v->event) cJSON_AddItemToObject(to, "event", describe_event(v->event));
  if (v->event && infinity_report_has_suspect(e, v->event))
    cJSON_AddItemToObject(to, "perhaps_of", describe_event(&e->log->suspected));
  if (v->launch) cJSON_AddItemToObject(to, "in_flight", describe_in_flight(v->launch));
  cJSON *counts = cJSON_AddObjectToObject(to, "counts");
  for (int i = 0; i < CAUSES; i++) add_number(counts, name_cause(i, a), e->log->counts[i], 0);
}

/* ---- the whole */

static void add_command(cJSON *to, const evidence *e) {
  if (e->o->replay.capsule) {
    shown_add_json(to, "capsule", e->o->replay.capsule);
  } else {
    cJSON *words = cJSON_AddArrayToObject(to, "command");
    for (char *const *p = e->o->run.command; *p; p++)
      cJSON_AddItemToArray(words, cJSON_CreateString(*p));
  }
  if (WIFEXITED(e->status)) cJSON_AddNumberToObject(to, "exit_status", WEXITSTATUS(e->status));
  shown_add_json(to, "signal", e->signal);
}

/* A part without a label continues the entry before it; behind a command it is one more of its
 * label. */
static void add_report(cJSON *to, const screen *s) {
  cJSON *report = cJSON_AddArrayToObject(to, "report"), *entry = NULL;
  const char *label = "", *text = "";
  for (size_t i = 0; i < s->parts.n; i++) {
    const screen_part *p = &s->parts.at[i];
    if (p->kind == SCREEN_HEAD) continue;
    if (p->kind == SCREEN_COMMAND) {
      if (entry) shown_add_json(entry, "command", p->text);
      continue;
    }
    const bool ended = !entry || *p->label || cJSON_HasObjectItem(entry, "command");
    if (*p->label) label = p->label;
    text = ended ? p->text : arena_printf(s->a, "%s\n%s", text, p->text);
    if (ended) cJSON_AddItemToArray(report, entry = cJSON_CreateObject());
    if (ended) cJSON_AddStringToObject(entry, "label", label);
    cJSON_DeleteItemFromObject(entry, "text");
    shown_add_json(entry, "text", text);
  }
}

void diagnosis_json_print(const evidence *e, const verdict *v, const screen *s, FILE *to) {
  cJSON *object = cJSON_CreateObject();
  add_command(object, e);
  if (v) add_verdict(object, e, v, s->a);
  while (e->notes && e->notes->facts && e->notes->facts->child) {
    cJSON *fact = cJSON_DetachItemViaPointer(e->notes->facts, e->notes->facts->child);
    cJSON_AddItemToObject(object, fact->string, fact);
  }
  add_report(object, s);
  shown_print_json(object, to);
}

/* finding.h - the report of a finding: what happened where, then labelled lines; the same facts go
 * to the log as one object.
 *
 * A check collects its violations in an ag_finding and ends it with a head line. Nothing is
 * allocated or written before the first violation.
 */
#ifndef AOTIGEN_FINDING_H
#define AOTIGEN_FINDING_H

#include "shared/causes.h"
#include "shared/checks.h"
#include "state/launch.h"

/* ---- the parts of a report ------------------------------------------------------------------ */

/* "aotigen: WHAT in run 1, launch 3: triton_poi_fused_gelu_0", then the site's source nodes, ATen
 * ops and place. */
void ag_report_head(ag_text *t, const ag_launch *l, const char *what) AG_COLD;
void ag_report_site(ag_text *t, const ag_launch *l) AG_COLD;

/* "buf1 (a.weight) (was buf0)" */
void ag_report_arg_name(ag_text *t, const ag_arg *arg);
/* Adds the name; for a tensor also a colon and its description. */
void ag_report_arg(ag_text *t, const ag_arg *arg) AG_COLD;
/* "after launch 3"; "before the first launch" if `launch` is 0. */
void ag_report_after_launch(ag_text *t, uint64_t launch);
/* "args[0] (arg0_1)" */
void ag_report_two_names(ag_text *t, const char *python_name, const char *name);

/* A line for each frame of a stack, names demangled. */
void ag_report_frames(ag_text *t, void *const *frames, int n);

/* An event of the log with what is common to all events of a launch; arg may be NULL. Finish it
 * with ag_event_end(). */
void ag_event_launch(ag_text *t, enum event_kind event, const ag_launch *l, const ag_arg *arg);
/* The same for an event of a run that belongs to no launch. */
void ag_event_run(ag_text *t, enum event_kind event, const aotigen_model *model, uint64_t run);

/* True if the text is a report of ours: the library's, or that of a run within this one. */
bool ag_report_is_ours(const char *text);

/* The report is complete: adds the stack where that is asked for and writes it to stderr. */
void ag_report_write(ag_text *report) AG_COLD;
struct ag_model_state;
/* The same for a report that may come again, and then is folded (checks/again.h). False if it was
 * not told in full. Adds a line to a report that AOTIGEN_REPORTS keeps from stderr, which
 * ag_report_summarize() knows. */
bool ag_report_tell(struct ag_model_state *model, ag_text *report);
/* Adds ", NAME: FINDING" or ", LABEL: TEXT" of the report's first finding or error, if it has
 * one. */
void ag_report_add_found(ag_text *t, const char *report);
/* Adds the field "how" if the report has such a line: how a value or an index was computed; and
 * "how_steps", the lines below the first one, if there are some. */
void ag_event_add_how(ag_text *event, const char *report);
/* Sets `message` to the text thrown for a report that is written: the report's head, and its first
 * finding or error. It is one line without a newline, since torch prints an exception's text on
 * stderr. */
void ag_report_summarize(ag_text *message, const char *report) AG_COLD;
/* Tells the report, by ag_report_tell(). Returns what to throw, stored in `message`, or NULL where
 * faults are only reported. For faults that throw by default. */
const char *ag_report_fault(const aotigen_model *model, ag_text *message, ag_text *report) AG_COLD;

/* A warning of one line. */
void ag_warn(const char *format, ...) __attribute__((format(printf, 1, 2))) AG_COLD;

/* ---- the violations of a check -------------------------------------------------------------- */

/* The object of a violation. */
typedef struct ag_item {
  const char *label; /* "argument", "input", "weight" */
  const char *name, *python_name;
  const ag_view *view; /* described behind the name; or NULL */
  const ag_arg *arg;   /* instead of name, python_name and view */
  int32_t dimension;   /* the dimension, if one is checked */
} ag_item;

typedef struct ag_finding {
  enum event_kind event; /* the event in the log of a guard, an input, a weight or a load */
  const aotigen_model *model;
  const ag_launch *launch; /* for a guard, else NULL */
  uint64_t run;
  bool in_run;    /* false if it is found when the model is loaded */
  const char *op; /* for a load: the op that it concerns, or NULL */
  ag_text lines;
  int violations, items;
  unsigned concerns; /* enum ag_concern: the bits of all violations */
  const void *last;  /* the name of the last violation's item */
} ag_finding;

/* item: NULL if the violation is the model's. */
void ag_finding_add(ag_finding *f, const ag_item *item, enum ag_check check, const char *expected,
                    const char *found) AG_COLD;
/* Logs the event, without a violation. */
void ag_finding_log(const ag_finding *f, enum event_kind event, const ag_item *item,
                    enum ag_check check, const char *expected, const char *found) AG_COLD;

/* Describes what there is in place of a tensor, if the view is not AG_VIEW_OK. */
const char *ag_finding_absence(const ag_view *view);

/* Adds a violation if the tensor's data pointer or storage does not hold all of its elements. */
void ag_finding_check_memory(ag_finding *f, const ag_item *item, const ag_view *view);

/* For an AG_VIEW_OPAQUE: adds a violation if the wrapper expects another dtype (NULL: not known) or
 * relies on a strided layout. Returns false if it adds none. */
bool ag_finding_check_opaque(ag_finding *f, const ag_item *item, const ag_view *view,
                             const char *dtype, bool strided);

/* Frees the lines, after appending them to `report`, which holds the head. */
void ag_finding_end(ag_finding *f, ag_text *report) AG_COLD;

#endif

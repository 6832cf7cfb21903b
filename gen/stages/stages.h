/* stages.h - takes a wrapper's text through the stages from the translation unit to the edited
 * text: what a child process does.
 */
#ifndef GEN_STAGES_STAGES_H
#define GEN_STAGES_STAGES_H

#include "stages/rewritten.h"
#include "parse/translation_unit.h"

enum task_kind {
  TASK_REWRITE,
  TASK_LIST, /* the model is printed */
  TASK_CHECK /* what can be proved of it is printed */
};

/* The task of the stages. */
typedef struct stages_task {
  translation_unit_input in;
  const companion_texts *companions;
  enum task_kind kind;
  const char *model_name; /* for a list or a check: its name in the package, or NULL */
} stages_task;

/* Fills `r`; messages go to `d`, with an error where there is no text. Each site and each end of a
 * run function that is left alone is a warning. With --dump the dump goes to `printed`, as a list
 * and a check do, and there is no text. */
void stages_run(rewritten *r, const stages_task *task, FILE *printed, arena *a, diags *d);

#endif

/* dump.h - prints the model and the plan as text: what golden tests hold on to. */
#ifndef GEN_STAGES_DUMP_H
#define GEN_STAGES_DUMP_H

#include "emit/plan.h"
#include <stdio.h>

/* --dump=model. */
void dump_model(const model *m, FILE *to);

/* --dump=plan. */
void dump_plan(const plan *p, const model *m, FILE *to);

#endif

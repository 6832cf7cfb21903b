/* summary.h - what a diagnosis tells apart from its cause: other findings, in which process, how
 * far each model came, and what the program did with the packages.
 */
#ifndef GEN_SUMMARY_H
#define GEN_SUMMARY_H

#include "run/diagnosis.h"
#include "run/screen.h"

void summary_say_counts(screen *s, const evidence *e, const verdict *v);
void summary_say_process(screen *s, const evidence *e, const verdict *v);
void summary_say_runs(screen *s, const evidence *e);
void summary_say_models(screen *s, const evidence *e);

#endif

/* advice.h - what to try next: a table by cause. */
#ifndef GEN_ADVICE_H
#define GEN_ADVICE_H

#include "run/diagnosis.h"
#include "run/screen.h"

/* Adds two pieces of advice at most, each a sentence and a command to type. */
void advice_add(screen *s, const evidence *e, const verdict *v);

#endif

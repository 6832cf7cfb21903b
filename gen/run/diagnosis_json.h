/* diagnosis_json.h - a diagnosis as one object of JSON (--json), in place of the screen. */
#ifndef GEN_DIAGNOSIS_JSON_H
#define GEN_DIAGNOSIS_JSON_H

#include "run/diagnosis.h"
#include "run/screen.h"

/* Prints it on a line, as aotigen(1) says: with what decided the verdict, all that the screen has,
 * uncut, and the facts of the evidence's notes, which it takes. v: NULL where nothing was decided,
 * as of a watched run. */
void diagnosis_json_print(const evidence *e, const verdict *v, const screen *s, FILE *to);

#endif

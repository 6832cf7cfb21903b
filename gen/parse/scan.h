/* scan.h - finds in the wrapper's own functions each call that can launch, and its operands.
 *
 * A call is taken by its declaration: it has parameters that are tensor handles, or it reaches a
 * kernel.
 */
#ifndef GEN_SCAN_H
#define GEN_SCAN_H

#include "parse/facts.h"
#include "parse/translation_unit.h"

/* The facts point into `t->text`. Never fails: a call that cannot be instrumented has its reason in
 * `skipped`. */
void scan_wrapper(facts *f, const translation_unit *t, arena *a);

#endif

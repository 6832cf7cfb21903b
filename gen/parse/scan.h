/* scan.h - walks the wrapper's own functions and notes what could be a launch, and what its
 * arguments are made of.
 *
 * What is a call of interest is decided by its declaration: parameters that are tensor handles, or
 * a kernel that it reaches.
 */
#ifndef GEN_SCAN_H
#define GEN_SCAN_H

#include "parse/facts.h"
#include "parse/translation_unit.h"

/* The facts point into `t->text`. Never fails: what it cannot understand it notes as such. */
void scan(facts *f, const tu *t, arena *a);

#endif

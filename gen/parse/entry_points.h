/* entry_points.h - the functions by which a host enters the model, and where they catch exceptions.
 *
 * Part of the scan. An entry point is a definition of an extern "C" function AOTInductor*, known by
 * that alone. Its `try` is mostly in a macro that the wrapper's text defines.
 */
#ifndef GEN_ENTRY_POINTS_H
#define GEN_ENTRY_POINTS_H

#include "parse/facts.h"
#include "parse/translation_unit.h"

/* Adds `function`, which is f->functions.at[index], to the entries if it is one. */
void entry_points_add(facts *f, const translation_unit *t, CXCursor function, int index, arena *a);

#endif

/* list.h - the verb `list`: prints a model as text or as JSON Lines. */
#ifndef GEN_LIST_H
#define GEN_LIST_H

#include "base/options.h"
#include "model/model.h"
#include <stdio.h>

/* Prints the model and its sites, or with --kernel one kernel and its sites. `name` is the model's
 * in its package, or NULL. False, with an error in `d`, if no kernel has the name of --kernel. */
bool list_print(const model *m, const companion_texts *companions, const options *o,
                const char *name, FILE *to, arena *a, diags *d);

/* The names of a site's guards, from shared/checks.def and in its order; none for a site that is
 * not instrumented. */
strings guards_find(const site *s, arena *a);

#endif

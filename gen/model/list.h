/* list.h - the verb `list`: a model as a reader sees it, as text or as JSON Lines.
 */
#ifndef GEN_LIST_H
#define GEN_LIST_H

#include "model/model.h"
#include "base/options.h"

/* `name` is the model's in its package, or NULL. False where --kernel names none: `d` says so, and
 * what there is. */
bool list_print(const model *m, const companions *beside, const options *o, const char *name,
                FILE *to, arena *a, diags *d);

/* "device", "storage", ...: what a guard tests of one argument of a site, as a mask of the list's
 * own names. */
extern const char *const list_guards[];

#endif

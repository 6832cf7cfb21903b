/* bounds.h - do the accesses of a compiled kernel stay within its arguments, and the 32-bit terms
 * of their indices within 32 bits. Inside the library only.
 *
 * What the generator has proved is not computed again: of that, the storage of each argument alone
 * is measured. Of the others the site's table has the index at the ends of the kernel's loops, as
 * texts over the arguments of the launch (extent.h). A text has a result only where the access is
 * made: what it finds is a fault, not a guess.
 */
#ifndef AOTIGEN_BOUNDS_H
#define AOTIGEN_BOUNDS_H

#include "checks/finding.h"
#include "state/launch_record.h"

/* The accesses to argument `a` of the record, whose view is AG_VIEW_OK. */
void ag_bounds_check(ag_finding *f, const ag_record *record, const ag_arg *a);

/* The terms of all accesses of the launch. */
void ag_bounds_check_terms(ag_finding *f, const ag_record *record);

#endif

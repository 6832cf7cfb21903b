/* bounds.h - checks that a compiled kernel's accesses stay within its arguments, and the 32-bit
 * terms of their indices within 32 bits. Inside the library only.
 *
 * An access that the generator has proved is not computed again: only the storage of its argument
 * is measured. For the other accesses, the site's table has the index at the ends of the kernel's
 * loops, as texts over the arguments of the launch (extent.h). A text has a result only if the
 * access is made, so what it finds is a fault. */
#ifndef AOTIGEN_BOUNDS_H
#define AOTIGEN_BOUNDS_H

#include "checks/finding.h"
#include "state/launch_record.h"

/* Checks the accesses to argument `a` of the record, whose view is AG_VIEW_OK. */
void ag_bounds_check(ag_finding *f, const ag_record *record, const ag_arg *a);

/* Checks the terms of all accesses of the launch. */
void ag_bounds_check_terms(ag_finding *f, const ag_record *record);

#endif

/* extent.h - how many elements of an argument a kernel will touch, as its text tells. Inside the
 * library only.
 *
 * The generator has read the number off the kernel's text: a constant, or a text of
 * shared/postfix.h.
 * For an argument of the kernel the text is over the integer arguments of the launch
 * (gen/bounds/extent.c); for an output of an operator, over the sizes of that call's tensors
 * (gen/model/expected_size.c).
 *
 * If there are several texts, separated by ';', the greatest result counts. If a text cannot be
 * computed, nothing is checked. */
#ifndef AOTIGEN_EXTENT_H
#define AOTIGEN_EXTENT_H

#include "state/launch_record.h"

/* The number of elements that `text` gives for the record's arguments; 0 where it gives none. */
int64_t ag_extent_compute(const char *text, const ag_record *record);

/* The result of the text that *text begins with, up to a ';' or a ','; *text moves past it. False
 * where it has none. */
bool ag_extent_take(const char **text, const ag_record *record, int64_t *result);

#endif

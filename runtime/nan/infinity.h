/* infinity.h - which Inf that a launch read a NaN of it was made of. Part of the NaN assert.
 *
 * A launch reads Inf of which it makes none: masks, or the logarithm of a 0 that it then drops. */
#ifndef AOTIGEN_INFINITY_H
#define AOTIGEN_INFINITY_H

#include "explain/explained.h"
#include "nan/report_args.h"

/* The argument with an Inf of which the launch may have made a NaN, as Inf - Inf; or NULL. sure:
 * the elements show that it surely entered the NaN. */
const ag_arg *ag_infinity_find(ag_evaluation *e, unsigned kinds, ag_arg_test *is_reported,
                               bool *sure);

/* True if the operation where the NaN was born was computed from an Inf that the launch read, or,
 * without an explanation, if the elements of `in` show it. */
bool ag_infinity_is_taken(ag_evaluation *e, const ag_arg *in, const ag_explained *how,
                          ag_arg_test *is_reported);

/* Corrects *suspect, from ag_infinity_find(), by how the first NaN was computed, in a model that
 * withholds reports of Inf. Where that proves that the NaN was made of an Inf of known origin,
 * writes that origin's report; where it tells nothing, the report of the one that is suspected. */
void ag_infinity_decide(ag_evaluation *e, const ag_explained *how, const ag_arg **suspect);

/* True if each Inf that an output holds is one of this origin, which the launch read: each is
 * explained. */
bool ag_infinity_is_passed(ag_evaluation *e, size_t out, uint16_t origin);

#endif

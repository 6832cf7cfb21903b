/* bad_values.h - the kinds of bad values, and how reports and events show them. Inside the library
 * only. */
#ifndef AOTIGEN_BAD_VALUES_H
#define AOTIGEN_BAD_VALUES_H

#include "shared/causes.h"
#include "state/evaluation.h"

/* The kinds that the model is built to check. */
unsigned ag_kinds_wanted(const aotigen_model *model);
/* Those of them that are only reported where a NaN was made of one. */
unsigned ag_kinds_withheld(const aotigen_model *model);
unsigned ag_kinds_of(const ag_stats *stats);
/* "NaN", "+Inf", "-Inf", or "Inf" of several: the kinds are all of one slot. */
const char *ag_kinds_name(unsigned kinds);
/* The number of elements of these kinds. */
int64_t ag_kinds_count(const ag_stats *stats, unsigned kinds);
/* The index of the first element of these kinds; -1 if there is none. */
int64_t ag_kinds_first(const ag_stats *stats, unsigned kinds);

/* "nan, bits 0xffc00000"; "?" where the element is not there. */
void ag_bad_values_add(ag_text *t, const ag_dtype *d, bool had, const unsigned char element[16],
                       bool bits);

/* "+Inf in 2 of 16 elements, the first at [3]" */
void ag_bad_values_add_place(ag_text *t, const ag_arg *a, const ag_stats *h, unsigned kinds);

/* "NaN in 21 of 36 elements, the first at [0, 0] (index 0): nan, bits 0xffc00000; +Inf in 2" */
void ag_bad_values_add_findings(ag_text *t, ag_evaluation *e, const ag_arg *a, const ag_stats *h,
                                unsigned kinds);

/* Begins the event of a finding in the argument, which ag_event_end() ends. False where nothing is
 * logged. */
bool ag_bad_values_begin_event(ag_text *t, ag_evaluation *e, enum event_kind event, const ag_arg *a,
                               const ag_stats *h, unsigned kinds);

/* Tells the report, by ag_report_tell(). Where a fault ends the run, stores what
 * aotigen_before_outputs() throws. */
bool ag_bad_values_write(ag_evaluation *e, ag_text *report);

#endif

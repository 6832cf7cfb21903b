/* origins.h - where the bad values of a run came from, and through which launches they went.
 *
 * Part of the NaN assert. An origin is reported once; its number is valid until the run ends.
 */
#ifndef AOTIGEN_ORIGINS_H
#define AOTIGEN_ORIGINS_H

#include "state/evaluation.h"

/* Argument `a` held values before the launch that no known origin explains: `kinds`, all of one
 * slot. An input or a weight is an origin once, however many launches read it; other values come
 * from one of the launches first..last, which were not scanned. Makes the origin and its report,
 * which ag_origin_release() writes. AG_NO_ORIGIN where memory ran out. */
uint16_t ag_origin_before(ag_evaluation *e, const ag_arg *a, unsigned kinds, uint64_t first,
                          uint64_t last);

/* Writes the report and the event of such an origin, unless that was done before. */
void ag_origin_release(ag_evaluation *e, uint16_t origin);

/* Keeps the report and the event of an origin whose kinds the model withholds
 * (ag_kinds_withheld()). ag_origin_release() leaves it alone; this release writes it. Takes the
 * event. */
void ag_origin_withhold(ag_evaluation *e, uint16_t origin, const ag_text *report, ag_text *event);
void ag_origin_release_withheld(ag_evaluation *e, uint16_t origin);

/* The same where it is not sure that the launch being evaluated made its NaN of the origin's
 * values: the event is given that launch's number as "suspected_by". */
void ag_origin_release_suspected(ag_evaluation *e, uint16_t origin);

/* True if nothing was written of the origin, and nothing is to be. */
bool ag_origin_is_withheld(const ag_evaluation *e, const ag_origin *o);

/* Adds an origin for values that appeared in outputs of the launch. how: AG_BORN; AG_RECEIVED, of a
 * collective; or AG_UNKNOWN,
 * because `unseen` could not be scanned, or because they may be uninitialised memory.
 * ag_birth_report_write() reports it, when all outputs are known. */
uint16_t ag_origin_after(ag_evaluation *e, int how, unsigned kinds, const ag_arg *output);

/* " +Inf of launch 3 (KERNEL, buf3)", " NaN of the weight 'a.weight'" */
void ag_origin_add_name(ag_text *t, const ag_evaluation *e, const ag_origin *o);

#endif

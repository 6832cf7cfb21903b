/* origin.h - where the bad values of a run came from, and through which launches they went. Inside
 * the NaN assert only.
 *
 * An origin is reported once, when it is made; numbers of origins are good until the run ends.
 */
#ifndef AOTIGEN_ORIGIN_H
#define AOTIGEN_ORIGIN_H

#include "launch/run.h"

/* The kinds that the model is built to look for. */
unsigned ag_kinds_wanted(const aotigen_model *model);
unsigned ag_kinds_of(const ag_stats *stats);

/* Values of argument `a` that nothing known explains: `kinds`, all of one slot, were in its
 * elements before the launch. An input or a weight is an origin once, whoever reads it; else they
 * come from launches first..last, which nobody batch_done. Makes the origin, and reports it.
 * AG_NO_ORIGIN where memory ran out. */
uint16_t ag_origin_before(aotigen_run *run, const ag_arg *a, unsigned kinds, uint64_t first,
                          uint64_t last);

/* Values that appeared in outputs of the launch in progress: how is AG_BORN, or AG_UNKNOWN because
 * `unseen` could not be looked at. Not reported until ag_origin_report_after(), when all outputs
 * are known. */
uint16_t ag_origin_after(aotigen_run *run, int how, unsigned kinds, const ag_arg *output);
void ag_origin_report_after(aotigen_run *run, uint16_t origin, unsigned kinds,
                            const ag_arg *unseen);

/* The launch in progress read a value of this origin and wrote it to argument number `param`. */
void ag_origin_passed(aotigen_run *run, uint16_t origin, uint16_t param);

#endif

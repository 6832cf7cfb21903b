/* known_bytes.h - what the tables of a run say of an argument. Inside the library only.
 *
 * The scan plan asks its own tables, which say what was scanned; the evaluation asks its own, which
 * say what was found. Nothing here reads an element.
 */
#ifndef AOTIGEN_KNOWN_BYTES_H
#define AOTIGEN_KNOWN_BYTES_H

#include "state/evaluation.h"

/* What the NaN assert does with an argument before the launch. */
enum ag_reading {
  AG_READ_NOTHING, /* it is not read, or holds no floating-point elements */
  AG_READ_HIDDEN,  /* read, but its elements must not or cannot be scanned */
  AG_READ_SCANNED  /* read: its elements decide */
};
enum ag_reading ag_arg_reading(const ag_arg *a);

/* Does the launch write the argument, or may it. view: AG_VIEW_OK. */
bool ag_arg_may_be_written(const ag_arg *a);
/* Is what the launch wrote there asserted. */
bool ag_arg_is_asserted(const ag_arg *a);
/* Has the launch an output that is asserted: what was bad in what it reads shows there. */
bool ag_outputs_may_show(const ag_record *record);

/* Of an argument that failed its guard, after the launch: what it may have written is not known.
 * Does nothing with any other. */
void ag_known_bytes_refuse(ag_byte_tables *tables, const ag_launch *l, const ag_arg *a,
                           uint16_t param);

/* Which launch wrote the elements of `a` last, and what is known of them; sets `source`, `index`
 * and `was`. The table that knows all of them, or NULL. */
ag_ranges *ag_known_bytes_find(ag_byte_tables *tables, const ag_launch *l, ag_arg *a,
                               ag_known *known);

/* The input or weight that `a` is a slice of, as one view of all its elements; NULL where there is
 * none whose elements lie without gaps. */
ag_range *ag_known_bytes_whole(ag_ranges *table, const ag_arg *a, ag_view *whole);

/* A tensor that an unscanned launch wrote is remembered when it was scanned once. */
void ag_known_bytes_add_unattributed(ag_byte_tables *tables, const ag_launch *l, const ag_arg *a,
                                     ag_known *known);

#endif

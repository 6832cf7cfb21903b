/* known_bytes.h - looks an argument up in the tables of a run. Inside the library only.
 *
 * The scan plan asks its own tables, which say what was scanned; the evaluation asks its own, which
 * say what was found. Nothing here reads an element. */
#ifndef AOTIGEN_KNOWN_BYTES_H
#define AOTIGEN_KNOWN_BYTES_H

#include "state/evaluation.h"

/* How the NaN assert treats an argument before the launch. */
enum ag_reading {
  AG_READ_NOTHING, /* it is not read, or holds no floating-point elements */
  AG_READ_HIDDEN,  /* read, but its elements must not or cannot be scanned */
  AG_READ_SCANNED  /* read: its elements decide */
};
enum ag_reading ag_arg_reading(const ag_arg *a);

/* True if what the launch wrote there is asserted. */
bool ag_arg_is_asserted(const ag_arg *a);
/* True if the launch has an output that is asserted: bad inputs show there. */
bool ag_outputs_may_show(const ag_record *record);

/* Marks the bytes of an argument that failed its guard, or that the launch is still writing, as
 * unknown, after the launch. Does nothing with any other argument. */
void ag_known_bytes_refuse(ag_byte_tables *tables, const ag_launch *l, const ag_arg *a,
                           uint16_t param);

/* Finds the launch that last wrote the elements of `a`, and what is known of them. Sets `source`,
 * `index` and `was`. Returns the table that knows all of them, or NULL. */
ag_ranges *ag_known_bytes_find(ag_byte_tables *tables, const ag_launch *l, ag_arg *a,
                               ag_known *known);

/* The input or weight that `a` is a slice of, as one view of all its elements; NULL if there is
 * none whose elements lie without gaps. */
ag_range *ag_known_bytes_whole(ag_ranges *table, const ag_arg *a, ag_view *whole);

/* Remembers the result of the first scan of a tensor that an unscanned launch wrote. */
void ag_known_bytes_add_unattributed(ag_byte_tables *tables, const ag_launch *l, const ag_arg *a,
                                     ag_known *known);

#endif

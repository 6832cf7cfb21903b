/* work.h - how much an explanation may do. Inside the library only.
 *
 * Work is counted, never timed: the same run gives the same report, however loaded the machine is.
 * Its unit is one value that is computed or read, some 0.1 us. */
#ifndef AOTIGEN_EXPLAIN_WORK_H
#define AOTIGEN_EXPLAIN_WORK_H

enum {
  AG_WORK_MOST = 2000000, /* of one explanation, or of one search for a reason */
  AG_WORK_OF_PIECE = 200, /* a piece that is copied from a device's memory */
};

#define AG_WORK_IS_TOO_MUCH "it takes more than 2 million steps to compute"

#endif

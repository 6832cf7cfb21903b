/* feed.h - AOTIGEN_FEED: a launch's outputs are replaced by given values. Inside the library only.
 *
 * The launches of one build are compared with another build's: behind each launch, once what it
 * wrote was saved, the memory gets the other one's values, and what reads it does not see the
 * launch's own error. It is the one place where the library writes to a tensor, and it writes to
 * none that shares memory with an input or a weight.
 *
 * The directory has a file runNNNN.feed for each run that is fed, with a line for each tensor, in
 * the order of the launches:
 *
 *   LAUNCH WHICH DTYPE BYTES FILE ARGUMENT
 *
 * WHICH counts, from 1, the tensors of that name that the launch writes. FILE, in the same
 * directory, holds the elements in row-major order. ARGUMENT is as in the name of a saved file
 * (output/save_file.h). */
#ifndef AOTIGEN_FEED_H
#define AOTIGEN_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ag_feed_row {
  uint64_t launch;
  int64_t which, bytes;
  const char *dtype, *file, *argument; /* in the text that was read */
} ag_feed_row;

/* Reads one line, which it cuts into pieces, and moves *at behind it. False at the end of the text
 * or where the line has no such form. *at: a text that ends with NUL. */
bool ag_feed_read_row(char **at, ag_feed_row *row);

#endif

/* metrics.h - the counts of this process's watched models as a file, AOTIGEN_METRICS, in the text
 * format of Prometheus. Inside the library only. */
#ifndef AOTIGEN_METRICS_H
#define AOTIGEN_METRICS_H

#include <stdbool.h>

/* True if there is to be such a file. */
bool ag_metrics_wanted(void);

/* Writes it, under another name that is then changed, unless it is what was written last. at_end:
 * false: at most once a second. For the library's own thread: the file system may make it wait. */
void ag_metrics_write(bool at_end);

#endif

/* given_to.h - with AOTIGEN_MEMORY: the launches of operators that memory was given to, and that
 * may keep a tensor over it. Inside the library only.
 */
#ifndef AOTIGEN_GIVEN_TO_H
#define AOTIGEN_GIVEN_TO_H

#include "state/run_state.h"

enum { AG_GIVEN_TO_MOST = 4 };

/* One entry for each site, for its last launch. */
typedef struct ag_given_to {
  struct {
    uint64_t launch;
    uint32_t site;
  } at[AG_GIVEN_TO_MOST];
  unsigned n;
  bool more; /* than there are in `at` */
} ag_given_to;

/* Notes the run's launch. Torch's own operators retain nothing: one of them is listed alone, and
 * only if there is no other operator. */
void ag_given_to_note(ag_given_to *g, const aotigen_run *run);
/* True if there is an operator that may retain the memory. */
bool ag_given_to_has_suspect(const ag_given_to *g, const aotigen_model *m);

#endif

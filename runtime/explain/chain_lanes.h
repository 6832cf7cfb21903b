/* chain_lanes.h - the lane of a vector in which a value goes bad first. Inside the library only. */
#ifndef AOTIGEN_CHAIN_LANES_H
#define AOTIGEN_CHAIN_LANES_H

#include "explain/chain.h"

/* Binds the lane of the vector that goes bad in the least iteration of its loop. *next: the vector,
 * or -1 if no lane goes bad. False if that is not decided. */
bool ag_chain_enter_lanes(ag_chain *c, int32_t vector, int32_t *next);

#endif

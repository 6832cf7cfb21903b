/* container_calls.h - what the host asks a model's container for besides runs, in the log: to load,
 * update, swap or fold weights. Each call has an event when it begins and one when it ends, so that
 * it stands in order with what the model's runs report. A run has none of its own: before each such
 * call the log says how many have begun since the last one. Inside the library only.
 *
 * Torch 2.15's AOTIModelContainerObserver reports the same calls to the host; their names are those
 * of its events.
 */
#ifndef AOTIGEN_CONTAINER_CALLS_H
#define AOTIGEN_CONTAINER_CALLS_H

#include <stdbool.h>

#include "shared/wrapper/aotigen.h"

/* An entry point of the model begins and ends on the calling thread. name: its name, which lives as
 * long as the library. failed: an exception leaves it. An entry point that another one calls is a
 * part of that. */
void ag_container_call_begin(const aotigen_model *model, const char *name);
void ag_container_call_end(bool failed);

/* True if the host has been given weights of the model, or has given it some, by an entry point:
 * from then on it may write to their memory. */
bool ag_container_calls_gave_weights(void);

/* The model is about to be deleted. */
void ag_container_call_deletes(const aotigen_model *model);

#endif

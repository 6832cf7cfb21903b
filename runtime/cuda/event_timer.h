/* event_timer.h - pairs of CUDA events around the work of a stream: backend.h's ag_timer_ops.
 *
 * A kernel of ours holds the stream before the first event until the second one was given to it, or
 * HOLD_NS have passed: the device would else time how long the host takes to make the launch. What
 * an empty pair takes is measured once a device, on its side stream, and subtracted. Nothing here
 * waits for the device. Pairs are never freed. */
#ifndef AOTIGEN_EVENT_TIMER_H
#define AOTIGEN_EVENT_TIMER_H

#include "tensor/backend.h"

extern const ag_timer_ops ag_event_timer_ops;

#endif

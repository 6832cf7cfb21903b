/* stream_order.h - what a run's launches on several streams are ordered by: vector clocks. Inside
 * the library only.
 *
 * Each launch is a step of its stream. An event that a stream records has the steps that come
 * before it, and a stream that waits for the event, or a host that does, comes behind them. Two
 * launches on different streams are ordered if the later one's stream has come behind the earlier
 * one's step. Only what this run itself records counts: the order with earlier work is the
 * caller's. */
#ifndef AOTIGEN_STREAM_ORDER_H
#define AOTIGEN_STREAM_ORDER_H

#include <stdatomic.h>

#include "state/launch.h"

enum { AG_STREAMS = 8 };

typedef struct ag_stream_order ag_stream_order;

/* What a launch surely comes behind on the device, so that it cannot begin before: of each stream
 * the last step. Its own step is that of its own stream. */
typedef struct ag_stream_place {
  atomic_bool known; /* set last: other threads may read the rest */
  unsigned index;
  uint32_t steps[AG_STREAMS];
} ag_stream_place;

/* True if y cannot begin before x has ended. */
static inline bool ag_stream_place_is_behind(const ag_stream_place *y, const ag_stream_place *x) {
  return atomic_load(&y->known) && atomic_load(&x->known) &&
         y->steps[x->index] >= x->steps[x->index];
}

/* A use of memory by a launch. */
typedef struct ag_stream_use {
  uintptr_t begin, end;
  int32_t device_type, device_index;
  bool writes;
  bool whole;     /* it uses each element */
  uint16_t param; /* of the site */
  uint32_t site;
  uint64_t launch;
  unsigned index; /* of its stream: ag_stream_order_index() */
  uint32_t step;
} ag_stream_use;

/* NULL if memory ran out. */
ag_stream_order *ag_stream_order_create(void);
/* A run begins. */
void ag_stream_order_clear(ag_stream_order *o);

void ag_stream_order_records(ag_stream_order *o, const void *stream, const void *event);
void ag_stream_order_waits(ag_stream_order *o, const void *stream, const void *event);
/* The host waits, or may: all that is launched from now on counts as behind it. */
void ag_stream_order_host_waits(ag_stream_order *o, const void *stream);
void ag_stream_order_host_waits_for(ag_stream_order *o, const void *event);
void ag_stream_order_host_waits_for_all(ag_stream_order *o);

/* The number of the stream in this run. AG_STREAMS where there are too many. */
unsigned ag_stream_order_index(ag_stream_order *o, const void *stream);
/* The same, where a launch on it begins. */
unsigned ag_stream_order_step(ag_stream_order *o, const void *stream);
/* Sets where that launch stands. */
void ag_stream_order_place(const ag_stream_order *o, unsigned number, ag_stream_place *place);
/* The last use that `use` has no order with, one of which writes and one is whole; NULL if there is
 * none. `index`, `begin`, `end`, the device and `writes` of `use` are set. */
const ag_stream_use *ag_stream_order_find(const ag_stream_order *o, const ag_stream_use *use);
void ag_stream_order_add(ag_stream_order *o, const ag_stream_use *use);
/* The memory was allocated just now: what used it before is nobody's concern. */
void ag_stream_order_forget(ag_stream_order *o, const ag_stream_use *use);

#endif

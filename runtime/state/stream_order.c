/* stream_order.c - see stream_order.h. */
#include "state/stream_order.h"

#include <stdlib.h>
#include <string.h>

#include "state/model_state.h"

typedef struct vector_clock {
  uint32_t steps[AG_STREAMS]; /* by stream: the last of its steps that came before */
} vector_clock;

typedef struct stream_state {
  const void *stream;
  vector_clock now;
  vector_clock device; /* the same without what the host may have waited for */
} stream_state;

typedef struct event {
  const void *event;
  vector_clock at, device; /* when it was recorded last */
} event;

struct ag_stream_order {
  stream_state states[AG_STREAMS];
  unsigned nstreams;
  bool lost;         /* something was not noted: nothing is said any more */
  vector_clock host; /* what the host has waited for */
  struct {
    event *list;
    size_t count, room;
  } events;
  struct {
    ag_stream_use *list;
    size_t count, room;
  } uses;
};

ag_stream_order *ag_stream_order_create(void) { return calloc(1, sizeof(ag_stream_order)); }

void ag_stream_order_clear(ag_stream_order *o) {
  memset(o->states, 0, sizeof o->states);
  o->nstreams = 0;
  o->lost = false;
  o->host = (vector_clock){0};
  o->events.count = o->uses.count = 0;
}

static void come_behind(vector_clock *later, const vector_clock *earlier) {
  for (unsigned i = 0; i < AG_STREAMS; i++)
    if (later->steps[i] < earlier->steps[i]) later->steps[i] = earlier->steps[i];
}

/* A stream that is first seen comes behind what the host has waited for. NULL: there are too many.
 */
static stream_state *find_state(ag_stream_order *o, const void *stream) {
  for (unsigned i = 0; i < o->nstreams; i++)
    if (o->states[i].stream == stream) return &o->states[i];
  o->lost = o->lost || o->nstreams == AG_STREAMS;
  if (o->nstreams == AG_STREAMS) return NULL;
  stream_state *made = &o->states[o->nstreams++];
  *made = (stream_state){.stream = stream, .now = o->host};
  return made;
}

static event *find_event(ag_stream_order *o, const void *of) {
  for (size_t i = 0; i < o->events.count; i++)
    if (o->events.list[i].event == of) return &o->events.list[i];
  return NULL;
}

void ag_stream_order_records(ag_stream_order *o, const void *stream, const void *of) {
  const stream_state *l = find_state(o, stream);
  event *e = find_event(o, of);
  if (!l) return;
  if (!e) {
    if (!ag_list_grow((void **)&o->events.list, &o->events.room, o->events.count,
                      sizeof *o->events.list)) {
      o->lost = true;
      return;
    }
    e = &o->events.list[o->events.count++];
  }
  *e = (event){of, l->now, l->device};
}

void ag_stream_order_waits(ag_stream_order *o, const void *stream, const void *of) {
  stream_state *l = find_state(o, stream);
  const event *e = find_event(o, of);
  if (!l || !e) return;
  come_behind(&l->now, &e->at);
  come_behind(&l->device, &e->device);
}

static void host_has_waited(ag_stream_order *o, const vector_clock *for_what) {
  come_behind(&o->host, for_what);
  for (unsigned i = 0; i < o->nstreams; i++) come_behind(&o->states[i].now, &o->host);
}

void ag_stream_order_host_waits(ag_stream_order *o, const void *stream) {
  const stream_state *l = find_state(o, stream);
  if (l) host_has_waited(o, &l->now);
}

void ag_stream_order_host_waits_for(ag_stream_order *o, const void *of) {
  const event *e = find_event(o, of);
  if (e) host_has_waited(o, &e->at);
}

void ag_stream_order_host_waits_for_all(ag_stream_order *o) {
  vector_clock all = {0};
  for (unsigned i = 0; i < o->nstreams; i++) come_behind(&all, &o->states[i].now);
  host_has_waited(o, &all);
}

unsigned ag_stream_order_index(ag_stream_order *o, const void *stream) {
  const stream_state *l = find_state(o, stream);
  return l ? (unsigned)(l - o->states) : AG_STREAMS;
}

unsigned ag_stream_order_step(ag_stream_order *o, const void *stream) {
  unsigned number = ag_stream_order_index(o, stream);
  if (number == AG_STREAMS) return number;
  stream_state *l = &o->states[number];
  l->device.steps[number] = ++l->now.steps[number];
  return number;
}

void ag_stream_order_place(const ag_stream_order *o, unsigned number, ag_stream_place *place) {
  place->index = number;
  memcpy(place->steps, o->states[number].device.steps, sizeof place->steps);
  atomic_store(&place->known, !o->lost);
}

static bool overlaps(const ag_stream_use *x, const ag_stream_use *y) {
  return x->begin < y->end && y->begin < x->end && x->device_type == y->device_type &&
         x->device_index == y->device_index;
}

const ag_stream_use *ag_stream_order_find(const ag_stream_order *o, const ag_stream_use *use) {
  const vector_clock *now = &o->states[use->index].now;
  for (size_t i = o->uses.count; i-- > 0;) {
    const ag_stream_use *x = &o->uses.list[i];
    if ((x->writes || use->writes) && (x->whole || use->whole) && !o->lost &&
        x->index != use->index && x->step > now->steps[x->index] && overlaps(x, use))
      return x;
  }
  return NULL;
}

/* A later use of the same memory on the same stream says as much as the one before. */
void ag_stream_order_add(ag_stream_order *o, const ag_stream_use *use) {
  ag_stream_use *to = NULL;
  for (size_t i = 0; i < o->uses.count && !to; i++) {
    ag_stream_use *x = &o->uses.list[i];
    if (x->index == use->index && x->writes == use->writes && x->whole == use->whole &&
        x->begin == use->begin && x->end == use->end && x->device_index == use->device_index)
      to = x;
  }
  if (!to) {
    if (!ag_list_grow((void **)&o->uses.list, &o->uses.room, o->uses.count, sizeof *o->uses.list))
      return;
    to = &o->uses.list[o->uses.count++];
  }
  *to = *use;
  to->step = o->states[use->index].now.steps[use->index];
}

void ag_stream_order_forget(ag_stream_order *o, const ag_stream_use *use) {
  size_t left = 0;
  for (size_t i = 0; i < o->uses.count; i++)
    if (!overlaps(&o->uses.list[i], use)) o->uses.list[left++] = o->uses.list[i];
  o->uses.count = left;
}

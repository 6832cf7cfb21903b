/* buffers.h - the buffers of the wrapper whose memory the library made. Inside the library only.
 *
 * A buffer is added when the wrapper allocates it, and removed when the last tensor over its memory
 * is gone, which may be after its run, and on any thread. The list has a lock of its own; while it
 * is held nothing else is locked or called. A buffer's fields belong to the thread of its run,
 * except `release.outlives_run`. */
#ifndef AOTIGEN_BUFFERS_H
#define AOTIGEN_BUFFERS_H

#include "shared/wrapper/aotigen.h"
#include "state/given_to.h"
#include "state/launch.h"
#include "tensor/tensor.h"

/* The bytes that launches were given to write to; of many the first ones. */
typedef struct ag_buffer_writes {
  struct {
    uintptr_t begin, end;
  } list[8];
  unsigned n;
} ag_buffer_writes;

/* The comparisons with the pattern: launch/zones.c. */
typedef struct ag_buffer_scans {
  uint64_t red_zones; /* the last launch after which its red zones were scanned */
  uint64_t elements;  /* all of it was compared after this launch, which wrote it; 0: none */
  bool before_read;   /* or before a launch read it */
} ag_buffer_scans;

/* Where its elements are, and how the memory was made: memory/allocate.c. */
typedef struct ag_buffer_memory {
  char *begin;        /* the start of the whole memory */
  size_t front, back; /* bytes of its red zones, before and behind `bytes` */
  size_t bytes;       /* that its elements take */
  void *handle;       /* torch's tensor that owns the memory; NULL: it is the library's own */
  uint8_t guard;      /* enum aotigen_guard: how it is guarded */
  bool is_own;        /* the memory is torch's own: an output of the model */
  bool poisoned;      /* its elements held the pattern when it was allocated */
  bool in_block;      /* the memory is part of a memory/poison_block.h */
  bool named;         /* the memory is cuda/named_memory.h's */
  bool kept;          /* by a graph that goes on using the memory when it is released */
} ag_buffer_memory;

/* That the wrapper gave it up: launch/release.c. */
typedef struct ag_buffer_release {
  bool done;         /* within its run, */
  uint64_t launch;   /* after this launch; 0: before the first */
  bool poisoned;     /* its elements hold the pattern of released memory: memory/retired.h */
  bool outlives_run; /* it was still held when its run was over; under the list's lock */
} ag_buffer_release;

typedef struct ag_buffer {
  struct ag_buffer *next; /* in the list, or of those that a run has to give back */
  const aotigen_model *model;
  const aotigen_buffer *row;
  uint64_t run, launch; /* that it was allocated in; after this launch, 0: before the first */
  ag_writers writers;
  ag_buffer_writes writes;
  ag_buffer_scans scans;
  ag_given_to given_to;
  ag_buffer_release release;
  ag_buffer_memory memory;
  ag_tensor t; /* as the wrapper allocated it */
} ag_buffer;

/* Bytes from the start of its memory to the end of its red zones. */
static inline size_t ag_buffer_length(const ag_buffer *b) {
  return b->memory.front + b->memory.bytes + b->memory.back;
}

void ag_buffers_add(ag_buffer *b);
/* False if it is not, or no longer, in the list. */
bool ag_buffers_remove(const ag_buffer *b);

/* The buffer of this run in whose elements the tensor begins, or NULL. It stays valid while a
 * tensor over it exists. view: any, even if there is no tensor. */
ag_buffer *ag_buffers_find(const aotigen_run *run, const ag_view *view);

/* True if the view is all of the buffer, without gaps. */
static inline bool ag_buffer_is_whole(const ag_buffer *b, const ag_view *view) {
  return view->dense && view->begin == (uintptr_t)b->t.data &&
         view->end - view->begin == b->memory.bytes;
}

/* Notes that a launch was given the view, of the buffer, to write to. */
void ag_buffer_note_write(ag_buffer *b, const ag_view *view);
/* True if a launch was given any of the view's bytes to write to. */
bool ag_buffer_is_written(const ag_buffer *b, const ag_view *view);

/* Removes the next buffer of this run whose memory is torch's own; NULL if there is none. */
ag_buffer *ag_buffers_take_own(const aotigen_model *model, uint64_t run);

/* The buffers of one entry that still exist though their run is over. */
typedef struct ag_buffers_held {
  size_t n, bytes;
  uint64_t run; /* that of the last of them */
  ag_given_to given_to;
} ag_buffers_held;

/* This run is over now. rows: one entry for each of the model's buffers, all 0. */
void ag_buffers_count_held(const aotigen_model *model, uint64_t run, ag_buffers_held *rows);

/* True if a tensor over a buffer of the model still exists: an operator may retain one. */
bool ag_buffers_has(const aotigen_model *model);

#endif

/* constants.h - the weights and buffers of each container: where they are, which were updated since
 * the load, and which buffers the model writes to. Inside the library only. Any thread may call.
 *
 * One lock guards it all. It is held while torch updates constants, so that no handle that is read
 * here is replaced meanwhile; a run never waits for it but to learn of a new container. */
#ifndef AOTIGEN_CONSTANTS_H
#define AOTIGEN_CONSTANTS_H

#include <stdatomic.h>

#include "watch/kept_tensor.h"

enum ag_buffer_state {
  AG_BUFFER_AS_LOADED, /* as last loaded or updated, as far as it is known */
  AG_BUFFER_WRITTEN,   /* the model has written to it */
  AG_BUFFER_UNKNOWN    /* what was loaded is not known */
};

/* A constant that the model may write to. */
typedef struct ag_buffer {
  size_t constant;
  ag_kept_tensor tensor; /* the container's: no handle is held */
  enum ag_buffer_state state;
  char *loaded;  /* a small one's bytes as loaded */
  uint64_t hash; /* of a larger one's on the host */
  bool has_hash;
} ag_buffer;

typedef struct ag_constant {
  const char *name, *fqn; /* torch's */
  void *handle;           /* the container's, in use; NULL for a folded one */
  bool is_buffer;
  bool is_copied;   /* by an update of the inactive set that it is not given to */
  bool updated[2];  /* in each set: since the load */
  bool updated_now; /* by the latest update */
} ag_constant;

typedef struct ag_constant_name {
  const char *text;
  ag_constant *of;
} ag_constant_name;

typedef struct ag_constants {
  _Atomic(const void *) container; /* NULL: it was deleted */
  _Atomic uint64_t runs;           /* that have begun */
  ag_constant *list;
  size_t count;
  ag_constant_name *by_name, *by_fqn; /* sorted; NULL if there is no memory */
  bool active;                        /* the set in use: a swap exchanges them */
  ag_buffer *buffers;
  size_t buffer_count;
  uint64_t generation; /* of `buffers` */
  uint64_t turns;      /* of its runs that are watched */
  struct ag_constants *next;
} ag_constants;

/* A run of the container begins. NULL if torch does not tell its constants, or no capsule is
 * written. first: it is the container's first run. */
ag_constants *ag_constants_begin_run(const void *container, bool *first);

/* The record of the container. NULL if torch does not tell its constants. Locked. */
const ag_constants *ag_constants_find(const void *container);

/* For as long as no update is under way. False if one is, for longer than `wait_us`. */
bool ag_constants_lock(int64_t wait_us);
void ag_constants_unlock(void);

/* Around an entry point that updates constants. swaps: the inactive ones take the place of those in
 * use. */
void ag_constants_begin_update(void *container, bool swaps);
/* map, or entries: what was passed; NULL: none. inactive: it is for those that are not in use.
 * folds: none is given a value. */
typedef struct ag_constants_update {
  const void *map, *entries;
  size_t n;
  bool inactive, swaps, folds, done;
} ag_constants_update;
void ag_constants_end_update(void *container, const ag_constants_update *u);

void ag_constants_forget(const void *container);

/* The same bytes as loaded. False if it is not known. Locked. */
bool ag_buffer_is_as_loaded(const ag_buffer *b);
/* Small enough to be copied before a run. */
bool ag_buffer_is_small(const ag_buffer *b);
/* Its bytes in `flat` are those that were loaded. Locked. */
void ag_buffer_set_loaded(ag_buffer *b, const void *flat);
size_t ag_buffer_bytes(const ag_buffer *b);

#endif

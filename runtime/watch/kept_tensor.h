/* kept_tensor.h - an input or output of a watched run, kept until the run was looked at. Inside the
 * library only.
 *
 * A tensor that is small is copied, before the model may write to it; AOTIGEN_COPY_BYTES is the
 * most of a run. Of a larger one a handle is held, so that its memory stays: its values are then
 * those of the moment at which they are read, and held_values.h tells if they have changed.
 * AOTIGEN_KEEP_BYTES is the most that all runs hold at a time. */
#ifndef AOTIGEN_KEPT_TENSOR_H
#define AOTIGEN_KEPT_TENSOR_H

#include "tensor/tensor.h"

enum {
  AG_COPY_MOST = 64 << 10,      /* bytes: a larger tensor is held, by default */
  AG_COPY_RUN_MOST = 256 << 10, /* bytes of a run, by default; of another number one may take all */
  AG_COPY_ELEMENTS = INT16_MAX  /* of a tensor on a device: a target's head has no more */
};

enum ag_kept_how { AG_NOT_KEPT, AG_KEPT_COPIED, AG_KEPT_HELD };
enum ag_values { AG_VALUES_UNCOMPARED, AG_VALUES_UNCHANGED, AG_VALUES_SAMPLED, AG_VALUES_CHANGED };

typedef struct ag_kept_tensor {
  ag_view view;    /* as it was passed */
  ag_tensor flat;  /* COPIED: its memory from the lowest element to the highest, as a list */
  ag_view copy;    /* COPIED: the same elements on the host; no data until the copy has arrived */
  void *handle;    /* our own; or NULL */
  const char *why; /* NOT_KEPT: the reason; static */
  enum ag_kept_how how;
  enum ag_values values; /* HELD: held_values.h */
  uint64_t hash;         /* HELD: of its values before the run */
} ag_kept_tensor;

/* Reads what was passed. Nothing is kept yet, and nothing will be if k->why is set. */
void ag_kept_tensor_read(ag_kept_tensor *k, const void *handle);

/* True if all of its memory may be read, and it has at most as many bytes, and on a device few
 * elements. */
bool ag_kept_tensor_can_copy(const ag_kept_tensor *k, size_t most);
/* The bytes of a copy, a multiple of 64. */
size_t ag_kept_tensor_room(const ag_kept_tensor *k);
/* It is being copied. Sets k->flat. */
void ag_kept_tensor_begin_copy(ag_kept_tensor *k);
/* The elements of k->flat are there. */
void ag_kept_tensor_end_copy(ag_kept_tensor *k, const void *flat);

/* Memory on the host for the copies of a run. It grows, and is never freed. */
typedef struct ag_host_copies {
  char *at;
  size_t room, used;
} ag_host_copies;

/* Room for the copies of a run, which replace those of the run before. */
void ag_host_copies_begin(ag_host_copies *c, size_t bytes);
/* Copies the tensor, if it lies on the host and is being copied. Without room it is not kept. */
void ag_host_copies_add(ag_host_copies *c, ag_kept_tensor *k);

/* Takes a handle of its own. */
void ag_kept_tensor_hold(ag_kept_tensor *k);

/* Its elements can be read no more: it is not kept. The handle stays until it is released. */
void ag_kept_tensor_lose(ag_kept_tensor *k, const char *why);

/* Releases the handle. On a thread of the host's, in a call of the model: a tensor of Python's may
 * need the interpreter to die. */
void ag_kept_tensor_release(ag_kept_tensor *k);

/* The view to read the elements from; NULL if they were not kept. */
const ag_view *ag_kept_tensor_view(const ag_kept_tensor *k);

#endif

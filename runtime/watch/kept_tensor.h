/* kept_tensor.h - the inputs and outputs of a watched run, kept until the run was looked at. Inside
 * the library only.
 *
 * A tensor that is small is copied, before the model may write to it. Of a larger one a handle is
 * held, so that its memory stays: its values are then those of the moment at which they are read.
 * AOTIGEN_KEEP_BYTES is the most that all runs keep at a time. */
#ifndef AOTIGEN_KEPT_TENSOR_H
#define AOTIGEN_KEPT_TENSOR_H

#include "tensor/tensor.h"

enum {
  AG_COPY_MOST = 64 << 10 /* bytes: a larger tensor is held */
};

enum ag_kept_how { AG_NOT_KEPT, AG_KEPT_COPIED, AG_KEPT_HELD };

typedef struct ag_kept_tensor {
  ag_view view;    /* the tensor as it was passed */
  ag_view copy;    /* COPIED: the same elements on the host */
  void *handle;    /* HELD: our own */
  ag_pinned room;  /* COPIED: where; host memory of the caller's */
  const char *why; /* NOT_KEPT: the reason; static */
  enum ag_kept_how how;
  bool on_its_way; /* COPIED: a device may still be writing the copy */
} ag_kept_tensor;

/* The bytes of host memory that a copy of the tensor takes; 0 if it is not to be copied. */
size_t ag_kept_tensor_room(const ag_view *view);

/* Copies the tensor to `room`, which has ag_kept_tensor_room() bytes; on a device in the order of
 * `stream`. False if that is not possible: then hold it. k->view is set. */
bool ag_kept_tensor_copy(ag_kept_tensor *k, void *stream, const ag_pinned *room);

/* Takes a handle of its own. k->view is set. */
void ag_kept_tensor_hold(ag_kept_tensor *k);

/* False while the copy is on its way from the device. */
bool ag_kept_tensor_has_arrived(const ag_kept_tensor *k);

/* Releases the handle. On a thread of the host's, in a call of the model: a tensor of Python's may
 * need the interpreter to die. */
void ag_kept_tensor_release(ag_kept_tensor *k);

/* The view to read the elements from; NULL if they were not kept. */
const ag_view *ag_kept_tensor_view(const ag_kept_tensor *k);

#endif

/* tensor.h - what a marker handed over, as a strided tensor.
 *
 * Nothing here touches the elements, makes a view, or keeps a reference: sizes and strides are
 * copied, so an ag_view stays good after the marker's temporaries are gone, as long as the memory
 * itself lives. Any thread; no locks but in the table of tensors that are known to be opaque.
 */
#ifndef AOTIGEN_TENSOR_H
#define AOTIGEN_TENSOR_H

#include "aotigen.h"
#include "tensor/backend.h"
#include "base/text.h"

enum ag_view_state {
  AG_VIEW_NONE,      /* no tensor: a scalar, nothing yet, a bare pointer */
  AG_VIEW_NULL,      /* a null optional */
  AG_VIEW_UNDEFINED, /* a handle to no tensor */
  AG_VIEW_OPAQUE,    /* a layout that is not strided, or a type that we don't know: left alone */
  AG_VIEW_BROKEN,    /* sizes that cannot be: see `why` */
  AG_VIEW_OK
};

typedef struct ag_view {
  enum ag_view_state state;
  const void *handle;      /* of the tensor, or of the base that it is a view of */
  const char *why;         /* of OPAQUE and BROKEN, in words; static */
  int64_t storage_bytes;   /* -1 where it is not known */
  int64_t first_byte;      /* of the first logical element, from the start of the storage */
  int64_t lowest, highest; /* elements from the first one to the lowest, and to one past the
                              highest; 0 and 0 if empty */
  int64_t view_offset;     /* of a view: elements beyond its base's own offset */
  int32_t dtype_number;
  bool is_view; /* described by the wrapper, not an object of torch's */
  bool dense; /* every element between lowest and highest is one logical element, in whatever order
               */
  bool contiguous; /* dense, and in row-major order */
  ag_tensor t;     /* last, as what of it is mostly unused is */
} ag_view;

/* param: for the dtype of an ArrayRef tensor; may be NULL. */
void ag_view_of(ag_view *view, const aotigen_value *value, const aotigen_param *param);

/* A plain handle. */
void ag_view_of_handle(ag_view *view, const void *handle);

static inline bool ag_view_floats(const ag_view *v);

/* The bytes that the logical elements lie in. Empty where there are none. */
static inline uintptr_t ag_view_begin(const ag_view *v) {
  return (uintptr_t)v->t.data + (uintptr_t)(v->lowest * v->t.dtype->item_size);
}
static inline uintptr_t ag_view_end(const ag_view *v) {
  return (uintptr_t)v->t.data + (uintptr_t)(v->highest * v->t.dtype->item_size);
}

/* The same elements in the same place. */
bool ag_same_view(const ag_view *a, const ag_view *b);

/* Does the storage hold all elements. True where its size is not known. */
bool ag_view_fits(const ag_view *v);

/* "float32 [6, 6] on cpu"; strides only where they are not the contiguous ones. */
void ag_add_view(ag_text *t, const ag_view *v);
/* "[1, 2]" for flat index 8 of [.., 6] */
void ag_add_index(ag_text *t, const ag_tensor *tensor, int64_t flat);
/* "cuda:0", "cpu" */
void ag_add_device(ag_text *t, int32_t type, int32_t index);

/* For those who read elements: fills t->numel, and the view's extent, from sizes and strides. */
void ag_view_measure(ag_view *v);

#include "tensor/dtype.h"
static inline bool ag_view_floats(const ag_view *v) {
  return v->state == AG_VIEW_OK && ag_dtype_floats(v->t.dtype);
}

#endif

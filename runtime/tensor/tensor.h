/* tensor.h - reads a marker's value as a strided tensor.
 *
 * Nothing here reads elements, creates a view or keeps a reference. Sizes and strides are copied,
 * so an ag_view stays valid after the marker's temporaries are gone, as long as the memory itself
 * lives. Any thread may call. */
#ifndef AOTIGEN_TENSOR_H
#define AOTIGEN_TENSOR_H

#include "shared/wrapper/aotigen.h"
#include "base/text.h"
#include "tensor/backend.h"
#include "tensor/dtype.h"

enum ag_view_state {
  AG_VIEW_NONE,      /* not a tensor: a scalar, a bare pointer, or nothing yet */
  AG_VIEW_NULL,      /* a null optional */
  AG_VIEW_UNDEFINED, /* a handle without a tensor */
  AG_VIEW_OPAQUE,    /* its layout is not strided, or its element type is unknown: not read */
  AG_VIEW_BROKEN,    /* impossible sizes: see `why` */
  AG_VIEW_PENDING,   /* described in full, but a collective is writing it: not read */
  AG_VIEW_REFUSED,   /* described in full, but it failed a check: its elements are not read */
  AG_VIEW_OK
};

/* Why a tensor is AG_VIEW_OPAQUE. */
enum ag_opaque {
  AG_OPAQUE_DTYPE,       /* its type, `dtype_number`, is not in dtypes.def */
  AG_OPAQUE_LAYOUT,      /* its layout, `layout`, is not strided */
  AG_OPAQUE_UNDESCRIBED, /* torch does not return its sizes, strides or address */
  AG_OPAQUE_ELEMENT,     /* an ArrayRef tensor whose C++ type is not known */
  AG_OPAQUE_GUESSED      /* this torch cannot be asked for the layout, but the tensor does not look
                            strided */
};

typedef struct ag_view {
  enum ag_view_state state;
  const void *handle;      /* the tensor's, or that of the base of a view */
  const char *why;         /* why it is OPAQUE or BROKEN, in words; static */
  int64_t storage_bytes;   /* -1 if it is unknown */
  int64_t first_byte;      /* the first logical element's, from the start of the storage */
  int64_t lowest, highest; /* from the first logical element to the lowest one in memory, and to one
                              past the highest, in elements; both 0 if there is none */
  uintptr_t begin, end;  /* the addresses between which the logical elements lie; equal if there is
                            none */
  int64_t view_offset;   /* for a view: elements beyond its base's own offset */
  int32_t dtype_number;  /* torch's */
  int32_t layout;        /* torch's number, for AG_OPAQUE_LAYOUT */
  enum ag_opaque opaque; /* for OPAQUE */
  bool floating;         /* for OK: its elements can be NaN or Inf */
  bool is_view;          /* described by the wrapper; torch has no object for it */
  bool dense;            /* in memory the elements have neither gaps nor overlaps, in any order */
  bool contiguous;       /* dense, and in row-major order */
  ag_tensor t;           /* last, since most of its bytes are unused */
} ag_view;

/* True if its dtype, sizes, strides and address are known, whether its elements may be read or
 * not. */
static inline bool ag_view_is_described(const ag_view *view) {
  return view->state >= AG_VIEW_PENDING;
}

/* Reads a marker's value. param: names the dtype of an ArrayRef tensor; NULL where unknown. */
void ag_view_of_value(ag_view *view, const aotigen_value *value, const aotigen_param *param);

/* Reads the tensor behind an AtenTensorHandle, NULL for a null optional. */
void ag_view_of_handle(ag_view *view, const void *handle);

/* Copies what is set of a view: most of its bytes are for dimensions that it has not. */
void ag_view_copy(ag_view *to, const ag_view *from);

/* True if the two may have an element in common. Exact for parts of one row-major tensor. */
bool ag_view_shares(const ag_view *a, const ag_view *b);

/* Computes t->numel, the view's extent and order, and `floating` from dtype, sizes and strides. */
void ag_view_measure(ag_view *view);

/* True if both have the same elements at the same place. */
bool ag_view_is_same(const ag_view *a, const ag_view *b);

/* True if the memory of both overlaps. */
bool ag_view_overlaps(const ag_view *a, const ag_view *b);

/* True if their storages overlap. False if the size of one is unknown. */
bool ag_view_shares_storage(const ag_view *a, const ag_view *b);

/* True if the storage holds all elements, or if its size is unknown. */
bool ag_view_fits_storage(const ag_view *view);

/* True if it has memory for all of its elements. view: AG_VIEW_OK. */
bool ag_view_is_readable(const ag_view *view);

/* "float32 [6, 6] on cpu"; strides are added if they are not contiguous. */
void ag_view_describe(ag_text *t, const ag_view *view);
/* "[1, 2]" for flat index 8 of [.., 6]. */
void ag_tensor_describe_index(ag_text *t, const ag_tensor *tensor, int64_t flat);
/* Adds the layout or dtype of an AG_VIEW_OPAQUE: "sparse_coo", "quint8". */
void ag_view_describe_opaque(ag_text *t, const ag_view *view);
/* The bit that makes the values of an AG_VIEW_OK differ from those in its memory: "negative" or
 * "conjugate". NULL if there is none, or no element. Torch's operators handle it, a compiled kernel
 * does not. Queries torch. */
const char *ag_view_find_lazy_bit(const ag_view *view);
/* "cuda:0", "cpu". */
void ag_device_describe(ag_text *t, int32_t type, int32_t index);

#endif

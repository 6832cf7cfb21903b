/* tensor.c - a marker's value as a strided tensor. Knows the shim's accessors and what they refuse;
 * nothing of launches. */
#define _GNU_SOURCE
#include "tensor/tensor.h"

#include <pthread.h>
#include <string.h>

#include "tensor/layout.h"
#include "tensor/shim.h"

enum { NOPAQUE = 256 };

/* Before get_layout (2.11 has it) an opaque tensor is known only by refusing to tell its storage,
 * of which torch makes a noise on stderr each time: so the ones seen are remembered, by the data
 * that they hold. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { const void *handle, *data; } opaque[NOPAQUE];
static unsigned nopaque;

static bool known_opaque(const void *handle, const void *data) {
  bool found = false;
  pthread_mutex_lock(&lock);
  for (unsigned i = 0; i < NOPAQUE && i < nopaque && !found; i++)
    found = opaque[i].handle == handle && opaque[i].data == data;
  pthread_mutex_unlock(&lock);
  return found;
}

static void remember_opaque(const void *handle, const void *data) {
  pthread_mutex_lock(&lock);
  opaque[nopaque % NOPAQUE].handle = handle;
  opaque[nopaque % NOPAQUE].data = data;
  nopaque++;
  pthread_mutex_unlock(&lock);
}

static void fail(ag_view *v, enum ag_view_state state, const char *why) {
  v->state = state;
  v->why = why;
}

static void lay_out(ag_view *v) {
  int64_t sizes[AG_MAX_DIMS], strides[AG_MAX_DIMS];
  int32_t n = ag_layout_collapse(v->t.ndim, v->t.sizes, v->t.strides, sizes, strides);
  v->contiguous = ag_layout_in_order(n, strides);
  v->dense = v->contiguous || ag_layout_is_dense(n, sizes, strides);
}

void ag_view_measure(ag_view *v) {
  ag_tensor *t = &v->t;
  int64_t numel = 1, low = 0, high = 0, bytes;
  bool empty = false, overflow = false;
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->sizes[i] < 0) {
      fail(v, AG_VIEW_BROKEN, "a negative size");
      return;
    }
    empty = empty || t->sizes[i] == 0;
  }
  for (int32_t i = 0; i < t->ndim && !empty; i++)
    overflow |= __builtin_mul_overflow(numel, t->sizes[i], &numel);
  if (!empty) overflow |= !ag_layout_extent(t->ndim, t->sizes, t->strides, &low, &high);
  overflow |= __builtin_mul_overflow(high, (int64_t)t->dtype->item_size, &bytes) ||
              __builtin_mul_overflow(low, (int64_t)t->dtype->item_size, &bytes);
  if (overflow) {
    fail(v, AG_VIEW_BROKEN, "sizes that no memory holds");
    return;
  }
  t->numel = empty ? 0 : numel;
  v->lowest = empty ? 0 : low;
  v->highest = empty ? 0 : high;
  v->contiguous = v->dense = true;
  if (!empty) lay_out(v);
}

/* Sizes, strides and rank; what stays constant while the tensor is only looked at. */
static bool take_shape(ag_view *v, int64_t ndim, const int64_t *sizes, const int64_t *strides) {
  if (ndim < 0 || ndim > AG_MAX_DIMS) {
    fail(v, AG_VIEW_BROKEN, "more dimensions than a tensor has");
    return false;
  }
  v->t.ndim = (int32_t)ndim;
  if (ndim) {
    memcpy(v->t.sizes, sizes, (size_t)ndim * sizeof *sizes);
    memcpy(v->t.strides, strides, (size_t)ndim * sizeof *strides);
  }
  return true;
}

/* Torch initialises the strides of an opaque tensor to 1, 0, 0, ... */
static bool looks_opaque(int64_t ndim, const int64_t *sizes, const int64_t *strides) {
  int64_t numel = 1;
  if (ndim < 2 || strides[0] != 1) return false;
  for (int64_t i = 0; i < ndim; i++) {
    if (i && strides[i]) return false;
    numel *= sizes[i];
  }
  return numel > 1;
}

/* Is it strided, as far as that can be told before its storage is asked for. */
static bool strided(AtenTensorHandle h, const ag_view *v, int64_t ndim, const int64_t *sizes,
                    const int64_t *strides) {
  if (AOTIGEN_SHIM(get_layout) && AOTIGEN_SHIM(layout_strided)) return true; /* known already */
  return !looks_opaque(ndim, sizes, strides) && !known_opaque(h, v->t.data);
}

static bool take_metadata(ag_view *v, AtenTensorHandle h) {
  bool defined = true;
  if (AOTIGEN_SHIM(is_defined) && (AOTIGEN_SHIM(is_defined)(h, &defined) || !defined)) {
    v->state = AG_VIEW_UNDEFINED;
    return false;
  }
  if (AOTIGEN_SHIM(get_dtype)(h, &v->dtype_number)) return false;
  v->t.dtype = ag_dtype_of_number(v->dtype_number);
  if (!v->t.dtype) {
    fail(v, AG_VIEW_OPAQUE, "an element type that aotigen does not know");
    return false;
  }
  return !AOTIGEN_SHIM(get_device_type)(h, &v->t.device_type) &&
         !AOTIGEN_SHIM(get_device_index)(h, &v->t.device_index);
}

static void take_tensor(ag_view *v, AtenTensorHandle h) {
  int64_t ndim, offset = 0, *sizes, *strides;
  int32_t layout;
  void *data = NULL;
  fail(v, AG_VIEW_OPAQUE, "a tensor that torch tells nothing of");
  if (!take_metadata(v, h)) return;
  /* A sparse tensor has neither strides nor data: its layout comes first where it can be had. */
  if (AOTIGEN_SHIM(get_layout) && AOTIGEN_SHIM(layout_strided) &&
      (AOTIGEN_SHIM(get_layout)(h, &layout) || layout != AOTIGEN_SHIM(layout_strided)())) {
    fail(v, AG_VIEW_OPAQUE, "a layout that is not strided");
    return;
  }
  if (AOTIGEN_SHIM(get_dim)(h, &ndim) || AOTIGEN_SHIM(get_sizes)(h, &sizes) ||
      AOTIGEN_SHIM(get_strides)(h, &strides))
    return;
  if (!AOTIGEN_SHIM(get_layout) && known_opaque(h, NULL)) return;
  if (AOTIGEN_SHIM(get_data_ptr)(h, &data)) {
    remember_opaque(h, NULL);
    return;
  }
  v->t.data = data;
  fail(v, AG_VIEW_OPAQUE, "a layout that is not strided");
  if (!strided(h, v, ndim, sizes, strides)) return;
  if (AOTIGEN_SHIM(get_storage_size)(h, &v->storage_bytes) ||
      AOTIGEN_SHIM(get_storage_offset)(h, &offset)) {
    remember_opaque(h, data);
    v->storage_bytes = -1;
    return;
  }
  v->first_byte = offset * v->t.dtype->item_size;
  v->state = AG_VIEW_OK;
  take_shape(v, ndim, sizes, strides);
}

void ag_view_of_handle(ag_view *v, const void *handle) {
  v->handle = handle;
  v->why = NULL;
  v->is_view = false;
  v->storage_bytes = -1;
  v->first_byte = 0;
  v->t.dtype = NULL;
  v->t.data = NULL;
  v->t.numel = 0;
  v->t.ndim = 0;
  if (!handle) {
    v->state = AG_VIEW_NULL;
    return;
  }
  take_tensor(v, (AtenTensorHandle)(uintptr_t)handle);
  if (v->state == AG_VIEW_OK) ag_view_measure(v);
}

static void of_view(ag_view *v, const aotigen_value *value) {
  ag_view_of_handle(v, value->v.handle);
  if (v->state != AG_VIEW_OK && v->state != AG_VIEW_BROKEN) return;
  v->state = AG_VIEW_OK;
  v->is_view = true;
  if (!take_shape(v, value->ndim, value->sizes, value->strides)) return;
  int64_t bytes = value->offset * v->t.dtype->item_size;
  v->first_byte += bytes;
  v->view_offset = value->offset;
  v->t.data = v->t.data ? (const char *)v->t.data + bytes : NULL;
  ag_view_measure(v);
}

/* The element type where the wrapper does not name it. */
static const char *arithmetic_name(int arithmetic, int size) {
  static const char *const floats[] = {NULL, NULL, "float16", NULL,     "float32",
                                       NULL, NULL, NULL,      "float64"};
  static const char *const ints[] = {NULL, "int8", "int16", NULL,   "int32",
                                     NULL, NULL,   NULL,    "int64"};
  static const char *const uints[] = {NULL, "uint8", "uint16", NULL,    "uint32",
                                      NULL, NULL,    NULL,     "uint64"};
  if (size < 1 || size > 8) return NULL;
  return arithmetic == 1   ? floats[size]
         : arithmetic == 2 ? ints[size]
         : arithmetic == 3 ? uints[size]
         : arithmetic == 4 ? "bool"
                           : NULL;
}

static void of_array(ag_view *v, const aotigen_value *value, const aotigen_param *param) {
  const char *name = param && param->dtype ? param->dtype
                                           : arithmetic_name(value->arithmetic, value->item_size);
  ag_view_of_handle(v, NULL);
  v->t.dtype = ag_dtype_of_name(name);
  if (!v->t.dtype || v->t.dtype->item_size != value->item_size)
    v->t.dtype = ag_dtype_of_name(arithmetic_name(value->arithmetic, value->item_size));
  if (!v->t.dtype) {
    fail(v, AG_VIEW_OPAQUE, "an element type that aotigen does not know");
    return;
  }
  v->t.data = value->v.handle;
  v->t.device_type = AOTIGEN_SHIM(device_type_cpu)();
  v->t.device_index = -1;
  v->dtype_number = v->t.dtype->number;
  v->is_view = true;
  v->state = AG_VIEW_OK;
  if (take_shape(v, value->ndim, value->sizes, value->strides)) ag_view_measure(v);
}

void ag_view_of(ag_view *v, const aotigen_value *value, const aotigen_param *param) {
  v->state = AG_VIEW_NONE;
  v->why = NULL;
  if (param && param->kind == AOTIGEN_POINTER) return;
  if (value->is == AOTIGEN_V_HANDLE) ag_view_of_handle(v, value->v.handle);
  if (value->is == AOTIGEN_V_VIEW) of_view(v, value);
  if (value->is == AOTIGEN_V_ARRAY) of_array(v, value, param);
}

bool ag_same_view(const ag_view *a, const ag_view *b) {
  if (a->state != AG_VIEW_OK || b->state != AG_VIEW_OK)
    return a->state == b->state; /* there may be no shape */
  size_t n = (size_t)a->t.ndim * sizeof *a->t.sizes;
  return a->t.data == b->t.data && a->t.dtype == b->t.dtype && a->t.ndim == b->t.ndim &&
         a->t.device_type == b->t.device_type && a->t.device_index == b->t.device_index &&
         !memcmp(a->t.sizes, b->t.sizes, n) && !memcmp(a->t.strides, b->t.strides, n);
}

bool ag_view_fits(const ag_view *v) {
  int64_t size = v->t.dtype->item_size;
  if (v->storage_bytes < 0 || !v->t.numel) return true;
  return v->first_byte + v->lowest * size >= 0 &&
         v->first_byte + v->highest * size <= v->storage_bytes;
}

void ag_add_device(ag_text *t, int32_t type, int32_t index) {
  ag_add(t, ag_device_name(type));
  if (index >= 0) ag_addf(t, ":%d", index);
}

void ag_add_view(ag_text *t, const ag_view *v) {
  if (v->state != AG_VIEW_OK) {
    ag_add(t, v->state == AG_VIEW_NULL        ? "null"
              : v->state == AG_VIEW_UNDEFINED ? "undefined"
              : v->why                        ? v->why
                                              : "no tensor");
    return;
  }
  ag_addf(t, "%s ", v->t.dtype->name);
  ag_add_list(t, v->t.sizes, v->t.ndim, "[", ", ", "]");
  if (!v->contiguous) ag_add_list(t, v->t.strides, v->t.ndim, ", strides [", ", ", "]");
  ag_add(t, v->contiguous ? " on " : ", on ");
  ag_add_device(t, v->t.device_type, v->t.device_index);
}

void ag_add_index(ag_text *t, const ag_tensor *tensor, int64_t flat) {
  int64_t index[AG_MAX_DIMS];
  for (int32_t i = tensor->ndim - 1; i >= 0; i--) {
    index[i] = flat % tensor->sizes[i];
    flat /= tensor->sizes[i];
  }
  ag_add_list(t, index, tensor->ndim, "[", ", ", "]");
}

/* tensor.c - reads a marker's value as a strided tensor, and computes its extent. Knows which of
 * the shim's accessors fail for which tensors. */
#define _GNU_SOURCE
#include "tensor/tensor.h"

#include <pthread.h>
#include <string.h>

#include "base/fork_lock.h"
#include "tensor/layout.h"
#include "tensor/shim.h"

enum { NOPAQUE = 256 };

/* A torch without get_layout (before 2.11) shows that a tensor is opaque only by failing to return
 * its storage's size, and prints an error on stderr each time. So the last NOPAQUE of such tensors
 * are remembered, each by its handle and the data that it holds. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { const void *handle, *data; } opaque[NOPAQUE];
static unsigned nopaque;

AG_FORK_LOCK(lock)

static bool is_remembered(const void *handle, const void *data) {
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

static void set_opaque(ag_view *v, enum ag_opaque because) {
  static const char *const whys[] = {
      [AG_OPAQUE_DTYPE] = "an element type that aotigen does not know",
      [AG_OPAQUE_LAYOUT] = "a layout that is not strided",
      [AG_OPAQUE_UNDESCRIBED] = "a tensor that torch does not describe",
      [AG_OPAQUE_ELEMENT] = "an element type that aotigen does not know",
      [AG_OPAQUE_GUESSED] = "a layout that is not strided"};
  v->state = AG_VIEW_OPAQUE;
  v->opaque = because;
  v->why = whys[because];
}

static void set_state(ag_view *v, enum ag_view_state state, const char *why) {
  v->state = state;
  v->why = why;
}

void ag_view_measure(ag_view *v) {
  ag_tensor *t = &v->t;
  ag_layout l;
  int64_t numel = 1, bytes;
  bool is_empty = false, overflow = false;
  l.lowest = l.end = 0;
  l.in_order = l.dense = true;
  v->floating = false;
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->sizes[i] < 0) {
      set_state(v, AG_VIEW_BROKEN, "a negative size");
      return;
    }
    is_empty = is_empty || t->sizes[i] == 0;
  }
  for (int32_t i = 0; i < t->ndim && !is_empty; i++)
    overflow |= __builtin_mul_overflow(numel, t->sizes[i], &numel);
  if (!is_empty) overflow |= !ag_layout_measure(t->ndim, t->sizes, t->strides, &l);
  overflow |= __builtin_mul_overflow(l.end, (int64_t)t->dtype->item_size, &bytes) ||
              __builtin_mul_overflow(l.lowest, (int64_t)t->dtype->item_size, &bytes);
  if (overflow) {
    set_state(v, AG_VIEW_BROKEN, "sizes that no memory can hold");
    return;
  }
  t->numel = is_empty ? 0 : numel;
  v->lowest = l.lowest;
  v->highest = l.end;
  v->begin = (uintptr_t)t->data + (uintptr_t)(l.lowest * t->dtype->item_size);
  v->end = (uintptr_t)t->data + (uintptr_t)(l.end * t->dtype->item_size);
  v->contiguous = l.in_order;
  v->dense = l.dense;
  v->floating = ag_dtype_is_floating(t->dtype);
}

/* Copies rank, sizes and strides. */
static bool copy_shape(ag_view *v, int64_t ndim, const int64_t *sizes, const int64_t *strides) {
  if (ndim < 0 || ndim > AG_MAX_DIMS) {
    set_state(v, AG_VIEW_BROKEN, "more dimensions than a tensor has");
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
static bool has_opaque_strides(int64_t ndim, const int64_t *sizes, const int64_t *strides) {
  int64_t numel = 1;
  if (ndim < 2 || strides[0] != 1) return false;
  for (int64_t i = 0; i < ndim; i++) {
    if (i && strides[i]) return false;
    numel *= sizes[i];
  }
  return numel > 1;
}

static bool has_layouts(void) { return AOTIGEN_SHIM(get_layout) && AOTIGEN_SHIM(layout_strided); }

/* False where the tensor is known not to be strided, before its storage is asked for. */
static bool may_be_strided(AtenTensorHandle h, const ag_view *v, int64_t ndim, const int64_t *sizes,
                           const int64_t *strides) {
  if (has_layouts()) return true; /* it was asked */
  return !has_opaque_strides(ndim, sizes, strides) && !is_remembered(h, v->t.data);
}

static bool is_defined(AtenTensorHandle h) {
  bool defined = true;
  if (AOTIGEN_SHIM(is_defined)) return !AOTIGEN_SHIM(is_defined)(h, &defined) && defined;
  return !ag_undefined_tensor || *(const char *const *)h != ag_undefined_tensor;
}

static bool read_dtype_and_device(ag_view *v, AtenTensorHandle h) {
  if (!is_defined(h)) {
    v->state = AG_VIEW_UNDEFINED;
    return false;
  }
  if (AOTIGEN_SHIM(get_dtype)(h, &v->dtype_number)) return false;
  v->t.dtype = ag_dtype_of_number(v->dtype_number);
  if (!v->t.dtype) {
    set_opaque(v, AG_OPAQUE_DTYPE);
    return false;
  }
  return !AOTIGEN_SHIM(get_device_type)(h, &v->t.device_type) &&
         !AOTIGEN_SHIM(get_device_index)(h, &v->t.device_index);
}

static void read_tensor(ag_view *v, AtenTensorHandle h) {
  int64_t ndim, offset = 0, *sizes, *strides;
  void *data = NULL;
  set_opaque(v, AG_OPAQUE_UNDESCRIBED);
  if (!read_dtype_and_device(v, h)) return;
  /* A sparse tensor has neither strides nor data, so the layout is asked first where possible. */
  if (has_layouts()) {
    if (AOTIGEN_SHIM(get_layout)(h, &v->layout)) return;
    if (v->layout != AOTIGEN_SHIM(layout_strided)()) {
      set_opaque(v, AG_OPAQUE_LAYOUT);
      return;
    }
  }
  if (AOTIGEN_SHIM(get_dim)(h, &ndim) || AOTIGEN_SHIM(get_sizes)(h, &sizes) ||
      AOTIGEN_SHIM(get_strides)(h, &strides) || AOTIGEN_SHIM(get_data_ptr)(h, &data))
    return;
  v->t.data = data;
  set_opaque(v, AG_OPAQUE_GUESSED);
  if (!may_be_strided(h, v, ndim, sizes, strides)) return;
  if (AOTIGEN_SHIM(get_storage_size)(h, &v->storage_bytes) ||
      AOTIGEN_SHIM(get_storage_offset)(h, &offset)) {
    remember_opaque(h, data);
    v->storage_bytes = -1;
    return;
  }
  v->first_byte = offset * v->t.dtype->item_size;
  v->state = AG_VIEW_OK;
  copy_shape(v, ndim, sizes, strides);
}

void ag_view_of_handle(ag_view *v, const void *handle) {
  v->handle = handle;
  v->why = NULL;
  v->is_view = v->floating = false;
  v->storage_bytes = -1;
  v->first_byte = 0;
  v->dtype_number = v->layout = -1;
  v->t.dtype = NULL;
  v->t.data = NULL;
  v->t.numel = 0;
  v->t.ndim = 0;
  if (!handle) {
    v->state = AG_VIEW_NULL;
    return;
  }
  read_tensor(v, (AtenTensorHandle)(uintptr_t)handle);
  if (v->state == AG_VIEW_OK) ag_view_measure(v);
}

static void read_view(ag_view *v, const aotigen_value *value) {
  ag_view_of_handle(v, value->v.handle);
  if (v->state != AG_VIEW_OK && v->state != AG_VIEW_BROKEN) return;
  v->state = AG_VIEW_OK;
  v->is_view = true;
  if (!copy_shape(v, value->ndim, value->sizes, value->strides)) return;
  int64_t bytes = value->offset * v->t.dtype->item_size;
  v->first_byte += bytes;
  v->view_offset = value->offset;
  v->t.data = v->t.data ? (const char *)v->t.data + bytes : NULL;
  ag_view_measure(v);
}

/* By aotigen_value's field `arithmetic`. */
static const ag_dtype *find_arithmetic(const aotigen_value *value) {
  static const uint8_t classes[] = {AG_OTHER, AG_FLOATING, AG_SIGNED, AG_UNSIGNED, AG_BOOL};
  if (value->arithmetic < 1 || value->arithmetic > 4) return NULL;
  return ag_dtype_of_arithmetic(classes[value->arithmetic], value->item_size);
}

static void read_array(ag_view *v, const aotigen_value *value, const aotigen_param *param) {
  ag_view_of_handle(v, NULL);
  /* The wrapper's name of the type, unless the array's elements are of another size. */
  v->t.dtype = param ? ag_dtype_of_name(param->dtype) : NULL;
  if (!v->t.dtype || v->t.dtype->item_size != value->item_size) v->t.dtype = find_arithmetic(value);
  if (!v->t.dtype) {
    set_opaque(v, AG_OPAQUE_ELEMENT);
    return;
  }
  v->t.data = value->v.handle;
  v->t.device_type = AOTIGEN_SHIM(device_type_cpu)();
  v->t.device_index = -1;
  v->dtype_number = v->t.dtype->number;
  v->is_view = true;
  v->state = AG_VIEW_OK;
  if (copy_shape(v, value->ndim, value->sizes, value->strides)) ag_view_measure(v);
}

void ag_view_of_value(ag_view *v, const aotigen_value *value, const aotigen_param *param) {
  v->state = AG_VIEW_NONE;
  v->why = NULL;
  v->floating = false;
  if (param && param->kind == AOTIGEN_POINTER) return;
  if (value->kind == AOTIGEN_V_HANDLE) ag_view_of_handle(v, value->v.handle);
  if (value->kind == AOTIGEN_V_VIEW) read_view(v, value);
  if (value->kind == AOTIGEN_V_ARRAY) read_array(v, value, param);
}

bool ag_view_is_same(const ag_view *a, const ag_view *b) {
  if (a->state != AG_VIEW_OK || b->state != AG_VIEW_OK)
    return a->state == b->state; /* without a shape */
  size_t n = (size_t)a->t.ndim * sizeof *a->t.sizes;
  return a->t.data == b->t.data && a->t.dtype == b->t.dtype && a->t.ndim == b->t.ndim &&
         a->t.device_type == b->t.device_type && a->t.device_index == b->t.device_index &&
         !memcmp(a->t.sizes, b->t.sizes, n) && !memcmp(a->t.strides, b->t.strides, n);
}

static bool are_on_one_device(const ag_view *a, const ag_view *b) {
  return a->state == AG_VIEW_OK && b->state == AG_VIEW_OK && a->t.device_type == b->t.device_type &&
         a->t.device_index == b->t.device_index;
}

bool ag_view_overlaps(const ag_view *a, const ag_view *b) {
  return are_on_one_device(a, b) && a->begin < b->end && b->begin < a->end;
}

static uintptr_t find_storage(const ag_view *v) {
  return (uintptr_t)v->t.data - (uintptr_t)v->first_byte;
}

bool ag_view_shares_storage(const ag_view *a, const ag_view *b) {
  return are_on_one_device(a, b) && a->storage_bytes > 0 && b->storage_bytes > 0 &&
         find_storage(a) < find_storage(b) + (uintptr_t)b->storage_bytes &&
         find_storage(b) < find_storage(a) + (uintptr_t)a->storage_bytes;
}

/* Rows of `count` elements, `pitch` apart; false of any other order. */
static bool read_rows(const ag_view *v, int64_t *pitch, int64_t *count) {
  ag_layout l;
  if (!v->t.numel || !ag_layout_measure(v->t.ndim, v->t.sizes, v->t.strides, &l) || l.ndim != 2 ||
      l.strides[1] != 1 || l.strides[0] < l.sizes[1])
    return false;
  *pitch = l.strides[0];
  *count = l.sizes[1];
  return true;
}

bool ag_view_shares(const ag_view *a, const ag_view *b) {
  int64_t pitch, count, other_pitch, other_count;
  if (!ag_view_overlaps(a, b)) return false; /* nor has a scalar a tensor to look at */
  int64_t item = a->t.dtype ? a->t.dtype->item_size : 1;
  if (a->t.dtype != b->t.dtype || !read_rows(a, &pitch, &count) ||
      !read_rows(b, &other_pitch, &other_count) || pitch != other_pitch)
    return true;
  int64_t bytes = (int64_t)((uintptr_t)b->t.data - (uintptr_t)a->t.data);
  if (bytes % item) return true;
  int64_t ahead = (bytes / item % pitch + pitch) % pitch;
  return ahead < count || ahead + other_count > pitch;
}

bool ag_view_fits_storage(const ag_view *v) {
  int64_t size = v->t.dtype->item_size;
  if (v->storage_bytes < 0 || !v->t.numel) return true;
  return v->first_byte + v->lowest * size >= 0 &&
         v->first_byte + v->highest * size <= v->storage_bytes;
}

bool ag_view_is_readable(const ag_view *v) {
  return !v->t.numel || (v->t.data && ag_view_fits_storage(v));
}

/* Torch's names, where this torch has them. */
static const struct {
  const char *name;
  int32_t (*ask)(void);
} layouts[] = {{"strided", AOTIGEN_SHIM(layout_strided)},
               {"sparse_coo", AOTIGEN_SHIM(layout_sparse_coo)},
               {"sparse_csr", AOTIGEN_SHIM(layout_sparse_csr)},
               {"sparse_csc", AOTIGEN_SHIM(layout_sparse_csc)},
               {"sparse_bsr", AOTIGEN_SHIM(layout_sparse_bsr)},
               {"sparse_bsc", AOTIGEN_SHIM(layout_sparse_bsc)},
               {"mkldnn", AOTIGEN_SHIM(layout__mkldnn)},
               {"jagged", AOTIGEN_SHIM(layout_jagged)}};

static void describe_dtype(ag_text *t, int32_t number) {
  const char *name = ag_dtype_name_of_number(number);
  if (name)
    ag_text_add(t, name);
  else
    ag_text_addf(t, "torch's dtype number %d", number);
}

static void describe_layout(ag_text *t, int32_t layout) {
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
    if (!layouts[i].ask || layouts[i].ask() != layout) continue;
    ag_text_add(t, layouts[i].name);
    return;
  }
  ag_text_addf(t, "torch's layout number %d", layout);
}

void ag_view_describe_opaque(ag_text *t, const ag_view *v) {
  if (v->opaque == AG_OPAQUE_DTYPE)
    describe_dtype(t, v->dtype_number);
  else if (v->opaque == AG_OPAQUE_LAYOUT)
    describe_layout(t, v->layout);
  else
    ag_text_add(t, v->why);
}

void ag_device_describe(ag_text *t, int32_t type, int32_t index) {
  ag_text_add(t, ag_device_type_name(type));
  if (index >= 0) ag_text_addf(t, ":%d", index);
}

void ag_view_describe(ag_text *t, const ag_view *v) {
  bool named = v->opaque == AG_OPAQUE_DTYPE || v->opaque == AG_OPAQUE_LAYOUT;
  if (v->state == AG_VIEW_OPAQUE && named) {
    ag_text_add(t, v->opaque == AG_OPAQUE_DTYPE ? "of dtype " : "of layout ");
    ag_view_describe_opaque(t, v);
    return;
  }
  if (v->state != AG_VIEW_OK && v->state != AG_VIEW_REFUSED) {
    ag_text_add(t, v->state == AG_VIEW_NULL        ? "null"
                   : v->state == AG_VIEW_UNDEFINED ? "undefined"
                   : v->why                        ? v->why
                                                   : "no tensor");
    return;
  }
  ag_text_addf(t, "%s ", v->t.dtype->name);
  ag_text_add_list(t, v->t.sizes, v->t.ndim, "[", ", ", "]");
  if (!v->contiguous) ag_text_add_list(t, v->t.strides, v->t.ndim, ", strides [", ", ", "]");
  ag_text_add(t, v->contiguous ? " on " : ", on ");
  ag_device_describe(t, v->t.device_type, v->t.device_index);
}

void ag_tensor_describe_index(ag_text *t, const ag_tensor *tensor, int64_t flat) {
  int64_t index[AG_MAX_DIMS];
  ag_layout_index(tensor->ndim, tensor->sizes, flat, index);
  ag_text_add_list(t, index, tensor->ndim, "[", ", ", "]");
}

const char *ag_view_find_lazy_bit(const ag_view *v) {
  AtenTensorHandle h = (AtenTensorHandle)(uintptr_t)v->handle;
  if (!h || v->state != AG_VIEW_OK || !v->t.numel) return NULL;
  if (ag_torch_is_neg && ag_torch_is_neg(h)) return "negative";
  return ag_torch_is_conj && ag_torch_is_conj(h) ? "conjugate" : NULL;
}

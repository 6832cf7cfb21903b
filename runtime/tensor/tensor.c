/* tensor.c - reads a marker's value as a strided tensor, and computes its extent. It calls only
 * those accessors of the shim that do not fail for the tensor. */
#define _GNU_SOURCE
#include "tensor/tensor.h"

#include <pthread.h>
#include <stddef.h>
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

static void set_opaque(ag_view *view, enum ag_opaque because) {
  static const char *const whys[] = {
      [AG_OPAQUE_DTYPE] = "an element type that aotigen does not know",
      [AG_OPAQUE_LAYOUT] = "a layout that is not strided",
      [AG_OPAQUE_UNDESCRIBED] = "a tensor that torch does not describe",
      [AG_OPAQUE_ELEMENT] = "an element type that aotigen does not know",
      [AG_OPAQUE_GUESSED] = "a layout that is not strided"};
  view->state = AG_VIEW_OPAQUE;
  view->opaque = because;
  view->why = whys[because];
}

static void set_state(ag_view *view, enum ag_view_state state, const char *why) {
  view->state = state;
  view->why = why;
}

void ag_view_measure(ag_view *view) {
  ag_tensor *t = &view->t;
  ag_layout l;
  int64_t numel = 1, bytes;
  bool is_empty = false, overflow = false;
  l.lowest = l.end = 0;
  l.in_order = l.dense = true;
  view->floating = false;
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->sizes[i] < 0) {
      set_state(view, AG_VIEW_BROKEN, "a negative size");
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
    set_state(view, AG_VIEW_BROKEN, "sizes that no memory can hold");
    return;
  }
  t->numel = is_empty ? 0 : numel;
  view->lowest = l.lowest;
  view->highest = l.end;
  view->begin = (uintptr_t)t->data + (uintptr_t)(l.lowest * t->dtype->item_size);
  view->end = (uintptr_t)t->data + (uintptr_t)(l.end * t->dtype->item_size);
  view->contiguous = l.in_order;
  view->dense = l.dense;
  view->floating = ag_dtype_is_floating(t->dtype);
}

/* Copies rank, sizes and strides. */
static bool copy_shape(ag_view *view, int64_t ndim, const int64_t *sizes, const int64_t *strides) {
  if (ndim < 0 || ndim > AG_MAX_DIMS) {
    set_state(view, AG_VIEW_BROKEN, "more dimensions than a tensor has");
    return false;
  }
  view->t.ndim = (int32_t)ndim;
  if (ndim) {
    memcpy(view->t.sizes, sizes, (size_t)ndim * sizeof *sizes);
    memcpy(view->t.strides, strides, (size_t)ndim * sizeof *strides);
  }
  return true;
}

/* True if the strides are 1, 0, 0, ..., as torch initialises those of an opaque tensor. */
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

/* False if the tensor is known not to be strided, before its storage is queried. */
static bool may_be_strided(AtenTensorHandle h, const ag_view *view, int64_t ndim,
                           const int64_t *sizes, const int64_t *strides) {
  if (has_layouts()) return true; /* the layout was queried */
  return !has_opaque_strides(ndim, sizes, strides) && !is_remembered(h, view->t.data);
}

static bool is_defined(AtenTensorHandle h) {
  bool defined = true;
  if (AOTIGEN_SHIM(is_defined)) return !AOTIGEN_SHIM(is_defined)(h, &defined) && defined;
  return !ag_undefined_tensor || *(const char *const *)h != ag_undefined_tensor;
}

static bool read_dtype_and_device(ag_view *view, AtenTensorHandle h) {
  if (!is_defined(h)) {
    view->state = AG_VIEW_UNDEFINED;
    return false;
  }
  if (AOTIGEN_SHIM(get_dtype)(h, &view->dtype_number)) return false;
  view->t.dtype = ag_dtype_of_number(view->dtype_number);
  if (!view->t.dtype) {
    set_opaque(view, AG_OPAQUE_DTYPE);
    return false;
  }
  return !AOTIGEN_SHIM(get_device_type)(h, &view->t.device_type) &&
         !AOTIGEN_SHIM(get_device_index)(h, &view->t.device_index);
}

static void read_tensor(ag_view *view, AtenTensorHandle h) {
  int64_t ndim, offset = 0, *sizes, *strides;
  void *data = NULL;
  set_opaque(view, AG_OPAQUE_UNDESCRIBED);
  if (!read_dtype_and_device(view, h)) return;
  /* A sparse tensor has neither strides nor data, so the layout is queried first if possible. */
  if (has_layouts()) {
    if (AOTIGEN_SHIM(get_layout)(h, &view->layout)) return;
    if (view->layout != AOTIGEN_SHIM(layout_strided)()) {
      set_opaque(view, AG_OPAQUE_LAYOUT);
      return;
    }
  }
  if (AOTIGEN_SHIM(get_dim)(h, &ndim) || AOTIGEN_SHIM(get_sizes)(h, &sizes) ||
      AOTIGEN_SHIM(get_strides)(h, &strides) || AOTIGEN_SHIM(get_data_ptr)(h, &data))
    return;
  view->t.data = data;
  set_opaque(view, AG_OPAQUE_GUESSED);
  if (!may_be_strided(h, view, ndim, sizes, strides)) return;
  if (AOTIGEN_SHIM(get_storage_size)(h, &view->storage_bytes) ||
      AOTIGEN_SHIM(get_storage_offset)(h, &offset)) {
    remember_opaque(h, data);
    view->storage_bytes = -1;
    return;
  }
  view->first_byte = offset * view->t.dtype->item_size;
  view->state = AG_VIEW_OK;
  copy_shape(view, ndim, sizes, strides);
}

void ag_view_of_handle(ag_view *view, const void *handle) {
  view->handle = handle;
  view->why = NULL;
  view->is_view = view->floating = false;
  view->storage_bytes = -1;
  view->first_byte = 0;
  view->dtype_number = view->layout = -1;
  view->t.dtype = NULL;
  view->t.data = NULL;
  view->t.numel = 0;
  view->t.ndim = 0;
  if (!handle) {
    view->state = AG_VIEW_NULL;
    return;
  }
  read_tensor(view, (AtenTensorHandle)(uintptr_t)handle);
  if (view->state == AG_VIEW_OK) ag_view_measure(view);
}

static void read_view(ag_view *view, const aotigen_value *value) {
  ag_view_of_handle(view, value->v.handle);
  if (view->state != AG_VIEW_OK && view->state != AG_VIEW_BROKEN) return;
  view->state = AG_VIEW_OK;
  view->is_view = true;
  if (!copy_shape(view, value->ndim, value->sizes, value->strides)) return;
  int64_t bytes = value->offset * view->t.dtype->item_size;
  view->first_byte += bytes;
  view->view_offset = value->offset;
  view->t.data = view->t.data ? (const char *)view->t.data + bytes : NULL;
  ag_view_measure(view);
}

/* Finds the type by aotigen_value's field `arithmetic`. */
static const ag_dtype *find_arithmetic(const aotigen_value *value) {
  static const uint8_t classes[] = {AG_OTHER, AG_FLOATING, AG_SIGNED, AG_UNSIGNED, AG_BOOL};
  if (value->arithmetic < 1 || value->arithmetic > 4) return NULL;
  return ag_dtype_of_arithmetic(classes[value->arithmetic], value->item_size);
}

static void read_array(ag_view *view, const aotigen_value *value, const aotigen_param *param) {
  ag_view_of_handle(view, NULL);
  /* The wrapper's type, unless the array's elements have another size. */
  view->t.dtype = param ? ag_dtype_of_name(param->dtype) : NULL;
  if (!view->t.dtype || view->t.dtype->item_size != value->item_size)
    view->t.dtype = find_arithmetic(value);
  if (!view->t.dtype) {
    set_opaque(view, AG_OPAQUE_ELEMENT);
    return;
  }
  view->t.data = value->v.handle;
  view->t.device_type = AOTIGEN_SHIM(device_type_cpu)();
  view->t.device_index = -1;
  view->dtype_number = view->t.dtype->number;
  view->is_view = true;
  view->state = AG_VIEW_OK;
  if (copy_shape(view, value->ndim, value->sizes, value->strides)) ag_view_measure(view);
}

void ag_view_of_value(ag_view *view, const aotigen_value *value, const aotigen_param *param) {
  view->state = AG_VIEW_NONE;
  view->why = NULL;
  view->floating = false;
  if (param && param->kind == AOTIGEN_POINTER) return;
  if (value->kind == AOTIGEN_V_HANDLE) ag_view_of_handle(view, value->v.handle);
  if (value->kind == AOTIGEN_V_VIEW) read_view(view, value);
  if (value->kind == AOTIGEN_V_ARRAY) read_array(view, value, param);
}

void ag_view_copy(ag_view *to, const ag_view *from) {
  memcpy(to, from, offsetof(ag_view, t.sizes));
  if (!ag_view_is_described(from)) return;
  const size_t n = (size_t)from->t.ndim * sizeof *from->t.sizes;
  memcpy(to->t.sizes, from->t.sizes, n);
  memcpy(to->t.strides, from->t.strides, n);
}

bool ag_view_is_same(const ag_view *a, const ag_view *b) {
  if (a->state != AG_VIEW_OK || b->state != AG_VIEW_OK)
    return a->state == b->state; /* there is no shape to compare */
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

static uintptr_t find_storage(const ag_view *view) {
  return (uintptr_t)view->t.data - (uintptr_t)view->first_byte;
}

bool ag_view_shares_storage(const ag_view *a, const ag_view *b) {
  return are_on_one_device(a, b) && a->storage_bytes > 0 && b->storage_bytes > 0 &&
         find_storage(a) < find_storage(b) + (uintptr_t)b->storage_bytes &&
         find_storage(b) < find_storage(a) + (uintptr_t)a->storage_bytes;
}

/* Reads rows of `count` elements, `pitch` apart; false for any other order. */
static bool read_rows(const ag_view *view, int64_t *pitch, int64_t *count) {
  ag_layout l;
  if (!view->t.numel || !ag_layout_measure(view->t.ndim, view->t.sizes, view->t.strides, &l) ||
      l.ndim != 2 || l.strides[1] != 1 || l.strides[0] < l.sizes[1])
    return false;
  *pitch = l.strides[0];
  *count = l.sizes[1];
  return true;
}

bool ag_view_shares(const ag_view *a, const ag_view *b) {
  int64_t pitch, count, other_pitch, other_count;
  if (!ag_view_overlaps(a, b)) return false; /* a scalar has no memory to share, either */
  int64_t item = a->t.dtype ? a->t.dtype->item_size : 1;
  if (a->t.dtype != b->t.dtype || !read_rows(a, &pitch, &count) ||
      !read_rows(b, &other_pitch, &other_count) || pitch != other_pitch)
    return true;
  int64_t bytes = (int64_t)((uintptr_t)b->t.data - (uintptr_t)a->t.data);
  if (bytes % item) return true;
  int64_t ahead = (bytes / item % pitch + pitch) % pitch;
  return ahead < count || ahead + other_count > pitch;
}

bool ag_view_fits_storage(const ag_view *view) {
  int64_t size = view->t.dtype->item_size;
  if (view->storage_bytes < 0 || !view->t.numel) return true;
  return view->first_byte + view->lowest * size >= 0 &&
         view->first_byte + view->highest * size <= view->storage_bytes;
}

bool ag_view_is_readable(const ag_view *view) {
  return !view->t.numel || (view->t.data && ag_view_fits_storage(view));
}

/* Torch's names, if this torch has the functions. */
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

void ag_view_describe_opaque(ag_text *t, const ag_view *view) {
  if (view->opaque == AG_OPAQUE_DTYPE)
    describe_dtype(t, view->dtype_number);
  else if (view->opaque == AG_OPAQUE_LAYOUT)
    describe_layout(t, view->layout);
  else
    ag_text_add(t, view->why);
}

void ag_device_describe(ag_text *t, int32_t type, int32_t index) {
  ag_text_add(t, ag_device_type_name(type));
  if (index >= 0) ag_text_addf(t, ":%d", index);
}

void ag_view_describe(ag_text *t, const ag_view *view) {
  bool named = view->opaque == AG_OPAQUE_DTYPE || view->opaque == AG_OPAQUE_LAYOUT;
  if (view->state == AG_VIEW_OPAQUE && named) {
    ag_text_add(t, view->opaque == AG_OPAQUE_DTYPE ? "of dtype " : "of layout ");
    ag_view_describe_opaque(t, view);
    return;
  }
  if (!ag_view_is_described(view)) {
    ag_text_add(t, view->state == AG_VIEW_NULL        ? "null"
                   : view->state == AG_VIEW_UNDEFINED ? "undefined"
                   : view->why                        ? view->why
                                                      : "no tensor");
    return;
  }
  ag_text_addf(t, "%s ", view->t.dtype->name);
  ag_text_add_list(t, view->t.sizes, view->t.ndim, "[", ", ", "]");
  if (!view->contiguous)
    ag_text_add_list(t, view->t.strides, view->t.ndim, ", strides [", ", ", "]");
  ag_text_add(t, view->contiguous ? " on " : ", on ");
  ag_device_describe(t, view->t.device_type, view->t.device_index);
}

void ag_tensor_describe_index(ag_text *t, const ag_tensor *tensor, int64_t flat) {
  int64_t index[AG_MAX_DIMS];
  ag_layout_index(tensor->ndim, tensor->sizes, flat, index);
  ag_text_add_list(t, index, tensor->ndim, "[", ", ", "]");
}

const char *ag_view_find_lazy_bit(const ag_view *view) {
  AtenTensorHandle h = (AtenTensorHandle)(uintptr_t)view->handle;
  if (!h || view->state != AG_VIEW_OK || !view->t.numel) return NULL;
  if (ag_torch_is_neg && ag_torch_is_neg(h)) return "negative";
  return ag_torch_is_conj && ag_torch_is_conj(h) ? "conjugate" : NULL;
}

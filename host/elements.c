/* elements.c - see elements.h. */
#include "host/elements.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  int64_t size;
  int32_t number; /* for a torch that does not tell it; -1: it does */
} dtypes[] = {
#define X(name, kind, bytes, exponent, mantissa, special, number, ...) {#name, bytes, number},
#include "shared/dtypes.def"
#undef X
};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

static bool set_dtype(elements *e, size_t i) {
  if (i == DTYPES) return false;
  snprintf(e->dtype, sizeof e->dtype, "%s", dtypes[i].name);
  e->number = torch_dtype(dtypes[i].name, dtypes[i].number);
  e->size = dtypes[i].size;
  return e->number >= 0;
}

static bool set_dtype_by_name(elements *e, const char *name) {
  size_t i = 0;
  while (i < DTYPES && strcmp(dtypes[i].name, name)) i++;
  return set_dtype(e, i);
}

static bool set_dtype_by_number(elements *e, int32_t number) {
  size_t i = 0;
  while (i < DTYPES && torch_dtype(dtypes[i].name, dtypes[i].number) != number) i++;
  return set_dtype(e, i);
}

/* False where there are more than any machine can hold. */
static bool set_sizes(elements *e, const int64_t *sizes, int64_t ndim) {
  bool empty = false, ok = ndim <= REQUEST_DIMENSIONS;
  e->ndim = ndim;
  e->numel = 1;
  for (int64_t i = 0; ok && i < ndim; i++) {
    e->sizes[i] = sizes[i];
    empty |= sizes[i] == 0;
  }
  for (int64_t i = 0; ok && !empty && i < ndim; i++)
    ok = sizes[i] > 0 && !__builtin_mul_overflow(e->numel, sizes[i], &e->numel);
  if (empty) e->numel = 0;
  int64_t bytes;
  return ok && !__builtin_mul_overflow(e->numel, e->size, &bytes);
}

static const char *allocate(elements *e) {
  e->bytes = malloc((size_t)(e->numel * e->size) + 1);
  return e->bytes ? NULL : "there is not enough memory";
}

/* The number of elements from the first of a tensor to behind its last; -1 if that is none. */
static int64_t find_span(const elements *e, const int64_t *strides) {
  int64_t span = 1, step;
  if (!e->numel) return 0;
  for (int64_t i = 0; i < e->ndim; i++)
    if (strides[i] < 0 || __builtin_mul_overflow(e->sizes[i] - 1, strides[i], &step) ||
        __builtin_add_overflow(span, step, &span))
      return -1;
  return span;
}

/* Goes over a tensor's elements in the order of its indices. */
typedef struct walk {
  const elements *e;
  const int64_t *strides;
  int64_t index[REQUEST_DIMENSIONS], at;
} walk;

static void step(walk *w) {
  for (int64_t i = w->e->ndim - 1; i >= 0; i--) {
    w->at += w->strides[i];
    if (++w->index[i] < w->e->sizes[i]) return;
    w->at -= w->strides[i] * w->e->sizes[i];
    w->index[i] = 0;
  }
}

const char *elements_read(elements *e, const request_tensor *t, archive_bytes capsule) {
  archive_bytes storage;
  *e = (elements){0};
  const char *why = archive_find(capsule, t->member, &storage);
  if (why) return why;
  if (!set_dtype_by_name(e, t->dtype)) return "is of a dtype that this torch lacks";
  const int64_t span = set_sizes(e, t->sizes, t->ndim) ? find_span(e, t->strides) : -1;
  int64_t end;
  if (span < 0 || t->offset < 0 || __builtin_add_overflow(t->offset, span, &end) ||
      (uint64_t)end > storage.n / (uint64_t)e->size)
    return "is less than its tensor needs";
  if ((why = allocate(e))) return why;
  walk w = {.e = e, .strides = t->strides};
  for (int64_t i = 0; i < e->numel; i++, step(&w))
    memcpy(e->bytes + i * e->size, storage.at + (t->offset + w.at) * e->size, (size_t)e->size);
  return NULL;
}

/* A tensor on the host without gaps. */
static int32_t make_dense(const elements *e, torch_tensor *made) {
  int64_t strides[REQUEST_DIMENSIONS], all = 1;
  for (int64_t i = e->ndim - 1; i >= 0; i--) {
    strides[i] = all;
    all *= e->sizes[i] ? e->sizes[i] : 1;
  }
  return torch.empty_strided(e->ndim, e->sizes, strides, e->number, torch_device_type("cpu"), -1,
                             made);
}

const char *elements_fetch(elements *e, torch_tensor from) {
  int64_t ndim, *sizes;
  int32_t number;
  void *data = NULL;
  torch_tensor dense = NULL;
  *e = (elements){0};
  if (torch.get_dtype(from, &number) || torch.get_dim(from, &ndim) || torch.get_sizes(from, &sizes))
    return "it is no tensor of which torch tells dtype and sizes";
  if (!set_dtype_by_number(e, number)) return "its dtype is not known here";
  if (!set_sizes(e, sizes, ndim)) return "it has more elements than any machine can hold";
  const char *why = allocate(e);
  if (why) return why;
  if (make_dense(e, &dense)) return "there is not enough memory";
  if (torch.copy_(dense, from, 0) || torch.get_data_ptr(dense, &data))
    why = "torch cannot copy it";
  else
    memcpy(e->bytes, data, (size_t)(e->numel * e->size));
  torch.delete_tensor_object(dense);
  return why;
}

/* A tensor of one dimension on the host: the memory of one with these strides. Gaps are zero. Of
 * elements that share memory the last counts. */
static const char *make_memory(const elements *e, const int64_t *strides, int64_t span,
                               torch_tensor *made) {
  static const int64_t one = 1;
  int64_t bytes;
  char *data;
  if (__builtin_mul_overflow(span, e->size, &bytes)) return "its strides are too large";
  if (torch.empty_strided(1, &span, &one, e->number, torch_device_type("cpu"), -1, made))
    return "torch cannot make it";
  if (torch.get_data_ptr(*made, (void **)&data)) return "torch does not tell where it is";
  memset(data, 0, (size_t)bytes);
  walk w = {.e = e, .strides = strides};
  for (int64_t i = 0; i < e->numel; i++, step(&w))
    memcpy(data + w.at * e->size, e->bytes + i * e->size, (size_t)e->size);
  return NULL;
}

/* The same on a device, in its place. */
static const char *move(const elements *e, int64_t span, int32_t type, int32_t index,
                        torch_tensor *memory) {
  static const int64_t one = 1;
  torch_tensor there;
  if (type == torch_device_type("cpu")) return NULL;
  if (torch.empty_strided(1, &span, &one, e->number, type, index, &there))
    return "torch cannot make it there";
  const int32_t failed = torch.copy_(there, *memory, 0);
  torch.delete_tensor_object(*memory);
  *memory = there;
  return failed ? "torch cannot copy it" : NULL;
}

const char *elements_lay(const elements *e, const int64_t *strides, int32_t type, int32_t index,
                         torch_tensor *made) {
  const int64_t span = find_span(e, strides);
  torch_tensor memory = NULL;
  if (span < 0) return "its strides are too large";
  if (span == 0)
    return torch.empty_strided(e->ndim, e->sizes, strides, e->number, type, index, made)
               ? "torch cannot make it"
               : NULL;
  const char *why = make_memory(e, strides, span, &memory);
  if (!why) why = move(e, span, type, index, &memory);
  if (!why && torch._reinterpret_tensor(memory, e->ndim, e->sizes, strides, 0, made))
    why = "torch cannot give it its strides";
  if (memory) torch.delete_tensor_object(memory);
  return why;
}

void elements_free(elements *e) {
  free(e->bytes);
  *e = (elements){0};
}

/* poison_block.c - see poison_block.h. */
#define _GNU_SOURCE
#include "memory/poison_block.h"

#include <stdlib.h>

#include "tensor/dtype.h"
#include "tensor/pattern.h"
#include "tensor/shim.h"

/* ALIGNED: what torch's allocator aligns to. A run's first block has as many bytes as the run
 * before took; FIRST where there was none. */
enum { ALIGNED = 512, FIRST = 4 << 20 };
static const size_t most = (size_t)128 << 20; /* bytes that a run takes */

typedef struct ag_poison_block ag_poison_block;
struct ag_poison_block {
  ag_poison_block *next;
  void *handle; /* torch's tensor that owns the memory */
  char *memory;
  size_t size, used; /* bytes */
  int32_t device_type, device_index;
  void *stream; /* that fills it */
};

/* On the host the fill leaves a buffer in the cache that is about to be written. Types of one byte
 * have other patterns. */
static bool is_wanted(const ag_buffer *b) {
  return b->guard == AOTIGEN_GUARD_POISON && b->t.device_type && b->t.dtype->item_size > 1;
}

static bool has_room(const ag_poison_block *k, const ag_buffer *b, const void *stream,
                     size_t bytes) {
  return k && k->size - k->used >= bytes && k->device_type == b->t.device_type &&
         k->device_index == b->t.device_index && k->stream == stream;
}

static bool fill_block(ag_poison_block *k, const ag_buffer *b) {
  const ag_backend *backend = ag_backend_of_device_type(k->device_type);
  return !backend->fill(k->device_index, k->stream, k->memory, ag_pattern_word(b->t.dtype),
                        k->size / 4);
}

static bool allocate_block(ag_poison_block *k, const ag_buffer *b) {
  int64_t size = (int64_t)k->size, one = 1;
  AtenTensorHandle handle = NULL;
  void *data = NULL;
  k->device_type = b->t.device_type;
  k->device_index = b->t.device_index;
  if (AOTIGEN_SHIM(empty_strided)(1, &size, &one, AOTIGEN_SHIM(dtype_uint8)(), k->device_type,
                                  k->device_index, &handle))
    return false;
  k->handle = handle;
  if (AOTIGEN_SHIM(get_data_ptr)(handle, &data) || !data) return false;
  k->memory = data;
  return fill_block(k, b);
}

static void free_block(ag_poison_block *k) {
  if (k->handle) AOTIGEN_SHIM(delete_tensor_object)(k->handle);
  free(k);
}

static bool add_block(aotigen_run_state *s, const ag_buffer *b, void *stream, size_t bytes) {
  size_t likely = s->poison.taken_before ? s->poison.taken_before : FIRST;
  if (!AOTIGEN_SHIM(empty_strided) || !AOTIGEN_SHIM(dtype_uint8) ||
      !AOTIGEN_SHIM(new_tensor_handle))
    return false;
  ag_poison_block *k = calloc(1, sizeof *k);
  if (!k) return false;
  if (s->poison.blocks) likely = FIRST;
  k->size = bytes > likely ? bytes : likely;
  k->stream = stream;
  if (!allocate_block(k, b)) {
    free_block(k);
    return false;
  }
  k->next = s->poison.blocks;
  s->poison.blocks = k;
  return true;
}

bool ag_poison_block_take(aotigen_run *run, ag_buffer *b) {
  aotigen_run_state *s = run->state;
  size_t bytes = (b->bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
  void *stream = ag_run_stream(run);
  AtenTensorHandle handle = NULL;
  if (!is_wanted(b) || s->poison.taken + bytes > most) return false;
  if (!has_room(s->poison.blocks, b, stream, bytes) && !add_block(s, b, stream, bytes))
    return false;
  ag_poison_block *k = s->poison.blocks;
  if (AOTIGEN_SHIM(new_tensor_handle)(k->handle, &handle)) return false;
  b->handle = handle;
  b->in_block = true;
  b->t.data = b->memory = k->memory + k->used;
  k->used += bytes;
  s->poison.taken += bytes;
  return true;
}

void ag_poison_block_end(aotigen_run_state *s) {
  while (s->poison.blocks) {
    ag_poison_block *k = s->poison.blocks;
    s->poison.blocks = k->next;
    free_block(k);
  }
  s->poison.taken_before = s->poison.taken;
  s->poison.taken = 0;
}

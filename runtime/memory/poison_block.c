/* poison_block.c - see poison_block.h. */
#define _GNU_SOURCE
#include "memory/poison_block.h"

#include <stdlib.h>

#include "memory/torch_memory.h"
#include "tensor/dtype.h"
#include "tensor/pattern.h"

/* A run's first block has as many bytes as the previous run took; FIRST if there was none. */
enum { FIRST = 4 << 20 };
static const size_t most = (size_t)128 << 20; /* bytes of a run's blocks */

typedef struct ag_poison_block ag_poison_block;
struct ag_poison_block {
  ag_poison_block *next;
  void *handle; /* torch's tensor that owns the memory */
  char *memory;
  size_t size, used; /* bytes */
  int32_t device_type, device_index;
  void *stream; /* that fills it */
};

/* False on the host, where the fill brings a buffer into the cache just before it is written. False
 * for one-byte types, which have other patterns. */
static bool is_wanted(const ag_buffer *b) {
  return b->memory.guard == AOTIGEN_GUARD_POISON && b->t.device_type && b->t.dtype->item_size > 1;
}

static bool has_room(const ag_poison_block *k, const ag_buffer *b, const void *stream,
                     size_t bytes) {
  return k && k->size - k->used >= bytes && k->device_type == b->t.device_type &&
         k->device_index == b->t.device_index && k->stream == stream;
}

static bool allocate_block(ag_poison_block *k, uint32_t word) {
  const ag_backend *backend = ag_backend_of_device_type(k->device_type);
  k->memory = ag_torch_memory_take(k->device_type, k->device_index, k->size, &k->handle);
  return k->memory && !backend->fill(k->device_index, k->stream, k->memory, word, k->size / 4);
}

static void free_block(ag_poison_block *k) {
  ag_torch_memory_give(k->handle);
  free(k);
}

static bool add_block(aotigen_run_state *s, const ag_buffer *b, void *stream, size_t bytes) {
  size_t likely = s->memory.poison.blocks || !s->memory.poison.taken_before
                      ? FIRST
                      : s->memory.poison.taken_before;
  size_t size = bytes > likely ? bytes : likely;
  ag_poison_block *k = s->memory.poison.bytes + size <= most ? calloc(1, sizeof *k) : NULL;
  if (!k) return false;
  k->size = size;
  k->device_type = b->t.device_type;
  k->device_index = b->t.device_index;
  k->stream = stream;
  if (!allocate_block(k, ag_pattern_word(b->t.dtype, AG_PATTERN_UNWRITTEN))) {
    free_block(k);
    return false;
  }
  k->next = s->memory.poison.blocks;
  s->memory.poison.blocks = k;
  s->memory.poison.bytes += size;
  return true;
}

bool ag_poison_block_take(aotigen_run *run, ag_buffer *b) {
  aotigen_run_state *s = run->state;
  size_t bytes = ag_torch_round_up(b->memory.bytes);
  void *stream = ag_run_stream(run);
  if (!is_wanted(b)) return false;
  if (!has_room(s->memory.poison.blocks, b, stream, bytes) && !add_block(s, b, stream, bytes))
    return false;
  ag_poison_block *k = s->memory.poison.blocks;
  b->memory.handle = ag_torch_memory_share(k->handle);
  if (!b->memory.handle) return false;
  b->memory.in_block = true;
  b->t.data = b->memory.begin = k->memory + k->used;
  k->used += bytes;
  s->memory.poison.taken += bytes;
  return true;
}

void ag_poison_block_end(aotigen_run_state *s) {
  while (s->memory.poison.blocks) {
    ag_poison_block *k = s->memory.poison.blocks;
    s->memory.poison.blocks = k->next;
    free_block(k);
  }
  s->memory.poison.taken_before = s->memory.poison.taken;
  s->memory.poison.taken = s->memory.poison.bytes = 0;
}

/* allocate.c - see allocate.h. The memory of a guarded buffer is a tensor of torch's, larger where
 * it has red zones, so that torch's allocators and their order of streams stay in use; the
 * wrapper's tensor is a part of it that torch takes for whole: its storage is as long as its
 * elements. */
#define _GNU_SOURCE
#include "memory/allocate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "checks/finding.h"
#include "memory/given.h"
#include "memory/poison_block.h"
#include "memory/torch_memory.h"
#include "memory/usage.h"
#include "state/guard_pages.h"
#include "state/run_state.h"
#include "tensor/dtype.h"
#include "tensor/pattern.h"
#include "tensor/reader.h"
#include "tensor/shim.h"
#include "shared/limits.h"

enum { PAGES = AOTIGEN_GUARD_PAGE | AOTIGEN_GUARD_PAGE_BEFORE };
/* Bytes of a red zone. On the CPU they are compared after each launch by the host. They are
 * multiples of what torch's allocators align to: the elements are aligned as without us. */

/* ---- DLPack --------------------------------------------------------------------------------- */

enum { DL_CPU = 1, DL_CUDA = 2 };

static void describe(ag_buffer *b, aotigen_memory *m) {
  *m = (aotigen_memory){.data = (void *)(uintptr_t)b->t.data,
                        .ndim = b->t.ndim,
                        .sizes = b->t.sizes,
                        .strides = b->t.strides,
                        .owner = b};
  m->device.type = b->t.device_type ? DL_CUDA : DL_CPU;
  m->device.index = b->t.device_index < 0 ? 0 : b->t.device_index;
  m->dtype.code = (uint8_t)ag_dtype_spelling(b->t.dtype)->dlpack;
  m->dtype.bits = (uint8_t)(b->t.dtype->item_size * 8);
  m->dtype.lanes = 1;
}

/* ---- allocating ----------------------------------------------------------------------------- */

/* The fill that covers the range with whole words, from the one in which it begins. In torch's
 * memory on a device, which ends with a whole word, it includes the word in which the range ends.
 * Behind other memory is memory that is compared, or unused. */
static ag_fill fill_of(const ag_buffer *b, char *from, char *to, uint32_t word) {
  uintptr_t at = (uintptr_t)from & ~(uintptr_t)3;
  size_t behind = b->t.device_type && !b->memory.back && !b->memory.named ? 3 : 0;
  return (ag_fill){.to = (void *)at, .word = word, .words = ((uintptr_t)to + behind - at) / 4};
}

ag_fill ag_buffer_fill_of(const ag_buffer *b, uint32_t word) {
  char *data = b->memory.begin + b->memory.front;
  return fill_of(b, data, data + b->memory.bytes, word);
}

static const char *fill(const ag_buffer *b, const aotigen_run *run, char *from, char *to,
                        uint32_t word) {
  const ag_backend *backend = ag_backend_of_device_type(b->t.device_type);
  if (from == to) return NULL;
  ag_fill f = fill_of(b, from, to, word);
  char *end = (char *)f.to + f.words * sizeof word;
  if (end < to && !b->t.device_type) memcpy(end, &word, (size_t)(to - end));
  if (!f.words) return NULL;
  return backend->fill(b->t.device_index, ag_run_stream(run), f.to, f.word, f.words);
}

const char *ag_buffer_fill(const ag_buffer *b, const aotigen_run *run, uint32_t word) {
  char *data = b->memory.begin + b->memory.front;
  return fill(b, run, data, data + b->memory.bytes, word);
}

/* A device fills whole words: fills the one that holds the last element of two bytes and the start
 * of the red zone. */
static const char *fill_border(const ag_buffer *b, const aotigen_run *run, uint32_t word,
                               uint32_t zone) {
  char *behind = b->memory.begin + b->memory.front + b->memory.bytes;
  if (!b->t.device_type || !b->memory.back || b->memory.bytes % 4 != 2) return NULL;
  return fill(b, run, behind - 2, behind + 2, (word & 0xffff) | (zone & 0xffff0000u));
}

/* The red zone behind begins in a word of the elements', which are filled last. */
static const char *fill_new(const ag_buffer *b, const aotigen_run *run) {
  char *data = b->memory.begin + b->memory.front, *behind = data + b->memory.bytes,
       *end = behind + b->memory.back;
  const uint32_t word = ag_pattern_word(b->t.dtype, AG_PATTERN_UNWRITTEN),
                 zone = ag_pattern_word(b->t.dtype, AG_PATTERN_ZONE);
  const char *why;
  if (b->memory.in_block) return NULL;
  if ((why = fill(b, run, b->memory.begin, data, zone)) || (why = fill(b, run, behind, end, zone)))
    return why;
  if (!b->memory.poisoned || (why = ag_buffer_fill(b, run, word))) return why;
  return fill_border(b, run, word, zone);
}

/* Sets the buffer's memory and red zones; false where torch has none. */
static bool take_torch_memory(ag_buffer *b, size_t red_zone) {
  b->memory.front = red_zone;
  b->memory.back = red_zone ? ag_torch_round_up(b->memory.bytes) - b->memory.bytes + red_zone : 0;
  b->memory.begin = ag_torch_memory_take(b->t.device_type, b->t.device_index, ag_buffer_length(b),
                                         &b->memory.handle);
  if (!b->memory.begin) return false;
  b->t.data = b->memory.begin + red_zone;
  return true;
}

/* Shares the memory of a tensor that the wrapper has just allocated: an additional handle keeps it
 * when the wrapper drops its own. */
static bool share_memory(ag_buffer *b, const void *tensor) {
  b->memory.handle = ag_torch_memory_share(tensor);
  if (!b->memory.handle) return false;
  b->memory.begin = (char *)(uintptr_t)b->t.data;
  return true;
}

static void say_not_guarded(const aotigen_run *run, const char *name, const char *why) {
  if (atomic_exchange(&run->state->model->said.warned.unguarded, true)) return;
  ag_warn("run %llu of %s: the memory of '%s', and perhaps of others, is not guarded: %.200s",
          (unsigned long long)run->number, run->model->source, name, why);
}

/* Takes pages of a device, which have 2 MiB. Torch's alignment is preserved: up to 511 bytes
 * between the elements and the end of the pages hold the pattern. */
static const char *take_device_pages(const aotigen_run *run, ag_buffer *b) {
  const ag_backend *backend = ag_backend_of_device_type(b->t.device_type);
  size_t taken = ag_torch_round_up(b->memory.bytes), inner;
  void *stream = ag_run_stream(run), *memory;
  if (!backend->map) return "this device has no pages of their own";
  const char *why = backend->map(b->t.device_index, stream, taken, &memory, &inner);
  if (why) return why;
  b->memory.kept = backend->capturing(stream);
  b->memory.begin = memory;
  b->memory.front = b->memory.guard & AOTIGEN_GUARD_PAGE_BEFORE ? 0 : inner - taken;
  b->memory.back = inner - b->memory.front - b->memory.bytes;
  b->t.data = b->memory.begin + b->memory.front;
  return NULL;
}

/* False if no tool listens. The guards that lay out memory themselves take precedence. */
static bool take_named_memory(const aotigen_run *run, ag_buffer *b) {
  const ag_backend *backend = ag_backend_of_device_type(b->t.device_type);
  void *stream = ag_run_stream(run), *memory = NULL;
  char name[160];
  if (!ag_settings_get()->nvtx || b->memory.guard & (PAGES | AOTIGEN_GUARD_CANARY) ||
      !backend->take_named || backend->capturing(stream))
    return false;
  snprintf(name, sizeof name, "%s of launch %llu (run %llu)", b->row->name,
           (unsigned long long)b->launch + 1, (unsigned long long)b->run);
  const char *why = backend->take_named(b->t.device_index, stream, b->memory.bytes, name, &memory);
  if (why) say_not_guarded(run, b->row->name, why);
  if (!memory) return false;
  b->memory.named = true;
  b->t.data = b->memory.begin = memory;
  return true;
}

static bool take_memory(aotigen_run *run, ag_buffer *b, const void *fresh) {
  size_t red_zone = b->t.device_type ? AG_DEVICE_ZONE : AG_CPU_ZONE;
  if (b->memory.is_own) {
    b->memory.begin = (char *)(uintptr_t)b->t.data;
    return true;
  }
  if (take_named_memory(run, b)) return true;
  if (!b->memory.guard && !ag_usage_is_on()) return false;
  if (b->memory.guard & AOTIGEN_GUARD_CANARY) return take_torch_memory(b, red_zone);
  if (!(b->memory.guard & PAGES))
    return ag_poison_block_take(run, b) || (fresh && share_memory(b, fresh)) ||
           take_torch_memory(b, 0);
  const char *why = b->t.device_type
                        ? take_device_pages(run, b)
                        : ag_guard_pages_take(b, b->memory.guard & AOTIGEN_GUARD_PAGE_BEFORE);
  if (why) say_not_guarded(run, b->row->name, why);
  return !why;
}

/* True if the list, such as "buf3+buf7", has the name. */
static bool is_named(const char *list, const char *name) {
  for (size_t n; *list; list += n + (list[n] == '+')) {
    n = strcspn(list, "+");
    if (strlen(name) == n && !memcmp(list, name, n)) return true;
  }
  return false;
}

/* The guards of this buffer's memory: enum aotigen_guard. Memory that is handed over stays torch's
 * own, and can only be poisoned. */
static unsigned guard_of(const aotigen_run *run, const aotigen_buffer *row) {
  unsigned guard = run->model->guard & (AOTIGEN_GUARD_CANARY | PAGES | AOTIGEN_GUARD_POISON);
  const char *named = run->model->guard_buffers;
  if (row->handed_over == AOTIGEN_HANDED_MAYBE) return 0;
  if (row->handed_over == AOTIGEN_HANDED_ALWAYS) guard &= AOTIGEN_GUARD_POISON;
  if (*named && !is_named(named, row->name)) guard &= ~(unsigned)PAGES;
  if (row->reuse && !(guard & (PAGES | AOTIGEN_GUARD_POISON))) return 0;
  return guard & PAGES ? guard & ~(unsigned)AOTIGEN_GUARD_CANARY : guard;
}

/* The guards of a copy of an input or a weight, which is written as a whole. */
static unsigned guard_of_given(const aotigen_run *run, uint32_t given, const aotigen_buffer *row) {
  const aotigen_model *m = run->model;
  unsigned wanted = given < m->ninputs ? AOTIGEN_GUARD_INPUTS : AOTIGEN_GUARD_WEIGHTS;
  unsigned guard = guard_of(run, row) & (AOTIGEN_GUARD_CANARY | PAGES);
  bool named = *m->guard_buffers && guard & PAGES;
  if (!(m->guard & wanted) && !named) return 0;
  if (guard && !ag_given_is_only_read(run, given)) {
    if (named || !*m->guard_buffers)
      say_not_guarded(run, row->name, "the model may write to it, or hands it over");
    return 0;
  }
  return guard;
}

int aotigen_has_copies(const aotigen_run *run, int of_weights) {
  const aotigen_model *m = run->model;
  const uint32_t n = of_weights ? m->nweights : m->ninputs;
  if (!run->state || !run->number || run->wanted == run->state->model->none) return 0;
  if (m->guard & (of_weights ? AOTIGEN_GUARD_WEIGHTS : AOTIGEN_GUARD_INPUTS)) return 1;
  for (uint32_t i = 0; i < n && *m->guard_buffers; i++)
    if (is_named(m->guard_buffers, of_weights ? m->weights[i].name : m->inputs[i].name)) return 1;
  return 0;
}

/* True if the memory stays torch's own: it is handed over, and not copied before. */
static bool stays(const aotigen_buffer *row, unsigned guard) {
  return row->handed_over &&
         !(row->handed_over == AOTIGEN_HANDED_COPIED && guard & (AOTIGEN_GUARD_CANARY | PAGES));
}

/* True if the tensor is dense and fills its storage, as the wrapper allocates it. */
static bool is_guardable(const ag_view *view, bool given) {
  return view->state == AG_VIEW_OK && ag_dtype_spelling(view->t.dtype)->dlpack >= 0 &&
         view->t.numel > 0 && view->lowest == 0 && (given ? view->dense : view->first_byte == 0) &&
         view->t.data &&
         (view->t.device_type == 0 || ag_backend_of_device_type(view->t.device_type));
}

/* fresh: a tensor that alone has the memory of `view`, or NULL. */
static ag_buffer *make_buffer(aotigen_run *run, const aotigen_buffer *row, const ag_view *view,
                              unsigned guard, const void *fresh) {
  const ag_backend *backend = ag_backend_of_device_type(view->t.device_type);
  ag_buffer *b = backend->fill ? calloc(1, sizeof *b) : NULL;
  if (!b) return NULL;
  b->model = run->model;
  b->row = row;
  b->run = run->number;
  b->launch = b->scans.red_zones = run->launch;
  b->memory.bytes = (size_t)view->highest * view->t.dtype->item_size;
  b->memory.guard = (uint8_t)guard;
  b->memory.is_own = stays(b->row, guard);
  b->memory.poisoned = guard & AOTIGEN_GUARD_POISON;
  b->t = view->t;
  const char *why = take_memory(run, b, fresh)
                        ? fill_new(b, run)
                        : "there is no memory for it; guard less, as by --guard=page:NAME";
  if (!why) return b;
  if (guard) say_not_guarded(run, row->name, why);
  ag_buffer_free(b);
  return NULL;
}

static int allocate_given(aotigen_run *run, uint32_t given, const void *tensor, aotigen_memory *m) {
  ag_view v;
  const aotigen_buffer *row = ag_given_row(run, given);
  unsigned guard = row && run->number ? guard_of_given(run, given, row) : 0;
  if (!guard) return 0;
  ag_view_of_handle(&v, tensor);
  if (!is_guardable(&v, true)) return 0;
  ag_buffer *b = make_buffer(run, row, &v, guard, NULL);
  if (!b) return 0;
  ag_buffers_add(b);
  describe(b, m);
  return 1;
}

int aotigen_allocate(aotigen_run *run, uint32_t buffer, const void *tensor, aotigen_memory *m) {
  ag_view v;
  if (!run->state || run->wanted == run->state->model->none) return 0;
  if (buffer >= run->model->nbuffers)
    return allocate_given(run, buffer - run->model->nbuffers, tensor, m);
  const aotigen_buffer *row = &run->model->buffers[buffer];
  unsigned guard = guard_of(run, row);
  const bool counted = ag_usage_is_on() && !row->reuse;
  const bool named = ag_settings_get()->nvtx && !row->handed_over && !row->reuse;
  if (!guard && !counted && !named) return 0;
  ag_view_of_handle(&v, tensor);
  if (!is_guardable(&v, false) || (!guard && !counted && !v.t.device_type)) return 0;
  if (counted)
    ag_usage_allocated(run, buffer, v.t.data, (size_t)v.highest * v.t.dtype->item_size,
                       guard && !stays(row, guard));
  if (!guard && row->handed_over) return 0;
  if (row->reuse && stays(row, guard))
    return 0; /* the memory belongs to the other buffer, and is handed over */
  ag_buffer *b = make_buffer(run, row, &v, guard, row->reuse ? NULL : tensor);
  if (!b) return 0;
  ag_buffers_add(b);
  if (b->memory.is_own) return 0;
  describe(b, m);
  return 1;
}

void aotigen_not_allocated(aotigen_run *run, uint32_t buffer, void *owner, const char *why) {
  ag_buffer *b = owner;
  if (ag_buffers_remove(b)) ag_buffer_free(b);
  const uint32_t n = run->model->nbuffers;
  const aotigen_buffer *row = buffer < n ? &run->model->buffers[buffer]
                                         : ag_given_row(run, buffer - n);
  say_not_guarded(run, row ? row->name : "?", why);
}

/* ---- releasing ------------------------------------------------------------------------------ */

static void give_pages(ag_buffer *b) {
  if (!b->t.device_type)
    ag_guard_pages_release(b);
  else if (!b->memory.kept)
    ag_backend_of_device_type(b->t.device_type)->unmap(b->memory.begin);
}

/* Clears our patterns. The host's allocator gives the memory to others unchanged: a part that they
 * leave unwritten would hold a NaN of ours, whose bits would name a buffer that they never read. */
static void clear_patterns(const ag_buffer *b) {
  if (b->t.device_type || !b->memory.begin || b->memory.is_own || b->memory.in_block ||
      b->memory.guard & PAGES)
    return;
  memset(b->memory.begin, 0, b->memory.front);
  if (b->memory.poisoned || b->release.poisoned)
    memset(b->memory.begin + b->memory.front, 0, b->memory.bytes);
  memset(b->memory.begin + b->memory.front + b->memory.bytes, 0, b->memory.back);
}

void ag_buffer_free(ag_buffer *b) {
  if (b->memory.handle) clear_patterns(b);
  ag_torch_memory_give(b->memory.handle);
  if (b->memory.guard & PAGES && b->memory.begin) give_pages(b);
  if (b->memory.named) ag_backend_of_device_type(b->t.device_type)->give_named(b->memory.begin);
  free(b);
}

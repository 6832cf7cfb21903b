/* cuda_watch.c - CUDA tensors looked at without waiting. Puts batches together for the kernels and
 * reads what they left.
 *
 * One launch takes up to AGK_TARGETS tensors, so nearly always all of a kernel's arguments. What it
 * finds is written to pinned memory, the word `done` last: a kernel on a stream runs after what the
 * stream was given before, so the word also says that all of that is over. Where nothing is bad,
 * and nothing was wanted but that, the word is all that is written.
 */
#define _GNU_SOURCE
#include "cuda/async_scan.h"

#include <string.h>

#include "cuda/run_slot.h"
#include "tensor/layout.h"
#include "cuda/kernel_arguments.h"

enum {
  ALIGN = 16,
  SMALL_TILE = AGK_THREADS * 16, /* bytes of a block that sums up, of as many blocks as are begun
                                    without a second thought */
  SMALL_TILES = 128,
  LARGE = 8 << 20 /* bytes, from which on the kernels of one format each are worth a launch */
};

/* ---- memory --------------------------------------------------------------------------------- */

static size_t rounded(size_t n) { return (n + ALIGN - 1) / ALIGN * ALIGN; }

/* Given out of what batch_bytes() asked for. */
static void *take(ag_pinned *p, size_t bytes) {
  void *at = p->host + p->used;
  p->used += rounded(bytes);
  return at;
}

/* ---- before a kernel may touch it ----------------------------------------------------------- */

/* All of the allocation that holds the address, where the driver tells. */
static void remember(ag_cuda_scope *scope, ag_run_slot *l, uint64_t from, uint64_t to) {
  uint64_t start = 0;
  size_t size = 0;
  if (!scope->cu->cuPointerGetAttribute(&start, AG_CU_POINTER_RANGE_START, from) &&
      !scope->cu->cuPointerGetAttribute(&size, AG_CU_POINTER_RANGE_START + 1, from) &&
      start <= from && to <= start + size) {
    from = start;
    to = start + size;
  }
  unsigned i = l->nranges++ % AG_SLOT_RANGES;
  l->ranges[i].from = from;
  l->ranges[i].to = to;
}

/* The driver is asked once a run for each piece of memory that torch's allocator has: what a run
 * looks at is alive in it. */
static const char *check(ag_cuda_scope *scope, ag_run_slot *l, const ag_tensor *t) {
  int64_t before, behind;
  ag_cuda_reach(t, &before, &behind);
  uint64_t from = (uint64_t)(uintptr_t)t->data - (uint64_t)before,
           to = (uint64_t)(uintptr_t)t->data + (uint64_t)behind;
  for (unsigned i = 0; i < AG_SLOT_RANGES && i < l->nranges; i++)
    if (l->ranges[i].from <= from && to <= l->ranges[i].to) return NULL;
  const char *why = ag_cuda_check_reach(scope, t);
  if (!why) remember(scope, l, from, to);
  return why;
}

/* ---- putting a batch together --------------------------------------------------------------- */

static size_t edge_bytes(const ag_scan_target *s) {
  return (size_t)(s->head + s->tail) * s->tensor->dtype->item_size;
}

static size_t batch_bytes(const ag_scan_batch *w) {
  size_t n = ALIGN;
  for (uint32_t i = 0; i < w->count; i++) {
    const ag_scan_target *s = &w->targets[i];
    size_t dims = (size_t)s->tensor->ndim * sizeof(int64_t);
    n += rounded(sizeof(agk_found)) + rounded(sizeof(agk_result)) + rounded(edge_bytes(s)) +
         2 * rounded(dims) + (s->probe ? rounded(sizeof(agk_probe)) : 0);
  }
  return n;
}

static const int64_t *give_list(ag_pinned *p, const int64_t *list, int32_t n) {
  int64_t *at = take(p, (size_t)n * sizeof *list);
  memcpy(at, list, (size_t)n * sizeof *list);
  return ag_on_device(p, at);
}

static void put_probe(agk_probe *to, ag_scan_target *s, ag_pinned *p) {
  const ag_tensor *t = s->tensor;
  *to = (agk_probe){
      .data = t->data, .numel = t->numel, .format = ag_cuda_format(t->dtype), .ndim = t->ndim};
  to->bytewise = ag_cuda_is_bytewise(t);
  to->sizes = give_list(p, t->sizes, t->ndim);
  to->strides = give_list(p, t->strides, t->ndim);
  to->found = ag_on_device(p, s->found);
}

/* The kinds of bad values in a target for which the probes are scanned. A target that is only
 * printed has none: an input may hold -inf on purpose, and one block scans all probes. */
static uint8_t probe_kinds(const ag_scan_target *s) {
  enum { ANY_KIND = 7 };
  if (!(s->want & AG_WANT_BAD)) return 0;
  return s->probe_kinds ? s->probe_kinds : ANY_KIND;
}

/* l: its layout. Blocks are given later. One with too many dimensions has no edges, and nothing but
 * what is found alone. */
static void put_target(agk_target *to, const ag_scan_target *s, const agk_layout *l, ag_pinned *p) {
  const ag_tensor *t = s->tensor;
  agk_format f = ag_cuda_format(t->dtype);
  bool aligned = (uintptr_t)t->data % t->dtype->item_size == 0;
  *to = (agk_target){.data = t->data,
                     .numel = t->numel,
                     .format = f,
                     .summary = (s->want & AG_WANT_SUMMARY) != 0,
                     .head = s->head,
                     .tail = s->tail,
                     .bytewise = ag_cuda_is_bytewise(t),
                     .ndim = (int8_t)l->ndim,
                     .probe_kinds = probe_kinds(s),
                     .logical_ndim = t->ndim};
  to->how = !aligned                                            ? AGK_ANYHOW
            : ag_layout_in_order(l->ndim, l->strides)           ? AGK_IN_ORDER
            : ag_layout_is_dense(l->ndim, l->sizes, l->strides) ? AGK_DENSE
                                                                : AGK_ANYHOW;
  if (f.cls == AGK_OTHER || (s->alone && !(s->want & AG_WANT_BAD))) to->how = AGK_EDGES;
  if (s->alone) to->summary = 0;
  to->found = ag_on_device(p, s->found);
  if (l->ndim > AGK_BATCH_DIMS) {
    to->how = AGK_EDGES;
    to->head = to->tail = to->ndim = 0;
    to->logical_ndim = 0;
    return;
  }
  memcpy(to->sizes, l->sizes, (size_t)l->ndim * sizeof *l->sizes);
  memcpy(to->strides, l->strides, (size_t)l->ndim * sizeof *l->strides);
  to->logical_sizes = give_list(p, t->sizes, t->ndim);
  to->edges = s->edges ? ag_on_device(p, s->edges) : NULL;
}

static uint32_t blocks_wanted(const agk_target *s, uint32_t most, bool sums) {
  int64_t bytes = s->numel * s->format.bytes * s->format.parts;
  if (s->how == AGK_EDGES) return 1;
  if (s->how == AGK_ANYHOW || (sums && s->format.parts > 1))
    return ag_cuda_blocks(s->numel, AG_CUDA_STRIDED_TILE, most);
  uint32_t blocks = ag_cuda_blocks(bytes, AG_CUDA_TILE, most);
  if (!sums || blocks >= SMALL_TILES) return blocks;
  return ag_cuda_blocks(bytes, SMALL_TILE, most < SMALL_TILES ? most : SMALL_TILES);
}

/* Each has at least one; where they want more than the device holds at once all get their share. */
static uint32_t give_blocks(agk_target *s, int32_t n, uint32_t most, bool sums) {
  uint64_t wanted = 0;
  uint32_t end = 0;
  for (int32_t i = 0; i < n; i++) wanted += blocks_wanted(&s[i], most, sums);
  for (int32_t i = 0; i < n; i++) {
    uint64_t mine = blocks_wanted(&s[i], most, sums);
    if (wanted > most) mine = mine * (most - (uint32_t)n) / wanted + 1;
    end += (uint32_t)mine;
    s[i].end_block = end;
  }
  return end;
}

/* ---- launching ------------------------------------------------------------------------------ */

typedef struct batch {
  ag_cuda_scope *scope;
  ag_run_slot *slot;
  ag_scan_batch *batch;
  ag_pinned *memory;
  const agk_probe *probes; /* on the device */
  int32_t nprobes;
  agk_batch argument;
} batch;

static const char *launch(batch *b, const char *name, uint32_t blocks, void *argument) {
  void *function;
  const char *why = ag_cuda_kernel(b->scope, name, &function);
  return why ? why : ag_cuda_launch(b->scope, NULL, function, blocks, AGK_THREADS, argument);
}

/* Before what is on the stream has ended, where the device can begin then. */
static const char *launch_early(batch *b, const char *name, uint32_t blocks) {
  void *function;
  const char *why = ag_cuda_kernel(b->scope, name, &function);
  return why ? why : ag_cuda_launch_early(b->scope, function, blocks, AGK_THREADS, &b->argument);
}

/* last: nothing of this batch follows. */
static const char *launch_batch(batch *b, bool last) {
  static const char *const names[2][2] = {{AGK_BATCH, AGK_BATCH_FEW},
                                          {AGK_BATCH_SUM, AGK_BATCH_SUM_FEW}};
  agk_batch_head *h = &b->argument.head;
  uint32_t blocks, most;
  bool sums = false;
  const char *why, *name;
  for (int32_t i = 0; i < h->count; i++) sums = sums || b->argument.targets[i].summary;
  most = sums ? (uint32_t)b->scope->device->sms * AGK_SUM_BLOCKS_PER_SM
              : ag_cuda_most_blocks(b->scope->device);
  if (most > (sums ? AGK_SUM_BLOCKS : AGK_BATCH_BLOCKS))
    most = sums ? AGK_SUM_BLOCKS : AGK_BATCH_BLOCKS;
  if (most < (uint32_t)h->count)
    most = (uint32_t)h->count; /* a device of very few multiprocessors */
  blocks = give_blocks(b->argument.targets, h->count, most, sums);
  h->probes = b->probes;
  h->nprobes = b->nprobes;
  h->scratch = (void *)(uintptr_t)ag_run_slot_at(b->slot, AG_SCRATCH_AT);
  h->token = b->batch->token;
  h->replay = b->slot->captured ? (agk_replay *)(uintptr_t)ag_run_slot_at(b->slot, AG_REPLAY_AT)
                                : NULL;
  h->replayed = b->slot->captured ? ag_on_device(&b->slot->memory, &b->slot->board->replayed)
                                  : NULL;
  h->done = last ? ag_on_device(b->memory, (const void *)(uintptr_t)b->batch->done) : NULL;
  /* The smaller form is the beginning of the larger one. */
  name = names[sums][h->count <= AGK_FEW];
  why = b->slot->captured ? launch(b, name, blocks, &b->argument) : launch_early(b, name, blocks);
  h->count = 0;
  return why;
}

/* ---- one tensor by itself: a large one to be summed up, and one that has more dimensions than a
 * batch takes ---- */

static agk_out out_of(batch *b, ag_scan_target *s) {
  s->alone = take(b->memory, sizeof(agk_result));
  return (agk_out){.ticket = (uint32_t *)(uintptr_t)ag_run_slot_at(b->slot, AG_TICKET_AT),
                   .partials = (agk_result *)(uintptr_t)ag_run_slot_at(b->slot, AG_PARTIALS_AT),
                   .result = ag_on_device(b->memory, s->alone)};
}

/* Blocks that are resident together and have room for their results. */
static uint32_t most_alone(const batch *b) {
  uint32_t resident = ag_cuda_most_blocks(b->scope->device), room = ag_run_slot_partials(b->slot);
  return resident < room ? resident : room;
}

static const char *launch_dense(batch *b, ag_scan_target *s, const char *kernel) {
  const ag_tensor *t = s->tensor;
  agk_dense a;
  ag_cuda_fill_dense(t, &a);
  a.out = out_of(b, s);
  return launch(b, kernel,
                ag_cuda_blocks(t->numel * t->dtype->item_size, AG_CUDA_TILE, most_alone(b)), &a);
}

static const char *launch_strided(batch *b, ag_scan_target *s, const agk_layout *l) {
  agk_strided a;
  ag_cuda_fill_strided(s->tensor, l, (s->want & AG_WANT_SUMMARY) != 0, &a);
  a.out = out_of(b, s);
  return launch(b, AGK_STRIDED,
                ag_cuda_blocks(s->tensor->numel, AG_CUDA_STRIDED_TILE, most_alone(b)), &a);
}

/* A graph's answers must come from kernels that know of replays. */
static const char *launch_alone(batch *b, ag_scan_target *s, const agk_layout *l) {
  const ag_tensor *t = s->tensor;
  if (b->slot->captured) return NULL;
  if (l->ndim > AGK_BATCH_DIMS) return launch_strided(b, s, l);
  if (!(s->want & AG_WANT_SUMMARY) || t->numel * t->dtype->item_size < LARGE ||
      !ag_layout_in_order(l->ndim, l->strides))
    return NULL;
  const char *kernel = ag_cuda_dense_kernel(t, true);
  return kernel ? launch_dense(b, s, kernel) : NULL;
}

static bool is_asked(const ag_scan_target *s) {
  return !s->known && !s->unavailable && s->tensor->numel > 0;
}

static bool has_too_many_dimensions(const ag_tensor *t) {
  agk_layout l;
  if (t->ndim <= AGK_BATCH_DIMS) return false;
  ag_cuda_layout_of(t, &l);
  return l.ndim > AGK_BATCH_DIMS;
}

static void leave_out(ag_scan_target *s, const char *why) {
  s->unavailable = true;
  if (!s->why) s->why = why;
}

/* Gives each its place, and lays the probes ready. */
static void place(batch *b) {
  ag_scan_batch *w = b->batch;
  agk_probe *probes;
  for (uint32_t i = 0; i < w->count; i++) {
    ag_scan_target *s = &w->targets[i];
    if (is_asked(s) && check(b->scope, b->slot, s->tensor))
      leave_out(s, "the device cannot read its memory");
    if (b->slot->captured && has_too_many_dimensions(s->tensor))
      leave_out(s, "it has too many dimensions to be looked at in a graph");
    if (!b->slot->large && s->want & AG_WANT_SUMMARY && !s->probe)
      leave_out(s, "its sums have no room");
    s->alone = NULL;
    if (!is_asked(s)) continue;
    s->found = take(b->memory, sizeof(agk_found));
    memset(s->found, 0, sizeof(agk_found));
    if (s->head + s->tail) s->edges = take(b->memory, edge_bytes(s));
    b->nprobes += s->probe;
    w->asked += !s->probe;
  }
  if (!b->nprobes) return;
  probes = take(b->memory, (size_t)b->nprobes * sizeof *probes);
  b->probes = ag_on_device(b->memory, probes);
  for (uint32_t i = 0; i < w->count; i++)
    if (w->targets[i].probe && is_asked(&w->targets[i]))
      put_probe(probes++, &w->targets[i], b->memory);
}

static const char *launch_all(batch *b) {
  ag_scan_batch *w = b->batch;
  uint32_t left = w->asked;
  const char *why = NULL;
  for (uint32_t i = 0; i < w->count && !why; i++) {
    ag_scan_target *s = &w->targets[i];
    agk_layout l;
    if (s->probe || !is_asked(s)) continue;
    left--;
    ag_cuda_layout_of(s->tensor, &l);
    if (l.ndim > AGK_BATCH_DIMS) s->edges = NULL;
    why = launch_alone(b, s, &l);
    put_target(&b->argument.targets[b->argument.head.count++], s, &l, b->memory);
    if (!why && (b->argument.head.count == AGK_TARGETS || !left)) why = launch_batch(b, !left);
  }
  return why;
}

static const char *batch_start(ag_scan_batch *w, void *of, void *stream, ag_pinned *memory) {
  ag_run_slot *l = of;
  ag_cuda_scope scope;
  batch b; /* of its 3 KiB of targets only those are set that there are */
  const char *why = ag_cuda_enter_quick(&scope, l->device_index, stream);
  if (why) return why;
  b.scope = &scope;
  b.slot = l;
  b.batch = w;
  b.memory = memory;
  b.probes = NULL;
  b.nprobes = 0;
  b.argument.head.count = 0;
  w->asked = 0;
  place(&b);
  if (w->asked) {
    uint32_t *done = take(memory, sizeof *done);
    *(volatile uint32_t *)done = 0;
    w->done = done;
    l->token = l->token % (UINT32_MAX >> 1) + 1;
    w->token = l->token;
    why = launch_all(&b);
  }
  if (why) w->done = NULL;
  ag_cuda_leave(&scope);
  return why;
}

/* ---- what came of it ------------------------------------------------------------------------ */

static bool batch_done(const ag_scan_batch *w) {
  return !w->done || __atomic_load_n(w->done, __ATOMIC_ACQUIRE) >> 1 == w->token;
}

/* Of a launch that has answered: was anything bad. */
static bool found_bad(const ag_scan_batch *w) {
  return __atomic_load_n(w->done, __ATOMIC_ACQUIRE) & 1;
}

/* Whether a bad value in the target had its launch scan the probes. */
static bool had_probes_scanned(const ag_scan_target *s) {
  const agk_result *r = &((const agk_found *)s->found)->result;
  unsigned kinds = (r->nan > 0) | (r->pos_inf > 0) << 1 | (r->neg_inf > 0) << 2;
  return kinds & probe_kinds(s);
}

/* Whether more than one of the batch's launches scanned the probes: each left the elements beside
 * its own bad values. */
static bool is_ambiguous(const ag_scan_batch *w) {
  uint32_t asked = 0, bad_launch = UINT32_MAX;
  for (uint32_t i = 0; i < w->count && w->asked > AGK_TARGETS; i++) {
    const ag_scan_target *s = &w->targets[i];
    if (s->probe || !is_asked(s)) continue;
    uint32_t launch = asked++ / AGK_TARGETS;
    if (!had_probes_scanned(s) || launch == bad_launch) continue;
    if (bad_launch != UINT32_MAX) return true;
    bad_launch = launch;
  }
  return false;
}

static bool batch_result(const ag_scan_batch *w, uint32_t i, ag_scan_result *out) {
  const ag_scan_target *s = &w->targets[i];
  const agk_found *f = s->found;
  memset(out, 0, sizeof *out);
  if (s->known) {
    *out = *s->known;
    return true;
  }
  if (s->unavailable || !w->done) return false;
  out->stats = ag_nothing_bad;
  out->stats.finite = s->tensor->numel;
  if (!s->tensor->numel) return !s->probe;
  bool bad = w->asked > AGK_TARGETS
                 ? f->result.bad != 0
                 : found_bad(w); /* the word tells of the last of a batch's launches alone */
  out->edges = s->edges;
  if (s->alone) ag_cuda_report(s->tensor, s->alone, s->want & AG_WANT_SUMMARY, &out->stats);
  if (!bad && !(s->want & AG_WANT_SUMMARY) && !s->probe) return true;
  bool beside = !s->probe || !is_ambiguous(w);
  for (int k = 0; k < 3; k++) out->first[k] = beside && f->firsts & 1u << k ? f->first[k] : NULL;
  if (s->probe && !f->looked) return false;
  if (!s->alone)
    ag_cuda_report(s->tensor, &f->result, s->probe || s->want & AG_WANT_SUMMARY, &out->stats);
  return true;
}

/* Of a graph: a replay writes only some of these, so what this one found is cleared for the next.
 * A launch in which nothing is bad writes none, and one in which no target wants the probes leaves
 * out theirs. */
static void batch_taken(const ag_scan_batch *w) {
  for (uint32_t i = 0; i < w->count; i++) {
    const ag_scan_target *s = &w->targets[i];
    bool partly = s->probe || w->asked > AGK_TARGETS;
    if (s->found && w->done && partly) memset(s->found, 0, sizeof(agk_found));
  }
}

/* ---- elements by themselves ----------------------------------------------------------------- */

static const char *gather(ag_cuda_scope *scope, const ag_tensor *t, int64_t first, int64_t count,
                          uint64_t to) {
  agk_layout l;
  agk_gather a;
  void *function;
  ag_cuda_layout_of(t, &l);
  ag_cuda_fill_gather(t, &l, &a);
  a.first = first;
  a.count = count;
  a.to = (void *)(uintptr_t)to;
  const char *why = ag_cuda_kernel(scope, AGK_GATHER, &function);
  return why ? why
             : ag_cuda_launch(
                   scope, NULL, function,
                   ag_cuda_blocks(count, AGK_THREADS, ag_cuda_most_blocks(scope->device)),
                   AGK_THREADS, &a);
}

static const char *fetch(int32_t device_index, void *stream, const ag_tensor *t, bool in_memory,
                         int64_t first, int64_t count, uint32_t number, const ag_pinned *to) {
  int64_t item = t->dtype->item_size, before, behind;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, device_index, stream);
  if (why) return why;
  if (first == 0) why = ag_cuda_check_reach(&scope, t);
  ag_cuda_reach(t, &before, &behind);
  uint64_t from = (uint64_t)(uintptr_t)t->data - (uint64_t)before + (uint64_t)(first * item);
  if (!why && in_memory)
    why = ag_cuda_failed(
        &scope, "cuMemcpyDtoHAsync",
        scope.cu->cuMemcpyDtoHAsync(to->host + AG_FETCHED, from, (size_t)(count * item), stream));
  else if (!why)
    why = gather(&scope, t, first, count, to->device + AG_FETCHED);
  /* With the barrier, unlike a mark (cuda_lane.c): who sees the word reads what was copied before
   * it. */
  if (!why)
    why = ag_cuda_failed(&scope, "cuStreamWriteValue32",
                         scope.cu->cuStreamWriteValue32(stream, to->device, number, 0));
  ag_cuda_leave(&scope);
  return why;
}

static const ag_slot_ops slot_ops = {
    .take = ag_run_slot_take,
    .give = ag_run_slot_give,
    .mark = ag_run_slot_mark,
    .marked = ag_run_slot_marked,
};

static const ag_batch_ops batch_ops = {
    .bytes = batch_bytes,
    .start = batch_start,
    .is_done = batch_done,
    .result = batch_result,
    .release = batch_taken,
};

static const ag_replay_ops replay_ops = {
    .begin = ag_run_slot_replay_begin,
    .end = ag_run_slot_replay_end,
    .next = ag_run_slot_replay_next,
    .release = ag_run_slot_replay_taken,
    .running = ag_run_slot_replaying,
};

static const ag_device_ops device_ops = {
    .pin = ag_run_slot_pin,
    .fetch = fetch,
    .sticky_error = ag_cuda_sticky_error,
    .query = ag_run_slot_alive,
    .query_stream = ag_cuda_query,
    .only_index = ag_cuda_only_device,
    .side_stream = ag_run_slot_side_stream,
};

const ag_async ag_cuda_async = {
    .slot = &slot_ops,
    .batch = &batch_ops,
    .replay = &replay_ops,
    .device = &device_ops,
};

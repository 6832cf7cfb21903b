/* async_scan.c - see async_scan.h. Puts batches together for the kernels and reads their results.
 *
 * One launch scans up to AGK_TARGETS tensors, so nearly always all arguments of a model's launch.
 * Its results are in pinned memory, the word `done` last. As a stream runs its kernels in order,
 * that word also says that everything before the batch is over. If nothing is bad and nothing but
 * that was wanted, the word is all that is written.
 */
#define _GNU_SOURCE
#include "cuda/async_scan.h"

#include <string.h>

#include "cuda/kernel_arguments.h"
#include "cuda/run_slot.h"

enum {
  ALIGN = 16,
  /* A block that sums up takes SMALL_TILE bytes of a tensor for which SMALL_TILES blocks are
   * enough: more blocks are then faster than larger ones. */
  SMALL_TILE = AGK_THREADS * 16,
  SMALL_TILES = 128,
  LARGE = 8 << 20 /* bytes, from which on a summary is worth a launch of its format's own kernel */
};

/* ---- memory --------------------------------------------------------------------------------- */

static size_t round_up(size_t n) { return (n + ALIGN - 1) / ALIGN * ALIGN; }

/* The device's address of `host`. */
static void *on_device(const ag_pinned *p, const void *host) {
  return (void *)(uintptr_t)(p->device + (uint64_t)((const char *)host - p->host));
}

/* Takes memory from the front of what batch_bytes() requested. */
static void *take_memory(ag_pinned *p, size_t bytes) {
  void *at = p->host + p->used;
  p->used += round_up(bytes);
  return at;
}

/* ---- before a kernel may touch it ----------------------------------------------------------- */

/* The whole allocation that holds the address, if the driver says which. */
static void remember_range(ag_cuda_scope *scope, ag_run_slot *slot, uint64_t from, uint64_t to) {
  uint64_t start = 0;
  size_t size = 0;
  if (!scope->cu->cuPointerGetAttribute(&start, AG_CU_POINTER_RANGE_START, from) &&
      !scope->cu->cuPointerGetAttribute(&size, AG_CU_POINTER_RANGE_START + 1, from) &&
      start <= from && to <= start + size) {
    from = start;
    to = start + size;
  }
  unsigned i = slot->nranges++ % AG_SLOT_RANGES;
  slot->ranges[i].from = from;
  slot->ranges[i].to = to;
}

/* NULL if the device can read the tensor. Queries the driver once per run for each allocation:
 * torch's allocator keeps those of a run's tensors while the run lasts. */
static const char *check_memory(ag_cuda_scope *scope, ag_run_slot *slot, const ag_cuda_tensor *d) {
  for (unsigned i = 0; i < AG_SLOT_RANGES && i < slot->nranges; i++)
    if (slot->ranges[i].from <= d->from && d->to <= slot->ranges[i].to) return NULL;
  const char *why = ag_cuda_check_memory(scope, d->from, d->to);
  if (!why) remember_range(scope, slot, d->from, d->to);
  return why;
}

/* ---- putting a batch together --------------------------------------------------------------- */

/* A batch that is being started. */
typedef struct launching {
  ag_cuda_scope *scope;
  ag_run_slot *slot;
  ag_scan_batch *batch;
  ag_pinned *memory;
  const agk_probe *probes; /* on the device */
  int32_t nprobes;
  agk_batch argument;
} launching;

static size_t edge_bytes(const ag_scan_target *s) {
  return (size_t)(s->head + s->tail) * s->tensor->dtype->item_size;
}

static size_t batch_bytes(const ag_scan_batch *batch) {
  size_t n = ALIGN;
  for (uint32_t i = 0; i < batch->count; i++) {
    const ag_scan_target *s = &batch->targets[i];
    size_t dims = (size_t)s->tensor->ndim * sizeof(int64_t);
    n += round_up(sizeof(agk_found)) + round_up(sizeof(agk_result)) + round_up(edge_bytes(s)) +
         2 * round_up(dims) + (s->probe ? round_up(sizeof(agk_probe)) : 0);
  }
  return n;
}

static bool is_scanned(const ag_scan_target *s) {
  return !s->known && !s->unavailable && s->tensor->numel > 0;
}

/* NULL, or why it cannot be scanned. */
static const char *check_target(launching *b, const ag_scan_target *s, const ag_cuda_tensor *d) {
  if (check_memory(b->scope, b->slot, d)) return "the device cannot read its memory";
  if (b->slot->captured && d->layout.ndim > AGK_BATCH_DIMS)
    return "it has too many dimensions to be scanned in a CUDA graph";
  if (!b->slot->large && s->want & AG_WANT_SUMMARY && !s->probe)
    return "no slot with room for sums was free";
  return NULL;
}

/* Describes the tensor and gives the target memory for its results; false if it is not scanned. */
static bool place_target(launching *b, ag_scan_target *s, ag_cuda_tensor *d) {
  s->alone = NULL;
  if (!is_scanned(s)) return false;
  if (s->probe && !b->slot->captured)
    ag_cuda_describe_extent(s->tensor, d); /* the device collapses its dimensions */
  else
    ag_cuda_describe(s->tensor, d);
  const char *why = check_target(b, s, d);
  if (why) {
    s->unavailable = true;
    if (!s->why) s->why = why;
    return false;
  }
  s->found = take_memory(b->memory, sizeof(agk_found));
  if (b->batch->cleared) memset(s->found, 0, sizeof(agk_found));
  if (s->head + s->tail) s->edges = take_memory(b->memory, edge_bytes(s));
  return true;
}

static const int64_t *copy_list(ag_pinned *p, const int64_t *list, int32_t n) {
  int64_t *at = take_memory(p, (size_t)n * sizeof *list);
  memcpy(at, list, (size_t)n * sizeof *list);
  return on_device(p, at);
}

static void fill_probe(agk_probe *to, const ag_scan_target *s, const ag_cuda_tensor *d,
                       ag_pinned *p) {
  const ag_tensor *t = s->tensor;
  *to = (agk_probe){.data = t->data,
                    .numel = t->numel,
                    .format = d->format,
                    .bytewise = d->bytewise,
                    .ndim = t->ndim};
  to->sizes = copy_list(p, t->sizes, t->ndim);
  to->strides = copy_list(p, t->strides, t->ndim);
  to->found = on_device(p, s->found);
}

/* Writes the list of the batch's probes, which all of its launches get. */
static void fill_probes(launching *b) {
  ag_scan_batch *w = b->batch;
  size_t most = 0;
  ag_cuda_tensor d;
  for (uint32_t i = 0; i < w->count; i++) most += w->targets[i].probe;
  if (!most) return;
  agk_probe *list = take_memory(b->memory, most * sizeof *list);
  b->probes = on_device(b->memory, list);
  for (uint32_t i = 0; i < w->count; i++)
    if (w->targets[i].probe && place_target(b, &w->targets[i], &d))
      fill_probe(&list[b->nprobes++], &w->targets[i], &d, b->memory);
}

/* The kinds of bad values in a target for which the probes are scanned. A target that is only
 * printed has none: an input may hold an intended -inf, and one block scans all probes. */
static uint8_t probe_kinds(const ag_scan_target *s) {
  enum { ANY_KIND = 7 };
  if (!(s->want & AG_WANT_BAD)) return 0;
  return s->probe_kinds ? s->probe_kinds : ANY_KIND;
}

static enum agk_how how_to_scan(const ag_scan_target *s, const ag_cuda_tensor *d) {
  if (d->format.cls == AGK_OTHER || (s->alone && !(s->want & AG_WANT_BAD))) return AGK_EDGES;
  if (!d->aligned) return AGK_ANYHOW;
  return d->layout.in_order ? AGK_IN_ORDER : d->layout.dense ? AGK_DENSE : AGK_ANYHOW;
}

/* Fills all but the number of blocks (give_blocks()) and the dimensions that the tensor lacks. One
 * of too many dimensions is scanned alone: its entry has no edges, and only serves the batch's end.
 */
static void fill_target(agk_target *to, const ag_scan_target *s, const ag_cuda_tensor *d,
                        ag_pinned *p) {
  const ag_tensor *t = s->tensor;
  const ag_layout *l = &d->layout;
  to->data = t->data;
  to->numel = t->numel;
  to->format = d->format;
  to->summary = !s->alone && s->want & AG_WANT_SUMMARY;
  to->how = (uint8_t)how_to_scan(s, d);
  to->head = s->head;
  to->tail = s->tail;
  to->bytewise = d->bytewise;
  to->ndim = (int8_t)l->ndim;
  to->probe_kinds = probe_kinds(s);
  to->logical_ndim = t->ndim;
  to->logical_sizes = NULL;
  to->found = on_device(p, s->found);
  to->edges = NULL;
  if (l->ndim > AGK_BATCH_DIMS) {
    to->how = AGK_EDGES;
    to->head = to->tail = to->ndim = 0;
    to->logical_ndim = 0;
    return;
  }
  memcpy(to->sizes, l->sizes, (size_t)l->ndim * sizeof *l->sizes);
  memcpy(to->strides, l->strides, (size_t)l->ndim * sizeof *l->strides);
  to->logical_sizes = copy_list(p, t->sizes, t->ndim);
  to->edges = s->edges ? on_device(p, s->edges) : NULL;
}

/* ---- launching ------------------------------------------------------------------------------ */

static uint32_t blocks_wanted(const agk_target *s, uint32_t most, bool sums) {
  int64_t bytes = s->numel * s->format.bytes * s->format.parts;
  if (s->how == AGK_EDGES) return 1;
  if (s->how == AGK_ANYHOW || (sums && s->format.parts > 1))
    return ag_cuda_blocks(s->numel, AG_CUDA_STRIDED_TILE, most);
  uint32_t blocks = ag_cuda_blocks(bytes, AG_CUDA_TILE, most);
  if (!sums || blocks >= SMALL_TILES) return blocks;
  return ag_cuda_blocks(bytes, SMALL_TILE, most < SMALL_TILES ? most : SMALL_TILES);
}

/* Each target gets at least one block; if together they want more than `most`, each gets its share.
 */
static uint32_t give_blocks(agk_target *s, int32_t n, uint32_t most, bool sums) {
  uint64_t wanted[AGK_TARGETS], all = 0;
  uint32_t end = 0;
  for (int32_t i = 0; i < n; i++) all += wanted[i] = blocks_wanted(&s[i], most, sums);
  for (int32_t i = 0; i < n; i++) {
    end += (uint32_t)(all > most ? wanted[i] * (most - (uint32_t)n) / all + 1 : wanted[i]);
    s[i].end_block = end;
  }
  return end;
}

static uint32_t most_in_batch(const launching *b, bool sums) {
  uint32_t sms = (uint32_t)b->scope->device->sms, count = (uint32_t)b->argument.head.count,
           resident = sms * (sums ? AGK_SUM_BLOCKS_PER_SM : AGK_BLOCKS_PER_SM),
           room = sums ? AGK_SUM_BLOCKS : AGK_BATCH_BLOCKS,
           most = resident < room ? resident : room;
  return most < count ? count : most; /* on a device of few multiprocessors */
}

static agk_target describe_fill(const ag_fill *f) {
  return (agk_target){.data = f->to,
                      .numel = (int64_t)f->words,
                      .format = {.bytes = sizeof f->word, .parts = 1},
                      .how = AGK_FILL,
                      .word = f->word};
}

/* Adds fills if there is room. A kernel that makes summaries fills nothing. */
static void add_fills(launching *b, bool sums) {
  agk_batch_head *h = &b->argument.head;
  ag_scan_batch *w = b->batch;
  if (sums || (uint32_t)h->count + w->nfills > AGK_TARGETS) return;
  for (uint32_t i = 0; i < w->nfills; i++)
    b->argument.targets[h->count++] = describe_fill(&w->fills[i]);
}

/* last: the batch has no more launches, so this one writes its `done`. If the stream is not
 * captured, the device prepares the kernel while the work before it still runs, if it can. */
static const char *launch_targets(launching *b, bool last) {
  static const char *const names[2][2] = {{AGK_BATCH, AGK_BATCH_FEW},
                                          {AGK_BATCH_SUM, AGK_BATCH_SUM_FEW}};
  agk_batch_head *h = &b->argument.head;
  ag_run_slot *slot = b->slot;
  bool sums = false;
  for (int32_t i = 0; i < h->count; i++) sums = sums || b->argument.targets[i].summary;
  const int32_t scanned = h->count;
  if (last) add_fills(b, sums);
  uint32_t blocks = give_blocks(b->argument.targets, h->count, most_in_batch(b, sums), sums);
  h->probes = b->probes;
  h->nprobes = b->nprobes;
  h->scratch = (void *)(uintptr_t)(slot->scratch + AG_SCRATCH_AT);
  h->token = b->batch->token;
  h->replay = slot->captured ? (agk_replay *)(uintptr_t)(slot->scratch + AG_REPLAY_AT) : NULL;
  h->replayed = slot->captured ? &slot->words_on_device->replayed : NULL;
  h->done = last ? on_device(b->memory, (const void *)(uintptr_t)b->batch->done) : NULL;
  /* agk_batch_few is the beginning of agk_batch. */
  const char *kernel = names[sums][h->count <= AGK_FEW];
  const char *why = slot->captured
                        ? ag_cuda_launch(b->scope, NULL, kernel, blocks, AGK_THREADS, &b->argument)
                        : ag_cuda_launch_early(b->scope, kernel, blocks, AGK_THREADS, &b->argument);
  if (!why && h->count > scanned) b->batch->nfills = 0;
  return why;
}

/* ---- one tensor by itself: a large one to be summed up, or one of too many dimensions ---------
 */

static agk_out take_out(launching *b, ag_scan_target *s) {
  s->alone = take_memory(b->memory, sizeof(agk_result));
  return (agk_out){.ticket = (uint32_t *)(uintptr_t)(b->slot->scratch + AG_TICKET_AT),
                   .partials = (agk_result *)(uintptr_t)(b->slot->scratch + AG_PARTIALS_AT),
                   .result = on_device(b->memory, s->alone)};
}

/* The number of blocks that are resident at the same time and for whose results the slot has
 * room. */
static uint32_t most_alone(const launching *b) {
  uint32_t resident = ag_cuda_most_blocks(b->scope->device), room = ag_run_slot_partials(b->slot);
  return resident < room ? resident : room;
}

static const char *launch_dense(launching *b, ag_scan_target *s, const ag_cuda_tensor *d,
                                const char *kernel) {
  int64_t bytes = s->tensor->numel * s->tensor->dtype->item_size;
  agk_dense a;
  ag_cuda_fill_dense(d, &a);
  a.out = take_out(b, s);
  return ag_cuda_launch(b->scope, NULL, kernel, ag_cuda_blocks(bytes, AG_CUDA_TILE, most_alone(b)),
                        AGK_THREADS, &a);
}

static const char *launch_strided(launching *b, ag_scan_target *s, const ag_cuda_tensor *d) {
  int64_t numel = s->tensor->numel;
  agk_strided a;
  ag_cuda_fill_strided(d, (s->want & AG_WANT_SUMMARY) != 0, &a);
  a.out = take_out(b, s);
  return ag_cuda_launch(b->scope, NULL, AGK_STRIDED,
                        ag_cuda_blocks(numel, AG_CUDA_STRIDED_TILE, most_alone(b)), AGK_THREADS,
                        &a);
}

/* A launch of its own for a target that needs or is worth one. Not in a capture, since these
 * kernels do not know of replays. */
static const char *launch_alone(launching *b, ag_scan_target *s, const ag_cuda_tensor *d) {
  const ag_tensor *t = s->tensor;
  if (b->slot->captured) return NULL;
  if (d->layout.ndim > AGK_BATCH_DIMS) return launch_strided(b, s, d);
  if (!(s->want & AG_WANT_SUMMARY) || t->numel * t->dtype->item_size < LARGE || !d->layout.in_order)
    return NULL;
  const char *kernel = ag_cuda_dense_kernel(d, true);
  return kernel ? launch_dense(b, s, d, kernel) : NULL;
}

static const char *launch_all(launching *b) {
  ag_scan_batch *w = b->batch;
  agk_batch_head *h = &b->argument.head;
  const char *why = NULL;
  ag_cuda_tensor d;
  for (uint32_t i = 0; i < w->count && !why; i++) {
    ag_scan_target *s = &w->targets[i];
    if (s->probe || !place_target(b, s, &d)) continue;
    if (d.layout.ndim > AGK_BATCH_DIMS) s->edges = NULL;
    if (h->count == AGK_TARGETS) {
      why = launch_targets(b, false);
      h->count = 0;
    }
    if (!why) why = launch_alone(b, s, &d);
    fill_target(&b->argument.targets[h->count++], s, &d, b->memory);
    w->asked++;
  }
  return why || !w->asked ? why : launch_targets(b, true);
}

/* The device writes the results of all targets, or of none; and of all probes, or of none. So it
 * need not find them cleared, unless several launches make the batch, replays leave theirs behind,
 * or summaries are wanted, which are written in parts. */
static bool needs_clearing(const ag_run_slot *slot, const ag_scan_batch *batch) {
  bool clear = slot->captured || batch->count > AGK_TARGETS;
  for (uint32_t i = 0; i < batch->count && !clear; i++)
    clear = !batch->targets[i].probe && batch->targets[i].want & AG_WANT_SUMMARY;
  return clear;
}

static const char *start_batch(ag_scan_batch *batch, void *of, void *stream, ag_pinned *memory) {
  ag_run_slot *slot = of;
  ag_cuda_scope scope;
  launching b; /* 3 KiB of targets: only those in use are set */
  const char *why = ag_cuda_enter_quick(&scope, slot->device_index, stream);
  if (why) return why;
  b.scope = &scope;
  b.slot = slot;
  b.batch = batch;
  b.memory = memory;
  b.probes = NULL;
  b.nprobes = 0;
  b.argument.head.count = 0;
  uint32_t *done = take_memory(memory, sizeof *done);
  *(volatile uint32_t *)done = 0;
  slot->token = slot->token % (UINT32_MAX >> 1) + 1;
  batch->token = slot->token;
  batch->done = done;
  batch->asked = 0;
  batch->cleared = needs_clearing(slot, batch);
  fill_probes(&b);
  why = launch_all(&b);
  if (why || !batch->asked) batch->done = NULL;
  ag_cuda_leave(&scope);
  return why;
}

/* ---- results -------------------------------------------------------------------------------- */

static bool is_batch_done(const ag_scan_batch *batch) {
  return !batch->done || __atomic_load_n(batch->done, __ATOMIC_ACQUIRE) >> 1 == batch->token;
}

/* True if the batch's last launch found something bad. Call it after is_batch_done(). */
static bool found_bad(const ag_scan_batch *batch) {
  return __atomic_load_n(batch->done, __ATOMIC_ACQUIRE) & 1;
}

/* True if a bad value in the target made its launch scan the probes. */
static bool had_probes_scanned(const ag_scan_target *s) {
  const agk_result *r = &((const agk_found *)s->found)->result;
  unsigned kinds = (r->nan > 0) | (r->pos_inf > 0) << 1 | (r->neg_inf > 0) << 2;
  return kinds & probe_kinds(s);
}

/* True if more than one of the batch's launches scanned the probes: each stored the elements for
 * its own bad values. */
static bool is_ambiguous(const ag_scan_batch *batch) {
  uint32_t asked = 0, bad_launch = UINT32_MAX;
  for (uint32_t i = 0; i < batch->count && batch->asked > AGK_TARGETS; i++) {
    const ag_scan_target *s = &batch->targets[i];
    if (s->probe || !is_scanned(s)) continue;
    uint32_t launch = asked++ / AGK_TARGETS;
    if (!had_probes_scanned(s) || launch == bad_launch) continue;
    if (bad_launch != UINT32_MAX) return true;
    bad_launch = launch;
  }
  return false;
}

/* True if the device has written the results of the batch's probes. Call it of a batch of one
 * launch that found something bad. */
static bool were_probes_scanned(const ag_scan_batch *batch) {
  for (uint32_t i = 0; i < batch->count; i++) {
    const ag_scan_target *s = &batch->targets[i];
    if (!s->probe && is_scanned(s) && had_probes_scanned(s)) return true;
  }
  return false;
}

static bool read_result(const ag_scan_batch *w, uint32_t i, ag_scan_result *out) {
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
                 : found_bad(w); /* `done` covers only the last of a batch's launches */
  out->edges = s->edges;
  if (s->alone) ag_cuda_report(s->tensor, s->alone, s->want & AG_WANT_SUMMARY, &out->stats);
  if (!bad && !(s->want & AG_WANT_SUMMARY) && !s->probe) return true;
  if (s->probe && !w->cleared && (!bad || !were_probes_scanned(w))) return false;
  bool beside = !s->probe || !is_ambiguous(w);
  for (int k = 0; k < 3; k++) out->first[k] = beside && f->firsts & 1u << k ? f->first[k] : NULL;
  if (s->probe && !f->has_summary) return false;
  if (!s->alone)
    ag_cuda_report(s->tensor, &f->result, s->probe || s->want & AG_WANT_SUMMARY, &out->stats);
  return true;
}

/* For a graph: clears the results of this replay for the next, which may write only some of them. A
 * launch without bad values writes none, and one whose targets want no probes omits theirs. */
static void release_batch(const ag_scan_batch *batch) {
  for (uint32_t i = 0; i < batch->count; i++) {
    const ag_scan_target *s = &batch->targets[i];
    bool partly = s->probe || batch->asked > AGK_TARGETS;
    if (s->found && batch->done && partly) memset(s->found, 0, sizeof(agk_found));
  }
}

const ag_batch_ops ag_scan_batch_ops = {
    .bytes = batch_bytes,
    .start = start_batch,
    .is_done = is_batch_done,
    .result = read_result,
    .release = release_batch,
};

/* cuda_watch.c - CUDA tensors looked at without waiting. Puts watches together for the kernels and reads what they left.
 *
 * One launch takes up to AGK_SUBJECTS tensors, so nearly always all of a kernel's arguments. What it finds is written to pinned
 * memory, the word `done` last: a kernel on a stream runs after what the stream was given before, so the word also says that
 * all of that is over. Where nothing is bad, and nothing was wanted but that, the word is all that is written.
 *
 * Lanes are made when first needed and never freed, like the slots of cuda_driver.c and for their reason. Nothing here
 * synchronises, and nothing but making a lane or pinning memory allocates.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "cuda_watch.h"

#include <stdlib.h>
#include <string.h>

#include "cuda_tensor.h"

enum {
  LANES = 64,            /* of a device: each thread's runs that are under way, and graphs */
  ALIGN = 16,
  TILE = AGK_THREADS * AGK_VECTORS * 16, /* bytes that a block has under way */
  STRIDED_TILE = AGK_THREADS * 4,        /* elements */
  KNOWN_RANGES = 16,
  ODD_BLOCKS = 64, /* of a pass over one that has too many dimensions for a watch */
  ODD_BYTES = 64 + ODD_BLOCKS * sizeof(agk_result),
  REPLAY_AT = AGK_SCRATCH_BYTES + ODD_BYTES,
  LANE_BYTES = REPLAY_AT + 64
};

/* The memory of a lane on the host. */
typedef struct board {
  uint32_t mark, state; /* state: of a graph's replay */
  _Alignas(64) agk_replayed replayed;
} board;

enum { NEVER, BEGUN, ENDED };

typedef struct lane {
  struct lane *next;
  int32_t device_index;
  ag_cuda_address scratch; /* AGK_SCRATCH_BYTES, then ODD_BYTES, then an agk_replay */
  ag_pinned memory;        /* a board */
  board *board;
  bool captured;           /* what it is given now goes into a graph */
  uint32_t token;
  _Atomic uint32_t doubtful; /* a replay that may have begun while the one before it was kept: then its answers are not */
  unsigned nranges;        /* memory that was found to be there, of this run */
  struct { uint64_t from, to; } ranges[KNOWN_RANGES];
} lane;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { lane *free, *begun; int made; } lanes[AG_CUDA_DEVICES]; /* begun: what was had of one that could not be made */

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static const char *pin_memory(ag_cuda_scope *scope, size_t bytes, ag_pinned *p) {
  void *host = NULL;
  const char *why = ag_cuda_failed(scope, "cuMemHostAlloc", scope->cu->cuMemHostAlloc(&host, bytes, AG_CU_HOSTALLOC_PORTABLE | AG_CU_HOSTALLOC_DEVICEMAP));
  if (why) return why;
  memset(host, 0, bytes);
  *p = (ag_pinned){.host = host, .size = bytes};
  return ag_cuda_failed(scope, "cuMemHostGetDevicePointer", scope->cu->cuMemHostGetDevicePointer(&p->device, host, 0));
}

static size_t rounded(size_t n) { return (n + ALIGN - 1) / ALIGN * ALIGN; }

/* Given out of what watch_bytes() asked for. */
static void *take(ag_pinned *p, size_t bytes) {
  void *at = p->host + p->used;
  p->used += rounded(bytes);
  return at;
}

static void *on_device(const ag_pinned *p, const void *host) { return (void *)(uintptr_t)(p->device + (uint64_t)((const char *)host - p->host)); }

/* ---- lanes -------------------------------------------------------------------------------------------------------- */

static lane *begin_lane(int32_t device_index) {
  pthread_mutex_lock(&lock);
  lane *l = lanes[device_index].begun;
  if (l) lanes[device_index].begun = l->next;
  pthread_mutex_unlock(&lock);
  if (!l) l = calloc(1, sizeof *l);
  if (l) l->device_index = device_index;
  return l;
}

/* What was had stays for the next try: it comes with every run. */
static const char *equip_lane(lane *l) {
  ag_cuda_scope scope;
  bool usable;
  const char *why = ag_cuda_enter_apart(&scope, l->device_index);
  if (why) return why;
  why = ag_cuda_load(&scope, ag_cuda_image(), &usable);
  if (!why && !usable) why = ag_cuda_say("there are no kernels for device 'cuda:%d'", (int)l->device_index);
  if (!why && !l->memory.device) why = pin_memory(&scope, sizeof(board), &l->memory);
  if (!why && !l->scratch) {
    why = ag_cuda_failed(&scope, "cuMemAlloc", scope.cu->cuMemAlloc(&l->scratch, LANE_BYTES));
    if (why) l->scratch = 0;
  }
  if (!why) why = ag_cuda_clear(&scope, l->scratch, LANE_BYTES);
  l->board = (board *)(void *)l->memory.host;
  ag_cuda_leave(&scope);
  return why;
}

static const char *make_lane(int32_t device_index, lane **made) {
  lane *l = begin_lane(device_index);
  const char *why = l ? equip_lane(l) : ag_cuda_say("out of memory");
  if (!why) *made = l;
  if (!why || !l) return why;
  pthread_mutex_lock(&lock);
  l->next = lanes[device_index].begun;
  lanes[device_index].begun = l;
  pthread_mutex_unlock(&lock);
  return why;
}

static const char *lane_take(int32_t device_index, bool ready, void **taken) {
  lane *l = NULL;
  bool room = false;
  const char *why = NULL;
  *taken = NULL;
  if (device_index < 0 || device_index >= AG_CUDA_DEVICES) return ag_cuda_say("no such device 'cuda:%d'", (int)device_index);
  if ((why = ag_cuda_epitaph(device_index))) return why;
  pthread_mutex_lock(&lock);
  l = lanes[device_index].free;
  if (l) lanes[device_index].free = l->next;
  if (!l && !ready && lanes[device_index].made < LANES) {
    room = true;
    lanes[device_index].made++;
  }
  pthread_mutex_unlock(&lock);
  if (!l && room) why = make_lane(device_index, &l);
  if (why) {
    pthread_mutex_lock(&lock);
    lanes[device_index].made--;
    pthread_mutex_unlock(&lock);
    return why;
  }
  if (!l) return NULL;
  *(volatile uint32_t *)&l->board->mark = 0;
  l->captured = false;
  l->nranges = 0;
  *taken = l;
  return NULL;
}

static void lane_give(void *given) {
  lane *l = given;
  pthread_mutex_lock(&lock);
  l->next = lanes[l->device_index].free;
  lanes[l->device_index].free = l;
  pthread_mutex_unlock(&lock);
}

static const char *pin(int32_t device_index, size_t bytes, ag_pinned *memory) {
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_apart(&scope, device_index);
  if (why) return why;
  why = pin_memory(&scope, bytes, memory);
  ag_cuda_leave(&scope);
  return why;
}

/* ---- before a kernel may touch it --------------------------------------------------------------------------------- */

/* All of the allocation that holds the address, where the driver tells. */
static void remember(ag_cuda_scope *scope, lane *l, uint64_t from, uint64_t to) {
  uint64_t start = 0;
  size_t size = 0;
  if (!scope->cu->cuPointerGetAttribute(&start, AG_CU_POINTER_RANGE_START, from) &&
      !scope->cu->cuPointerGetAttribute(&size, AG_CU_POINTER_RANGE_START + 1, from) && start <= from && to <= start + size) {
    from = start;
    to = start + size;
  }
  unsigned i = l->nranges++ % KNOWN_RANGES;
  l->ranges[i].from = from;
  l->ranges[i].to = to;
}

/* The driver is asked once a run for each piece of memory that torch's allocator has: what a run looks at is alive in it. */
static const char *check(ag_cuda_scope *scope, lane *l, const ag_tensor *t) {
  int64_t before, behind;
  ag_cuda_reach(t, &before, &behind);
  uint64_t from = (uint64_t)(uintptr_t)t->data - (uint64_t)before, to = (uint64_t)(uintptr_t)t->data + (uint64_t)behind;
  for (unsigned i = 0; i < KNOWN_RANGES && i < l->nranges; i++)
    if (l->ranges[i].from <= from && to <= l->ranges[i].to) return NULL;
  const char *why = ag_cuda_check_reach(scope, t);
  if (!why) remember(scope, l, from, to);
  return why;
}

/* ---- putting a watch together ------------------------------------------------------------------------------------- */

static size_t edge_bytes(const ag_subject *s) { return (size_t)(s->head + s->tail) * s->tensor->dtype->item_size; }

static size_t watch_bytes(const ag_watch *w) {
  size_t n = ALIGN;
  for (uint32_t i = 0; i < w->count; i++) {
    const ag_subject *s = &w->subjects[i];
    size_t dims = (size_t)s->tensor->ndim * sizeof(int64_t);
    n += rounded(sizeof(agk_found)) + rounded(edge_bytes(s)) + 2 * rounded(dims) + (s->witness ? rounded(sizeof(agk_witness)) : 0);
  }
  return n;
}

static bool is_bytewise(const ag_tensor *t, agk_format f) { return (uintptr_t)t->data % f.bytes != 0; }

static const int64_t *give_list(ag_pinned *p, const int64_t *list, int32_t n) {
  int64_t *at = take(p, (size_t)n * sizeof *list);
  memcpy(at, list, (size_t)n * sizeof *list);
  return on_device(p, at);
}

static void put_witness(agk_witness *to, ag_subject *s, ag_pinned *p) {
  const ag_tensor *t = s->tensor;
  *to = (agk_witness){.data = t->data, .numel = t->numel, .format = ag_cuda_format(t->dtype), .ndim = t->ndim};
  to->bytewise = is_bytewise(t, to->format);
  to->sizes = give_list(p, t->sizes, t->ndim);
  to->strides = give_list(p, t->strides, t->ndim);
  to->found = on_device(p, s->found);
}

/* l: its layout, at most AGK_WATCH_DIMS. Blocks are given later. */
static void put_subject(agk_subject *to, const ag_subject *s, const agk_layout *l, ag_pinned *p) {
  const ag_tensor *t = s->tensor;
  agk_format f = ag_cuda_format(t->dtype);
  bool aligned = (uintptr_t)t->data % t->dtype->item_size == 0;
  *to = (agk_subject){.data = t->data, .numel = t->numel, .format = f, .summary = (s->want & AG_WANT_SUMMARY) != 0, .head = s->head, .tail = s->tail,
                      .bytewise = is_bytewise(t, f), .ndim = (int8_t)l->ndim, .logical_ndim = t->ndim};
  to->how = !aligned ? AGK_ANYHOW : ag_cuda_in_order(l) ? AGK_IN_ORDER : ag_cuda_dense(l) ? AGK_DENSE : AGK_ANYHOW;
  if (f.cls == AGK_OTHER) to->how = AGK_EDGES;
  memcpy(to->sizes, l->sizes, (size_t)l->ndim * sizeof *l->sizes);
  memcpy(to->strides, l->strides, (size_t)l->ndim * sizeof *l->strides);
  to->logical_sizes = give_list(p, t->sizes, t->ndim);
  to->found = on_device(p, s->found);
  to->edges = s->edges ? on_device(p, s->edges) : NULL;
}

static uint32_t blocks_wanted(const agk_subject *s, uint32_t most) {
  int64_t tile = s->how == AGK_ANYHOW || s->summary ? STRIDED_TILE : TILE / ((int64_t)s->format.bytes * s->format.parts);
  int64_t blocks = s->how == AGK_EDGES ? 1 : (s->numel + tile - 1) / tile;
  return blocks < most ? (uint32_t)blocks : most;
}

/* Each has at least one; where they want more than the device holds at once all get their share. */
static uint32_t give_blocks(agk_subject *s, int32_t n, uint32_t most) {
  uint64_t wanted = 0;
  uint32_t end = 0;
  for (int32_t i = 0; i < n; i++) wanted += blocks_wanted(&s[i], most);
  for (int32_t i = 0; i < n; i++) {
    uint64_t mine = blocks_wanted(&s[i], most);
    if (wanted > most) mine = mine * (most - (uint32_t)n) / wanted + 1;
    end += (uint32_t)mine;
    s[i].end_block = end;
  }
  return end;
}

/* ---- launching ---------------------------------------------------------------------------------------------------- */

typedef struct batch {
  ag_cuda_scope *scope;
  lane *lane;
  ag_watch *watch;
  ag_pinned *memory;
  const agk_witness *witnesses; /* on the device */
  int32_t nwitnesses;
  agk_watch argument;
} batch;

static const char *launch(batch *b, const char *name, uint32_t blocks, void *argument) {
  void *function;
  const char *why = ag_cuda_kernel(b->scope, name, &function);
  return why ? why : ag_cuda_launch(b->scope, NULL, function, blocks, AGK_THREADS, argument);
}

/* last: nothing of this watch follows. */
static const char *launch_batch(batch *b, bool last) {
  agk_watch_head *h = &b->argument.head;
  uint32_t blocks = give_blocks(b->argument.subjects, h->count, (uint32_t)b->scope->device->sms * AGK_BLOCKS_PER_SM);
  const char *why;
  h->witnesses = b->witnesses;
  h->nwitnesses = b->nwitnesses;
  h->scratch = (void *)(uintptr_t)b->lane->scratch;
  h->token = b->watch->token;
  h->replay = b->lane->captured ? (agk_replay *)(uintptr_t)(b->lane->scratch + REPLAY_AT) : NULL;
  h->replayed = b->lane->captured ? on_device(&b->lane->memory, &b->lane->board->replayed) : NULL;
  h->done = last ? on_device(b->memory, (const void *)(uintptr_t)b->watch->done) : NULL;
  /* The smaller form is the beginning of the larger one. */
  why = launch(b, h->count <= AGK_FEW ? AGK_WATCH_FEW : AGK_WATCH, blocks, &b->argument);
  h->count = 0;
  return why;
}

/* One that has more dimensions than a watch takes, by itself. */
static const char *launch_odd(batch *b, const ag_subject *s, const agk_layout *l) {
  ag_cuda_address at = b->lane->scratch + AGK_SCRATCH_BYTES;
  agk_strided a = {.data = s->tensor->data, .numel = s->tensor->numel, .format = ag_cuda_format(s->tensor->dtype), .summary = (s->want & AG_WANT_SUMMARY) != 0, .layout = *l};
  int64_t blocks = (s->tensor->numel + STRIDED_TILE - 1) / STRIDED_TILE;
  a.layout.bytewise = is_bytewise(s->tensor, a.format);
  a.out.ticket = (uint32_t *)(uintptr_t)at;
  a.out.partials = (agk_result *)(uintptr_t)(at + 64);
  a.out.result = &((agk_found *)on_device(b->memory, s->found))->result;
  return launch(b, AGK_STRIDED, blocks < ODD_BLOCKS ? (uint32_t)blocks : ODD_BLOCKS, &a);
}

static bool is_asked(const ag_subject *s) { return !s->known && !s->nowhere && s->tensor->numel > 0; }

/* Gives each its place, and lays the witnesses ready. */
static void place(batch *b) {
  ag_watch *w = b->watch;
  agk_witness *witnesses;
  for (uint32_t i = 0; i < w->count; i++) {
    ag_subject *s = &w->subjects[i];
    if (!s->known && !s->nowhere && check(b->scope, b->lane, s->tensor)) s->nowhere = true;
    if (!is_asked(s)) continue;
    s->found = take(b->memory, sizeof(agk_found));
    memset(s->found, 0, sizeof(agk_found));
    if (s->head + s->tail) s->edges = take(b->memory, edge_bytes(s));
    b->nwitnesses += s->witness;
    w->asked += !s->witness;
  }
  if (!b->nwitnesses) return;
  witnesses = take(b->memory, (size_t)b->nwitnesses * sizeof *witnesses);
  b->witnesses = on_device(b->memory, witnesses);
  for (uint32_t i = 0; i < w->count; i++)
    if (w->subjects[i].witness && is_asked(&w->subjects[i])) put_witness(witnesses++, &w->subjects[i], b->memory);
}

static const char *launch_all(batch *b) {
  ag_watch *w = b->watch;
  uint32_t left = w->asked;
  const char *why = NULL;
  for (uint32_t i = 0; i < w->count && !why; i++) {
    ag_subject *s = &w->subjects[i];
    agk_layout l = {.ndim = 0};
    if (s->witness || !is_asked(s)) continue;
    left--;
    ag_cuda_collapse(s->tensor, &l);
    if (l.ndim > AGK_WATCH_DIMS) {
      why = launch_odd(b, s, &l);
      agk_layout none = {.ndim = 0};
      ag_subject rest = *s;
      rest.head = rest.tail = 0; /* its edges are not copied: nobody has seen one yet */
      rest.edges = NULL;
      put_subject(&b->argument.subjects[b->argument.head.count], &rest, &none, b->memory);
      b->argument.subjects[b->argument.head.count++].how = AGK_EDGES;
      w->odd = true;
    } else {
      put_subject(&b->argument.subjects[b->argument.head.count++], s, &l, b->memory);
    }
    if (!why && (b->argument.head.count == AGK_SUBJECTS || !left)) why = launch_batch(b, !left);
  }
  return why;
}

static const char *watch(ag_watch *w, void *of, void *stream, ag_pinned *memory) {
  lane *l = of;
  ag_cuda_scope scope;
  batch b = {.scope = &scope, .lane = l, .watch = w, .memory = memory};
  const char *why = ag_cuda_enter_quick(&scope, l->device_index, stream);
  if (why) return why;
  w->asked = 0;
  w->odd = false;
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

/* ---- what came of it ---------------------------------------------------------------------------------------------- */

static bool watched(const ag_watch *w, bool *bad) {
  uint32_t word;
  *bad = false;
  if (!w->done) return true;
  word = __atomic_load_n(w->done, __ATOMIC_ACQUIRE);
  *bad = word & 1 || w->odd;
  return word >> 1 == w->token;
}

static bool seen(const ag_watch *w, uint32_t i, ag_seen *out) {
  const ag_subject *s = &w->subjects[i];
  const agk_found *f = s->found;
  bool bad;
  memset(out, 0, sizeof *out);
  if (s->known) {
    out->health = *s->known;
    out->edges = s->edges;
    return true;
  }
  if (s->nowhere || !w->done) return false;
  out->health = (ag_health){.first_nan = -1, .first_pos_inf = -1, .first_neg_inf = -1, .finite = s->tensor->numel};
  if (!s->tensor->numel) return !s->witness;
  watched(w, &bad);
  out->edges = s->edges;
  if (!bad && !(s->want & AG_WANT_SUMMARY) && !s->witness) return true;
  for (int k = 0; k < 3; k++) out->first[k] = f->firsts & 1u << k ? f->first[k] : NULL;
  if (s->witness && !f->looked) return false;
  ag_cuda_report(s->tensor, &f->result, s->witness || s->want & AG_WANT_SUMMARY, &out->health);
  return true;
}

/* ---- elements by themselves --------------------------------------------------------------------------------------- */

static const char *gather(ag_cuda_scope *scope, const ag_tensor *t, int64_t first, int64_t count, uint64_t to) {
  agk_gather a = {.data = t->data, .first = first, .count = count, .to = (void *)(uintptr_t)to, .item_size = t->dtype->item_size};
  uint32_t most = (uint32_t)scope->device->sms * AGK_BLOCKS_PER_SM;
  int64_t blocks = (count + AGK_THREADS - 1) / AGK_THREADS;
  void *function;
  ag_cuda_collapse(t, &a.layout);
  a.layout.bytewise = (uintptr_t)t->data % t->dtype->item_size != 0;
  const char *why = ag_cuda_kernel(scope, AGK_GATHER, &function);
  return why ? why : ag_cuda_launch(scope, NULL, function, blocks < most ? (uint32_t)blocks : most, AGK_THREADS, &a);
}

static const char *fetch(int32_t device_index, void *stream, const ag_tensor *t, bool in_memory, int64_t first, int64_t count, uint32_t number, const ag_pinned *to) {
  int64_t item = t->dtype->item_size, before, behind;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, device_index, stream);
  if (why) return why;
  if (first == 0) why = ag_cuda_check_reach(&scope, t);
  ag_cuda_reach(t, &before, &behind);
  if (!why && in_memory)
    why = ag_cuda_failed(&scope, "cuMemcpyDtoHAsync", scope.cu->cuMemcpyDtoHAsync(to->host + AG_FETCHED, (uint64_t)(uintptr_t)t->data - (uint64_t)before + (uint64_t)(first * item), (size_t)(count * item), stream));
  else if (!why)
    why = gather(&scope, t, first, count, to->device + AG_FETCHED);
  if (!why) why = ag_cuda_failed(&scope, "cuStreamWriteValue32", scope.cu->cuStreamWriteValue32(stream, to->device, number, 0));
  ag_cuda_leave(&scope);
  return why;
}

/* ---- marks -------------------------------------------------------------------------------------------------------- */

static const char *write_word(ag_cuda_scope *scope, lane *l, const uint32_t *word, uint32_t value) {
  uint64_t at = (uint64_t)(uintptr_t)on_device(&l->memory, word);
  return ag_cuda_failed(scope, "cuStreamWriteValue32", scope->cu->cuStreamWriteValue32(scope->stream, at, value, AG_CU_WRITE_NO_BARRIER));
}

static const char *mark(void *of, void *stream, uint32_t number) {
  lane *l = of;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, l->device_index, stream);
  if (why) return why;
  why = write_word(&scope, l, &l->board->mark, number);
  ag_cuda_leave(&scope);
  return why;
}

static uint32_t marked(const void *of) { return __atomic_load_n(&((const lane *)of)->board->mark, __ATOMIC_ACQUIRE); }

/* ---- replays ------------------------------------------------------------------------------------------------------ */

static const char *replay_mark(ag_cuda_scope *scope, lane *l, const char *name, bool keep) {
  agk_replay_mark a = {.replay = (agk_replay *)(uintptr_t)(l->scratch + REPLAY_AT), .replayed = on_device(&l->memory, &l->board->replayed), .keep = keep};
  void *function;
  const char *why = ag_cuda_kernel(scope, name, &function);
  return why ? why : ag_cuda_launch(scope, NULL, function, 1, 1, &a);
}

static const char *replay_begin(void *of, void *stream) {
  lane *l = of;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, l->device_index, stream);
  if (why) return why;
  l->board->replayed = (agk_replayed){0};
  l->captured = true;
  atomic_store(&l->doubtful, 0);
  why = write_word(&scope, l, &l->board->mark, 0);
  if (!why) why = write_word(&scope, l, &l->board->state, BEGUN); /* before it is settled whether answers are kept: replay_taken() */
  if (!why) why = replay_mark(&scope, l, AGK_REPLAY_BEGIN, false);
  ag_cuda_leave(&scope);
  return why;
}

static const char *replay_end(void *of, void *stream, bool keep) {
  lane *l = of;
  ag_cuda_scope scope;
  const char *why = ag_cuda_enter_quick(&scope, l->device_index, stream);
  if (why) return why;
  why = replay_mark(&scope, l, AGK_REPLAY_END, keep);
  if (!why) why = write_word(&scope, l, &l->board->state, ENDED);
  ag_cuda_leave(&scope);
  return why;
}

static uint32_t replay_next(const void *of, uint32_t *missed) {
  const agk_replayed *r = &((const lane *)of)->board->replayed;
  if (!__atomic_load_n(&r->held, __ATOMIC_ACQUIRE)) return 0;
  uint32_t reported = __atomic_load_n(&r->reported, __ATOMIC_RELAXED);
  if ((int32_t)(__atomic_load_n(&r->finished, __ATOMIC_ACQUIRE) - reported) < 0) return 0;
  *missed = __atomic_load_n(&r->missed, __ATOMIC_RELAXED);
  return reported;
}

static bool is_begun(const board *b) { return __atomic_load_n(&b->state, __ATOMIC_ACQUIRE) == BEGUN; }

static void replay_taken(void *of) {
  lane *l = of;
  __atomic_store_n(&l->board->replayed.held, 0, __ATOMIC_SEQ_CST);
  bool begun = is_begun(l->board);
  atomic_store(&l->doubtful, begun ? __atomic_load_n(&l->board->replayed.finished, __ATOMIC_ACQUIRE) + 1 : 0);
}

static uint32_t replaying(const void *of) {
  const lane *l = of;
  uint32_t next = __atomic_load_n(&l->board->replayed.finished, __ATOMIC_ACQUIRE) + 1;
  const agk_replayed *r = &l->board->replayed;
  bool others = __atomic_load_n(&r->held, __ATOMIC_ACQUIRE) && __atomic_load_n(&r->reported, __ATOMIC_RELAXED) != next; /* answers are there still */
  bool kept = !others && next != atomic_load(&l->doubtful);
  return is_begun(l->board) && kept ? next : 0;
}

/* ---- alive -------------------------------------------------------------------------------------------------------- */

static void *side_stream(int32_t device_index) {
  ag_cuda_scope scope;
  void *stream;
  if (ag_cuda_enter_apart(&scope, device_index)) return NULL;
  stream = ag_cuda_side_stream(&scope);
  ag_cuda_leave(&scope);
  return stream;
}

/* A stream of ours, with nothing on it: the driver tells of the context's death, and nobody's capture is touched. */
static const char *alive(int32_t device_index) {
  void *stream = ag_cuda_epitaph(device_index) ? NULL : side_stream(device_index);
  if (stream) ag_cuda_ask(device_index, stream);
  return ag_cuda_epitaph(device_index);
}

const ag_async ag_cuda_async = {
    .lane_take = lane_take,
    .lane_give = lane_give,
    .pin = pin,
    .watch_bytes = watch_bytes,
    .watch = watch,
    .watched = watched,
    .seen = seen,
    .mark = mark,
    .marked = marked,
    .fetch = fetch,
    .replay_begin = replay_begin,
    .replay_end = replay_end,
    .replay_next = replay_next,
    .replay_taken = replay_taken,
    .replaying = replaying,
    .alive = alive,
    .epitaph = ag_cuda_epitaph,
    .side_stream = side_stream,
};

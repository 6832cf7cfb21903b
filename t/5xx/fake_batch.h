/* fake_batch.h - a part of fake_cuda.c: the kernels that scan several tensors, as loops; and
 * the checks of their arguments.
 */

/* ---- what kernels.h says of the arguments, checked for every kernel ------------------------- */

enum {
  SCRATCH_READY = 16 + AGK_TARGETS * 56
}; /* behind that lies what each launch writes before it reads it */

static bool within_one_range(uintptr_t from, size_t bytes) {
  bool found = false;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < nranges; i++)
    found = found || (from >= ranges[i].from && from + bytes <= ranges[i].to);
  pthread_mutex_unlock(&lock);
  return found;
}

static bool sums(const char *name) {
  return !strcmp(name, AGK_BATCH_SUM) || !strcmp(name, AGK_BATCH_SUM_FEW);
}
static bool is_few(const char *name) {
  return !strcmp(name, AGK_BATCH_FEW) || !strcmp(name, AGK_BATCH_SUM_FEW);
}
static bool is_batch(const char *name) {
  return !strcmp(name, AGK_BATCH) || sums(name) || is_few(name);
}
static bool is_mark(const char *name) {
  return !strcmp(name, AGK_REPLAY_BEGIN) || !strcmp(name, AGK_REPLAY_END);
}

static const agk_target *targets_of(const char *name, const void *argument) {
  return !is_few(name) ? ((const agk_batch *)argument)->targets
                       : ((const agk_batch_few *)argument)->targets;
}

static void check_fill(const agk_target *s, const char *name) {
  if (sums(name)) fault("a fill of a kernel that sums up", name);
  if (s->numel <= 0) fault("a fill of nothing", name);
  if ((uintptr_t)s->data % 4 || s->format.bytes != 4) fault("misaligned", name);
  if (!within_one_range((uintptr_t)s->data, (size_t)s->numel * 4))
    fault("a fill outside of device memory", name);
}

static void check_target(const agk_target *s, uint32_t first_block, const char *name) {
  const unsigned item = (unsigned)s->format.bytes * s->format.parts;
  if (s->end_block <= first_block) fault("a target without a block", name);
  if (s->how == AGK_FILL) {
    check_fill(s, name);
    return;
  }
  if (s->numel <= 0 || !item || s->format.cls == AGK_OTHER)
    fault("a target with nothing to scan", name);
  if (s->summary && !sums(name)) fault("a summary of a kernel that makes none", name);
  if (s->how > AGK_EDGES || s->ndim < 0 || s->ndim > AGK_BATCH_DIMS)
    fault("a layout that there is not", name);
  if (s->bytewise ? s->how == AGK_IN_ORDER || s->how == AGK_DENSE
                  : (uintptr_t)s->data % s->format.bytes != 0)
    fault("misaligned", name);
  if (s->head < 0 || s->tail < 0 || s->head > s->numel || s->tail > s->numel ||
      (s->head + s->tail > 0) != (s->edges != NULL))
    fault("edges that do not fit", name);
  if (!s->found || (s->logical_ndim && !s->logical_sizes))
    fault("a target whose shape or result is nowhere", name);
}

static void check_batch(const char *name, unsigned blocks, const void *argument) {
  static const char zeros[AGK_SCRATCH_BYTES];
  const agk_batch_head *h = argument;
  const agk_target *s = targets_of(name, argument);
  if (h->count < 1 || h->count > (is_few(name) ? AGK_FEW : AGK_TARGETS)) {
    fault("too many targets, or none", name);
    return;
  }
  for (int i = 0; i < h->count; i++) check_target(&s[i], i ? s[i - 1].end_block : 0, name);
  if (s[h->count - 1].end_block != blocks ||
      blocks > (sums(name) ? AGK_SUM_BLOCKS : AGK_BATCH_BLOCKS))
    fault("blocks that no target owns", name);
  if ((h->nprobes && !h->probes) || (h->replay && !h->replayed))
    fault("an address is missing", name);
  if (!within_one_range((uintptr_t)h->scratch, sums(name) ? AGK_SCRATCH_BYTES : AGK_BAD_BYTES) ||
      (uintptr_t)h->scratch % 16)
    fault("scratch outside of device memory", name);
  else if (memcmp(h->scratch, zeros, SCRATCH_READY))
    fault("scratch that is not ready", name);
}

/* ---- the kernels as loops ------------------------------------------------------------------- */

#ifndef EMULATE
static const char *place(const agk_target *s, uint64_t index) {
  int64_t offset = 0;
  bool in_order = s->how == AGK_IN_ORDER || (s->how == AGK_EDGES && !s->ndim);
  for (int d = in_order ? -1 : s->ndim - 1; d >= 0; d--) {
    offset += (int64_t)(index % (uint64_t)s->sizes[d]) * s->strides[d];
    index /= (uint64_t)s->sizes[d];
  }
  return (const char *)s->data +
         (in_order ? (int64_t)index : offset) * (s->format.bytes * s->format.parts);
}

static uint64_t first_of(const agk_result *r, int kind) {
  return kind == 0 ? r->first_nan : kind == 1 ? r->first_pos_inf : r->first_neg_inf;
}

static void tell(const agk_target *s, const agk_result *r) {
  s->found->result = *r;
  s->found->firsts = s->found->has_summary = 0;
  for (int kind = 0; kind < 3; kind++) {
    if (first_of(r, kind) == AGK_NONE) continue;
    memcpy(s->found->first[kind], place(s, first_of(r, kind)),
           (size_t)s->format.bytes * s->format.parts);
    s->found->firsts |= 1u << kind;
  }
}

static bool matching(const agk_target *s, uint64_t flat, const agk_probe *w, int64_t *offset) {
  *offset = 0;
  if (w->ndim > s->logical_ndim || w->numel <= 0) return false;
  for (int i = 1; i <= w->ndim; i++) {
    int64_t size = s->logical_sizes[s->logical_ndim - i], mine = w->sizes[w->ndim - i];
    if (mine != size && mine != 1) return false;
    if (mine != 1) *offset += (int64_t)(flat % (uint64_t)size) * w->strides[w->ndim - i];
    flat /= (uint64_t)size;
  }
  return true;
}

static bool wants_probes(const agk_target *s, const agk_result *r, int kind) {
  return s->probe_kinds >> kind & 1 && first_of(r, kind) != AGK_NONE;
}

static bool any_wants_probes(const agk_batch_head *h, const agk_target *s,
                             const agk_result *results) {
  for (int k = 0; k < h->count; k++)
    for (int kind = 0; kind < 3; kind++)
      if (wants_probes(&s[k], &results[k], kind)) return true;
  return false;
}

static void look_at_probe(const agk_batch_head *h, const agk_target *s, const agk_result *results,
                          const agk_probe *w) {
  agk_layout l = {.ndim = w->ndim};
  agk_result r = {.first_nan = AGK_NONE,
                  .first_pos_inf = AGK_NONE,
                  .first_neg_inf = AGK_NONE,
                  .min_key = UINT64_MAX};
  unsigned item = (unsigned)w->format.bytes * w->format.parts;
  int64_t offset;
  w->found->firsts = 0;
  for (int kind = 0, k; kind < 3; kind++) {
    for (k = 0; k < h->count && !wants_probes(&s[k], &results[k], kind); k++) continue;
    if (k == h->count || !matching(&s[k], first_of(&results[k], kind), w, &offset)) continue;
    memcpy(w->found->first[kind], (const char *)w->data + offset * item, item);
    w->found->firsts |= 1u << kind;
  }
  w->found->has_summary = w->numel > 0 && w->numel <= AGK_PROBE_MOST;
  if (!w->found->has_summary) return;
  memcpy(l.sizes, w->sizes, (size_t)w->ndim * sizeof *l.sizes);
  memcpy(l.strides, w->strides, (size_t)w->ndim * sizeof *l.strides);
  for (int64_t i = 0; i < w->numel; i++)
    take(&r, w->format, element(w->data, &l, (uint64_t)i, item), (uint64_t)i, true);
  w->found->result = r;
}

static void end_batch(const agk_batch_head *h, bool bad, bool muted) {
  uint32_t token = h->replay ? h->replay->epoch : h->token;
  if (muted) {
    __atomic_fetch_add(&h->replayed->missed, bad, __ATOMIC_RELAXED);
    return;
  }
  if (h->replay && bad) {
    __atomic_store_n(&h->replayed->reported, token, __ATOMIC_RELAXED);
    __atomic_store_n(&h->replayed->held, 1, __ATOMIC_RELEASE);
  }
  if (h->done) __atomic_store_n(h->done, token << 1 | bad, __ATOMIC_RELEASE);
}

static bool is_scanned(const agk_target *s) { return s->how != AGK_EDGES && s->how != AGK_FILL; }

static void fill(const agk_target *s) {
  uint32_t *to = (uint32_t *)(uintptr_t)s->data;
  for (int64_t i = 0; i < s->numel; i++) to[i] = s->word;
}

static void batch(const agk_batch_head *h, const agk_target *s) {
  agk_result results[AGK_TARGETS];
  bool bad = false, muted = h->replay && h->replay->muted;
  for (int k = 0; k < h->count; k++) {
    results[k] = (agk_result){.first_nan = AGK_NONE,
                              .first_pos_inf = AGK_NONE,
                              .first_neg_inf = AGK_NONE,
                              .min_key = UINT64_MAX};
    for (int64_t i = 0; i < s[k].numel && is_scanned(&s[k]); i++)
      take(&results[k], s[k].format, place(&s[k], (uint64_t)i), (uint64_t)i, s[k].summary);
    bad = bad || results[k].bad;
    if (s[k].how == AGK_FILL) fill(&s[k]);
  }
  for (int k = 0; k < h->count && !muted; k++) {
    if (s[k].how == AGK_FILL) continue;
    unsigned item = (unsigned)s[k].format.bytes * s[k].format.parts;
    if (bad || s[k].summary || s[k].edges) tell(&s[k], &results[k]);
    for (int64_t i = 0; i < s[k].head + s[k].tail; i++)
      memcpy((char *)s[k].edges + i * item,
             place(&s[k], (uint64_t)(i < s[k].head ? i : s[k].numel - s[k].tail + i - s[k].head)),
             item);
  }
  bool probed = bad && !muted && any_wants_probes(h, s, results);
  for (int i = 0; i < h->nprobes && probed; i++) look_at_probe(h, s, results, &h->probes[i]);
  end_batch(h, bad, muted);
}

static void mark(const char *name, const agk_replay_mark *m) {
  if (!strcmp(name, AGK_REPLAY_END)) {
    if (m->keep && !m->replay->muted) {
      __atomic_store_n(&m->replayed->reported, m->replay->epoch, __ATOMIC_RELAXED);
      __atomic_store_n(&m->replayed->held, 1, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&m->replayed->finished, m->replay->epoch, __ATOMIC_RELEASE);
    return;
  }
  m->replay->epoch++;
  m->replay->muted = __atomic_load_n(&m->replayed->held, __ATOMIC_ACQUIRE) != 0;
}
#endif

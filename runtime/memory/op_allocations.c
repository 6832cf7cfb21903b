/* op_allocations.c - see op_allocations.h. A cache that fills up, a window of the last few runs,
 * and what another thread frees later are no growth: as many bytes of each of many runs are, while
 * all are there. */
#define _GNU_SOURCE
#include "memory/op_allocations.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/fork_lock.h"
#include "base/library.h"
#include "base/settings.h"
#include "checks/finding.h"
#include "memory/growth.h"

enum { RUNS = AG_GROWTH_RUNS, BLOCKS_MOST = 1 << 16 };

/* What is left of a run's calls. */
typedef struct kept_of_run {
  uint64_t run, launch;
  size_t n, bytes;
} kept_of_run;

/* Of a site. */
typedef struct ag_op_allocations {
  kept_of_run last[RUNS]; /* the newest at (runs - 1) % RUNS */
  size_t runs;
  bool reported;
} ag_op_allocations;

typedef struct block {
  struct block *next, **link;
  uintptr_t at;
  size_t bytes;
  void (*deleter)(void *);
  ag_op_allocations *op; /* NULL: the operator returned it */
  uint64_t run;
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
AG_FORK_LOCK(lock)    /* a child frees tensors too */
static block *blocks; /* under the lock, the newest first */
static size_t nblocks;

/* The calls that this thread is in, the innermost last: an operator may run a model. */
enum { CALLS_MOST = 8 };
static _Thread_local struct {
  const aotigen_run_state *state;
  ag_op_allocations *op; /* NULL: nothing is counted */
  uint64_t run;
} calls[CALLS_MOST];
static _Thread_local unsigned ncalls;

/* Ends the calls of the run, and those within them. NULL, or the operator of the outermost. */
static ag_op_allocations *end_calls(const aotigen_run_state *state) {
  for (unsigned i = 0; i < ncalls; i++) {
    if (calls[i].state != state) continue;
    ncalls = i;
    return calls[i].op;
  }
  return NULL;
}

/* ---- allocations ---------------------------------------------------------------------------- */

/* Two words stand before the functions, the first two of which are destructors. */
static bool is_as_known(const void *table, const void *simple) {
  enum { FUNCTIONS = 6, BEFORE = 2, SIMPLE = 3 };
  const void *const *words = table;
  const ElfW(Sym) *symbol = NULL;
  Dl_info info;
  return dladdr1(table, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
         symbol->st_size == (BEFORE + FUNCTIONS) * sizeof *words &&
         words[BEFORE + SIMPLE] == simple;
}

int aotigen_counts_allocations(const void *table, const void *simple) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  if (!ag_settings_get()->memory || !is_as_known(table, simple) || atomic_flag_test_and_set(&said))
    return 0;
  ag_library_keep(); /* the allocator is called to the process's end */
  return 1;
}

/* With the lock held. */
static kept_of_run *find_run(ag_op_allocations *op, uint64_t run) {
  for (int i = 0; i < RUNS; i++)
    if (op->last[i].run == run) return &op->last[i];
  return NULL;
}

/* With the lock held. */
static void count(const block *b, bool kept) {
  kept_of_run *k = b->op ? find_run(b->op, b->run) : NULL;
  if (!k) return;
  k->n += kept ? 1 : (size_t)-1;
  k->bytes += kept ? b->bytes : (size_t)0 - b->bytes;
}

int aotigen_operator_allocated(void *at, size_t bytes, void (*deleter)(void *)) {
  if (!ncalls || !calls[ncalls - 1].op) return 0;
  block *b = malloc(sizeof *b);
  if (!b) return 0;
  *b = (block){.at = (uintptr_t)at,
               .bytes = bytes,
               .deleter = deleter,
               .op = calls[ncalls - 1].op,
               .run = calls[ncalls - 1].run};
  pthread_mutex_lock(&lock);
  const bool room = nblocks < BLOCKS_MOST;
  if (room) {
    nblocks++;
    b->next = blocks;
    b->link = &blocks;
    if (blocks) blocks->link = &b->next;
    blocks = b;
    count(b, true);
  }
  pthread_mutex_unlock(&lock);
  if (!room) free(b);
  return room;
}

void aotigen_operator_freed(void *at, void (**deleter)(void *)) {
  pthread_mutex_lock(&lock);
  block *b = blocks;
  while (b && b->at != (uintptr_t)at) b = b->next;
  if (b) {
    *deleter = b->deleter;
    *b->link = b->next;
    if (b->next) b->next->link = b->link;
    nblocks--;
    count(b, false);
  }
  pthread_mutex_unlock(&lock);
  free(b);
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* The site's; NULL where it was not called yet. */
static ag_op_allocations *find_op(ag_model_state *m, uint32_t site) {
  pthread_mutex_lock(&m->lock);
  ag_op_allocations *op = m->op_allocations ? m->op_allocations[site] : NULL;
  pthread_mutex_unlock(&m->lock);
  return op;
}

/* The same, made at its first call; NULL where memory ran out. */
static ag_op_allocations *find_or_make_op(ag_model_state *m, uint32_t site) {
  pthread_mutex_lock(&m->lock);
  if (!m->op_allocations) m->op_allocations = calloc(m->model->nsites, sizeof *m->op_allocations);
  if (m->op_allocations && !m->op_allocations[site])
    m->op_allocations[site] = calloc(1, sizeof **m->op_allocations);
  ag_op_allocations *op = m->op_allocations ? m->op_allocations[site] : NULL;
  pthread_mutex_unlock(&m->lock);
  return op;
}

void ag_op_allocations_begin_call(const aotigen_run *run) {
  ag_op_allocations *op = run->number ? find_or_make_op(run->state->model, run->site) : NULL;
  if (!op) return;
  pthread_mutex_lock(&lock);
  const bool counts = !op->reported;
  kept_of_run *k = find_run(op, run->number);
  if (counts && !k) {
    k = &op->last[op->runs++ % RUNS];
    *k = (kept_of_run){.run = run->number};
  }
  if (counts) k->launch = run->launch;
  pthread_mutex_unlock(&lock);
  end_calls(run->state);
  if (ncalls == CALLS_MOST) return;
  calls[ncalls].state = run->state;
  calls[ncalls].op = counts ? op : NULL;
  calls[ncalls++].run = run->number;
}

/* With the lock held: what the record's tensors lie in goes on to the wrapper. */
static void leave_out(const ag_record *r, const ag_op_allocations *op) {
  for (block *b = blocks; b; b = b->next) {
    for (size_t i = 0; i < r->nargs && b->op == op; i++) {
      const ag_view *v = &r->args[i].view;
      const uintptr_t data = (uintptr_t)v->t.data;
      const bool known = v->state == AG_VIEW_OK || v->state == AG_VIEW_REFUSED;
      if (!known || data < b->at || data - b->at >= b->bytes) continue;
      count(b, false);
      b->op = NULL;
    }
  }
}

void ag_op_allocations_end_call(const aotigen_run *run) {
  const ag_op_allocations *op = end_calls(run->state);
  if (!op || !run->state->record) return;
  pthread_mutex_lock(&lock);
  leave_out(run->state->record, op);
  pthread_mutex_unlock(&lock);
}

/* ---- the report ----------------------------------------------------------------------------- */

/* With the lock held. */
static bool grows(const ag_op_allocations *op, uint64_t run) {
  const kept_of_run *first = &op->last[0];
  if (op->reported || op->runs < RUNS || op->last[(op->runs - 1) % RUNS].run != run) return false;
  for (int i = 0; i < RUNS; i++)
    if (!op->last[i].n || op->last[i].n != first->n || op->last[i].bytes != first->bytes)
      return false;
  return true;
}

static void report(aotigen_run *run, uint32_t site, const kept_of_run *k) {
  const ag_launch l = {.model = run->model, .run = k->run, .number = k->launch, .site = site};
  ag_text *t = &run->state->texts.report;
  ag_text_clear(t);
  ag_report_head(t, &l, "memory grows");
  ag_report_site(t, &l);
  ag_text_add_line(t, "kept",
                   "%zu bytes of tensors (%zu) that it made and did not return, of each of "
                   "the last %d runs",
                   k->bytes, k->n, RUNS);
  ag_text_add_line(t, "cure", "look for what the operator keeps: in a list, a cache or a closure");
  ag_growth_log(run, run->model->sites[site].kernel, RUNS * k->bytes, k->launch, site);
  ag_report_write(t);
}

void ag_op_allocations_end_run(aotigen_run *run) {
  ag_model_state *m = run->state->model;
  end_calls(run->state);
  for (uint32_t i = 0; i < m->model->nsites; i++) {
    ag_op_allocations *op = find_op(m, i);
    if (!op) continue;
    pthread_mutex_lock(&lock);
    const bool now = grows(op, run->number);
    const kept_of_run k = op->last[(op->runs + RUNS - 1) % RUNS];
    if (now) op->reported = true;
    pthread_mutex_unlock(&lock);
    if (now) report(run, i, &k);
  }
}

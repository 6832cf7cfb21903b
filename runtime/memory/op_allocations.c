/* op_allocations.c - see op_allocations.h. A cache that fills up, a window of the last few runs,
 * and what another thread frees later are no growth: as many bytes of each of many runs are, while
 * all are there. */
#define _GNU_SOURCE
#include "memory/op_allocations.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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

typedef struct history {
  kept_of_run last[RUNS]; /* the newest at (runs - 1) % RUNS */
  size_t runs;
  bool reported;
} history;

/* The allocations of a site's operator. */
typedef struct ag_op_allocations {
  history kept;     /* those that it made and did not return */
  history returned; /* those that it returned and the model does not */
} ag_op_allocations;

typedef struct block {
  struct block *next, **link;
  uintptr_t address;
  size_t bytes;
  void (*deleter)(void *);
  history *of; /* NULL if the model may return it */
  const aotigen_model *model;
  uint64_t run;
  const char *name;     /* that of the returned tensor */
  ag_given_to given_to; /* for a returned tensor; its maker is the first */
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

/* True if the table has the functions of torch 2.11. Two words precede them; the first two
 * functions are destructors. */
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
  ag_library_keep(); /* the allocator is called until the process ends */
  return 1;
}

/* With the lock held. */
static kept_of_run *find_run(history *h, uint64_t run) {
  for (int i = 0; i < RUNS; i++)
    if (h->last[i].run == run) return &h->last[i];
  return NULL;
}

/* With the lock held. */
static void count(const block *b, bool kept) {
  kept_of_run *k = b->of ? find_run(b->of, b->run) : NULL;
  if (!k) return;
  k->n += kept ? 1 : (size_t)-1;
  k->bytes += kept ? b->bytes : (size_t)0 - b->bytes;
}

int aotigen_operator_allocated(void *at, size_t bytes, void (*deleter)(void *)) {
  ag_op_allocations *op = ncalls ? calls[ncalls - 1].op : NULL;
  if (!op) return 0;
  block *b = malloc(sizeof *b);
  if (!b) return 0;
  *b = (block){.address = (uintptr_t)at,
               .bytes = bytes,
               .deleter = deleter,
               .of = &op->kept,
               .model = calls[ncalls - 1].state->model->model,
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
  if (!room) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    free(b);
    if (!atomic_flag_test_and_set(&said))
      ag_warn("AOTIGEN_MEMORY: operators hold %d tensors: what they allocate from now on is not "
              "counted",
              BLOCKS_MOST);
  }
  return room;
}

void aotigen_operator_freed(void *at, void (**deleter)(void *)) {
  pthread_mutex_lock(&lock);
  block *b = blocks;
  while (b && b->address != (uintptr_t)at) b = b->next;
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

/* The site's allocations; NULL if it was not called yet. */
static ag_op_allocations *find_op(ag_model_state *m, uint32_t site) {
  pthread_mutex_lock(&m->lock);
  ag_op_allocations *op = m->memory.op_allocations ? m->memory.op_allocations[site] : NULL;
  pthread_mutex_unlock(&m->lock);
  return op;
}

/* The same, made at its first call; NULL if memory ran out. */
static ag_op_allocations *find_or_make_op(ag_model_state *m, uint32_t site) {
  pthread_mutex_lock(&m->lock);
  if (!m->memory.op_allocations)
    m->memory.op_allocations = calloc(m->model->nsites, sizeof *m->memory.op_allocations);
  if (m->memory.op_allocations && !m->memory.op_allocations[site])
    m->memory.op_allocations[site] = calloc(1, sizeof **m->memory.op_allocations);
  ag_op_allocations *op = m->memory.op_allocations ? m->memory.op_allocations[site] : NULL;
  pthread_mutex_unlock(&m->lock);
  return op;
}

/* With the lock held. */
static void begin_run(history *h, const aotigen_run *run) {
  kept_of_run *k = find_run(h, run->number);
  if (h->reported) return;
  if (!k) {
    k = &h->last[h->runs++ % RUNS];
    *k = (kept_of_run){.run = run->number};
  }
  k->launch = run->launch;
}

/* True if the argument begins in the block. */
static bool has(const block *b, const ag_arg *a) {
  const uintptr_t data = (uintptr_t)a->view.t.data;
  const bool known = ag_view_is_described(&a->view);
  return known && data >= b->address && data - b->address < b->bytes;
}

/* Notes which earlier results of this run are given to another operator. The caller holds the
 * lock. */
static void note_given(const aotigen_run *run) {
  const ag_record *r = run->state->record;
  for (block *b = blocks; b && r; b = b->next) {
    if (!b->given_to.n || b->run != run->number || b->model != run->model) continue;
    for (size_t i = 0; i < r->nargs; i++)
      if (has(b, &r->args[i])) ag_given_to_note(&b->given_to, run);
  }
}

void ag_op_allocations_begin_call(const aotigen_run *run) {
  ag_op_allocations *op = run->number ? find_or_make_op(run->state->model, run->site) : NULL;
  if (!op) return;
  pthread_mutex_lock(&lock);
  const bool counts = !op->kept.reported && !op->returned.reported;
  begin_run(&op->kept, run);
  begin_run(&op->returned, run);
  note_given(run);
  pthread_mutex_unlock(&lock);
  end_calls(run->state);
  if (ncalls == CALLS_MOST) return;
  calls[ncalls].state = run->state;
  calls[ncalls].op = counts ? op : NULL;
  calls[ncalls++].run = run->number;
}

/* Notes that the call is over and an argument of it lies in the block. The caller holds the
 * lock. */
static void note_result(const aotigen_run *run, ag_op_allocations *op, block *b,
                        const aotigen_param *p) {
  const bool mine = op && b->of == &op->kept;
  if (!mine && !ag_param_is_made(p)) return; /* it was given it */
  count(b, false);
  b->of = NULL;
  if (!mine || b->run != run->number || !(p->flags & AOTIGEN_ENDS_IN_RUN)) return;
  b->of = &op->returned;
  b->name = p->name;
  ag_given_to_note(&b->given_to, run);
  count(b, true);
}

/* Also for torch's own operators, which may return a view of what another one made. */
void ag_op_allocations_end_call(const aotigen_run *run) {
  ag_op_allocations *op = end_calls(run->state);
  const ag_record *r = run->state->record;
  if (!r) return;
  pthread_mutex_lock(&lock);
  for (block *b = blocks; b; b = b->next)
    for (size_t i = 0; i < r->nargs && b->of; i++)
      if (has(b, &r->args[i])) note_result(run, op, b, r->args[i].param);
  pthread_mutex_unlock(&lock);
}

/* ---- the report ----------------------------------------------------------------------------- */

/* NULL, or what is retained of this run and of each earlier one. The caller holds the lock. */
static const kept_of_run *find_growth(const history *h, uint64_t run) {
  const kept_of_run *first = &h->last[0], *last = &h->last[(h->runs + RUNS - 1) % RUNS];
  if (h->reported || h->runs < RUNS || last->run != run) return NULL;
  for (int i = 0; i < RUNS; i++)
    if (!h->last[i].n || h->last[i].n != first->n || h->last[i].bytes != first->bytes) return NULL;
  return last;
}

static void report_kept(aotigen_run *run, uint32_t site, const kept_of_run *k) {
  const ag_given_to by = {.at = {{.launch = k->launch, .site = site}}, .n = 1};
  const ag_launch l = {.model = run->model, .run = k->run, .number = k->launch, .site = site};
  ag_text *t = &run->state->texts.report;
  ag_text_clear(t);
  ag_report_head(t, &l, "memory grows");
  ag_report_site(t, &l);
  ag_text_add_line(t, "kept",
                   "%zu bytes of tensors (%zu) that it made and did not return, of each of "
                   "the last %d runs",
                   k->bytes, k->n, RUNS);
  ag_growth_end_report(run, run->model->sites[site].kernel, RUNS * k->bytes, &by);
}

/* The results of an operator under one name that still exist. */
typedef struct result {
  const char *name;
  ag_buffers_held held;
} result;

enum { RESULTS_MOST = 8 };

/* Adds the block to the results of its name. The caller holds the lock. */
static size_t add_result(result *results, size_t n, const block *b) {
  size_t i = 0;
  while (i < n && strcmp(results[i].name, b->name) != 0) i++;
  if (i == RESULTS_MOST) return n;
  ag_buffers_held *held = &results[i].held;
  if (i == n) results[i] = (result){.name = b->name};
  held->n++;
  held->bytes += b->bytes;
  if (b->run > held->run) {
    held->run = b->run;
    held->given_to = b->given_to;
  }
  return i == n ? n + 1 : n;
}

/* With the lock held. */
static size_t find_results(const history *h, result *results) {
  size_t n = 0;
  for (const block *b = blocks; b; b = b->next)
    if (b->of == h) n = add_result(results, n, b);
  return n;
}

/* Checks one site. Reports without the lock. */
static void check_op(aotigen_run *run, uint32_t site, ag_op_allocations *op) {
  result results[RESULTS_MOST];
  kept_of_run of_kept = {.n = 0};
  size_t nresults = 0;
  pthread_mutex_lock(&lock);
  const kept_of_run *kept = find_growth(&op->kept, run->number);
  if (kept) of_kept = *kept;
  if (find_growth(&op->returned, run->number)) nresults = find_results(&op->returned, results);
  op->kept.reported |= kept != NULL;
  op->returned.reported |= nresults > 0;
  pthread_mutex_unlock(&lock);
  if (of_kept.n) report_kept(run, site, &of_kept);
  for (size_t i = 0; i < nresults; i++)
    ag_growth_report(run, results[i].name, "which an operator returned", &results[i].held, true);
}

void ag_op_allocations_end_run(aotigen_run *run) {
  ag_model_state *m = run->state->model;
  end_calls(run->state);
  for (uint32_t i = 0; i < m->model->nsites; i++) {
    ag_op_allocations *op = find_op(m, i);
    if (op) check_op(run, i, op);
  }
}

/* launch_times.c - see launch_times.h. */
#define _GNU_SOURCE
#include "state/launch_times.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic(ag_launch_times *) all;

ag_launch_times *ag_launch_times_all(void) { return atomic_load(&all); }

static ag_launch_times *create(const ag_model_state *m) {
  ag_launch_times *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->by_launch = calloc(AG_TIMES_MOST + 1, sizeof *t->by_launch);
  t->by_site = calloc((size_t)m->model->nsites + 1, sizeof *t->by_site);
  if (!t->by_launch || !t->by_site) {
    free(t->by_launch);
    free(t->by_site);
    free(t);
    return NULL;
  }
  pthread_mutex_init(&t->lock, NULL);
  ag_fork_lock_add(&t->over_fork, &t->lock);
  t->model = m->model;
  t->process = getpid();
  t->next = atomic_load(&all);
  while (!atomic_compare_exchange_weak(&all, &t->next, t)) continue;
  return t;
}

ag_launch_times *ag_launch_times_of(ag_model_state *m) {
  ag_launch_times *t = __atomic_load_n(&m->times, __ATOMIC_ACQUIRE);
  if (t) return t;
  pthread_mutex_lock(&m->lock);
  if (!m->times) __atomic_store_n(&m->times, create(m), __ATOMIC_RELEASE);
  t = m->times;
  pthread_mutex_unlock(&m->lock);
  return t;
}

/* The lock is held. What a parent has timed is the parent's to tell. */
static void forget_parent(ag_launch_times *t) {
  if (t->process == getpid()) return;
  for (size_t i = 0; i < t->n; i++) free(t->rows[i].samples);
  t->process = getpid();
  t->n = t->runs = t->late = 0;
  memset(t->untimed, 0, sizeof t->untimed);
  memset(t->by_launch, 0, (AG_TIMES_MOST + 1) * sizeof *t->by_launch);
  memset(t->by_site, 0, ((size_t)t->model->nsites + 1) * sizeof *t->by_site);
}

/* NULL if memory ran out; else it is locked. */
static ag_launch_times *lock_of(ag_model_state *m) {
  ag_launch_times *t = ag_launch_times_of(m);
  if (!t) return NULL;
  pthread_mutex_lock(&t->lock);
  forget_parent(t);
  return t;
}

void ag_launch_times_begin_run(ag_model_state *m) {
  ag_launch_times *t = lock_of(m);
  if (!t) return;
  t->runs++;
  pthread_mutex_unlock(&t->lock);
}

void ag_launch_times_add_untimed(ag_model_state *m, enum ag_untimed why) {
  ag_launch_times *t = lock_of(m);
  if (!t) return;
  t->untimed[why]++;
  pthread_mutex_unlock(&t->lock);
}

void ag_launch_times_note_late(ag_model_state *m) {
  ag_launch_times *t = lock_of(m);
  if (!t) return;
  t->late++;
  pthread_mutex_unlock(&t->lock);
}

void ag_launch_times_note_empty(ag_model_state *m, int64_t ns) {
  ag_launch_times *t = lock_of(m);
  if (!t) return;
  t->empty_ns = ns;
  pthread_mutex_unlock(&t->lock);
}

/* ---- rows ----------------------------------------------------------------------------------- */

static ag_launch_time *add_row(ag_launch_times *t, uint32_t *index, uint64_t launch,
                               uint32_t site) {
  if (!ag_list_grow((void **)&t->rows, &t->room, t->n, sizeof *t->rows)) return NULL;
  t->rows[t->n] = (ag_launch_time){.launch = launch, .site = site, .step = 1};
  *index = (uint32_t)++t->n;
  return &t->rows[t->n - 1];
}

/* Several branches of a model may make the launch of one number. */
static ag_launch_time *find_row(ag_launch_times *t, uint64_t launch, uint32_t site) {
  uint32_t *index = launch <= AG_TIMES_MOST ? &t->by_launch[launch] : NULL;
  if (index && !*index) return add_row(t, index, launch, site);
  if (index && t->rows[*index - 1].site == site) return &t->rows[*index - 1];
  index = &t->by_site[site];
  return *index ? &t->rows[*index - 1] : add_row(t, index, 0, site);
}

/* Keeps every other sample where there is no more room: they lie all over the runs. */
static void thin_out(ag_launch_time *r) {
  for (uint32_t i = 0; i < r->nsamples / 2; i++) r->samples[i] = r->samples[2 * i];
  r->nsamples /= 2;
  r->step *= 2;
}

static bool has_room(ag_launch_time *r) {
  if (r->nsamples == AG_TIMES_SAMPLES) thin_out(r);
  if (r->nsamples < r->room) return true;
  const uint32_t more = r->room ? 2 * r->room : 8;
  float *moved = realloc(r->samples, more * sizeof *moved);
  if (!moved) return false;
  r->samples = moved;
  r->room = more;
  return true;
}

static void add_sample(ag_launch_time *r, int64_t ns) {
  if (r->count % r->step == 0 && has_room(r) && r->count % r->step == 0)
    r->samples[r->nsamples++] = (float)ns;
  r->min = r->count && r->min < ns ? r->min : ns;
  r->total += ns;
  r->count++;
}

void ag_launch_times_add(ag_model_state *m, uint32_t site, uint64_t launch, int64_t ns) {
  ag_launch_times *t = lock_of(m);
  if (!t) return;
  const size_t before = t->n;
  ag_launch_time *r = find_row(t, launch, site);
  if (r && t->n > before)
    r->first = ns;
  else if (r)
    add_sample(r, ns);
  pthread_mutex_unlock(&t->lock);
}

static int compare(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

int64_t ag_launch_time_median(ag_launch_time *r) {
  if (!r->nsamples) return r->first;
  qsort(r->samples, r->nsamples, sizeof *r->samples, compare);
  const uint32_t half = r->nsamples / 2;
  return (int64_t)(r->nsamples % 2 ? r->samples[half]
                                   : (r->samples[half - 1] + r->samples[half]) / 2);
}

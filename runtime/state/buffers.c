/* buffers.c - see buffers.h. A plain list: a run has few buffers at a time, since the wrapper
 * releases each behind its last use. */
#define _GNU_SOURCE
#include "state/buffers.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/fork_lock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ag_buffer *all;
static atomic_size_t how_many; /* stored under the lock */

AG_FORK_LOCK(lock)

void ag_buffers_add(ag_buffer *b) {
  pthread_mutex_lock(&lock);
  b->next = all;
  all = b;
  how_many++;
  pthread_mutex_unlock(&lock);
}

bool ag_buffers_remove(const ag_buffer *b) {
  pthread_mutex_lock(&lock);
  ag_buffer **at = &all;
  while (*at && *at != b) at = &(*at)->next;
  bool found = *at != NULL;
  if (found) *at = b->next;
  if (found) how_many--;
  pthread_mutex_unlock(&lock);
  return found;
}

ag_buffer *ag_buffers_find(const aotigen_run *run, const ag_view *view) {
  if (!how_many || !ag_view_is_described(view)) return NULL;
  uintptr_t address = (uintptr_t)view->t.data;
  pthread_mutex_lock(&lock);
  ag_buffer *b = all;
  for (; b; b = b->next) {
    uintptr_t data = (uintptr_t)b->t.data;
    if (b->model == run->model && b->run == run->number && address >= data &&
        address - data < b->memory.bytes)
      break;
  }
  pthread_mutex_unlock(&lock);
  return b;
}

/* True if the ranges overlap, or one ends where the other begins. */
static bool touches(uintptr_t begin, uintptr_t end, const ag_view *view) {
  return begin <= view->end && end >= view->begin;
}

void ag_buffer_note_write(ag_buffer *b, const ag_view *view) {
  const unsigned most = sizeof b->writes.list / sizeof *b->writes.list;
  unsigned i = 0;
  while (i < b->writes.n && !touches(b->writes.list[i].begin, b->writes.list[i].end, view)) i++;
  if (i == most) return;
  if (i == b->writes.n) {
    b->writes.list[b->writes.n].begin = view->begin;
    b->writes.list[b->writes.n++].end = view->end;
  }
  if (view->begin < b->writes.list[i].begin) b->writes.list[i].begin = view->begin;
  if (view->end > b->writes.list[i].end) b->writes.list[i].end = view->end;
}

bool ag_buffer_is_written(const ag_buffer *b, const ag_view *view) {
  for (unsigned i = 0; i < b->writes.n; i++)
    if (b->writes.list[i].begin < view->end && b->writes.list[i].end > view->begin) return true;
  return false;
}

ag_buffer *ag_buffers_take_own(const aotigen_model *model, uint64_t run) {
  pthread_mutex_lock(&lock);
  ag_buffer **at = &all;
  while (*at && !((*at)->memory.is_own && (*at)->model == model && (*at)->run == run))
    at = &(*at)->next;
  ag_buffer *b = *at;
  if (b) *at = b->next;
  if (b) how_many--;
  pthread_mutex_unlock(&lock);
  return b;
}

static void count(ag_buffers_held *h, const ag_buffer *b) {
  if (b->run >= h->run) {
    h->run = b->run;
    h->given_to = b->given_to;
  }
  h->n++;
  h->bytes += b->memory.bytes;
}

void ag_buffers_count_held(const aotigen_model *model, uint64_t run, ag_buffers_held *rows) {
  pthread_mutex_lock(&lock);
  for (ag_buffer *b = all; b; b = b->next) {
    if (b->model != model || b->memory.is_own || b->row->given) continue;
    b->release.outlives_run = b->release.outlives_run || b->run == run;
    if (b->release.outlives_run) count(&rows[b->row - model->buffers], b);
  }
  pthread_mutex_unlock(&lock);
}

bool ag_buffers_has(const aotigen_model *model) {
  pthread_mutex_lock(&lock);
  const ag_buffer *b = all;
  while (b && b->model != model) b = b->next;
  pthread_mutex_unlock(&lock);
  return b != NULL;
}

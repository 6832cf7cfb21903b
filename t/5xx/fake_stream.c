/* fake_stream.c - see fake_stream.h. A thread a stream, which lives as long as the process. */
#include "fake_stream.h"
#include "../await.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 64 };

typedef struct piece {
  struct piece *next;
  void (*work)(void *);
  int late;
  _Alignas(16) char argument[];
} piece;

typedef struct queue {
  void *stream;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  piece *first, *last;
  bool working;
} queue;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static queue queues[STREAMS];
static int nqueues;
static atomic_int late;
static atomic_bool stopped;

void fake_late(int microseconds) { late = microseconds; }

void fake_stop(void) { stopped = true; }

static void *run(void *of) {
  queue *q = of;
  pthread_mutex_lock(&q->lock);
  for (;;) {
    while (!q->first) pthread_cond_wait(&q->changed, &q->lock);
    piece *p = q->first;
    q->first = p->next;
    if (!q->first) q->last = NULL;
    q->working = true;
    pthread_mutex_unlock(&q->lock);
    if (!stopped && p->late) let_pass(p->late); /* as long as a test asks for */
    if (!stopped) p->work(p->argument);
    free(p);
    pthread_mutex_lock(&q->lock);
    q->working = false;
    pthread_cond_broadcast(&q->changed);
  }
  return NULL;
}

static queue *queue_of(void *stream) {
  pthread_t thread;
  int i = 0;
  pthread_mutex_lock(&lock);
  while (i < nqueues && queues[i].stream != stream) i++;
  if (i == nqueues && nqueues < STREAMS) {
    queues[i].stream = stream;
    pthread_mutex_init(&queues[i].lock, NULL);
    pthread_cond_init(&queues[i].changed, NULL);
    nqueues++;
    if (pthread_create(&thread, NULL, run, &queues[i])) abort();
    pthread_detach(thread);
  }
  pthread_mutex_unlock(&lock);
  if (i == STREAMS) abort();
  return &queues[i];
}

void fake_work(void *stream, void (*work)(void *), const void *argument, size_t n) {
  if (!late && !fake_busy(stream)) {
    if (!stopped) work((void *)(size_t)argument);
    return;
  }
  queue *q = queue_of(stream);
  piece *p = malloc(sizeof *p + n);
  if (!p) abort();
  *p = (piece){.work = work, .late = late};
  memcpy(p->argument, argument, n);
  pthread_mutex_lock(&q->lock);
  if (q->last)
    q->last->next = p;
  else
    q->first = p;
  q->last = p;
  pthread_cond_broadcast(&q->changed);
  pthread_mutex_unlock(&q->lock);
}

bool fake_busy(void *stream) {
  bool known = false;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < nqueues; i++) known = known || queues[i].stream == stream;
  pthread_mutex_unlock(&lock);
  if (!known) return false;
  queue *q = queue_of(stream);
  pthread_mutex_lock(&q->lock);
  bool busy = q->first || q->working;
  pthread_mutex_unlock(&q->lock);
  return busy;
}

void fake_wait(void *stream) {
  if (!fake_busy(stream)) return;
  queue *q = queue_of(stream);
  pthread_mutex_lock(&q->lock);
  while (q->first || q->working) pthread_cond_wait(&q->changed, &q->lock);
  pthread_mutex_unlock(&q->lock);
}

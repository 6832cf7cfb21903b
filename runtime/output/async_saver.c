/* async_saver.c - the ring, its jobs, and the thread that writes. save_file.h makes the files;
 * nothing here knows their formats. */
#define _GNU_SOURCE
#include "output/async_saver.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/thread.h"

enum {
  CHUNK = 4 << 20,
  CHUNKS = 8,
  SLEEP = 50, /* microseconds */
  SUSPICION = 20000,
  LAST_WAIT = 10 * 1000 * 1000 /* at exit, for all that is still to be written */
};

typedef struct chunk {
  struct chunk *next; /* the next free one, or the next of its job */
  ag_pinned memory;
  uint32_t number; /* the value of its first word once it has arrived */
  size_t bytes, read;
} chunk;

typedef struct job {
  struct job *next;
  ag_saving what;
  ag_view view;
  const ag_async *async;
  int32_t device_index;
  ag_saved_file *saved; /* to be set to its file; `again`: the file that has its bytes */
  bool again;
  chunk *first, *last;
  bool all;      /* no more chunks will come */
  char cut[160]; /* why it is truncated, if it is */
} job;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;   /* signals a job, or a chunk of one */
static pthread_cond_t room = PTHREAD_COND_INITIALIZER;   /* signals a free chunk */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* one tensor is handed in at a time: two
                                                            would starve each other of chunks */
static pthread_once_t begun = PTHREAD_ONCE_INIT;
static chunk chunks[CHUNKS], *free_chunks;
static int made;
static job *first_job, *last_job;
static uint32_t numbers, freed, timed_out; /* freed: chunks ever freed; timed_out: 1 + the value of
                                              `freed` when a wait timed out */
static atomic_bool stopping;
static _Atomic int64_t awaits; /* since when the writer waits for a device; or 0 */
static bool writes;
static ag_thread writer;

/* ---- the thread ----------------------------------------------------------------------------- */

static chunk *next_chunk(job *j) {
  pthread_mutex_lock(&lock);
  while (!j->first && !j->all) pthread_cond_wait(&news, &lock);
  chunk *c = j->first;
  pthread_mutex_unlock(&lock);
  return c;
}

/* True if the process has been ending for too long. Only the writer calls it. */
static bool is_late(void) {
  static int64_t since;
  if (!atomic_load(&stopping)) return false;
  if (!since) since = ag_time_us();
  return ag_time_us() - since > LAST_WAIT;
}

/* NULL if the chunk has arrived; otherwise why it never will. */
static const char *await_device(const job *j, const chunk *c) {
  for (int sleeps = 1; __atomic_load_n((const uint32_t *)(const void *)c->memory.host,
                                       __ATOMIC_ACQUIRE) != c->number;
       sleeps++) {
    const char *why = sleeps % (SUSPICION / SLEEP) ? j->async->device->sticky_error(j->device_index)
                                                   : j->async->device->query(j->device_index);
    if (!why && is_late()) why = "the process ended before the device came to it";
    if (why) return why;
    ag_time_sleep_us(SLEEP);
  }
  return NULL;
}

static const char *await_chunk(const job *j, const chunk *c) {
  atomic_store(&awaits, ag_time_us());
  const char *why = await_device(j, c);
  atomic_store(&awaits, 0);
  return why;
}

static void free_chunk(chunk *c) {
  pthread_mutex_lock(&lock);
  c->next = free_chunks;
  free_chunks = c;
  freed++;
  pthread_cond_signal(&room);
  pthread_mutex_unlock(&lock);
}

/* Frees the job's first chunk, which was read. */
static void free_first(job *j) {
  pthread_mutex_lock(&lock);
  chunk *c = j->first;
  j->first = c->next;
  if (!j->first) j->last = NULL;
  pthread_mutex_unlock(&lock);
  free_chunk(c);
}

/* Elements are requested one after another, in the order in which they were handed in. */
static const char *read_on(const ag_tensor *t, int64_t first, int64_t count, void *of, void *to) {
  job *j = of;
  size_t left = (size_t)count * t->dtype->item_size;
  char *at = to;
  (void)first;
  while (left) {
    chunk *c = next_chunk(j);
    const char *why = c ? await_chunk(j, c) : j->cut;
    if (why) return why;
    size_t n = c->bytes - c->read < left ? c->bytes - c->read : left;
    memcpy(at, c->memory.host + AG_FETCHED + c->read, n);
    at += n;
    left -= n;
    c->read += n;
    if (c->read == c->bytes) free_first(j);
  }
  return NULL;
}

static const char *no_stats(const ag_tensor *t, unsigned want, void *of, ag_stats *out) {
  (void)t;
  (void)want;
  (void)of;
  (void)out;
  return "it was not scanned";
}

static const ag_backend spooled = {.name = "spooled", .stats = no_stats, .read = read_on};

/* Discards the rest of a job whose file could not be made. */
static void drain_job(job *j) {
  for (chunk *c; (c = next_chunk(j));) {
    await_chunk(j, c); /* or the device is lost, and writes no more */
    free_first(j);
  }
}

static void write_job(job *j) {
  if (j->again) {
    if (!ag_save_again(&j->what, &j->view, j->saved))
      ag_save_refuse(j->what.arg, "the file that has its bytes was not written, or is no more");
    return;
  }
  ag_reader r = {.backend = &spooled, .tensor = &j->view.t, .stream = j};
  ag_save_file(&j->what, &j->view, &r, j->saved);
  drain_job(j);
}

static void *write_on(void *none) {
  (void)none;
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!first_job && !atomic_load(&stopping)) pthread_cond_wait(&news, &lock);
    job *j = first_job;
    pthread_mutex_unlock(&lock);
    if (!j) return NULL;
    write_job(j);
    pthread_mutex_lock(&lock);
    first_job = j->next;
    if (!first_job) last_job = NULL;
    pthread_mutex_unlock(&lock);
    ag_saved_file_release(j->saved);
    free(j);
  }
}

/* Runs at exit, or when the model is unloaded. */
static void stop_writer(void) {
  if (!ag_thread_is_here(&writer)) return;
  pthread_mutex_lock(&lock);
  atomic_store(&stopping, true);
  pthread_cond_signal(&news);
  pthread_mutex_unlock(&lock);
  ag_thread_join(&writer);
}

static void start_writer(void) { writes = ag_thread_begin(&writer, write_on, stop_writer); }

/* ---- handing in ----------------------------------------------------------------------------- */

/* False if the files are slow. */
static bool is_device_slow(void) {
  int64_t since = atomic_load(&awaits);
  return since && ag_time_us() - since >= ag_stall_timeout_us;
}

/* Waits for room. The caller holds the lock. After a wait has timed out, no thread waits again
 * until a chunk was freed. */
static const char *await_room(void) {
  while (!free_chunks) {
    struct timespec until;
    uint32_t before = freed;
    if (timed_out == freed + 1) return "the ring is full, and its devices stand still";
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ag_stall_timeout_us / 1000000;
    until.tv_nsec += ag_stall_timeout_us % 1000000 * 1000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    if (pthread_cond_timedwait(&room, &lock, &until) && !free_chunks && freed == before &&
        is_device_slow())
      timed_out = freed + 1;
  }
  return NULL;
}

/* Takes a free chunk, waiting for one; NULL with the reason if there is none. */
static const char *take_chunk(const ag_async *async, int32_t device_index, chunk **taken) {
  const char *why = NULL;
  pthread_mutex_lock(&lock);
  if (!free_chunks && made < CHUNKS) {
    why = async->device->pin(device_index, AG_FETCHED + CHUNK, &chunks[made].memory);
    if (!why) free_chunks = &chunks[made++];
    if (why && made) why = NULL; /* the existing chunks will do */
  }
  if (!why) why = await_room();
  chunk *c = free_chunks;
  if (c) {
    free_chunks = c->next;
    c->next = NULL;
    c->read = 0;
    c->number = numbers = numbers + 1 ? numbers + 1 : 1;
    *(volatile uint32_t *)(void *)c->memory.host = 0;
  }
  pthread_mutex_unlock(&lock);
  *taken = c;
  return why;
}

static void give_chunk(job *j, chunk *c) {
  pthread_mutex_lock(&lock);
  if (j->last)
    j->last->next = c;
  else
    j->first = c;
  j->last = c;
  pthread_cond_signal(&news);
  pthread_mutex_unlock(&lock);
}

/* If it fails, the writer finds too few elements and reports that for the file. */
static void fill_job(job *j, bool in_memory, void *stream) {
  int64_t item = j->view.t.dtype->item_size, most = CHUNK / item, count;
  const char *why = NULL;
  for (int64_t first = 0; !why && first < j->view.t.numel; first += count) {
    chunk *c = NULL;
    count = j->view.t.numel - first < most ? j->view.t.numel - first : most;
    why = take_chunk(j->async, j->device_index, &c);
    if (!c) break;
    c->bytes = (size_t)(count * item);
    why = j->async->device->fetch(j->device_index, stream, &j->view.t, in_memory, first, count,
                                  c->number, &c->memory);
    if (why)
      free_chunk(c);
    else
      give_chunk(j, c);
  }
  if (why) snprintf(j->cut, sizeof j->cut, "%s", why);
}

static job *create_job(const ag_saving *what, const ag_view *view, ag_saved_file *saved) {
  pthread_once(&begun, start_writer);
  bool there = writes && !atomic_load(&stopping) && ag_thread_is_here(&writer);
  job *j = there ? calloc(1, sizeof *j) : NULL;
  if (!j) return NULL;
  j->what = *what;
  j->view = *view;
  j->saved = saved ? ag_saved_file_share(saved) : NULL;
  return j;
}

static void add_job(job *j) {
  pthread_mutex_lock(&lock);
  if (last_job)
    last_job->next = j;
  else
    first_job = j;
  last_job = j;
  pthread_cond_signal(&news);
  pthread_mutex_unlock(&lock);
}

static const char no_thread[] = "there is no thread to write it";

const char *ag_async_save(const ag_saving *what, const ag_view *view, bool in_memory,
                          const ag_async *async, int32_t device_index, void *stream,
                          ag_saved_file *saved) {
  job *j = create_job(what, view, saved);
  if (!j) return no_thread;
  j->async = async;
  j->device_index = device_index;
  pthread_mutex_lock(&turn);
  add_job(j);
  fill_job(j, in_memory, stream);
  pthread_mutex_lock(&lock);
  j->all = true;
  pthread_cond_signal(&news);
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&turn);
  return NULL;
}

const char *ag_async_save_again(const ag_saving *what, const ag_view *view, ag_saved_file *file) {
  job *j = create_job(what, view, file);
  if (!j) return no_thread;
  j->again = j->all = true;
  add_job(j);
  return NULL;
}

void ag_async_saver_settle(void); /* for tests: t/shim.h declares it */
void ag_async_saver_settle(void) {
  for (bool busy = true; busy; ag_time_sleep_us(SLEEP)) {
    pthread_mutex_lock(&lock);
    busy = first_job != NULL;
    pthread_mutex_unlock(&lock);
  }
}

/* counts.c - see counts.h. */
#define _GNU_SOURCE
#include "watch/counts.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/copy_notes.h"
#include "base/process_object.h"
#include "tensor/tensor.h"
#include "watch/identity.h"

/* ---- the table, which all copies of the library share ---------------------------------------- */

typedef struct shared {
  uint64_t size; /* of a table and a row: those of another version are left alone */
  _Atomic(ag_count_table *) table;
} shared;

enum { SIZE = sizeof(ag_count_table) << 16 | sizeof(ag_count_row) };

extern shared ag_counts_shared; /* for the note */
shared ag_counts_shared __attribute__((used)) = {.size = SIZE};
AG_COPY_NOTE(".note.aotigen_counts", 2, ag_counts_shared);

static void take_table(void *object, void *found) {
  shared *other = object;
  ag_count_table **table = found;
  if (other->size == SIZE && !*table) *table = atomic_load(&other->table);
}

static void begin_process(ag_count_table *table) {
  for (ag_count_row *row = atomic_load(&table->rows); row; row = row->next)
    for (int i = 0; i < AG_COUNTS; i++) atomic_store(&row->n[i], 0);
  atomic_flag_clear(&table->writing);
  atomic_store(&table->written, 0);
  atomic_store(&table->diagnosed, 0);
  atomic_store(&table->diagnosing, false);
  atomic_store(&table->process, getpid());
}

/* That of copies that are unloaded. A fork() meanwhile was told to none. */
static ag_count_table *find_left(const char *name) {
  ag_count_table *table = ag_process_object_find(name);
  if (table && atomic_load(&table->process) != getpid()) begin_process(table);
  return table;
}

static ag_count_table *make_table(const char *name) {
  ag_count_table *table = calloc(1, sizeof *table);
  if (!table) return NULL;
  atomic_store(&table->process, getpid());
  ag_process_object_leave(name, table);
  return table;
}

static void use_table(void *found) {
  ag_count_table **table = found;
  char name[64];
  snprintf(name, sizeof name, "aotigen_counts.%x", (unsigned)SIZE);
  if (!*table) *table = find_left(name);
  if (!*table) *table = make_table(name);
  atomic_store(&ag_counts_shared.table, *table);
}

static void find_table(void) {
  ag_count_table *table = NULL;
  ag_copy_notes_visit(AG_NOTE_COUNTS, take_table, use_table, &table);
}

ag_count_table *ag_counts_table(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_table);
  return atomic_load(&ag_counts_shared.table);
}

/* ---- the row of this model ------------------------------------------------------------------- */

static ag_count_row nowhere; /* counts what there is no memory for */
static _Atomic(ag_count_row *) own;

static bool is_of(const ag_count_row *row, const char *model, const char *package) {
  return !strcmp(row->model, model) && !strcmp(row->package, package);
}

/* Takes the row that an earlier load of the model has left. */
static ag_count_row *take_left(ag_count_table *table, const char *model, const char *package) {
  for (ag_count_row *row = table ? atomic_load(&table->rows) : NULL; row; row = row->next) {
    bool used = false;
    if (is_of(row, model, package) && atomic_compare_exchange_strong(&row->is_used, &used, true))
      return row;
  }
  return NULL;
}

static ag_count_row *add_row(ag_count_table *table, char *model, char *package) {
  ag_count_row *row = table && model && package ? calloc(1, sizeof *row) : NULL;
  if (!row) return &nowhere;
  row->model = model;
  row->package = package;
  row->is_used = true;
  row->next = atomic_load(&table->rows);
  while (!atomic_compare_exchange_weak(&table->rows, &row->next, row)) continue;
  return row;
}

static void find_row(void) {
  char *model = ag_watch_identity_text("model"), *package = ag_watch_identity_text("package");
  ag_count_table *table = ag_counts_table();
  ag_count_row *row = model && package ? take_left(table, model, package) : NULL;
  if (row) {
    free(model);
    free(package);
  } else {
    row = add_row(table, model, package);
  }
  atomic_store(&own, row);
}

static ag_count_row *find_own(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  ag_count_row *row = atomic_load(&own);
  if (row) return row;
  pthread_once(&once, find_row);
  return atomic_load(&own);
}

__attribute__((destructor)) static void leave_row(void) {
  ag_count_row *row = atomic_load(&own);
  if (row && row != &nowhere) atomic_store(&row->is_used, false);
}

static void begin_child(void) {
  ag_count_table *table = atomic_load(&ag_counts_shared.table);
  if (table) begin_process(table);
}

__attribute__((constructor(101))) static void set_up(void) {
  pthread_atfork(NULL, NULL, begin_child);
}

/* ---- counting -------------------------------------------------------------------------------- */

void ag_count(enum ag_count which, uint64_t n) {
  atomic_fetch_add_explicit(&find_own()->n[which], n, memory_order_relaxed);
}

void ag_count_finding(const char *kind) {
  static const struct {
    const char *kind;
    enum ag_count count;
  } kinds[] = {{"NaN", AG_COUNT_NAN},
               {"+Inf", AG_COUNT_POS_INF},
               {"-Inf", AG_COUNT_NEG_INF},
               {"exception", AG_COUNT_EXCEPTION},
               {"device error", AG_COUNT_LOST}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kinds[i].kind, kind)) {
      ag_count(kinds[i].count, 1);
      return;
    }
  ag_count(AG_COUNT_OTHER, 1);
}

void ag_count_on(int32_t device_type, int32_t device_index) {
  ag_count_row *row = find_own();
  char *none = NULL;
  ag_text name = {0};
  if (atomic_load(&row->device)) return;
  ag_device_describe(&name, device_type, device_index);
  if (!atomic_compare_exchange_strong(&row->device, &none, name.data)) ag_text_free(&name);
}

uint64_t ag_count_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void ag_count_time(uint64_t since) { ag_count(AG_COUNT_NS, ag_count_clock() - since); }

int ag_counts_read(aotigen_watch_counts *counts) {
  const ag_count_row *row = find_own();
  aotigen_watch_counts all = {
#define COUNT(NAME, field, ...) .field = atomic_load(&row->n[AG_COUNT_##NAME]),
#include "watch/counts.def"
  };
  all.size = counts->size < sizeof all ? counts->size : sizeof all;
  if (all.size < offsetof(aotigen_watch_counts, runs) + sizeof all.runs) return 1;
  memcpy(counts, &all, all.size);
  return 0;
}

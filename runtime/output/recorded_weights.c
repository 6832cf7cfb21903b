/* recorded_weights.c - see recorded_weights.h. A table by the hash of address and form. */
#define _GNU_SOURCE
#include "output/recorded_weights.h"

#include <stdlib.h>
#include <string.h>

#include "base/fork_lock.h"

enum { MOST = 1 << 16 };

typedef struct kept {
  const ag_model_state *model;
  unsigned long long generation; /* of its weights */
  uint64_t form;                 /* form_of(); 0: a free row */
  ledger_arg numbers;
} kept;

static struct {
  kept *rows;
  size_t n, room;      /* room: a power of two */
  uint64_t begin, end; /* of all of them */
} table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
AG_FORK_LOCK(lock)

bool ag_is_recorded_weight(const ag_model_state *m, const ag_arg *a) {
  return a->param->kind == AOTIGEN_WEIGHT && a->view.state == AG_VIEW_OK &&
         a->view.t.device_type == ag_backend_cpu.device_type && !ag_arg_may_be_written(a) &&
         ag_model_state_keeps_weights(m);
}

static uint64_t form_of(const ag_arg *a) {
  const ag_tensor *t = &a->view.t;
  const uint64_t head[] = {(uintptr_t)t->data, (uintptr_t)t->dtype, (uint64_t)t->ndim,
                           (uint64_t)(uint32_t)t->device_index};
  const size_t bytes = (size_t)t->ndim * sizeof *t->sizes;
  return ledger_sum(head, sizeof head) ^ ledger_sum(t->sizes, bytes) * 3 ^
         ledger_sum(t->strides, bytes) * 5;
}

/* The row of that form, or the free one where it belongs. */
static kept *row_of(kept *rows, size_t room, const ag_model_state *m, uint64_t form) {
  size_t i = form & (room - 1);
  while (rows[i].form && (rows[i].form != form || rows[i].model != m)) i = (i + 1) & (room - 1);
  return &rows[i];
}

static bool grow(void) {
  const size_t room = table.room ? table.room * 2 : 64;
  if (table.n * 2 < table.room) return true;
  if (room > MOST) return false;
  kept *rows = calloc(room, sizeof *rows);
  if (!rows) return false;
  for (size_t i = 0; i < table.room; i++)
    if (table.rows[i].form)
      *row_of(rows, room, table.rows[i].model, table.rows[i].form) = table.rows[i];
  free(table.rows);
  table.rows = rows;
  table.room = room;
  return true;
}

bool ag_recorded_weight_find(const ag_model_state *m, const ag_arg *a, ledger_arg *x) {
  const unsigned long long generation = atomic_load(&m->generation);
  bool found = false;
  pthread_mutex_lock(&lock);
  if (table.room) {
    const kept *k = row_of(table.rows, table.room, m, form_of(a));
    found = k->form && k->generation == generation;
    if (found) {
      const uint16_t param = x->param;
      *x = k->numbers;
      x->param = param;
      x->has |= LEDGER_IS_KEPT;
    }
  }
  pthread_mutex_unlock(&lock);
  return found;
}

void ag_recorded_weight_keep(const ag_model_state *m, const ag_arg *a, const ledger_arg *x) {
  if (!(x->has & LEDGER_HAS_SUMMARY)) return;
  pthread_mutex_lock(&lock);
  if (grow()) {
    kept *k = row_of(table.rows, table.room, m, form_of(a));
    table.n += !k->form;
    *k = (kept){m, atomic_load(&m->generation), form_of(a), *x};
    if (!table.end || x->begin < table.begin) table.begin = x->begin;
    if (x->end > table.end) table.end = x->end;
  }
  pthread_mutex_unlock(&lock);
}

void ag_recorded_weights_write(ag_model_state *m, const ag_view *view) {
  if (view->t.device_type != ag_backend_cpu.device_type) return;
  pthread_mutex_lock(&lock);
  const bool near = view->begin < table.end && table.begin < view->end;
  for (size_t i = 0; near && i < table.room; i++) {
    const kept *k = &table.rows[i];
    if (k->form && k->model == m && view->begin < k->numbers.end && k->numbers.begin < view->end)
      atomic_store(&m->weights_written, true);
  }
  pthread_mutex_unlock(&lock);
}

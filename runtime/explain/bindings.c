/* bindings.c - see bindings.h. */
#define _GNU_SOURCE
#include "explain/bindings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/interpret.h"

bool ag_interpreter_give_up(ag_interpreter *m, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!*m->why.text) {
    vsnprintf(m->why.text, sizeof m->why.text, format, args);
    m->why.overwritten = false;
  }
  va_end(args);
  return false;
}

void ag_interpreter_bind(ag_interpreter *m, int32_t loop, int64_t value) {
  m->loops.steps[loop] = value;
  m->loops.bound[loop] = true;
  m->loops.stamps[loop] = m->memo.epoch = ++m->memo.last_epoch;
}

void ag_interpreter_unbind(ag_interpreter *m, int32_t loop) {
  m->loops.bound[loop] = false;
  m->loops.stamps[loop] = m->memo.epoch = ++m->memo.last_epoch;
}

void ag_interpreter_unbind_all(ag_interpreter *m) {
  for (int32_t i = 0; i < m->g->nloops; i++) ag_interpreter_unbind(m, i);
  m->loops.lane = -1;
  m->memo.epoch = ++m->memo.last_epoch;
}

void ag_interpreter_bind_lane(ag_interpreter *m, int64_t lane) {
  m->loops.lane = lane;
  m->memo.epoch = ++m->memo.last_epoch;
}

/* ---- all of them ------------------------------------------------------------------------ */

void ag_bindings_drop(ag_bindings *s) {
  free(s->steps);
  free(s->bound);
  free(s->running);
  free(s->stamps);
}

bool ag_bindings_save(ag_interpreter *m, ag_bindings *s) {
  size_t n = (size_t)m->g->nloops + 1, ncarried = (size_t)m->g->ncarried + 1;
  *s = (ag_bindings){.steps = malloc(n * sizeof *s->steps),
                     .bound = malloc(n * sizeof *s->bound),
                     .running = malloc(ncarried),
                     .stamps = malloc(n * sizeof *s->stamps),
                     .lane = m->loops.lane,
                     .epoch = m->memo.epoch};
  if (!s->steps || !s->bound || !s->running || !s->stamps) {
    ag_bindings_drop(s);
    return ag_interpreter_give_up(m, "no memory is left");
  }
  memcpy(s->steps, m->loops.steps, n * sizeof *s->steps);
  memcpy(s->bound, m->loops.bound, n * sizeof *s->bound);
  memcpy(s->running, m->carried.running, ncarried);
  memcpy(s->stamps, m->loops.stamps, n * sizeof *s->stamps);
  return true;
}

void ag_bindings_restore(ag_interpreter *m, const ag_bindings *s) {
  size_t n = (size_t)m->g->nloops + 1;
  memcpy(m->loops.steps, s->steps, n * sizeof *s->steps);
  memcpy(m->loops.bound, s->bound, n * sizeof *s->bound);
  memcpy(m->carried.running, s->running, (size_t)m->g->ncarried + 1);
  memcpy(m->loops.stamps, s->stamps, n * sizeof *s->stamps);
  m->loops.lane = s->lane;
  m->memo.epoch = s->epoch;
}

/* ---- variables that follow from others ------------------------------------------------------- */

static bool find_direct(ag_interpreter *m, int32_t loop, int64_t *value) {
  *value = m->loops.steps[loop];
  return m->loops.bound[loop];
}

static bool find_constant(const ag_interpreter *m, int32_t node, int64_t *value) {
  const ag_graph_node *x = &m->g->nodes[node];
  const ag_operand *given = x->kind == NODE_PARAM ? &m->operands[x->index] : NULL;
  *value = given ? given->number.whole : x->value;
  return x->kind == NODE_INTEGER || (given && given->is_number);
}

/* The block size of a loop over elements, and its first value. */
static bool find_block(const ag_interpreter *m, const ag_graph_loop *l, int64_t *block,
                       int64_t *low) {
  *low = 0;
  return find_constant(m, l->step, block) && *block > 0 &&
         (l->low < 0 || find_constant(m, l->low, low));
}

/* The loop over the programs of an axis. */
static int32_t find_programs(const ag_interpreter *m, int32_t axis) {
  for (int32_t i = 0; i < m->g->nloops; i++) {
    const ag_graph_loop *l = &m->g->loops[i];
    if (l->kind == LOOP_GRID && l->tile < 0 && l->axis == axis) return i;
  }
  return -1;
}

/* The number of an element, from its program or iteration and its place. */
static bool join_step(ag_interpreter *m, const ag_graph_loop *l, int64_t *value) {
  int32_t over = l->kind == LOOP_GRID ? find_programs(m, l->axis) : l->over;
  int64_t first, place, block, low;
  if (over < 0 || !find_direct(m, over, &first) || !find_direct(m, l->tile, &place) ||
      !find_block(m, l, &block, &low))
    return false;
  *value = l->kind == LOOP_GRID ? first * block + place : first + place;
  return true;
}

/* The part of an element's number that belongs to `loop`: a place, an iteration or a program. */
static bool split_step(ag_interpreter *m, const ag_graph_loop *of, int32_t loop, int64_t *value) {
  int64_t element, block, low;
  bool program = of->kind == LOOP_GRID && m->g->loops[loop].kind == LOOP_GRID &&
                 m->g->loops[loop].axis == of->axis;
  if (of->tile < 0 || !(of->tile == loop || of->over == loop || program) ||
      !find_direct(m, (int32_t)(of - m->g->loops), &element) || !find_block(m, of, &block, &low))
    return false;
  int64_t place = (element - low) % block;
  *value = of->tile == loop ? place : program ? element / block : element - place;
  return true;
}

bool ag_interpreter_find_step(ag_interpreter *m, int32_t loop, int64_t *value) {
  const ag_graph_loop *l = &m->g->loops[loop];
  if (find_direct(m, loop, value)) return true;
  if (!m->g->triton) return false;
  if (l->tile >= 0) return join_step(m, l, value);
  for (int32_t i = 0; i < m->g->nloops; i++)
    if (split_step(m, &m->g->loops[i], loop, value)) return true;
  return false;
}

void ag_interpreter_split(ag_interpreter *m, int32_t tile, int32_t over) {
  for (int32_t i = 0; i < m->g->nloops; i++) {
    const ag_graph_loop *l = &m->g->loops[i];
    int32_t block = l->kind == LOOP_GRID ? find_programs(m, l->axis) : l->over;
    int64_t first, place;
    bool concerned = l->tile >= 0 && (l->tile == tile || (over >= 0 && l->over == over));
    if (!concerned || !m->loops.bound[i] || block < 0) continue;
    if (!split_step(m, l, block, &first) || !split_step(m, l, l->tile, &place)) continue;
    ag_interpreter_bind(m, block, first);
    ag_interpreter_bind(m, l->tile, place);
    ag_interpreter_unbind(m, i);
  }
}

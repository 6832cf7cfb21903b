/* interpret.c - see interpret.h. */
#define _GNU_SOURCE
#include "explain/interpret.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  DEPTH_MOST = 600,
  ARGS_MOST = 16,
  CARRIED_MOST = 64,
  WORK_MOST = 20000000,
  LANES_MOST = 256
};

/* ---- the interpreter ------------------------------------------------------------------------ */

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool ag_interpreter_begin(ag_interpreter *m, const ag_graph *g, const ag_operand *operands,
                          ag_interpret_load *load) {
  *m = (ag_interpreter){
      .g = g, .operands = operands, .load = load, .lane = -1, .epoch = 1, .last_epoch = 1};
  m->deadline = now() + 200000000u;
  m->steps = calloc((size_t)g->nloops + 1, sizeof *m->steps);
  m->bound = calloc((size_t)g->nloops + 1, sizeof *m->bound);
  m->carried = calloc((size_t)g->ncarried + 1, sizeof *m->carried);
  m->running = calloc((size_t)g->ncarried + 1, sizeof *m->running);
  m->memo = calloc((size_t)g->nnodes + 1, sizeof *m->memo);
  m->memo_epoch = calloc((size_t)g->nnodes + 1, sizeof *m->memo_epoch);
  if (m->steps && m->bound && m->carried && m->running && m->memo && m->memo_epoch) return true;
  ag_interpreter_end(m);
  return false;
}

void ag_interpreter_end(ag_interpreter *m) {
  free(m->steps);
  free(m->bound);
  free(m->carried);
  free(m->running);
  free(m->memo);
  free(m->memo_epoch);
}

bool ag_interpreter_give_up(ag_interpreter *m, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!*m->why) vsnprintf(m->why, sizeof m->why, format, args);
  va_end(args);
  return false;
}

void ag_interpreter_bind(ag_interpreter *m, int32_t loop, int64_t value) {
  m->steps[loop] = value;
  m->bound[loop] = true;
  m->epoch = ++m->last_epoch;
}

void ag_interpreter_bind_lane(ag_interpreter *m, int64_t lane) {
  m->lane = lane;
  m->epoch = ++m->last_epoch;
}

/* The innermost loop that goes by more than one. */
int64_t ag_interpreter_loop_width(const ag_interpreter *m, int32_t loop) {
  for (; loop >= 0; loop = m->g->loops[loop].outer) {
    const ag_graph_loop *l = &m->g->loops[loop];
    const ag_graph_node *step = l->is == AG_LOOP_FOR && l->step >= 0 ? &m->g->nodes[l->step] : NULL;
    if (step && step->is == AG_NODE_INTEGER && step->value > 1)
      return step->value <= LANES_MOST ? step->value : 0;
  }
  return 0;
}

int64_t ag_interpreter_width(const ag_interpreter *m, int32_t node) {
  const ag_graph_node *x = &m->g->nodes[node];
  for (int depth = 0; depth < 8 && x->is == AG_NODE_OP && x->n; depth++)
    x = &m->g->nodes[x->args[0]];
  return x->is == AG_NODE_AFTER ? ag_interpreter_loop_width(m, m->g->carried[x->index].loop) : 0;
}

static bool may_go_on(ag_interpreter *m) {
  m->work++;
  if (m->work > WORK_MOST || (m->work % 4096 == 0 && now() > m->deadline))
    return ag_interpreter_give_up(m, "it takes more than 0.2 s to compute");
  return true;
}

/* ---- loops ---------------------------------------------------------------------------------- */

typedef struct span {
  int64_t low, high, step;
} span;

static bool find_span(ag_interpreter *m, const ag_graph_loop *l, span *s) {
  if (l->is != AG_LOOP_FOR || l->low < 0 || l->high < 0 || l->step < 0)
    return ag_interpreter_give_up(m, "the loop '%s' has no bounds", l->name);
  if (!ag_interpret_whole(m, l->low, &s->low) || !ag_interpret_whole(m, l->high, &s->high) ||
      !ag_interpret_whole(m, l->step, &s->step))
    return false;
  return s->step > 0 || ag_interpreter_give_up(m, "the loop '%s' has no step", l->name);
}

/* The variables of one loop. */
typedef struct loop_run {
  int32_t list[CARRIED_MOST];
  ag_number next[CARRIED_MOST], outer[CARRIED_MOST];
  int n;
} loop_run;

static bool list_carried(ag_interpreter *m, int32_t after, int32_t loop, loop_run *r) {
  r->n = 0;
  for (int32_t i = 0; i < m->g->ncarried; i++) {
    const ag_graph_carried *c = &m->g->carried[i];
    if (c->loop != loop || c->next < 0 || c->next >= after || c->first >= after) continue;
    if (r->n == CARRIED_MOST)
      return ag_interpreter_give_up(m, "a loop carries more than %d variables", CARRIED_MOST);
    r->list[r->n++] = i;
  }
  return true;
}

static bool begin_loop(ag_interpreter *m, loop_run *r) {
  for (int i = 0; i < r->n; i++)
    if (!ag_interpret(m, m->g->carried[r->list[i]].first, &r->next[i])) return false;
  for (int i = 0; i < r->n; i++) {
    r->outer[i] = m->carried[r->list[i]];
    m->carried[r->list[i]] = r->next[i];
    m->running[r->list[i]] = true;
  }
  return true;
}

static bool run_iteration(ag_interpreter *m, loop_run *r) {
  for (int i = 0; i < r->n; i++)
    if (!ag_interpret(m, m->g->carried[r->list[i]].next, &r->next[i])) return false;
  return true;
}

static bool run_loop(ag_interpreter *m, int32_t after, int32_t wanted, loop_run *r,
                     ag_number_test *is_bad, bool *found) {
  int32_t loop = m->g->carried[wanted].loop;
  span s = {0};
  if (!list_carried(m, after, loop, r) || !find_span(m, &m->g->loops[loop], &s) ||
      !begin_loop(m, r))
    return false;
  for (int64_t v = s.low; v < s.high; v += s.step) {
    ag_interpreter_bind(m, loop, v);
    if (!may_go_on(m) || !run_iteration(m, r)) return false;
    for (int i = 0; i < r->n && is_bad; i++)
      if (r->list[i] == wanted && is_bad(r->next[i])) return *found = true;
    for (int i = 0; i < r->n; i++) m->carried[r->list[i]] = r->next[i];
    if (v > INT64_MAX - s.step) break;
  }
  return true;
}

/* Where the test passes, what it holds after the loop is not computed. stay: the loop is then left
 * in that iteration. */
static bool execute_loop(ag_interpreter *m, int32_t after, ag_number_test *is_bad, bool stay,
                         ag_first *first, ag_number *value) {
  int32_t wanted = m->g->nodes[after].index, loop = m->g->carried[wanted].loop;
  loop_run *r = calloc(1, sizeof *r);
  uint32_t epoch = m->epoch;
  int64_t step = m->steps[loop];
  bool bound = m->bound[loop];
  *first = (ag_first){0};
  if (!r) return ag_interpreter_give_up(m, "no memory is left");
  bool done = run_loop(m, after, wanted, r, is_bad, &first->found);
  first->step = m->steps[loop];
  if (done && !(first->found && stay)) {
    *value = m->carried[wanted];
    for (int i = 0; i < r->n; i++) {
      m->carried[r->list[i]] = r->outer[i];
      m->running[r->list[i]] = false;
    }
    m->steps[loop] = step;
    m->bound[loop] = bound;
    m->epoch = epoch;
  }
  free(r);
  return done;
}

bool ag_interpret_until(ag_interpreter *m, int32_t after, ag_number_test *is_bad, bool stay,
                        ag_first *first) {
  ag_number last;
  return execute_loop(m, after, is_bad, stay, first, &last);
}

/* ---- operators ------------------------------------------------------------------------------ */

static bool interpret_where(ag_interpreter *m, const ag_graph_node *x, ag_number *value) {
  ag_number test;
  if (!ag_interpret(m, x->args[0], &test)) return false;
  if (!ag_interpret(m, x->args[ag_number_is_true(test) ? 1 : 2], value)) return false;
  *value = ag_number_cast(*value, (ag_type)x->type);
  return true;
}

/* "sum_masked_reduce" and so on of a vector, another, and how many lanes of that there are. */
static const char *name_masked(const char *name) {
  static const char *const names[][2] = {{"sum_masked_reduce", "+"},
                                         {"prod_masked_reduce", "*"},
                                         {"max_masked_reduce", "maximum"},
                                         {"min_masked_reduce", "minimum"},
                                         {NULL, NULL}};
  for (int i = 0; names[i][0]; i++)
    if (strcmp(names[i][0], name) == 0) return names[i][1];
  return NULL;
}

static bool interpret_masked(ag_interpreter *m, const ag_graph_node *x, ag_number *value) {
  ag_number args[2];
  int64_t n = 0;
  if (!ag_interpret(m, x->args[0], &args[0]) || !ag_interpret_whole(m, x->args[2], &n))
    return false;
  if (m->lane < 0) return ag_interpreter_give_up(m, "a vector without a lane");
  *value = args[0];
  if (m->lane >= n) return true;
  if (!ag_interpret(m, x->args[1], &args[1])) return false;
  return ag_operator_apply(ag_operator_find(name_masked(x->text), 2), AG_TYPE_ANY, args, 2, value);
}

static bool reduce_lanes(ag_interpreter *m, const ag_graph_node *x, int op, int64_t width,
                         ag_number *value) {
  for (int64_t i = 0; i < width; i++) {
    ag_number args[2] = {*value, {0}};
    ag_interpreter_bind_lane(m, i);
    if (!ag_interpret(m, x->args[1], &args[1])) return false;
    *value = args[1];
    if (i && !ag_operator_apply(op, AG_TYPE_ANY, args, 2, value))
      return ag_interpreter_give_up(m, "'%s' of other numbers", x->text);
  }
  return true;
}

/* "vec_reduce_all(function:+, x)" */
static bool interpret_all_lanes(ag_interpreter *m, const ag_graph_node *x, ag_number *value) {
  const char *f = m->g->nodes[x->args[0]].text;
  int op = f && strncmp(f, "function:", 9) == 0 ? ag_operator_find(f + 9, 2) : -1;
  int64_t width = ag_interpreter_width(m, x->args[1]), lane = m->lane;
  uint32_t epoch = m->epoch;
  if (op < 0 || !width) return ag_interpreter_give_up(m, "'%s' is not known", x->text);
  bool done = reduce_lanes(m, x, op, width, value);
  m->lane = lane;
  m->epoch = epoch;
  return done;
}

static bool apply_operator(ag_interpreter *m, const ag_graph_node *x, ag_number *value) {
  ag_number args[ARGS_MOST];
  if (x->op < 0 || x->n > ARGS_MOST) return ag_interpreter_give_up(m, "'%s' is not known", x->text);
  for (int32_t i = 0; i < x->n; i++)
    if (!ag_interpret(m, x->args[i], &args[i])) return false;
  return ag_operator_apply(x->op, (ag_type)x->type, args, x->n, value) ||
         ag_interpreter_give_up(m, "'%s' of such numbers", x->text);
}

static bool interpret_operator(ag_interpreter *m, const ag_graph_node *x, ag_number *value) {
  if (x->n == 3 && strcmp(x->text, "where") == 0) return interpret_where(m, x, value);
  if (x->n == 2 && strcmp(x->text, "vec_reduce_all") == 0) return interpret_all_lanes(m, x, value);
  if (x->n == 3 && name_masked(x->text)) return interpret_masked(m, x, value);
  if (x->n == 1 && strcmp(x->text, "cast") == 0) {
    if (!ag_interpret(m, x->args[0], value)) return false;
    *value = ag_number_cast(*value, (ag_type)x->type);
    return x->type != AG_TYPE_F8 || ag_interpreter_give_up(m, "a float of 8 bits");
  }
  return apply_operator(m, x, value);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static bool interpret_step(ag_interpreter *m, const ag_graph_node *x, ag_number *value) {
  const ag_graph_loop *l = &m->g->loops[x->index];
  bool lanes = l->is == AG_LOOP_LANES;
  if (lanes ? m->lane < 0 : !m->bound[x->index])
    return ag_interpreter_give_up(m, "it depends on the iteration of '%s'", l->name);
  *value = ag_number_of_whole(lanes ? m->lane : m->steps[x->index], (ag_type)x->type);
  return true;
}

static bool interpret_node(ag_interpreter *m, int32_t node, ag_number *value) {
  const ag_graph_node *x = &m->g->nodes[node];
  ag_first first;
  switch (x->is) {
    case AG_NODE_INTEGER: *value = ag_number_of_whole(x->value, (ag_type)x->type); return true;
    case AG_NODE_FLOAT: *value = ag_number_of_real(x->real, (ag_type)x->type); return true;
    case AG_NODE_PARAM:
      if (!m->operands[x->index].is_number)
        return ag_interpreter_give_up(m, "a number that the kernel was given is not known");
      *value = ag_number_cast(m->operands[x->index].number, (ag_type)x->type);
      return true;
    case AG_NODE_STEP: return interpret_step(m, x, value);
    case AG_NODE_LOAD: return m->load(m, node, value);
    case AG_NODE_CARRIED:
      *value = m->carried[x->index];
      return m->running[x->index] ||
             ag_interpreter_give_up(m, "it depends on the iterations before, in '%s'",
                                    m->g->carried[x->index].name);
    case AG_NODE_AFTER: return execute_loop(m, node, NULL, false, &first, value);
    case AG_NODE_OP: return interpret_operator(m, x, value);
    default: return ag_interpreter_give_up(m, "%s", x->text);
  }
}

bool ag_interpret(ag_interpreter *m, int32_t node, ag_number *value) {
  if (m->memo_epoch[node] == m->epoch) {
    *value = m->memo[node];
    return true;
  }
  if (!may_go_on(m)) return false;
  if (m->depth >= DEPTH_MOST) return ag_interpreter_give_up(m, "its expression is too deep");
  m->depth++;
  bool done = interpret_node(m, node, value);
  m->depth--;
  if (done) {
    m->memo[node] = *value;
    m->memo_epoch[node] = m->epoch;
  }
  return done;
}

bool ag_interpret_whole(ag_interpreter *m, int32_t node, int64_t *value) {
  ag_number x;
  if (!ag_interpret(m, node, &x)) return false;
  if (ag_type_is_real(x.type)) return ag_interpreter_give_up(m, "an index that is not an integer");
  *value = x.whole;
  return true;
}

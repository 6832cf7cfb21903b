/* interpret.c - see interpret.h. */
#define _GNU_SOURCE
#include "explain/interpret.h"

#include <stdlib.h>
#include <string.h>

#include "explain/fold.h"
#include "explain/lanes.h"
#include "explain/loop_run.h"
#include "explain/work.h"

enum { DEPTH_MOST = 600, ARGS_MOST = 16, BLOCK_MOST = 1 << 22 };

/* ---- the interpreter ------------------------------------------------------------------------ */

bool ag_interpreter_begin(ag_interpreter *m, const ag_graph *g, const ag_operand *operands,
                          ag_interpret_load *load) {
  *m = (ag_interpreter){.g = g, .operands = operands, .load = load, .loops.lane = -1};
  m->memo.epoch = m->memo.last_epoch = 1;
  m->work = (uint64_t)g->nnodes;
  m->work_most = AG_WORK_MOST;
  m->loops.steps = calloc((size_t)g->nloops + 1, sizeof *m->loops.steps);
  m->loops.bound = calloc((size_t)g->nloops + 1, sizeof *m->loops.bound);
  m->loops.stamps = calloc((size_t)g->nloops + 1, sizeof *m->loops.stamps);
  m->carried.values = calloc((size_t)g->ncarried + 1, sizeof *m->carried.values);
  m->carried.running = calloc((size_t)g->ncarried + 1, sizeof *m->carried.running);
  m->memo.values = calloc((size_t)g->nnodes + 1, sizeof *m->memo.values);
  m->memo.keys = calloc((size_t)g->nnodes + 1, sizeof *m->memo.keys);
  m->memo.is_stored = calloc((size_t)g->nnodes + 1, sizeof *m->memo.is_stored);
  bool done = m->loops.steps && m->loops.bound && m->loops.stamps && m->carried.values &&
              m->carried.running && m->memo.values && m->memo.keys && m->memo.is_stored &&
              ag_depends_begin(&m->depends, g);
  if (!done) ag_interpreter_end(m);
  return done;
}

void ag_interpreter_end(ag_interpreter *m) {
  free(m->loops.steps);
  free(m->loops.bound);
  free(m->loops.stamps);
  free(m->carried.values);
  free(m->carried.running);
  free(m->memo.values);
  free(m->memo.keys);
  free(m->memo.is_stored);
  ag_depends_end(&m->depends);
}

bool ag_interpreter_may_go_on(ag_interpreter *m) {
  return ++m->work <= m->work_most || ag_interpreter_give_up(m, AG_WORK_IS_TOO_MUCH);
}

/* ---- what was computed ---------------------------------------------------------------------- */

/* A key that changes when something changes that the node depends on. */
static uint64_t key_of(const ag_interpreter *m, int32_t node) {
  uint64_t loops = m->depends.loops[node], key = UINT64_C(0x9e3779b97f4a7c15);
  if (loops & AG_DEPENDS_ALL) return AG_DEPENDS_ALL | m->memo.epoch;
  for (; loops; loops &= loops - 1) {
    key = (key ^ m->loops.stamps[__builtin_ctzll(loops)]) * UINT64_C(0xff51afd7ed558ccd);
    key ^= key >> 32;
  }
  return key & ~AG_DEPENDS_ALL;
}

/* ---- loops ---------------------------------------------------------------------------------- */

bool ag_interpreter_find_span(ag_interpreter *m, int32_t loop, ag_span *s) {
  const ag_graph_loop *l = &m->g->loops[loop];
  if (l->kind != LOOP_FOR || l->low < 0 || l->high < 0 || l->step < 0)
    return ag_interpreter_give_up(m, "the loop '%s' has no bounds", l->name);
  if (!ag_interpret_whole(m, l->low, &s->low) || !ag_interpret_whole(m, l->high, &s->high) ||
      !ag_interpret_whole(m, l->step, &s->step))
    return false;
  return s->step > 0 || ag_interpreter_give_up(m, "the loop '%s' has no step", l->name);
}

static bool begin_loop(ag_interpreter *m, ag_loop_run *run) {
  for (int i = 0; i < run->n; i++)
    if (!ag_interpret(m, m->g->carried[run->list[i]].first, &run->next[i])) return false;
  for (int i = 0; i < run->n; i++) {
    run->outer[i] = m->carried.values[run->list[i]];
    m->carried.values[run->list[i]] = run->next[i];
    m->carried.running[run->list[i]] = true;
  }
  return true;
}

static bool run_iteration(ag_interpreter *m, ag_loop_run *run) {
  for (int i = 0; i < run->n; i++)
    if (!ag_interpret(m, m->g->carried[run->list[i]].next, &run->next[i])) return false;
  return true;
}

/* Runs the loop to its end; for a variable at the start of an iteration, up to that iteration. */
static bool run_loop(ag_interpreter *m, int32_t node, ag_loop_run *run, ag_number_test *is_bad,
                     bool *found) {
  bool whole = m->g->nodes[node].kind == NODE_AFTER;
  int32_t wanted = m->g->nodes[node].index, loop = m->g->carried[wanted].loop;
  int32_t after = whole ? node : m->g->nnodes;
  int64_t last = INT64_MAX;
  ag_span s = {0};
  if (!whole && !ag_interpreter_find_step(m, loop, &last))
    return ag_interpreter_give_up(m, "it depends on the iterations before, in '%s'",
                                  m->g->carried[wanted].name);
  if (!ag_loop_run_list(run, m->g, &m->depends, after, wanted))
    return ag_interpreter_give_up(m, "a loop carries more than %d variables", LOOP_CARRIED);
  if (!ag_interpreter_find_span(m, loop, &s) || !begin_loop(m, run)) return false;
  ag_interpreter_split(m, -1, loop);
  for (int64_t v = s.low; v < s.high && v < last; v += s.step) {
    ag_interpreter_bind(m, loop, v);
    if (!ag_interpreter_may_go_on(m) || !run_iteration(m, run)) return false;
    for (int i = 0; i < run->n && is_bad; i++)
      if (run->list[i] == wanted && is_bad(run->next[i])) return *found = true;
    for (int i = 0; i < run->n; i++) m->carried.values[run->list[i]] = run->next[i];
    if (v > INT64_MAX - s.step) break;
  }
  return true;
}

/* Stores the final values of all variables of the loop: one run computes them all. */
static void remember_all(ag_interpreter *m, const ag_loop_run *run) {
  for (int32_t node = 0; node < m->g->nnodes; node++) {
    const ag_graph_node *x = &m->g->nodes[node];
    for (int i = 0; i < run->n && x->kind == NODE_AFTER; i++) {
      if (run->list[i] != x->index) continue;
      m->memo.values[node] = run->last[i];
      m->memo.keys[node] = key_of(m, node);
    }
  }
}

/* Runs the loop. If a value passes the test, the value after the loop is not computed. stay: the
 * bindings then remain those of that iteration. */
static bool execute_loop(ag_interpreter *m, int32_t node, ag_number_test *is_bad, bool stay,
                         ag_first *first, ag_number *value) {
  int32_t wanted = m->g->nodes[node].index, loop = m->g->carried[wanted].loop;
  ag_loop_run *r = calloc(1, sizeof *r);
  ag_bindings s;
  *first = (ag_first){0};
  if (!r) return ag_interpreter_give_up(m, "no memory is left");
  if (!ag_bindings_save(m, &s)) {
    free(r);
    return false;
  }
  bool done = run_loop(m, node, r, is_bad, &first->found);
  first->step = m->loops.steps[loop];
  if (done && !(first->found && stay)) {
    *value = m->carried.values[wanted];
    for (int i = 0; i < r->n; i++) r->last[i] = m->carried.values[r->list[i]];
    for (int i = 0; i < r->n; i++) m->carried.values[r->list[i]] = r->outer[i];
    ag_bindings_restore(m, &s);
    for (int i = 0; i < r->n; i++) m->carried.running[r->list[i]] = false;
    if (m->g->nodes[node].kind == NODE_AFTER && !first->found) remember_all(m, r);
  }
  ag_bindings_drop(&s);
  free(r);
  return done;
}

bool ag_interpret_until(ag_interpreter *m, int32_t node, ag_number_test *is_bad, bool stay,
                        ag_first *first) {
  ag_number last;
  return execute_loop(m, node, is_bad, stay, first, &last);
}

/* ---- operators ------------------------------------------------------------------------------ */

static bool interpret_where(ag_interpreter *m, const ag_graph_node *node, ag_number *value) {
  ag_number test;
  if (!ag_interpret(m, node->args[0], &test)) return false;
  if (!ag_interpret(m, node->args[ag_number_is_true(test) ? 1 : 2], value)) return false;
  *value = ag_number_cast(*value, (graph_type)node->type);
  return true;
}

static bool interpret_masked(ag_interpreter *m, const ag_graph_node *node, ag_number *value) {
  ag_number args[2];
  int64_t n = 0;
  if (!ag_interpret(m, node->args[0], &args[0]) || !ag_interpret_whole(m, node->args[2], &n))
    return false;
  if (m->loops.lane < 0) return ag_interpreter_give_up(m, "a vector without a lane");
  *value = args[0];
  if (m->loops.lane >= n) return true;
  if (!ag_interpret(m, node->args[1], &args[1])) return false;
  return ag_operator_apply(ag_lanes_find_masked(node->op), GRAPH_ANY, args, 2, value);
}

/* The values of n nodes for each lane, one lane after another; the caller frees them. NULL after
 * giving up. They are not on the stack, since each node has a frame. */
static ag_number *read_lanes(ag_interpreter *m, const int32_t *nodes, int n, int64_t width) {
  ag_number *lanes = calloc((size_t)width * (size_t)n, sizeof *lanes);
  int64_t lane = m->loops.lane;
  uint32_t epoch = m->memo.epoch;
  bool done = lanes || ag_interpreter_give_up(m, "no memory is left");
  for (int64_t i = 0; done && i < width; i++) {
    ag_interpreter_bind_lane(m, i);
    for (int k = 0; done && k < n; k++) done = ag_interpret(m, nodes[k], &lanes[i * n + k]);
  }
  m->loops.lane = lane;
  m->memo.epoch = epoch;
  if (done) return lanes;
  free(lanes);
  return NULL;
}

/* Reduces a vector that no iteration changed and whose width is not known, such as zeros. */
static bool interpret_same_lanes(ag_interpreter *m, const ag_graph_node *node, int op,
                                 ag_number *value) {
  ag_number both[2], joined;
  if (!ag_interpret(m, node->args[1], value)) return false;
  both[0] = both[1] = *value;
  bool real = ag_graph_type_is_float(value->type);
  bool same = ag_operator_apply(op, GRAPH_ANY, both, 2, &joined) &&
              (real ? joined.real == value->real : joined.whole == value->whole);
  return same || ag_interpreter_give_up(m, "'%s' of a vector without a width", node->text);
}

/* "vec_reduce_all(function:+, node)" */
static bool interpret_all_lanes(ag_interpreter *m, const ag_graph_node *node, ag_number *value) {
  ag_op op = ag_op_find_function(m->g->nodes[node->args[0]].text);
  int64_t width = ag_lanes_of_node(m->g, node->args[1]);
  if (!ag_operator_is_known(op)) return ag_interpreter_give_up(m, "'%s' is not known", node->text);
  if (!width) return interpret_same_lanes(m, node, op, value);
  ag_number *lanes = read_lanes(m, &node->args[1], 1, width);
  if (!lanes) return false;
  bool joined = ag_lanes_join(op, lanes, width);
  *value = lanes[0];
  free(lanes);
  return joined || ag_interpreter_give_up(m, "'%s' of other numbers", node->text);
}

/* "all_zero(mask)": true if the mask is set in no lane. Its value in this lane may decide it. */
static bool interpret_all_zero(ag_interpreter *m, const ag_graph_node *node, ag_number *value) {
  int64_t width = ag_lanes_below(m->g, node->args[0]), set = 0;
  if (m->loops.lane >= 0 && !ag_interpret(m, node->args[0], value)) return false;
  if (m->loops.lane < 0 || !ag_number_is_true(*value)) {
    ag_number *lanes = width ? read_lanes(m, node->args, 1, width) : NULL;
    if (!lanes) return ag_interpreter_give_up(m, "'%s' is not known", node->text);
    for (int64_t i = 0; i < width; i++) set += ag_number_is_true(lanes[i]);
    free(lanes);
  } else {
    set = 1;
  }
  *value = (ag_number){.type = GRAPH_BOOL, .whole = !set};
  return true;
}

static bool interpret_welford(ag_interpreter *m, const ag_graph_node *all, int64_t part,
                              ag_number *value) {
  int64_t width = ag_lanes_of_node(m->g, all->args[AG_WELFORD_MEAN]);
  if (width < 1 || width > AG_LANES_MOST || (width & (width - 1)))
    return ag_interpreter_give_up(m, "'%s' is not known", all->text);
  ag_number(*lanes)[AG_WELFORD] = (void *)read_lanes(m, all->args, AG_WELFORD, width);
  if (!lanes) return false;
  bool known = ag_lanes_are_of_welford(lanes, width);
  if (known) ag_lanes_join_welford(lanes, width);
  *value = lanes[0][part];
  free(lanes);
  return known || ag_interpreter_give_up(m, "'%s' of such numbers", all->text);
}

static bool interpret_lanes(ag_interpreter *m, const ag_graph_node *node, ag_number *value) {
  int64_t part;
  const ag_graph_node *all = ag_lanes_find_welford(m->g, node, &part);
  if (all) return interpret_welford(m, all, part, value);
  return node->n == 2 ? interpret_all_lanes(m, node, value) : interpret_masked(m, node, value);
}

static bool apply_operator(ag_interpreter *m, const ag_graph_node *node, ag_number *value) {
  ag_number args[ARGS_MOST];
  ag_op op = node->op;
  if (!ag_operator_is_known(op) || node->n > ARGS_MOST)
    return ag_interpreter_give_up(m, "'%s' is not known", node->text);
  for (int32_t i = 0; i < node->n; i++)
    if (!ag_interpret(m, node->args[i], &args[i])) return false;
  m->reordered = m->reordered || ag_operator_reorders(op);
  return ag_operator_apply(op, (graph_type)node->type, args, node->n, value) ||
         ag_interpreter_give_up(m, "'%s' of such numbers", node->text);
}

/* The node of "item(node, 1)" if it is an operator with several results; else NULL. */
static const ag_graph_node *find_several(const ag_interpreter *m, const ag_graph_node *node) {
  const ag_graph_node *of = node->op == AG_OP_ITEM ? &m->g->nodes[node->args[0]] : NULL;
  return of && ag_fold_is_several(of->op) ? of : NULL;
}

static bool interpret_several(ag_interpreter *m, const ag_graph_node *node, const ag_graph_node *of,
                              ag_number *value) {
  ag_number args[ARGS_MOST];
  int64_t part = 0;
  if (!ag_interpret_whole(m, node->args[1], &part)) return false;
  for (int i = 0; i < of->n; i++)
    if (!ag_interpret(m, of->args[i], &args[i])) return false;
  return ag_fold_several(of->op, args, part, value) ||
         ag_interpreter_give_up(m, "'%s' of such numbers", of->text);
}

/* The last element of a block, if it is the current one. */
static bool interpret_last(ag_interpreter *m, const ag_graph_node *node, ag_number *value) {
  ag_number is_last;
  if (!ag_interpret(m, node->args[1], &is_last)) return false;
  if (!ag_number_is_true(is_last)) return ag_interpreter_give_up(m, "'%s' of a block", node->text);
  return ag_interpret(m, node->args[0], value);
}

static bool interpret_operator(ag_interpreter *m, const ag_graph_node *node, ag_number *value) {
  if (node->op == AG_OP_WHERE) return interpret_where(m, node, value);
  bool lanes = ag_lanes_find_vector(m->g, node) >= 0 || ag_lanes_find_masked(node->op);
  if (lanes) return interpret_lanes(m, node, value);
  if (node->op == AG_OP_ALL_ZERO) return interpret_all_zero(m, node, value);
  if (node->op == AG_OP_CAST) {
    if (!ag_interpret(m, node->args[0], value)) return false;
    *value = ag_number_cast(*value, (graph_type)node->type);
    bool known = node->type != GRAPH_F8 || value->real != value->real; /* NaN stays NaN */
    return known || ag_interpreter_give_up(m, "a float of 8 bits");
  }
  if (node->op == AG_OP_CAST_FLOAT8E5 || node->op == AG_OP_CAST_FLOAT8E4NV)
    return ag_interpret(m, node->args[0], value) &&
           (ag_number_cast_float8(node->op, value) ||
            ag_interpreter_give_up(m, "a float of 8 bits"));
  const ag_graph_node *several = find_several(m, node);
  if (several) return interpret_several(m, node, several, value);
  if (node->op == AG_OP_SELECT_ONE) return interpret_last(m, node, value);
  return apply_operator(m, node, value);
}

/* ---- reductions over a block ----------------------------------------------------------------- */

/* True if a running loop's value is known only for the current place in its block. */
static bool is_held_apart(const ag_interpreter *m, const ag_reduction *reduction) {
  uint64_t open = 0, tiles = 0;
  for (int i = 0; i < reduction->n; i++) open |= m->depends.open[reduction->args[i]];
  for (int i = 0; i < reduction->ntiles; i++) tiles |= UINT64_C(1) << reduction->tiles[i];
  for (int32_t i = 0; i < m->g->ncarried && open; i++)
    if (open >> i % 64 & 1 && m->depends.carried[i] & tiles) return true;
  return false;
}

static bool fold_element(ag_interpreter *m, const ag_reduction *reduction, ag_number_test *is_bad,
                         ag_folding *f, ag_reduced *to) {
  ag_number x[AG_REDUCTION_ARGS] = {{0}};
  to->before = f->state[reduction->part];
  to->first = !f->begun;
  for (int i = 0; i < reduction->n; i++)
    if (!ag_interpret(m, reduction->args[i], &x[i])) return false;
  if (!ag_interpreter_may_go_on(m)) return false;
  if (!ag_fold_add(f, reduction, x))
    return ag_interpreter_give_up(m, "'%s' of such numbers", reduction->name);
  to->found = is_bad && is_bad(f->state[reduction->part]);
  return true;
}

static bool fold_tiles(ag_interpreter *m, const ag_reduction *reduction, int k,
                       ag_number_test *is_bad, ag_folding *f, ag_reduced *to) {
  if (k == reduction->ntiles) return fold_element(m, reduction, is_bad, f, to);
  const ag_graph_loop *l = &m->g->loops[reduction->tiles[k]];
  int64_t low = 0, high = 0, last = INT64_MAX;
  if (l->low < 0 || l->high < 0)
    return ag_interpreter_give_up(m, "the loop '%s' has no bounds", l->name);
  if (!ag_interpret_whole(m, l->low, &low) || !ag_interpret_whole(m, l->high, &high)) return false;
  if (reduction->scan && !ag_interpreter_find_step(m, reduction->tiles[k], &last))
    return ag_interpreter_give_up(m, "it depends on the iteration of '%s'", l->name);
  if (high > low + BLOCK_MOST) return ag_interpreter_give_up(m, "a block of so many elements");
  if (last < high - 1) high = last + 1;
  ag_interpreter_split(m, reduction->tiles[k], -1);
  for (int64_t i = low; i < high && !to->found; i++) {
    ag_interpreter_bind(m, reduction->tiles[k], i);
    to->place = i;
    if (!fold_tiles(m, reduction, k + 1, is_bad, f, to)) return false;
  }
  return true;
}

bool ag_interpret_reduction(ag_interpreter *m, const ag_reduction *reduction,
                            ag_number_test *is_bad, bool stay, ag_reduced *to) {
  ag_folding f = {.begun = false};
  ag_bindings s;
  *to = (ag_reduced){.found = false};
  if (!reduction->ntiles)
    return ag_interpreter_give_up(m, "over which of its dimensions '%s' goes is not known",
                                  reduction->name);
  if (is_held_apart(m, reduction))
    return ag_interpreter_give_up(m, "'%s' goes over what a loop holds of each", reduction->name);
  if (!ag_bindings_save(m, &s)) return false;
  bool done = fold_tiles(m, reduction, 0, is_bad, &f, to);
  if (done && !f.begun) done = ag_interpreter_give_up(m, "'%s' of no element", reduction->name);
  to->value = f.state[reduction->part];
  if (!done || !(to->found && stay)) ag_bindings_restore(m, &s);
  ag_bindings_drop(&s);
  return done;
}

static bool interpret_reduction(ag_interpreter *m, int32_t node, ag_number *value) {
  ag_reduced reduced;
  if (!ag_interpret_reduction(m, &m->depends.reductions[node], NULL, false, &reduced)) return false;
  *value = reduced.value;
  return true;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static bool interpret_step(ag_interpreter *m, const ag_graph_node *node, ag_number *value) {
  const ag_graph_loop *l = &m->g->loops[node->index];
  bool lanes = l->kind == LOOP_LANES;
  int64_t step = m->loops.lane;
  if (lanes ? m->loops.lane < 0 : !ag_interpreter_find_step(m, node->index, &step))
    return ag_interpreter_give_up(m, "it depends on the iteration of '%s'", l->name);
  *value = ag_number_of_whole(step, (graph_type)node->type);
  return true;
}

/* If the node's operands were overwritten, memory may hold its result. */
static bool interpret_any_operator(ag_interpreter *m, int32_t node, ag_number *value) {
  ag_reason before = {.text = ""};
  bool gone = m->depends.lost[node] && m->depends.stored[node] >= 0;
  if (gone) before = m->why;
  m->memo.is_stored[node] = false;
  bool done = m->depends.reductions[node].n ? interpret_reduction(m, node, value)
                                            : interpret_operator(m, &m->g->nodes[node], value);
  if (done || !gone) return done;
  m->memo.is_stored[node] = m->load(m, node, value);
  if (m->memo.is_stored[node]) m->why = before;
  return m->memo.is_stored[node];
}

static bool interpret_node(ag_interpreter *m, int32_t node, ag_number *value) {
  const ag_graph_node *x = &m->g->nodes[node];
  ag_first first;
  switch (x->kind) {
    case NODE_INTEGER: *value = ag_number_of_whole(x->value, (graph_type)x->type); return true;
    case NODE_FLOAT: *value = ag_number_of_real(x->real, (graph_type)x->type); return true;
    case NODE_PARAM:
      if (!m->operands[x->index].is_number)
        return ag_interpreter_give_up(m, "a number that the kernel was given is not known");
      *value = ag_number_cast(m->operands[x->index].number, (graph_type)x->type);
      return true;
    case NODE_STEP: return interpret_step(m, x, value);
    case NODE_LOAD: return m->load(m, node, value);
    case NODE_CARRIED:
      *value = m->carried.values[x->index];
      return m->carried.running[x->index] || execute_loop(m, node, NULL, false, &first, value);
    case NODE_AFTER: return execute_loop(m, node, NULL, false, &first, value);
    case NODE_OP: return interpret_any_operator(m, node, value);
    default: return ag_interpreter_give_up(m, "%s", x->text);
  }
}

bool ag_interpret(ag_interpreter *m, int32_t node, ag_number *value) {
  uint64_t key = key_of(m, node);
  if (m->memo.keys[node] == key) {
    *value = m->memo.values[node];
    return true;
  }
  if (!ag_interpreter_may_go_on(m)) return false;
  if (m->depth >= DEPTH_MOST) return ag_interpreter_give_up(m, "its expression is too deep");
  m->depth++;
  bool done = interpret_node(m, node, value);
  m->depth--;
  if (done) {
    m->memo.values[node] = *value;
    m->memo.keys[node] = key;
  }
  return done;
}

/* Discards all values, since any may depend on the node's old value. */
void ag_interpreter_assume(ag_interpreter *m, int32_t node, ag_number value) {
  m->memo.epoch = ++m->memo.last_epoch;
  if (m->g->triton) memset(m->memo.keys, 0, ((size_t)m->g->nnodes + 1) * sizeof *m->memo.keys);
  m->memo.values[node] = value;
  m->memo.keys[node] = key_of(m, node);
}

bool ag_interpret_whole(ag_interpreter *m, int32_t node, int64_t *value) {
  ag_number x;
  if (!ag_interpret(m, node, &x)) return false;
  bool whole = !ag_graph_type_is_float(x.type);
  if (whole) *value = x.whole;
  return whole || ag_interpreter_give_up(m, "an index that is not an integer");
}

bool ag_interpret_quietly(ag_interpreter *m, int32_t node, ag_number *value) {
  ag_reason before = m->why;
  bool done = ag_interpret(m, node, value);
  m->why = before;
  return done;
}

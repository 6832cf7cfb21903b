/* op_match.c - see op_match.h. */
#include "model/op_match.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_one(const matcher *f, uint32_t node) {
  return f->p.rows[node] && f->p.rows[node]->kind == OP_ONE;
}

/* ---- constants ------------------------------------------------------------------------------- */

/* The value of a constant; NAN where it is not known. */
static double read_constant(const graph_node *node) {
  while (node->op == AG_OP_CAST && node->n == 1) node = node->args[0];
  if (node->kind == NODE_INTEGER) return (double)node->value;
  if (node->kind == NODE_FLOAT) return strtod(node->text, NULL);
  if (node->op == AG_OP_NEGATE && node->n == 1) return -read_constant(node->args[0]);
  if (node->op == AG_OP_INFINITE || node->op == AG_OP_C_INFINITY) return INFINITY;
  return NAN;
}

static bool is_near(double x, double y) {
  return x == y || fabs(x - y) <= 1e-6 * fmax(fabs(x), fabs(y));
}

/* False if the operation has another number than the node, which is one operation. Inductor
 * multiplies by the reciprocal of a divisor, and adds what is negated. */
static bool has_number(const matcher *f, uint32_t node, const graph_node *op) {
  const exported_node *x = &f->p.x->nodes.at[node];
  const double *scalars = &f->p.x->scalars.at[x->first_scalar];
  bool constant = false;
  if (!is_one(f, node) || !x->nscalars || x->nvalues != 1) return true;
  for (int i = 0; i < op->n; i++) {
    if (op_match_state(f, op->args[i])->live) continue;
    double value = read_constant(op->args[i]);
    constant = true;
    if (isnan(value)) return true;
    for (size_t k = 0; k < x->nscalars; k++)
      if (is_near(value, scalars[k]) || is_near(value, -scalars[k]) ||
          is_near(value * scalars[k], 1))
        return true;
  }
  return op->n < 2 && !constant;
}

/* ---- one operation --------------------------------------------------------------------------- */

/* True if it combines a value with a constant: that is no further step of what may have ended,
 * unless it is nothing else. */
static bool has_constant(const matcher *f, const graph_node *op) {
  return op->n == 2 &&
         (!op_match_state(f, op->args[0])->live || !op_match_state(f, op->args[1])->live);
}

/* The tensors of the node that were used for an operand; 0 if it can be none of the node's. */
static uint32_t find_used(const matcher *f, const graph_node *op, uint32_t node,
                          const flow_state *taken) {
  const op_parts *row = f->p.rows[node];
  const node_part *part = flow_find_part(taken, node);
  uint32_t used = op_program_uses(&f->p, node, &taken->values);
  bool ended = part && value_set_has(&taken->values, node);
  bool several = row && row->kind == OP_SEVERAL && (f->late || !has_constant(f, op));
  bool goes_on = part && !(part->used & FLOW_CLOSED) && (!ended || !row || several) &&
                 !is_one(f, node);
  /* The highest bit stands for a part. */
  return used | (goes_on ? part->used | UINT32_C(1) << 31 : 0);
}

/* ---- factors that were moved ----------------------------------------------------------------- */

static bool is_unit(const graph_node *node) {
  if (node->op == AG_OP_WHERE && node->n == 3)
    return is_unit(node->args[1]) && is_unit(node->args[2]);
  return fabs(read_constant(node)) == 1;
}

/* The value that is multiplied by 1 or -1; NULL if it is no such operation. Inductor moves a factor
 * or divisor of x in `x - amax(x)` behind it, and leaves its sign. */
static const graph_node *find_signed(const graph_node *op) {
  if (op->op != AG_OP_MULTIPLY || op->n != 2) return NULL;
  return is_unit(op->args[1]) ? op->args[0] : is_unit(op->args[0]) ? op->args[1] : NULL;
}

/* True for one product or quotient, by `word`, "*" or "/". */
static bool scales(const matcher *f, size_t node, const char *word) {
  return node < f->p.x->nodes.n && is_one(f, (uint32_t)node) &&
         op_parts_has(f->p.rows[node]->parts, word);
}

/* It stands for what it takes, and for the products and quotients of that. */
static void take_signed(matcher *f, const graph_node *op, flow_state *to) {
  const graph_node *x = find_signed(op);
  const value_set *values = x ? &op_match_state(f, x)->values : NULL;
  for (unsigned i = 0; values && i < values->n; i++) {
    const taker_list *takers = &f->p.takers[values->at[i]];
    for (size_t k = 0; k < takers->n; k++) {
      if (!scales(f, takers->at[k], "*") && !scales(f, takers->at[k], "/")) continue;
      flow_add_part(to, takers->at[k], op_program_tensors(&f->p, takers->at[k]));
      value_set_add(&to->values, takers->at[k]);
    }
  }
  for (unsigned i = 0; to->nparts && i < values->n; i++) value_set_add(&to->values, values->at[i]);
}

/* The node before `node` whose factor or divisor the operation has. EXPORTED_NONE: it is no such
 * operation. */
static size_t find_moved(const matcher *f, const graph_node *op, const char *word, uint32_t node) {
  const op_parts *row = f->p.rows[node];
  if (!row || op->n != 2 || !op_parts_has(" * / ", word)) return EXPORTED_NONE;
  const bool softmax = op_parts_has(row->first, "max") && op_parts_has(row->parts, "exp");
  if (!softmax && !(f->late && op_parts_has(row->parts, "-"))) return EXPORTED_NONE;
  const flow_state *x = op_match_state(f, op->args[0]), *y = op_match_state(f, op->args[1]);
  const bool second = flow_find_part(y, node) != NULL;
  if (second == (flow_find_part(x, node) != NULL)) return EXPORTED_NONE;
  const flow_state *factor = second ? x : y;
  const value_set *from = op_program_source(&f->p, node, 0);
  for (unsigned i = 0; from && i < from->n; i++) {
    uint32_t at = from->at[i];
    if (!scales(f, at, word)) continue;
    if (factor->live ? op_program_uses(&f->p, at, &factor->values) != 0 : has_number(f, at, op))
      return at;
  }
  return EXPORTED_NONE;
}

/* A node of several operations does not end with a division by a constant. */
static bool is_last(const matcher *f, const op_parts *row, const graph_node *op, const char *word) {
  if (!row) return true;
  if (!op_parts_has(row->last, word)) return false;
  bool divides = row->kind == OP_ENDS && op->n == 2 && !strcmp(word, "/");
  return !divides || op_match_state(f, op->args[1])->live;
}

/* True if it subtracts a logarithm: that is the end of what has one. */
static bool subtracts_log(const graph_node *op) {
  if (op->n != 2 || op->op != AG_OP_SUBTRACT) return false;
  const graph_node *taken = op->args[1];
  while (taken->kind == NODE_OP && taken->n && !op_parts_word(taken, false)) taken = taken->args[0];
  return taken->kind == NODE_OP && taken->op == AG_OP_LOG;
}

/* Adds the node to what the operation may be. */
static void try_node(matcher *f, const graph_node *op, const char *word, uint32_t node,
                     flow_state *to) {
  const op_parts *row = f->p.rows[node];
  uint32_t used = 0, all = op_program_tensors(&f->p, node);
  f->steps++;
  if (f->seen[node] == f->stamp) return;
  f->seen[node] = f->stamp;
  const size_t moved = find_moved(f, op, word, node);
  if (moved != EXPORTED_NONE) {
    flow_add_part(to, node, all);
    flow_add_part(to, (uint32_t)moved, op_program_tensors(&f->p, (uint32_t)moved));
    value_set_add(&to->values, (uint32_t)moved);
    return;
  }
  if ((f->exact && !f->region[node]) || (row && !op_parts_has(row->parts, word)) ||
      !has_number(f, node, op))
    return;
  for (int i = 0; i < op->n; i++) {
    const flow_state *taken = op_match_state(f, op->args[i]);
    if (!taken->live || taken->carried) continue;
    uint32_t mine = find_used(f, op, node, taken);
    if (!mine) return;
    used |= mine;
  }
  if (row && !(used >> 31) && !op_parts_has(row->first, word)) return;
  used &= ~(UINT32_C(1) << 31);
  if (row && row->kind == OP_ONE && (used & all) != all) return;
  flow_add_part(to, node, used | (subtracts_log(op) ? FLOW_CLOSED : 0));
  if (is_last(f, row, op, word) && (used & all) == all) value_set_add(&to->values, node);
}

/* Tries the nodes that take the values of an operand, and those that it is a part of. */
static void try_operand(matcher *f, const graph_node *op, const char *word, const flow_state *taken,
                        flow_state *to) {
  for (unsigned i = 0; i < taken->nparts; i++) try_node(f, op, word, taken->parts[i].node, to);
  for (unsigned i = 0; i < taken->values.n; i++) {
    const taker_list *takers = &f->p.takers[taken->values.at[i]];
    for (size_t k = 0; k < takers->n; k++) try_node(f, op, word, takers->at[k], to);
  }
}

static void try_operands(matcher *f, const graph_node *op, const char *word, flow_state *to) {
  f->stamp++;
  for (int i = 0; i < op->n; i++) try_operand(f, op, word, op_match_state(f, op->args[i]), to);
}

/* Inductor moves a factor behind a sum or a maximum, and folds other operations away: tries the
 * nodes that take a result of those that take the values. */
static void try_next(matcher *f, const graph_node *op, const char *word, flow_state *to) {
  for (int i = 0; i < op->n; i++) {
    flow_state *taken = op_match_state(f, op->args[i]);
    const value_set before = taken->values;
    for (unsigned k = 0; k < before.n; k++) {
      const taker_list *takers = &f->p.takers[before.at[k]];
      for (size_t n = 0; n < takers->n; n++) value_set_add(&taken->values, takers->at[n]);
    }
    f->stamp++;
    try_operand(f, op, word, taken, to);
    taken->values = before;
  }
}

/* Where nothing is known of the operands, the site's nodes are tried. */
static void try_list(matcher *f, const graph_node *op, const char *word, flow_state *to) {
  for (size_t i = 0; i < f->list->n; i++) {
    uint32_t node = (uint32_t)f->list->at[i];
    if (f->p.rows[node] && f->p.rows[node]->kind != OP_MOVES) try_node(f, op, word, node, to);
  }
}

static bool is_reduced(const graph_node *node) {
  while (!op_parts_word(node, false) && node->kind == NODE_OP && node->n) {
    const graph_node *last = node->args[node->n - 1];
    node = node->op == AG_OP_ITEM ? node->args[0] : last;
  }
  return node->kind == NODE_AFTER;
}

/* True if it joins the partial results of a reduction: they are its two operands, or one, with the
 * value that the reduction begins with. */
static bool joins_parts(const matcher *f, const graph_node *op, const char *word) {
  if (op->n != 2 || op->args[0] == op->args[1]) return false;
  const graph_node *x = op->args[0], *y = op->args[1];
  bool a = op_match_state(f, x)->live, b = op_match_state(f, y)->live;
  if (a && b) return is_reduced(x) && is_reduced(y);
  if ((!a && !b) || !is_reduced(a ? x : y)) return false;
  double first = read_constant(a ? y : x);
  return (!strcmp(word, "+") && first == 0) || (!strcmp(word, "*") && first == 1) ||
         (!strcmp(word, "max") && first == -INFINITY) ||
         (!strcmp(word, "min") && first == INFINITY);
}

static void join_operands(const matcher *f, const graph_node *op, flow_state *to) {
  for (int i = 0; i < op->n; i++) {
    const flow_state *taken = op_match_state(f, op->args[i]);
    if (taken->live && !taken->carried) flow_join(to, taken);
  }
}

/* What both operands may be. */
static void meet_operands(const matcher *f, const graph_node *op, flow_state *to) {
  const flow_state *x = op_match_state(f, op->args[0]), *y = op_match_state(f, op->args[1]);
  if (!x->live || !y->live) {
    join_operands(f, op, to);
    return;
  }
  for (unsigned i = 0; i < x->nparts; i++)
    if (flow_find_part(y, x->parts[i].node)) flow_add_part(to, x->parts[i].node, x->parts[i].used);
  for (unsigned i = 0; i < x->values.n; i++)
    if (value_set_has(&y->values, x->values.at[i])) value_set_add(&to->values, x->values.at[i]);
}

/* True if the operand tells what the operation is: not one that is constant or carried, nor a
 * choice that is not understood. */
static bool tells(const matcher *f, const graph_node *op, int i) {
  const flow_state *taken = op_match_state(f, op->args[i]);
  bool lost = op->op == AG_OP_WHERE && op->args[i]->kind == NODE_UNKNOWN;
  return taken->live && !taken->carried && !lost;
}

/* A choice is one of two values, and may be an operation of its own; it is no more than that where
 * its condition is another part of it. */
static void join_choices(const matcher *f, const graph_node *op, flow_state *to) {
  const flow_state *condition = op_match_state(f, op->args[0]);
  for (unsigned i = 0; i < to->nparts && condition->live; i++)
    if (flow_find_part(condition, to->parts[i].node) && !is_one(f, to->parts[i].node)) return;
  for (int i = 1; i < op->n; i++)
    if (tells(f, op, i)) flow_join(to, op_match_state(f, op->args[i]));
}

/* What of the operands' values is not known may be any; what is known decides. */
static void read_operation(matcher *f, const graph_node *op, flow_state *to) {
  bool carried = false, live = false, any = true;
  for (int i = 0; i < op->n; i++) {
    const flow_state *taken = op_match_state(f, op->args[i]);
    carried |= taken->carried;
    live |= tells(f, op, i);
    if (tells(f, op, i)) any &= taken->values.any && !taken->nparts;
  }
  if (!live) { /* what is computed of variables alone counts iterations */
    carried &= op->op == AG_OP_WHERE || !op_parts_word(op, false);
    *to = (flow_state){.carried = carried, .live = carried};
    return;
  }
  const char *word = op_parts_word(op, carried);
  to->live = true;
  if (!word) {
    join_operands(f, op, to);
    return;
  }
  if (joins_parts(f, op, word)) meet_operands(f, op, to);
  if (to->nparts) return;
  try_operands(f, op, word, to);
  f->late = !to->nparts;
  if (f->late) try_operands(f, op, word, to);
  f->late = false;
  if (!to->nparts) take_signed(f, op, to);
  if (!to->nparts && !any) try_next(f, op, word, to);
  if (any) try_list(f, op, word, to);
  if (op->op == AG_OP_WHERE) join_choices(f, op, to);
  if (!to->nparts && !to->values.n) *to = flow_unknown();
}

/* ---- loads and stores ------------------------------------------------------------------------ */

static int root_of(const matcher *f, int memory) {
  int param = f->g->memories.at[memory].param;
  const argument *arg = param >= 0 ? f->args[param] : NULL;
  return arg && arg->kind != AOTIGEN_SCALAR ? arg->root : -1;
}

/* What an input or a weight is; false for another variable. */
static bool read_given(const matcher *f, int root, flow_state *to) {
  const fact_var *v = &f->m->facts->vars.at[root];
  const exported *x = f->p.x;
  const char *name = NULL;
  if (v->from < 0) return false;
  if (v->made == MADE_INPUT && (size_t)v->from < x->user_names.n)
    name = x->user_names.at[v->from];
  else if (v->made == MADE_WEIGHT && (size_t)v->from < f->m->weights.n)
    name = string_map_get(x->weight_names, f->m->weights.at[v->from].fqn);
  size_t value = name ? exported_find_given(x, name) : EXPORTED_NONE;
  if (value == EXPORTED_NONE) return false;
  *to = (flow_state){.live = true};
  value_set_add(&to->values, op_program_value(&f->p, value));
  return true;
}

static flow_state read_memory(const matcher *f, int root) {
  flow_state given;
  if (root < 0) return flow_unknown();
  if (f->contents[root]) return *f->contents[root];
  return read_given(f, root, &given) ? given : flow_unknown();
}

/* True if the load may find what the memory held before the launch: a kernel computes the tail of a
 * row in a loop of its own. */
static bool holds_before(const matcher *f, int memory) {
  int param = f->g->memories.at[memory].param;
  return param >= 0 && f->args[param] && f->args[param]->role == AOTIGEN_INOUT;
}

/* The stores to the memory that the load's parameter, or another one, points to. */
static flow_state read_load(const matcher *f, const graph_access *load) {
  int root = root_of(f, load->memory);
  flow_state found = {0};
  for (size_t i = 0; i < f->g->memories.n; i++)
    if (f->stored[i] && ((int)i == load->memory || (root >= 0 && root_of(f, (int)i) == root)))
      flow_join(&found, f->stored[i]);
  if (found.live && holds_before(f, load->memory)) {
    const flow_state before = read_memory(f, root);
    if (!before.values.any) flow_join(&found, &before);
  }
  if (found.live) return found;
  bool own = f->g->memories.at[load->memory].param < 0;
  return own ? (flow_state){.carried = true, .live = true} : read_memory(f, root);
}

static void note_stores(matcher *f, const graph_node *value) {
  for (size_t i = 0; i < f->g->accesses.n; i++) {
    const graph_access *x = &f->g->accesses.at[i];
    if (x->kind == ACCESS_LOAD || x->value != value || !op_match_state(f, value)->live) continue;
    if (!f->stored[x->memory]) f->stored[x->memory] = arena_alloc(f->scratch, sizeof(flow_state));
    flow_join(f->stored[x->memory], op_match_state(f, value));
  }
}

/* ---- a kernel -------------------------------------------------------------------------------- */

static void read_graph_node(matcher *f, const graph_node *node) {
  flow_state *to = op_match_state(f, node), found = {0};
  switch (node->kind) {
    case NODE_LOAD: found = read_load(f, &f->g->accesses.at[node->index]); break;
    case NODE_CARRIED: found = (flow_state){.carried = true, .live = true}; break;
    case NODE_AFTER: {
      const graph_carried *v = &f->g->carried.at[node->index];
      if (v->next && v->next->number < node->number) found = *op_match_state(f, v->next);
      break;
    }
    case NODE_UNKNOWN: found = flow_unknown(); break;
    case NODE_OP: read_operation(f, node, &found); break;
    default: break;
  }
  *to = found;
}

static void read_graph(matcher *f, const bool *stores) {
  for (size_t i = 0; i < f->g->nodes.n; i++) {
    read_graph_node(f, f->g->nodes.at[i]);
    if (stores[i]) note_stores(f, f->g->nodes.at[i]);
  }
}

/* True if what takes the operand leaves it possible that it is a part of the node. */
static bool allows(const matcher *f, uint32_t node, const flow_state *taken,
                   const flow_state *taker) {
  if (!taker->nparts || taker->carried) return true;
  bool result = value_set_has(&taken->values, node);
  for (unsigned i = 0; i < taker->nparts; i++) {
    uint32_t other = taker->parts[i].node;
    if (other == node) return true;
    value_set only = {.n = 1, .at = {node}};
    if (result && op_program_uses(&f->p, other, &only)) return true;
  }
  return false;
}

/* Of a node, bit i stands for part i: something that takes it allows the part, or no other. */
typedef struct allowed {
  uint16_t parts, alone;
  bool used;
} allowed;

static void allow_parts(allowed *to, uint16_t parts) {
  to->parts |= parts;
  if (parts && !(parts & (parts - 1))) to->alone |= parts;
}

static void allow(const matcher *f, allowed *of, const graph_node *taken, const graph_node *taker) {
  const flow_state *x = op_match_state(f, taken);
  uint16_t parts = 0;
  for (unsigned i = 0; i < x->nparts; i++)
    if (allows(f, x->parts[i].node, x, op_match_state(f, taker))) parts |= (uint16_t)(1u << i);
  of[taken->number].used = true;
  allow_parts(&of[taken->number], parts);
}

/* Drops the parts that nothing allows, unless these are all. */
static void narrow(flow_state *x, const allowed *by) {
  unsigned n = 0;
  if (!by->parts) return;
  for (unsigned i = 0; i < x->nparts; i++)
    if (by->parts >> i & 1) x->parts[n++] = x->parts[i];
  x->nparts = (uint8_t)n;
  x->all = by->alone == by->parts;
}

/* A result, or the part of one, is stored. */
static void allow_store(const matcher *f, const flow_state *x, allowed *to) {
  uint16_t parts = 0;
  for (unsigned i = 0; i < x->nparts; i++)
    if (!is_one(f, x->parts[i].node) || value_set_has(&x->values, x->parts[i].node))
      parts |= (uint16_t)(1u << i);
  allow_parts(to, parts);
}

static void read_back(matcher *f, const bool *stores) {
  allowed *of = arena_alloc(f->scratch, (f->g->nodes.n + 1) * sizeof *of);
  for (size_t i = f->g->nodes.n; i-- > 0;) {
    const graph_node *node = f->g->nodes.at[i];
    flow_state *x = &f->states[i];
    if (stores[i]) allow_store(f, x, &of[i]);
    if (stores[i] || of[i].used) narrow(x, &of[i]);
    for (int k = 0; k < node->n; k++) allow(f, of, node->args[k], node);
    if (node->kind != NODE_AFTER) continue;
    const graph_node *next = f->g->carried.at[node->index].next;
    if (next && next->number < node->number) allow(f, of, next, node);
  }
}

void op_match_read(matcher *f) {
  bool *stores = arena_alloc(f->scratch, f->g->nodes.n + 1);
  for (size_t i = 0; i < f->g->accesses.n; i++) {
    const graph_access *x = &f->g->accesses.at[i];
    if (x->kind != ACCESS_LOAD && x->value) stores[x->value->number] = true;
  }
  read_graph(f, stores);
  read_back(f, stores);
}

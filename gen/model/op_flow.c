/* op_flow.c - see op_flow.h. */
#include "model/op_flow.h"
#include <string.h>

enum { VALUES_MOST = 200000 };

/* ---- sets ------------------------------------------------------------------------------------ */

bool value_set_has(const value_set *s, uint32_t value) {
  for (unsigned i = 0; i < s->n; i++)
    if (s->at[i] == value) return true;
  return s->any;
}

void value_set_add(value_set *to, uint32_t value) {
  if (value_set_has(to, value)) return;
  if (to->n == FLOW_MOST)
    *to = (value_set){.any = true};
  else
    to->at[to->n++] = value;
}

static void add_all(value_set *to, const value_set *from) {
  if (from->any) *to = (value_set){.any = true};
  for (unsigned i = 0; i < from->n; i++) value_set_add(to, from->at[i]);
}

const node_part *flow_find_part(const flow_state *s, uint32_t node) {
  for (unsigned i = 0; i < s->nparts; i++)
    if (s->parts[i].node == node) return &s->parts[i];
  return NULL;
}

flow_state flow_unknown(void) { return (flow_state){.live = true, .values = {.any = true}}; }

void flow_add_part(flow_state *to, uint32_t node, uint32_t used) {
  for (unsigned i = 0; i < to->nparts; i++) {
    if (to->parts[i].node != node) continue;
    to->parts[i].used |= used;
    return;
  }
  if (to->nparts == FLOW_MOST)
    *to = flow_unknown();
  else
    to->parts[to->nparts++] = (node_part){node, used};
}

void flow_join(flow_state *to, const flow_state *from) {
  to->live |= from->live;
  add_all(&to->values, &from->values);
  for (unsigned i = 0; i < from->nparts; i++)
    flow_add_part(to, from->parts[i].node, from->parts[i].used);
}

/* ---- the program ----------------------------------------------------------------------------- */

uint32_t op_program_value(const op_program *p, size_t value) {
  return (uint32_t)(value < EXPORTED_GIVEN ? value : p->x->nodes.n + (value - EXPORTED_GIVEN));
}

static const size_t *tensors_of(const op_program *p, uint32_t node) {
  return &p->x->values.at[p->x->nodes.at[node].first_value];
}

static void read_node(op_program *p, uint32_t node, arena *a) {
  const exported_node *x = &p->x->nodes.at[node];
  const size_t *tensors = tensors_of(p, node);
  p->rows[node] = op_parts_find(x->op);
  const bool moves = p->rows[node] && p->rows[node]->kind == OP_MOVES;
  if (!moves) value_set_add(&p->sources[node], node);
  for (size_t i = 0; i < x->nvalues; i++) {
    const value_set *from = &p->sources[op_program_value(p, tensors[i])];
    if (moves) add_all(&p->sources[node], from);
    for (unsigned k = 0; !moves && k < from->n; k++) {
      taker_list *list = &p->takers[from->at[k]];
      if (!list->n || list->at[list->n - 1] != node) *arena_push(a, list) = node;
    }
  }
}

bool op_program_read(op_program *p, const exported *x, arena *a) {
  *p = (op_program){.x = x, .nvalues = x->nodes.n + x->given.n};
  if (p->nvalues > VALUES_MOST) return false;
  p->rows = arena_alloc(a, (x->nodes.n + 1) * sizeof *p->rows);
  p->sources = arena_alloc(a, (p->nvalues + 1) * sizeof *p->sources);
  p->takers = arena_alloc(a, (p->nvalues + 1) * sizeof *p->takers);
  for (size_t i = x->nodes.n; i < p->nvalues; i++) value_set_add(&p->sources[i], (uint32_t)i);
  for (size_t i = 0; i < x->nodes.n; i++) read_node(p, (uint32_t)i, a);
  return true;
}

static bool meets(const value_set *x, const value_set *y) {
  if (x->any || y->any) return true;
  for (unsigned i = 0; i < x->n; i++)
    if (value_set_has(y, x->at[i])) return true;
  return false;
}

uint32_t op_program_uses(const op_program *p, uint32_t node, const value_set *values) {
  const exported_node *x = &p->x->nodes.at[node];
  const size_t *tensors = tensors_of(p, node);
  uint32_t used = 0;
  for (size_t i = 0; i < x->nvalues && i < FLOW_TENSORS; i++)
    if (meets(&p->sources[op_program_value(p, tensors[i])], values)) used |= UINT32_C(1) << i;
  return used;
}

const value_set *op_program_source(const op_program *p, uint32_t node, size_t tensor) {
  if (tensor >= p->x->nodes.at[node].nvalues) return NULL;
  return &p->sources[op_program_value(p, tensors_of(p, node)[tensor])];
}

uint32_t op_program_tensors(const op_program *p, uint32_t node) {
  size_t n = p->x->nodes.at[node].nvalues;
  return (UINT32_C(1) << (n < FLOW_TENSORS ? n : FLOW_TENSORS)) - 1;
}

bool op_program_is_same(const op_program *p, uint32_t x, uint32_t y) {
  const exported_node *a = &p->x->nodes.at[x], *b = &p->x->nodes.at[y];
  return a->arguments == b->arguments && !strcmp(a->op, b->op);
}

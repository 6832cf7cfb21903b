/* memory.c - see memory.h. */
#define _GNU_SOURCE
#include "explain/memory.h"

#include <stdlib.h>
#include <string.h>

#include "explain/solve.h"
#include "explain/work.h"
#include "state/launch_record.h"

/* ---- elements ------------------------------------------------------------------------------- */

static graph_type find_type(const ag_dtype *d) {
  static const graph_type wholes[2][4] = {{GRAPH_I8, GRAPH_I16, GRAPH_I32, GRAPH_I64},
                                          {GRAPH_U8, GRAPH_U16, GRAPH_U32, GRAPH_U64}};
  int size = d->item_size == 1 ? 0 : d->item_size == 2 ? 1 : d->item_size == 4 ? 2 : 3;
  if (d->cls == AG_BOOL) return GRAPH_BOOL;
  if (d->cls == AG_SIGNED || d->cls == AG_UNSIGNED) return wholes[d->cls == AG_UNSIGNED][size];
  if (d->cls != AG_FLOATING) return GRAPH_ANY;
  if (d->item_size == 1) return GRAPH_F8;
  if (d->item_size == 2) return d->exponent == 8 ? GRAPH_BF16 : GRAPH_F16;
  return d->item_size == 4 ? GRAPH_F32 : d->item_size == 8 ? GRAPH_F64 : GRAPH_ANY;
}

bool ag_memory_decode(const ag_dtype *d, const void *at, ag_number *value) {
  graph_type type = find_type(d);
  uint64_t bits = 0;
  if (type == GRAPH_ANY) return false;
  if (ag_graph_type_is_float(type)) {
    *value = (ag_number){.type = type, .real = ag_dtype_decode(d, at)};
    return true;
  }
  memcpy(&bits, at, d->item_size); /* the CPUs of torch are little endian */
  *value = ag_number_of_whole((int64_t)bits, type);
  return true;
}

/* True if `size` bytes at byte `at` from the first element lie in the storage. */
static bool is_inside(const ag_view *view, int64_t at, int64_t size) {
  if (view->storage_bytes >= 0)
    return at >= -view->first_byte && at <= view->storage_bytes - view->first_byte - size;
  return at >= view->lowest * size && at < view->highest * size;
}

/* Copies an element from a device's memory, or from the host's. */
static bool copy_element(ag_interpreter *m, const ag_operand *from, int64_t index, int64_t at,
                         void *to) {
  const ag_view *v = from->view;
  size_t size = v->t.dtype->item_size;
  if (!from->away) {
    memcpy(to, (const char *)v->t.data + at, size);
    return true;
  }
  int64_t flat = ag_memory_find_element(v, index);
  if (!m->elements) return ag_interpreter_give_up(m, "an input lies in the memory of a device");
  m->elements->pieces_read = 0;
  bool is_read = ag_elements_read(m->elements, from->away, flat, at, size, to);
  m->work += m->elements->pieces_read * AG_WORK_OF_PIECE;
  if (!ag_interpreter_may_go_on(m)) return false;
  return is_read ||
         ag_interpreter_give_up(m, "an input cannot be read as it was: %s", m->elements->why);
}

/* The name in reports; an array of the kernel's own has the kernel's name. */
static const char *name_of(const ag_interpreter *m, int32_t memory) {
  const ag_graph_memory *x = &m->g->memories[memory];
  const char *name = x->param >= 0 ? m->operands[x->param].name : NULL;
  return name ? name : x->name;
}

/* True if a copy from before the launch holds the `size` bytes at this address. */
static bool copy_kept(const ag_interpreter *m, uintptr_t address, size_t size, void *to) {
  for (unsigned i = 0; i < m->nkept; i++) {
    const ag_kept *k = &m->kept[i];
    if (address < k->begin || address + size > k->end || !ag_arg_copy_is_there(&k->copy)) continue;
    if (to) memcpy(to, k->copy.bytes + (address - k->begin), size);
    return true;
  }
  return false;
}

/* before: reads what the memory held before the launch, if it was copied. */
static bool read_element(ag_interpreter *m, int32_t memory, int64_t index, bool before,
                         ag_number *value) {
  const ag_graph_memory *x = &m->g->memories[memory];
  const ag_view *v = x->param >= 0 ? m->operands[x->param].view : NULL;
  const char *name = name_of(m, memory);
  int64_t at;
  unsigned char element[16];
  if (x->param < 0) return ag_interpreter_give_up(m, "an array of the kernel's own");
  if (!v) return ag_interpreter_give_up(m, "what '%s' points to is not known", name);
  if (m->operands[x->param].is_gone)
    return ag_interpreter_give_up(m, "what '%s' points to may have been freed", name);
  int64_t size = v->t.dtype->item_size;
  if (find_type(v->t.dtype) != x->type || __builtin_mul_overflow(index, size, &at))
    return ag_interpreter_give_up(m, "the type of '%s' is another one", name);
  if (!is_inside(v, at, size))
    return ag_interpreter_give_up(m, "'%s' is read outside of its storage", name);
  bool kept = before && copy_kept(m, (uintptr_t)v->t.data + (uintptr_t)at, (size_t)size, element);
  if (!kept && !copy_element(m, &m->operands[x->param], index, at, element)) return false;
  return ag_memory_decode(v->t.dtype, element, value) ||
         ag_interpreter_give_up(m, "the type of '%s'", name);
}

/* The dimension with the greatest stride that is not done. */
static int next_dimension(const ag_tensor *t, const bool *done) {
  int best = -1;
  for (int i = 0; i < t->ndim; i++)
    if (!done[i] && t->sizes[i] > 1 && (best < 0 || t->strides[i] > t->strides[best])) best = i;
  return best;
}

int64_t ag_memory_find_element(const ag_view *view, int64_t index) {
  const ag_tensor *t = &view->t;
  bool done[AG_MAX_DIMS] = {false};
  int64_t at[AG_MAX_DIMS] = {0}, flat = 0;
  for (int d; (d = next_dimension(t, done)) >= 0;) {
    done[d] = true;
    if (t->strides[d] <= 0) continue;
    at[d] = index / t->strides[d];
    if (at[d] < 0 || at[d] >= t->sizes[d]) return -1;
    index -= at[d] * t->strides[d];
  }
  if (index) return -1;
  for (int i = 0; i < t->ndim; i++) flat = flat * t->sizes[i] + at[i];
  return flat;
}

/* ---- what the kernel itself stored ---------------------------------------------------------- */

static const ag_view *view_of(const ag_interpreter *m, int32_t memory) {
  int32_t param = m->g->memories[memory].param;
  return param >= 0 ? m->operands[param].view : NULL;
}

/* True if the two may be the same memory. */
static bool may_share(const ag_interpreter *m, int32_t x, int32_t y) {
  const ag_view *a = view_of(m, x), *b = view_of(m, y);
  if (x == y) return true;
  if (m->g->memories[x].param < 0 || m->g->memories[y].param < 0) return false;
  return !a || !b || ag_view_overlaps(a, b);
}

/* True if the store writes, or may write, what the load reads. */
static bool is_alias(const ag_interpreter *m, const ag_graph_access *load,
                     const ag_graph_access *store) {
  return store->kind != ACCESS_LOAD && may_share(m, load->memory, store->memory);
}

/* Translates an element's index in the memory of `from` to its index in that of `to`. */
static bool translate(const ag_interpreter *m, int32_t from, int32_t to, int64_t *index) {
  const ag_view *a = view_of(m, from), *b = view_of(m, to);
  if (from == to) return true;
  if (!a || !b || a->t.dtype != b->t.dtype) return false;
  int64_t size = a->t.dtype->item_size;
  int64_t apart = (int64_t)((uintptr_t)a->t.data - (uintptr_t)b->t.data);
  if (apart % size) return false;
  *index += apart / size;
  return true;
}

static enum ag_solved solve_alias(ag_interpreter *m, const ag_graph_access *load,
                                  const ag_graph_access *store, int64_t index) {
  if (!translate(m, load->memory, store->memory, &index)) return AG_SOLVED_UNDECIDED;
  return ag_solve(m, store, index);
}

bool ag_memory_has_later(const ag_interpreter *m, const ag_graph_access *load) {
  for (int32_t i = 0; i < m->g->naccesses; i++)
    if (is_alias(m, load, &m->g->accesses[i]) && m->g->accesses[i].order > load->order) return true;
  return false;
}

static bool give_up_overwritten(ag_interpreter *m, const ag_graph_access *load) {
  bool first = !*m->why.text;
  ag_interpreter_give_up(m, "the launch itself overwrote '%s', which it had read",
                         name_of(m, load->memory));
  if (first) m->why.overwritten = true;
  return false;
}

/* Finds the last store before the load that wrote the element, and binds the loops to it. */
static bool find_earlier(ag_interpreter *m, const ag_graph_access *load, int64_t index,
                         const ag_graph_access **store) {
  for (int32_t i = m->g->naccesses; i-- > 0;) {
    const ag_graph_access *x = &m->g->accesses[i];
    if (x == load || !is_alias(m, load, x) || x->order > load->order) continue;
    enum ag_solved solved = solve_alias(m, load, x, index);
    if (solved == AG_SOLVED_UNDECIDED || (solved == AG_SOLVED && x->kind == ACCESS_ATOMIC))
      return ag_interpreter_give_up(m, "which value of '%s' it read is not known",
                                    name_of(m, load->memory));
    if (solved == AG_SOLVED) {
      *store = x;
      return true;
    }
  }
  return true;
}

/* True if the element that is loaded is in a copy from before the launch. */
static bool is_kept(const ag_interpreter *m, const ag_graph_access *load, int64_t index) {
  const ag_view *v = view_of(m, load->memory);
  int64_t at;
  return v && !__builtin_mul_overflow(index, (int64_t)v->t.dtype->item_size, &at) &&
         copy_kept(m, (uintptr_t)v->t.data + (uintptr_t)at, v->t.dtype->item_size, NULL);
}

static bool is_overwritten(ag_interpreter *m, const ag_graph_access *load, int64_t index) {
  for (int32_t i = 0; i < m->g->naccesses; i++) {
    const ag_graph_access *x = &m->g->accesses[i];
    if (is_alias(m, load, x) && x->order > load->order &&
        solve_alias(m, load, x, index) != AG_SOLVED_NOT)
      return true;
  }
  return false;
}

/* Sets place->store to the store of the kernel that wrote the element before the load; NULL if
 * there is none. enter: binds the loops to its iteration. */
static bool find_store(ag_interpreter *m, const ag_graph_access *load, bool enter,
                       ag_place *place) {
  ag_bindings s;
  const ag_graph_access **store = &place->store;
  bool own = m->g->memories[load->memory].param < 0;
  bool later = place->later = ag_memory_has_later(m, load);
  if (!own && !later && !enter) return true; /* memory still holds what was loaded */
  if (!ag_bindings_save(m, &s)) return false;
  bool done = find_earlier(m, load, place->index, store);
  if (!done || !*store || !enter) ag_bindings_restore(m, &s);
  if (!done && !own && !later) { /* memory still holds what a store wrote, whichever it was */
    *m->why.text = '\0';
    done = true;
  }
  if (done && !*store && later && !is_kept(m, load, place->index) &&
      is_overwritten(m, load, place->index))
    done = give_up_overwritten(m, load);
  if (!*store) ag_bindings_restore(m, &s);
  ag_bindings_drop(&s);
  return done;
}

/* Computes the value that the last earlier store wrote. */
static bool compute_stored(ag_interpreter *m, const ag_graph_access *load, int64_t index,
                           ag_number *value) {
  ag_bindings s;
  const ag_graph_access *store = NULL;
  if (!ag_bindings_save(m, &s)) return false;
  bool done = find_earlier(m, load, index, &store) && store && ag_interpret(m, store->value, value);
  ag_bindings_restore(m, &s);
  ag_bindings_drop(&s);
  if (done) *value = ag_number_cast(*value, (graph_type)m->g->memories[load->memory].type);
  return done;
}

bool ag_memory_find_before(ag_interpreter *m, const ag_graph_access *x, int64_t index,
                           ag_number *value) {
  ag_bindings s;
  const ag_graph_access *store = NULL;
  if (!ag_bindings_save(m, &s)) return false;
  bool done = find_earlier(m, x, index, &store) && (!store || ag_interpret(m, store->value, value));
  ag_bindings_restore(m, &s);
  ag_bindings_drop(&s);
  if (!done) return false;
  if (!store && !is_kept(m, x, index)) return give_up_overwritten(m, x);
  if (!store) return read_element(m, x->memory, index, true, value);
  *value = ag_number_cast(*value, (graph_type)m->g->memories[x->memory].type);
  return true;
}

/* ---- loads ---------------------------------------------------------------------------------- */

bool ag_memory_find_place(ag_interpreter *m, int32_t node, bool enter, ag_place *place) {
  const ag_graph_access *x = &m->g->accesses[m->g->nodes[node].index];
  ag_number when = {.type = GRAPH_BOOL, .whole = 1};
  *place = (ag_place){0};
  if (x->when >= 0 && !ag_interpret(m, x->when, &when)) return false;
  place->is_other = !ag_number_is_true(when);
  if (place->is_other) return true;
  return ag_interpret_whole(m, x->index, &place->index) && find_store(m, x, enter, place);
}

bool ag_memory_is_from_before(ag_interpreter *m, int32_t node) {
  const ag_graph_node *x = &m->g->nodes[node];
  ag_place place;
  ag_reason why = m->why;
  bool found = m->nkept && x->kind == NODE_LOAD && ag_memory_find_place(m, node, false, &place) &&
               !place.is_other && !place.store && place.later &&
               is_kept(m, &m->g->accesses[x->index], place.index);
  m->why = why;
  return found;
}

/* True if another store of the kernel wrote, or may have written, to the same memory. */
static bool has_other_store(const ag_interpreter *m, const ag_graph_access *store) {
  for (int32_t i = 0; i < m->g->naccesses; i++) {
    const ag_graph_access *x = &m->g->accesses[i];
    if (x != store && x->kind != ACCESS_LOAD && may_share(m, x->memory, store->memory)) return true;
  }
  return false;
}

/* Reads the node's value where the kernel stored it in this iteration. False if it did not, or if
 * that is not known: the value may still be computed. */
static bool read_stored(ag_interpreter *m, int32_t node, ag_number *value) {
  const ag_graph_access *x = &m->g->accesses[m->depends.stored[node]];
  ag_number when = {.type = GRAPH_BOOL, .whole = 1};
  int64_t index;
  if (has_other_store(m, x)) return false;
  ag_reason before = m->why;
  bool done = (x->when < 0 || ag_interpret(m, x->when, &when)) && ag_number_is_true(when) &&
              ag_interpret_whole(m, x->index, &index) &&
              read_element(m, x->memory, index, false, value);
  m->why = before;
  if (done) *value = ag_number_cast(*value, (graph_type)m->g->nodes[node].type);
  return done;
}

bool ag_memory_load(ag_interpreter *m, int32_t node, ag_number *value) {
  if (m->g->nodes[node].kind != NODE_LOAD) return read_stored(m, node, value);
  const ag_graph_access *x = &m->g->accesses[m->g->nodes[node].index];
  const ag_graph_memory *memory = &m->g->memories[x->memory];
  ag_place place;
  if (!ag_memory_find_place(m, node, false, &place)) return false;
  if (place.is_other && x->other >= 0) return ag_interpret(m, x->other, value);
  if (place.is_other) {
    *value = ag_graph_type_is_float((graph_type)memory->type)
                 ? ag_number_of_real(0, (graph_type)memory->type)
                 : ag_number_of_whole(0, (graph_type)memory->type);
    return true;
  }
  if (place.store) return compute_stored(m, x, place.index, value);
  return read_element(m, x->memory, place.index, place.later, value);
}

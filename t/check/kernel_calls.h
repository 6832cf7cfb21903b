/* kernel_calls.h - the functions that kernels call, for kernel_oracle.h, and the execution of all
 * programs, lanes and loaded integers of one launch. */
#ifndef T_KERNEL_CALLS_H
#define T_KERNEL_CALLS_H

#include "check/kernel_oracle.h"

static cell oracle_argument(oracle *o, const tree_expr *call, const char *name, int place) {
  const tree_expr *x = kernel_tree_keyword(call, name);
  if (!x && place >= 0) x = kernel_tree_argument(call, place);
  return x ? oracle_expr(o, x) : opaque_cell;
}

static bool is_one_of(const char *name, const char *list) {
  size_t n = strlen(name);
  for (const char *p = list; n && (p = strstr(p, name)); p++)
    if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0')) return true;
  return false;
}

/* The kernel's body ends here, for this lane, if the assert fails. */
static void oracle_assert(oracle *o, cell c) {
  if (c.kind == CELL_INT && !c.n) longjmp(o->stop, 1);
}

static cell oracle_to_type(cell c, const char *type) {
  graph_type t = type ? graph_find_type(type) : GRAPH_ANY;
  if (c.kind != CELL_INT) return c;
  if (t == GRAPH_BOOL) return cell_int(c.n != 0, RANK_BOOL);
  if (t == GRAPH_I64) return cell_int(c.n, RANK_I64);
  if (t == GRAPH_I32) return cell_int(c.n, RANK_I32);
  return opaque_cell;
}

/* ---- functions of both ---------------------------------------------------------------------- */

static cell oracle_extreme(cell x, cell y, bool least) {
  if (x.kind != CELL_INT || y.kind != CELL_INT) return opaque_cell;
  enum cell_rank rank = x.rank > y.rank ? x.rank : y.rank;
  return cell_int((x.n < y.n) == least ? x.n : y.n, rank);
}

static cell oracle_divide(cell x, cell y, bool quotient) {
  if (x.kind != CELL_INT || y.kind != CELL_INT || y.n == 0) return opaque_cell;
  int64_t q = floor_quotient(x.n, y.n);
  return cell_int(quotient ? q : x.n - q * y.n, x.rank > y.rank ? x.rank : y.rank);
}

static cell oracle_call_lambda(oracle *o, const tree_expr *lambda) {
  o->returned = false;
  o->result = opaque_cell;
  oracle_block(o, lambda->body);
  o->returned = false;
  return o->result;
}

/* Computes all arguments, for what they load. */
static cell oracle_any(oracle *o, const tree_expr *call) {
  if (kernel_tree_is_method(call)) oracle_expr(o, call->first->first);
  for (const tree_expr *x = call->first->next; x; x = x->next) {
    cell c = oracle_expr(o, x);
    if (c.kind == CELL_POINTER) oracle_lose(o, "a function that is given a pointer");
  }
  return opaque_cell;
}

/* ---- Triton --------------------------------------------------------------------------------- */

static cell oracle_arange(oracle *o, const tree_expr *call) {
  cell from = oracle_argument(o, call, "start", 0), to = oracle_argument(o, call, "end", 1);
  int i = 0;
  while (i < o->ntiles && o->tiles[i].call != call) i++;
  if (i == 8 || from.kind != CELL_INT || to.kind != CELL_INT) longjmp(o->stop, 2);
  if (i == o->ntiles) o->tiles[o->ntiles++].call = call;
  o->tiles[i].lanes = to.n - from.n;
  return cell_int(from.n + o->tiles[i].lane, RANK_I32);
}

static cell oracle_triton_load(oracle *o, const tree_expr *call) {
  cell p = oracle_argument(o, call, "pointer", 0);
  const tree_expr *mask = kernel_tree_keyword(call, "mask");
  if (!mask) mask = kernel_tree_argument(call, 1);
  bool all = !mask || (mask->kind == TREE_CONSTANT && strcmp(mask->text, "None") == 0);
  if (all || oracle_holds(o, oracle_expr(o, mask))) return oracle_load(o, p);
  cell other = oracle_argument(o, call, "other", 2);
  return other.kind == CELL_INT || p.kind != CELL_POINTER ? other : oracle_loaded(o, p);
}

static cell oracle_triton_store(oracle *o, const tree_expr *call, enum access_kind kind) {
  cell p = oracle_argument(o, call, "pointer", 0), v = oracle_argument(o, call, "value", 1);
  const tree_expr *mask = kernel_tree_keyword(call, "mask");
  if (!mask) mask = kernel_tree_argument(call, 2);
  bool all = !mask || (mask->kind == TREE_CONSTANT && strcmp(mask->text, "None") == 0);
  if (all || oracle_holds(o, oracle_expr(o, mask))) oracle_store(o, kind, p, v);
  return opaque_cell;
}

static cell oracle_where(oracle *o, const tree_expr *call) {
  cell test = oracle_argument(o, call, "condition", 0);
  cell x = oracle_argument(o, call, "x", 1), y = oracle_argument(o, call, "y", 2);
  return oracle_holds(o, test) ? x : y;
}

static cell oracle_triton_assert(oracle *o, const tree_expr *call) {
  cell c = oracle_argument(o, call, "cond", 0);
  const tree_expr *mask = kernel_tree_keyword(call, "mask");
  if (!mask) mask = kernel_tree_argument(call, 2);
  if (!mask || oracle_holds(o, oracle_expr(o, mask))) oracle_assert(o, c);
  return opaque_cell;
}

static cell oracle_triton_value(oracle *o, const tree_expr *call, const char *name) {
  if (strcmp(name, "program_id") == 0) {
    cell axis = oracle_argument(o, call, "axis", 0);
    bool known = axis.kind == CELL_INT && axis.n >= 0 && axis.n < 3;
    return cell_int(known ? o->program[axis.n] : 0, RANK_I32);
  }
  if (strcmp(name, "num_programs") == 0)
    return cell_int(o->programs[oracle_argument(o, call, "axis", 0).n % 3], RANK_I32);
  if (strcmp(name, "full") == 0) {
    const tree_expr *type = kernel_tree_argument(call, 2);
    return oracle_to_type(oracle_argument(o, call, "value", 1), type ? kernel_tree_name(type) : "");
  }
  bool least = strcmp(name, "minimum") == 0;
  if (least || strcmp(name, "maximum") == 0)
    return oracle_extreme(oracle_argument(o, call, "", 0), oracle_argument(o, call, "", 1), least);
  bool quotient = strcmp(name, "div_floor_integer") == 0;
  if (quotient || strcmp(name, "remainder_integer") == 0)
    return oracle_divide(oracle_argument(o, call, "", 0), oracle_argument(o, call, "", 1),
                         quotient);
  if (strcmp(name, "abs") == 0) {
    cell x = oracle_argument(o, call, "", 0);
    return x.kind == CELL_INT ? cell_int(x.n < 0 ? -x.n : x.n, x.rank) : opaque_cell;
  }
  if (is_one_of(name, "broadcast_to reshape view expand_dims"))
    return oracle_argument(o, call, "", 0);
  return oracle_any(o, call);
}

static cell oracle_triton(oracle *o, const tree_expr *call, const char *name) {
  if (kernel_tree_is_method(call)) {
    const tree_expr *type = kernel_tree_argument(call, 0);
    cell self = oracle_expr(o, call->first->first);
    return strcmp(name, "to") == 0 && type ? oracle_to_type(self, kernel_tree_name(type))
                                           : opaque_cell;
  }
  if (strcmp(name, "arange") == 0) return oracle_arange(o, call);
  if (strcmp(name, "load") == 0) return oracle_triton_load(o, call);
  if (strcmp(name, "store") == 0) return oracle_triton_store(o, call, ACCESS_STORE);
  if (strncmp(name, "atomic_", 7) == 0) return oracle_triton_store(o, call, ACCESS_ATOMIC);
  if (strcmp(name, "where") == 0) return oracle_where(o, call);
  if (strcmp(name, "device_assert") == 0) return oracle_triton_assert(o, call);
  return oracle_triton_value(o, call, name);
}

/* ---- C++ ------------------------------------------------------------------------------------ */

/* Lane number o->lane of a vector at p, where it has so many. */
static bool oracle_has_lane(oracle *o, const tree_expr *call, int place) {
  const tree_expr *n = kernel_tree_argument(call, place);
  cell count = n ? oracle_expr(o, n) : cell_int(ORACLE_LANES, RANK_I64);
  o->uses_lane = true;
  return count.kind == CELL_INT && o->lane < count.n;
}

static cell oracle_loadu(oracle *o, const tree_expr *call) {
  cell p = oracle_argument(o, call, "", 0);
  if (!oracle_has_lane(o, call, 1)) return opaque_cell;
  return oracle_load(o, oracle_binary(o, "+", p, cell_int(o->lane, RANK_I64)));
}

static cell oracle_vector_store(oracle *o, const tree_expr *call) {
  cell value = oracle_expr(o, call->first->first), p = oracle_argument(o, call, "", 0);
  if (oracle_has_lane(o, call, 1))
    oracle_store(o, ACCESS_STORE, oracle_binary(o, "+", p, cell_int(o->lane, RANK_I64)), value);
  return value;
}

/* transpose_mxn<float,M,N>(from, its stride, to, its stride[, M, N]) */
static cell oracle_transpose(oracle *o, const tree_expr *call) {
  cell x[6];
  for (int i = 0; i < 6; i++) x[i] = oracle_argument(o, call, "", i);
  for (int i = 4; i < 6 && call->type && x[i].kind != CELL_INT; i++) {
    const char *p = strchr(call->type, ',');
    if (p && i == 5) p = strchr(p + 1, ',');
    p = p && strchr(p, '(') && p[1] == 's' ? strchr(p, '(') : p;
    x[i] = cell_int(p ? strtoll(p + 1, NULL, 10) : 0, RANK_I64);
  }
  if (x[1].kind != CELL_INT || x[3].kind != CELL_INT || x[5].kind != CELL_INT) longjmp(o->stop, 2);
  for (int64_t i = 0; i < x[4].n; i++)
    for (int64_t k = 0; k < x[5].n; k++) {
      cell from = oracle_binary(o, "+", x[0], cell_int(i * x[1].n + k, RANK_I64));
      cell to = oracle_binary(o, "+", x[2], cell_int(k * x[3].n + i, RANK_I64));
      oracle_store(o, ACCESS_STORE, to, oracle_load(o, from));
    }
  return opaque_cell;
}

/* set(a, b, n): b in the first n lanes. */
static cell oracle_set(oracle *o, const tree_expr *call) {
  return oracle_argument(o, call, "", oracle_has_lane(o, call, 2) ? 1 : 0);
}

static cell oracle_blend(oracle *o, const tree_expr *call) {
  cell x = oracle_argument(o, call, "", 0), y = oracle_argument(o, call, "", 1);
  return oracle_holds(o, oracle_argument(o, call, "", 2)) ? y : x;
}

static cell oracle_cpp_cast(const tree_expr *call, cell x) {
  char type[24] = "";
  size_t n = call->type ? strcspn(call->type, ",<") : 0;
  if (n && n < sizeof type) memcpy(type, call->type, n);
  if (x.kind == CELL_INT && ag_graph_type_is_float(graph_find_type(type)))
    return x.rank ? opaque_cell : x;
  return x;
}

static cell oracle_atomic(oracle *o, const tree_expr *call) {
  cell p = oracle_argument(o, call, "", 0), value = oracle_argument(o, call, "", 1);
  oracle_store(o, ACCESS_ATOMIC, p, value);
  return opaque_cell;
}

static cell oracle_cpp_memory(oracle *o, const tree_expr *call, const char *name, bool *known) {
  *known = true;
  if (strcmp(name, "loadu") == 0) return oracle_loadu(o, call);
  if (strcmp(name, "store") == 0) return oracle_vector_store(o, call);
  if (strcmp(name, "transpose_mxn") == 0) return oracle_transpose(o, call);
  if (strcmp(name, "atomic_add") == 0) return oracle_atomic(o, call);
  if (strcmp(name, "make_unique") == 0) {
    cell n = oracle_argument(o, call, "", 0);
    return (cell){.kind = CELL_POINTER, .memory = oracle_add_memory(o, "local", n.n)};
  }
  if (strcmp(name, "from") == 0 && kernel_tree_argument(call, 1)) return oracle_loadu(o, call);
  *known = false;
  return opaque_cell;
}

static cell oracle_cpp_value(oracle *o, const tree_expr *call, const char *name) {
  cell x = opaque_cell, y = opaque_cell;
  if (strcmp(name, "set") == 0) return oracle_set(o, call);
  if (strcmp(name, "blendv") == 0) return oracle_blend(o, call);
  bool self = kernel_tree_is_method(call);
  if (is_one_of(name, "all_masked get template cast") && self)
    return oracle_cpp_cast(call, oracle_expr(o, call->first->first));
  if (is_one_of(name,
                "static_cast convert cast int64_t Vectorized VectorizedN VecMask from C10_LIKELY "
                "C10_UNLIKELY"))
    return oracle_cpp_cast(call, oracle_argument(o, call, "", 0));
  if (is_one_of(name, "arange div_floor_integer min max AOTI_TORCH_CHECK")) {
    x = oracle_argument(o, call, "", 0);
    y = oracle_argument(o, call, "", 1);
  } else {
    return oracle_any(o, call);
  }
  if (*name == 'A') return oracle_assert(o, x), opaque_cell;
  if (*name == 'd') return oracle_divide(x, y, true);
  if (*name == 'm') return oracle_extreme(x, y, name[1] == 'i');
  o->uses_lane = true;
  return oracle_binary(o, "+", x, oracle_binary(o, "*", y, cell_int(o->lane, RANK_I64)));
}

static cell oracle_call(oracle *o, const tree_expr *e) {
  if (e->first->kind == TREE_LAMBDA) return oracle_call_lambda(o, e->first);
  if (e->first->kind == TREE_NAME && e->first->variable >= 0 &&
      o->vars[e->first->variable].kind == CELL_LAMBDA)
    return oracle_call_lambda(o, o->vars[e->first->variable].lambda);
  const char *name = kernel_tree_name(e->first);
  if (o->t->python) return oracle_triton(o, e, name);
  bool known;
  cell x = oracle_cpp_memory(o, e, name, &known);
  return known ? x : oracle_cpp_value(o, e, name);
}

/* ---- executions ----------------------------------------------------------------------------- */

/* One lane of one program; params: what its variables begin with. False where the kernel does what
 * this file does not know. */
static bool oracle_execute_lane(oracle *o, const cell *params) {
  for (size_t i = 0; i < o->t->variables.n; i++)
    o->vars[i] = i < (size_t)o->nparams ? params[i] : opaque_cell;
  o->nmemories = o->nparams;
  o->returned = o->jumped = false;
  o->path = 0;
  int stopped = setjmp(o->stop);
  if (!stopped) oracle_block(o, o->t->body);
  return stopped < 2;
}

/* The lanes of all tiles, counted like the digits of a number; false behind the last. */
static bool oracle_next_lane(oracle *o) {
  if (!o->t->python) return ++o->lane < ORACLE_LANES_MAX && o->uses_lane;
  for (int i = 0; i < o->ntiles; i++) {
    if (++o->tiles[i].lane < o->tiles[i].lanes) return true;
    o->tiles[i].lane = 0;
  }
  return false;
}

static bool oracle_next_program(oracle *o) {
  for (int i = 0; i < 3; i++) {
    if (++o->program[i] < o->programs[i]) return true;
    o->program[i] = 0;
  }
  return false;
}

/* All programs and lanes, of one scenario. */
static bool oracle_execute(oracle *o, const cell *params) {
  memset(o->touched, 0, sizeof o->touched);
  for (int i = 0; i < 3; i++) {
    o->program[i] = 0;
    if (o->programs[i] < 1) return true;
  }
  do {
    o->lane = 0;
    for (int i = 0; i < o->ntiles; i++) o->tiles[i].lane = 0;
    do {
      if (!oracle_execute_lane(o, params)) return false;
    } while (oracle_next_lane(o));
  } while (oracle_next_program(o));
  return true;
}

/* All scenarios: what conditions on floats are, and which integers are loaded. */
static bool oracle_execute_all(oracle *o, const cell *params) {
  static const int64_t values[] = {0,  1,  2,  3,   4,   5,   6,  7,  8,   9,        10, 11,
                                   12, 13, 15, 16,  17,  20,  -1, -2, -3,  -4,       -5, -6,
                                   -7, -8, -9, -10, -11, -12, 40, 99, -99, INT32_MAX};
  static const int64_t seconds[] = {0, -1, 1, 3, 4, 5, 9};
  o->uses_loaded = o->uses_opaque = false;
  for (int opaque = 1; opaque >= 0; opaque--) {
    o->opaque = opaque;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      for (size_t k = 0; k <= sizeof seconds / sizeof *seconds; k++) {
        o->loaded[0] = values[i];
        o->loaded[1] = k ? seconds[k - 1] : values[i];
        if (!oracle_execute(o, params)) return false;
        if (!o->memories[1].integers) break;
      }
      if (!o->uses_loaded) break;
    }
    if (!o->uses_opaque) break;
  }
  return true;
}

#endif

/* kernel_oracle.h - executes the tree of a kernel, one lane of one program after the other, and
 * notes each access that leaves its memory. It shares the reader of the text with the generator,
 * and nothing of its reasoning: integers are int64_t, or int32_t that wrap; a float is opaque.
 */
#ifndef T_KERNEL_ORACLE_H
#define T_KERNEL_ORACLE_H

#include "base/arena.h"
#include "kernel/graph.h"
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum {
  ORACLE_LANES = 16,
  ORACLE_LANES_MAX = 64,
  ORACLE_KEYS = 64,
  ORACLE_MEMORIES = 32,
  ORACLE_CELLS = 2048,
  ORACLE_TOUCHED = 512
};

enum cell_kind { CELL_OPAQUE, CELL_INT, CELL_POINTER, CELL_LAMBDA, CELL_LIST };
enum cell_rank { RANK_BOOL, RANK_WEAK, RANK_I32, RANK_I64 };

typedef struct cell {
  enum cell_kind kind;
  enum cell_rank rank;
  int64_t n;  /* a pointer's element */
  bool vague; /* a pointer: its element is not known */
  int memory;
  const tree_expr *lambda;
  struct cell *items;
  int count;
} cell;

typedef struct oracle_memory {
  const char *name;
  int64_t elements;
  bool integers; /* what is loaded is one of the scenario's integers */
  cell *cells;   /* for an array of the kernel's own */
} oracle_memory;

typedef struct oracle_key {
  unsigned line;
  enum access_kind kind;
  const char *memory;
  uint64_t made, outside;
  int64_t least, most; /* the range of elements, if any access was made */
  uint64_t twice;      /* stores to an element that another iteration has stored to, at this line */
} oracle_key;

/* An element of a parameter's memory: the first iterations that stored to it and loaded it. */
typedef struct oracle_touch {
  uint64_t stored, loaded;         /* 0: none */
  bool stored_again, loaded_again; /* by another one */
  unsigned line;                   /* that stored */
} oracle_touch;

typedef struct oracle {
  const kernel_tree *t;
  cell *vars;
  oracle_touch touched[ORACLE_MEMORIES][ORACLE_TOUCHED];
  bool met[ORACLE_MEMORIES];       /* two iterations: one stored what the other one loaded */
  bool rewritten[ORACLE_MEMORIES]; /* two iterations stored to one element at different lines */
  uint64_t path;                   /* the steps of the loops that it is in */
  oracle_memory memories[ORACLE_MEMORIES];
  int nmemories, nparams;
  oracle_key keys[ORACLE_KEYS];
  int nkeys;
  int64_t programs[3], program[3]; /* those of the grid */
  struct {
    const tree_expr *call; /* the call of arange */
    int64_t lanes, lane;
  } tiles[8];
  int ntiles;
  int64_t lane; /* C++: of each vector */
  bool uses_lane;
  int64_t loaded[2]; /* what the first and the others load */
  bool opaque;       /* what a condition on a float is */
  bool uses_loaded, uses_opaque, lost;
  const char *why_lost;
  unsigned line;
  bool returned, jumped;
  cell result;
  uint64_t steps;
  jmp_buf stop;
  arena *a; /* for one execution */
} oracle;

static cell oracle_expr(oracle *o, const tree_expr *e);
static void oracle_block(oracle *o, const tree_block *b);
static cell oracle_call(oracle *o, const tree_expr *e);

static const cell opaque_cell = {.kind = CELL_OPAQUE, .memory = -1};

static void oracle_lose(oracle *o, const char *why) {
  if (!o->lost) o->why_lost = why;
  o->lost = true;
}

static cell cell_int(int64_t n, enum cell_rank rank) {
  cell c = {.kind = CELL_INT, .rank = rank, .n = rank == RANK_I32 ? (int32_t)n : n, .memory = -1};
  return c;
}

/* True if the value is; a condition on floats is what the scenario says. */
static bool oracle_holds(oracle *o, cell c) {
  if (c.kind == CELL_INT) return c.n != 0;
  o->uses_opaque = true;
  return o->opaque;
}

/* ---- memory --------------------------------------------------------------------------------- */

static oracle_key *oracle_find_key(oracle *o, enum access_kind kind, const char *memory) {
  for (int i = 0; i < o->nkeys; i++)
    if (o->keys[i].line == o->line && o->keys[i].kind == kind &&
        strcmp(o->keys[i].memory, memory) == 0)
      return &o->keys[i];
  if (o->nkeys == ORACLE_KEYS) longjmp(o->stop, 2);
  o->keys[o->nkeys] = (oracle_key){.line = o->line, .kind = kind, .memory = memory};
  return &o->keys[o->nkeys++];
}

/* Lanes of a vector are one iteration. */
static uint64_t oracle_iteration(const oracle *o) {
  uint64_t hash = o->path;
  for (int i = 0; i < 3; i++) hash = hash * 1000003 + (uint64_t)o->program[i];
  for (int i = 0; i < o->ntiles; i++) hash = hash * 1000003 + (uint64_t)o->tiles[i].lane;
  return hash | 1;
}

static void oracle_touch_element(oracle *o, oracle_key *k, int memory, int64_t n) {
  if (memory >= o->nparams || n < 0 || n >= ORACLE_TOUCHED || k->kind == ACCESS_ATOMIC) return;
  oracle_touch *t = &o->touched[memory][n];
  uint64_t now = oracle_iteration(o);
  if (k->kind == ACCESS_LOAD) {
    o->met[memory] = o->met[memory] || t->stored_again || (t->stored && t->stored != now);
    t->loaded_again = t->loaded_again || (t->loaded && t->loaded != now);
    if (!t->loaded) t->loaded = now;
    return;
  }
  o->met[memory] = o->met[memory] || t->loaded_again || (t->loaded && t->loaded != now);
  o->rewritten[memory] |= t->stored && t->stored != now && t->line != o->line;
  k->twice += t->stored && t->stored != now && t->line == o->line;
  t->stored_again = t->stored_again || (t->stored && t->stored != now);
  if (!t->stored) t->stored = now;
  t->line = o->line;
}

/* The array's element where it is one and lies inside; NULL otherwise. */
static cell *oracle_access(oracle *o, enum access_kind kind, cell p) {
  if (p.kind != CELL_POINTER || p.vague) {
    oracle_lose(o, p.vague ? "an element that is not known" : "a pointer that is none");
    return NULL;
  }
  oracle_memory *m = &o->memories[p.memory];
  oracle_key *k = oracle_find_key(o, kind, m->name);
  bool inside = p.n >= 0 && p.n < m->elements;
  if (!k->made || p.n < k->least) k->least = p.n;
  if (!k->made || p.n > k->most) k->most = p.n;
  k->made++;
  k->outside += !inside;
  if (inside) oracle_touch_element(o, k, p.memory, p.n);
  return inside && m->cells ? &m->cells[p.n] : NULL;
}

/* The value of a load from a parameter's memory; also that of a masked element, which may be
 * anything. */
static cell oracle_loaded(oracle *o, cell p) {
  if (p.kind != CELL_POINTER || !o->memories[p.memory].integers) return opaque_cell;
  o->uses_loaded = true;
  return cell_int(o->loaded[p.memory != 0], RANK_I64);
}

static cell oracle_load(oracle *o, cell p) {
  cell *own = oracle_access(o, ACCESS_LOAD, p);
  return own ? *own : oracle_loaded(o, p);
}

static void oracle_store(oracle *o, enum access_kind kind, cell p, cell value) {
  cell *own = oracle_access(o, kind, p);
  if (own) *own = value;
}

static int oracle_add_memory(oracle *o, const char *name, int64_t elements) {
  for (int i = o->nparams; i < o->nmemories; i++)
    if (o->memories[i].name == name) return i;
  if (o->nmemories == ORACLE_MEMORIES || elements > ORACLE_CELLS) longjmp(o->stop, 2);
  oracle_memory *m = &o->memories[o->nmemories];
  *m = (oracle_memory){.name = name, .elements = elements};
  m->cells = arena_alloc(o->a, (size_t)(elements > 0 ? elements : 1) * sizeof *m->cells);
  return o->nmemories++;
}

/* ---- operators ------------------------------------------------------------------------------ */

static int64_t floor_quotient(int64_t x, int64_t y) {
  return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

static bool is_comparing(const char *op) {
  return *op == '<' || *op == '>' || strcmp(op, "==") == 0 || strcmp(op, "!=") == 0;
}

static int64_t compare_ints(const char *op, int64_t x, int64_t y) {
  if (strcmp(op, "<") == 0) return x < y;
  if (strcmp(op, "<=") == 0) return x <= y;
  if (strcmp(op, ">") == 0) return x > y;
  if (strcmp(op, ">=") == 0) return x >= y;
  return (*op == '=') == (x == y);
}

/* That of Triton rounds to zero, as C's does. What a division by 0 gives is not known. */
static cell divide_ints(const char *op, int64_t x, int64_t y, enum cell_rank rank) {
  if (y == 0 || (x == INT64_MIN && y == -1)) return opaque_cell;
  return cell_int(*op == '%' ? x % y : x / y, rank);
}

static cell oracle_binary_ints(oracle *o, const char *op, cell x, cell y) {
  enum cell_rank rank = x.rank > y.rank ? x.rank : y.rank;
  uint64_t left = (uint64_t)x.n, right = (uint64_t)y.n;
  if (is_comparing(op) && op[1] != '<' && op[1] != '>')
    return cell_int(compare_ints(op, x.n, y.n), RANK_BOOL);
  if (strchr("+-*", *op) && !op[1])
    return cell_int((int64_t)(*op == '+'   ? left + right
                              : *op == '-' ? left - right
                                           : left * right),
                    rank == RANK_BOOL ? RANK_I32 : rank);
  if (strcmp(op, "//") == 0 || strcmp(op, "%") == 0 || (strcmp(op, "/") == 0 && !o->t->python))
    return divide_ints(op, x.n, y.n, rank);
  if (*op == '&') return cell_int((int64_t)(left & right), rank);
  if (*op == '|') return cell_int((int64_t)(left | right), rank);
  if (*op == '^') return cell_int((int64_t)(left ^ right), rank);
  return opaque_cell;
}

/* False and anything is false, true or anything is true; of an opaque condition the scenario
 * decides. */
static cell oracle_logic(oracle *o, const char *op, cell x, cell y) {
  bool both = *op == '&', known = x.kind == CELL_INT || y.kind == CELL_INT;
  if (!known) return opaque_cell;
  bool left = oracle_holds(o, x), right = oracle_holds(o, y);
  return cell_int(both ? left && right : left || right, RANK_BOOL);
}

static cell oracle_binary(oracle *o, const char *op, cell x, cell y) {
  if (x.kind == CELL_INT && y.kind == CELL_INT) return oracle_binary_ints(o, op, x, y);
  bool moves = (*op == '+' || *op == '-') && !op[1];
  if (moves && x.kind == CELL_POINTER && y.kind == CELL_INT) {
    x.n += *op == '+' ? y.n : -y.n;
    return x;
  }
  if (moves && *op == '+' && y.kind == CELL_POINTER && x.kind == CELL_INT)
    return oracle_binary(o, op, y, x);
  if (moves && (x.kind == CELL_POINTER || y.kind == CELL_POINTER)) {
    cell p = x.kind == CELL_POINTER ? x : y;
    p.vague = true;
    return p;
  }
  return *op == '&' || *op == '|' ? oracle_logic(o, op, x, y) : opaque_cell;
}

static cell oracle_unary(oracle *o, const tree_expr *e) {
  const char *op = e->text;
  const tree_expr *of = e->first;
  if (*op == '&' && of->kind == TREE_INDEX)
    return oracle_binary(o, "+", oracle_expr(o, of->first), oracle_expr(o, of->first->next));
  cell x = oracle_expr(o, of);
  if (*op == '*' && x.kind == CELL_POINTER) return oracle_load(o, x);
  if (*op == '&' || (*op == '+' && !op[1])) return x;
  if (x.kind != CELL_INT) return opaque_cell;
  if (strcmp(op, "-") == 0) return cell_int(-x.n, x.rank == RANK_BOOL ? RANK_I32 : x.rank);
  if (*op == '!' || (*op == '~' && x.rank == RANK_BOOL)) return cell_int(!x.n, RANK_BOOL);
  return *op == '~' ? cell_int(~x.n, x.rank) : opaque_cell;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static cell oracle_name(oracle *o, const tree_expr *e) {
  if (e->variable >= 0) return o->vars[e->variable];
  bool yes = strcmp(e->text, "True") == 0 || strcmp(e->text, "true") == 0;
  bool no = strcmp(e->text, "False") == 0 || strcmp(e->text, "false") == 0;
  return yes || no ? cell_int(yes, RANK_BOOL) : opaque_cell;
}

static cell oracle_index(oracle *o, const tree_expr *e) {
  cell x = oracle_expr(o, e->first);
  if (o->t->python) return x;
  cell i = e->first->next ? oracle_expr(o, e->first->next) : opaque_cell;
  return x.kind == CELL_POINTER ? oracle_load(o, oracle_binary(o, "+", x, i)) : opaque_cell;
}

static cell oracle_list(oracle *o, const tree_expr *e) {
  cell list = {.kind = CELL_LIST, .memory = -1};
  for (const tree_expr *x = e->first; x; x = x->next) list.count++;
  list.items = arena_alloc(o->a, (size_t)(list.count + 1) * sizeof *list.items);
  int i = 0;
  for (const tree_expr *x = e->first; x; x = x->next) list.items[i++] = oracle_expr(o, x);
  return list;
}

static cell oracle_both(oracle *o, const tree_expr *e) {
  const char *op = e->text;
  cell x = oracle_expr(o, e->first);
  bool lazy = strcmp(op, "&&") == 0 || strcmp(op, "||") == 0;
  if (lazy && oracle_holds(o, x) == (*op == '|')) return cell_int(*op == '|', RANK_BOOL);
  return oracle_binary(o, op, x, oracle_expr(o, e->first->next));
}

static cell oracle_expr(oracle *o, const tree_expr *e) {
  o->steps++;
  switch (e->kind) {
    case TREE_INTEGER: return cell_int(e->value, o->t->python ? RANK_WEAK : RANK_I64);
    case TREE_CONSTANT: return opaque_cell;
    case TREE_NAME: return oracle_name(o, e);
    case TREE_CALL: return oracle_call(o, e);
    case TREE_KEYWORD: return oracle_expr(o, e->first);
    case TREE_INDEX: return oracle_index(o, e);
    case TREE_MEMBER: return opaque_cell;
    case TREE_UNARY: return oracle_unary(o, e);
    case TREE_BINARY: return oracle_both(o, e);
    case TREE_CHOICE:
      return oracle_expr(o, oracle_holds(o, oracle_expr(o, e->first)) ? e->first->next
                                                                      : e->first->next->next);
    case TREE_LIST: return oracle_list(o, e);
    case TREE_LAMBDA: return (cell){.kind = CELL_LAMBDA, .memory = -1, .lambda = e};
  }
  return opaque_cell;
}

/* ---- statements ----------------------------------------------------------------------------- */

static void oracle_assign(oracle *o, const tree_expr *to, cell value) {
  if (to->kind == TREE_NAME && to->variable >= 0) {
    o->vars[to->variable] = value;
  } else if (to->kind == TREE_LIST) {
    int i = 0;
    for (const tree_expr *x = to->first; x; x = x->next, i++)
      oracle_assign(o, x,
                    value.kind == CELL_LIST && i < value.count ? value.items[i] : opaque_cell);
  } else if (to->kind == TREE_INDEX) {
    cell p = oracle_expr(o, to->first), i = oracle_expr(o, to->first->next);
    oracle_store(o, ACCESS_STORE, oracle_binary(o, "+", p, i), value);
  } else if (to->kind == TREE_UNARY && *to->text == '*') {
    oracle_store(o, ACCESS_STORE, oracle_expr(o, to->first), value);
  } else {
    oracle_lose(o, "an assignment");
  }
}

/* float tmp[16 * 16]; std::array<float, 16> tmp; */
static cell oracle_declare(oracle *o, const tree_statement *s) {
  const tree_variable *v = &o->t->variables.at[s->target->variable];
  const char *of = v->type ? strstr(v->type, "std::array<") : NULL;
  const char *comma = of ? strchr(of, ',') : NULL;
  if (!comma && !(s->aliases && s->low)) return opaque_cell;
  cell n = comma ? cell_int(strtoll(comma + 1, NULL, 10), RANK_I64) : oracle_expr(o, s->low);
  if (n.kind != CELL_INT) longjmp(o->stop, 2);
  return (cell){.kind = CELL_POINTER, .memory = oracle_add_memory(o, v->name, n.n)};
}

static void oracle_assignment(oracle *o, const tree_statement *s) {
  if (s->declares && !s->value) {
    o->vars[s->target->variable] = oracle_declare(o, s);
    return;
  }
  cell value = oracle_expr(o, s->value);
  if (strcmp(s->op, "=") != 0) {
    char op[4] = {0};
    memcpy(op, s->op, strlen(s->op) - 1);
    value = oracle_binary(o, op, oracle_expr(o, s->target), value);
  }
  oracle_assign(o, s->target, value);
}

static void oracle_for(oracle *o, const tree_statement *s) {
  if (!s->low) longjmp(o->stop, 2);
  cell low = oracle_expr(o, s->low), high = oracle_expr(o, s->high);
  cell step = s->step ? oracle_expr(o, s->step) : cell_int(1, RANK_WEAK);
  if (low.kind != CELL_INT || high.kind != CELL_INT || step.kind != CELL_INT || step.n <= 0)
    longjmp(o->stop, 2);
  unsigned line = o->line;
  uint64_t path = o->path;
  for (int64_t i = low.n; i < high.n && !o->returned; i += step.n) {
    o->line = line;
    o->path = (path * 1000003 + (uint64_t)i) * 1000003 + (uintptr_t)s % 4096;
    o->vars[s->target->variable] = cell_int(i, o->t->python ? RANK_I32 : RANK_I64);
    if (s->body) oracle_block(o, s->body);
    if (o->jumped) longjmp(o->stop, 2);
  }
  o->path = path;
}

static void oracle_statement(oracle *o, const tree_statement *s) {
  if (s->line) o->line = s->line;
  switch (s->kind) {
    case STATEMENT_EXPR: oracle_expr(o, s->value); break;
    case STATEMENT_ASSIGN: oracle_assignment(o, s); break;
    case STATEMENT_BLOCK: oracle_block(o, s->body); break;
    case STATEMENT_FOR: oracle_for(o, s); break;
    case STATEMENT_IF: {
      const tree_block *b = oracle_holds(o, oracle_expr(o, s->value)) ? s->body : s->otherwise;
      if (b) oracle_block(o, b);
      break;
    }
    case STATEMENT_WHILE: longjmp(o->stop, 2);
    case STATEMENT_RETURN:
      if (s->value) o->result = oracle_expr(o, s->value);
      o->returned = true;
      break;
    case STATEMENT_JUMP: o->jumped = true; break;
  }
}

static void oracle_block(oracle *o, const tree_block *b) {
  for (const tree_statement *s = b->first; s && !o->returned && !o->jumped; s = s->next)
    oracle_statement(o, s);
}

#endif

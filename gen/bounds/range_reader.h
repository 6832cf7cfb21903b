/* range_reader.h - the state of range.h, and the forms that an index is read as: an integer and a
 * sum of loop variables, of their digits, and of nodes, each times an integer. The parts of range.h
 * include it, and cover.c, footprints.c and pairs.c. */
#ifndef GEN_BOUNDS_RANGE_READER_H
#define GEN_BOUNDS_RANGE_READER_H

#include "bounds/range.h"

enum {
  FORM_ATOMS = 16,
  RANGE_CONSTRAINTS_MAX = 64,
  RANGE_DEPTH_MAX = 60,
};

/* A part of an index: (v // divisor) % modulus of a loop's variable v, where modulus may be NULL
 * for none; or a node. */
typedef struct atom {
  const graph_node *node; /* NULL: a loop's variable */
  int loop;
  const poly *divisor, *modulus;
} atom;

typedef struct form {
  const poly *constant;
  int n;
  struct form_term {
    atom of;
    const poly *factor;
  } at[FORM_ATOMS];
} form;

/* The form of node `of`, in the state of the reader that the other fields note. `depth`: where
 * it was read. */
typedef struct range_known {
  const graph_node *of;
  unsigned epoch;
  int n, nconditions, depth;
  bool uses_constraints, cut;
  form *form;
} range_known;

enum { RANGE_KNOWN = 256, RANGE_KNOWN_FROM = 256, RANGE_READS_MAX = 20000, RANGE_WORK_MAX = 20000 };

struct range_reader {
  symbols *s;
  const range_launch *l;
  const graph *g;
  const graph_access *access;
  form *constraints[RANGE_CONSTRAINTS_MAX]; /* each is at least 0 */
  int n;
  const graph_node *conditions[RANGE_CONSTRAINTS_MAX * 2]; /* those that hold */
  int nconditions;
  int depth;
  unsigned work;  /* forms bounded so far: a graph may have more paths than can be walked */
  unsigned reads; /* nodes read as forms */
  /* A cache of the forms that nodes were read as: a graph may have the same node many times. */
  struct range_known *known;
  unsigned epoch, epochs; /* the state of the constraints: a new one once some were taken back */
  unsigned cuts;          /* how often RANGE_DEPTH_MAX cut a walk off */
  bool uses_constraints;
  bool impossible;
  const graph_node *unbounded;
};

/* The form of a node. A node that is not such a sum is a single term. NULL where an integer is
 * too large. */
form *form_read(range_reader *reader, const graph_node *node);
form *form_of_atom(range_reader *reader, const atom *x);
/* x + factor * y */
form *form_add(range_reader *reader, const form *x, const form *y, const poly *factor);
/* c * (v // a % m) + c * m * (v // (a * m)) is c * (v // a). True if two terms became one. */
bool form_join_parts(range_reader *reader, form *f);
bool form_is_same_atom(const atom *x, const atom *y);
/* True if the operator is computed in a type that cannot overflow, or whose overflow the check
 * looks for. */
bool form_computes(const graph_node *node);

range range_of_form(range_reader *reader, const form *f);

/* Assumes that the condition holds, or does not, from here on. */
void range_assume(range_reader *reader, const graph_node *node, bool holds);
/* Begins the bounds of another access, which the value depends on, with the depth and the work
 * of `outer`. */
range_reader *range_begin_within(range_reader *outer, const graph_access *access);

typedef struct reals {
  double low, high;
} reals;

/* Gives the bounds of an integer; false where they are no numbers. */
typedef bool reals_integer(void *data, const graph_node *x, int64_t *low, int64_t *high);

/* False where nothing bounds the float, or it may be NaN or infinite. The bounds allow for a
 * product and a sum that are rounded once. */
bool reals_bound(const graph_node *node, reals_integer *of, void *data, reals *to);

#endif

/* check.h - what can be proved of a model without a run: that each access of each launch stays
 * within its memory, and each 32-bit term of its index within 32 bits.
 *
 * `proved` holds for all sizes that the wrapper allows. `refuted` has a counter-example that was
 * computed: sizes, and a point of the kernel's loops, at which the access leaves its memory. All
 * else is `not decided`, with the reason.
 */
#ifndef GEN_CHECK_H
#define GEN_CHECK_H

#include "base/options.h"
#include "bounds/range.h"
#include "model/model.h"
#include <stdio.h>

enum verdict { VERDICT_PROVED, VERDICT_REFUTED, VERDICT_UNDECIDED };
enum { VERDICT_COUNT = VERDICT_UNDECIDED + 1 };

enum finding_kind {
  FINDING_ACCESS,
  FINDING_TERM,      /* a 32-bit term of an index, or a scalar that is passed in 32 bits */
  FINDING_KERNEL,    /* a kernel that is not understood */
  FINDING_EFFECT,    /* the kernel does not store what its source says */
  FINDING_GRID,      /* elements that no program of the launch covers */
  FINDING_LIFETIME,  /* a tensor that was given up before the call */
  FINDING_OVERLAP,   /* an element that one iteration stores and another one needs */
  FINDING_TWICE,     /* an element that two iterations store to */
  FINDING_UNWRITTEN, /* an element that is read but was never written */
  FINDING_ALIGNMENT, /* an address or an integer that is no multiple of 16 */
  FINDING_VIEW,      /* a view that an operator is passed and that leaves its memory */
  FINDING_PENDING,   /* memory of a collective that is used before the wait for it */
  FINDING_ORDER      /* memory that launches on two streams use, without an order */
};
enum { FINDING_COUNT = FINDING_ORDER + 1 };

typedef struct finding {
  enum finding_kind kind;
  enum verdict verdict;
  size_t site;
  const char *access;     /* "load in_ptr0[x + 3]"; NULL for a kernel that is not understood */
  const char *argument;   /* the wrapper's name of what is passed there, or NULL */
  unsigned line;          /* in the kernel's text; 0: not known */
  const char *why;        /* refuted: the counter-example; not decided: the reason */
  const char *would;      /* not decided: what would decide it, or NULL */
  const char *scalar;     /* of a refuted access: which scalar of the launch is wrong, or NULL */
  const char *cause;      /* of launches without an order: how that comes about, or NULL */
  const char *low, *high; /* bounds of the index, as functions of sizes; or NULL */
  const char *elements;   /* the elements of the memory, likewise */
} finding;

typedef struct check {
  arena_list(finding) findings;                 /* those of one launch */
  size_t kernels;                               /* launches of kernels whose text is there */
  size_t counts[VERDICT_COUNT];                 /* the number of accesses with each verdict */
  size_t by_kind[FINDING_COUNT][VERDICT_COUNT]; /* the number of findings */
  size_t refuted;                               /* findings of any kind */
} check;

/* Receives the findings of a launch, which live until it returns. */
typedef void check_visit(void *data, const finding *list, size_t n);

/* Calls visit() for each launch, in order. Afterwards `c` has the sums. */
void check_model(check *c, const model *m, check_visit *visit, void *data);

/* Checks one launch without a wrapper. `elements` has the number of elements that each of its
 * parameters points to, NULL where that is not known. The findings of accesses are in the order of
 * the graph's. */
void check_launch(check *c, symbols *s, const range_launch *l, const poly *const *elements,
                  arena *a);

/* Prints the graph of each kernel that a site launches, as --dump=kernels does. */
void check_dump_kernels(const model *m, FILE *to);

typedef struct check_printer {
  const model *m;
  const options *o;
  FILE *to;
} check_printer;

/* A check_visit that prints the findings and their sums as the verb `check` does. name: the model's
 * in its package, or NULL. */
void check_print(void *printer, const finding *list, size_t n);
void check_print_sums(const check *c, const options *o, const char *name, FILE *to);

/* A check_visit that prints the accesses of one kernel, --kernel, with their bounds, as the verb
 * `list` does. */
void check_print_accesses(void *printer, const finding *list, size_t n);

#endif

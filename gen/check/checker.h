/* checker.h - what is known while the launches of a model are checked one after the other: the
 * parts of check.h work on it, and nothing else includes it. */
#ifndef GEN_CHECKER_H
#define GEN_CHECKER_H

#include "base/string_map.h"
#include "sizes/changes.h"
#include "check/check.h"
#include "model/kernel_graphs.h"
#include "sizes/sizes.h"
#include "sizes/path_condition.h"
#include "check/violation.h"

typedef struct checker {
  check *c;
  const model *m;
  symbols *s;
  sizes *sizes;
  const blocks *blocks;
  string_map *changes;  /* changes_read() */
  path_condition taken; /* the conditions of the branches around the launch */
  arena *a;             /* of what is found */
  size_t site;
  range_launch launch;
  const argument *const *by_param;
  const poly **elements;   /* by memory of the graph; NULL: not known */
  const char **why;        /* by memory */
  int *roots;              /* by memory: whose storage it is, -1: not known */
  const poly **offsets;    /* by memory: of its first element in that; NULL: not known */
  bool *recast;            /* by memory: the dtype's elements are not as large as the kernel's */
  struct written *written; /* written_begin() */
  bool by_user;            /* the kernel is Triton that a user wrote */
  int64_t work;            /* points that were tried one by one, of all launches */
  struct checker_limit {
    size_t finding; /* its number and 1; 0: none yet */
    int64_t size;
  } limit; /* of the launch: the least size at which a term leaves 32 bits, if nothing bounds it */
} checker;

enum { CHECKER_WORK_MAX = 2000000 };

/* Looks for a violation with the sizes of k->s->values. True: found. */
typedef bool checker_attempt(checker *k, const void *data, violation *w);

typedef struct checker_example {
  const char *text;      /* "s77 = 65537: ", or "" where it holds for all sizes */
  const char *unbounded; /* the sizes in it that nothing bounds: "s77, s0"; or NULL */
  const char *counted;   /* a size that only a run tells on which it depends, or NULL */
  int symbol;            /* the only one of these, else -1 */
  int64_t value;         /* that it has in the example */
  violation w;
} checker_example;

/* Sizes, as small as they can be, at which there is a violation. First those are tried at which
 * what nothing bounds is small: `unbounded` says that the violation needs it to be large. What only
 * a run tells is taken for 0 first. */
bool checker_find_example(checker *k, checker_attempt *try, const void *data, checker_example *e);

/* The launch with numbers in place of symbols, while k->s->values is set. */
range_launch checker_evaluate(checker *k);

/* A finding about an access, or about the launch where `access` is NULL. */
finding *checker_add(checker *k, const graph_access *access, enum finding_kind kind,
                     enum verdict verdict);

/* Gives a finding another verdict. */
void checker_set(checker *k, finding *f, enum verdict verdict);

/* The argument that is passed for the memory of an access, or NULL. */
const argument *checker_argument(const checker *k, const graph_access *access);

/* Begins a launch: false where it launches no kernel, or one that is not understood; *why says so,
 * NULL of none. What is computed of it lives in k->s->a. */
bool checker_begin_launch(checker *k, const site *s, const char **why);

/* Is the access proved to stay within its memory. */
bool checker_is_inside(checker *k, const graph_access *access);

/* ---- parts, each of one launch */

/* 32-bit terms of an index, and scalars that are passed as 32 bits. proved: the access is, if none
 * of its terms leaves 32 bits. */
void terms_check(checker *k, const graph_access *access, bool proved);
void terms_check_scalars(checker *k);

/* What the kernel is said to write against what it stores. */
void effects_check(checker *k, const site *s);

/* No call is passed a tensor after its reset() or move. */
void lifetimes_check(checker *k, const site *s);

/* No iteration stores what another one reads or stores, through another argument that shares the
 * memory or the same one; no store stores two values to one element. */
void overlaps_check(checker *k);
void stores_check(checker *k);

/* What the kernel takes for a multiple of 16 is one. */
void alignment_check(checker *k, const site *s);

/* The views that an operator is passed stay within their memory. */
void passed_check(checker *k, const site *s);

/* The programs of a launch go over all elements, over each once. */
void grids_check(checker *k, const site *s);

#endif

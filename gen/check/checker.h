/* checker.h - the state while the launches of a model are checked one after the other. The parts of
 * check.h work on it; nothing else includes it. */
#ifndef GEN_CHECKER_H
#define GEN_CHECKER_H

#include "bounds/pairs.h"
#include "base/string_map.h"
#include "sizes/blocks.h"
#include "check/check.h"
#include "model/kernel_graphs.h"
#include "sizes/sizes.h"

/* A point of a kernel's loops at which an access leaves its memory, or a term its type: a
 * counter-example that was computed, not concluded. */
typedef struct violation {
  int64_t index;    /* the index that was accessed; the value of a term */
  int64_t elements; /* the number of elements; 0 for a term */
  const char *text; /* "x = 4095": the loops and the loaded values that the index depends on */
} violation;

typedef struct checker {
  check *c;
  const model *m;
  symbols *s;
  symbol_values example; /* the sizes with which a violation is looked for */
  sizes *sizes;
  const blocks *blocks;
  string_map *changes; /* changes_read() */
  path_condition path; /* the conditions of the branches around the launch */
  arena *a;            /* holds the findings */
  size_t site;
  range_launch launch;
  const argument *const *by_param;
  const poly **elements; /* by memory of the graph; NULL: not known */
  const char **why;      /* by memory */
  int *roots;            /* by memory: the variable that owns it, -1: not known */
  const poly **offsets;  /* by memory: of its first element in the owner's; NULL: not known */
  bool *recast; /* by memory: the size of the dtype's elements is not that of the kernel's */
  struct written *written; /* written_begin() */
  struct order *order;     /* order_begin() */
  const bool *accumulates; /* by access: a load or a store of "p[i] += x" */
  bool by_user;            /* the kernel is Triton written by a user */
  struct terms *terms;     /* terms_begin(), for the launch */
  int64_t work;            /* the number of points that were tried one by one, over all launches */
  struct checker_limit {
    size_t finding; /* 1 + the number of the finding; 0: none yet */
    int symbol;     /* the size; -1: several together */
    int64_t size;
  } limit; /* of the launch: the least size at which a term leaves 32 bits, if nothing bounds it */
} checker;

enum { CHECKER_WORK_MAX = 2000000 };

/* Looks for a violation with the sizes of k->example. True if there is one. */
typedef bool checker_attempt(checker *k, const void *data, violation *w);

typedef struct checker_example {
  const char *text;      /* "s77 = 65537: ", or "" where it holds for all sizes */
  const char *unbounded; /* the sizes in `text` that nothing bounds: "s77, s0"; or NULL */
  const char *counted; /* a size that only a run tells and that the violation depends on, or NULL */
  int symbol;          /* the only unbounded size, else -1 */
  int64_t value;       /* its value in the example */
  violation w;
} checker_example;

/* Finds sizes at which there is a violation, as small as possible. First, the sizes that nothing
 * bounds are kept small; `unbounded` is set where the violation needs one of them to be large. A
 * size that only a run tells is first taken to be 0. */
bool checker_find_example(checker *k, checker_attempt *try, const void *data, checker_example *e);

/* The value of x in the example; false where it is not known. */
bool checker_value(const checker *k, const poly *x, int64_t *value);
/* The launch with the example's numbers in place of symbols. */
range_launch checker_evaluate(checker *k);

/* Looks for a point where the access is made outside of first ... elements - 1. The launch's
 * parameters are numbers. False if none is found. */
bool violation_of_access(violation *w, symbols *s, const range_launch *l,
                         const graph_access *access, int64_t first, int64_t elements);

/* The same for a term of the access's index that is not within [low, high]. */
bool violation_of_term(violation *w, symbols *s, const range_launch *l, const graph_access *access,
                       const graph_node *term, int64_t low, int64_t high);

/* Why nothing more of a launch is decided: a limit of its work is reached. */
extern const char checker_spent[];

/* Adds a finding about an access, or about the launch where `access` is NULL. */
finding *checker_add(checker *k, const graph_access *access, enum finding_kind kind,
                     enum verdict verdict);

/* Changes the verdict of a finding. */
void checker_set(checker *k, finding *f, enum verdict verdict);

/* The argument that is passed for the memory of an access, or NULL. */
const argument *checker_argument(const checker *k, const graph_access *access);
/* The name of that argument, else of the memory in the kernel. */
const char *checker_memory_name(const checker *k, const graph_access *access);

/* The first load below the node, or NULL. `node` may be NULL. */
const graph_node *checker_find_load(const checker *k, graph_node *node);

/* Begins a launch. What is computed for it lives in k->s->a. False if the site launches no kernel,
 * with *why NULL, or one that is not understood, where *why is the reason. */
bool checker_begin_launch(checker *k, const site *s, const char **why);

/* True if the access is proved to stay within its memory. */
bool checker_is_inside(checker *k, const graph_access *access);

/* ---- parts, each of one launch */

/* What the terms of a launch's accesses are known to be: most accesses share theirs. */
struct terms *terms_begin(const graph *g, arena *a);

/* Checks the 32-bit terms of an index, and scalars that are passed in 32 bits. proved: the access
 * stays within its memory if none of its terms leaves 32 bits. */
void terms_check(checker *k, const graph_access *access, bool proved);
void terms_check_scalars(checker *k);

/* Of a launch with a refuted access: "ks0 is passed ps0 = s0 + 2: with s0, no access leaves its
 * memory", if another size of the launch's tensors, instead of this scalar alone, keeps all
 * accesses within their memory and fills what they store to; else NULL. Of several, the one with
 * which the launch uses most of its memories. undecided: by access, those that are
 * left out, which the text then says. */
const char *scalars_find_wrong(checker *k, const bool *undecided);

/* Compares what the kernel's source says that it writes with what it stores. */
void effects_check(checker *k, const site *s);

/* No call is passed a tensor after its reset() or move. */
void lifetimes_check(checker *k, const site *s);

/* No iteration stores what another one reads or stores, through another argument that shares the
 * memory or the same one; no store stores two values to one element. */
void overlaps_check(checker *k);
void stores_check(checker *k);

/* Each value that the kernel assumes to be a multiple of 16 is one. */
void alignment_check(checker *k, const site *s);

/* No launch uses the memory of a collective before the wait that completes it. */
void completion_check(checker *k, const site *s);

/* Launches on different streams that use one memory, one of which writes, are ordered by events or
 * by the host. Of a model with one stream nothing is found. What the allocator does with memory
 * that is given up is not looked at: it may pass it on in the order of the stream that it was
 * allocated on, while another stream uses it. */
struct order *order_begin(const model *m, arena *a);
void order_check(checker *k, const site *s);
/* Behind order_check(): why the launch may read the variable's memory before another stream has
 * written it, or NULL. */
const char *order_find_unordered(checker *k, int root);

/* The views that an operator is passed stay within their memory. */
void passed_check(checker *k, const site *s);

/* The programs of a launch cover each element, and each once. */
void grids_check(checker *k, const site *s);

/* ---- the elements that launches and calls have written of each buffer that the wrapper
 * allocates. Calls are followed in order. */

/* Makes an array with an entry for each variable of the wrapper. */
struct written *written_begin(const model *m, arena *a);

/* Checks that each element that the site reads of such a buffer was written before, then notes what
 * the site writes. graph: of the site's kernel, as it stands in k->launch; NULL for another call,
 * or a kernel that is not understood. */
void written_check(checker *k, const site *s, const graph *g);

/* ---- two points of a kernel's loops at which two accesses touch one element,
 * computed for sizes that are set: what pairs.h cannot exclude. */

typedef struct overlap_points {
  int64_t element;             /* the number of the element in the memory that both share */
  const char *x_text, *y_text; /* the points: "x = 3" */
} overlap_points;

/* Looks for two points of `p` that belong to different programs, or to different steps of one of
 * its loops, where the point of `y` is later: `x` stores to the element that `y` needs, or stores
 * to. Where `x` and `y` are the same store, the values that it stores differ. At most `most` points
 * of each are tried. False if none is found. */
bool overlap_points_find(overlap_points *found, checker *k, const range_launch *l, const pair *p,
                         int64_t most);

#endif

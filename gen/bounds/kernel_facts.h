/* kernel_facts.h - what a kernel's graph says of its parameters: which are loaded and stored, which
 * loads reach which store, which NaN is stored on purpose, and how many elements are touched at
 * least.
 *
 * The text decides, not a parameter's name. Nothing is said of a kernel that is not understood. A
 * dependence may be named that does not exist, never the reverse; an extent may be too small, never
 * too large. Extents are texts of the language of postfix.h, over the values of parameters, "@3".
 * If there are several, separated by ';', the greatest result counts. runtime/checks/extent.c
 * computes them at each launch.
 */
#ifndef GEN_BOUNDS_KERNEL_FACTS_H
#define GEN_BOUNDS_KERNEL_FACTS_H

#include "kernel/graph.h"
#include "shared/bad.h"

enum { KERNEL_PARAMS_MAX = 64 };

typedef struct kernel_param {
  const char *name;
  bool loaded, stored;
  /* It is loaded by VecMask<float,1>::from(mask).loadu(pointer), which has no count of elements:
   * the last load of a loop may go past the end, to lanes that are not used. */
  bool vectors;
  bool takes32, converts32; /* C++: an integer that is passed in 32 bits, or converted to that */
  bool fills;          /* one of its stores goes over all places, whatever elements are loaded */
  uint64_t reached_by; /* a bit for each parameter whose elements may decide what is stored here */
  /* The subset of `reached_by` whose NaN, +Inf, -Inf may be selected away or lost in a function, so
   * that what is stored need not be bad. */
  uint64_t selected_by[3];
  bool moves; /* what is stored is bad only where an element that was read is, or by `constants` */
  uint8_t constants;    /* enum ag_bad: stored here on purpose, or selected for it */
  int64_t least;        /* elements from its first that every dense launch touches; 0: not known */
  const char *least_of; /* the same as a function of scalar parameters, or NULL */
  /* The number of elements from its first one on that are all loaded, or all stored; NULL where
   * that is not known. */
  const char *loads_all, *stores_all;
} kernel_param;

typedef struct kernel_facts {
  const char *why;        /* what was not understood; NULL where all was */
  bool by_user;           /* a user wrote it in Triton: its stores need not go over all places */
  unsigned loads, stores; /* accesses of the graph: a unit compares them with the corpus */
  size_t nparams;
  kernel_param params[KERNEL_PARAMS_MAX]; /* the last: kernels.c keeps those that are used */
} kernel_facts;

/* Texts are copied into `a`; names and `why` are the graph's. */
void kernel_facts_read(kernel_facts *f, const graph *g, arena *a);

/* True if `text` is one of the texts in `list`, which are separated by ';'. `list` may be NULL. */
bool kernel_facts_has(const char *list, const char *text);

/* ---- the parts: each fills what it says of the parameters. Where `why` is set, nothing else is
 * said. */

/* reach.c: all but the extents. Sets `why` where a pointer is not followed. */
void reach_read(kernel_facts *f, const graph *g);
/* extent.c: `least` and `least_of` */
void extent_read(kernel_facts *f, const graph *g, arena *a);
/* cover.c: `loads_all` and `stores_all` */
void cover_read(kernel_facts *f, const graph *g, arena *a);

#endif

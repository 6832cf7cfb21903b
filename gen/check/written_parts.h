/* written_parts.h - what written.c and its parts share; nothing else includes it. */
#ifndef GEN_CHECK_WRITTEN_PARTS_H
#define GEN_CHECK_WRITTEN_PARTS_H

#include "check/checker.h"

/* ---- the launch of a site other than the one that is checked: its kernel's graph, its
 * sizes, and where its memories lie */

/* The memory that is passed for one of the kernel's memories. */
typedef struct site_memory {
  int root;                      /* the variable that owns it, -1: not known */
  const poly *offset, *elements; /* of its first element; the number of all; NULL: not known */
  bool recast;                   /* the size of its elements is not that of the kernel's */
} site_memory;

typedef struct site_launch {
  const site *s;
  const graph *g; /* NULL: the site launches no kernel, or one that is not understood */
  range_launch l;
  const argument *const *by_param;
} site_launch;

/* Call these at least once for each site before an example is looked for, which has no value for a
 * symbol that they make. */
void site_launch_read(site_launch *w, checker *k, size_t site_number);
/* Only the root and the offset of site_memory. */
const poly *site_launch_offset(const site_launch *w, checker *k, int memory, int *root);
site_memory site_launch_memory(const site_launch *w, checker *k, int memory);

/* The launch with the numbers of k->example in place of symbols. */
range_launch site_launch_evaluate(const site_launch *w, const checker *k);

/* ---- shadow memory of one buffer: which of its elements launches and calls have written,
 * one by one, for sizes that are set */

typedef struct shadow {
  unsigned char *at; /* by element: 1 if it was written */
  int64_t n;
  int64_t most;     /* the most points of an access, or elements of a view, that are tried */
  const char *text; /* the point of the last element that was found */
} shadow;

/* Marks the elements that the access stores to, or that a call fills through a view of the buffer.
 * False if they are not known. offset: of the memory's first element in the buffer. */
bool shadow_add_access(shadow *m, checker *k, const range_launch *l, const graph_access *access,
                       const poly *offset);
bool shadow_add_view(shadow *m, checker *k, const view *v, const poly *offset);

enum shadow_found { SHADOW_WRITTEN, SHADOW_UNWRITTEN, SHADOW_UNKNOWN };

/* Looks for an element that the access, or the view, covers and that is not marked; *element is the
 * first one. */
enum shadow_found shadow_find_access(shadow *m, checker *k, const range_launch *l,
                                     const graph_access *x, const poly *offset, int64_t *element);
enum shadow_found shadow_find_view(shadow *m, checker *k, const view *v, const poly *offset,
                                   int64_t *element);

/* ---- whether a result depends on elements that were never written: a kernel may read them and
 * select another value, or what it computes from them may be overwritten */

/* The sites through which elements that a load reads from one variable's memory may reach a result,
 * with their sizes. */
typedef struct use_walk use_walk;

/* Reads the sites behind `access`, a load of the launch of k->site, that elements of variable
 * `root`'s memory may reach. Lives in k->s->a. */
use_walk *use_walk_read(checker *k, const graph_access *access, int root);

/* USE_UNKNOWN: no result was found to depend on one for certain, and not everything was
 * followed. */
enum use_found { USE_NONE, USE_UNKNOWN, USE_CERTAIN };

/* Follows the elements whose byte in `bad` is not 0, of the memory's n, at sizes that are set.
 * *element: for USE_CERTAIN, the one that the first result found depends on. */
enum use_found use_walk_find(use_walk *u, const unsigned char *bad, int64_t n, int64_t *element);

#endif

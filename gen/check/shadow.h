/* shadow.h - shadow memory of one buffer: which of its elements launches and calls have written,
 * one by one, for sizes that are set. */
#ifndef GEN_CHECK_SHADOW_H
#define GEN_CHECK_SHADOW_H

#include "bounds/range.h"
#include "sizes/sizes.h"

typedef struct shadow {
  unsigned char *at; /* by element: 1 if it was written */
  int64_t n;
  int64_t most; /* the most points of an access, or elements of a view, that are tried */
  int64_t *work;
  const char *text; /* the point of the last element that was found */
} shadow;

/* Marks the elements that the access stores to, or that a call fills through a view of the buffer.
 * False if they are not known. offset: of the memory's first element in the buffer. */
bool shadow_add_access(shadow *m, symbols *s, const range_launch *l, const graph_access *access,
                       const poly *offset);
bool shadow_add_view(shadow *m, symbols *s, const view *v, const poly *offset);

enum shadow_found { SHADOW_WRITTEN, SHADOW_UNWRITTEN, SHADOW_UNKNOWN };

/* Looks for an element that the access, or the view, covers and that is not marked; *element is the
 * first one. */
enum shadow_found shadow_find_access(shadow *m, symbols *s, const range_launch *l,
                                     const graph_access *x, const poly *offset, int64_t *element);
enum shadow_found shadow_find_view(shadow *m, symbols *s, const view *v, const poly *offset,
                                   int64_t *element);

#endif

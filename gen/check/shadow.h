/* marks.h - the elements of one buffer that launches and calls write, one by one, for sizes that
 * are set. */
#ifndef GEN_CHECK_MARKS_H
#define GEN_CHECK_MARKS_H

#include "check/range.h"
#include "check/views.h"

typedef struct marks {
  unsigned char *at; /* by element: written */
  int64_t n;
  int64_t most; /* points of an access, and elements of a view, that are tried */
  int64_t *work;
  const char *text; /* of the last element found */
} marks;

/* Marks what the access stores, or a call that fills a view of the buffer. False where that is not
 * known. offset: of the memory's first element in the buffer. */
bool marks_add_access(marks *m, symbols *s, const range_launch *l, const graph_access *x,
                      const poly *offset);
bool marks_add_view(marks *m, symbols *s, const view *v, const poly *offset);

enum marks_found { MARKS_ALL, MARKS_MISSING, MARKS_UNKNOWN };

/* Is each element that the access, or the view, goes over marked; *element is the first that is
 * not. */
enum marks_found marks_find_access(marks *m, symbols *s, const range_launch *l,
                                   const graph_access *x, const poly *offset, int64_t *element);
enum marks_found marks_find_view(marks *m, symbols *s, const view *v, const poly *offset,
                                 int64_t *element);

#endif

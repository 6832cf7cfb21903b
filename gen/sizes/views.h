/* views.h - the dimensions and strides of the tensor that a call is passed. */
#ifndef GEN_SIZES_VIEWS_H
#define GEN_SIZES_VIEWS_H

#include "sizes/sizes.h"

enum { VIEW_DIMS_MAX = 16 };

typedef struct view {
  int n;
  const poly *sizes[VIEW_DIMS_MAX], *strides[VIEW_DIMS_MAX];
} view;

/* Reads the view of an argument whose memory the wrapper allocates. False where its dimensions
 * or strides are not known. */
bool view_read(view *v, sizes *z, const model *m, const argument *arg, size_t at);

#endif

/* shadow.c - see written_parts.h. */
#include "check/written_parts.h"
#include "bounds/points.h"

/* Called with each element; false ends the walk. */
typedef bool shadow_visit(shadow *m, int64_t element);

static bool mark(shadow *m, int64_t element) {
  if (element >= 0 && element < m->n) m->at[element] = 1;
  return true;
}

/* True outside of the buffer as well: that is another finding. */
static bool is_marked(shadow *m, int64_t element) {
  return element < 0 || element >= m->n || m->at[element];
}

/* ---- accesses ------------------------------------------------------------------------------- */

/* Calls `visit` with each element that the access touches. False if not all points are known, or
 * if `visit` ends the walk, with its element in *last. */
static bool walk_access(shadow *m, checker *k, const range_launch *l, const graph_access *access,
                        const poly *offset, shadow_visit *visit, int64_t *last) {
  points p = {.s = k->s, .l = l, .x = access};
  int64_t first, element, holds;
  *last = -1;
  if (!checker_value(k, offset, &first) || !points_collect(&p, access->index)) return false;
  for (int i = 0; i < p.n; i++)
    if (p.at[i].node->kind == NODE_LOAD) return false;
  int64_t count = points_count(&p);
  if (p.unbounded) return false;
  if (count == 0) return true;
  if (count > m->most) return false;
  points_first(&p);
  do {
    if (count-- == 0) return false;
    k->work++;
    if (access->when && !points_evaluate(&p, access->when, &holds)) return false;
    if (!points_is_reached(&p)) {
      if (p.unsure) return false;
      continue;
    }
    if (!points_evaluate(&p, access->index, &element)) return false;
    if (__builtin_add_overflow(first, element, &element)) return false;
    if (visit(m, element)) continue;
    *last = element;
    m->text = points_format(&p);
    return false;
  } while (points_next(&p));
  return true;
}

bool shadow_add_access(shadow *m, checker *k, const range_launch *l, const graph_access *access,
                       const poly *offset) {
  int64_t last;
  return walk_access(m, k, l, access, offset, mark, &last);
}

enum shadow_found shadow_find_access(shadow *m, checker *k, const range_launch *l,
                                     const graph_access *x, const poly *offset, int64_t *element) {
  if (walk_access(m, k, l, x, offset, is_marked, element)) return SHADOW_WRITTEN;
  return *element >= 0 ? SHADOW_UNWRITTEN : SHADOW_UNKNOWN;
}

/* ---- views ---------------------------------------------------------------------------------- */

static bool walk_view(shadow *m, checker *k, const view *v, const poly *offset, shadow_visit *visit,
                      int64_t *last) {
  int64_t size[VIEW_DIMS_MAX], stride[VIEW_DIMS_MAX], at[VIEW_DIMS_MAX] = {0}, element, all = 1;
  *last = -1;
  if (!checker_value(k, offset, &element)) return false;
  for (int i = 0; i < v->n; i++) {
    if (!checker_value(k, v->sizes[i], &size[i]) || !checker_value(k, v->strides[i], &stride[i]))
      return false;
    if (size[i] <= 0) return true;
    if (__builtin_mul_overflow(all, size[i], &all) || all > m->most) return false;
  }
  for (int64_t n = 0; n < all; n++) {
    k->work++;
    if (!visit(m, element)) return *last = element, false;
    for (int i = v->n; i-- > 0;) {
      element += stride[i];
      if (++at[i] < size[i]) break;
      element -= size[i] * stride[i];
      at[i] = 0;
    }
  }
  return true;
}

bool shadow_add_view(shadow *m, checker *k, const view *v, const poly *offset) {
  int64_t last;
  return walk_view(m, k, v, offset, mark, &last);
}

enum shadow_found shadow_find_view(shadow *m, checker *k, const view *v, const poly *offset,
                                   int64_t *element) {
  m->text = "";
  if (walk_view(m, k, v, offset, is_marked, element)) return SHADOW_WRITTEN;
  return *element >= 0 ? SHADOW_UNWRITTEN : SHADOW_UNKNOWN;
}

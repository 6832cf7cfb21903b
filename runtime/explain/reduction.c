/* reduction.c - see reduction.h. */
#define _GNU_SOURCE
#include "explain/reduction.h"

#include <ctype.h>
#include <string.h>

/* ---- operators ------------------------------------------------------------------------------ */

typedef struct fold_row {
  ag_op op;
  uint8_t fold, args, parts;
  bool scan;
} fold_row;

/* triton_helpers.max2() returns the NaN, tl.max() the number. */
static const fold_row folds[] = {{AG_OP_SUM, AG_FOLD_SUM, 1, 1, false},
                                 {AG_OP_PROD, AG_FOLD_PRODUCT, 1, 1, false},
                                 {AG_OP_MAX2, AG_FOLD_MAX_OR_NAN, 1, 1, false},
                                 {AG_OP_MIN2, AG_FOLD_MIN_OR_NAN, 1, 1, false},
                                 {AG_OP_FMAX2, AG_FOLD_MAX, 1, 1, false},
                                 {AG_OP_FMIN2, AG_FOLD_MIN, 1, 1, false},
                                 {AG_OP_BLOCK_MAX, AG_FOLD_MAX, 1, 1, false},
                                 {AG_OP_BLOCK_MIN, AG_FOLD_MIN, 1, 1, false},
                                 {AG_OP_ANY, AG_FOLD_ANY, 1, 1, false},
                                 {AG_OP_WELFORD, AG_FOLD_WELFORD, 3, 3, false},
                                 {AG_OP_SOFTMAX_REDUCE, AG_FOLD_SOFTMAX, 2, 2, false},
                                 {AG_OP_MAX_WITH_INDEX, AG_FOLD_MAX_INDEX, 2, 2, false},
                                 {AG_OP_MIN_WITH_INDEX, AG_FOLD_MIN_INDEX, 2, 2, false},
                                 {AG_OP_CUMSUM, AG_FOLD_SUM, 1, 1, true},
                                 {AG_OP_CUMPROD, AG_FOLD_PRODUCT, 1, 1, true}};

/* By the function that combines two elements, such as "_triton_helper_fn_add0". */
static const struct {
  const char *name;
  fold_row row;
} scans[] = {{"add", {AG_OP_ADD, AG_FOLD_SUM, 1, 1, true}},
             {"mul", {AG_OP_MULTIPLY, AG_FOLD_PRODUCT, 1, 1, true}},
             {"maximum", {AG_OP_MAXIMUM, AG_FOLD_MAX_OR_NAN, 1, 1, true}},
             {"minimum", {AG_OP_MINIMUM, AG_FOLD_MIN_OR_NAN, 1, 1, true}}};

static const fold_row *find_scan(const char *function) {
  static const char helper[] = "_triton_helper_fn_";
  size_t n = sizeof helper - 1;
  if (strncmp(function, helper, n) != 0) return NULL;
  for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) {
    size_t length = strlen(scans[i].name);
    const char *rest = function + n + length;
    bool same = strncmp(function + n, scans[i].name, length) == 0;
    if (same && rest[strspn(rest, "0123456789")] == '\0') return &scans[i].row;
  }
  return NULL;
}

static const fold_row *find_fold(const ag_graph *g, const ag_graph_node *node) {
  if (node->kind != NODE_OP || !node->n) return NULL;
  if (node->op == AG_OP_ASSOCIATIVE_SCAN) {
    const ag_graph_node *f = &g->nodes[node->args[2]];
    return f->kind == NODE_OP ? find_scan(f->text) : NULL;
  }
  for (size_t i = 0; i < sizeof folds / sizeof *folds; i++)
    if (folds[i].op == node->op) return &folds[i];
  return NULL;
}

/* ---- over which places ---------------------------------------------------------------------- */

static bool has_bit(uint64_t bits, int32_t i) { return i >= 0 && i < 63 && bits >> i & 1; }

/* The loop of this kind over the elements whose places in a block are in loop `tile`; -1 if there
 * is none. */
static int32_t find_joined(const ag_graph *g, int32_t tile, enum loop_kind kind) {
  for (int32_t i = 0; i < g->nloops; i++)
    if (g->loops[i].kind == kind && g->loops[i].tile == tile) return i;
  return -1;
}

/* Inductor's names of reduced dimensions: r, r0, r1. */
static bool is_reduced_name(const char *name) {
  return name[0] == 'r' && (!name[1] || (isdigit((unsigned char)name[1]) && !name[2]));
}

/* The only one of the tiles that lies along dimension `axis`; -1 if it is not known. */
static int32_t find_along(const ag_graph *g, const int32_t *tiles, int n, int64_t axis) {
  int32_t found = -1;
  for (int i = 0; i < n; i++) {
    int32_t along = g->loops[tiles[i]].axis;
    if (along < 0 || (along == axis && found >= 0)) return -1;
    if (along == axis) found = tiles[i];
  }
  return found;
}

/* Finds the tiles that are reduced. Inductor's are recognised by their names; others by the
 * dimension that the kernel gives them. axis: -1 if it is not known. */
static void find_tiles(const ag_graph *g, uint64_t depends, int64_t axis, ag_reduction *reduction) {
  enum { MOST = 8 };
  int32_t tiles[MOST];
  int n = 0;
  for (int32_t i = 0; i < g->nloops; i++) {
    if (g->loops[i].kind != LOOP_TILE || !has_bit(depends, i)) continue;
    int32_t grid = find_joined(g, i, LOOP_GRID);
    if (grid < 0 && is_reduced_name(g->loops[i].name) && reduction->ntiles < AG_REDUCTION_TILES)
      reduction->tiles[reduction->ntiles++] = i;
    if (n == MOST) return;
    if (grid < 0 || has_bit(depends, grid)) tiles[n++] = i;
  }
  if (reduction->ntiles || !n) return;
  int32_t along = n == 1 ? tiles[0] : find_along(g, tiles, n, axis);
  if (along >= 0) reduction->tiles[reduction->ntiles++] = along;
}

/* The dimension that a call such as sum(node, 1) names; -1 if it is not known. */
static int64_t find_axis(const ag_graph *g, const ag_graph_node *node, int n) {
  const ag_graph_node *axis = node->n > n ? &g->nodes[node->args[n]] : NULL;
  return axis && axis->kind == NODE_INTEGER ? axis->value : -1;
}

static void close_loops(const ag_graph *g, ag_reduction *reduction) {
  for (int k = 0; k < reduction->ntiles; k++)
    for (int32_t i = 0; i < g->nloops && i < 63; i++)
      if (i == reduction->tiles[k] || g->loops[i].tile == reduction->tiles[k])
        reduction->closed |= UINT64_C(1) << i;
}

bool ag_reduction_read(const ag_graph *g, const uint64_t *loops, int32_t node,
                       ag_reduction *reduction) {
  const ag_graph_node *x = &g->nodes[node];
  bool item = x->op == AG_OP_ITEM && g->nodes[x->args[1]].kind == NODE_INTEGER;
  int64_t part = item ? g->nodes[x->args[1]].value : 0;
  uint64_t depends = 0;
  if (item) x = &g->nodes[x->args[0]];
  const fold_row *f = find_fold(g, x);
  if (!f || part < 0 || part >= f->parts) return false;
  *reduction = (ag_reduction){.fold = f->fold,
                              .scan = f->scan,
                              .part = (int)part,
                              .op = x->op,
                              .name = x->text,
                              .n = f->args};
  for (int i = 0; i < reduction->n; i++) {
    reduction->args[i] = x->args[i];
    depends |= loops[x->args[i]];
  }
  find_tiles(g, depends, find_axis(g, x, reduction->n), reduction);
  if (!reduction->scan) close_loops(g, reduction);
  return true;
}

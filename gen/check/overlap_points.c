/* overlap_points.c - see checker.h. */
#include "check/checker.h"
#include "bounds/points.h"

enum { SAME_PLACE_MAX = 4 };

/* A point of x: its element, and in `values` the value of each unknown. */
typedef struct place {
  int64_t element;
  size_t next; /* 1 + the next place with the same hash; 0: none */
} place;

typedef struct search {
  checker *k;
  const range_launch *l;
  const pair *p;
  points x, y;
  int y_of[POINTS_UNKNOWNS_MAX]; /* by unknown of x: the same unknown of y, or -1 */
  place *places;
  int64_t *values; /* by place: the values of x->n unknowns */
  size_t n, room;
  size_t *heads; /* by hash: 1 + a place */
  size_t mask;
} search;

/* ---- points --------------------------------------------------------------------------------- */

static bool has_axis(const search *m, const points *p, int axis) {
  for (int i = 0; i < p->n; i++) {
    const graph_node *x = p->at[i].node;
    if (graph_program_axis(x) == axis) return true;
    const graph_loop *l = x->kind == NODE_STEP ? &m->l->g->loops.at[x->index] : NULL;
    if (l && l->kind == LOOP_GRID && (l->axis == axis || (l->axis == GRAPH_AXIS_YZ && axis > 0)))
      return true;
  }
  return false;
}

/* True if it depends on elements of a block that are not the grid's. A reduction may stand between
 * the two, and wait for all threads of the program. */
static bool has_tile(const search *m, const points *p) {
  for (int i = 0; i < p->n; i++) {
    const graph_node *x = p->at[i].node;
    if (x->kind == NODE_STEP && m->l->g->loops.at[x->index].kind != LOOP_GRID) return true;
  }
  return false;
}

/* True if another program, or another thread, executes the second element of the grid. */
static bool is_another_program(search *m, const graph_node *node, int64_t first, int64_t second) {
  int64_t step;
  if (first == second) return false;
  if (graph_is_program(node) || (!has_tile(m, &m->x) && !has_tile(m, &m->y))) return true;
  const graph_loop *l = &m->l->g->loops.at[node->index];
  return points_evaluate(&m->y, l->step, &step) && step > 0 && first / step != second / step;
}

static bool are_programs(search *m, const int64_t *values) {
  for (int i = 0; i < m->x.n; i++) {
    const graph_node *x = m->x.at[i].node;
    bool grid = x->kind == NODE_STEP && m->l->g->loops.at[x->index].kind == LOOP_GRID;
    if ((!grid && !graph_is_program(x)) || m->y_of[i] < 0) continue;
    if (is_another_program(m, x, values[i], m->y.at[m->y_of[i]].value)) return true;
  }
  for (int axis = 0; axis < 3; axis++) {
    int64_t programs;
    bool several = poly_is_number(m->l->grid[axis], &programs) && programs > 1;
    if (m->p->programs[axis] && several && (!has_axis(m, &m->x, axis) || !has_axis(m, &m->y, axis)))
      return true;
  }
  return false;
}

static int find_unknown(const points *p, const graph_node *node) {
  for (int i = 0; i < p->n; i++)
    if (p->at[i].node == node) return i;
  return -1;
}

static int find_loop(const points *p, int loop) {
  for (int i = 0; i < p->n; i++)
    if (p->at[i].node->kind == NODE_STEP && p->at[i].node->index == loop) return i;
  return -1;
}

/* True if y comes later: that depends on the outermost loop around both whose steps differ. */
static bool is_later(search *m, const int64_t *values) {
  bool stores = m->p->y->kind != ACCESS_LOAD;
  for (int i = 0; i < m->p->n; i++) {
    const graph_loop *l = &m->l->g->loops.at[m->p->loops[i]];
    int x = find_loop(&m->x, m->p->loops[i]), y = find_loop(&m->y, m->p->loops[i]);
    int64_t step = 1;
    if (l->kind == LOOP_GRID || x < 0 || y < 0) continue;
    if (l->kind == LOOP_BLOCKS && (!points_evaluate(&m->y, l->step, &step) || step < 1)) continue;
    int64_t first = values[x] / step, second = m->y.at[y].value / step;
    if (first != second) return stores || first < second;
  }
  return false;
}

/* ---- one store twice ------------------------------------------------------------------------ */

typedef struct comparison {
  search *m;
  const int64_t *values; /* the values at the first point */
  bool loads, differs, steps;
} comparison;

static bool evaluate_first(search *m, const int64_t *values, const graph_node *node, int64_t *to) {
  points first = m->x;
  for (int i = 0; i < first.n; i++) first.at[i].value = values[i];
  first.takes_first = true;
  bool known = points_evaluate(&first, node, to);
  m->x.costly = m->x.costly || first.costly;
  return known;
}

static void compare_load(void *data, graph_node *node) {
  comparison *c = data;
  int64_t a, b;
  c->m->x.s->tried++;
  if (node->kind == NODE_STEP && find_unknown(&c->m->x, node) >= 0) c->steps = true;
  if (node->kind != NODE_LOAD || c->differs) return;
  const graph_node *index = c->m->l->g->accesses.at[node->index].index;
  c->loads = true;
  c->m->y.takes_first = true;
  c->differs = evaluate_first(c->m, c->values, index, &a) && points_evaluate(&c->m->y, index, &b) &&
               a != b;
  c->m->y.takes_first = false;
}

/* True if one store stores different values at the two points: they come from other elements. */
static bool is_another_value(search *m, const int64_t *values) {
  comparison c = {.m = m, .values = values};
  bool other = false;
  for (int i = 0; i < m->p->n; i++) {
    int x = find_loop(&m->x, m->p->loops[i]);
    other = other || (x >= 0 && values[x] != m->y.at[x].value);
  }
  for (int i = 0; i < m->x.n; i++)
    other = other || (graph_is_program(m->x.at[i].node) && values[i] != m->y.at[i].value);
  if (!other) return false;
  graph_each(m->l->g, m->p->x->value, compare_load, &c);
  return c.differs || (!c.loads && c.steps);
}

/* ---- places --------------------------------------------------------------------------------- */

static size_t hash_element(const search *m, int64_t element) {
  return (size_t)((uint64_t)element * 0x9e3779b97f4a7c15u >> 20) & m->mask;
}

static void add_place(search *m, int64_t element) {
  size_t hash = hash_element(m, element);
  unsigned same = 0;
  for (size_t i = m->heads[hash]; i; i = m->places[i - 1].next)
    same += m->places[i - 1].element == element;
  if (same >= SAME_PLACE_MAX || m->n == m->room) return;
  m->places[m->n] = (place){.element = element, .next = m->heads[hash]};
  for (int i = 0; i < m->x.n; i++) m->values[m->n * (size_t)m->x.n + (size_t)i] = m->x.at[i].value;
  m->heads[hash] = ++m->n;
}

static bool get_element(points *p, int64_t offset, int64_t *element) {
  return points_evaluate(p, p->x->index, element) && points_is_reached(p) &&
         !__builtin_add_overflow(*element, offset, element);
}

/* Finds a point of x at which it overlaps y. */
static bool find_place(search *m, overlap_points *found, int64_t element) {
  for (size_t i = m->heads[hash_element(m, element)]; i; i = m->places[i - 1].next) {
    const int64_t *values = m->values + (i - 1) * (size_t)m->x.n;
    if (m->places[i - 1].element != element) continue;
    bool overlaps = m->p->x == m->p->y ? is_another_value(m, values)
                                       : are_programs(m, values) || is_later(m, values);
    if (!overlaps) continue;
    for (int k = 0; k < m->x.n; k++) m->x.at[k].value = values[k];
    *found = (overlap_points){element, points_format(&m->x), points_format(&m->y)};
    return true;
  }
  return false;
}

static bool collect(points *p, symbols *s, const range_launch *l, const graph_access *access) {
  *p = (points){.s = s, .l = l, .x = access};
  if (!points_collect(p, access->index)) return false;
  for (int i = 0; i < p->n; i++)
    if (p->at[i].node->kind == NODE_LOAD) return false;
  return true;
}

static void keep_places(search *m, int64_t offset, int64_t most) {
  points_first(&m->x);
  for (int64_t i = 0; i < most; i++) {
    int64_t element;
    if (get_element(&m->x, offset, &element)) add_place(m, element);
    m->k->work++;
    if (!points_next(&m->x)) return;
  }
}

static bool try_points(search *m, overlap_points *found, int64_t most) {
  int64_t x_offset, y_offset, element;
  if (!checker_value(m->k, m->p->x_offset, &x_offset) ||
      !checker_value(m->k, m->p->y_offset, &y_offset))
    return false;
  keep_places(m, x_offset, most);
  points_first(&m->y);
  for (int64_t i = 0; i < most; i++) {
    if (get_element(&m->y, y_offset, &element) && find_place(m, found, element)) return true;
    m->k->work++;
    if (!points_next(&m->y)) break;
  }
  return false;
}

bool overlap_points_find(overlap_points *found, checker *k, const range_launch *l, const pair *p,
                         int64_t most) {
  search m = {.k = k, .l = l, .p = p, .mask = 1};
  if (!collect(&m.x, k->s, l, p->x) || !collect(&m.y, k->s, l, p->y)) return false;
  for (int i = 0; i < m.x.n; i++) m.y_of[i] = find_unknown(&m.y, m.x.at[i].node);
  int64_t count = points_count(&m.x);
  m.room = (size_t)(count < most ? count : most) + 1;
  while (m.mask < m.room) m.mask = m.mask * 2 + 1;
  arena *own = arena_new();
  m.places = arena_alloc(own, m.room * sizeof *m.places);
  m.values = arena_alloc(own, m.room * (size_t)(m.x.n + 1) * sizeof *m.values);
  m.heads = arena_alloc(own, (m.mask + 1) * sizeof *m.heads);
  bool found_one = try_points(&m, found, most);
  arena_free(own);
  return found_one;
}

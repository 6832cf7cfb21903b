/* violation.c - see checker.h. Tries the ends of the ranges of the loops, then points between. */
#include "check/checker.h"
#include "bounds/points.h"

enum { TRIES = 3000 };

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 20;
}

/* Chooses the point of try number t: the ends of all ranges first, in turn, then arbitrary
 * points. */
static void choose(points *p, unsigned t, uint64_t *state) {
  p->s->tried += (uint64_t)(p->n + p->n * p->n / 8); /* points_derive() */
  for (int i = 0; i < p->n; i++) {
    point_unknown *u = &p->at[i];
    uint64_t width = (uint64_t)u->high - (uint64_t)u->low;
    unsigned ends = 1u << (p->n < 8 ? p->n : 8);
    int64_t at;
    if (u->high <= u->low)
      at = u->low;
    else if (t < ends)
      at = t >> (i % 8) & 1 ? u->low : u->high;
    else
      at = (int64_t)((uint64_t)u->low + next_random(state) % (width + (width != UINT64_MAX)));
    u->value = points_align(p, u, at);
  }
  points_derive(p);
}

static bool run_search(points *p, violation *found, const graph_node *node, int64_t low,
                       int64_t high) {
  uint64_t state = 1;
  if (!points_collect(p, node)) return false;
  for (unsigned t = 0; t < TRIES && !p->costly; t++) {
    int64_t value;
    choose(p, t, &state);
    if (!points_evaluate(p, node, &value) || (value >= low && value <= high) ||
        !points_is_reached(p))
      continue;
    found->index = value;
    found->text = points_format(p);
    return true;
  }
  return false;
}

/* True if no value at these sizes leaves low ... high: a search would be in vain. */
static bool is_within(range b, int64_t low, int64_t high) {
  int64_t least, most;
  return poly_is_number(b.low, &least) && poly_is_number(b.high, &most) && least >= low &&
         most <= high;
}

bool violation_of_access(violation *found, symbols *s, const range_launch *l,
                         const graph_access *access, int64_t first, int64_t elements) {
  points p = {.s = s, .l = l, .x = access, .elements = elements};
  range b = range_of(range_begin(s, l, access), access->index);
  found->elements = elements;
  return !is_within(b, first, elements - 1) &&
         run_search(&p, found, access->index, first, elements - 1);
}

bool violation_of_term(violation *found, symbols *s, const range_launch *l,
                       const graph_access *access, const graph_node *term, int64_t low,
                       int64_t high) {
  range b = range_of(range_begin(s, l, access), term);
  points p = {.s = s, .l = l, .x = access, .bounded = b.low && b.high};
  return !is_within(b, low, high) && run_search(&p, found, term, low, high);
}

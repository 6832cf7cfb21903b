/* held_values.c - see held_values.h. */
#define _GNU_SOURCE
#include "checks/held_values.h"

#include "checks/provenance.h"
#include "checks/reach.h"

/* Has the launch another argument in the same memory, through which it may read the value. */
static bool is_shared(const ag_record *r, size_t i) {
  for (size_t k = 0; k < r->nargs; k++)
    if (k != i && ag_view_shares(&r->args[k].view, &r->args[i].view)) return true;
  return false;
}

bool ag_held_values_keep(ag_evaluation *e, ag_arg *a, int slot, unsigned kinds) {
  bool given = a->source == AG_FROM_INPUT || a->source == AG_FROM_WEIGHT;
  size_t i = (size_t)(a - e->record->args);
  if (!given || !ag_reach_is_held(e->record, i) || is_shared(e->record, i) ||
      !e->results->element(e, a, AG_BEFORE, ag_reach_first(&a->before, kinds), a->first_held[slot]))
    return false;
  a->held |= (uint8_t)kinds;
  return true;
}

void ag_held_values_report(ag_evaluation *e, unsigned slot_kinds, size_t out) {
  const ag_record *r = e->record;
  for (size_t i = 0; i < r->nargs; i++) {
    ag_arg *a = &r->args[i];
    uint16_t *origin = &a->found.origin[ag_origin_slot(slot_kinds)];
    unsigned kinds = a->held & slot_kinds;
    if (kinds && *origin == AG_NO_ORIGIN && ag_reach_find(r, i, out) != AG_REACHES_NOT)
      *origin = ag_origin_before(e, a, kinds, 0, 0);
  }
}

/* reach.c - see reach.h. */
#define _GNU_SOURCE
#include "checks/reach.h"

enum { ARGS_MAX = 64 }; /* the bits of reached_by */

bool ag_reach_is_known(const ag_record *r, size_t out) {
  const aotigen_text *text = r->args[out].param->text;
  return text && text->stored;
}

enum ag_reach ag_reach_find(const ag_record *r, size_t in, size_t out) {
  if (in == out) return AG_REACHES;
  if (!ag_reach_is_known(r, out))
    return ag_launch_site(&r->launch)->flags & AOTIGEN_KERNEL ? AG_MAY_REACH : AG_REACHES;
  uint64_t reached_by = r->args[out].param->text->reached_by;
  if (in >= ARGS_MAX || reached_by >> in & 1) return AG_REACHES;
  /* The kernel may have loaded the same memory through another of its parameters. */
  for (size_t i = 0; i < r->nargs && i < ARGS_MAX; i++)
    if ((i == out || reached_by >> i & 1) && ag_view_overlaps(&r->args[in].view, &r->args[i].view))
      return AG_REACHES;
  return AG_REACHES_NOT;
}

bool ag_reach_is_unwritten(const ag_record *r, size_t in, size_t out) {
  const ag_arg *a = &r->args[in];
  bool described = a->view.state == AG_VIEW_OK || a->view.state == AG_VIEW_REFUSED;
  return a->param->flags & AOTIGEN_UNWRITTEN && described && a->view.floating && a->view.t.numel &&
         ag_reach_find(r, in, out) != AG_REACHES_NOT;
}

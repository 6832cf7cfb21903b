/* guards.c - see list.h. */
#include "model/list.h"
#include "shared/checks.h"

static bool has_flag(const site *s, unsigned flag) {
  for (size_t i = 0; i < s->args.n; i++)
    if (s->args.at[i].flags & flag) return true;
  return false;
}

static bool takes_tensor(const site *s) {
  for (size_t i = 0; i < s->args.n; i++)
    if (s->args.at[i].kind != AOTIGEN_SCALAR) return true;
  return false;
}

/* A compiled kernel takes tensors only. Another call may take a null optional. */
static bool needs_tensor(const site *s) {
  bool needs = takes_tensor(s) && s->flags & AOTIGEN_KERNEL;
  for (size_t i = 0; i < s->args.n && !needs; i++)
    needs = s->args.at[i].flags & (AOTIGEN_NOT_NULL | AOTIGEN_DEFINED) || s->args.at[i].expected;
  return needs;
}

static bool makes_expected(const site *s) {
  for (size_t i = 0; i < s->args.n; i++)
    if (s->args.at[i].expected) return true;
  return false;
}

static bool takes_aligned(const site *s) { return has_flag(s, AOTIGEN_ALIGN16); }

static bool takes_int32(const site *s) { return has_flag(s, AOTIGEN_INT32 | AOTIGEN_CONVERTS32); }

/* Only a compiled kernel was made for one dtype and one device. */
static bool is_compiled(const site *s) { return takes_tensor(s) && s->flags & AOTIGEN_KERNEL; }

static bool has_grid(const site *s) { return s->form == AOTIGEN_TRITON; }

/* True if the guard applies to at least one argument of the site, which is instrumented. */
static bool (*const applies[AG_LISTED])(const site *s) = {
    [AG_LISTED_DEFINED] = needs_tensor,  [AG_LISTED_DATA] = takes_tensor,
    [AG_LISTED_STORAGE] = takes_tensor,  [AG_LISTED_ALIGNMENT] = takes_aligned,
    [AG_LISTED_DTYPE] = is_compiled,     [AG_LISTED_DEVICE] = is_compiled,
    [AG_LISTED_INT32] = takes_int32,     [AG_LISTED_GRID] = has_grid,
    [AG_LISTED_OUTPUTS] = makes_expected};

strings guards_find(const site *s, arena *a) {
  strings names = {0};
  for (int i = 0; !s->skipped && i < AG_LISTED; i++)
    if (applies[i](s)) *arena_push(a, &names) = ag_listed_name((enum ag_listed)i);
  return names;
}

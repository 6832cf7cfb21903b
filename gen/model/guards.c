/* guards.c - see guards.h. */
#include "model/guards.h"

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

/* A compiled kernel takes tensors only; another call may take a null optional. */
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

static bool takes_int32(const site *s) { return has_flag(s, AOTIGEN_INT32); }

/* Only a compiled kernel was made for one dtype and one device. */
static bool is_compiled(const site *s) { return takes_tensor(s) && s->flags & AOTIGEN_KERNEL; }

static bool has_grid(const site *s) { return s->form == AOTIGEN_TRITON; }

const guard_row guards_table[] = {
    {"defined", {"handle", "sizes"}, needs_tensor},
    {"data", {"data pointer", "layout"}, takes_tensor},
    {"storage", {"storage"}, takes_tensor},
    {"alignment", {"alignment"}, takes_aligned},
    {"dtype", {"dtype"}, is_compiled},
    {"device", {"device", "device index"}, is_compiled},
    {"int32", {"value"}, takes_int32},
    {"grid", {"grid"}, has_grid},
    {"outputs", {"shape", "strides", "memory"}, makes_expected},
};
const size_t guards_table_n = sizeof guards_table / sizeof *guards_table;

strings guards_find(const site *s, arena *a) {
  strings names = {0};
  for (size_t i = 0; !s->skipped && i < guards_table_n; i++)
    if (guards_table[i].applies(s)) *arena_push(a, &names) = guards_table[i].name;
  return names;
}

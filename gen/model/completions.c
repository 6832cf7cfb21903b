/* completions.c - see completions.h. */
#include "model/completions.h"
#include "model/custom_ops.h"
#include "model/op_table.h"
#include <string.h>

void completion_begin(site *s) {
  completion *c = &s->completion;
  if (s->form == AOTIGEN_TRITON || s->form == AOTIGEN_CPU) return;
  c->collective = op_table_find_collective(s->kernel);
  if (!c->collective) return;
  c->kind = op_table_is_wait(c->collective) ? COMPLETE_WAITS : COMPLETE_AT_WAIT;
  s->flags |= c->kind == COMPLETE_WAITS ? AOTIGEN_WAITS : AOTIGEN_COLLECTIVE;
}

/* True if the op's name, without its overload, ends so. */
static bool ends_with(const char *op, const char *end) {
  size_t n = strcspn(op, "."), k = strlen(end);
  return n > k && strncmp(op + n - k, end, k) == 0;
}

bool completion_returns_input(const site *s) {
  return s->completion.kind == COMPLETE_WAITS ||
         (s->completion.kind == COMPLETE_AT_WAIT && ends_with(s->completion.collective, "_"));
}

void completion_settle_role(const site *s, argument *arg, size_t tensor) {
  const completion *c = &s->completion;
  if (c->kind == COMPLETE_AT_CALL || arg->operand->kind == OPERAND_OUTPUT) return;
  const bool made = s->op && s->form == AOTIGEN_PROXY && (int)tensor >= s->op->tensors_in;
  arg->flags &= ~(unsigned)AOTIGEN_MAYBE_WRITTEN;
  if (made) return;
  if (completion_returns_input(s))
    arg->role = AOTIGEN_INOUT;
  else if (ends_with(c->collective, "_out") && s->op && (int)tensor == s->op->tensors_in - 1)
    arg->role = AOTIGEN_OUT;
  else if (arg->role == AOTIGEN_UNKNOWN)
    arg->role = AOTIGEN_IN;
}

/* ---- calls without a name ------------------------------------------------------------------- */

static bool is_tensor(const argument *arg) { return arg->root >= 0 && arg->kind != AOTIGEN_SCALAR; }

/* What the call writes; of an unnamed op the tensors that are not defined before it. */
static bool is_made(const argument *arg) {
  return is_tensor(arg) && arg->flags & AOTIGEN_NOT_NULL && !(arg->flags & AOTIGEN_DEFINED);
}

/* The collective that the site's comment names; NULL for none, and for several. */
static const char *find_named(const site *s) {
  const char *found = NULL;
  for (size_t i = 0; i < s->aten.n; i++) {
    const char *name = op_table_find_collective(s->aten.at[i]);
    if (!name || op_table_is_wait(name)) continue;
    if (found) return NULL;
    found = name;
  }
  return found;
}

/* By the variable that owns memory: 1 + the index of the last site that waits for it, or 0. */
static size_t *find_last_waits(const model *m, arena *a) {
  size_t *last = arena_alloc(a, (m->facts->vars.n + 1) * sizeof *last);
  memset(last, 0, (m->facts->vars.n + 1) * sizeof *last);
  for (size_t i = 0; i < m->sites.n; i++) {
    const site *s = &m->sites.at[i];
    if (s->completion.kind != COMPLETE_WAITS) continue;
    for (size_t k = 0; k < s->args.n; k++)
      if (is_tensor(&s->args.at[k])) last[s->args.at[k].root] = i + 1;
  }
  return last;
}

/* True if a later call waits for memory that site number `i` makes, or changes in place. */
static bool is_awaited(const model *m, size_t i, bool in_place, const size_t *last_waits) {
  const site *s = &m->sites.at[i];
  for (size_t k = 0; k < s->args.n; k++) {
    const argument *arg = &s->args.at[k];
    if (is_tensor(arg) && (in_place || is_made(arg)) && last_waits[arg->root] > i + 1) return true;
  }
  return false;
}

static void recognise(site *s, const char *collective, bool in_place, arena *a) {
  s->kernel = arena_printf(a, "_c10d_functional::%s", collective);
  s->completion.kind = COMPLETE_AT_WAIT;
  s->completion.collective = collective;
  s->flags = (s->flags | AOTIGEN_COLLECTIVE) & ~(unsigned)AOTIGEN_OF_LIBRARY;
  for (size_t i = 0; i < s->args.n; i++) {
    argument *arg = &s->args.at[i];
    if (!is_tensor(arg)) continue;
    arg->flags &= ~(unsigned)AOTIGEN_MAYBE_WRITTEN;
    arg->role = is_made(arg) ? AOTIGEN_OUT : in_place ? AOTIGEN_INOUT : AOTIGEN_IN;
  }
}

void completions_recognise(model *m, arena *a) {
  const size_t *last_waits = find_last_waits(m, a);
  for (size_t i = 0; i < m->sites.n; i++) {
    site *s = &m->sites.at[i];
    if (s->form != AOTIGEN_PROXY || s->op || s->completion.kind != COMPLETE_AT_CALL) continue;
    const char *collective = find_named(s);
    bool in_place = collective && ends_with(collective, "_");
    if (collective && is_awaited(m, i, in_place, last_waits))
      recognise(s, collective, in_place, a);
  }
}

/* ---- which wait completes which collective -------------------------------------------------- */

/* Memory that a collective writes, and that no wait has completed yet. */
typedef struct pending {
  int by, root; /* the index of its site, and the variable that owns the memory */
} pending;

typedef arena_list(pending) pendings;

static void add_once(arena *a, completion *to, int index) {
  for (size_t i = 0; i < to->sites.n; i++)
    if (to->sites.at[i] == index) return;
  *arena_push(a, &to->sites) = index;
}

static void note_collective(arena *a, pendings *all, const site *s, int index) {
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *arg = &s->args.at[i];
    if (!is_tensor(arg) || arg->role == AOTIGEN_IN) continue;
    *arena_push(a, all) = (pending){.by = index, .root = arg->root};
  }
}

static void note_wait(model *m, arena *a, pendings *all, int index) {
  site *s = &m->sites.at[index];
  for (size_t i = 0; i < s->args.n; i++) {
    if (!is_tensor(&s->args.at[i])) continue;
    size_t left = 0;
    for (size_t k = 0; k < all->n; k++) {
      const pending x = all->at[k];
      if (x.root != s->args.at[i].root) {
        all->at[left++] = x;
        continue;
      }
      add_once(a, &s->completion, x.by);
      add_once(a, &m->sites.at[x.by].completion, index);
    }
    all->n = left;
  }
}

void completions_read(model *m, arena *a) {
  pendings all = {0};
  for (size_t i = 0; i < m->sites.n; i++) {
    const site *s = &m->sites.at[i];
    if (s->completion.kind == COMPLETE_AT_WAIT) note_collective(a, &all, s, (int)i);
    if (s->completion.kind == COMPLETE_WAITS) note_wait(m, a, &all, (int)i);
  }
}

/* ---- the list ------------------------------------------------------------------------------- */

/* "launch 3", "launches 3, 4" */
static const char *name_launches(const model *m, const completion *c, arena *a) {
  const char *all = "";
  for (size_t i = 0; i < c->sites.n; i++)
    all = arena_printf(a, "%s%s%u", all, i ? ", " : "", m->sites.at[c->sites.at[i]].number);
  return arena_printf(a, "launch%s %s", c->sites.n == 1 ? "" : "es", all);
}

void completion_print(FILE *to, const model *m, const site *s, arena *a) {
  const completion *c = &s->completion;
  if (c->kind == COMPLETE_AT_WAIT && c->sites.n)
    fprintf(to, "      complete behind wait_tensor (%s)\n", name_launches(m, c, a));
  else if (c->kind == COMPLETE_AT_WAIT)
    fputs("      complete behind wait_tensor, which the wrapper never calls for it\n", to);
  else if (c->kind == COMPLETE_WAITS && c->sites.n)
    fprintf(to, "      completes %s\n", name_launches(m, c, a));
}

void completion_add_json(cJSON *to, const model *m, const site *s) {
  static const char *const names[] = {"call", "wait_tensor", "waits"};
  const completion *c = &s->completion;
  if (c->kind == COMPLETE_AT_CALL) return;
  cJSON *x = cJSON_AddObjectToObject(to, "completion");
  cJSON_AddStringToObject(x, "is", names[c->kind]);
  cJSON *list = cJSON_AddArrayToObject(x, c->kind == COMPLETE_WAITS ? "of" : "behind");
  for (size_t i = 0; i < c->sites.n; i++)
    cJSON_AddItemToArray(list, cJSON_CreateNumber(m->sites.at[c->sites.at[i]].number));
}

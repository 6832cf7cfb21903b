/* aliases.c - see expected_parts.h. Follows the uses of two tensors in the order of the text, as if
 * both had the same memory. */
#include "model/expected_parts.h"
#include "model/parts.h"
#include <string.h>

/* One of the two tensors. */
typedef struct sharer {
  const uses *list;
  size_t next;
  const char *given; /* its name at the call that made the output */
  const char *now;   /* the name of the buffer that has its memory now */
  int destroyer; /* the site that overwrote its contents, through the other tensor; or NO_SITE */
  bool outlives; /* it is needed after the run */
} sharer;

/* What one place in the text does to one of the two tensors. */
typedef struct change {
  bool reads, writes;
  bool takes_over; /* it writes as another buffer */
} change;

static bool is_same_name(const char *a, const char *b) {
  size_t n = strlen(a), k = strlen(b), least = n < k ? n : k;
  const char *rest = n < k ? b + least : a + least;
  return strncmp(a, b, least) == 0 && (!*rest || strcmp(rest, "_handle") == 0);
}

bool aliases_is_same(const char *name, const argument *arg) {
  return strncmp(arg->name, "buf", 3) != 0 || is_same_name(name, arg->name);
}

static int scope_of(const model *m, const use *u) {
  return u->site < 0 ? -1 : m->sites.at[u->site].scope;
}

/* The changes at the first use of a buffer that took over the memory. Only a compiled kernel, which
 * computes in place, reads the old contents there. An operator fills the buffer. */
static change read_change(const model *m, sharer *s, const use *u) {
  change c = {.reads = !u->asserted};
  if (!u->arg) return c;
  enum aotigen_role role = u->arg->role;
  bool first = !aliases_is_same(s->now, u->arg);
  bool filled = first && role != AOTIGEN_IN && !(m->sites.at[u->site].flags & AOTIGEN_KERNEL);
  c.reads = role != AOTIGEN_OUT && !filled;
  c.writes = role == AOTIGEN_OUT || role == AOTIGEN_INOUT || filled;
  c.takes_over = c.writes && !aliases_is_same(s->given, u->arg);
  if (first) s->now = u->arg->name;
  return c;
}

static change read_changes(const model *m, sharer *s, size_t at) {
  change all = {0};
  for (; s->next < s->list->n && s->list->at[s->next].offset == at; s->next++) {
    change c = read_change(m, s, &s->list->at[s->next]);
    all.reads = all.reads || c.reads;
    all.writes = all.writes || c.writes;
    all.takes_over = all.takes_over || c.takes_over;
  }
  return all;
}

/* Weights stay for the next run, and the caller keeps the model's inputs. */
static bool outlives_run(const model *m, int root) {
  enum made made = m->facts->vars.at[root].made;
  return made == MADE_WEIGHT || made == MADE_INPUT;
}

static sharer start_sharer(const model *m, const uses *by_root, int maker, const argument *arg) {
  sharer s = {.list = &by_root[arg->root],
              .given = arg->name,
              .now = arg->name,
              .destroyer = NO_SITE,
              .outlives = outlives_run(m, arg->root)};
  while (s.next < s.list->n && s.list->at[s.next].offset <= m->sites.at[maker].call->offset)
    s.next++;
  return s;
}

/* The next place that uses either tensor; NULL behind the last one. */
static const use *find_next(const sharer *s) {
  const use *next = NULL;
  for (int i = 0; i < 2; i++) {
    const use *u = s[i].next < s[i].list->n ? &s[i].list->at[s[i].next] : NULL;
    if (u && (!next || u->offset < next->offset)) next = u;
  }
  return next;
}

int aliases_find_destroyer(const model *m, const uses *by_root, int maker, const argument *x,
                           const argument *y, bool *reads) {
  int at_once = NO_SITE; /* a site that overwrites one tensor and reads the other */
  sharer s[2] = {start_sharer(m, by_root, maker, x), start_sharer(m, by_root, maker, y)};
  *reads = false;
  for (const use *u; (u = find_next(s));) {
    /* True if every run that makes the output reaches this use. */
    bool sure = scopes_is_within(m, m->sites.at[maker].scope, scope_of(m, u), NULL);
    change c[2];
    for (int i = 0; i < 2; i++) c[i] = read_changes(m, &s[i], u->offset);
    for (int i = 0; i < 2; i++)
      if (sure && c[i].reads && s[i].destroyer >= 0) return s[i].destroyer;
    for (int i = 0; i < 2; i++)
      if (c[i].writes) s[i].destroyer = NO_SITE;
    for (int i = 0; i < 2; i++)
      if (sure && c[i].takes_over) s[!i].destroyer = u->site;
    for (int i = 0; i < 2; i++)
      if (sure && c[i].takes_over && c[!i].reads && at_once < 0) at_once = u->site;
  }
  for (int i = 0; i < 2; i++)
    if (s[i].outlives && s[i].destroyer >= 0) return s[i].destroyer;
  *reads = at_once >= 0 && m->sites.at[at_once].flags & AOTIGEN_KERNEL;
  return at_once;
}

/* bound_tables.c - see tables.h. */
#include "emit/tables.h"
#include "base/string_map.h"
#include "check/launch_bounds.h"
#include <string.h>

enum { ROWS_MAX = 200 }; /* for one site */

struct bound_tables {
  launch_bounds *read;
  string_map *names; /* by the rows of a table */
  unsigned n;
  bounds_unchecked_list unchecked;
  arena *a;
};

bound_tables *bound_tables_begin(const model *m, arena *a) {
  bound_tables *t = arena_alloc(a, sizeof *t);
  *t = (bound_tables){.names = string_map_create(a), .a = a};
  t->read = launch_bounds_begin(m);
  return t;
}

void bound_tables_free(bound_tables *t) { launch_bounds_free(t->read); }

const bounds_unchecked_list *bound_tables_unchecked(const bound_tables *t) { return &t->unchecked; }

/* ---- which ---------------------------------------------------------------------------------- */

/* True if all its endpoints are known, and none of them is outside. */
static bool is_within(const bound *b, int64_t low, int64_t high) {
  for (int i = 0; i < b->n; i++)
    if (!b->endpoints[i].is_number || b->endpoints[i].number < low || b->endpoints[i].number > high)
      return false;
  return true;
}

static const argument_text *find_text(const site *s, const bound *b) {
  return b->arg >= 0 ? s->args.at[b->arg].text : NULL;
}

/* True if only the launch can tell whether the bound holds. */
static bool is_open(const site *s, const bound *b) {
  if (b->kind == AOTIGEN_TERM) return !is_within(b, INT32_MIN, INT32_MAX);
  const argument_text *text = find_text(s, b);
  return !b->proved && !is_within(b, 0, text ? text->told.least - 1 : -1);
}

static bool is_same(const bound *x, const bound *y) {
  bool same = x->arg == y->arg && x->n == y->n && x->kind == y->kind;
  for (int i = 0; i < x->n && same; i++)
    same = strcmp(x->endpoints[i].index, y->endpoints[i].index) == 0;
  return same;
}

/* True if another entry tells as much: an earlier one is the same, or a proved access of the
 * same memory reaches as far. */
static bool is_told(const bounds *all, size_t i) {
  const bound *b = &all->at[i];
  for (size_t k = 0; k < all->n; k++) {
    const bound *x = &all->at[k];
    if (k == i || x->arg != b->arg || x->kind == AOTIGEN_TERM) continue;
    if (k < i && is_same(x, b)) return true;
    int64_t most = INT64_MIN + 1;
    for (int c = 0; c < x->n; c++)
      if (x->endpoints[c].is_number && x->endpoints[c].number > most) most = x->endpoints[c].number;
    if (x->proved && is_within(b, INT64_MIN, most - (k > i))) return true;
  }
  return false;
}

/* True for an access that names what fails: the memory of proved accesses is measured before
 * each launch. */
static bool is_needed(const site *s, const bounds *all, size_t i) {
  const bound *b = &all->at[i];
  const argument_text *text = find_text(s, b);
  return b->kind != AOTIGEN_TERM && text && (text->told.least || text->told.least_of) &&
         !is_told(all, i);
}

/* ---- rows ----------------------------------------------------------------------------------- */

static const char *join_endpoints(const bound *b, bool places, arena *a) {
  const char *text = "";
  for (int i = 0; i < b->n; i++)
    text = arena_printf(a, "%s%s%s", text, i ? ";" : "",
                        places ? b->endpoints[i].at : b->endpoints[i].index);
  return text;
}

static void add_row(strbuf *rows, const bound *b, arena *a) {
  static const char *const kinds[] = {AOTIGEN_BOUNDS(TABLE_NAME)};
  const slot slots[] = {
      {"index", arena_printf(a, "\"%s\"", template_quote(join_endpoints(b, false, a), a))},
      {"at", arena_printf(a, "\"%s\"", template_quote(join_endpoints(b, true, a), a))},
      {"term", table_quote(b->term, a)},
      {"line", arena_printf(a, "%u", b->line)},
      {"arg", arena_printf(a, "%d", b->arg)},
      {"is", kinds[b->kind]}};
  TABLE_ADD(rows, "row_bound", slots);
}

static const char *name_table(bound_tables *t, strbuf *to, const char *rows) {
  const char *known = string_map_get(t->names, rows);
  if (known) return known;
  const char *name = arena_printf(t->a, "aotigen_bounds_%u_", t->n++);
  const slot slots[] = {{"type", "aotigen_bound"}, {"name", name}, {"rows", rows}};
  TABLE_ADD(to, "table", slots);
  string_map_put(t->names, arena_strdup(t->a, rows), (void *)(uintptr_t)name);
  return name;
}

bound_table bound_tables_add(bound_tables *t, strbuf *to, const site *s) {
  bounds all = {0};
  bound_table table = {.name = "nullptr"};
  if (!(s->flags & AOTIGEN_KERNEL) || s->skipped) return table;
  arena *a = arena_new();
  launch_bounds_read(t->read, s, &all, a);
  strbuf rows = {0};
  size_t unchecked = all.unread;
  for (size_t i = 0; i < all.n; i++) {
    if (!is_open(s, &all.at[i])) continue;
    if (table.n == ROWS_MAX) {
      unchecked++;
      continue;
    }
    add_row(&rows, &all.at[i], a);
    table.n = ++table.nopen;
  }
  for (size_t i = 0; i < all.n && table.n < ROWS_MAX; i++) {
    if (is_open(s, &all.at[i]) || !is_needed(s, &all, i)) continue;
    add_row(&rows, &all.at[i], a);
    table.n++;
  }
  if (table.n) table.name = name_table(t, to, rows.at);
  if (unchecked) *arena_push(t->a, &t->unchecked) = (bounds_unchecked){s, unchecked};
  strbuf_free(&rows);
  arena_free(a);
  return table;
}

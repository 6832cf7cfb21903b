/* bounds.c - see bounds.h. */
#define _GNU_SOURCE
#include "checks/bounds.h"

#include <stdio.h>
#include <string.h>

#include "checks/extent.h"

/* An endpoint of an access or of a term. */
typedef struct endpoint {
  const aotigen_bound *bound;
  int64_t index;
  const char *at; /* the loops there: "x @3 1 -,r0 11;" and what follows */
} endpoint;

/* The first endpoint of `b` outside of [low, high]. */
static bool find_outside(endpoint *c, const aotigen_bound *b, const ag_record *record, int64_t low,
                         int64_t high) {
  const char *text = b->index, *at = b->at;
  while (*text) {
    bool outside = ag_extent_take(&text, record, &c->index) && (c->index < low || c->index > high);
    c->bound = b;
    c->at = at;
    if (outside) return true;
    at += strcspn(at, ";");
    at += *at == ';';
  }
  return false;
}

/* ---- reports -------------------------------------------------------------------------------- */

/* ", with x = 4095, r0 = 11" */
static void add_loops(ag_text *t, const endpoint *c, const ag_record *record) {
  const char *separator = ", with ";
  for (const char *p = c->at; *p && *p != ';';) {
    size_t name = strcspn(p, " ,;");
    const char *value = p + name;
    int64_t n;
    bool known = ag_extent_take(&value, record, &n);
    if (known) ag_text_addf(t, "%s%.*s = %lld", separator, (int)name, p, (long long)n);
    if (known) separator = ", ";
    if (value[-1] != ',') return;
    p = value;
  }
}

static void add_place(ag_text *t, const endpoint *c, const ag_record *record) {
  const char *kernel = ag_site_name(ag_launch_site(&record->launch));
  if (c->bound->line)
    ag_text_addf(t, " at line %d of %s", (int)c->bound->line, kernel);
  else
    ag_text_addf(t, " in %s", kernel);
  add_loops(t, c, record);
  ag_text_add(t, "\n");
}

/* Adds the sizes that the launch is given: its arguments that are not literals. */
static void add_sizes(ag_text *t, const ag_record *record) {
  const char *separator = "                where ";
  for (size_t i = 0; i < record->nargs; i++) {
    const aotigen_value *v = &record->args[i].value;
    const char *name = record->args[i].param->name;
    bool integer = (v->kind == AOTIGEN_V_INT || v->kind == AOTIGEN_V_UINT) &&
                   (*name < '0' || *name > '9');
    if (!integer) continue;
    ag_text_addf(t, "%s%s = %lld", separator, name, (long long)v->v.i);
    separator = ", ";
  }
  if (*separator == ',') ag_text_add(t, "\n");
}

static void add_access(ag_finding *f, const endpoint *c, const ag_record *record) {
  static const char *const words[] = {"read", "written", "written"};
  ag_text_addf(&f->lines, "                element %lld is %s", (long long)c->index,
               words[c->bound->kind < AOTIGEN_TERM ? c->bound->kind : 0]);
  add_place(&f->lines, c, record);
  add_sizes(&f->lines, record);
}

/* ---- accesses ------------------------------------------------------------------------------- */

/* The first access of the argument, among the first n entries, outside of [low, high]. */
static bool find_access(endpoint *c, const ag_record *record, const ag_arg *a, uint32_t n,
                        int64_t low, int64_t high) {
  const aotigen_site *site = ag_launch_site(&record->launch);
  for (uint32_t i = 0; i < n; i++)
    if (site->bounds[i].arg == a - record->args &&
        find_outside(c, &site->bounds[i], record, low, high))
      return true;
  return false;
}

static int64_t find_least(const ag_record *record, const aotigen_text *text) {
  int64_t more = text && text->least_of ? ag_extent_compute(text->least_of, record) : 0;
  return text && text->least > more ? text->least : more;
}

/* The elements between the argument's first one and the end of its memory, and those before it. */
typedef struct extent {
  int64_t bytes, elements, before;
} extent;

static void report_end(ag_finding *f, const ag_record *record, const ag_arg *a, const extent *e,
                       int64_t least) {
  const aotigen_site *site = ag_launch_site(&record->launch);
  const ag_item item = {.label = "argument", .arg = a};
  int64_t size = a->view.t.dtype->item_size, bytes;
  if (__builtin_mul_overflow(least, size, &bytes)) bytes = INT64_MAX;
  char expected[96], found[96];
  endpoint c;
  snprintf(expected, sizeof expected, "at least %lld elements (%lld bytes) from its first",
           (long long)least, (long long)bytes);
  snprintf(found, sizeof found, "%lld (%lld bytes)", (long long)e->elements, (long long)e->bytes);
  ag_finding_add(f, &item, AG_CHECK_STORAGE, expected, found);
  if (find_access(&c, record, a, site->nbounds, INT64_MIN, e->elements - 1))
    add_access(f, &c, record);
}

static void report_begin(ag_finding *f, const ag_record *record, const ag_arg *a,
                         const endpoint *c) {
  const ag_item item = {.label = "argument", .arg = a};
  char found[96];
  snprintf(found, sizeof found, "element %lld", (long long)c->index);
  ag_finding_add(f, &item, AG_CHECK_STORAGE, "no access before its first element", found);
  add_access(f, c, record);
}

/* Checks the entries that a launch computes. Reports one that lies before the memory. Returns how
 * many elements the greatest index needs; 0 if there is none. */
static int64_t compute_open(ag_finding *f, const ag_record *record, const ag_arg *a,
                            const extent *e) {
  const aotigen_site *site = ag_launch_site(&record->launch);
  int64_t most = 0;
  bool reported = false;
  for (uint32_t i = 0; i < site->nopen; i++) {
    endpoint c;
    if (site->bounds[i].arg != a - record->args ||
        !find_outside(&c, &site->bounds[i], record, -e->before, e->elements - 1))
      continue;
    if (c.index >= most) most = c.index < INT64_MAX ? c.index + 1 : c.index;
    if (c.index < 0 && !reported) report_begin(f, record, a, &c);
    reported = reported || c.index < 0;
  }
  return most;
}

void ag_bounds_check(ag_finding *f, const ag_record *record, const ag_arg *a) {
  const aotigen_site *site = ag_launch_site(&record->launch);
  const ag_view *v = &a->view;
  if ((!a->param->text && !site->nopen) || v->storage_bytes < 0 || !ag_view_fits_storage(v)) return;
  int64_t size = v->t.dtype->item_size, least = find_least(record, a->param->text);
  /* An empty tensor has no memory. */
  extent e = {.bytes = v->t.data ? v->storage_bytes - v->first_byte : 0,
              .before = v->t.data ? v->first_byte / size : 0};
  e.elements = e.bytes / size;
  int64_t more = site->nopen ? compute_open(f, record, a, &e) : 0;
  if (more > least) least = more;
  if (least > e.elements) report_end(f, record, a, &e, least);
}

/* ---- terms ---------------------------------------------------------------------------------- */

static void report_term(ag_finding *f, const ag_record *record, const endpoint *c) {
  const ag_item item = {.label = "term", .name = c->bound->term};
  char found[32];
  snprintf(found, sizeof found, "%lld", (long long)c->index);
  ag_finding_add(f, &item, AG_CHECK_VALUE, "what the 32 bits hold that it is computed in", found);
  ag_text_add(&f->lines, "                computed");
  add_place(&f->lines, c, record);
  add_sizes(&f->lines, record);
}

void ag_bounds_check_terms(ag_finding *f, const ag_record *record) {
  const aotigen_site *site = ag_launch_site(&record->launch);
  endpoint c;
  for (uint32_t i = 0; i < site->nopen; i++)
    if (site->bounds[i].kind == AOTIGEN_TERM &&
        find_outside(&c, &site->bounds[i], record, INT32_MIN, INT32_MAX))
      report_term(f, record, &c);
}

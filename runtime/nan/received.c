/* received.c - see received.h. */
#define _GNU_SOURCE
#include "nan/received.h"

#include <stdio.h>
#include <string.h>

#include "base/sink.h"
#include "checks/bad_values.h"
#include "checks/finding.h"
#include "nan/known_bytes.h"
#include "nan/origin_path.h"
#include "nan/origins.h"
#include "nan/reach.h"
#include "state/model_state.h"

/* ---- the collective --------------------------------------------------------------------------
 */

static ag_collective *add_collective(ag_evaluation *e, size_t nargs) {
  size_t had = e->collectives.room;
  if (!ag_list_grow((void **)&e->collectives.list, &e->collectives.room, e->collectives.count,
                    sizeof *e->collectives.list))
    return NULL;
  for (size_t i = had; i < e->collectives.room; i++) e->collectives.list[i] = (ag_collective){0};
  ag_collective *c = &e->collectives.list[e->collectives.count];
  if (nargs && !ag_list_grow((void **)&c->args, &c->room, nargs - 1, sizeof *c->args)) return NULL;
  e->collectives.count++;
  c->nargs = nargs;
  return c;
}

void ag_received_note(ag_evaluation *e) {
  const ag_record *r = e->record;
  ag_collective *c = add_collective(e, r->nargs);
  if (!c) return;
  c->launch = e->launch;
  for (size_t i = 0; i < r->nargs; i++) {
    const ag_arg *a = &r->args[i];
    c->args[i] = (struct ag_collective_arg){.reads = a->values.reads,
                                            .writes = a->writing.launch == e->launch.number,
                                            .found = a->values.found};
  }
}

static const ag_collective *find_collective(const ag_evaluation *e, uint64_t launch) {
  for (size_t i = e->collectives.count; i-- > 0;)
    if (e->collectives.list[i].launch.number == launch) return &e->collectives.list[i];
  return NULL;
}

static size_t count(const ag_collective *c, bool reads, size_t end) {
  size_t n = 0;
  for (size_t i = 0; i < end; i++) n += reads ? c->args[i].reads : c->args[i].writes;
  return n;
}

static size_t find_nth(const ag_collective *c, size_t n) {
  for (size_t i = 0; i < c->nargs; i++)
    if (c->args[i].reads && !n--) return i;
  return c->nargs;
}

/* Adds what another input held: what is known of both together. */
static void join(ag_findings *to, const ag_findings *more) {
  for (int slot = 0; slot < AG_ORIGINS; slot++)
    if (to->origin[slot] == AG_NO_ORIGIN) to->origin[slot] = more->origin[slot];
  to->scanned &= more->scanned;
  to->bad |= more->bad;
  to->intended |= more->intended;
  to->uncertain |= more->uncertain;
  to->unchecked |= more->unchecked;
}

/* What this rank put into argument number `out` of the collective: what that held itself, if it is
 * changed in place; of as many inputs as outputs, the input of its number; else all inputs. */
static ag_findings find_given(const ag_collective *c, size_t out) {
  ag_findings all = ag_found_clean;
  if (out < c->nargs && c->args[out].reads) return c->args[out].found;
  if (out < c->nargs && count(c, true, c->nargs) == count(c, false, c->nargs))
    return c->args[find_nth(c, count(c, false, out))].found;
  for (size_t i = 0; i < c->nargs; i++)
    if (c->args[i].reads) join(&all, &c->args[i].found);
  return all;
}

/* "all_reduce" for "aoti_torch_cpu__c10d_functional_all_reduce_" */
static void name_collective(char *to, size_t room, const aotigen_site *site) {
  static const char space[] = "c10d_functional", more[] = "_autograd";
  const char *at = strstr(site->kernel, space);
  at = at ? at + sizeof space - 1 : site->kernel;
  if (!strncmp(at, more, sizeof more - 1)) at += sizeof more - 1;
  at += strspn(at, "_:.");
  snprintf(to, room, "%.*s", (int)strcspn(at, "."), at);
  for (size_t n = strlen(to); n && to[n - 1] == '_'; n--) to[n - 1] = '\0';
}

/* ---- what is new ---------------------------------------------------------------------------- */

/* A value of which no origin is known in this rank. */
typedef struct received {
  const ag_arg *arg; /* the wait's */
  ag_findings given;
  unsigned kinds; /* of one slot */
  uint64_t waited;
} received;

static bool reduces(const char *collective) { return strstr(collective, "reduce") != NULL; }

/* Where the value came from, as far as this rank can tell. */
static const char *explain(const received *x, const char *collective) {
  if (!x->given.scanned)
    return "from this rank's input, which was not scanned, or from another rank";
  if (x->kinds & AG_NAN && (x->given.bad | x->given.unchecked | x->given.intended) & AG_INF &&
      reduces(collective))
    return "from another rank, or was made of the Inf that this rank's input held";
  if (x->kinds & AG_INF && reduces(collective))
    return "from another rank, or the reduction made it: this rank's input was clean";
  return "from another rank: this rank's input was clean";
}

static void log_received(ag_evaluation *e, const received *x, const char *why) {
  ag_text t;
  if (!ag_bad_values_begin_event(&t, e, EVENT_RECEIVED, x->arg, &x->arg->values.after, x->kinds))
    return;
  ag_event_add_string(&t, "input", x->given.scanned ? "clean" : "not scanned");
  ag_event_add_number(&t, "complete_behind", (int64_t)x->waited);
  ag_event_add_string(&t, "came", why);
  ag_event_end(&t);
}

/* e->launch is the collective. */
static bool report(ag_evaluation *e, const received *x) {
  ag_text *t = &e->report;
  char name[64], what[96];
  name_collective(name, sizeof name, ag_launch_site(&e->launch));
  const char *why = explain(x, name);
  snprintf(what, sizeof what, "%s came with %s", ag_kinds_name(x->kinds), name);
  ag_text_clear(t);
  ag_report_head(t, &e->launch, what);
  ag_text_add_line(t, "it came", "%s", why);
  ag_report_site(t, &e->launch);
  ag_text_add_line(t, "complete", "behind wait_tensor, launch %llu", (unsigned long long)x->waited);
  ag_text_add(t, "  output        ");
  ag_report_arg(t, x->arg);
  ag_text_add(t, "\n                ");
  ag_bad_values_add_findings(t, e, x->arg, &x->arg->values.after, x->kinds);
  ag_text_add(t, "\n");
  log_received(e, x, why);
  return ag_bad_values_write(e, t);
}

static uint16_t add_received(ag_evaluation *e, const received *x) {
  uint16_t origin =
      ag_origin_after(e, x->given.scanned ? AG_RECEIVED : AG_UNKNOWN, x->kinds, x->arg);
  bool full = !(x->kinds & ag_kinds_withheld(e->launch.model)) && report(e, x);
  if (origin != AG_NO_ORIGIN) e->origins.list[origin].folded = !full;
  return origin;
}

/* ---- the wait ------------------------------------------------------------------------------- */

/* Decides about the kinds of one slot: they are this rank's own, or came from another one. */
static void sort_slot(ag_evaluation *e, ag_arg *a, const ag_findings *given, unsigned kinds,
                      uint64_t waited) {
  ag_findings *f = &a->values.left;
  int slot = ag_origin_slot(kinds);
  unsigned mine = kinds & given->bad, intended = kinds & given->intended & ~mine,
           fresh = kinds & ~mine & ~intended;
  f->intended |= (uint8_t)intended;
  if (!mine && !fresh) return;
  f->bad |= (uint8_t)(mine | fresh);
  f->first_address[slot] =
      ag_reach_address(&a->view.t, ag_kinds_first(&a->values.after, mine | fresh));
  f->origin[slot] = given->origin[slot];
  f->uncertain |= (uint8_t)mine;
  if (mine) { /* and +Inf beside this rank's -Inf: told with it */
    ag_origin_release(e, given->origin[slot]);
    ag_origin_add_step(e, given->origin[slot], a, a->writing.param, mine | fresh, AG_MAY_BE_RANK);
    return;
  }
  const received x = {.arg = a, .given = *given, .kinds = fresh, .waited = waited};
  f->origin[slot] = add_received(e, &x);
  a->values.own |= (uint8_t)fresh;
}

/* True if an argument before this one is the same tensor: a wait returns its input. */
static bool is_repeated(const ag_record *r, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (r->args[k].view.state == AG_VIEW_OK && ag_view_is_same(&r->args[k].view, &r->args[i].view))
      return true;
  return false;
}

/* An output of the collective, as it is now. e->launch is the collective. */
static void learn(ag_evaluation *e, ag_arg *a, const ag_collective *c, uint64_t waited) {
  ag_findings given = c ? find_given(c, a->writing.param) : ag_unscanned;
  a->values.asserted_after = ag_arg_is_asserted(a) &&
                             e->results->scan(e, a, &a->view, AG_AFTER, &a->values.after);
  if (a->values.asserted_after) {
    unsigned found = ag_kinds_of(&a->values.after),
             kinds = found & ag_kinds_wanted(e->launch.model);
    a->values.left = ag_found_clean;
    a->values.left.unchecked = (uint8_t)(found & ~kinds);
    if (kinds & AG_NAN) sort_slot(e, a, &given, AG_NAN, waited);
    if (kinds & AG_INF) sort_slot(e, a, &given, kinds & AG_INF, waited);
  }
  ag_ranges_mark_uncertain(&e->known.weights, &a->view, 0, 0, 0);
  ag_ranges_write(&e->known.written, &a->view, e->launch.number, a->writing.site, a->writing.param,
                  a->values.asserted_after ? &a->values.left : &ag_unscanned);
}

void ag_received_evaluate(ag_evaluation *e) {
  const ag_launch waits = e->launch;
  ag_record *r = e->record;
  for (size_t i = 0; i < r->nargs; i++) {
    ag_arg *a = &r->args[i];
    if (a->view.state != AG_VIEW_OK || !a->writing.launch || is_repeated(r, i)) continue;
    const ag_collective *c = find_collective(e, a->writing.launch);
    if (c) {
      e->launch = c->launch;
    } else {
      e->launch.number = a->writing.launch;
      e->launch.site = a->writing.site;
    }
    learn(e, a, c, waits.number);
  }
  e->launch = waits;
}

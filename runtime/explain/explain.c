/* explain.c - see explain.h. */
#define _GNU_SOURCE
#include "explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/chain.h"
#include "explain/chain_lines.h"
#include "explain/explanation.h"
#include "explain/expression.h"
#include "explain/extern.h"
#include "shared/variables.h"
#include "tensor/layout.h"

static bool is_nan(ag_number x) { return ag_graph_type_is_float(x.type) && isnan(x.real); }
static bool is_infinite(ag_number x) { return ag_graph_type_is_float(x.type) && isinf(x.real); }

/* ---- the report ----------------------------------------------------------------------------- */

static void add_name(ag_text *t, const explanation *answer, int64_t flat) {
  ag_text_add(t, answer->out->param->name);
  ag_tensor_describe_index(t, &answer->out->view.t, flat);
}

/* Adds what would tell, where the launch overwrote what it read: a copy of it. */
static void add_request(ag_text *t, const explanation *answer, int64_t flat) {
  ag_text element = {0};
  add_name(&element, answer, flat);
  ag_text_addf(t, "; with %s='%llu:", variable_name(VARIABLE_AOTIGEN_EXPLAIN),
               (unsigned long long)answer->r->launch.number);
  for (const char *s = ag_text_string(&element); *s; s++)
    if (*s != ' ') ag_text_add_bytes(t, s, 1);
  ag_text_add(t, "' it is copied before");
  ag_text_free(&element);
}

static void add_failure(ag_text *t, const explanation *answer, int64_t flat, const ag_reason *why) {
  ag_text_add(t, "  how           ");
  add_name(t, answer, flat);
  ag_text_addf(t, " is not explained: %s",
               *why->text ? why->text : "its computation is not decided");
  if (*why->text && why->overwritten) add_request(t, answer, flat);
  ag_text_add(t, "\n");
}

/* True if the report already has the lines up to where it begins: it leads to the same
 * operation. */
static bool is_told(const ag_text *t, const ag_text *lines) {
  const char *end = strstr(ag_text_string(lines), "<- here");
  char *start = end ? strndup(ag_text_string(lines), (size_t)(end - ag_text_string(lines))) : NULL;
  bool told = start && strstr(ag_text_string(t), start);
  free(start);
  return told;
}

static void add_chain(ag_text *t, const explanation *answer, int64_t flat, ag_chain *c) {
  ag_text lines = {0};
  for (int i = 0; i < c->n; i++)
    ag_text_addf(&lines, "                %s\n", ag_text_string(&c->lines[i]));
  if (!is_told(t, &lines)) {
    ag_text_add(t, "  how           ");
    add_name(t, answer, flat);
    ag_text_addf(t, " as computed again%s%s%s:\n",
                 answer->elements.late ? ", from inputs that may have changed since" : "",
                 c->m->reordered ? ", term by term in one thread" : "", ag_text_string(&c->head));
    ag_text_add(t, ag_text_string(&lines));
  }
  ag_text_free(&lines);
}

static const char *how_bad(ag_number x) {
  return is_nan(x) ? "nan" : !is_infinite(x) ? "finite" : x.real < 0 ? "-inf" : "inf";
}

/* True if the computed value is bad too, but of another kind. */
static bool is_other(ag_number found, ag_number stored) {
  bool other = is_nan(found) != is_nan(stored) || (is_infinite(found) && found.real != stored.real);
  return other && (is_nan(stored) || is_infinite(stored));
}

/* Gives up if it computed an Inf and the kernel a finite number: the kernel's functions may round
 * differently. */
static bool give_up_other(ag_interpreter *m, const explanation *answer, ag_number found,
                          ag_number computed) {
  enum { ULPS_NEAR = 1024 };
  if (found.type == GRAPH_F8)
    return ag_interpreter_give_up(m, "how its type of 8 bits rounds is not known");
  int64_t ulps = ag_number_count_ulps(found, computed);
  if (ulps > 0 && ulps <= ULPS_NEAR)
    return ag_interpreter_give_up(m, "computed again it is %.9g, which differs by %d ulp",
                                  computed.real, (int)ulps);
  const char *but = answer->elements.late ? "; the inputs may have changed since the launch" : "";
  if (m->reordered)
    return ag_interpreter_give_up(m, "computed again, term by term in one thread, it is %s%s",
                                  how_bad(computed), but);
  return ag_interpreter_give_up(m, "computed again from what is in memory now it is %s%s",
                                how_bad(computed), but);
}

/* Notes that operations rounded one by one go bad differently: the kernel may multiply and add in
 * one step. */
static void note_other(ag_chain *c, ag_number stored) {
  c->is_bad = is_nan(stored) ? is_nan : is_infinite;
  ag_text_addf(&c->head, ", each operation by itself, as %s", how_bad(stored));
}

/* Follows what was stored as `found`, and is computed again. False if that is not possible. */
static bool follow_computed(const explanation *answer, ag_chain *c, int32_t value, ag_number found,
                            ag_number computed) {
  ag_number stored = ag_number_cast(computed, found.type);
  bool other = is_other(found, stored);
  if (other && !answer->elements.late)
    note_other(c, stored);
  else if (other || !c->is_bad(stored))
    return give_up_other(c->m, answer, found, stored);
  return c->is_bad(computed) ? ag_chain_follow(c, value) : ag_chain_add_store(c, value, stored);
}

/* Follows what was added to an element whose sum is bad with it. The loops are at that term. */
static bool follow_sum(ag_chain *c, const ag_stored *of, ag_number found) {
  const ag_number stored = ag_number_cast(of->sum.after, found.type);
  if (is_nan(found) != is_nan(stored)) return false;
  return ag_chain_add_sum(c, of->access, &of->sum, AG_CHAIN_HERE);
}

/* Follows a NaN that cannot be computed again, since the launch overwrote what it read, to one in
 * what memory still holds. */
static bool follow_rest(ag_chain *c, int32_t value, ag_number found) {
  if (!c->m->why.overwritten || !is_nan(found)) return false;
  const ag_reason why = c->m->why;
  if (ag_chain_follow_nan(c, value)) {
    ag_text_addf(&c->head, "; %s", why.text);
    return true;
  }
  c->m->why = why;
  return false;
}

/* The argument that a load reads; -1 for another node. */
static int find_loaded(const explanation *answer, int32_t node) {
  const ag_graph_node *x = node >= 0 ? &answer->g.nodes[node] : NULL;
  if (!x || x->kind != NODE_LOAD) return -1;
  int32_t param = answer->g.memories[answer->g.accesses[x->index].memory].param;
  return param >= 0 ? answer->from->args[param] : -1;
}

static ag_explained explain(ag_text *t, explanation *answer, int64_t flat) {
  ag_interpreter m;
  ag_number found, computed;
  if (!ag_explanation_read(answer, flat, &found) || !(is_nan(found) || is_infinite(found)) ||
      !ag_explanation_interpret(answer, &m))
    return AG_NOT_EXPLAINED;
  ag_chain c = {.m = &m,
                .name = ag_explanation_name,
                .data = answer,
                .is_bad = is_nan(found) ? is_nan : is_infinite,
                .infinity = -1};
  ag_stored of;
  bool done = ag_explanation_find_store(answer, &m, flat, c.is_bad, &of);
  if (done) ag_chain_note_indices(&c, of.access);
  if (done && of.sum.is_sum)
    done = follow_sum(&c, &of, found);
  else if (done)
    done = ag_interpret(&m, of.value, &computed)
               ? follow_computed(answer, &c, of.value, found, computed)
               : follow_rest(&c, of.value, found);
  if (done)
    add_chain(t, answer, flat, &c);
  else
    add_failure(t, answer, flat, &m.why);
  const uint64_t work = m.work;
  ag_chain_free(&c);
  ag_interpreter_end(&m);
  if (!done) return (ag_explained){.operation = -1, .work = work};
  const int loaded = find_loaded(answer, c.infinity);
  return (ag_explained){.operation = c.origin,
                        .work = work,
                        .is_known = true,
                        .takes_infinity = c.takes_infinity,
                        .makes_infinity = c.makes_infinity,
                        .infinity = loaded < 0 ? NULL : &answer->r->args[loaded]};
}

ag_explained ag_explain_add_from(ag_text *t, const ag_record *record, const ag_element_source *from,
                                 size_t out, int64_t flat) {
  explanation x;
  ag_explained explained = AG_NOT_EXPLAINED;
  const ag_arg *a = &record->args[out];
  if (flat < 0 || flat >= a->view.t.numel || !ag_explanation_can_read(a, from)) return explained;
  ag_extern_explain(t, record, from, out, flat, &explained);
  bool known = ag_explanation_begin(&x, record, from);
  x.out = a;
  if (known) {
    explained = explain(t, &x, flat);
    ag_explanation_end(&x);
  } else if (!x.from && ag_launch_site(&record->launch)->form == AOTIGEN_TRITON) {
    static const ag_reason untold = {.text = "the wrapper does not tell what the kernel computes"};
    add_failure(t, &x, flat, &untold);
  }
  return explained;
}

/* ---- where it came from --------------------------------------------------------------------- */

/* left: the work that may be done; that which was done is taken off. */
static int find_source(explanation *answer, int64_t flat, uint64_t *left) {
  ag_interpreter m;
  ag_number found, computed;
  if (!ag_explanation_read(answer, flat, &found) || !(is_nan(found) || is_infinite(found)) ||
      !ag_explanation_interpret(answer, &m))
    return -1;
  m.work_most = *left;
  ag_chain c = {.m = &m,
                .name = ag_explanation_name,
                .data = answer,
                .is_bad = is_nan(found) ? is_nan : is_infinite,
                .infinity = -1};
  ag_stored of;
  bool done = ag_explanation_find_store(answer, &m, flat, c.is_bad, &of) && !of.sum.is_sum &&
              ag_interpret(&m, of.value, &computed) && c.is_bad(computed) &&
              (is_nan(found) || computed.real == found.real) && ag_chain_follow(&c, of.value);
  int source = done ? find_loaded(answer, c.origin) : -1;
  *left -= m.work < *left ? m.work : *left;
  ag_chain_free(&c);
  ag_interpreter_end(&m);
  return source;
}

static int64_t begin_part(int64_t numel, int parts, int i) {
  int64_t left = numel % parts;
  return numel / parts * i + (i < left ? i : left);
}

/* True if further bad values of the output, of each of its parts one, were loaded too, as far as
 * the work that is left finds out: another row may hold one of the kernel's own. */
static bool are_others_loaded(explanation *answer, int64_t flat, uint64_t *left) {
  enum { PARTS = 64, NEXT = 37, SCANNED_MOST = 1024 };
  const int64_t numel = answer->out->view.t.numel;
  ag_number first, x;
  if (!ag_explanation_read(answer, flat, &first)) return false;
  for (int i = 0, part = 0; i < PARTS; i++, part = (part + NEXT) % PARTS) {
    int64_t at = begin_part(numel, PARTS, part), end = begin_part(numel, PARTS, part + 1);
    if (end > at + SCANNED_MOST) end = at + SCANNED_MOST;
    while (at < end && (at <= flat || !ag_explanation_read(answer, at, &x) ||
                        !(is_nan(first) ? is_nan(x) : is_infinite(x))))
      at++;
    if (!*left) return true;
    if (at < end && find_source(answer, at, left) < 0) return !*left;
  }
  return true;
}

int ag_explain_find_source(const ag_record *record, size_t out, int64_t flat, uint64_t *left) {
  explanation x;
  const ag_arg *a = &record->args[out];
  if (record->page || flat < 0 || flat >= a->view.t.numel || !ag_explanation_can_read(a, NULL) ||
      !ag_explanation_begin(&x, record, NULL))
    return -1;
  x.out = a;
  int source = find_source(&x, flat, left);
  if (source >= 0 && !are_others_loaded(&x, flat, left)) source = -1;
  ag_explanation_end(&x);
  return source;
}

ag_explained ag_explain_add(ag_text *t, const ag_record *record, size_t out, int64_t flat) {
  return record->page ? AG_NOT_EXPLAINED : ag_explain_add_from(t, record, NULL, out, flat);
}

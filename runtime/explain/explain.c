/* explain.c - see explain.h. */
#define _GNU_SOURCE
#include "explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/chain.h"
#include "explain/explanation.h"
#include "explain/extern.h"
#include "explain/memory.h"
#include "explain/solve.h"
#include "tensor/layout.h"

static bool is_nan(ag_number x) { return ag_graph_type_is_float(x.type) && isnan(x.real); }
static bool is_infinite(ag_number x) { return ag_graph_type_is_float(x.type) && isinf(x.real); }

/* ---- the report ----------------------------------------------------------------------------- */

static void add_name(ag_text *t, const explanation *answer, int64_t flat) {
  ag_text_add(t, answer->out->param->name);
  ag_tensor_describe_index(t, &answer->out->view.t, flat);
}

static void add_failure(ag_text *t, const explanation *answer, int64_t flat, const char *why) {
  ag_text_add(t, "  how           ");
  add_name(t, answer, flat);
  ag_text_addf(t, " is not explained: %s\n", *why ? why : "its computation is not decided");
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

static int32_t explain(ag_text *t, explanation *answer, int64_t flat) {
  ag_interpreter m;
  ag_number found, computed;
  if (!ag_explanation_read(answer, flat, &found) || !(is_nan(found) || is_infinite(found)) ||
      !ag_interpreter_begin(&m, &answer->g, answer->operands, ag_memory_load))
    return -1;
  m.elements = answer->source ? &answer->elements : NULL;
  ag_chain c = {.m = &m,
                .name = ag_explanation_name,
                .data = answer,
                .is_bad = is_nan(found) ? is_nan : is_infinite};
  const ag_graph_access *store = ag_explanation_find_store(answer, &m, flat);
  bool done = store && ag_interpret(&m, store->value, &computed);
  ag_number stored = done ? ag_number_cast(computed, found.type) : computed;
  bool other = done && is_other(found, stored);
  if (other && !answer->elements.late)
    note_other(&c, stored);
  else if (done && (other || !c.is_bad(stored)))
    done = give_up_other(&m, answer, found, stored);
  if (done && !c.is_bad(computed))
    done = ag_chain_add_store(&c, store->value, stored);
  else
    done = done && ag_chain_follow(&c, store->value);
  if (done)
    add_chain(t, answer, flat, &c);
  else
    add_failure(t, answer, flat, m.why.text);
  ag_chain_free(&c);
  ag_interpreter_end(&m);
  return done ? c.origin : -1;
}

int32_t ag_explain_add_from(ag_text *t, const ag_record *record, const ag_element_source *from,
                            size_t out, int64_t flat) {
  explanation x;
  int32_t origin = -1;
  const ag_arg *a = &record->args[out];
  if (flat < 0 || flat >= a->view.t.numel || !ag_explanation_can_read(a, from)) return -1;
  ag_extern_explain(t, record, from, out, flat);
  bool known = ag_explanation_begin(&x, record, from);
  x.out = a;
  if (known) {
    origin = explain(t, &x, flat);
    ag_explanation_end(&x);
  } else if (!x.from && ag_launch_site(&record->launch)->form == AOTIGEN_TRITON) {
    add_failure(t, &x, flat, "the wrapper does not tell what the kernel computes");
  }
  return origin;
}

int32_t ag_explain_add(ag_text *t, const ag_record *record, size_t out, int64_t flat) {
  return record->page ? -1 : ag_explain_add_from(t, record, NULL, out, flat);
}

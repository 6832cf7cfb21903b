/* explain.c - see explain.h. */
#define _GNU_SOURCE
#include "explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/chain.h"
#include "explain/memory.h"
#include "explain/solve.h"
#include "tensor/layout.h"

typedef struct explanation {
  const ag_record *r;
  const aotigen_graph *from;
  const ag_arg *out;
  ag_graph g;
  ag_operand *operands;
} explanation;

static bool is_nan(ag_number x) { return ag_type_is_real(x.type) && isnan(x.real); }
static bool is_infinite(ag_number x) { return ag_type_is_real(x.type) && isinf(x.real); }

static const ag_arg *arg_of(const explanation *x, int32_t param) {
  int number = x->from->args[param];
  return number >= 0 && (size_t)number < x->r->nargs ? &x->r->args[number] : NULL;
}

/* In reports an argument has the wrapper's name, an input and a weight also Python's. */
static const char *name_argument(void *data, int32_t param) {
  const ag_arg *a = arg_of(data, param);
  return a ? a->param->name : NULL;
}

static bool is_on_host(const ag_arg *a) {
  static int32_t cpu = -2;
  if (cpu == -2) cpu = ag_device_type_of_name("cpu");
  return a->view.state == AG_VIEW_OK && a->view.t.device_type == cpu && a->view.t.data;
}

static ag_operand make_operand(const ag_arg *a) {
  ag_operand x = {0};
  if (!a) return x;
  if (is_on_host(a)) x.view = &a->view;
  x.is_number = true;
  switch (a->value.is) {
    case AOTIGEN_V_INT: x.number = ag_number_of_whole(a->value.v.i, AG_TYPE_I64); break;
    case AOTIGEN_V_UINT: x.number = ag_number_of_whole(a->value.v.i, AG_TYPE_U64); break;
    case AOTIGEN_V_BOOL: x.number = ag_number_of_whole(a->value.v.i, AG_TYPE_BOOL); break;
    case AOTIGEN_V_FLOAT: x.number = ag_number_of_real(a->value.v.f, AG_TYPE_F64); break;
    default: x.is_number = false;
  }
  return x;
}

static bool make_operands(explanation *x) {
  x->operands = calloc((size_t)x->g.nparams + 1, sizeof *x->operands);
  if (!x->operands) return false;
  for (int32_t i = 0; i < x->g.nparams; i++) x->operands[i] = make_operand(arg_of(x, i));
  return true;
}

/* ---- the store ------------------------------------------------------------------------------ */

/* The place of an element from the argument's first one. */
static int64_t find_place(const ag_tensor *t, int64_t flat) {
  int64_t at[AG_MAX_DIMS], place = 0;
  ag_layout_index(t->ndim, t->sizes, flat, at);
  for (int i = 0; i < t->ndim; i++) place += at[i] * t->strides[i];
  return place;
}

/* The last store of the kernel to the element: the interpreter's loops are bound to it. */
static const ag_graph_access *find_store(const explanation *x, ag_interpreter *m, int64_t place) {
  for (int32_t i = x->g.naccesses; i-- > 0;) {
    const ag_graph_access *s = &x->g.accesses[i];
    int32_t param = x->g.memories[s->memory].param;
    if (s->is == AG_ACCESS_LOAD || param < 0 || arg_of(x, param) != x->out) continue;
    enum ag_solved solved = ag_solve(m, s, place);
    if (solved == AG_SOLVED && s->is == AG_ACCESS_STORE) return s;
    if (solved == AG_SOLVED_NOT) continue;
    ag_interpreter_give_up(m, "which iteration stored it is not known");
    return NULL;
  }
  ag_interpreter_give_up(m, "no store of the kernel to it is known");
  return NULL;
}

/* ---- the report ----------------------------------------------------------------------------- */

static void add_name(ag_text *t, const explanation *x, int64_t flat) {
  ag_text_add(t, x->out->param->name);
  ag_tensor_describe_index(t, &x->out->view.t, flat);
}

static void add_failure(ag_text *t, const explanation *x, int64_t flat, const char *why) {
  ag_text_add(t, "  how           ");
  add_name(t, x, flat);
  ag_text_addf(t, " is not explained: %s\n", *why ? why : "its computation is not decided");
}

/* The lines up to where it begins stand in the report: it goes back to the same operation. */
static bool is_told(const ag_text *t, const ag_text *lines) {
  const char *end = strstr(ag_text_string(lines), "<- here");
  char *start = end ? strndup(ag_text_string(lines), (size_t)(end - ag_text_string(lines))) : NULL;
  bool told = start && strstr(ag_text_string(t), start);
  free(start);
  return told;
}

static void add_chain(ag_text *t, const explanation *x, int64_t flat, ag_chain *c) {
  ag_text lines = {0};
  for (int i = 0; i < c->n; i++)
    ag_text_addf(&lines, "                %s\n", ag_text_string(&c->lines[i]));
  if (!is_told(t, &lines)) {
    ag_text_add(t, "  how           ");
    add_name(t, x, flat);
    ag_text_addf(t, " as computed again%s:\n", ag_text_string(&c->head));
    ag_text_add(t, ag_text_string(&lines));
  }
  ag_text_free(&lines);
}

static void explain(ag_text *t, explanation *x, int64_t flat) {
  ag_interpreter m;
  ag_number found, computed;
  int64_t place = find_place(&x->out->view.t, flat);
  const char *element = (const char *)x->out->view.t.data + place * x->out->view.t.dtype->item_size;
  if (!ag_memory_decode(x->out->view.t.dtype, element, &found) ||
      !(is_nan(found) || is_infinite(found)) ||
      !ag_interpreter_begin(&m, &x->g, x->operands, ag_memory_load))
    return;
  ag_chain c = {
      .m = &m, .name = name_argument, .data = x, .is_bad = is_nan(found) ? is_nan : is_infinite};
  const ag_graph_access *store = find_store(x, &m, place);
  bool done = store && ag_interpret(&m, store->value, &computed);
  if (done && !c.is_bad(ag_number_cast(computed, found.type)))
    done = ag_interpreter_give_up(&m, "computed again from what is in memory now it is finite");
  if (done && is_infinite(found) && ag_number_cast(computed, found.type).real != found.real)
    done = ag_interpreter_give_up(&m, "computed again it has the other sign");
  if (done && ag_chain_follow(&c, store->value))
    add_chain(t, x, flat, &c);
  else
    add_failure(t, x, flat, m.why);
  ag_chain_free(&c);
  ag_interpreter_end(&m);
}

void ag_explain_add(ag_text *t, const ag_record *r, size_t out, int64_t flat) {
  explanation x = {.r = r, .from = ag_launch_site(&r->launch)->graph, .out = &r->args[out]};
  if (!x.from || r->page || flat < 0 || flat >= x.out->view.t.numel || !is_on_host(x.out)) return;
  if (!ag_graph_read(&x.g, x.from->text)) return;
  if ((uint32_t)x.g.nparams == x.from->nparams && make_operands(&x)) explain(t, &x, flat);
  free(x.operands);
  ag_graph_free(&x.g);
}

/* explanation.c - see explanation.h. */
#include "explain/explanation.h"

#include <stdlib.h>
#include <string.h>

#include "explain/memory.h"
#include "explain/solve.h"
#include "tensor/layout.h"

const ag_arg *ag_explanation_arg(const explanation *answer, int32_t param) {
  int number = answer->from->args[param];
  return number >= 0 && (size_t)number < answer->r->nargs ? &answer->r->args[number] : NULL;
}

/* The argument's name in reports: the wrapper's, for an input and a weight also Python's. */
const char *ag_explanation_name(void *data, int32_t param) {
  const ag_arg *a = ag_explanation_arg(data, param);
  return a ? a->param->name : NULL;
}

static bool is_on_host(const ag_arg *a) {
  return a->view.state == AG_VIEW_OK && a->view.t.device_type == ag_backend_cpu.device_type &&
         a->view.t.data;
}

bool ag_explanation_can_read(const ag_arg *a, const ag_element_source *from) {
  return is_on_host(a) || (from && a->view.state == AG_VIEW_OK && a->view.t.data);
}

static ag_operand make_operand(const ag_arg *a, const ag_element_source *from) {
  ag_operand x = {0};
  if (!a) return x;
  x.name = a->param->name;
  if (ag_explanation_can_read(a, from)) x.view = &a->view;
  if (x.view && !is_on_host(a)) x.away = a;
  x.is_number = true;
  switch (a->value.kind) {
    case AOTIGEN_V_INT: x.number = ag_number_of_whole(a->value.v.i, GRAPH_I64); break;
    case AOTIGEN_V_UINT: x.number = ag_number_of_whole(a->value.v.i, GRAPH_U64); break;
    case AOTIGEN_V_BOOL: x.number = ag_number_of_whole(a->value.v.i, GRAPH_BOOL); break;
    case AOTIGEN_V_FLOAT: x.number = ag_number_of_real(a->value.v.f, GRAPH_F64); break;
    default: x.is_number = false;
  }
  return x;
}

static bool make_operands(explanation *answer) {
  answer->operands = calloc((size_t)answer->g.nparams + 1, sizeof *answer->operands);
  if (!answer->operands) return false;
  for (int32_t i = 0; i < answer->g.nparams; i++)
    answer->operands[i] = make_operand(ag_explanation_arg(answer, i), answer->source);
  return true;
}

bool ag_explanation_begin(explanation *answer, const ag_record *record,
                          const ag_element_source *from) {
  *answer = (explanation){.r = record,
                          .from = ag_launch_site(&record->launch)->graph,
                          .source = from,
                          .elements = {.from = from}};
  if (!answer->from || !ag_graph_read(&answer->g, answer->from->text)) return false;
  if ((uint32_t)answer->g.nparams == answer->from->nparams && make_operands(answer)) return true;
  ag_graph_free(&answer->g);
  return false;
}

void ag_explanation_end(explanation *answer) {
  ag_elements_end(&answer->elements);
  free(answer->operands);
  ag_graph_free(&answer->g);
}

bool ag_explanation_interpret(explanation *answer, ag_interpreter *m) {
  if (!ag_interpreter_begin(m, &answer->g, answer->operands, ag_memory_load)) return false;
  m->elements = answer->source ? &answer->elements : NULL;
  m->kept = answer->r->kept;
  m->nkept = answer->r->nkept;
  return true;
}

/* ---- one element ---------------------------------------------------------------------------- */

/* The offset of an element of the explained argument from its first one. */
static int64_t find_place(const explanation *answer, int64_t flat) {
  const ag_tensor *t = &answer->out->view.t;
  return ag_layout_offset(t->ndim, t->sizes, t->strides, flat);
}

bool ag_explanation_read(const explanation *answer, int64_t flat, ag_number *found) {
  const ag_tensor *t = &answer->out->view.t;
  if (flat < 0 || flat >= t->numel || !ag_explanation_can_read(answer->out, answer->source))
    return false;
  unsigned char element[16];
  if (is_on_host(answer->out))
    memcpy(element, (const char *)t->data + find_place(answer, flat) * t->dtype->item_size,
           t->dtype->item_size);
  else if (!answer->source->stored(answer->source->data, answer->out, flat, element))
    return false;
  return ag_memory_decode(t->dtype, element, found);
}

/* The offset of the element at `place` of the explained argument, from the first one of argument a.
 * False if it is no element of a's memory. A kernel may be given a tensor twice, one to load and
 * one to store, and its parts: what is concatenated is stored through views of the result. */
static bool find_place_in(const explanation *answer, const ag_arg *a, int64_t place, int64_t *to) {
  const ag_tensor *out = &answer->out->view.t, *t = &a->view.t;
  int64_t lowest, end;
  *to = place;
  if (a == answer->out) return true;
  if (a->view.state != AG_VIEW_OK || t->dtype != out->dtype) return false;
  const int64_t bytes = (int64_t)((uintptr_t)out->data - (uintptr_t)t->data);
  if (bytes % (int64_t)out->dtype->item_size) return false;
  *to += bytes / (int64_t)out->dtype->item_size;
  return ag_layout_extent(t->ndim, t->sizes, t->strides, &lowest, &end) && *to >= lowest &&
         *to < end;
}

/* Finds the iteration in which an access touches the element. */
static enum ag_solved solve_store(ag_interpreter *m, const ag_graph_access *s, int64_t place,
                                  ag_number_test *is_bad, ag_stored *to) {
  ag_loaded loaded;
  *to = (ag_stored){.access = s, .value = s->value};
  if (is_bad && s->value >= 0 && !s->partly && ag_loaded_list(m->g, s->index, &loaded)) {
    const int32_t term = ag_loaded_find_term(m->g, s);
    if (term < 0) return ag_loaded_solve(m, s, place, is_bad);
    to->value = term;
    return ag_loaded_add_up(m, s, place, is_bad, &to->sum);
  }
  enum ag_solved solved = ag_solve(m, s, place);
  return solved == AG_SOLVED && s->kind != ACCESS_STORE ? AG_SOLVED_UNDECIDED : solved;
}

bool ag_explanation_find_store(const explanation *answer, ag_interpreter *m, int64_t flat,
                               ag_number_test *is_bad, ag_stored *to) {
  const int64_t place = find_place(answer, flat);
  for (int32_t i = answer->g.naccesses; i-- > 0;) {
    const ag_graph_access *s = &answer->g.accesses[i];
    int32_t param = answer->g.memories[s->memory].param;
    const ag_arg *a = param >= 0 ? ag_explanation_arg(answer, param) : NULL;
    int64_t at;
    if (s->kind == ACCESS_LOAD || !a || !find_place_in(answer, a, place, &at)) continue;
    enum ag_solved solved = solve_store(m, s, at, is_bad, to);
    if (solved == AG_SOLVED) return true;
    if (solved == AG_SOLVED_NOT) continue;
    return ag_interpreter_give_up(m, "which iteration stored it is not known");
  }
  return ag_interpreter_give_up(m, "no store of the kernel to it is known");
}

/* call.c - see call.h. */
#define _GNU_SOURCE
#include "explain/call.h"

#include <stdio.h>
#include <string.h>

#include "explain/memory.h"
#include "explain/work.h"
#include "tensor/layout.h"

/* ---- the operator --------------------------------------------------------------------------- */

static const char *skip_prefix(const char *s, const char *prefix) {
  size_t n = strlen(prefix);
  return strncmp(s, prefix, n) == 0 ? s + n : s;
}

/* "aoti_torch_cpu_addmm_out", "aten::addmm", "aten.addmm.default" */
static void read_name(ag_call *c, const char *kernel) {
  const char *s = skip_prefix(kernel, "aoti_torch_");
  if (s != kernel) {
    static const char *const devices[] = {"cpu_", "cuda_", "xpu_", "mps_"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) s = skip_prefix(s, devices[i]);
  }
  s = skip_prefix(skip_prefix(s, "aten::"), "aten.");
  snprintf(c->op, sizeof c->op, "%.*s", (int)strcspn(s, ".:"), s);
  size_t n = strlen(c->op);
  c->begins_with_out = n > 4 && strcmp(c->op + n - 4, "_out") == 0;
  if (c->begins_with_out) c->op[n - 4] = '\0';
}

static void take_scalar(ag_call *c, const ag_arg *a) {
  bool whole = a->value.kind == AOTIGEN_V_INT || a->value.kind == AOTIGEN_V_BOOL;
  if (whole && c->nintegers < AG_CALL_INTEGERS) c->integers[c->nintegers++] = a->value.v.i;
  if (a->value.kind == AOTIGEN_V_INT && !c->has_integer) {
    c->has_integer = true;
    c->integer = a->value.v.i;
  }
  if (a->value.kind == AOTIGEN_V_FLOAT && !c->has_real) {
    c->has_real = true;
    c->real = a->value.v.f;
  }
}

bool ag_call_begin(ag_call *c, const ag_record *record, const ag_element_source *from,
                   const ag_arg *out) {
  const aotigen_site *s = ag_launch_site(&record->launch);
  bool is_call = s->form == AOTIGEN_EXTERN || s->form == AOTIGEN_PROXY ||
                 s->form == AOTIGEN_DISPATCHER;
  if (!is_call) return false;
  memset(c, 0, sizeof *c);
  c->out = out;
  c->elements.from = from;
  c->why = "";
  c->explained = AG_NOT_EXPLAINED;
  read_name(c, s->kernel);
  for (size_t i = 0; i < record->nargs; i++) {
    const ag_arg *a = &record->args[i];
    if (a->view.state == AG_VIEW_NONE) take_scalar(c, a);
    if (a->view.state == AG_VIEW_OK && !ag_arg_is_written(a) && c->ntensors < AG_CALL_TENSORS)
      c->tensors[c->ntensors++] = a;
  }
  return true;
}

void ag_call_end(ag_call *c) { ag_elements_end(&c->elements); }

/* ---- elements ------------------------------------------------------------------------------- */

static bool is_on_host(const ag_arg *a) {
  return a->view.t.device_type == ag_backend_cpu.device_type;
}

static bool give_up(ag_call *c, const char *why) {
  c->why = why;
  return false;
}

static bool read_number(ag_call *c, const ag_arg *a, int64_t flat, ag_number *value) {
  const ag_tensor *t = &a->view.t;
  unsigned char element[16];
  size_t size = t->dtype->item_size;
  if (flat < 0 || flat >= t->numel || size > sizeof element)
    return give_up(c, "it is not of the sizes that the operator takes");
  int64_t at = ag_layout_offset(t->ndim, t->sizes, t->strides, flat) * (int64_t)size;
  if (is_on_host(a) && t->data)
    memcpy(element, (const char *)t->data + at, size);
  else if (!c->elements.from || !ag_elements_read(&c->elements, a, flat, at, size, element))
    return give_up(c, "an input cannot be read as it was");
  return ag_memory_decode(t->dtype, element, value) ||
         give_up(c, "its type has numbers that are not understood");
}

bool ag_call_read(ag_call *c, const ag_arg *a, int64_t flat, double *value) {
  ag_number x;
  if (!read_number(c, a, flat, &x)) return false;
  *value = ag_number_real(x);
  return true;
}

bool ag_call_read_whole(ag_call *c, const ag_arg *a, int64_t flat, int64_t *value) {
  ag_number x;
  if (!read_number(c, a, flat, &x) || ag_graph_type_is_float(x.type)) return false;
  *value = x.whole;
  return true;
}

bool ag_call_may_go_on(ag_call *c) {
  uint64_t work = ++c->work + c->elements.pieces_read * AG_WORK_OF_PIECE;
  return work <= AG_WORK_MOST || give_up(c, AG_WORK_IS_TOO_MUCH);
}

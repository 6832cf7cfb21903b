/* arguments.c - see parts.h. */
#include "model/parts.h"
#include "model/completions.h"
#include "model/op_table.h"
#include <string.h>

/* ---- variables ------------------------------------------------------------------------------ */

/* The variable that messages name: the base of a view, and the first handle for a raw second one. A
 * buffer that reuses another's memory has its own name, whether or not it is a view. */
static const fact_var *find_shown(const facts *f, int v, bool *view) {
  const fact_var *x = &f->vars.at[v];
  for (int steps = 0, base; steps < FACTS_STEPS_MAX; steps++, v = base) {
    x = &f->vars.at[v];
    base = facts_find_base(f, v);
    if (base < 0 || text_begins(x->name, "buf")) break;
    if (x->made == MADE_ALIAS && !text_begins(x->name, "tmp_")) break;
    *view = *view || x->made == MADE_VIEW;
  }
  return x;
}

/* "buf2" for "buf2_handle" */
static const char *name_output(const char *handle, arena *a) {
  size_t n = strlen(handle);
  return n > 7 && strcmp(handle + n - 7, "_handle") == 0 ? arena_strndup(a, handle, n - 7) : handle;
}

static void identify_variable(const argument_reader *reader, argument *arg, int v) {
  const model *m = reader->m;
  bool view = arg->kind == AOTIGEN_VIEW;
  arg->name = find_shown(m->facts, v, &view)->name;
  arg->root = storage_root(reader->storage, v);
  arg->kind = view ? AOTIGEN_VIEW : AOTIGEN_TENSOR;
  const fact_var *root = &m->facts->vars.at[arg->root];
  if (root->made == MADE_WEIGHT && root->from < (int)m->weights.n) {
    arg->python_name = m->weights.at[root->from].fqn;
    arg->dtype = m->weights.at[root->from].dtype;
    if (!view) arg->kind = AOTIGEN_WEIGHT;
  } else if (root->made == MADE_INPUT && root->from < (int)m->inputs.n) {
    /* A variable of a loop is the input only at first. A buffer that took over the input's memory
     * is not the input. */
    bool still = m->facts->vars.at[v].loop == root->loop && !text_begins(arg->name, "buf");
    arg->python_name = still ? m->inputs.at[root->from].python_name : NULL;
    arg->dtype = m->inputs.at[root->from].dtype;
    if (!view && strcmp(root->name, arg->name) == 0) arg->kind = AOTIGEN_INPUT;
  } else {
    arg->dtype = storage_at(reader->storage, arg->root)->dtype;
  }
}

/* ---- roles ---------------------------------------------------------------------------------- */

/* True for an output: outputs have telling names, and are passed by address. A tensor that is
 * passed by value is an output only in an out form: `..._backward` has an input called `out`. */
static bool is_output_param(const fact_param *p, bool out_form) {
  return (out_form || p->holds == HOLDS_HANDLES) &&
         (text_begins(p->name, "out") || text_begins(p->name, "ret") ||
          text_begins(p->name, "result"));
}

/* The role that Inductor's name for a kernel's parameter implies. */
static enum aotigen_role find_named_role(const char *param, bool is_const,
                                         enum aotigen_role otherwise) {
  if (text_begins(param, "in_out_ptr")) return AOTIGEN_INOUT;
  if (text_begins(param, "in_ptr") || is_const) return AOTIGEN_IN;
  if (text_begins(param, "out_ptr") || text_begins(param, "ws_ptr")) return AOTIGEN_OUT;
  return otherwise;
}

/* The parameter's metadata, or NULL where the wrapper has none. */
static const triton_param *find_metadata(const site *s, const operand *t) {
  if (!s->triton || t->param < 0) return NULL;
  return triton_find_param(s->triton, s->call->params.at[t->param].name);
}

static enum aotigen_role find_triton_role(const triton_param *p, const char *name) {
  enum aotigen_role role = find_named_role(name, false, AOTIGEN_UNKNOWN);
  if (!p) return role;
  if (p->mutated) {
    bool only_written = role == AOTIGEN_OUT && !p->loaded && !text_begins(name, "out_ptr");
    return only_written ? AOTIGEN_OUT : AOTIGEN_INOUT;
  }
  if (role != AOTIGEN_UNKNOWN) return role;
  if (p->stored) return p->loaded ? AOTIGEN_INOUT : AOTIGEN_UNKNOWN;
  return p->loaded ? AOTIGEN_IN : AOTIGEN_UNKNOWN;
}

/* The role in an extern call, by the names that torch's shim gives to functions and parameters. */
static enum aotigen_role find_shim_role(const fact_call *c, const operand *t) {
  const fact_param *p = &c->params.at[t->param];
  size_t n = strlen(c->callee);
  if (op_table_is_copy(c->callee) && t->param == 0 && c->callee[n - 1] == '_') return AOTIGEN_OUT;
  bool in_place = n > 1 && c->callee[n - 1] == '_';
  bool out_form = n > 4 && strcmp(c->callee + n - 4, "_out") == 0;
  bool has_out = false;
  for (size_t i = 0; i < c->params.n; i++)
    has_out = has_out || is_output_param(&c->params.at[i], out_form);
  if (is_output_param(p, out_form)) return AOTIGEN_OUT;
  if ((in_place || (out_form && !has_out)) && t->param == 0) return AOTIGEN_INOUT;
  return AOTIGEN_IN;
}

/* `tensor` counts the tensors of the call; the op's inputs come first. */
static enum aotigen_role find_proxy_role(const custom_op *op, size_t tensor) {
  if (!op) return AOTIGEN_UNKNOWN;
  if ((int)tensor < op->tensors_in) return op->tensors_out ? AOTIGEN_IN : AOTIGEN_UNKNOWN;
  return AOTIGEN_OUT;
}

static void read_kernel_param(const site *s, argument *arg, const operand *t) {
  const fact_param *p = &s->call->params.at[t->param];
  const triton_param *metadata = find_metadata(s, t);
  if (s->form == AOTIGEN_TRITON) {
    arg->role = find_triton_role(metadata, p->name);
    if (metadata && metadata->divisible16) arg->flags |= AOTIGEN_ALIGN16;
    if (metadata) arg->dtype = triton_find_dtype(metadata->type);
  } else {
    arg->role = find_named_role(p->name, t->is_const, AOTIGEN_INOUT);
    arg->dtype = t->element ? op_table_find_dtype(t->element) : NULL;
  }
}

static void read_role(const site *s, argument *arg, const operand *t, size_t tensor) {
  switch (s->form) {
    case AOTIGEN_PROXY:
      arg->role = find_proxy_role(s->op, tensor);
      if (arg->role == AOTIGEN_IN) arg->flags |= AOTIGEN_MAYBE_WRITTEN;
      break;
    case AOTIGEN_DISPATCHER: arg->role = AOTIGEN_UNKNOWN; break;
    case AOTIGEN_TRITON:
    case AOTIGEN_CPU: read_kernel_param(s, arg, t); break;
    default:
      if (t->param >= 0) arg->role = find_shim_role(s->call, t);
  }
}

/* ---- expressions ---------------------------------------------------------------------------- */

/* The call sets an empty variable to a tensor or a number. */
static void read_output(const argument_reader *reader, const site *s, argument *arg,
                        const operand *t) {
  const fact_var *v = &reader->m->facts->vars.at[t->var];
  bool made = s->call->checked || s->form == AOTIGEN_DISPATCHER || s->form == AOTIGEN_PROXY;
  arg->role = AOTIGEN_OUT;
  arg->flags |= AOTIGEN_LATE;
  arg->late = made ? v->name : NULL;
  arg->name = name_output(arg->name, reader->a);
  if (v->holds == HOLDS_SCALAR) arg->kind = AOTIGEN_SCALAR;
}

/* A call may take the handle away; the variable that the handle was made from remains. */
static void read_handle(const argument_reader *reader, argument *arg, const operand *t) {
  int source = storage_at(reader->storage, t->var)->source;
  if (source >= 0)
    arg->name = arg->value = reader->m->facts->vars.at[source].name;
  else if (!t->consumed)
    arg->value = reader->m->facts->vars.at[t->var].name;
}

/* A view that is empty when the kernel is launched. Its base is not empty. */
static void read_through_base(const argument_reader *reader, argument *arg, const fact_var *var) {
  if (var->made != MADE_VIEW || var->from < 0 || !var->view[1].end) return;
  arg->view = var->view;
  arg->value = reader->m->facts->vars.at[var->from].name;
}

static void read_value(const argument_reader *reader, const site *s, argument *arg,
                       const operand *t) {
  const facts *f = reader->m->facts;
  const fact_var *v = t->var >= 0 ? &f->vars.at[t->var] : NULL;
  bool passes_handles = s->form == AOTIGEN_DISPATCHER || s->form == AOTIGEN_PROXY;
  bool emptied = v && (v->released || (t->consumed && v->holds == HOLDS_OBJECT));
  if (t->kind == OPERAND_OUTPUT) {
    read_output(reader, s, arg, t);
  } else if (v && v->holds == HOLDS_HANDLE && (t->consumed || passes_handles)) {
    read_handle(reader, arg, t);
  } else if (t->kind == OPERAND_TENSOR && emptied) {
    read_through_base(reader, arg, v);
  } else if (t->kind == OPERAND_VIEW) {
    arg->view = t->view;
    arg->value = v ? v->name : facts_copy(f, t->view[0], reader->a);
    if (!v) arg->name = arg->value;
  } else if (v) {
    arg->value = v->name;
  } else {
    arg->name = facts_copy(f, t->text, reader->a);
  }
}

/* ---- the arguments -------------------------------------------------------------------------- */

/* A list of tensors is followed by its length: "tensors_len_", "num_indices". A single pointer to a
 * handle is an optional tensor. */
static bool is_list(const fact_call *c, int param) {
  if (param + 1 >= (int)c->params.n) return false;
  const char *next = c->params.at[param + 1].name;
  return strstr(next, "_len_") || text_begins(next, "num_");
}

/* True if the declaration of the shim's function requires a tensor. Hand-written functions of the
 * shim have an optional bias that is passed by value. */
static bool takes_tensor(const fact_call *c, const operand *t) {
  const fact_param *p = t->param >= 0 ? &c->params.at[t->param] : NULL;
  if (!p) return false;
  if (p->holds == HOLDS_HANDLES) return is_list(c, t->param);
  return (p->holds == HOLDS_HANDLE || p->holds == HOLDS_OBJECT) && strcmp(p->name, "bias") != 0;
}

/* The proxy executor and the dispatcher receive handles of tensors only, and none for None. */
static unsigned find_presence(const argument_reader *reader, const site *s, const argument *arg,
                              const operand *t) {
  const storage_entry *e = arg->root >= 0 ? storage_at(reader->storage, arg->root) : NULL;
  if (t->kind == OPERAND_OUTPUT || s->form == AOTIGEN_TRITON || s->form == AOTIGEN_CPU) return 0;
  if (s->form == AOTIGEN_PROXY || s->form == AOTIGEN_DISPATCHER)
    return e && e->empty && !e->touched ? AOTIGEN_NOT_NULL : AOTIGEN_NOT_NULL | AOTIGEN_DEFINED;
  if (!takes_tensor(s->call, t)) return 0;
  return op_table_takes_undefined(s->kernel) ? AOTIGEN_NOT_NULL
                                             : AOTIGEN_NOT_NULL | AOTIGEN_DEFINED;
}

static void read_tensor(const argument_reader *reader, site *s, const operand *t, size_t tensor,
                        size_t *outputs) {
  /* A compiled kernel is named after ops, and writes all of its outputs. */
  bool compiled = s->form == AOTIGEN_TRITON || s->form == AOTIGEN_CPU;
  argument x = {
      .name = "", .root = -1, .maker = -1, .writer = WRITER_NONE, .operand = t, .param = t->param};
  if (t->kind == OPERAND_VIEW) x.kind = AOTIGEN_VIEW;
  if (t->var >= 0) identify_variable(reader, &x, t->var);
  if (t->kind == OPERAND_POINTER && t->var < 0) x.kind = AOTIGEN_POINTER;
  read_role(s, &x, t, tensor);
  completion_settle_role(s, &x, tensor);
  read_value(reader, s, &x, t);
  x.flags |= find_presence(reader, s, &x, t);
  if (x.role == AOTIGEN_OUT && !compiled && op_table_is_unasserted(s->kernel, (*outputs)++))
    x.flags |= AOTIGEN_UNASSERTED;
  *arena_push(reader->a, &s->args) = x;
}

static void read_scalar(const argument_reader *reader, site *s, const operand *t) {
  argument x = {.kind = AOTIGEN_SCALAR,
                .role = AOTIGEN_IN,
                .root = -1,
                .maker = -1,
                .writer = WRITER_NONE,
                .operand = t,
                .param = t->param,
                .name = facts_copy(reader->m->facts, t->text, reader->a)};
  const triton_param *metadata = find_metadata(s, t);
  if (t->pure) x.value = x.name;
  if (metadata && strcmp(metadata->type, "i32") == 0) x.flags |= AOTIGEN_INT32;
  *arena_push(reader->a, &s->args) = x;
}

/* True for scalars that say how to launch, not what to compute. */
static bool is_plumbing(const fact_param *p) {
  static const char *const names[] = {"device_idx_", "stream_", "kernels_", "cubin_dir_", NULL};
  return strings_index(names, p->name) >= 0 || text_begins(p->name, "_grid_");
}

/* Adjusts the role of an argument that shares storage with others: together they may be in and
 * out. */
static void join_roles(site *s, argument *arg) {
  if (arg->root < 0 || arg->kind == AOTIGEN_SCALAR || arg->flags & AOTIGEN_LATE) return;
  for (size_t i = 0; i < s->args.n; i++) {
    const argument *y = &s->args.at[i];
    if (y == arg || y->root != arg->root) continue;
    if ((arg->role == AOTIGEN_IN && y->role != AOTIGEN_IN) ||
        (arg->role == AOTIGEN_OUT && y->role == AOTIGEN_IN))
      arg->role = y->role == AOTIGEN_UNKNOWN ? AOTIGEN_UNKNOWN : AOTIGEN_INOUT;
  }
}

static bool owns_storage(const argument *arg) {
  return arg->root >= 0 && arg->kind != AOTIGEN_SCALAR;
}

/* Marks memory that was not passed to any launch since its allocation. */
static void mark_fresh(const argument_reader *reader, const site *s, argument *arg) {
  const storage_entry *e = storage_at(reader->storage, arg->root);
  if (!e->allocated || e->touched || (s->call->loop != 0 && s->call->loop != e->loop)) return;
  arg->flags |= AOTIGEN_FRESH;
  if (s->form == AOTIGEN_TRITON && arg->role == AOTIGEN_UNKNOWN) arg->role = AOTIGEN_OUT;
}

/* The arguments of a launch with more than these are not compared with each other. */
enum { ARGUMENTS_MAX = 1024 };

static void settle_roles(const argument_reader *reader, site *s) {
  bool many = s->args.n > ARGUMENTS_MAX;
  if (many && !s->skipped) s->skipped = "has more than 1024 arguments";
  for (size_t i = 0; i < s->args.n; i++) {
    if (!many) join_roles(s, &s->args.at[i]);
    if (owns_storage(&s->args.at[i])) mark_fresh(reader, s, &s->args.at[i]);
  }
  for (size_t i = 0; i < s->args.n; i++)
    if (owns_storage(&s->args.at[i]))
      storage_at(reader->storage, s->args.at[i].root)->touched = true;
}

void arguments_read(const argument_reader *reader, site *s) {
  const fact_call *c = s->call;
  size_t tensors = 0, outputs = 0;
  for (size_t i = 0; i < c->operands.n; i++) {
    const operand *t = &c->operands.at[i];
    if (t->param >= 0 && is_plumbing(&c->params.at[t->param])) continue;
    if (t->kind != OPERAND_SCALAR)
      read_tensor(reader, s, t, tensors++, &outputs);
    else if (s->form != AOTIGEN_PROXY && c->calls != CALLS_LAUNCH)
      read_scalar(reader, s, t);
  }
  settle_roles(reader, s);
}

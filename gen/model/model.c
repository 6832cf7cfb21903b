/* model.c - see model.h. Sites and the roles of their arguments; the rest is in constructor.c,
 * checks.c and names.c. */
#include "model/model.h"
#include "model/input_checks.h"
#include "model/constructor.h"
#include "model/cpp_functions.h"
#include "parse/lex.h"
#include "model/source_nodes.h"
#include "model/op_table.h"
#include <stdlib.h>
#include <string.h>

const char *const form_names[] = {"triton", "extern", "proxy", "dispatcher", "cpu", "copy", "item"};
const char *const role_names[] = {"in", "out", "inout", "unknown"};
const char *const kind_names[] = {"tensor", "view", "weight", "input", "pointer", "scalar"};

/* What is known of each variable's storage while the calls are read in source order. */
typedef struct storage {
  int root;   /* the variable that owns it */
  int source; /* of a second handle: the variable it was made from, else -1 */
  bool allocated, touched;
  int loop;
  const char *dtype;
  const char *sizes; /* as it was allocated: "s77, 10" */
} storage;

enum { MAX_SITES = 65536 }; /* AOTIGEN_MAX_SITES */

typedef struct reader {
  model *m;
  const facts *f;
  arena *a;
  diags *d;
  storage *storage; /* one for each variable */
  op_nodes ops;
  const companions *beside;
  definitions definitions[2]; /* of the kernel file, of the wrapper; read when first asked for */
} reader;

static bool starts(const char *s, const char *prefix) {
  return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* ---- variables ------------------------------------------------------------------------------ */

static int root_of(const reader *r, int v) { return v < 0 ? -1 : r->storage[v].root; }

static void roots(reader *r) {
  r->storage = arena_alloc(r->a, (r->f->vars.n + 1) * sizeof *r->storage);
  for (size_t i = 0; i < r->f->vars.n; i++) {
    const fact_var *v = &r->f->vars.at[i];
    bool follows = (v->made == MADE_ALIAS || v->made == MADE_VIEW) && v->from >= 0 &&
                   v->from < (int)i;
    r->storage[i] = (storage){
        .root = follows ? r->storage[v->from].root : (int)i, .source = -1, .loop = v->loop};
  }
}

/* After one variable became another name of a storage: those made from it follow. */
static void rename_root(reader *r, int v, int root) {
  for (size_t i = (size_t)v; i < r->f->vars.n; i++)
    if (r->storage[i].root == v) r->storage[i].root = root;
}

/* The variable whose name a message should use: a view's base, a raw second handle's first. A
 * buffer that reuses another's memory goes by its own name, as a view of it or not. */
static const fact_var *shown(const reader *r, int v, bool *view) {
  const fact_var *x = &r->f->vars.at[v];
  for (int guard = 0; guard < 64 && x->from >= 0; guard++) {
    if (starts(x->name, "buf")) break;
    if (x->made == MADE_VIEW)
      *view = true;
    else if (x->made != MADE_ALIAS || !starts(x->name, "tmp_"))
      break;
    x = &r->f->vars.at[x->from];
  }
  return x;
}

/* "buf2" for "buf2_handle" */
static const char *output_name(const char *handle, arena *a) {
  size_t n = strlen(handle);
  return n > 7 && strcmp(handle + n - 7, "_handle") == 0 ? arena_strndup(a, handle, n - 7) : handle;
}

/* ---- arguments ------------------------------------------------------------------------------ */

static void identify(const reader *r, argument *x, int v) {
  bool view = x->kind == KIND_VIEW;
  const fact_var *shows = shown(r, v, &view);
  x->name = shows->name;
  x->root = root_of(r, v);
  const fact_var *root = &r->f->vars.at[x->root];
  const model *m = r->m;
  x->kind = view ? KIND_VIEW : KIND_TENSOR;
  if (root->made == MADE_WEIGHT && root->from < (int)m->weights.n) {
    x->python_name = m->weights.at[root->from].fqn;
    x->dtype = m->weights.at[root->from].dtype;
    if (!view) x->kind = KIND_WEIGHT;
  } else if (root->made == MADE_INPUT && root->from < (int)m->inputs.n) {
    /* A loop's variable and a buffer that took its memory are the input no more, or only at first.
     */
    bool still = r->f->vars.at[v].loop == root->loop && !starts(x->name, "buf");
    x->python_name = still ? m->inputs.at[root->from].python_name : NULL;
    x->dtype = m->inputs.at[root->from].dtype;
    if (!view && strcmp(root->name, x->name) == 0) x->kind = KIND_INPUT;
  } else {
    x->dtype = r->storage[x->root].dtype;
  }
}

/* By their names, and given by address: a tensor given by value is one only in an out form
 * (`..._backward` takes an `out` too). */
static bool is_output_param(const fact_param *p, bool out_form) {
  return (out_form || p->holds == HOLDS_HANDLES) &&
         (starts(p->name, "out") || starts(p->name, "ret") || starts(p->name, "result"));
}

/* What the name of a kernel's parameter tells, as Inductor names them. */
static enum role role_by_name(const char *param, bool is_const, enum role otherwise) {
  if (starts(param, "in_out_ptr")) return ROLE_INOUT;
  if (starts(param, "in_ptr") || is_const) return ROLE_IN;
  if (starts(param, "out_ptr") || starts(param, "ws_ptr")) return ROLE_OUT;
  return otherwise;
}

static enum role triton_role(const triton *k, const triton_param *p, const char *name) {
  enum role role = role_by_name(name, false, ROLE_UNKNOWN);
  if (!p || !k) return role;
  if (p->mutated)
    return role == ROLE_OUT && !p->loaded && !starts(name, "out_ptr") ? ROLE_OUT : ROLE_INOUT;
  if (role != ROLE_UNKNOWN) return role;
  if (p->stored) return p->loaded ? ROLE_INOUT : ROLE_UNKNOWN;
  return p->loaded ? ROLE_IN : ROLE_UNKNOWN;
}

/* An extern call's role: by the names that torch's shim gives to its parameters. */
static enum role shim_role(const fact_call *c, const operand *x) {
  const fact_param *p = &c->params.at[x->param];
  size_t n = strlen(c->callee);
  if (shapes_is_copy(c->callee) && x->param == 0 && c->callee[n - 1] == '_') return ROLE_OUT;
  bool in_place = n > 1 && c->callee[n - 1] == '_';
  bool out_form = n > 4 && strcmp(c->callee + n - 4, "_out") == 0;
  bool has_out = false;
  for (size_t i = 0; i < c->params.n; i++)
    has_out = has_out || is_output_param(&c->params.at[i], out_form);
  if (is_output_param(p, out_form)) return ROLE_OUT;
  if ((in_place || (out_form && !has_out)) && x->param == 0) return ROLE_INOUT;
  return ROLE_IN;
}

static enum role proxy_role(const reader *r, const fact_call *c, size_t tensor,
                            const op_node **node) {
  const operand *first = NULL;
  for (size_t i = 0; i < c->operands.n && !first; i++)
    if (c->operands.at[i].param == 1) first = &c->operands.at[i];
  long index = first ? strtol(r->f->text + first->text.begin, NULL, 10) : -1;
  *node = index >= 0 && index < (long)r->ops.n ? &r->ops.at[index] : NULL;
  if (!*node) return ROLE_UNKNOWN;
  if ((int)tensor < (*node)->inputs) return (*node)->outputs ? ROLE_IN : ROLE_UNKNOWN;
  return ROLE_OUT;
}

static void kernel_argument(const reader *r, site *s, argument *x, const operand *t) {
  const fact_param *p = &s->call->params.at[t->param];
  const triton_param *tp = s->triton ? triton_param_named(s->triton, p->name) : NULL;
  if (s->form == FORM_TRITON) {
    x->role = triton_role(s->triton, tp, p->name);
    if (tp && tp->divisible16) x->flags |= ARG_ALIGN16;
    x->dtype = tp ? triton_dtype(tp->type) : x->dtype;
  } else {
    x->role = role_by_name(p->name, t->is_const, ROLE_INOUT);
    x->dtype = t->element ? shapes_dtype(t->element) : NULL;
  }
  (void)r;
}

/* A variable that is empty by the time of the launch: what it was a view of is not. */
static void through_base(const reader *r, argument *x, const fact_var *v) {
  if (v->made != MADE_VIEW || v->from < 0 || !v->view[1].end) return;
  memcpy(x->view, v->view, sizeof x->view);
  x->value = r->f->vars.at[v->from].name;
}

static void tensor_argument(reader *r, site *s, const operand *t, size_t tensor, size_t *outputs) {
  argument x = {.name = "", .root = -1};
  const op_node *node = NULL;
  if (t->is == OPERAND_VIEW) x.kind = KIND_VIEW;
  if (t->var >= 0) identify(r, &x, t->var);
  if (t->is == OPERAND_POINTER && x.kind == KIND_TENSOR && t->var < 0) x.kind = KIND_POINTER;
  bool loose = s->form == FORM_DISPATCHER || s->form == FORM_PROXY;
  if (s->form == FORM_PROXY) {
    x.role = proxy_role(r, s->call, tensor, &node);
    if (x.role == ROLE_IN) x.flags |= ARG_MAYBE_WRITTEN;
  } else if (s->form == FORM_DISPATCHER) {
    x.role = ROLE_UNKNOWN;
  } else if (s->form == FORM_TRITON || s->form == FORM_CPU) {
    kernel_argument(r, s, &x, t);
  } else if (t->param >= 0) {
    x.role = shim_role(s->call, t);
  }
  if (t->is == OPERAND_OUTPUT) {
    x.role = ROLE_OUT;
    x.flags |= ARG_LATE;
    x.late = s->call->checked || loose ? r->f->vars.at[t->var].name : NULL;
    x.name = output_name(x.name, r->a);
    if (r->f->vars.at[t->var].holds == HOLDS_SCALAR) x.kind = KIND_SCALAR;
  } else if (t->var >= 0 && (t->consumed || loose) && r->f->vars.at[t->var].holds == HOLDS_HANDLE) {
    int source =
        r->storage[t->var]
            .source; /* the call takes this handle away: look through the one it was made from */
    x.value = source >= 0   ? r->f->vars.at[source].name
              : t->consumed ? NULL
                            : r->f->vars.at[t->var].name;
    if (source >= 0) x.name = x.value;
  } else if (t->var >= 0 && t->is == OPERAND_TENSOR &&
             (r->f->vars.at[t->var].released ||
              (t->consumed && r->f->vars.at[t->var].holds == HOLDS_OBJECT))) {
    through_base(r, &x, &r->f->vars.at[t->var]);
  } else if (t->is == OPERAND_VIEW) {
    memcpy(x.view, t->view, sizeof x.view);
    x.value = t->var < 0 ? facts_copy(r->f, t->view[0], r->a) : r->f->vars.at[t->var].name;
    if (t->var < 0) x.name = x.value;
  } else if (t->var >= 0) {
    x.value = r->f->vars.at[t->var].name;
  } else {
    x.name = facts_copy(r->f, t->text, r->a);
  }
  bool compiled = s->form == FORM_TRITON ||
                  s->form == FORM_CPU; /* named after ops, and none of them */
  if (x.role == ROLE_OUT && !compiled && shapes_unasserted(s->kernel, (*outputs)++))
    x.flags |= ARG_UNASSERTED;
  *arena_push(r->a, &s->args) = x;
}

static void scalar_argument(reader *r, site *s, const operand *t) {
  argument x = {
      .kind = KIND_SCALAR, .role = ROLE_IN, .root = -1, .name = facts_copy(r->f, t->text, r->a)};
  const fact_param *p = t->param >= 0 ? &s->call->params.at[t->param] : NULL;
  const triton_param *tp = p && s->triton ? triton_param_named(s->triton, p->name) : NULL;
  if (t->pure) x.value = x.name;
  if (tp && strcmp(tp->type, "i32") == 0) x.flags |= ARG_INT32;
  *arena_push(r->a, &s->args) = x;
}

/* What was given as in and as out is both; and what a launch is given it may have written. */
static void settle(reader *r, site *s) {
  for (size_t i = 0; i < s->args.n; i++) {
    argument *x = &s->args.at[i];
    for (size_t j = 0; j < s->args.n; j++) {
      const argument *y = &s->args.at[j];
      bool same = i != j && x->root >= 0 && x->root == y->root && x->kind != KIND_SCALAR &&
                  !(x->flags & ARG_LATE);
      if (same && ((x->role == ROLE_IN && y->role != ROLE_IN) ||
                   (x->role == ROLE_OUT && y->role == ROLE_IN)))
        x->role = y->role == ROLE_UNKNOWN ? ROLE_UNKNOWN : ROLE_INOUT;
    }
    if (x->root < 0 || x->kind == KIND_SCALAR) continue;
    storage *st = &r->storage[x->root];
    if (!st->allocated || st->touched || (s->call->loop != 0 && s->call->loop != st->loop))
      continue;
    x->flags |= ARG_FRESH;
    if (s->form == FORM_TRITON && x->role == ROLE_UNKNOWN) x->role = ROLE_OUT;
  }
  for (size_t i = 0; i < s->args.n; i++)
    if (s->args.at[i].root >= 0 && s->args.at[i].kind != KIND_SCALAR)
      r->storage[s->args.at[i].root].touched = true;
}

/* ---- sites ---------------------------------------------------------------------------------- */

/* Scalars that say how to launch and not what: nothing that a reader of values wants. */
static bool is_plumbing(const fact_param *p) {
  static const char *const names[] = {"device_idx_", "stream_", "kernels_", "cubin_dir_", NULL};
  for (const char *const *n = names; *n; n++)
    if (strcmp(p->name, *n) == 0) return true;
  return starts(p->name, "_grid_");
}

static const triton *kernel_of(model *m, const char *name) {
  for (size_t i = 0; i < m->kernels.n; i++)
    if (strcmp(m->kernels.at[i].name, name) == 0) return &m->kernels.at[i];
  return NULL;
}

static const char *after_last(const char *s, const char *what) {
  const char *at = s, *next;
  while ((next = strstr(at, what))) at = next + strlen(what);
  return at;
}

/* launchKernel(kernels.K, ...) */
static const char *launched(const reader *r, const fact_call *c) {
  size_t at = lex_skip_space(r->f->text, c->open + 1, c->close),
         end = lex_find(r->f->text, at, c->close, ',');
  const char *e = arena_strndup(r->a, r->f->text + at, end - at);
  return after_last(after_last(e, "."), "->");
}

/* The first string literal of the nearest `word`(...) above `at`, in an argument list that `begins`
 * with the text given. */
static const char *literal_above(const reader *r, size_t begin, size_t at, const char *word,
                                 const char *before) {
  size_t past, n = strlen(before);
  for (size_t p = at; p > begin + n; p--)
    if (lex_is_word(r->f->text, p, at, word) && memcmp(r->f->text + p - n, before, n) == 0)
      return literal_read(r->f->text, lex_find(r->f->text, p, at, '(') + 1, at, &past, r->a);
  return NULL;
}

/* The op that a dispatcher call names: in its own arguments, or in the text that filled them, above
 * it. */
static const char *dispatched(const reader *r, const fact_call *c) {
  size_t past, at = lex_find(r->f->text, c->open + 1, c->close, '"'),
               begin = r->f->functions.at[c->function].body.begin;
  const char *s = at < c->close ? literal_read(r->f->text, at, c->close, &past, r->a) : NULL;
  if (!s && strcmp(c->callee, "callBoxed") == 0)
    s = literal_above(r, begin, c->at, "findSchemaOrThrow", ".");
  if (!s) s = literal_above(r, begin, c->at, "PyUnicode_FromString", " 0, ");
  return s ? s : c->callee;
}

static void kind_of_site(reader *r, site *s) {
  const fact_call *c = s->call;
  s->kernel = c->callee;
  switch (c->calls) {
    case CALLS_TEMPLATE:
      s->form = FORM_TRITON;
      s->kernel = starts(c->callee, "call_") ? c->callee + 5 : c->callee;
      break;
    case CALLS_LAUNCH:
      s->form = FORM_TRITON;
      s->kernel = launched(r, c);
      break;
    case CALLS_KERNEL: s->form = FORM_CPU; break;
    case CALLS_DISPATCHER:
      s->form = FORM_DISPATCHER;
      s->kernel = dispatched(r, c);
      break;
    case CALLS_SHIM:
      s->form = shapes_is_item(c->callee)    ? FORM_ITEM
                : shapes_is_copy(c->callee)  ? FORM_COPY
                : shapes_is_proxy(c->callee) ? FORM_PROXY
                                             : FORM_EXTERN;
      break;
  }
  if (s->form == FORM_TRITON || s->form == FORM_CPU) s->flags |= SITE_KERNEL;
  if (s->form == FORM_TRITON) s->triton = kernel_of(r->m, s->kernel);
}

static void name_proxy(reader *r, site *s) {
  const op_node *node;
  proxy_role(r, s->call, 0, &node);
  size_t at = lex_find(r->f->text, s->call->open + 1, s->call->close, ',');
  long index = at < s->call->close ? strtol(r->f->text + at + 1, NULL, 10) : -1;
  s->kernel = node && *node->target ? node->target : arena_printf(r->a, "proxy#%ld", index);
}

static void add_site(reader *r, const fact_call *c) {
  site *s = arena_push(r->a, &r->m->sites);
  *s = (site){.call = c, .function = r->f->functions.at[c->function].name, .skipped = c->skipped};
  facts_position(r->f, c->statement.begin, &s->line, &s->column);
  kind_of_site(r, s);
  if (s->form == FORM_PROXY) name_proxy(r, s);
  size_t tensors = 0, outputs = 0;
  for (size_t i = 0; i < c->operands.n; i++) {
    const operand *t = &c->operands.at[i];
    const fact_param *p = t->param >= 0 ? &c->params.at[t->param] : NULL;
    if (p && is_plumbing(p)) continue;
    if (t->is == OPERAND_SCALAR) {
      if (s->form != FORM_PROXY && c->calls != CALLS_LAUNCH) scalar_argument(r, s, t);
    } else {
      tensor_argument(r, s, t, tensors++, &outputs);
    }
  }
  settle(r, s);
}

/* "s77, 10" of `static constexpr int64_t int_array_1[] = {s77, 10L};`, for the second argument of
 * an allocation. */
static const char *allocated_sizes(const reader *r, const fact_call *c) {
  size_t comma = lex_find(r->f->text, c->open + 1, c->close, ',');
  size_t at = lex_skip_space(r->f->text, comma + 1, c->close),
         end = lex_find(r->f->text, at, c->close, ',');
  for (size_t i = r->f->vars.n; i-- > 0;) {
    const fact_var *v = &r->f->vars.at[i];
    if (v->declared > c->at || end >= c->close || strlen(v->name) != end - at ||
        memcmp(v->name, r->f->text + at, end - at) != 0)
      continue;
    if (r->f->text[v->init.begin] != '{') return "";
    char *out = arena_alloc(r->a, v->init.end - v->init.begin + 1), *to = out;
    for (size_t p = v->init.begin + 1; p + 1 < v->init.end; p++)
      if (r->f->text[p] != 'L' || lex_is_identifier(r->f->text[p + 1])) *to++ = r->f->text[p];
    while (to > out && (to[-1] == ' ' || to[-1] == ',')) *--to = '\0';
    return out;
  }
  return NULL;
}

/* A call that launches nothing may still make a tensor: note what its outputs are. */
static void note_effect(reader *r, const fact_call *c, enum effect effect) {
  int first = -1;
  const char *dtype = NULL;
  char args[400] = "";
  size_t n = c->close - c->open;
  memcpy(args, r->f->text + c->open, n < sizeof args ? n : sizeof args - 1);
  const char *at = strstr(args, "torch_dtype_");
  if (at) {
    at += 12;
    size_t w = 0;
    while (lex_is_identifier(at[w])) w++;
    dtype = arena_strndup(r->a, at, w);
  }
  for (size_t i = 0; i < c->operands.n; i++) {
    const operand *t = &c->operands.at[i];
    if (t->is == OPERAND_TENSOR && first < 0) first = t->var;
    if (t->is != OPERAND_OUTPUT) continue;
    if (effect == EFFECT_ALIASES && first >= 0) {
      rename_root(r, t->var, root_of(r, first));
      r->storage[t->var].source = first;
    }
    if (effect != EFFECT_ALLOCATES && effect != EFFECT_UNINITIALIZED) continue;
    r->storage[t->var].allocated = true;
    r->storage[t->var].touched = false;
    r->storage[t->var].dtype = dtype;
    if (strncmp(c->callee, "aoti_torch_empty_strided", 24) == 0)
      r->storage[t->var].sizes = allocated_sizes(r, c);
  }
}

/* output_handles[1] = buf3.release(); */
static void read_outputs(reader *r, const fact_function *f) {
  const char *text = r->f->text;
  for (size_t at = f->body.begin;
       (at = lex_find_word(text, at, f->body.end, "output_handles")) < f->body.end; at++) {
    if (text[at + 14] != '[') continue;
    char *after;
    unsigned long i = strtoul(text + at + 15, &after, 10);
    if (i >= r->m->outputs.n || strncmp(after, "] = ", 4) != 0) continue;
    model_output *out = &r->m->outputs.at[i];
    size_t name = (size_t)(after + 4 - text), n = 0;
    while (lex_is_identifier(text[name + n])) n++;
    if (strncmp(text + name + n, ".release()", 10) != 0) continue;
    out->buffer = arena_strndup(r->a, text + name, n);
    for (size_t v = r->f->vars.n; v-- > 0;) {
      if (r->f->vars.at[v].declared > at || strcmp(r->f->vars.at[v].name, out->buffer) != 0)
        continue;
      const storage *st = &r->storage[r->storage[v].root];
      out->dtype = st->dtype;
      if (r->f->vars.at[v].made == MADE_ALIAS || (int)v == r->storage[v].root)
        out->sizes = st->sizes;
      break;
    }
  }
}

static bool is_run(const facts *f, const char *name) {
  for (size_t i = 0; i < f->functions.n; i++)
    if ((f->functions.at[i].is == FUNCTION_RUN || f->functions.at[i].is == FUNCTION_FOLD) &&
        strcmp(f->functions.at[i].name, name) == 0)
      return true;
  return false;
}

static void read_sites(reader *r) {
  for (size_t i = 0; i < r->f->calls.n; i++) {
    const fact_call *c = &r->f->calls.at[i];
    enum effect effect = shapes_effect(c->callee);
    if (effect != EFFECT_LAUNCH)
      note_effect(r, c, effect);
    else if (!is_run(r->f, c->callee))
      add_site(r, c);
  }
}

/* ---- kernels -------------------------------------------------------------------------------- */

static void read_kernels(reader *r) {
  for (size_t i = 0; i < r->f->functions.n; i++) {
    const fact_function *f = &r->f->functions.at[i];
    if (f->is != FUNCTION_LAUNCHER) continue;
    triton k;
    const char *name = starts(f->name, "call_") ? f->name + 5 : f->name;
    if (!triton_read(&k, name, r->f->text + f->body.begin, f->body.end - f->body.begin, r->a)) {
      size_t at = lex_find_word(
          r->f->text, 0, f->at,
          arena_printf(r->a, "%s_source", name)); /* a raw string above, without autotuning */
      if (at >= f->at || !triton_read(&k, name, r->f->text + at, f->at - at, r->a)) continue;
    }
    *arena_push(r->a, &r->m->kernels) = k;
  }
}

static void read_launch(reader *r, const fact_function *f, size_t at, const char *kernel) {
  size_t open = lex_skip_space(r->f->text, at + 12, f->body.end),
         close = lex_match(r->f->text, open, f->body.end);
  launch l = {.kernel = kernel, .statement = at};
  size_t p = lex_find(r->f->text, open + 1, close, ',');
  for (int i = 0; i < 3 && p < close; i++) {
    size_t begin = lex_skip_space(r->f->text, p + 1, close);
    p = lex_find(r->f->text, begin, close, ',');
    l.grid[i] = arena_strndup(r->a, r->f->text + begin, p - begin);
  }
  if (l.grid[2]) *arena_push(r->a, &r->m->launches) = l;
}

/* Every launchKernel(...): in the launchers, and of 2.6 in the run function itself. */
static void read_launches(reader *r) {
  for (size_t i = 0; i < r->f->functions.n; i++) {
    const fact_function *f = &r->f->functions.at[i];
    if (f->is != FUNCTION_LAUNCHER) continue;
    size_t at = lex_find_word(r->f->text, f->body.begin, f->body.end, "launchKernel");
    if (at < f->body.end) read_launch(r, f, at, starts(f->name, "call_") ? f->name + 5 : f->name);
  }
  for (size_t i = 0; i < r->m->sites.n; i++) {
    const site *s = &r->m->sites.at[i];
    if (s->call->calls == CALLS_LAUNCH && !s->skipped)
      read_launch(r, &r->f->functions.at[s->call->function], s->call->at, s->kernel);
  }
}

/* A constant -inf of the model is static_cast<float>(-std::numeric_limits<float>::infinity()); a
 * reduction's start is not cast. */
static unsigned cpp_makes_inf(const char *text, span body) {
  static const char positive[] = "std::numeric_limits", infinity[] = "infinity";
  unsigned flags = 0;
  for (size_t at = body.begin; (at = lex_find_word(text, at, body.end, "static_cast")) < body.end;
       at++) {
    size_t open = lex_find(text, at, body.end, '('), close = lex_match(text, open, body.end);
    bool negative = text[open + 1] == '-';
    size_t begin = open + 1 + negative;
    if (close < begin + sizeof positive ||
        memcmp(text + begin, positive, sizeof positive - 1) != 0 ||
        !memmem(text + begin, close - begin, infinity, sizeof infinity - 1))
      continue;
    flags |= negative ? SITE_MAKES_NEG_INF : SITE_MAKES_POS_INF;
  }
  return flags;
}

/* Infinities that a launch makes on purpose. */
static void intended_inf(reader *r, site *s) {
  for (size_t i = 0; i < s->aten.n; i++)
    if (shapes_makes_neg_inf(s->aten.at[i])) s->flags |= SITE_MAKES_NEG_INF;
  if (s->triton && s->triton->makes_neg_inf) s->flags |= SITE_MAKES_NEG_INF;
  if (s->triton && s->triton->makes_pos_inf) s->flags |= SITE_MAKES_POS_INF;
  if (s->form != FORM_CPU) return;
  const char *texts[] = {r->beside->kernel, r->f->text};
  for (int i = 0; i < 2; i++) {
    definitions *d = &r->definitions[i];
    if (!d->text && texts[i]) definitions_read(d, texts[i], strlen(texts[i]), r->a);
    const definition *x = definitions_named(d, s->kernel);
    if (!x) continue;
    s->flags |= cpp_makes_inf(d->text, x->body);
    return;
  }
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* CACHE_TORCH_DEVICE(cuda): the device that is not the host's, where there is one. */
static void read_device(model *m, arena *a) {
  const facts *f = m->facts;
  for (size_t at = 0; (at = lex_find_word(f->text, at, f->n, "CACHE_TORCH_DEVICE")) < f->n; at++) {
    size_t name = at + 19, n = 0;
    while (name + n < f->n && lex_is_identifier(f->text[name + n])) n++;
    const char *device = arena_strndup(a, f->text + name, n);
    if (n && (!m->device || strcmp(m->device, "cpu") == 0)) m->device = device;
  }
}

/* Alignment that the wrapper checks or mends for an input. */
static void read_alignment(model *m, arena *a) {
  for (size_t i = 0; i < m->inputs.n; i++) {
    const char *text = arena_printf(a, "(%s.data_ptr()) & (16", m->inputs.at[i].name);
    m->inputs.at[i].aligned = strstr(m->facts->text, text) != NULL;
  }
}

/* The JIT's wrappers have no constructor: inputs are what the run function takes apart, scalars
 * among them. */
static void read_jit_inputs(model *m, arena *a) {
  const facts *f = m->facts;
  size_t at = lex_find_word(f->text, 0, f->n, "steal_from_raw_handles_to_raii_handles");
  size_t comma = at < f->n ? lex_find(f->text, lex_find(f->text, at, f->n, '(') + 1, f->n, ',')
                           : f->n;
  long n = comma < f->n ? strtol(f->text + comma + 1, NULL, 10) : 0;
  for (long i = 0; i < n && i < 100000; i++)
    *arena_push(a, &m->inputs) =
        (model_input){.name = arena_printf(a, "inputs[%ld]", i), .ndim = -1};
  for (size_t i = 0; i < f->vars.n; i++) {
    const fact_var *v = &f->vars.at[i];
    if (v->made == MADE_INPUT && v->from >= 0 && v->from < (int)m->inputs.n &&
        v->holds == HOLDS_OBJECT)
      m->inputs.at[v->from].name = v->name;
  }
}

bool model_build(model *m, const facts *f, const companions *beside, arena *a, diags *d) {
  *m = (model){.facts = f};
  reader r = {.m = m, .f = f, .a = a, .d = d, .beside = beside};
  bool run = false, constructed = false;
  for (size_t i = 0; i < f->functions.n; i++) {
    const fact_function *x = &f->functions.at[i];
    run = run || x->is == FUNCTION_RUN;
    if (x->is == FUNCTION_CONSTRUCTOR && strcmp(x->name, "AOTInductorModel") == 0) {
      constructed = true;
      constructor_read(m, x, a);
    }
  }
  if (!run) {
    diag_error(d, STATUS_INPUT, f->path,
               "is no AOTInductor wrapper: it has no 'run_impl' and no 'inductor_entry_impl'; give "
               "the '.wrapper.cpp' that torch emitted");
    return false;
  }
  m->jit = !constructed;
  if (m->jit) read_jit_inputs(m, a);
  names_ops(&r.ops, beside, a, d);
  checks_read(m, a);
  read_device(m, a);
  read_alignment(m, a);
  read_kernels(&r);
  roots(&r);
  read_sites(&r);
  for (size_t i = 0; i < f->functions.n; i++)
    if (f->functions.at[i].is == FUNCTION_RUN) read_outputs(&r, &f->functions.at[i]);
  if (m->sites.n > MAX_SITES) {
    diag_error(d, STATUS_INPUT, f->path,
               "has %zu launches, more than the %d that the runtime counts", m->sites.n, MAX_SITES);
    return false;
  }
  names_read(m, a);
  for (size_t i = 0; i < m->sites.n; i++) intended_inf(&r, &m->sites.at[i]);
  read_launches(&r);
  constructor_cubins(m, a);
  return true;
}
